"""Which pointer parameters a kernel reads and writes: aliases and helpers followed, the order of statements not.

The answer errs on the side of "read" and "written"; where an address becomes a number it is "not known".
"Written" never means "written completely".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cl_magic.clc.builtin_effects import Effect, builtin_effect, image_family
from cl_magic.clc.pointer_facts import PointerFacts, base_key, is_array
from cl_magic.clc.syntax import Key, Node, SyntaxTree
from cl_magic.clc.type_names import carries_pointers

Roots = frozenset[int]
"""Parameters, by index, that an expression may lead to."""

_NONE: Roots = frozenset()


@dataclass(frozen=True)
class Summary:
    """What a function does with its parameters, by index.

    Attributes
    ----------
    reads, writes, unknown : frozenset of int
    returns : frozenset of int
        Parameters that the result may lead to.
    images : frozenset of (int, str)
        Image parameters, each with a family of functions that touch it.
    """

    reads: Roots = _NONE
    writes: Roots = _NONE
    unknown: Roots = _NONE
    returns: Roots = _NONE
    images: frozenset[tuple[int, str]] = frozenset()

    def reads_and_writes(self, index: int) -> tuple[bool | None, bool | None]:
        """Facts for :class:`~cl_magic.clc.signature.Parameter`.

        Examples
        --------
        >>> Summary(reads=frozenset({0})).reads_and_writes(0)
        (True, False)
        """
        return (None, None) if index in self.unknown else (index in self.reads, index in self.writes)


def pointer_effects(tree: SyntaxTree, facts: Mapping[str, PointerFacts]) -> Mapping[str, Summary]:
    """Summary of each function that has facts, to a fixpoint over calls.

    Parameters
    ----------
    tree : SyntaxTree
    facts : mapping of str to PointerFacts
        By function.

    Returns
    -------
    mapping of str to Summary
    """
    solvers = {name: _Solver(tree.functions[name], found) for name, found in facts.items()}
    summaries = dict.fromkeys(solvers, Summary())
    # Each round but the last adds at least one fact; the sets are finite.
    changed = True
    while changed:
        changed = False
        for name, solver in solvers.items():
            new = solver.summary(summaries)
            changed |= new != summaries[name]
            summaries[name] = new
    return summaries


class _Solver:
    """One function: the roots of its variables, then the effects on them."""

    def __init__(self, function: Node, facts: PointerFacts) -> None:
        self._facts = facts
        self._parameters: dict[Key, Roots] = {node.key: frozenset({i}) for i, node in enumerate(function.parameters)}
        self._variables: dict[Key, Roots] = dict(self._parameters)
        self._summaries: Mapping[str, Summary] = {}

    def summary(self, summaries: Mapping[str, Summary]) -> Summary:
        self._summaries = summaries
        self._settle_variables()
        effects = list(self._effects())
        unknown = [roots for node in self._facts.to_integer if (roots := self.roots(node))]
        unknown += [*self._stored_away(), *self._lost_in_calls()]
        return Summary(
            frozenset(root for roots, effect in effects if effect.reads for root in roots),
            frozenset(root for roots, effect in effects if effect.writes for root in roots),
            frozenset().union(*unknown),
            frozenset().union(*(self.roots(node) for node in self._facts.returned)),
            frozenset(self._touched_images()),
        )

    def _settle_variables(self) -> None:
        changed = True
        while changed:
            changed = False
            for left, right in self._facts.assignments:
                key, roots = base_key(left), self.roots(right)
                if key is None or roots <= self._variables.get(key, _NONE):
                    continue
                self._variables[key] = self._variables.get(key, _NONE) | roots
                changed = True

    def _effects(self) -> Iterator[tuple[Roots, Effect]]:
        for pointer, effect in self._facts.accesses:
            yield self._target(pointer), effect
        for call in self._facts.calls:
            for position, argument in enumerate(call.arguments):
                if roots := self.roots(argument):
                    yield roots, self._call_effect(call.callee, position, argument)

    def _call_effect(self, callee: str, position: int, argument: Node) -> Effect:
        summary = self._summaries.get(callee)
        if summary is not None:
            return Effect(position in summary.reads, position in summary.writes)
        pointee = argument.cursor.type.get_pointee()
        return builtin_effect(callee, position, const_pointee=bool(pointee.is_const_qualified()))

    def _stored_away(self) -> Iterator[Roots]:
        """Pointers put where they cannot be followed: into memory behind another pointer, or into a union."""
        for left, right in self._facts.assignments:
            roots = self.roots(right)
            if roots and left.kind != "VAR_DECL" and (self._location(left) or _in_union(left)):
                yield roots

    def _lost_in_calls(self) -> Iterator[Roots]:
        for call in self._facts.calls:
            summary = self._summaries.get(call.callee)
            if summary is not None:
                yield from (self.roots(node) for i, node in enumerate(call.arguments) if i in summary.unknown)

    def _touched_images(self) -> Iterator[tuple[int, str]]:
        for call in self._facts.calls:
            summary, family = self._summaries.get(call.callee), image_family(call.callee)
            for position, argument in enumerate(call.arguments):
                known = {name for place, name in summary.images if place == position} if summary else {family} - {""}
                if known:
                    yield from ((root, name) for root in self.roots(argument) for name in known)

    def roots(self, node: Node) -> Roots:
        """Parameters that the value of an expression may lead to."""
        if node.type_kind != "POINTER" and not carries_pointers(node.cursor.type):
            return _NONE
        if node.kind == "DECL_REF_EXPR":
            return self._variables.get(node.key, _NONE)
        if node.kind == "CALL_EXPR":
            return self._call_roots(node)
        if node.kind in {"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"}:
            return self._decayed(node.children[0]) if node.children else _NONE
        if node.operator == "&":
            return self._location(node.children[0]) | self.roots(node.children[0])
        return frozenset().union(*(self._decayed(child) for child in node.children))

    def _decayed(self, node: Node) -> Roots:
        """Roots of a child; an array becomes a pointer to its own place, and holds what was put into it."""
        return self._location(node) | self.roots(node) if is_array(node) else self.roots(node)

    def _target(self, pointer: Node) -> Roots:
        """Parameters whose memory an access through a pointer touches; an array of pointers is not their target."""
        if pointer.kind == "UNEXPOSED_EXPR" and pointer.children and is_array(pointer.children[0]):
            return self._location(pointer.children[0])
        return self.roots(pointer)

    def _location(self, node: Node) -> Roots:
        """Parameters behind which a location lies; none for the function's own variables."""
        if not node.children or node.kind in {"DECL_REF_EXPR", "VAR_DECL"}:
            return _NONE
        first = node.children[0]
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" or node.operator == "*" or first.type_kind == "POINTER":
            return self._target(first)
        return self._location(first)

    def _call_roots(self, call: Node) -> Roots:
        summary = self._summaries.get(call.callee)
        passed = [self.roots(node) for i, node in enumerate(call.arguments) if summary is None or i in summary.returns]
        return frozenset().union(*passed)


def _in_union(location: Node) -> bool:
    kinds = (
        child.cursor.type.get_canonical().get_declaration().kind.name
        for node in location.walk()
        if node.kind == "MEMBER_REF_EXPR"
        for child in node.children
    )
    return "UNION_DECL" in kinds
