"""Plans and runs to the payload of the NDRange view: sizes, launches, limits, and colours by item where asked for.

Nothing is enumerated: a range of 10⁹ work-items is the same few numbers as one of 10³. Sizes travel as decimal text,
because a double of JSON is exact up to 2⁵³ only and ranges go to 2⁶³.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

import numpy as np

from cl_magic.errors import ArgumentError
from cl_magic.launch.controls import KernelFacts
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.partition import Partition
from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.record.captures import Capture
from cl_magic.record.event import CommandEvent
from cl_magic.record.run import RunRecord
from cl_magic.views.buffer import run_identity
from cl_magic.views.buffer_array import components_of
from cl_magic.views.ndrange_colour import captured_colour, colour_of, maps_to_items
from cl_magic.views.ndrange_limits import limit_rows, sub_group
from cl_magic.views.payload import Column, Payload


def ndrange_payload(
    value: Any,  # noqa: ANN401 - RunRecord, LaunchPlan or Partition
    *,
    device: DeviceInfo | None = None,
    color_by: Any = None,  # noqa: ANN401 - an array, or the name of one
    written: str | None = None,
    facts: KernelFacts | None = None,
    saved: bool = False,
) -> Payload:
    """Payload of the NDRange view.

    Parameters
    ----------
    value : RunRecord, LaunchPlan or Partition
    device : DeviceInfo, optional
        For the bars of limits; by default the run's, or the one of `facts`.
    color_by : array or str, optional
        One number a work-item, of the range's shape in NumPy order (``(512, 600)`` for ``global_size=(600, 512)``) or
        flat; or the name of a captured array of that shape. At most 65 536 cells are kept, means of blocks above.
    written : str, optional
        Captured array whose elements colour the items that wrote them; by default the last written one that has one
        element a work-item.
    facts : KernelFacts, optional
        Of the kernel: its own group limit, preferred multiple and local memory.
    saved : bool
        Keep a saved output small: fewer cells, 8 bits each.

    Raises
    ------
    ArgumentError
        `color_by` has not one value a work-item.
    RecordError
        No array of that name was captured.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPart
    >>> plan = LaunchPlan((10**9,), (0,), (64,), "", "uniform", (LaunchPart((0,), (10**9,), (64,)),), (15_625_000,))
    >>> payload = ndrange_payload(plan)
    >>> payload.head["global_size"], payload.head["groups"]
    (['1000000000'], ['15625000'])
    """
    run = value if isinstance(value, RunRecord) else None
    head, columns = _range(_plan_of(value), run.events if run else ())
    found_device = device or (facts.device if facts else None) or (run.device if run else None)
    head["kernel"] = run.kernel if run else facts.name if facts else getattr(value, "kernel", "")
    head["device"] = found_device.short_name if found_device else ""
    head["limits"] = limit_rows(_plan_of(value), found_device, facts)
    head["sub_group"] = sub_group(found_device, facts)
    head["status"], head["error"] = (run.status, run.error) if run else ("planned", "")
    head["arrays"] = [_array(capture) for capture in run.captures] if run else []
    _colours(value, (color_by, written), head, columns, saved=saved)
    return Payload("ndrange", run_identity(run) if run else "", head, columns)


@singledispatch
def _plan_of(value: Any) -> LaunchPlan:  # noqa: ANN401 - dispatched
    message = f"an NDRange view is made of a RunRecord, a LaunchPlan or a Partition, not of {type(value).__name__}"
    raise ArgumentError(message, remedy="kernel.plan(global_size, local_size)", value=value)


@_plan_of.register
def _(value: LaunchPlan) -> LaunchPlan:
    return value


@_plan_of.register(RunRecord)
@_plan_of.register(Partition)
def _(value: RunRecord | Partition) -> LaunchPlan:
    return value.plan


def _texts(sizes: Iterable[int]) -> list[str]:
    return [str(int(size)) for size in sizes]


def _range(plan: LaunchPlan, events: tuple[CommandEvent, ...]) -> tuple[dict[str, Any], dict[str, Column]]:
    commands = commands_of_parts(events)
    head: dict[str, Any] = {
        "global_size": _texts(plan.global_size),
        "global_offset": _texts(plan.global_offset or (0,) * len(plan.global_size)),
        "local_size": None if plan.local_size is None else _texts(plan.local_size),
        "groups": _texts(plan.groups),
        "padded": None if plan.padded_global_size is None else _texts(plan.padded_global_size),
        "parts": [_part(part, commands.get(number)) for number, part in enumerate(plan.parts)],
        "mode": plan.mode,
        "mode_reason": plan.mode_reason,
        "local_size_reason": plan.local_size_reason,
        "replaced": list(plan.replaced),
        "notes": list(plan.notes),
    }
    if not events:
        return head, {}
    return head, {"command_part": np.array([e.part if e.kind == "kernel" else -1 for e in events], np.int8)}


def commands_of_parts(events: tuple[CommandEvent, ...]) -> dict[int, int]:
    """Index of each launch's command: the first timed one, else the first one.

    Examples
    --------
    >>> commands_of_parts(())
    {}
    """
    timed: dict[int, int] = {}
    warmups: dict[int, int] = {}
    for index, event in enumerate(events):
        if event.kind == "kernel":
            (warmups if event.warmup else timed).setdefault(event.part, index)
    return warmups | timed


def _part(part: LaunchPart, command: int | None) -> dict[str, Any]:
    return {
        "offset": _texts(part.global_offset),
        "size": _texts(part.global_size),
        "local": None if part.local_size is None else _texts(part.local_size),
        "role": part.role,
        "command": command,
    }


def _array(capture: Capture) -> dict[str, Any]:
    """What an item's element of an array is found from; components of an element are no axis of their own."""
    shape = [int(n) for n in capture.shape]
    parts = components_of(capture)
    if parts and np.dtype(capture.dtype).kind != "c":
        shape = shape[:-1]
    return {
        "name": capture.parameter,
        "label": capture.label or capture.parameter,
        "shape": shape,
        "written": capture.after is not None,
    }


def _colours(
    value: Any,  # noqa: ANN401 - as ndrange_payload takes it
    asked: tuple[Any, str | None],
    head: dict[str, Any],
    columns: dict[str, Column],
    *,
    saved: bool,
) -> None:
    plan, (color_by, written) = _plan_of(value), asked
    head["colour"] = head["written"] = None
    run = value if isinstance(value, RunRecord) else None
    if isinstance(color_by, str):
        if run is None:
            message = f"color_by={color_by!r} names an array, and a plan holds none"
            raise ArgumentError(message, remedy="give the array itself, or a run", parameter="color_by", value=color_by)
        head["colour"], columns["colour"] = captured_colour(run.capture(color_by), plan, saved=saved)
    elif color_by is not None:
        head["colour"], columns["colour"] = colour_of(color_by, plan, saved=saved)
    if run is None:
        return
    fitting = [c for c in run.captures if c.after is not None and maps_to_items(c, plan)]
    if written is not None or fitting:
        capture = run.capture(written) if written is not None else fitting[-1]
        head["written"], columns["written"] = captured_colour(capture, plan, saved=saved)
