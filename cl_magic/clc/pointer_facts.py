"""What one function does with variables and pointers, collected in one walk.

The rules of the walk: an expression is visited with the use that its surroundings make of it. A location under an
assignment is written, under a conversion to a value it is read, under ``&`` or ``sizeof`` it is not touched.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cl_magic.clc.builtin_effects import BOTH, NOTHING, READ, WRITE, Effect
from cl_magic.clc.libclang import BINARY_ASSIGN
from cl_magic.clc.syntax import Key, Node

_INTEGERS = frozenset({"CHAR_S", "SCHAR", "UCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG", "ENUM"})
_ARRAYS = frozenset({"CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY"})


@dataclass
class PointerFacts:
    """Facts of one function, in source order.

    Attributes
    ----------
    assignments : list of (Node, Node)
        Left side (or the VAR_DECL itself) and what it gets, or, for ``+=`` and its kin, what is joined to it.
    accesses : list of (Node, Effect)
        Pointer expression, and what happens to the memory it leads to.
    calls : list of Node
        CALL_EXPRs.
    to_integer : list of Node
        Pointer expressions whose address becomes a number: from there on nothing is known of them.
    returned : list of Node
        Expressions of return statements.
    """

    assignments: list[tuple[Node, Node]] = field(default_factory=list)
    accesses: list[tuple[Node, Effect]] = field(default_factory=list)
    calls: list[Node] = field(default_factory=list)
    to_integer: list[Node] = field(default_factory=list)
    returned: list[Node] = field(default_factory=list)


def pointer_facts(function: Node) -> PointerFacts:
    """Facts of a FUNCTION_DECL's body."""
    walk = _Walk()
    for child in function.children:
        if child.kind == "COMPOUND_STMT":
            walk.visit(child, READ)
    return walk.facts


def is_array(node: Node) -> bool:
    """Whether a node's type is an array."""
    return node.type_kind in _ARRAYS


def base_key(location: Node) -> Key | None:
    """Declaration at the bottom of a location: ``s`` of ``s->items[3].x``; None where there is none."""
    node = location
    while node.kind not in {"DECL_REF_EXPR", "VAR_DECL"}:
        if not node.children:
            return None
        node = node.children[0]
    return node.key


class _Walk:
    def __init__(self) -> None:
        self.facts = PointerFacts()

    def visit(self, node: Node, use: Effect) -> None:
        handler = _HANDLERS.get(node.kind, _Walk._other)
        handler(self, node, use)

    def _other(self, node: Node, _use: Effect) -> None:
        for child in node.children:
            self.visit(child, READ)

    def _nothing(self, node: Node, use: Effect) -> None:
        """``sizeof`` does not evaluate its operand (OpenCL C 3.0, 6.4.10); a type has no effect."""

    def _same(self, node: Node, use: Effect) -> None:
        for child in node.children:
            self.visit(child, use)

    def _implicit(self, node: Node, use: Effect) -> None:
        """An implicit conversion, or components of a vector; an array that becomes a pointer is not touched."""
        for child in node.children:
            self.visit(child, NOTHING if is_array(child) else use)

    def _cast(self, node: Node, use: Effect) -> None:
        operand = node.children[-1] if node.children else node
        if node.type_kind in _INTEGERS and operand.type_kind == "POINTER":
            self.facts.to_integer.append(operand)
        self._implicit(node, use)

    def _subscript(self, node: Node, use: Effect) -> None:
        self.facts.accesses.append((node.children[0], use))
        for child in node.children:
            self.visit(child, READ)

    def _unary(self, node: Node, use: Effect) -> None:
        if not node.children:
            return
        operand = node.children[0]
        if node.operator == "*":
            self.facts.accesses.append((operand, use))
        inner = BOTH if "x" in node.operator else NOTHING if node.operator == "&" else READ
        self.visit(operand, inner)

    def _member(self, node: Node, use: Effect) -> None:
        for child in node.children:
            if child.type_kind == "POINTER":
                self.facts.accesses.append((child, use))
                self.visit(child, READ)
            else:
                self.visit(child, use)

    def _binary(self, node: Node, _use: Effect) -> None:
        if node.binary_operator != BINARY_ASSIGN or len(node.children) != 2:  # noqa: PLR2004 - two operands
            self._other(node, READ)
            return
        left, right = node.children
        self.facts.assignments.append((left, right))
        self.visit(left, WRITE)
        self.visit(right, READ)

    def _compound(self, node: Node, _use: Effect) -> None:
        if len(node.children) == 2:  # noqa: PLR2004 - two operands
            self.facts.assignments.append((node.children[0], node.children[1]))
        for child, use in zip(node.children, (BOTH, READ), strict=False):
            self.visit(child, use)

    def _variable(self, node: Node, _use: Effect) -> None:
        for child in node.children:
            if child.kind != "TYPE_REF":
                self.facts.assignments.append((node, child))
                self.visit(child, READ)

    def _call(self, node: Node, _use: Effect) -> None:
        self.facts.calls.append(node)
        for child in node.arguments:
            self.visit(child, READ)

    def _return(self, node: Node, _use: Effect) -> None:
        self.facts.returned.extend(node.children)
        self._other(node, READ)


_HANDLERS = {
    "TYPE_REF": _Walk._nothing,  # noqa: SLF001 - the table of the class above
    "CXX_UNARY_EXPR": _Walk._nothing,  # noqa: SLF001
    "PAREN_EXPR": _Walk._same,  # noqa: SLF001
    "UNEXPOSED_EXPR": _Walk._implicit,  # noqa: SLF001
    "CSTYLE_CAST_EXPR": _Walk._cast,  # noqa: SLF001
    "ARRAY_SUBSCRIPT_EXPR": _Walk._subscript,  # noqa: SLF001
    "UNARY_OPERATOR": _Walk._unary,  # noqa: SLF001
    "MEMBER_REF_EXPR": _Walk._member,  # noqa: SLF001
    "BINARY_OPERATOR": _Walk._binary,  # noqa: SLF001
    "COMPOUND_ASSIGNMENT_OPERATOR": _Walk._compound,  # noqa: SLF001
    "VAR_DECL": _Walk._variable,  # noqa: SLF001
    "CALL_EXPR": _Walk._call,  # noqa: SLF001
    "RETURN_STMT": _Walk._return,  # noqa: SLF001
}
