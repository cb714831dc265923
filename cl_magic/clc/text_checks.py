"""Characters that look like code and are none: a no-break space, a typographic minus, quotes of a web page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from cl_magic.clc.diagnostic import Diagnostic, FixIt

REPLACEMENTS = {
    "\u00a0": " ",
    "\u2002": " ",
    "\u2003": " ",
    "\u2007": " ",
    "\u2009": " ",
    "\u200b": "",
    "\u200c": "",
    "\u200d": "",
    "\u2060": "",
    "\u202f": " ",
    "\u3000": " ",
    "\ufeff": "",
    "\u00d7": "*",
    "\u00f7": "/",
    "\u2010": "-",
    "\u2011": "-",
    "\u2012": "-",
    "\u2013": "-",
    "\u2014": "-",
    "\u2212": "-",
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u201e": '"',
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
    "\u037e": ";",
    "\uff0c": ",",
    "\uff1b": ";",
    "\uff08": "(",
    "\uff09": ")",
}
"""Characters seen in pasted code, and what belongs there."""

_MOST = 50
_ODD = "".join(REPLACEMENTS)
# Comments and literals are skipped: there any character is right.
_TOKEN = re.compile(
    rf'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(?P<odd>[{re.escape(_ODD)}])', re.DOTALL
)


def odd_characters(source: str) -> tuple[Diagnostic, ...]:
    r"""Warnings for characters of :data:`REPLACEMENTS` in code, outside comments and literals.

    Parameters
    ----------
    source : str

    Returns
    -------
    tuple of Diagnostic
        Origin ``cl_magic``, each with a fix-it, at most 50.

    Examples
    --------
    >>> found = odd_characters("int a = 1;\nint b = 3 \u2212 a; // 3 \u2212 a")
    >>> [(d.line, d.column, d.message) for d in found]
    [(2, 11, 'U+2212 MINUS SIGN is no OpenCL C; "-" belongs here')]
    """
    found = (match for match in _TOKEN.finditer(source) if match["odd"])
    return tuple(_warning(source, match) for match, _ in zip(found, range(_MOST), strict=False))


def _warning(source: str, match: re.Match[str]) -> Diagnostic:
    character, place = match["odd"], match.start()
    line, column = source.count("\n", 0, place) + 1, place - source.rfind("\n", 0, place)
    replacement = REPLACEMENTS[character]
    shown = {" ": "a plain space belongs here", "": "nothing belongs here"}.get(
        replacement, f'"{replacement}" belongs here'
    )
    name = f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()
    why = "a character from a text processor or a web page"
    fix = FixIt(line, column, column + 1, replacement, why)
    message = f"{name} is no OpenCL C; {shown}"
    return Diagnostic("warning", message, line, column, column + 1, origin="cl_magic", fixits=(fix,))


def joined(diagnostics: Iterable[Diagnostic], odd: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    r"""A compiler's diagnostics with those of :func:`odd_characters`, one message a place.

    Parameters
    ----------
    diagnostics : iterable of Diagnostic
        Of a compiler, same text.
    odd : iterable of Diagnostic

    Returns
    -------
    tuple of Diagnostic
        An error at the place of an odd character keeps its words and gets the fix-it and a note; a warning there is
        replaced by ours.

    Examples
    --------
    >>> error = Diagnostic("error", "unexpected character", 1, 9, origin="front end")
    >>> [(d.message, d.fixits[0].text) for d in joined([error], odd_characters("int a = − 1;"))]
    [('unexpected character', '-')]
    """
    by_place = {(d.line, d.column): d for d in odd}
    result = []
    for diagnostic in diagnostics:
        ours = None if diagnostic.file else by_place.get((diagnostic.line, diagnostic.column))
        if ours is None:
            result.append(diagnostic)
        elif diagnostic.severity == "error":
            del by_place[diagnostic.line, diagnostic.column]
            note = replace(ours, severity="note", fixits=())
            result.append(replace(diagnostic, fixits=ours.fixits, notes=(*diagnostic.notes, note)))
    return (*result, *by_place.values())
