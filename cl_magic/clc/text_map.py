"""Text made from another text by cutting, copying and replacing, which knows for each place where it came from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

Edits = Mapping[tuple[int, int], str]
"""What stands in place of the offsets [start, end)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text.

    Attributes
    ----------
    text : str
    offset : int
        Where it stands, or what it replaces, in the first text.
    copied : bool
        Whether each character is that of the first text; else all of them stand for the one at `offset`.
    instance : str
        Registered name or template instance that the stretch belongs to, "" for none.
    """

    text: str
    offset: int
    copied: bool = True
    instance: str = ""


Pieces = tuple[Piece, ...]


def text_of(pieces: Iterable[Piece]) -> str:
    """The text of pieces in order.

    Examples
    --------
    >>> text_of([Piece("a", 0), Piece("b", 9, copied=False)])
    'ab'
    """
    return "".join(piece.text for piece in pieces)


def cut(pieces: Iterable[Piece], start: int, end: int) -> Pieces:
    """The offsets [start, end) of the text of some pieces, as pieces.

    Examples
    --------
    >>> cut([Piece("float x;", 10)], 6, 7)
    (Piece(text='x', offset=16, copied=True, instance=''),)
    """
    found: list[Piece] = []
    at = 0
    for piece in pieces:
        low, high = max(start - at, 0), min(end - at, len(piece.text))
        if low < high:
            move = low if piece.copied else 0
            found.append(replace(piece, text=piece.text[low:high], offset=piece.offset + move))
        at += len(piece.text)
    return tuple(found)


def edited(pieces: Pieces, edits: Edits) -> Pieces:
    """The pieces with other text in some places; of edits that overlap the first, of those the longest, counts.

    Examples
    --------
    >>> text_of(edited((Piece("T x = T(1);", 0),), {(0, 1): "int", (6, 7): "(int)"}))
    'int x = (int)(1);'
    """
    found: list[Piece] = []
    at = 0
    size = sum(len(piece.text) for piece in pieces)
    in_order = sorted(edits.items(), key=lambda edit: (edit[0][0], edit[0][1] != edit[0][0], -edit[0][1]))
    for (start, end), text in in_order:
        if start < at:
            continue
        found += cut(pieces, at, start)
        here = cut(pieces, start, max(end, start + 1)) or cut(pieces, max(start - 1, 0), start)
        if text:
            first = here[0] if here else Piece("", 0)
            found.append(replace(first, text=text, copied=False))
        at = end
    return (*found, *cut(pieces, at, size))


def named(pieces: Iterable[Piece], instance: str) -> Pieces:
    """The pieces as parts of an instance."""
    return tuple(replace(piece, instance=instance) for piece in pieces)


@dataclass(frozen=True, slots=True)
class Segment:
    """Part of a line of the made text.

    Attributes
    ----------
    column : int
        First column, from 1, in the made text.
    line, user_column : int
        Its place, from 1, in the first text.
    copied : bool
        Whether the columns behind it count on; else all stand for `user_column`.
    instance : str
        As in :class:`Piece`.
    """

    column: int
    line: int
    user_column: int
    copied: bool = True
    instance: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Place in the first text, and the instance that the made text there belongs to."""

    line: int
    column: int
    instance: str = ""


@dataclass(frozen=True, slots=True)
class TextMap:
    """From places of the made text to those of the first one.

    Attributes
    ----------
    lines : tuple of tuple of Segment
        For each line of the made text its segments, in order; each has one at least.
    """

    lines: tuple[tuple[Segment, ...], ...] = ()

    def origin(self, line: int, column: int = 0) -> Origin | None:
        r"""Origin of a place (from 1; column 0 for the whole line); None where there is no such line.

        Examples
        --------
        >>> made = text_map((Piece("a;", 4), Piece("float", 6, copied=False), Piece(" x;", 7)), "int\na;T x;")
        >>> made.origin(1, 9), made.origin(1, 5).column
        (Origin(line=2, column=5, instance=''), 3)
        """
        if not 0 < line <= len(self.lines):
            return None
        segments = self.lines[line - 1]
        index = max(bisect_right([segment.column for segment in segments], max(column, 1)) - 1, 0)
        found = segments[index]
        moved = found.user_column + (column - found.column if found.copied else 0)
        return Origin(found.line, moved if column else 0, found.instance)


def text_map(pieces: Iterable[Piece], first: str) -> TextMap:
    r"""Map of a text made of pieces of `first`.

    Examples
    --------
    >>> text_map((Piece("b", 2),), "a\nb").origin(1, 1)
    Origin(line=2, column=1, instance='')
    """
    breaks = [index for index, char in enumerate(first) if char == "\n"]
    lines: list[list[Segment]] = [[]]
    column = 1
    for line_end, segment, length in _stretches(pieces, breaks):
        lines[-1].append(replace(segment, column=column))
        column += length
        if line_end:
            lines.append([])
            column = 1
    if not lines[-1]:
        last = lines[-2][-1] if len(lines) > 1 else Segment(1, 1, 1)
        lines[-1].append(replace(last, column=1, line=last.line + (len(lines) > 1), user_column=1))
    return TextMap(tuple(map(tuple, lines)))


def _stretches(pieces: Iterable[Piece], breaks: list[int]) -> Iterator[tuple[bool, Segment, int]]:
    """Stretches within a line: whether it ends the line, its segment, its length."""
    for piece in pieces:
        at = 0
        for part in piece.text.splitlines(keepends=True) if "\n" in piece.text else [piece.text]:
            offset = piece.offset + (at if piece.copied else 0)
            row = bisect_right(breaks, offset - 1)
            start = breaks[row - 1] + 1 if row else 0
            yield part.endswith("\n"), Segment(1, row + 1, offset - start + 1, piece.copied, piece.instance), len(part)
            at += len(part)
