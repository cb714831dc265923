"""The source lines that a report shows under a diagnostic: text, marked columns, proposed change. Plain data."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.build.lexical import source_lines
from cl_magic.build.source_map import SourceMap
from cl_magic.clc.diagnostic import Diagnostic, FixIt

TAB = 4


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """One line of source, tabs expanded to 4.

    Attributes
    ----------
    number : int
        The user's line number.
    text : str
    start, end : int
        Marked characters [start, end) of `text`, from 0; both 0 on lines without mark. ``end`` may be one past the text
        (something is missing at the end of the line).
    """

    number: int
    text: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class ExcerptFix:
    """A change: `text` stands at offset `start` (from 0, tabs expanded) of the line, in place of [start, end)."""

    number: int
    start: int
    end: int
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines in order, of which one is marked, and the changes proposed on that line."""

    lines: tuple[ExcerptLine, ...]
    fixes: tuple[ExcerptFix, ...] = ()


def excerpt_of(
    diagnostic: Diagnostic, source: str, source_map: SourceMap | None = None, *, context: int = 0
) -> Excerpt | None:
    r"""Excerpt for a diagnostic; None where it has no line in this source (linker, header).

    Parameters
    ----------
    diagnostic : Diagnostic
        Positions are the user's.
    source : str
        The user's text, without prelude (``spec.source``).
    source_map : SourceMap, optional
        The map that the positions were made with.
    context : int
        Lines to show above and below.

    Examples
    --------
    >>> where = Diagnostic("error", "use of undeclared identifier 'oops'", 2, 6, 10)
    >>> excerpt_of(where, "a;\n\tx = oops;").lines
    (ExcerptLine(number=2, text='    x = oops;', start=8, end=12),)
    """
    positions = source_map or SourceMap()
    lines = source_lines(source)
    index = diagnostic.line - positions.first_line
    if diagnostic.file or not diagnostic.line or not 0 <= index < len(lines):
        return None
    around = range(max(index - context, 0), min(index + context + 1, len(lines)))
    shown = tuple(
        _marked(diagnostic, lines[index], positions) if i == index else _plain(i + positions.first_line, lines[i])
        for i in around
    )
    fixes = tuple(_fix(fixit, lines[index], positions) for fixit in diagnostic.fixits if fixit.line == diagnostic.line)
    return Excerpt(shown, fixes)


def expanded_offset(text: str, column: int) -> int:
    r"""Offset (from 0) in the line with tabs expanded to 4 of a column (from 1) in the line as it is.

    Examples
    --------
    >>> expanded_offset("\tx", 2), expanded_offset("ab\tx", 4)
    (4, 4)
    """
    offset = 0
    for char in text[: max(column - 1, 0)]:
        offset += TAB - offset % TAB if char == "\t" else 1
    return offset + max(column - 1 - len(text), 0)


def expand_tabs(text: str) -> str:
    r"""The line with tabs expanded to 4 (each character counts as one column, whatever its width).

    Examples
    --------
    >>> expand_tabs("a\tb")
    'a   b'
    """
    shown = ""
    for char in text:
        shown += " " * (TAB - len(shown) % TAB) if char == "\t" else char
    return shown


def _plain(number: int, text: str) -> ExcerptLine:
    return ExcerptLine(number, expand_tabs(text))


def _marked(diagnostic: Diagnostic, text: str, positions: SourceMap) -> ExcerptLine:
    if not diagnostic.column:
        return _plain(diagnostic.line, text)
    column = max(diagnostic.column - positions.indent, 1)
    start = min(expanded_offset(text, column), len(expand_tabs(text)))
    end = expanded_offset(text, diagnostic.end_column - positions.indent) if diagnostic.end_column else 0
    return ExcerptLine(diagnostic.line, expand_tabs(text), start, max(end, start + 1))


def _fix(fixit: FixIt, text: str, positions: SourceMap) -> ExcerptFix:
    start, end = (expanded_offset(text, max(c - positions.indent, 1)) for c in (fixit.column, fixit.end_column))
    return ExcerptFix(fixit.line, start, max(end, start), fixit.text, fixit.why)
