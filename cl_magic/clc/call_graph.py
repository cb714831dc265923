"""Which functions call which, and the built-in functions that a kernel reaches through its helpers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cl_magic.clc.syntax import SyntaxTree

BARRIERS = frozenset({"barrier", "work_group_barrier"})
"""Functions that all work-items of a work-group must reach (OpenCL C 1.2, 6.12.8)."""


@dataclass(frozen=True)
class CallGraph:
    """Names called, by function of the text. Calls in code that never runs count as well.

    Attributes
    ----------
    calls : mapping of str to frozenset of str
        For each kernel and each function with a body that one reaches, the names it calls itself.
    """

    calls: Mapping[str, frozenset[str]]

    def reachable(self, name: str) -> frozenset[str]:
        """All names called from a function, directly or through helpers.

        Examples
        --------
        >>> CallGraph({"k": frozenset({"f"}), "f": frozenset({"sin", "k"})}).reachable("k") == {"f", "sin", "k"}
        True
        """
        found: set[str] = set()
        waiting = [name]
        while waiting:
            new = self.calls.get(waiting.pop(), frozenset()) - found
            found |= new
            waiting.extend(new)
        return frozenset(found)

    def builtins(self, name: str) -> frozenset[str]:
        """Built-in functions that a function reaches.

        Examples
        --------
        >>> sorted(CallGraph({"k": frozenset({"f"}), "f": frozenset({"sin"})}).builtins("k"))
        ['sin']
        """
        return frozenset(called for called in self.reachable(name) if called not in self.calls)

    def reaches_barrier(self, name: str) -> bool:
        """Whether calling a name may execute a barrier."""
        return name in BARRIERS or not BARRIERS.isdisjoint(self.reachable(name))


def call_graph(tree: SyntaxTree) -> CallGraph:
    """Call graph of a text's kernels and of all functions that they reach; a library's other functions are not read."""
    calls: dict[str, frozenset[str]] = {}
    waiting = [kernel.spelling for kernel in tree.kernels]
    while waiting:
        name = waiting.pop()
        function = tree.functions.get(name)
        if function is not None and name not in calls:
            nodes = (node for node in function.walk() if node.kind == "CALL_EXPR")
            calls[name] = frozenset(node.callee for node in nodes if node.callee)
            waiting.extend(calls[name])
    return CallGraph(calls)
