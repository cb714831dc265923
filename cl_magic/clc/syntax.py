"""The syntax tree of one text: thin nodes over libclang's cursors, each fact asked for once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cl_magic.clc.libclang import BASE_HEADER_PATH, Libclang

_PASS_THROUGH = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR"})
_ARRAYS = frozenset({"CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY"})
_WRAPPERS = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR"})
_VALUES = frozenset({"BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR", "CONDITIONAL_OPERATOR"})

Key = tuple[int, str]
"""Identity of a declaration: libclang's hash and its name, for look-ups in dictionaries."""


class Node:
    """One cursor with its children.

    Parameters
    ----------
    clang : Libclang
    cursor : clang.cindex.Cursor
    """

    def __init__(self, clang: Libclang, cursor: Any) -> None:  # noqa: ANN401 - an untyped module
        self.clang = clang
        self.cursor = cursor
        self.kind = clang.kind_name(cursor)

    @cached_property
    def children(self) -> tuple[Node, ...]:
        """Children in source order."""
        return tuple(Node(self.clang, cursor) for cursor in self.cursor.get_children())

    @cached_property
    def spelling(self) -> str:
        """Name, or "" for what has none."""
        return str(self.cursor.spelling)

    @cached_property
    def line(self) -> int:
        """Line where a macro was expanded, if in one."""
        return int(self.cursor.location.line)

    @cached_property
    def operator(self) -> str:
        """Operator of a UNARY_OPERATOR."""
        return self.clang.unary_operator(self.cursor) if self.kind == "UNARY_OPERATOR" else ""

    @cached_property
    def binary_operator(self) -> int:
        """CXBinaryOperatorKind of a BINARY_OPERATOR, else 0."""
        is_binary = self.kind in {"BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"}
        return self.clang.binary_operator(self.cursor) if is_binary else 0

    @cached_property
    def type_kind(self) -> str:
        """Kind of the canonical type; INVALID where the node has none; POINTER for a parameter written as an array."""
        try:
            kind = str(self.cursor.type.get_canonical().kind.name)
        except ValueError:  # a kind that cindex does not know
            return "INVALID"
        return "POINTER" if kind in _ARRAYS and self._is_adjusted else kind

    @property
    def _is_adjusted(self) -> bool:
        """Whether an array type, as libclang shows it, is a parameter's: that is a pointer (C99, 6.7.5.3)."""
        if self.kind in {"DECL_REF_EXPR", "PARM_DECL"}:
            declared = self.cursor.referenced if self.kind == "DECL_REF_EXPR" else self.cursor
            return declared is not None and self.clang.kind_name(declared) == "PARM_DECL"
        if self.kind in _WRAPPERS:
            return bool(self.children) and self.children[-1].type_kind == "POINTER"
        return self.kind in _VALUES or "x" in self.operator  # of the operators only * gives an array

    @cached_property
    def key(self) -> Key:
        """Key of a declaration, or of the declaration that a DECL_REF_EXPR names."""
        referenced = self.cursor.referenced if self.kind == "DECL_REF_EXPR" else self.cursor
        return (0, self.spelling) if referenced is None else identity(referenced)

    def walk(self) -> Iterator[Node]:
        """The node and all below it, in source order; no recursion, so that depth costs no stack."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    @cached_property
    def integer_value(self) -> int | None:
        """Value of a constant integer expression, None for others."""
        return self.clang.integer_value(self.cursor)

    @cached_property
    def declaration_text(self) -> str:
        """A function's declaration, attributes computed, without its body."""
        return self.clang.declaration_text(self.cursor)

    def bare(self) -> Node:
        """The expression without parentheses, casts and implicit conversions around it."""
        node = self
        while node.kind in _PASS_THROUGH and node.children:
            node = node.children[-1]
        return node

    @cached_property
    def callee(self) -> str:
        """Name of the called function of a CALL_EXPR."""
        return self.spelling or (self.children[0].bare().spelling if self.children else "")

    @property
    def parameters(self) -> tuple[Node, ...]:
        """Parameters of a FUNCTION_DECL."""
        return tuple(child for child in self.children if child.kind == "PARM_DECL")

    @cached_property
    def arguments(self) -> tuple[Node, ...]:
        """Arguments of a CALL_EXPR."""
        return self.children[1:]


def identity(cursor: Any) -> Key:  # noqa: ANN401
    """Key of a declaration."""
    return int(cursor.hash), str(cursor.spelling)


@dataclass(frozen=True)
class SyntaxTree:
    """Declarations of one text, without those of our base header.

    Attributes
    ----------
    declarations : tuple of Node
        At program scope, in source order, those of included headers among them.
    source : bytes
        The text that libclang got, UTF-8.
    """

    clang: Libclang
    unit: Any
    declarations: tuple[Node, ...]
    source: bytes

    @cached_property
    def functions(self) -> dict[str, Node]:
        """Functions with a body, by name."""
        found = (node for node in self.declarations if node.kind == "FUNCTION_DECL" and node.cursor.is_definition())
        return {node.spelling: node for node in found}

    @cached_property
    def kernels(self) -> tuple[Node, ...]:
        """Kernels among the functions, in source order."""
        return tuple(node for node in self.functions.values() if is_kernel(node))


def is_kernel(function: Node) -> bool:
    """Whether a function carries ``kernel`` or ``__kernel``."""
    before_name = re.split(rf"\b{re.escape(function.spelling)}\(", function.declaration_text, maxsplit=1)[0]
    return re.search(r"\b(__)?kernel\b", before_name) is not None


def syntax_tree(clang: Libclang, unit: Any, source: bytes) -> SyntaxTree:  # noqa: ANN401
    """The tree of a parsed unit."""
    cursors = list(unit.cursor.get_children())
    first = _first_own(cursors)
    return SyntaxTree(clang, unit, tuple(Node(clang, cursor) for cursor in cursors[first:]), source)


def _first_own(cursors: list[Any]) -> int:
    """Index of the first declaration after our base header; it comes first, so that a binary search finds its end."""
    low, high = 0, len(cursors)
    while low < high:
        middle = (low + high) // 2
        file = cursors[middle].location.file
        if file is None or file.name == BASE_HEADER_PATH:
            low = middle + 1
        else:
            high = middle
    return low
