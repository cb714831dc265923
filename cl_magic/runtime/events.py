"""Events of a launch: kept only until their four times are copied (OpenCL 1.2, 5.12)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cl_magic.record.event import CommandEvent, CommandKind
from cl_magic.runtime.opencl import opencl

_Pending = tuple[CommandKind, str, Any, int, int, int]


class EventLog:
    """Commands in order of queueing; :meth:`collect` turns them into values and drops the events.

    Attributes
    ----------
    run : int
        Number of the run that commands added next belong to.
    """

    def __init__(self) -> None:
        self._pending: list[_Pending] = []
        self.run = 0

    def add(self, kind: CommandKind, name: str, event: Any, nbytes: int = 0, part: int = 0) -> int:  # noqa: ANN401
        """Note a command that was queued; `event` is PyOpenCL's. Its index in what :meth:`collect` gives."""
        self._pending.append((kind, name, event, nbytes, self.run, part))
        return len(self._pending) - 1

    @contextmanager
    def in_run(self, run: int) -> Iterator[None]:
        """Count the commands added inside the block to a run; outside it they happen once (run 0)."""
        self.run = run
        try:
            yield
        finally:
            self.run = 0

    def collect(self) -> tuple[CommandEvent, ...]:
        """Copy the times of all commands, which must be complete, and let go of the events."""
        pending, self._pending = self._pending, []
        return tuple(_copied(entry) for entry in pending)


def times_of(event: Any) -> tuple[tuple[int, int, int, int], bool]:  # noqa: ANN401 - PyOpenCL's event
    """Queued, submit, start and end in nanoseconds, and whether they had to be clamped.

    A driver may give no times, a zero (Oclgrind, before the end), or times out of order; each one is raised to the one
    before it, so that no duration is negative.
    """
    cl = opencl()
    infos = cl.profiling_info
    try:
        raw = [int(event.get_profiling_info(i)) for i in (infos.QUEUED, infos.SUBMIT, infos.START, infos.END)]
    except cl.Error:
        return (0, 0, 0, 0), True
    return clamped(raw)


def clamped(raw: list[int]) -> tuple[tuple[int, int, int, int], bool]:
    """Four times in order; missing first ones (0) take the first one that is there.

    Examples
    --------
    >>> clamped([10, 20, 30, 25])
    ((10, 20, 30, 30), True)
    >>> clamped([0, 20, 30, 40])
    ((20, 20, 30, 40), True)
    >>> clamped([1, 2, 3, 4])
    ((1, 2, 3, 4), False)
    """
    lowest = next((time for time in raw if time), 0)
    times = []
    for time in raw:
        lowest = max(lowest, time)
        times.append(lowest)
    queued, submit, start, end = times
    return (queued, submit, start, end), times != raw or not end


def _copied(entry: _Pending) -> CommandEvent:
    kind, name, event, nbytes, run, part = entry
    (queued, submit, start, end), was_clamped = times_of(event)
    return CommandEvent(kind, name, queued, submit, start, end, nbytes=nbytes, run=run, part=part, clamped=was_clamped)
