"""Source text as lexemes with their offsets: what rewriting a text by its words needs, and no more."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

Kind = Literal["comment", "string", "directive", "word", "number", "mark"]

_LEXEME = re.compile(
    r"""(?P<comment>//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z))
      | (?P<string>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)
      | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
      | (?P<mark>\S)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_CLOSING = {"(": ")", "<": ">", "{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word, number, string, comment, preprocessor line, or one character of punctuation.

    Attributes
    ----------
    kind : str
    text : str
    start, end : int
        Offsets [start, end) in the text, from 0.
    """

    kind: Kind
    text: str
    start: int
    end: int


def lexemes(text: str) -> Iterator[Lexeme]:
    """Lexemes of a text in order.

    Examples
    --------
    >>> [lexeme.text for lexeme in lexemes("sq<T>(x); // twice")]
    ['sq', '<', 'T', '>', '(', 'x', ')', ';', '// twice']
    """
    for match in _LEXEME.finditer(text):
        yield Lexeme(cast("Kind", match.lastgroup), match.group(), match.start(), match.end())


class Words:
    """A text with its lexemes, found by their offset.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> words = Words("f<(a > b), int>(x)")
    >>> words.text[: words.closing(1)]
    'f<(a > b), int>'
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def all(self) -> tuple[Lexeme, ...]:
        """Every lexeme, comments too."""
        return tuple(lexemes(self.text))

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(lexeme.start for lexeme in self.all)

    def index(self, offset: int) -> int:
        """Index of the first lexeme that begins at or behind an offset."""
        return bisect_left(self._starts, offset)

    def between(self, start: int, end: int) -> tuple[Lexeme, ...]:
        """Lexemes that begin in [start, end)."""
        return self.all[self.index(start) : self.index(end)]

    def at(self, offset: int) -> str:
        """Text of the lexeme that begins at an offset; "" where none does."""
        index = self.index(offset)
        return self.all[index].text if index < len(self.all) and self.all[index].start == offset else ""

    def after(self, offset: int) -> Lexeme | None:
        """First lexeme at or behind an offset that is no comment."""
        return next((lexeme for lexeme in self.onward(offset) if lexeme.kind != "comment"), None)

    def onward(self, offset: int) -> Iterator[Lexeme]:
        """Lexemes that begin at or behind an offset, in order; nothing is copied."""
        return (self.all[index] for index in range(self.index(offset), len(self.all)))

    def backward(self, offset: int) -> Iterator[Lexeme]:
        """Lexemes that begin before an offset, the last first."""
        return (self.all[index] for index in range(self.index(offset) - 1, -1, -1))

    def closing(self, offset: int) -> int:
        """Offset behind the bracket that closes the one that opens at or behind `offset`; -1 where none does."""
        waiting: list[str] = []
        for lexeme in self.onward(offset):
            if lexeme.text == "<" and waiting and waiting[-1] != ">":
                continue  # less-than, inside other brackets
            if lexeme.text in _CLOSING:
                waiting.append(_CLOSING[lexeme.text])
            elif waiting and lexeme.text == waiting[-1]:
                waiting.pop()
                if not waiting:
                    return lexeme.end
        return -1
