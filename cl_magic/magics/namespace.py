"""Kernels as variables of the notebook: bound after a build, unbound when their cell fails or no longer has them.

A later cell must never run stale code, and a user's variable must never be lost: these two rules are this module.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Collection, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kept:
    """A kernel that got no variable, what holds the name, and whether ``--force`` would bind it."""

    name: str
    reason: str
    forcible: bool = True


@dataclass(frozen=True, slots=True)
class Removed:
    """A variable that was unbound, the cell that had bound it, and what it was: "kernel" or "program"."""

    name: str
    cell: str
    what: str = "kernel"


@dataclass(frozen=True, slots=True)
class Binding:
    """What one build changed in the notebook's variables."""

    bound: tuple[str, ...] = ()
    kept: tuple[Kept, ...] = ()
    removed: tuple[Removed, ...] = ()


@dataclass(frozen=True, slots=True)
class _Owned:
    value: Any
    key: str
    cell: str


def cell_key(cell_id: str, as_name: str, kernels: Collection[str]) -> str:
    """Return what a cell is recognised by: the front end's id, else ``--as``, else its kernels' names.

    Examples
    --------
    >>> cell_key("", "", ["sobel", "blur"])
    'kernels blur, sobel'
    """
    if cell_id:
        return f"id {cell_id}"
    return f"as {as_name}" if as_name else f"kernels {', '.join(sorted(kernels))}"


class KernelNamespace:
    """The variables that cl_magic bound in a notebook.

    Parameters
    ----------
    names : mutable mapping of str to object
        The notebook's variables.
    own_type : type
        Values of this type are ours whoever bound them.

    Examples
    --------
    >>> names = {"count": 7}
    >>> ours = KernelNamespace(names, own_type=complex)
    >>> ours.bind("id 1", "cell [1]", {"blur": 1j, "count": 2j, "print": 3j}).bound
    ('blur',)
    >>> ours.unbind("id 1", ()).removed
    (Removed(name='blur', cell='cell [1]', what='kernel'),)
    >>> names
    {'count': 7}
    """

    def __init__(self, names: MutableMapping[str, Any], own_type: type) -> None:
        self.names = names
        self.own_type = own_type
        self._owned: dict[str, _Owned] = {}

    def bind(
        self,
        key: str,
        cell: str,
        values: Mapping[str, Any],
        *,
        force: bool = False,
        assigned: Mapping[str, Any] | None = None,
    ) -> Binding:
        """Bind the kernels of a build; what the same cell had bound under other names goes.

        Parameters
        ----------
        key : str
            From :func:`cell_key`.
        cell : str
            The cell's name in reports.
        values : mapping of str to object
            Kernels by name.
        force : bool
            Overwrite variables and builtins of the same names too.
        assigned : mapping of str to object, optional
            Bound whatever holds the names, as an assignment does: the user wrote them on the line (``--as``).
        """
        named = assigned or {}
        staying = {*values, *named}
        removed = self._remove([n for n, owned in self._owned.items() if owned.key == key and n not in staying])
        bound, kept = [], []
        for name in values:
            obstacle = self._obstacle(name)
            if obstacle is not None and not (force and obstacle.forcible):
                kept.append(obstacle)
            else:
                bound.append(name)
        for name, value in {**{n: values[n] for n in bound}, **named}.items():
            self.names[name] = value
            self._owned[name] = _Owned(value, key, cell)
        return Binding(tuple(bound), tuple(kept), removed)

    def unbind(self, key: str, kernels: Collection[str]) -> Binding:
        """After a failed build: unbind what the cell had bound, and what we bound under a name it now defines."""
        stale = [name for name, owned in self._owned.items() if owned.key == key or name in kernels]
        return Binding(removed=self._remove(stale))

    def _remove(self, names: Collection[str]) -> tuple[Removed, ...]:
        removed = []
        for name in names:
            owned = self._owned.pop(name)
            if self.names.get(name) is owned.value:
                del self.names[name]
                what = "kernel" if isinstance(owned.value, self.own_type) else "program"
                removed.append(Removed(name, owned.cell, what))
        return tuple(removed)

    def _obstacle(self, name: str) -> Kept | None:
        """What is in the way of binding a name, None where nothing is."""
        if keyword.iskeyword(name):
            return Kept(name, f"{name} is a word of the Python language", forcible=False)
        if name not in self.names:
            return Kept(name, f"{name} is a built-in name of Python") if hasattr(builtins, name) else None
        value = self.names[name]
        owned = self._owned.get(name)
        if (owned is not None and owned.value is value) or isinstance(value, self.own_type):
            return None
        return Kept(name, f"{name} is a variable of yours ({type(value).__name__})")
