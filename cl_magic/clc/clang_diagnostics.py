"""libclang's diagnostics as values: positions in characters, notes in their message, fix-its kept."""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from typing import Any

from cl_magic.clc.diagnostic import Diagnostic, FixIt, Severity
from cl_magic.clc.libclang import BASE_HEADER_PATH
from cl_magic.clc.libclang_arguments import HEADER_DIR, SOURCE_PATH

_SEVERITIES: dict[int, Severity] = {1: "note", 2: "warning", 3: "error", 4: "error"}
_INCLUDED = re.compile(rf"in file included from {re.escape(SOURCE_PATH)}:\d+:")
_MOST = 500
"""Diagnostics kept for one text; hostile ones give more than anybody reads."""


class Positions:
    """Columns in characters for libclang's columns in bytes, within one text."""

    def __init__(self, source: bytes) -> None:
        self._lines = source.split(b"\n")

    def column(self, line: int, byte_column: int) -> int:
        """Column in characters, from 1; `byte_column` itself where the line is not in the text."""
        if not 0 < line <= len(self._lines):
            return byte_column
        return len(self._lines[line - 1][: byte_column - 1].decode("utf-8", "replace")) + 1


def report_name(path: str) -> str:
    """Name of a file in reports: "" for the text itself, a virtual header's own name, else the path.

    Examples
    --------
    >>> report_name("/cl_magic/source.cl"), report_name("/cl_magic/headers/real.h"), report_name("/usr/include/a.h")
    ('', 'real.h', '/usr/include/a.h')
    """
    if path == SOURCE_PATH:
        return ""
    inside = path.removeprefix(f"{HEADER_DIR}/")
    return path if inside == path else posixpath.normpath(inside)


def clang_diagnostics(unit: Any, source: bytes) -> tuple[Diagnostic, ...]:  # noqa: ANN401 - an untyped module
    """All diagnostics of a unit, notes inside their message.

    Parameters
    ----------
    unit : clang.cindex.TranslationUnit
    source : bytes
        The text, UTF-8.

    Returns
    -------
    tuple of Diagnostic
        In libclang's order, origin ``front end``.
    """
    positions = Positions(source)
    found: list[Diagnostic] = []
    for index in range(min(len(unit.diagnostics), _MOST)):
        raw = unit.diagnostics[index]
        if raw.severity not in _SEVERITIES or _is_ours(raw):
            continue
        value = _diagnostic(raw, positions)
        children = tuple(_diagnostic(child, positions) for child in raw.children if not _is_ours(child))
        found.append(replace(value, notes=children))
    return tuple(found)


def _is_ours(raw: Any) -> bool:  # noqa: ANN401
    file = raw.location.file
    return file is not None and file.name == BASE_HEADER_PATH


def _diagnostic(raw: Any, positions: Positions) -> Diagnostic:  # noqa: ANN401
    place = raw.location
    file = report_name(place.file.name) if place.file is not None else ""
    column = positions.column(place.line, place.column) if not file else place.column
    return Diagnostic(
        _SEVERITIES[raw.severity],
        _INCLUDED.sub("included from here", str(raw.spelling)),
        place.line,
        column,
        _end_column(raw, positions, file),
        file,
        str(raw.option or ""),
        "front end",
        _fixits(raw, positions) if not file else (),
    )


def _end_column(raw: Any, positions: Positions, file: str) -> int:  # noqa: ANN401
    """End of the marked range that begins at the message's place or holds it, on its line; 0 where there is none."""
    place = raw.location
    ends = [
        part.end.column
        for part in raw.ranges
        if part.start.line == part.end.line == place.line and part.start.column <= place.column < part.end.column
    ]
    if not ends:
        return 0
    return max(ends) if file else positions.column(place.line, max(ends))


def _fixits(raw: Any, positions: Positions) -> tuple[FixIt, ...]:  # noqa: ANN401
    return tuple(
        FixIt(
            fix.range.start.line,
            positions.column(fix.range.start.line, fix.range.start.column),
            positions.column(fix.range.end.line, fix.range.end.column),
            str(fix.value),
        )
        for fix in raw.fixits
        if fix.range.start.line == fix.range.end.line
    )
