"""Launches that are enqueued and not waited for: times are read, and the record made, when somebody asks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from cl_magic.errors import ClMagicError
from cl_magic.record.event import CommandEvent, Transfer
from cl_magic.record.run import ArgumentFact, RunRecord
from cl_magic.runtime.enqueue import Slots, parts_of, resident_slots, set_arguments
from cl_magic.runtime.events import EventLog
from cl_magic.runtime.launcher import Launching, record_of, transfers_of
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.resident import ResidentArray
from cl_magic.runtime.transfer import HostArray

_Settled = tuple[tuple[CommandEvent, ...], tuple[Transfer, ...]]


class Completion:
    """Ends calls of one launch: waits, brings written arrays back, makes the record.

    Parameters
    ----------
    launching : Launching
    slots : dict
        The launch's memory; kept alive until the last call has ended.
    """

    __slots__ = ("_arguments", "_hosts", "_launching", "_lock", "_slots")

    def __init__(self, launching: Launching, slots: Slots) -> None:
        self._launching = launching
        self._slots = slots
        self._hosts = tuple(slot for slot in slots.values() if isinstance(slot, HostArray))
        self._lock = launching.where.new_lock()
        self._arguments: tuple[ArgumentFact, ...] | None = None  # they take longer than all else of a record

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

    def settle(self, events: Sequence[Any]) -> _Settled:
        """Wait for one call, bring written arrays back, and copy its times.

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
                copied = log.collect()
            except opencl().Error as exc:
                raise launching.failed(exc) from exc
            for host in self._hosts:
                host.scatter()
            return copied, transfers_of(launching.request, self._slots, copied)

    def record(self, settled: _Settled, host_ns: tuple[int, int]) -> RunRecord:
        """The record of one call, from its commands and transfers."""
        copied, told = settled
        moved = tuple(one for one in told if one.direction == "from device" or not one.nbytes)
        record = record_of(self._launching, copied, moved, host_ns, self._arguments)
        self._arguments = record.arguments
        return record


class QueuedRun:
    """One enqueued launch: a ticket (see :class:`cl_magic.engine.protocol.Ticket`)."""

    __slots__ = ("_completion", "_ended_ns", "_error", "_events", "_record", "_settled", "_started_ns", "limit")

    def __init__(self, completion: Completion, events: Sequence[Any], started_ns: int) -> None:
        self._completion = completion
        self._events = events
        self._started_ns = started_ns
        self._ended_ns = 0
        self.limit: float | None = None
        """Seconds it may take: nothing can end what runs in this process."""
        self._settled: _Settled = ((), ())
        self._error: ClMagicError | None = None
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
        self.settle()
        if self._error is not None:
            raise self._error
        if self._record is None:
            self._record = self._completion.record(self._settled, (self._started_ns, self._ended_ns))
        return self._record

    def settle(self) -> None:
        """Wait, copy the times, and let go of the events, which are memory that the driver keeps."""
        if self._ended_ns:
            return
        try:
            self._settled = self._completion.settle(self._events)
        except ClMagicError as error:
            self._error = error
        self._ended_ns = time.monotonic_ns()
        self._events = ()

    def _wait(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while not self.done:
            if time.monotonic() >= deadline:
                message = f"the launch is not complete after {timeout} s"
                raise TimeoutError(message)
            time.sleep(0.0005)


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
