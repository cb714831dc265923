"""From a compiler's columns to characters: byte columns, marks under quoted source, proposed text as fix-its."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from cl_magic.build.lexical import token_end
from cl_magic.build.log_entry import Excerpt

_TAB = 8
_SUGGESTED = re.compile(r"; did you mean (?:to use )?'(?P<text>[^']+)'\?$")
_EXPECTED = re.compile(r"expected '(?P<text>;)'(?: |$)")


class Replacement(NamedTuple):
    """Characters [column, end_column) of the line (from 1) become `text`."""

    column: int
    end_column: int
    text: str
    why: str


def char_column(text: str, byte_column: int) -> int:
    """Column in characters for clang's column, which counts UTF-8 bytes (both from 1).

    Examples
    --------
    >>> char_column("/* é */ x", 10)
    9
    """
    if text.isascii() or byte_column <= 1:
        return byte_column
    data = text.encode("utf-8", "surrogatepass")
    inside = len(data[: byte_column - 1].decode("utf-8", "ignore"))
    return inside + 1 + max(byte_column - 1 - len(data), 0)


def end_column(text: str, column: int, excerpt: Excerpt) -> int:
    """One past what is marked at `column` of the line `text`: the caret's own range, else the word there, else 0.

    Examples
    --------
    >>> end_column("    x = SQ(y);", 9, Excerpt("    x = SQ(y);", "        ^~~~~"))
    14
    >>> end_column("    x = SQ(y);", 9, Excerpt())
    11
    """
    caret = excerpt.marks.find("^")
    width = _run(excerpt.marks, caret) if caret >= 0 else 0
    if width > 1:
        return _advance(text, column, caret, width)
    return token_end(text, column)


def replacement(text: str, column: int, excerpt: Excerpt, message: str) -> Replacement | None:
    """The one change that the compiler proposes, from the line under its marks or from its words.

    Examples
    --------
    >>> marks = Excerpt("    x[0] = mising;", "           ^~~~~~", "           missing")
    >>> replacement("    x[0] = mising;", 12, marks, "")
    Replacement(column=12, end_column=18, text='missing', why="write 'missing'")
    >>> replacement("    float k = 2.0f", 19, Excerpt(), "expected ';' at end of declaration")
    Replacement(column=19, end_column=19, text=';', why="insert ';'")
    """
    suggested = _SUGGESTED.search(message)
    why = f"did you mean '{suggested['text']}'?" if suggested else ""
    hint = excerpt.hint.strip()
    if hint and "  " not in hint:
        return _from_hint(text, column, excerpt, why)
    end = token_end(text, column)
    if suggested and not excerpt.marks and end:
        return Replacement(column, end, suggested["text"], why)
    if not excerpt.marks and (expected := _EXPECTED.match(message)):
        return Replacement(column, column, expected["text"], f"insert '{expected['text']}'")
    return None


def _from_hint(text: str, column: int, excerpt: Excerpt, why: str) -> Replacement:
    hint, caret = excerpt.hint.strip(), excerpt.marks.find("^")
    start = len(excerpt.hint) - len(excerpt.hint.lstrip())
    first = column if start == caret else _char_at(text, start)
    width = _run(excerpt.marks, start)
    under = text[first - 1 : first]
    if width > 1:
        end = _advance(text, first, start, width)
    elif width == 1 and why:
        end = token_end(text, first) or first
    else:  # a lone caret: its character is replaced only where the new text begins with it, as in `=` to `==`
        end = first + 1 if under and hint.startswith(under) else first
    return Replacement(first, end, hint, why or (f"insert '{hint}'" if end == first else f"write '{hint}'"))


def _run(marks: str, start: int) -> int:
    """Length of the range that begins at `start`: a caret or tilde and the tildes behind it; 0 where none begins."""
    match = re.compile(r"[\^~]~*").match(marks, start)
    return match.end() - start if match else 0


def _width(char: str, at: int) -> int:
    if char == "\t":
        return _TAB - at % _TAB
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _advance(text: str, column: int, display: int, width: int) -> int:
    """Column `width` display columns after `column`, which stands at `display` (from 0)."""
    at, stop, here = display, display + width, column
    while at < stop and here <= len(text):
        at += _width(text[here - 1], at)
        here += 1
    return here + max(stop - at, 0)


def _char_at(text: str, display: int) -> int:
    """Column (from 1) of the character at a display column (from 0)."""
    return _advance(text, 1, 0, display)
