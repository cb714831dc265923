"""What outlives a panel: its values, so that a cell that runs again shows the same, and which panel a cell has open."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any
from weakref import WeakSet

from cl_magic.errors import ArgumentError
from cl_magic.launch.controls import Controls

_shown: dict[str, tuple[str, WeakSet[Any]]] = {}
"""By cell: the execution that made its panels, and these."""


def place_of(kernel: str, panel: Any) -> str:  # noqa: ANN401 - a widget
    """What a panel is recognised by: its kernel, and where a front end names it the cell, and its number there.

    Panels that the same cell made when it ran before are closed.

    Examples
    --------
    >>> place_of("blur", None)
    'panel: blur'
    """
    application = getattr(sys.modules.get("ipykernel.kernelapp"), "IPKernelApp", None)
    if application is None or not application.initialized():
        return f"panel: {kernel}"
    parent: Mapping[str, Any] = application.instance().kernel.get_parent("shell") or {}
    cell = str(parent.get("metadata", {}).get("cellId") or "")
    execution = str(parent.get("header", {}).get("msg_id") or "")
    if not cell:
        return f"panel: {kernel}"
    before, panels = _shown.get(cell, ("", WeakSet()))
    if before != execution:
        for old in tuple(panels):
            old.close()
        panels = WeakSet()
    panels.add(panel)
    _shown[cell] = (execution, panels)
    return f"panel: {cell} {len(panels)} {kernel}"


def restored(controls: Controls, key: str, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The values that were left under a key, where what they started from has not changed; else the new defaults.

    Parameters
    ----------
    controls : Controls
    key : str
    defaults : mapping
        Groups of values by name: ``{"arguments": {…}, "macros": {…}}``, and values of their own.
    """
    known = controls.recall(key)
    if not isinstance(known, Mapping):
        return {name: dict(group) if isinstance(group, Mapping) else group for name, group in defaults.items()}
    before, left = known["defaults"], known["values"]
    found: dict[str, Any] = {}
    for name, start in defaults.items():
        if isinstance(start, Mapping):
            had, kept = before.get(name, {}), left.get(name, {})
            found[name] = {
                item: kept[item] if item in kept and had.get(item) == value else value for item, value in start.items()
            }
        else:
            found[name] = left[name] if name in left and before.get(name) == start else start
    return found


def with_values(wish: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """A panel's values with some of them changed, by the names of their controls.

    Raises
    ------
    ArgumentError
        There is no such control.

    Examples
    --------
    >>> with_values({"arguments": {"n": 1}, "macros": {}, "auto": True}, {"n": 2})
    {'arguments': {'n': 2}, 'macros': {}, 'auto': True}
    """
    made = {name: dict(part) if isinstance(part, Mapping) else part for name, part in wish.items()}
    for name, value in values.items():
        group = next((made[part] for part in ("arguments", "macros") if name in made[part]), made)
        if name not in group:
            message = f"the panel has no control {name!r}"
            known = ", ".join(
                [*made["arguments"], *made["macros"], *(n for n in made if n not in ("arguments", "macros"))]
            )
            raise ArgumentError(message, remedy=f"it has {known}", parameter=name)
        group[name] = value
    return made


def keep(controls: Controls, key: str, defaults: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Leave the values for the next panel of the same key."""
    controls.remember(key, {"defaults": dict(defaults), "values": {name: values[name] for name in defaults}})
