"""Captures of arrays to the payload of the buffer view: facts of each array, its pictures as columns, its bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cl_magic.launch.plan import LaunchPlan
from cl_magic.record.captures import Capture
from cl_magic.record.run import RunRecord
from cl_magic.views.buffer_array import array_facts
from cl_magic.views.buffer_columns import Drawn, drawn_of, fit
from cl_magic.views.payload import Column, Payload, record_id

BUDGET = 120_000
"""Characters that the columns of a saved buffer view may take, deflated and in base64."""


def buffer_payload(value: RunRecord | Capture, name: str | None = None, *, saved: bool = False) -> Payload:
    """Payload of the buffer view of a run's arrays, or of one array.

    Parameters
    ----------
    value : RunRecord or Capture
    name : str, optional
        Kernel parameter or name of an array; by default all arrays, the last one that was written first.
    saved : bool
        Reduce the pictures so that a saved output stays small; numbers of elements stay exact, and what was reduced is
        said. A live view gets the pictures as they were captured.

    Raises
    ------
    RecordError
        The run holds no capture of that name.

    Examples
    --------
    >>> import numpy as np
    >>> from cl_magic.record.capture_arrays import Watch
    >>> payload = buffer_payload(Watch(np.arange(4.0), "x", writes=False).finish())
    >>> payload.columns["0.before"].tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    if isinstance(value, Capture):
        head, columns = part_of([value], None, budget=BUDGET if saved else None)
        return Payload("buffer", "", head, columns)
    captures = value.captures if name is None else (value.capture(name),)
    head, columns = part_of(captures, value.plan, budget=BUDGET if saved else None)
    return Payload("buffer", run_identity(value), head | {"kernel": value.kernel, "status": value.status}, columns)


def buffers_part(
    record: RunRecord, *, saved: bool = False, budget: int = BUDGET
) -> tuple[dict[str, Any], dict[str, Column]]:
    """Head and columns of a run's arrays, to be put into a run's payload under the name ``buffers``.

    Parameters
    ----------
    record : RunRecord
    saved : bool
        As in :func:`buffer_payload`; `budget` characters are then what the columns may take.

    Returns
    -------
    head : dict
        ``{"arrays": […], "ndrange": …}``; no arrays where nothing was captured.
    columns : dict of str to ndarray
        ``"0.before"``, ``"0.after"``, ``"0.difference"``, ``"0.bytes_before"``, … by index of the array.

    Examples
    --------
    >>> buffers_part.__name__
    'buffers_part'
    """
    head, columns = part_of(record.captures, record.plan, budget=budget if saved else None)
    return head | {"kernel": record.kernel, "status": record.status}, columns


def part_of(
    captures: Sequence[Capture], plan: LaunchPlan | None, *, budget: int | None = None
) -> tuple[dict[str, Any], dict[str, Column]]:
    """Head and columns of captures; `budget` limits the columns of a saved output.

    Examples
    --------
    >>> part_of([], None)
    ({'arrays': [], 'ndrange': None}, {})
    """
    drawn: dict[str, Drawn] = {}
    for index, capture in enumerate(captures):
        drawn |= {f"{index}.{key}": found for key, found in drawn_of(capture).items()}
    if budget is not None:
        fit(drawn, budget)
    arrays = []
    for index, capture in enumerate(captures):
        own = {key.split(".", 1)[1]: found for key, found in drawn.items() if key.startswith(f"{index}.")}
        arrays.append(array_facts(capture, own))
    return {"arrays": arrays, "ndrange": range_facts(plan)}, {key: found.column for key, found in drawn.items()}


def range_facts(plan: LaunchPlan | None) -> Mapping[str, Any] | None:
    """What tells which work-item has which global id: sizes and offset of the range, x first.

    Examples
    --------
    >>> range_facts(LaunchPlan((64, 2), (0, 0), (16, 1), "", "uniform", (), (4, 2)))
    {'global_size': [64, 2], 'global_offset': [0, 0], 'local_size': [16, 1]}
    """
    if plan is None:
        return None
    return {
        "global_size": list(plan.global_size),
        "global_offset": list(plan.global_offset) or [0] * len(plan.global_size),
        "local_size": None if plan.local_size is None else list(plan.local_size),
    }


def run_identity(record: RunRecord) -> str:
    """Identity that all views of one run share.

    Examples
    --------
    >>> run_identity.__name__
    'run_identity'
    """
    return record_id(record.kernel, record.created, record.host_start_ns, record.host_end_ns)
