"""OpenCL C text as characters: comments blanked out, the word under a column, lines as a compiler counts them."""

from __future__ import annotations

import re

_SKIPPED = re.compile(
    r"""//(?:\\\n|[^\n])*          # line comment, continued by a backslash
      | /\*.*?(?:\*/|\Z)          # block comment, perhaps never closed
      | "(?:\\.|[^"\\\n])*"?      # string literal
      | '(?:\\.|[^'\\\n])*'?      # character literal
    """,
    re.VERBOSE | re.DOTALL,
)
_TOKEN = re.compile(r'\w+|"(?:\\.|[^"\\\n])*"|<[\w./+-]+>')


def blank_comments(source: str, *, literals: bool = False) -> str:
    r"""Replace comments by blanks; every other character keeps its line and column.

    Parameters
    ----------
    source : str
        OpenCL C text with ``\n`` line ends.
    literals : bool
        Blank string and character literals as well.

    Examples
    --------
    >>> blank_comments("a /* b */ c // d")
    'a         c     '
    >>> blank_comments('puts("//");  // x', literals=True)
    'puts(    );      '
    """

    def blanked(match: re.Match[str]) -> str:
        text = match.group()
        if text[0] != "/" and not literals:
            return text
        return re.sub(r"[^\n]", " ", text)

    return _SKIPPED.sub(blanked, source)


def source_lines(source: str) -> list[str]:
    r"""Lines as a compiler counts them: only ``\n`` ends one (not form feed or U+2028, as ``str.splitlines`` has it).

    Examples
    --------
    >>> source_lines("a\x0cb\nc")
    ['a\x0cb', 'c']
    """
    return source.split("\n")


def token_end(text: str, column: int) -> int:
    """Column just past the word, string or ``<header>`` that starts at or covers `column` (from 1); 0 where none is.

    Examples
    --------
    >>> token_end("x[0] = missing;", 8)
    15
    >>> token_end("x = y;", 3)
    0
    """
    for match in _TOKEN.finditer(text):
        if match.start() < column <= match.end():
            return match.end() + 1
    return 0
