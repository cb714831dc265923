"""Text form of a build report: same order and words as the HTML, at most 100 columns."""

from __future__ import annotations

from collections.abc import Sequence

from cl_magic.build.result import BuildResult, KernelInfo
from cl_magic.display.build_report import device_words, line_rule, log_text, problems, where_from
from cl_magic.display.build_tables import kernel_notes, local_bytes, required_group
from cl_magic.display.diagnostics import diagnostics_text
from cl_magic.display.escape import plain
from cl_magic.display.layout import clip, sentence
from cl_magic.display.quantity import count, counted, duration

_LOG_LINES = 20


def _kernel_line(kernel: KernelInfo, width: int) -> str:
    info = kernel.work_group
    parts = [f"max group {count(info.max_work_group_size)}", f"multiple {count(info.preferred_multiple)}"]
    parts += [note for note in (kernel_notes(kernel),) if note]
    group = required_group(kernel)
    parts += [f"group {group}"] if group else []
    parts += [f"private {count(info.private_mem_bytes)} B"] if info.private_mem_bytes else []
    local = local_bytes(kernel)
    parts += [f"local {local}{' B' if local.rstrip('*').isdigit() else ''}"] if local != "0" else []
    arguments = ", ".join(p.declaration for p in kernel.signature.parameters)
    text = f"{', '.join(parts)} ({arguments})"
    return sentence(text, f"  {plain(kernel.name):<{width}}  ")


def _head(result: BuildResult) -> str:
    name = result.spec.source_map.name
    facts = [device_words(result), duration(result.duration_ns)]
    facts += [where_from(result)] if result.ok else []
    words = problems(result)
    if result.ok:
        words = ", ".join(filter(None, [counted(len(result.kernels), "kernel"), words]))
    return sentence(f"{name}: {words or 'the build failed'} ({', '.join(filter(None, facts))})", "")


def _log_lines(result: BuildResult) -> list[str]:
    """The log itself where no diagnostic says what it says; else one line about it."""
    text = log_text(result)
    if not text:
        return []
    lines = plain(text).split("\n")
    if result.ok or result.count("error"):
        return [f"Log: {counted(len(lines), 'line')}, {line_rule(result)}."]
    shown = [clip("  " + row) for row in lines[:_LOG_LINES]]
    more = [f"  ({count(len(lines) - _LOG_LINES)} more lines)"] if len(lines) > _LOG_LINES else []
    return [f"Log ({line_rule(result)}):", *shown, *more]


def build_text(result: BuildResult, unbound: Sequence[str] = ()) -> str:
    """Text report of a build.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> print(build_text(BuildResult(True, ProgramSpec(""), duration_ns=31_000_000)))
    source: 0 kernels (31.0 ms, compiled)
    """
    width = max((len(plain(k.name)) for k in result.kernels), default=0)
    lines = [_head(result)]
    lines += [_kernel_line(kernel, width) for kernel in result.kernels]
    lines += diagnostics_text(result, result.diagnostics)
    lines += [clip(plain(line)) for line in result.unparsed]
    lines += [sentence(note, "") for note in (*unbound, *result.notes)]
    return plain("\n".join(lines + _log_lines(result)))
