"""Characters that look like OpenCL C and are not: no-break spaces, typographic quotes and minus signs."""

from __future__ import annotations

import re
import unicodedata

from cl_magic.build.lexical import blank_comments, source_lines
from cl_magic.build.source_map import SourceMap
from cl_magic.clc.diagnostic import Diagnostic, FixIt

_FOREIGN = re.compile(r"[^\x00-\x7f]")
_MEANT = {
    "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-", "\u00d7": "*", "\u00f7": "/",
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2264": "<=", "\u2265": ">=", "\u2260": "!=",
    "\u037e": ";", "\uff1b": ";", "\u2026": "...",
}  # fmt: skip


def foreign_characters(source: str, source_map: SourceMap | None = None) -> tuple[Diagnostic, ...]:
    """Name each character outside comments and literals that OpenCL C does not have (C99, 5.2.1).

    Letters of any language pass: compilers take them in identifiers.

    Examples
    --------
    >>> [found] = foreign_characters("a[0] = 4 \u2212 1;")
    >>> found.column, found.message, found.fixits[0].text
    (10, 'U+2212 MINUS SIGN is no character of OpenCL C', '-')
    """
    if source.isascii():
        return ()
    positions = source_map or SourceMap()
    found: list[Diagnostic] = []
    for number, line in enumerate(source_lines(blank_comments(source, literals=True)), positions.prelude_lines + 1):
        found += [
            _named(match.group(), positions.line(number), positions.column(match.start() + 1))
            for match in _FOREIGN.finditer(line)
            if not ("a" + match.group()).isidentifier()
        ]
    return tuple(found)


def _named(char: str, line: int, column: int) -> Diagnostic:
    name = unicodedata.name(char, "")
    meant = _MEANT.get(char, " " if char.isspace() else "")
    change = FixIt(line, column, column + 1, meant, f"write {meant!r}" if meant.strip() else "write a plain space")
    removal = FixIt(line, column, column + 1, "", "remove it")
    message = f"U+{ord(char):04X} {name}".rstrip() + " is no character of OpenCL C"
    return Diagnostic(
        "warning", message, line, column, column + 1, origin="cl_magic", fixits=(change if meant else removal,)
    )
