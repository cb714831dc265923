r"""A magic line cut into words, by the quoting rules of a shell, with ``$name`` and ``${expression}`` put in.

Not :func:`shlex.split`, whose words it gives on every line without ``$``: that one knows no positions, and a value put
in before the split would be split again (a path with a blank). Not IPython's expansion either: it turns
``-DT={1,2}`` into ``-DT=(1, 2)`` and leaves an unknown name as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from cl_magic.errors import MagicLineError
from cl_magic.magics.insertion import inserted_text
from cl_magic.magics.line_error import Place, line_error

_NAME = re.compile(r"[^\W\d]\w*")
_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the line, quotes taken off and values put in; characters [start, end) of the line as typed."""

    text: str
    start: int
    end: int


def split_words(
    line: str, names: Mapping[str, Any] | None = None, insert: Callable[[str], str] | None = None
) -> list[Word]:
    r"""Cut a magic line into words.

    Parameters
    ----------
    line : str
        Without ``%%opencl``.
    names : mapping of str to object, optional
        Where ``$name`` and ``${expression}`` are looked up: the notebook's variables.
    insert : callable, optional
        Gives the text of an expression instead; nothing is looked up then.

    Raises
    ------
    MagicLineError
        For a quote or brace that is not closed, an unknown name, a failing expression, and a value that has no text
        form in C. ``position`` and ``token`` say where.

    Examples
    --------
    >>> [word.text for word in split_words("-DT={1,2} --global=$w,${2*w} '--run=f(x, y)' $$", {"w": 64})]
    ['-DT={1,2}', '--global=64,128', '--run=f(x, y)', '$']
    """
    return list(_Scanner(line, insert or (lambda expression: inserted_text(expression, names or {}))).words())


class _Scanner:
    def __init__(self, line: str, insert: Callable[[str], str]) -> None:
        self.line = line
        self.insert = insert
        self.at = 0
        self.text: list[str] = []

    def words(self) -> Iterator[Word]:
        while True:
            while self.at < len(self.line) and self.line[self.at] in _BLANKS:
                self.at += 1
            if self.at == len(self.line):
                return
            start, self.text = self.at, []
            while self.at < len(self.line) and self.line[self.at] not in _BLANKS:
                self._step()
            yield Word("".join(self.text), start, self.at)

    def _step(self) -> None:
        char = self.line[self.at]
        if char in "'\"":
            self._quoted(char)
        elif char == "\\":
            self._escape()
        elif char == "$":
            self._dollar()
        else:
            self._take(char)

    def _take(self, text: str) -> None:
        self.text.append(text)
        self.at += 1

    def _quoted(self, quote: str) -> None:
        start = self.at
        self.at += 1
        while self.at < len(self.line) and self.line[self.at] != quote:
            char = self.line[self.at]
            if char == "$":
                self._dollar()
            elif char == "\\" and quote == '"' and self.line[self.at + 1 : self.at + 2] in ('"', "\\", "$"):
                self._escape()
            else:
                self._take(char)
        if self.at == len(self.line):
            message = f"the quote {quote} at column {start + 1} of the line is not closed"
            self._refuse(message, start, f"add {quote} where the value ends")
        self.at += 1

    def _escape(self) -> None:
        self.at += 1
        if self.at == len(self.line):
            self._refuse("the line ends with a backslash", self.at - 1, "write \\\\ for a backslash")
        self._take(self.line[self.at])

    def _dollar(self) -> None:
        start, rest = self.at, self.line[self.at + 1 :]
        name = _NAME.match(rest)
        if rest.startswith("$"):
            self.text.append("$")
            self.at += 2
        elif rest.startswith("{"):
            self.at = self._brace_end(start + 2) + 1
            self._insert(self.line[start + 2 : self.at - 1], start)
        elif name:
            self.at += 1 + name.end()
            self._insert(name[0], start)
        else:
            self._take("$")

    def _brace_end(self, begin: int) -> int:
        """Index of the ``}`` that ends the expression at `begin`: the first one that makes it Python."""
        ends = [i for i in range(begin, len(self.line)) if self.line[i] == "}"]
        if not ends:
            self.at = len(self.line)
            self._refuse("${ is not closed", begin - 2, "add } after the expression")
        return next((end for end in ends if _is_expression(self.line[begin:end])), ends[0])

    def _insert(self, expression: str, start: int) -> None:
        try:
            self.text.append(self.insert(expression))
        except MagicLineError as error:
            self._refuse(error.message, start, error.remedy)

    def _refuse(self, message: str, start: int, remedy: str) -> NoReturn:
        raise line_error(message, Place(self.line, start, max(self.at, start + 1)), remedy)


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True
