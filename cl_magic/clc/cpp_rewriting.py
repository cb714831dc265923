"""What C++ spells otherwise than OpenCL C, function by function: calls of templates and overloads, casts, ``auto``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from cl_magic.clc.cpp_definitions import spelled_type
from cl_magic.clc.cpp_parse import offset_of
from cl_magic.clc.lexemes import Lexeme, Words
from cl_magic.clc.libclang import Libclang
from cl_magic.clc.syntax import Node
from cl_magic.clc.type_names import pointee_of

_ENUMERATED = frozenset({"INT", "SHORT", "SCHAR", "CHAR_S", "BOOL"})
_CASTS = frozenset({"CXX_STATIC_CAST_EXPR", "CXX_CONST_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR"})
_WORDS = {
    "and": "&&", "or": "||", "not": "!", "xor": "^", "bitand": "&", "bitor": "|", "compl": "~", "and_eq": "&=",
    "or_eq": "|=", "xor_eq": "^=", "not_eq": "!=", "nullptr": "0", "typename": "", "static_assert": "_Static_assert",
}  # fmt: skip
"""Alternative tokens of C++ (C++17, 5.5) and words that OpenCL C has not."""


class Rewriting:
    """Collects edits of one text.

    Parameters
    ----------
    clang : Libclang
    words : Words
        The text that was parsed.
    name_of : callable
        Plain name of a function's cursor, "" to leave a call as it is.
    calls_only : bool
        Whether the device takes C++, so that nothing but names need change.
    """

    def __init__(
        self, clang: Libclang, words: Words, name_of: Callable[[Any], str], *, calls_only: bool = False
    ) -> None:
        self._clang = clang
        self._calls_only = calls_only
        self._words = words
        self._name_of = name_of
        self.edits: dict[tuple[int, int], str] = {}
        self.in_macros: dict[int, str] = {}
        """Offset, and function, of calls inside a macro's body: these cannot be rewritten."""

    def visit(self, cursor: Any) -> None:  # noqa: ANN401
        """Collect the edits of a declaration."""
        waiting = [Node(self._clang, cursor)]
        while waiting:
            node = waiting.pop()
            waiting.extend(reversed(list(self._children(node))))

    def _children(self, node: Node) -> Iterator[Node]:
        """Note a node's own edits; its children that count: not the branch that ``if constexpr`` leaves out."""
        if node.kind == "IF_STMT" and not self._calls_only:
            yield from self._if(node)
            return
        if node.kind == "DECL_REF_EXPR":
            self._call(node)
        elif not self._calls_only:
            self._other(node)
        yield from node.children

    def _other(self, node: Node) -> None:
        if node.kind in _CASTS:
            self._named_cast(node)
        elif node.kind == "CXX_FUNCTIONAL_CAST_EXPR":
            self._functional_cast(node)
        elif node.kind == "VAR_DECL":
            self._variable(node)
        elif node.kind == "TYPE_ALIAS_DECL":
            self._alias(node)

    def _call(self, node: Node) -> None:
        called = node.cursor.referenced
        if called is None or self._clang.kind_name(called) != "FUNCTION_DECL":
            return
        name = self._name_of(called)
        if not name:
            return
        start = offset_of(self._clang, node.cursor)
        if self._words.at(start) != called.spelling:
            if name != called.spelling:
                self.in_macros[start] = str(called.spelling)
            return
        end = start + len(called.spelling)
        following = self._words.after(end)
        if following and following.text == "<" and self._clang.specialized_template(called) is not None:
            end = max(self._words.closing(following.start), end)
        if name != self._words.text[start:end]:
            self.edits[start, end] = name

    def _named_cast(self, node: Node) -> None:
        start, end = _extent(node)
        closing = self._words.closing(start)
        inner = self._words.after(start + len(self._words.at(start)))
        if inner is None or inner.text != "<" or closing < 0:
            return
        wanted = self._words.text[inner.end : closing - 1].strip()
        # Between vectors reinterpret_cast keeps the bits; a cast of OpenCL C would convert (OpenCL C 3.0, 6.4.4).
        if node.kind == "CXX_REINTERPRET_CAST_EXPR" and pointee_of(node.cursor.type.get_canonical()) is None:
            opening = self._words.after(closing)
            if opening is not None:
                self.edits[start, opening.end] = "__builtin_astype("
                self.edits[end - 1, end] = f", {wanted})"
            return
        self.edits[start, closing] = f"(({wanted})"
        self.edits[end, end] = ")"

    def _functional_cast(self, node: Node) -> None:
        start, end = _extent(node)
        opening = next((w for w in self._words.between(start, end) if w.text in {"(", "{"}), None)
        if opening is None:  # inside a macro
            return
        self.edits[start, opening.end] = f"(({self._words.text[start : opening.start].strip()})("
        self.edits[end - 1, end] = "))"

    def _variable(self, node: Node) -> None:
        start, end = _extent(node)
        before = self._words.between(start, offset_of(self._clang, node.cursor))
        first = next((w for w in before if w.text == "constexpr"), None)
        following = self._words.after(end)
        is_alone = following is not None and following.text == ";"
        if first is not None and is_alone and node.type_kind in _ENUMERATED:
            # An array's size may be an enumeration's constant but no variable (C99, 6.6).
            self.edits[first.start, offset_of(self._clang, node.cursor)] = "enum { "
            self.edits[end, end] = " }"
        else:
            self._auto(node, before)

    def _auto(self, node: Node, before: tuple[Lexeme, ...]) -> None:
        word = next((w for w in before if w.text == "auto"), None)
        if word is None:
            return
        found = node.cursor.type.get_canonical()
        for _ in range(sum(w.text == "*" for w in before)):
            found = pointee_of(found) or found
        try:
            spelled = spelled_type(found)
        except ValueError:  # an expression with an error: the device says which
            spelled = "__auto_type"
        const = any(w.text == "const" for w in before)
        self.edits[word.start, word.end] = spelled.replace("const ", "", 1) if const else spelled

    def _alias(self, node: Node) -> None:
        start, end = _extent(node)
        equals = next((w for w in self._words.between(start, end) if w.text == "="), None)
        if equals is not None:
            self.edits[start, equals.end] = "typedef"
            self.edits[end, end] = f" {node.spelling}"

    def _if(self, node: Node) -> Iterator[Node]:
        start = _extent(node)[0]
        word = self._words.after(start + len("if"))
        if word is None or word.text != "constexpr" or not node.children:
            yield from node.children
            return
        condition, *branches = node.children
        value = condition.integer_value
        if value is None:
            self.edits[word.start, word.end] = ""
            yield from node.children
            return
        end = self._statement_end(branches[-1])
        taken = branches[0] if value else (branches[1] if len(branches) > 1 else None)
        if taken is None:
            self.edits[start, end] = ";"
            return
        first, last = _extent(taken)[0], self._statement_end(taken)
        self.edits[start, first] = ""
        if last < end:
            self.edits[last, end] = ""
        yield taken

    def _statement_end(self, node: Node) -> int:
        end = _extent(node)[1]
        following = self._words.after(end)
        is_open = node.kind != "COMPOUND_STMT" and following is not None and following.text == ";"
        return following.end if is_open and following is not None else end


def word_edits(words: Words, namespaces: set[str], bodies: list[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """Edits that need no syntax tree: C++'s own words, namespaces, ``constexpr``.

    Parameters
    ----------
    words : Words
    namespaces : set of str
        Their names.
    bodies : list of (int, int)
        Offsets [start, end) of the functions' bodies.

    Examples
    --------
    >>> word_edits(Words("a and my::b"), {"my"}, [])
    {(2, 5): '&&', (6, 10): ''}
    """
    edits: dict[tuple[int, int], str] = {}
    for index, word in enumerate(words.all):
        if word.text in _WORDS and word.kind == "word":
            edits[word.start, word.end] = _WORDS[word.text]
        elif word.text == "constexpr":
            edits[word.start, word.end] = _without_constexpr(words, index, bodies)
        elif word.text == ":" and words.at(word.end) == ":":
            qualifier = words.all[index - 1] if index else word
            start = qualifier.start if qualifier.text in namespaces else word.start
            edits[start, word.end + 1] = ""
    edits.update(_namespace_edits(words))
    edits.update(_linkage_edits(words))
    return edits


def _without_constexpr(words: Words, index: int, bodies: list[tuple[int, int]]) -> str:
    """What stands for ``constexpr``: in front of a variable or of a function."""
    if any(start <= words.all[index].start < end for start, end in bodies):
        return "const"
    rest = itertools.takewhile(lambda w: w.text not in {"=", ";", "{", "("}, words.onward(words.all[index].start))
    before = [word.text for word in rest]
    behind = words.all[min(index + len(before), len(words.all) - 1)].text
    return "" if behind == "(" or {"constant", "__constant"} & set(before) else "__constant"


def _namespace_edits(words: Words) -> Iterator[tuple[tuple[int, int], str]]:
    """The braces of namespaces and the words in front of them; ``using namespace …;``."""
    for index, word in enumerate(words.all):
        if word.text != "namespace":
            continue
        before = words.all[index - 1] if index else None
        start = before.start if before and before.text in {"inline", "using"} else word.start
        stop = next((w for w in words.onward(word.start) if w.text in {"{", ";"}), None)
        if stop is None:
            continue
        yield (start, stop.end), ""
        closing = words.closing(stop.start) if stop.text == "{" else -1
        if closing > 0:
            yield (closing - 1, closing), ""


def _linkage_edits(words: Words) -> Iterator[tuple[tuple[int, int], str]]:
    """``extern "C"`` and its braces: in C it is the only linkage there is."""
    for first, second in itertools.pairwise(words.all):
        if first.text == "extern" and second.text == '"C"':
            opening = words.after(second.end)
            closing = words.closing(opening.start) if opening is not None and opening.text == "{" else -1
            yield (first.start, opening.end if opening is not None and closing > 0 else second.end), ""
            if closing > 0:
                yield (closing - 1, closing), ""


def _extent(node: Node) -> tuple[int, int]:
    extent = node.cursor.extent
    return int(extent.start.offset), int(extent.end.offset)
