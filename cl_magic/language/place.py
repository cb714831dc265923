"""Where a cursor stands in a text of OpenCL C: behind a dot, in an ``#include``, in a comment, or where a name goes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["name", "member", "include", "directive", "none"]

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[ \t]*[\"<](?P<start>[^\"<>]*)$")
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?P<start>\w*)$")
_MEMBER = re.compile(r"(?:[A-Za-z_]\w*|[\])])[ \t]*(?:\.|->)[ \t]*(?P<start>\w*)$")
_NUMBER = re.compile(r"(?<![\w.])\d[\w.]*$")
_WORD = re.compile(r"(?P<start>\w*)$")
_NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*(?:"|$)|\'(?:\\.|[^\'\\\n])*(?:\'|$)', re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Place:
    """A cursor's surroundings.

    Attributes
    ----------
    kind : {"name", "member", "include", "directive", "none"}
    start : int
        Offset at which the word before the cursor begins.
    word : str
        That word, up to the cursor.
    """

    kind: Kind
    start: int
    word: str


def place_at(text: str, offset: int) -> Place:
    """What stands before an offset of a text.

    Examples
    --------
    >>> place_at("v.xy", 4), place_at("get_gl", 6).kind, place_at('#include "a', 11).kind
    (Place(kind='member', start=2, word='xy'), 'name', 'include')
    >>> place_at("// get_gl", 9).kind, place_at("x = 1.5f", 7).kind
    ('none', 'none')
    """
    before = text[:offset]
    line = before.rpartition("\n")[2]
    patterns: tuple[tuple[Kind, re.Pattern[str]], ...] = (("include", _INCLUDE), ("directive", _DIRECTIVE))
    for kind, pattern in patterns:
        match = pattern.search(line)
        if match:
            return Place(kind, offset - len(match["start"]), match["start"])
    if _is_no_code(text, offset) or _NUMBER.search(line):
        return Place("none", offset, "")
    match = _MEMBER.search(line)
    if match:
        return Place("member", offset - len(match["start"]), match["start"])
    word = _WORD.search(line)
    start = word["start"] if word else ""
    return Place("name", offset - len(start), start)


def _is_no_code(text: str, offset: int) -> bool:
    """Whether an offset lies in a comment or a literal."""
    for match in _NO_CODE.finditer(text):
        if match.start() >= offset:
            return False
        is_closed = not match[0].startswith("//") and match.end() <= offset and _closes(match[0])
        if offset <= match.end() and not is_closed:
            return True
    return False


def _closes(token: str) -> bool:
    return token.endswith("*/") if token.startswith("/*") else len(token) > 1 and token[-1] == token[0]


def word_at(text: str, offset: int) -> tuple[str, int]:
    """The word at an offset, or right before it, and where it begins; "" where there is none.

    Examples
    --------
    >>> word_at("int value;", 6), word_at("int value;", 9), word_at("a + b", 2)
    (('value', 4), ('value', 4), ('', 2))
    >>> word_at("#pragma unroll", 3)
    ('#pragma', 0)
    """
    start = end = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    word = text[start:end]
    lead = re.search(r"#[ \t]*$", text[:start])
    if word and lead and not text[: lead.start()].rpartition("\n")[2].strip():
        return f"#{word}", lead.start()
    return (word, start) if word and not word[0].isdigit() else ("", offset)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    r"""Line and column of an offset, from 1; columns count bytes of UTF-8.

    Examples
    --------
    >>> line_and_column("é\nxé", 4)
    (2, 4)
    """
    before = text[:offset]
    line = before.rpartition("\n")[2]
    return before.count("\n") + 1, len(line.encode("utf-8", "replace")) + 1
