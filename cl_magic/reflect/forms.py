"""From what an engine took out of a program to a listing on the user's lines, or to the reason why there is none."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cl_magic.build.line_directives import LineDirectives
from cl_magic.build.result import BuildResult
from cl_magic.errors import ListingUnavailableError
from cl_magic.reflect import ptx
from cl_magic.reflect.containers import kinds_in
from cl_magic.reflect.listing import KINDS, CodeLine, Extracted, FunctionCode, Listing, Resources
from cl_magic.reflect.reader import read
from cl_magic.reflect.reading import ReadRequest

_REGISTERS = re.compile(r"(\d+) registers")
_SPILLED = re.compile(r"(\d+) B spilled")
_WHY_NOT = {
    "asm": "the driver hands out no machine code",
    "ptx": "PTX is what NVIDIA's driver compiles to",
    "spirv": "the program was not made from SPIR-V, and drivers hand out no other",
    "llvm": "the driver hands out no LLVM bitcode",
    "binary": "the driver hands out no binary",
}


def debug_options(family: str, kind: str) -> tuple[tuple[str, ...], ...]:
    """The build options with which a compiler family keeps source lines in its code, the best choice first.

    PoCL's optimiser often leaves debug information that LLVM takes for damaged and drops (measured: in the bitcode of
    49 of 52 kernels); NVIDIA's driver 580 takes no notice of ``-g``; Oclgrind keeps the lines always.

    Examples
    --------
    >>> debug_options("pocl", "asm"), debug_options("nvidia", "ptx"), debug_options("oclgrind", "llvm")
    ((('-g',), ('-g', '-cl-opt-disable')), (('-nv-line-info',),), ((),))
    """
    if kind == "source" or family == "oclgrind":
        return ((),)
    unoptimised = ("-g", "-cl-opt-disable")
    if family == "pocl":
        return (unoptimised,) if kind == "llvm" else (("-g",), unoptimised)
    return (("-nv-line-info",),) if family == "nvidia" else (("-g",),)


@dataclass(frozen=True, slots=True)
class Making:
    """What a listing is made of.

    Attributes
    ----------
    result : BuildResult
        The user's build: kernels, their remarks, source and its lines.
    device : str
        Short name.
    family : str
    extracted : Extracted
    origin : callable
        From a line of the text that was built to a line of the user's text, both from 1; 0 for none.
    local_size : str
        ``16-1-1`` or "".
    instead : bool
        Whether this stands in for a build with debug information, which could not be read; `notes` say why.
    notes : tuple of str
    """

    result: BuildResult
    device: str
    family: str
    extracted: Extracted
    origin: Callable[[int], int]
    local_size: str = ""
    instead: bool = False
    notes: tuple[str, ...] = ()


def possible_kinds(extracted: Extracted) -> tuple[str, ...]:
    r"""Kinds that can be made.

    Examples
    --------
    >>> possible_kinds(Extracted(b"BC\xc0\xde"))
    ('source', 'llvm', 'binary')
    """
    return kinds_in(extracted.binary, extracted.il)


def refuse_kind(kind: str, device: str, possible: Iterable[str] = ()) -> ListingUnavailableError:
    """The error for a kind that a device does not give, or that is none.

    Examples
    --------
    >>> refuse_kind("ptx", "PoCL cpu", ("llvm", "asm")).possible
    ('llvm', 'asm')
    """
    kinds = tuple(possible) or KINDS
    remedy = f"ask for {', '.join(kinds)}"
    if kind not in KINDS:
        return ListingUnavailableError(f"there is no listing {kind!r}", remedy=remedy, kind=kind, possible=kinds)
    why = _WHY_NOT.get(kind, "the driver does not give it")
    message = f"{device} gives no {kind} of this program: {why}"
    return ListingUnavailableError(message, remedy=remedy, kind=kind, possible=kinds, reason=why, device=device)


def make_listing(kind: str, making: Making) -> Listing:
    """Read one form of a program.

    Raises
    ------
    ListingUnavailableError
        The device does not give this kind (`possible` lists those it gives), or it cannot be read.
    MissingExtraError
        The extra ``asm`` is not installed.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> made = Making(BuildResult(True, ProgramSpec("int x;")), "PoCL cpu", "pocl", Extracted(b"", text="int x;"), int)
    >>> make_listing("source", made).functions[0].lines[0].line
    1
    """
    possible = possible_kinds(making.extracted)
    if kind not in possible:
        raise refuse_kind(kind, making.device, possible)
    spec = making.result.spec
    data = making.extracted.il if kind == "spirv" else making.extracted.binary
    plain = Listing(kind, making.device, (), spec.source, spec.source_map, data=data, notes=making.notes)
    if kind == "source":
        return dataclasses.replace(plain, functions=(_source(making),), whole=making.extracted.text, data=b"")
    if kind in ("binary", "spirv"):
        return dataclasses.replace(plain, whole=_hexadecimal(data))
    return _code(plain, making)


def _code(plain: Listing, making: Making) -> Listing:
    kernels = tuple(kernel.name for kernel in making.result.kernels)
    if plain.kind == "ptx":
        whole, notes = plain.data.rstrip(b"\0").decode("utf-8", "replace"), tuple[str, ...]()
        functions = ptx.functions(whole, kernels)
    else:
        answer = read(ReadRequest(plain.kind, kernels, making.local_size), plain.data)
        functions, whole, notes = answer.functions, answer.whole, answer.notes
    placed = tuple(_told(_placed(function, making), making.result) for function in functions)
    made = dataclasses.replace(plain, functions=placed, whole=whole, notes=(*plain.notes, *notes))
    return (
        made
        if made.has_lines or making.instead
        else dataclasses.replace(made, notes=(*made.notes, _no_lines(making, made.kind)))
    )


def _no_lines(making: Making, kind: str) -> str:
    first, *more = debug_options(making.family, kind)
    if not set(first) <= set(making.extracted.options.split()):
        return f"no source lines: the build has no debug information; debug=True reads a build with {' '.join(first)}"
    other = f"; a build with {' '.join(more[-1])} may have them, with other code" if more else ""
    return f"no source lines: the compiler left none, though it was given {' '.join(first)}{other}"


def _placed(function: FunctionCode, making: Making) -> FunctionCode:
    """From the compiler's lines to the user's."""
    directives = LineDirectives(making.extracted.text)
    first = making.result.spec.source_map.first_line
    prelude = making.extracted.prelude_lines

    def moved(line: CodeLine) -> CodeLine:
        if not line.line or (line.file and not directives.names(line.file)):
            return line
        physical = directives.physical(line.file or None, line.line)
        origin = making.origin(physical - prelude) if physical > prelude else 0
        return dataclasses.replace(line, line=origin + first - 1 if origin else 0, file="")

    return dataclasses.replace(function, lines=tuple(map(moved, function.lines)))


def _told(function: FunctionCode, result: BuildResult) -> FunctionCode:
    """With what the compiler's log and the device say of the kernel."""
    kernel = next((one for one in result.kernels if one.name == function.name and function.kernel), None)
    if kernel is None:
        return function
    words = ", ".join(kernel.notes)
    registers, spilled = _REGISTERS.search(words), _SPILLED.search(words)
    local = function.resources.local_bytes
    told: Resources = dataclasses.replace(
        function.resources,
        registers=int(registers[1]) if registers else None,
        spilled_bytes=int(spilled[1]) if spilled else 0 if registers else None,
        local_bytes=local if local is not None else kernel.work_group.local_mem_bytes or None,
    )
    return dataclasses.replace(function, resources=told)


def _source(making: Making) -> FunctionCode:
    first = making.result.spec.source_map.first_line
    prelude = making.extracted.prelude_lines
    lines = []
    for number, text in enumerate(making.extracted.text.split("\n"), 1):
        origin = making.origin(number - prelude) if number > prelude else 0
        lines.append(CodeLine(text, origin + first - 1 if origin else 0))
    return FunctionCode("source", "", kernel=False, lines=tuple(lines))


def _hexadecimal(data: bytes) -> str:
    """The first bytes as a hexadecimal dump, and how many there are."""
    shown = data[:_DUMPED_BYTES]
    rows = []
    for at in range(0, len(shown), 16):
        row = shown[at : at + 16]
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)  # noqa: PLR2004 - printable ASCII
        rows.append(f"{at:08x}  {row.hex(' '):<47}  {text}")
    if len(data) > len(shown):
        rows.append(f"… {len(data) - len(shown)} more bytes")
    return "\n".join(rows)


_DUMPED_BYTES = 4096
