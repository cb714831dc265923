"""A text to evaluate, cut into items: expressions, declarations, statements, functions and preprocessor lines.

A line is an item, as in a Python prompt; brackets, operators at its end and ``;`` make longer and shorter ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cl_magic.clc.lexemes import Lexeme, lexemes

_CONTROL = frozenset({"if", "for", "while", "do", "switch", "else", "{"})
_TYPES = frozenset({"struct", "union", "enum", "typedef"})
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_CONTINUES = frozenset("/%|^<>=?:.,)]")
"""Marks that begin no expression: a line that begins with one goes on with the line above."""
_WAITS = frozenset("+-*/%&|^<>=?:.,~!([")
"""Marks after which an expression is not over."""


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of the text.

    Attributes
    ----------
    text : str
        As written, without a semicolon at its end.
    start : int
        Offset in the text, from 0.
    line, column : int
        Of its first character, from 1.
    outside : bool
        Whether it belongs to program scope: functions, type definitions, preprocessor lines.
    """

    text: str
    start: int
    line: int
    column: int
    outside: bool = False


def items_of(text: str) -> tuple[Item, ...]:
    r"""Cut a text into items.

    Examples
    --------
    >>> [item.text for item in items_of("int a = 1; a + 2\na +\n  3 // sum\nfor (int i = 0; i < 2; ++i)\n  a++;")]
    ['int a = 1', 'a + 2', 'a +\n  3', 'for (int i = 0; i < 2; ++i)\n  a++;']
    >>> [item.outside for item in items_of("#define N 4\nint f(int n) { return n; }\nf(N)")]
    [True, True, False]
    """
    cutter = _Cutter(text)
    for lexeme in lexemes(text):
        cutter.take(lexeme)
    cutter.finish()
    return tuple(cutter.items)


def closes_too_much(text: str) -> bool:
    """Whether a text closes a bracket that it did not open.

    Examples
    --------
    >>> closes_too_much("} void g() {"), closes_too_much("f((int2)(1, 2))")
    (True, False)
    """
    depth = 0
    for lexeme in lexemes(text):
        if lexeme.kind == "mark":
            depth += (lexeme.text in _OPEN) - (lexeme.text in _CLOSE)
            if depth < 0:
                return True
    return False


@dataclass(slots=True)
class _Cutter:
    text: str
    items: list[Item] = field(default_factory=list)
    open: list[Lexeme] = field(default_factory=list)
    depth: int = 0

    def take(self, lexeme: Lexeme) -> None:
        if lexeme.kind == "comment":
            return
        if self.depth == 0:
            if lexeme.kind == "directive":
                self.finish()
                self._add([lexeme])
                return
            if self._is_over(lexeme):
                self.finish()
            if lexeme.text == ";" and not self._is_control():
                self.finish()
                return
        self.open.append(lexeme)
        if lexeme.kind == "mark":
            self.depth = max(0, self.depth + (lexeme.text in _OPEN) - (lexeme.text in _CLOSE))

    def _is_over(self, following: Lexeme) -> bool:
        """Whether what is open ends before a lexeme."""
        if not self.open or following.text == "else":
            return False
        last, first = self.open[-1], self.open[0].text
        if last.text == "}" and (self._is_function() or (self._is_control() and first != "do")):
            return True
        if self._is_control():
            return last.text == ";"
        if "\n" not in self.text[last.end : following.start]:
            return False
        return not (_waits(self.open) or (following.kind == "mark" and following.text in _CONTINUES))

    def _is_control(self) -> bool:
        return bool(self.open) and self.open[0].text in _CONTROL

    def _is_function(self) -> bool:
        """Whether what is open is a function's definition: two words or more, a list in parentheses, a body."""
        head = self.open[: next((i for i, lexeme in enumerate(self.open) if lexeme.text == "{"), 0)]
        if not head or head[-1].text != ")" or any(lexeme.text == "=" for lexeme in head):
            return False
        words = [lexeme.kind == "word" for lexeme in head[: [lexeme.text for lexeme in head].index("(")]]
        return bool(words) and words[0] and sum(words) > 1

    def finish(self) -> None:
        if self.open:
            self._add(self.open)
        self.open, self.depth = [], 0

    def _add(self, taken: list[Lexeme]) -> None:
        start, end = taken[0].start, taken[-1].end
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        kind = taken[0].kind == "directive" or (taken is self.open and self._is_outside())
        self.items.append(Item(self.text[start:end], start, line, column, kind))

    def _is_outside(self) -> bool:
        first, last = self.open[0].text, self.open[-1].text
        if last != "}" or any(lexeme.text == "=" for lexeme in self.open):
            return first == "typedef" or (last == "}" and self._is_function())
        return first in _TYPES or self._is_function()


def _waits(taken: list[Lexeme]) -> bool:
    """Whether an expression cannot end here; ``a++`` and ``a--`` can."""
    last = taken[-1]
    if last.kind != "mark" or last.text not in _WAITS:
        return False
    before = taken[-2].text if len(taken) > 1 else ""
    return not (last.text in "+-" and before == last.text)
