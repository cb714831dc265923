"""The kernels of a build and their arguments, as tables."""

from __future__ import annotations

import re
from collections import Counter

from cl_magic.build.result import BuildResult, KernelInfo
from cl_magic.clc.signature import Parameter
from cl_magic.display.escape import escape
from cl_magic.display.parts import bold, dim, mono, section, small, table
from cl_magic.display.quantity import count

_VECTORISED = re.compile(r"vectorised (\d+)")


def required_group(kernel: KernelInfo) -> str:
    """``16 × 16`` where the source or the device requires a group size, else "".

    Examples
    --------
    >>> from cl_magic.build.result import WorkGroupInfo
    >>> from cl_magic.clc.signature import KernelSignature
    >>> required_group(KernelInfo(KernelSignature("f"), WorkGroupInfo(64, 8, (16, 16, 1))))
    '16 × 16'
    """
    size = kernel.signature.reqd_work_group_size or kernel.work_group.compile_work_group_size
    if not any(size):
        return ""
    shown = size if size[2] != 1 else size[:2] if size[1] != 1 else size[:1]
    return " × ".join(count(n) for n in shown)


def local_bytes(kernel: KernelInfo) -> str:
    """Local memory of a group: bytes as the device reports them, plus the names of local arguments.

    PoCL and Intel report 0 for a kernel's own arrays: then what the front end counted in the source, marked by a star.
    """
    names = [p.name for p in kernel.signature.parameters if p.address == "local"]
    number, counted = kernel.work_group.local_mem_bytes, kernel.signature.static_local_bytes
    shown = f"{count(counted)}*" if counted > number else count(number)
    return " + ".join(([shown] if max(number, counted) or not names else []) + names)


def kernel_notes(kernel: KernelInfo) -> str:
    """Remarks of the compiler in one cell."""
    return ", ".join(kernel.notes)


def warnings_of(result: BuildResult) -> Counter[str]:
    """Warnings by kernel: each belongs to the last kernel that begins at or before its line."""
    starts = sorted((k.signature.line, k.name) for k in result.kernels if k.signature.line)
    found: Counter[str] = Counter()
    for diagnostic in result.diagnostics:
        if diagnostic.severity == "warning" and diagnostic.line and not diagnostic.file:
            owner = [name for line, name in starts if line <= diagnostic.line]
            found.update(owner[-1:])
    return found


def _kernels_conclusion(result: BuildResult) -> str:
    limits = [k.work_group.max_work_group_size for k in result.kernels]
    parts = [f"group limits up to {count(max(limits))} items"] if limits else ["no kernel in the source"]
    widths = {match[1] for k in result.kernels for note in k.notes if (match := _VECTORISED.search(note))}
    if len(widths) == 1 and len(limits) > 1 and all(_VECTORISED.search(kernel_notes(k)) for k in result.kernels):
        parts.append(f"all vectorised {widths.pop()} wide")
    return " · ".join(parts)


def kernels_section(result: BuildResult) -> str:
    """Section with the work-group information of each kernel."""
    warned = warnings_of(result)
    heads = ["kernel", "#max group<br>items", "#preferred<br>multiple", "#required<br>group"]
    heads += ["#private<br>B / item", "#local<br>B / group", "compiler's remarks", "#warnings"]
    rows = []
    for kernel in result.kernels:
        info = kernel.work_group
        number = warned[kernel.name]
        rows.append(
            [
                bold(mono(kernel.name)),
                count(info.max_work_group_size),
                count(info.preferred_multiple),
                required_group(kernel) or dim("any"),
                count(info.private_mem_bytes),
                escape(local_bytes(kernel)),
                escape(kernel_notes(kernel)),
                f'<b class="is-warn">{number}</b>' if number else dim("0"),
            ]
        )
    if not any(kernel.notes for kernel in result.kernels):
        rows = [row[:6] + row[7:] for row in rows]
        heads.remove("compiler's remarks")
    has_local = any(p.address == "local" for k in result.kernels for p in k.signature.parameters)
    note = "Bytes as the device reports them."
    if any("*" in local_bytes(kernel) for kernel in result.kernels):
        note += " With a star: counted by cl_magic from the source, as the device reports none."
    note += " A name stands for a local argument: its size is given at the launch." if has_local else ""
    body = table(heads, rows, "kernels table", css="kt") + small(note) if rows else ""
    return section("Kernels", escape(_kernels_conclusion(result)), body)


def memory_section(result: BuildResult) -> str:
    """Section with the memory of each kernel, by address space: the four regions of OpenCL 1.2, 3.3, apart."""
    if not result.kernels:
        return ""
    rows = []
    for kernel in result.kernels:
        info = kernel.work_group
        spaces = [
            ", ".join(p.name for p in kernel.signature.parameters if p.address == space)
            for space in ("global", "constant")
        ]
        named = [mono(names) if names else dim("none") for names in spaces]
        local, private = escape(local_bytes(kernel)), count(info.private_mem_bytes)
        rows.append([bold(mono(kernel.name)), *named, local, private])
    heads = ["kernel", "global<br>arguments", "constant<br>arguments", "#local<br>B / group", "#private<br>B / item"]
    most_local = max(kernel.work_group.local_mem_bytes for kernel in result.kernels)
    most_private = max(kernel.work_group.private_mem_bytes for kernel in result.kernels)
    note = "Global and constant memory is shared by all work-items: its bytes are those of the arrays of a launch."
    conclusion = f"local up to {count(most_local)} B a group · private up to {count(most_private)} B a work-item"
    return section("Memory", conclusion, table(heads, rows, "memory of the kernels", css="kt") + small(note))


def access(parameter: Parameter) -> str:
    """What the kernel does with the argument: reads, writes; ``size at launch`` for local memory."""
    if parameter.address == "local":
        return "size at launch"
    words = [word for word, does in (("reads", parameter.reads), ("writes", parameter.writes)) if does]
    if not words and parameter.is_pointer and parameter.reads is False and parameter.writes is False:
        return "not used"
    return ", ".join(words)


def _type_words(parameter: Parameter) -> str:
    star = " *" if parameter.is_pointer else ""
    constant = [word for word in parameter.qualifiers if word == "const"]
    access_word = [parameter.access] if parameter.access != "none" else []
    return " ".join([*access_word, *constant, parameter.element_type]) + star


def _arguments(kernel: KernelInfo) -> str:
    rows = []
    for p in kernel.signature.parameters:
        space = dim("value") if p.address == "private" else escape(p.address)
        others = " ".join(q for q in p.qualifiers if q != "const")
        rows.append(
            [dim(str(p.index)), space, mono(_type_words(p)), bold(mono(p.name)), mono(others), escape(access(p))]
        )
    heads = ["#", "space", "type", "name", "qualifiers", "the kernel"]
    name = kernel.name
    if not rows:
        return f"<p>{bold(mono(name))} {dim('takes no arguments')}</p>"
    return table(heads, rows, f"arguments of {name}", caption=bold(mono(name)))


def signatures_section(result: BuildResult) -> str:
    """Section with the arguments of each kernel."""
    if not result.kernels:
        return ""
    number = sum(len(k.signature.parameters) for k in result.kernels)
    words = f"{count(number)} argument{'' if number == 1 else 's'}"
    if any(k.signature.origin == "device" for k in result.kernels):
        words += " · as the device describes them: the front end did not read the source"
    return section("Signatures", words, f'<div class="row">{"".join(map(_arguments, result.kernels))}</div>')
