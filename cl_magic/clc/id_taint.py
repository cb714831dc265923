"""Which expressions depend on which ids of a work-item, through variables and helpers; statement order is not followed.

A taint is a set of words: ``global0`` (get_global_id(0)), ``group1``, ``local2``, ``data`` (read from memory at a place
that depends on an id, or the result of an atomic) and, inside helpers, ``param0``: what the caller passes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cl_magic.clc.pointer_facts import PointerFacts, base_key, is_array
from cl_magic.clc.syntax import Key, Node, SyntaxTree
from cl_magic.clc.vector_parts import literal_parts, taken_component

Taint = frozenset[str]

CLEAN: Taint = frozenset()
_DATA: Taint = frozenset({"data"})
_DIMENSIONS = (0, 1, 2)
_WHOLE = -1
_ID_FUNCTIONS = {"get_global_id": "global", "get_group_id": "group", "get_local_id": "local"}
_LINEAR_ID_FUNCTIONS = {
    "get_global_linear_id": "global",
    "get_local_linear_id": "local",
    "get_sub_group_local_id": "local",
    "get_sub_group_id": "local",
}
_LOADS = re.compile(r"vloada?\w*|read_image\w*|read_pipe|atomic_load\w*")
_ATOMICS = re.compile(r"atom(ic)?_\w+")


def is_divergent(taint: Taint) -> bool:
    """Whether work-items of one group may see different values.

    Examples
    --------
    >>> is_divergent(frozenset({"group0"})), is_divergent(frozenset({"global0"}))
    (False, True)
    """
    return any(not word.startswith(("group", "param")) for word in taint)


def global_dimensions(taint: Taint) -> frozenset[int]:
    """Dimensions of the global id: named as such, or put together from group and local id.

    Examples
    --------
    >>> sorted(global_dimensions(frozenset({"global0", "group1", "local1", "local2"})))
    [0, 1]
    """
    return frozenset(d for d in _DIMENSIONS if f"global{d}" in taint or {f"group{d}", f"local{d}"} <= taint)


class IdTaints:
    """Taints of the variables and results of functions.

    Parameters
    ----------
    tree : SyntaxTree
    facts : mapping of str to PointerFacts
        By function.
    """

    def __init__(self, tree: SyntaxTree, facts: Mapping[str, PointerFacts]) -> None:
        self._tree = tree
        self.facts = facts
        self._variables: dict[Key, Taint] = {}
        # Of vectors, by component; under _WHOLE what all components got at once.
        self._components: dict[tuple[Key, int], Taint] = {}
        self._results: dict[str, Taint] = dict.fromkeys(facts, CLEAN)
        for name in facts:
            for index, node in enumerate(tree.functions[name].parameters):
                self._variables[node.key] = frozenset({f"param{index}"})
        self._settle()
        self._passed: dict[tuple[str, str], Taint] = {}
        self._settle_passed()

    def of(self, node: Node) -> Taint:
        """Taint of an expression, in the words of the function that it stands in."""
        if node.kind == "DECL_REF_EXPR":
            return self._variables.get(node.key, CLEAN)
        if node.kind == "CALL_EXPR":
            return self._call(node)
        component = taken_component(node, self._tree.source)
        if component is not None:
            return self._component(node.children[0].key, component)
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:  # noqa: PLR2004 - array and index
            base, index = node.children
            if base.children and is_array(base.children[0]):
                return self.of(base) | _loaded(self.of(index))
            return _loaded(self.of(base) | self.of(index))
        inner = frozenset[str]().union(*map(self.of, node.children))
        return _loaded(inner) if node.operator == "*" else inner

    def called(self, function: str, taint: Taint) -> Taint:
        """A helper's taint with what its callers pass in place of its parameters."""
        own = frozenset(word for word in taint if not word.startswith("param"))
        return own.union(*(self._passed.get((function, word), CLEAN) for word in taint - own))

    def passed_to(self, call: Node, taint: Taint) -> Taint:
        """Taint of a helper's expression as one call of it makes it."""
        arguments = call.arguments
        result = frozenset(word for word in taint if not word.startswith("param"))
        indices = (int(word.removeprefix("param")) for word in taint - result)
        return result.union(*(self.of(arguments[index]) for index in indices if index < len(arguments)))

    def _call(self, call: Node) -> Taint:
        name = call.callee
        if name in _ID_FUNCTIONS and call.arguments:
            dimension = call.arguments[0].integer_value
            dimensions = _DIMENSIONS if dimension is None else (dimension,)
            return frozenset(f"{_ID_FUNCTIONS[name]}{d}" for d in dimensions)
        if name in _LINEAR_ID_FUNCTIONS:
            return frozenset(f"{_LINEAR_ID_FUNCTIONS[name]}{d}" for d in _DIMENSIONS)
        if name in self._results:
            return self.passed_to(call, self._results[name])
        inner = frozenset[str]().union(*map(self.of, call.arguments))
        if _LOADS.fullmatch(name):
            return _loaded(inner)
        return _DATA if _ATOMICS.fullmatch(name) else inner

    def _settle(self) -> None:
        changed = True
        while changed:
            changed = False
            for name, facts in self.facts.items():
                for left, right in facts.assignments:
                    changed |= self._assign(left, right)
                result = frozenset[str]().union(*map(self.of, facts.returned))
                changed |= result != self._results[name]
                self._results[name] = result

    def _component(self, key: Key, component: int) -> Taint:
        if not any((key, part) in self._components for part in (component, _WHOLE)):
            return self._variables.get(key, CLEAN)  # a parameter
        return self._components.get((key, component), CLEAN) | self._components.get((key, _WHOLE), CLEAN)

    def _assign(self, left: Node, right: Node) -> bool:
        key = base_key(left)
        if key is None:
            return False
        taken = taken_component(left, self._tree.source)
        parts = literal_parts(right) if left.kind in {"VAR_DECL", "DECL_REF_EXPR"} else None
        if parts is None:
            grown = [self._join(self._components, (key, _WHOLE if taken is None else taken), self.of(right))]
        else:
            grown = [self._join(self._components, (key, index), self.of(part)) for index, part in enumerate(parts)]
        return self._join(self._variables, key, self.of(right)) or any(grown)

    @staticmethod
    def _join(known: dict[Any, Taint], key: object, taint: Taint) -> bool:
        old = known.get(key, CLEAN)
        known[key] = old | taint
        return not taint <= old

    def _settle_passed(self) -> None:
        changed = True
        while changed:
            changed = False
            for caller, facts in self.facts.items():
                for call in facts.calls:
                    changed |= self._pass(caller, call)

    def _pass(self, caller: str, call: Node) -> bool:
        changed = False
        if call.callee in self.facts:
            for index, argument in enumerate(call.arguments):
                key = (call.callee, f"param{index}")
                known = self._passed.get(key, CLEAN)
                new = known | self.called(caller, self.of(argument))
                changed |= new != known
                self._passed[key] = new
        return changed


def _loaded(taint: Taint) -> Taint:
    return _DATA if any(not word.startswith("param") for word in taint) else taint
