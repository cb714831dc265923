"""Text form: columns that align, sentences that break, nothing over 100 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from cl_magic.display.escape import plain

WIDTH = 100


def clip(text: str, width: int = WIDTH) -> str:
    """A line of at most `width` columns; what is left out is marked by ``…``.

    Examples
    --------
    >>> clip("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= width else text[: width - 1] + "…"


def sentence(text: str, first: str = "", rest: str | None = None) -> str:
    """Text broken at blanks, not at narrow ones; the first line after `first`, more after `rest` (as wide as `first`).

    Examples
    --------
    >>> print(sentence("one two", "  plan  "))
      plan  one two
    """
    following = " " * len(first) if rest is None else rest
    paragraphs = plain(text, narrow="\u202f").split("\n")
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += textwrap.wrap(
            paragraph,
            WIDTH,
            initial_indent=following if lines else first,
            subsequent_indent=following,
            break_on_hyphens=False,
        ) or [following.rstrip() if lines else first.rstrip()]
    return "\n".join(lines).replace("\u202f", " ")


def columns(rows: Iterable[Sequence[str]], right: Sequence[int] = (), indent: str = "") -> list[str]:
    """Lines of an aligned table, columns two blanks apart.

    Parameters
    ----------
    rows : iterable of sequences of str
        All of one length.
    right : sequence of int
        Indices of the columns that align right.

    Examples
    --------
    >>> columns([("a", "10"), ("bc", "9")], right=(1,))
    ['a   10', 'bc   9']
    """
    table = [[plain(cell) for cell in row] for row in rows]
    if not table:
        return []
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = []
    for row in table:
        cells = [c.rjust(widths[i]) if i in right else c.ljust(widths[i]) for i, c in enumerate(row)]
        lines.append(clip((indent + "  ".join(cells)).rstrip()))
    return lines
