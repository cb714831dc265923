"""Fix-its for floating literals on devices without double: ``1.0`` becomes ``1.0f`` (OpenCL C 1.2, 6.1.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from cl_magic.clc.diagnostic import Diagnostic, FixIt

_MESSAGE = re.compile("double precision constant (requires|is only valid)")
_LITERAL = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])")


def with_float_literals(diagnostics: Iterable[Diagnostic], source: str) -> tuple[Diagnostic, ...]:
    """Add the fix-it to each message about a literal that only double could hold.

    Parameters
    ----------
    diagnostics : iterable of Diagnostic
        With positions in `source`.
    source : str

    Examples
    --------
    >>> told = Diagnostic("warning", "double precision constant requires cl_khr_fp64, casting", 1, 5)
    >>> with_float_literals([told], "x = 2.5e3;")[0].fixits[0].text
    '2.5e3f'
    """
    lines: list[str] = []
    result = []
    for diagnostic in diagnostics:
        if not diagnostic.file and not diagnostic.fixits and _MESSAGE.match(diagnostic.message):
            lines = lines or source.split("\n")
            diagnostic = _with_fixit(diagnostic, lines)  # noqa: PLW2901 - the same one, completed
        result.append(diagnostic)
    return tuple(result)


def _with_fixit(diagnostic: Diagnostic, lines: list[str]) -> Diagnostic:
    text = lines[diagnostic.line - 1] if 0 < diagnostic.line <= len(lines) else ""
    found = _LITERAL.match(text, max(diagnostic.column - 1, 0))
    if found is None:
        return diagnostic
    end = diagnostic.column + len(found[0])
    fix = FixIt(diagnostic.line, diagnostic.column, end, f"{found[0]}f", "a float literal ends in f")
    return replace(diagnostic, end_column=end, fixits=(fix,))
