"""A return that only some work-items of a group take, before a barrier that all must reach (OpenCL C 1.2, 6.12.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cl_magic.clc.call_graph import CallGraph
from cl_magic.clc.id_taint import CLEAN, IdTaints, Taint, is_divergent
from cl_magic.clc.syntax import Node, SyntaxTree

_CONDITIONAL = frozenset({"IF_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT", "SWITCH_STMT"})
_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT"})


@dataclass(frozen=True)
class _Stop:
    """A return or a barrier, in source order."""

    is_return: bool
    line: int
    taint: Taint
    loops: frozenset[int]


def return_before_barrier(tree: SyntaxTree, graph: CallGraph, taints: IdTaints, kernel: str) -> int | None:
    """Line of the first such return in a kernel or the helpers it reaches.

    Parameters
    ----------
    tree : SyntaxTree
    graph : CallGraph
    taints : IdTaints
    kernel : str

    Returns
    -------
    int or None
        A return counts when its condition depends on an id within the group and a barrier comes after it in the text of
        the same function, or in the same loop.
    """
    if not graph.reaches_barrier(kernel):
        return None
    names = [kernel, *sorted(graph.reachable(kernel) & graph.calls.keys())]
    for name in names:
        if graph.reaches_barrier(name):
            line = _first_return(list(_Stops(graph, taints, name).in_node(tree.functions[name], CLEAN, frozenset())))
            if line is not None:
                return line
    return None


def _first_return(stops: list[_Stop]) -> int | None:
    for index, stop in enumerate(stops):
        if stop.is_return and is_divergent(stop.taint):
            later = any(not other.is_return for other in stops[index:])
            around = any(not other.is_return and other.loops & stop.loops for other in stops[:index])
            if later or around:
                return stop.line
    return None


class _Stops:
    """Returns and barriers of one function."""

    def __init__(self, graph: CallGraph, taints: IdTaints, function: str) -> None:
        self._graph = graph
        self._taints = taints
        self._function = function

    def in_node(self, node: Node, taint: Taint, loops: frozenset[int]) -> Iterator[_Stop]:
        if node.kind == "RETURN_STMT":
            yield _Stop(is_return=True, line=node.line, taint=taint, loops=loops)
        elif node.kind == "CALL_EXPR" and self._graph.reaches_barrier(node.callee):
            yield _Stop(is_return=False, line=node.line, taint=taint, loops=loops)
        if node.kind in _CONDITIONAL:
            # All parts but the last are conditions; for `do` it is the last, and taking the body is harmless.
            conditions = node.children[:1] if node.kind in {"IF_STMT", "SWITCH_STMT"} else node.children[:-1]
            own = frozenset[str]().union(*map(self._taints.of, conditions))
            taint |= self._taints.called(self._function, own)
        if node.kind in _LOOPS:
            loops |= {id(node)}
        for child in node.children:
            yield from self.in_node(child, taint, loops)
