"""Launches that are enqueued and not waited for: times are read, and the record made, when somebody asks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from cl_magic.launch.request import LaunchRequest
from cl_magic.record.run import RunRecord
from cl_magic.runtime.enqueue import Slots, parts_of, resident_slots, set_arguments
from cl_magic.runtime.events import EventLog
from cl_magic.runtime.launcher import Launching, record_of, transfers_of
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.resident import ResidentArray
from cl_magic.runtime.transfer import HostArray


class Completion:
    """Ends calls of one launch: waits, brings written arrays back, makes the record.

    Parameters
    ----------
    launching : Launching
    slots : dict
        The launch's memory; kept alive until the last call has ended.
    """

    __slots__ = ("_hosts", "_launching", "_lock", "_slots")

    def __init__(self, launching: Launching, slots: Slots) -> None:
        self._launching = launching
        self._slots = slots
        self._hosts = tuple(slot for slot in slots.values() if isinstance(slot, HostArray))
        self._lock = launching.where.new_lock()

    def upload(self) -> None:
        """Bring the arrays to the device, once and for all calls."""
        log = EventLog()
        for host in self._hosts:
            host.upload(log)
        if self._hosts:
            self._launching.where.queue.finish()
        transfers_of(self._launching.request, self._slots, log.collect())  # calls tell of what they move themselves

    def flush(self) -> None:
        """See to it that queued commands begin: a driver may keep them until somebody waits (OpenCL 1.2, 5.13)."""
        with self._lock:
            self._launching.where.queue.flush()

    def record(self, events: Sequence[Any], started_ns: int) -> RunRecord:
        """The record of one call, from its events.

        Raises
        ------
        LaunchError
            The runtime failed the call.
        """
        launching, log = self._launching, EventLog()
        with self._lock:
            try:
                for part, event in enumerate(events):
                    log.add("kernel", launching.request.kernel, event, part=part)
                for host in self._hosts:
                    host.download(log)
                opencl().wait_for_events(list(events))
                if self._hosts:
                    launching.where.queue.finish()
                ended_ns = time.monotonic_ns()
                copied = log.collect()
            except opencl().Error as exc:
                raise launching.failed(exc) from exc
            for host in self._hosts:
                host.scatter()
            told = transfers_of(launching.request, self._slots, copied)
        moved = tuple(one for one in told if one.direction == "from device" or not one.nbytes)
        return record_of(launching, copied, moved, (started_ns, ended_ns))


class QueuedRun:
    """One enqueued launch: a ticket (see :class:`cl_magic.engine.protocol.Ticket`)."""

    __slots__ = ("_completion", "_events", "_record", "_started_ns")

    def __init__(self, completion: Completion, events: Sequence[Any], started_ns: int) -> None:
        self._completion = completion
        self._events = events
        self._started_ns = started_ns
        self._record: RunRecord | None = None

    @property
    def done(self) -> bool:
        """Whether all its commands are complete or failed."""
        if self._events:
            self._completion.flush()
        complete = opencl().command_execution_status.COMPLETE
        return all(event.command_execution_status <= complete for event in self._events)

    @property
    def progress(self) -> float | None:
        """None: a device does not tell how far a kernel is."""
        return None

    def cancel(self) -> bool:
        """False: it was enqueued."""
        return False

    def result(self, timeout: float | None = None) -> RunRecord:
        """Wait, bring written arrays back, and give the record; the same one at every call.

        Raises
        ------
        TimeoutError
            It was not complete after `timeout` seconds.
        LaunchError
            The runtime failed it.
        """
        if timeout is not None:
            self._wait(timeout)
        if self._record is None:
            self._record = self._completion.record(self._events, self._started_ns)
            self._events = ()  # events that are kept are memory that the driver keeps
        return self._record

    def _wait(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while not self.done:
            if time.monotonic() >= deadline:
                message = f"the launch is not complete after {timeout} s"
                raise TimeoutError(message)
            time.sleep(0.0005)


def asks_for_nothing(request: LaunchRequest) -> bool:
    """Whether a launch is to run once and leave no captures: then it may only be enqueued."""
    return request.capture == "none" and request.repeat == 1 and not request.warmup


def queue_launch(launching: Launching, known: Sequence[ResidentArray | None]) -> QueuedRun:
    """Enqueue a launch whose arrays, by slot, are all on the device, and return at once.

    Raises
    ------
    LaunchError
        The runtime refused it.
    ArgumentError
        A slot has no array.
    """
    request = launching.request
    kernel = launching.program.kernel(request.kernel)
    started_ns = time.monotonic_ns()
    try:
        slots = resident_slots(request, known)
        set_arguments(launching.where, kernel, request, slots)
        enqueue, queue = opencl().enqueue_nd_range_kernel, launching.where.queue
        events = [enqueue(queue, kernel, size, local, offset) for size, local, offset in parts_of(request)]
        for memory in known:
            if memory is not None:
                memory.follow(events[-1])
    except opencl().Error as exc:
        raise launching.failed(exc) from exc
    return QueuedRun(Completion(launching, slots), events, started_ns)
