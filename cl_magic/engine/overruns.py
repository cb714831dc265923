"""Looks at the canaries of a launch's arrays when it is over: what was written outside them fails the launch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cl_magic.engine.launch_facts import launch_facts
from cl_magic.errors import OutOfBoundsError
from cl_magic.record.fault import FaultReport

if TYPE_CHECKING:
    from cl_magic.engine.shared_memory import Overrun
    from cl_magic.engine.ticket import WorkerTicket


def check_overruns(ticket: WorkerTicket) -> None:
    """Fail a launch that wrote between an array and its guard page; canaries are put in order again.

    Raises
    ------
    OutOfBoundsError
        Nothing was copied back to NumPy arrays; arrays of the device hold what the kernel left.
    """
    found = ticket.cargo.overruns()
    if not found:
        return
    faults = [_report(*one) for one in found]
    words = "; ".join(fault.words for fault in faults)
    kept = "" if not ticket.cargo.host_labels else f"; {' and '.join(ticket.cargo.host_labels)}: nothing copied back"
    message = f"{ticket.label} wrote outside its arrays: {words}{kept}"
    raise OutOfBoundsError(
        message,
        remedy="compare the index with the array's length before the access",
        **launch_facts(ticket),
        command=ticket.kind,
        begun=True,
        fault=faults[0],
        faults=tuple(faults),
    )


def _report(label: str, parameter: str, nbytes: int, overrun: Overrun) -> FaultReport:
    return FaultReport(
        None,
        "write",
        "slack",
        label,
        parameter,
        nbytes,
        overrun.distance_bytes,
        overrun.side,
        overrun.changed_bytes,
    )
