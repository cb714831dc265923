"""What a launch was given, as facts of an error: kernel, plan, arguments, and what its arrays are now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cl_magic.engine.commands import Launch
from cl_magic.record.run import ArgumentFact

if TYPE_CHECKING:
    from cl_magic.engine.ticket import WorkerTicket
    from cl_magic.launch.request import LaunchRequest


def launch_facts(ticket: WorkerTicket) -> dict[str, Any]:
    """Facts of a ticket's launch; the arrays' as long as its cargo is not released.

    NumPy arrays are unchanged whenever a launch fails: what the kernel wrote is in memory of the engine, and comes back
    only after a success. Arrays of the device are that memory themselves.
    """
    command = ticket.command
    request = command.request if isinstance(command, Launch) else None
    cargo = ticket.cargo
    return {
        "kernel": ticket.kernel,
        "plan": None if request is None else request.plan,
        "arguments": () if request is None else arguments_of(request),
        "arrays_unchanged": cargo.host_labels,
        "partly_written": cargo.written_device_labels,
        "lost": cargo.lost_labels,
    }


def arguments_of(request: LaunchRequest) -> tuple[ArgumentFact, ...]:
    """Arguments as they were given, by index.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> from cl_magic.launch.request import LaunchRequest, ScalarArgument
    >>> plan = LaunchPlan((1,), (0,), None, "", "uniform", (), (1,))
    >>> request = LaunchRequest("", "f", plan, scalars=(ScalarArgument(0, "a", "float", b"", "2.0f"),))
    >>> arguments_of(request)[0].declaration, arguments_of(request)[0].value
    ('float a', '2.0f')
    """
    found = [ArgumentFact(one.index, f"{one.type_name} {one.name}", one.text) for one in request.scalars]
    found += [
        ArgumentFact(one.index, f"{one.type_name} {one.name}", f"{one.nbytes} bytes of local memory")
        for one in request.locals
    ]
    found += [ArgumentFact(one.index, f"{one.type_name} {one.name}", "NULL") for one in request.nulls]
    found += [
        ArgumentFact(one.index, f"{one.type_name} {one.name}", f"{np.dtype(one.dtype).name} {one.shape}", one.direction)
        for one in (*request.arrays, *request.images)
    ]
    return tuple(sorted(found, key=lambda one: one.index))
