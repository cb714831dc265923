"""A panel's controls as JSON, for the browser and for the summary of a panel that nobody can see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cl_magic.clc.signature import Parameter
from cl_magic.launch.limits import DeviceInfo
from cl_magic.widgets.arguments import NEW, choice_of, is_object, named
from cl_magic.widgets.panel_form import PanelForm
from cl_magic.widgets.panel_views import TABS


def form_message(
    form: PanelForm,
    names: Mapping[str, Any],
    values: Mapping[str, Any],
    size: Sequence[int],
    devices: Sequence[DeviceInfo],
    *,
    compact: bool,
) -> dict[str, Any]:
    """All controls of a panel.

    Parameters
    ----------
    form : PanelForm
    names : mapping of str to object
        Variables, as they are now.
    values : mapping
        The panel's wish: a variable that was chosen and is gone stays a choice, and is marked.
    size : sequence of int
        The global size, x first.
    devices : sequence of DeviceInfo
    compact : bool
        Only what has a range.
    """
    scalars = {one.name: one for one in form.scalars(names, size)}
    ranged = form.ranged
    arguments = []
    for parameter in form.parameters:
        if compact and parameter.name not in ranged:
            continue
        if is_object(parameter):
            chosen = values["arguments"].get(parameter.name, NEW)
            arguments.append(_array(form, parameter, names, size, chosen))
        elif parameter.name in scalars:
            arguments.append(scalars[parameter.name].message)
        else:
            words = f"local {parameter.element_type} *, elements of a group"
            arguments.append({"name": parameter.name, "kind": "text", "words": words, "hint": "one a work-item"})
    return {
        "kernel": form.kernel.name,
        "compact": compact,
        "devices": [{"id": d.id, "name": _device_words(d), "usable": d.available} for d in devices],
        "arguments": arguments,
        "macros": [one.message for one in form.macro_controls()],
        "tabs": [list(tab) for tab in (TABS[:1] if compact else TABS)],
    }


def _device_words(device: DeviceInfo) -> str:
    units = f"{device.compute_units} units" if device.compute_units != 1 else "1 unit"
    return f"{device.short_name}, {units}" + (", simulator" if device.simulator else "")


def _array(
    form: PanelForm, parameter: Parameter, names: Mapping[str, Any], size: Sequence[int], chosen: object
) -> dict[str, Any]:
    choices = form.choices(parameter, names, size)
    name = named(chosen)
    if name is not None and all(choice["id"] != chosen for choice in choices):
        trouble = "does not fit" if name in names else "no longer there"
        choices.insert(0, {"id": choice_of(name), "text": f"{name}, {trouble}"})
    ways = {(True, False): "reads", (False, True): "writes", (True, True): "reads and writes"}
    way = ways.get((parameter.reads is not False, bool(parameter.writes)), "")
    words = f"{parameter.element_type} *" if parameter.is_pointer else parameter.type_name
    note = ""
    if not any(named(choice["id"]) for choice in choices):
        note = "No variable fits." if choices else f"No variable fits {parameter.declaration}."
    return {
        "name": parameter.name,
        "kind": "array",
        "words": f"{words}, {way}" if way else words,
        "choices": choices,
        "note": note,
    }
