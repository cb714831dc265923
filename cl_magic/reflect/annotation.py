"""Code with the source lines that it was made from above it, as text."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from cl_magic.reflect.listing import CodeLine, FunctionCode, Listing

_COMMENT = {"llvm": ";", "asm": "#", "ptx": "//", "source": "//"}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of code that one source line made.

    Attributes
    ----------
    line : int
        The user's line; 0 where it is not known.
    file : str
        Name of a header, "" for the user's source.
    source : str
        Text of the line, "" where it is not at hand.
    code : tuple of CodeLine
    """

    line: int
    file: str
    source: str
    code: tuple[CodeLine, ...]


def stretches(function: FunctionCode, listing: Listing) -> tuple[Stretch, ...]:
    """The lines of a function, in stretches of one source line each.

    Examples
    --------
    >>> code = FunctionCode("f", "f", True, (CodeLine("a", 1), CodeLine("b", 1), CodeLine("c")))
    >>> [(one.line, len(one.code)) for one in stretches(code, Listing("llvm", "", (code,), "x = 1;"))]
    [(1, 2), (0, 1)]
    """

    def made() -> Iterator[Stretch]:
        for (line, file), group in itertools.groupby(function.lines, key=lambda one: (one.line, one.file)):
            text = listing.source_line(line).strip() if line and not file else ""
            yield Stretch(line, file, text, tuple(group))

    return tuple(made())


def annotated(function: FunctionCode, listing: Listing) -> str:
    """A function's text; where the source line changes, a comment tells it.

    Examples
    --------
    >>> code = FunctionCode("f", "f", True, (CodeLine("  ret void", 1),))
    >>> print(annotated(code, Listing("llvm", "", (code,), "x = 1;")))
    ; line 1: x = 1;
      ret void
    """
    mark = _COMMENT.get(listing.kind, ";")
    rows: list[str] = []
    last = 0
    for one in stretches(function, listing):
        if one.line and one.line != last:
            where = f"{one.file} line {one.line}" if one.file else f"line {one.line}"
            rows.append(f"{mark} {where}: {one.source}".rstrip(": "))
            last = one.line
        rows += [code_text(line) for line in one.code]
    return "\n".join(rows)


def code_text(line: CodeLine) -> str:
    """A line of code; one of machine code with its address.

    Examples
    --------
    >>> code_text(CodeLine("ret", address=16))
    '    10  ret'
    """
    return line.text if line.address is None else f"{line.address:6x}  {line.text}"
