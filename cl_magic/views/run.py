"""A run to one payload: the parts of its three views under their names, small enough to be saved with each output."""

from __future__ import annotations

from typing import Any

from cl_magic.record.run import RunRecord
from cl_magic.views.buffer import buffers_part, run_identity
from cl_magic.views.ndrange import ndrange_payload
from cl_magic.views.payload import Column, Payload, mime_of
from cl_magic.views.timeline import timeline_part

COMMANDS = 30_000
"""Characters that the columns of commands may take in a saved run."""
PICTURES = 50_000
"""Characters that the arrays' pictures may take in a saved run: the report beside it has pictures of its own."""


def run_payload(record: RunRecord, *, saved: bool = False) -> Payload:
    """Payload of a run: heads by view, columns as ``"timeline.start"``.

    Parameters
    ----------
    record : RunRecord
    saved : bool
        Reduce it to what an output may hold; the views say what was reduced.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPart, LaunchPlan
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (LaunchPart((0,), (8,), (8,)),), (1,))
    >>> sorted(run_payload(RunRecord("k", DeviceInfo("0:0", "d", "PoCL", "1.2", ("cpu",)), plan)).head)
    ['kernel', 'ndrange', 'status']
    """
    head: dict[str, Any] = {"kernel": record.kernel, "status": record.status}
    columns: dict[str, Column] = {}
    ndrange = ndrange_payload(record, saved=saved)
    parts = {"ndrange": (dict(ndrange.head), dict(ndrange.columns))}
    if record.events:
        parts["timeline"] = timeline_part(record, saved=saved, budget=COMMANDS)
    if record.captures:
        parts["buffers"] = buffers_part(record, saved=saved, budget=PICTURES)
    for name, (own, numbers) in parts.items():
        head[name] = own
        columns |= {f"{name}.{key}": column for key, column in numbers.items()}
    return Payload("run", run_identity(record), head, columns)


def live_run(record: RunRecord) -> dict[str, Any]:
    """What a saved output of a run holds for its live views, by MIME type."""
    return {mime_of("run"): run_payload(record, saved=True).saved()}
