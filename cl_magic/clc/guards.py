"""Guards on ``get_global_id``: conditions that keep work-items with large ids out. A fact about the text, no proof."""

from __future__ import annotations

from collections.abc import Iterator

from cl_magic.clc.id_taint import IdTaints, Taint, global_dimensions
from cl_magic.clc.libclang import BINARY_AND, BINARY_GREATER, BINARY_LESS, BINARY_OR
from cl_magic.clc.libclang_arguments import SOURCE_PATH
from cl_magic.clc.signature import Guard
from cl_magic.clc.syntax import Node, SyntaxTree

_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT"})
_MOST_STEPS = 4
"""How many variables and helpers a condition is followed through."""

Bound = tuple[Taint, Taint]
"""Taints of two sides, the first not greater than the second."""


def kernel_guards(tree: SyntaxTree, taints: IdTaints, kernel: str) -> tuple[Guard, ...]:
    """Guards in a kernel's own body, in source order.

    Parameters
    ----------
    tree : SyntaxTree
    taints : IdTaints
    kernel : str

    Returns
    -------
    tuple of Guard
        One for each dimension that a condition bounds from above by something that is no id.
    """
    finder = _Finder(tree, taints)
    found: list[Guard] = []
    for node in tree.functions[kernel].walk():
        if node.kind == "IF_STMT" and len(node.children) > 1:
            found += finder.of_condition(node)
        elif node.kind in _LOOPS:
            found += finder.of_loop(node)
    return tuple(found)


def leaves(branch: Node) -> bool:
    """Whether a branch ends in a return."""
    last = branch
    while last.kind == "COMPOUND_STMT" and last.children:
        last = last.children[-1]
    return last.kind == "RETURN_STMT"


class _Finder:
    def __init__(self, tree: SyntaxTree, taints: IdTaints) -> None:
        self._tree = tree
        self._taints = taints

    def of_condition(self, node: Node) -> Iterator[Guard]:
        condition, then, *others = node.children
        early = leaves(then)
        bounds = list(self._bounds(condition, truth=not early, steps=_MOST_STEPS))
        if others and not early:
            bounds += self._bounds(condition, truth=False, steps=_MOST_STEPS)
        yield from self._guards(node, "if", condition, bounds, early_return=early)

    def of_loop(self, node: Node) -> Iterator[Guard]:
        word = "for" if node.kind == "FOR_STMT" else "while"
        for part in node.children[:-1]:
            bounds = list(self._bounds(part, truth=True, steps=_MOST_STEPS))
            yield from self._guards(node, word, part, bounds, early_return=False)

    def _guards(
        self, node: Node, word: str, condition: Node, bounds: list[Bound], *, early_return: bool
    ) -> Iterator[Guard]:
        dimensions: set[int] = set()
        for small, large in bounds:
            if not global_dimensions(large):
                dimensions |= global_dimensions(small)
        for dimension in sorted(dimensions):
            yield Guard(dimension, node.line, f"{word} ({self._text(condition)})", early_return)

    def _bounds(self, node: Node, *, truth: bool, steps: int) -> Iterator[Bound]:
        """Comparisons that hold when an expression is true (or false)."""
        bare = node.bare()
        operator = bare.binary_operator
        if operator in BINARY_LESS | BINARY_GREATER:
            left, right = map(self._taints.of, bare.children)
            yield (left, right) if (operator in BINARY_LESS) == truth else (right, left)
        elif operator in (BINARY_AND if truth else BINARY_OR):
            for child in bare.children:
                yield from self._bounds(child, truth=truth, steps=steps)
        elif bare.operator == "!":
            yield from self._bounds(bare.children[0], truth=not truth, steps=steps)
        elif steps and bare.kind == "DECL_REF_EXPR":
            yield from self._variable_bounds(bare, truth=truth, steps=steps - 1)
        elif steps and bare.kind == "CALL_EXPR":
            yield from self._call_bounds(bare, truth=truth, steps=steps - 1)

    def _variable_bounds(self, node: Node, *, truth: bool, steps: int) -> Iterator[Bound]:
        for facts in self._taints.facts.values():
            values = [right for left, right in facts.assignments if left.kind == "VAR_DECL" and left.key == node.key]
            if len(values) == 1:  # `bool inside = i < n;`
                yield from self._bounds(values[0], truth=truth, steps=steps)

    def _call_bounds(self, call: Node, *, truth: bool, steps: int) -> Iterator[Bound]:
        if call.callee == ("all" if truth else "any") and call.arguments:
            yield from self._bounds(call.arguments[0], truth=truth, steps=steps)
        facts = self._taints.facts.get(call.callee)
        if facts is not None and len(facts.returned) == 1:
            for small, large in self._bounds(facts.returned[0], truth=truth, steps=steps):
                yield self._taints.passed_to(call, small), self._taints.passed_to(call, large)

    def _text(self, node: Node) -> str:
        extent = node.cursor.extent
        file = extent.start.file
        if file is None or file.name != SOURCE_PATH:
            return "…"
        text = self._tree.source[extent.start.offset : extent.end.offset]
        return " ".join(text.decode("utf-8", "replace").split())
