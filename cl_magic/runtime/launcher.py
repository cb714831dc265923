"""Runs one launch from arrays to record: upload, warm-up and repeats with restore, download, times, captures."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from cl_magic.launch.request import ArrayArgument, LaunchRequest
from cl_magic.record.event import CommandEvent, Transfer
from cl_magic.record.run import ArgumentFact, RunRecord
from cl_magic.runtime.codes import launch_error
from cl_magic.runtime.compiler import BuiltProgram
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.enqueue import Slots, argument_facts, by_slot, enqueue_parts, make_slots, set_arguments
from cl_magic.runtime.events import EventLog
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.printf import Captured, captured_output, cut_notes
from cl_magic.runtime.resident import Backup, ResidentArray
from cl_magic.runtime.transfer import HostArray
from cl_magic.runtime.watching import watch_arrays


@dataclass(frozen=True, slots=True)
class Launching:
    """What a launch needs beside its arrays: where it runs, the program there, and the engine's name."""

    where: DeviceContext
    program: BuiltProgram
    request: LaunchRequest
    engine: str

    def failed(self, exc: Any, printed: str = "") -> Exception:  # noqa: ANN401 - PyOpenCL's error
        """The LaunchError for an error of the runtime."""
        plan = self.request.plan
        facts = {"global_size": plan.global_size, "local_size": plan.local_size, "printf": printed}
        return launch_error(exc, self.request.kernel, self.where.info.short_name, **facts)


def run_launch(launching: Launching, arrays: Sequence[Any]) -> RunRecord:
    """Execute a launch to its end; the arrays hold its results afterwards.

    Raises
    ------
    LaunchError
        The runtime refused or failed it.
    ArgumentError
        An array is missing, does not fit the device, or may not be written.
    """
    request = launching.request
    kernel = launching.program.kernel(request.kernel)
    log = EventLog()
    caught = Captured()
    try:
        watches = watch_arrays(request, arrays)
        started_ns = time.monotonic_ns()
        with _capturing(launching, caught), _finished(launching.where):
            slots = make_slots(launching.where, request, arrays)
            set_arguments(launching.where, kernel, request, slots)
            _run_all(launching, kernel, slots, log)
        events = log.collect()
    except opencl().Error as exc:
        raise launching.failed(exc, caught.text) from exc
    for slot in _hosts(slots):
        slot.scatter()
    ended_ns = time.monotonic_ns()
    try:
        captures = tuple(finish() for finish in watches)  # some are read from the device
    except opencl().Error as exc:
        raise launching.failed(exc, caught.text) from exc
    record = record_of(launching, events, transfers_of(request, slots, events), (started_ns, ended_ns))
    notes = (*record.notes, *cut_notes(caught.text, launching.where.info))
    return replace(record, printf=caught.text, captures=captures, notes=notes)


def record_of(
    launching: Launching,
    events: tuple[CommandEvent, ...],
    transfers: tuple[Transfer, ...],
    host_ns: tuple[int, int],
    arguments: tuple[ArgumentFact, ...] | None = None,
) -> RunRecord:
    """The record of a launch that is complete, without printf and captures; `arguments` where they are known."""
    request = launching.request
    if arguments is None:
        arguments = argument_facts(request, launching.program.result)
    return RunRecord(
        request.kernel,
        launching.where.info,
        request.plan,
        arguments=arguments,
        events=events,
        transfers=transfers,
        program=request.program,
        clock_offset_ns=launching.where.clock_offset_ns,
        host_start_ns=host_ns[0],
        host_end_ns=host_ns[1],
        repeat=request.repeat,
        warmup=request.warmup,
        restored=_restores(request),
        engine=launching.engine,
        notes=_notes(launching, events),
        created=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )


def transfers_of(request: LaunchRequest, slots: Slots, events: Sequence[CommandEvent]) -> tuple[Transfer, ...]:
    """What moved for every array argument, slot by slot."""
    told: list[Transfer] = []
    for slot, arguments in by_slot(request).items():
        memory = slots[slot]
        if isinstance(memory, HostArray):
            told.extend(memory.transfers(events))
        else:
            told.extend(memory.transfer(argument) for argument in arguments)
    return tuple(told)


def _run_all(launching: Launching, kernel: Any, slots: Slots, log: EventLog) -> None:  # noqa: ANN401 - PyOpenCL's kernel
    request = launching.request
    hosts = _hosts(slots)
    for host in hosts:
        host.upload(log)
    restores = _restores(request)
    for host in hosts if restores else ():
        host.keep(log)
    backups = _backups(launching, slots, log) if restores else ()
    for place, run in enumerate(_run_numbers(request)):
        with log.in_run(run):
            for host in hosts if restores and place else ():
                host.restore(log)
            for backup in backups if place else ():
                backup.restore(log)
            enqueue_parts(launching.where, kernel, request, log)
    for host in hosts:
        host.download(log)


def _run_numbers(request: LaunchRequest) -> tuple[int, ...]:
    """-1, -2, … for warm-up, then 1, 2, …; a single run is run 0, as it happens once."""
    if request.repeat == 1 and not request.warmup:
        return (0,)
    return (*range(-1, -request.warmup - 1, -1), *range(1, request.repeat + 1))


def _restores(request: LaunchRequest) -> bool:
    return request.restore and request.repeat + request.warmup > 1


def _backups(launching: Launching, slots: Slots, log: EventLog) -> tuple[Backup, ...]:
    """Copies of what is on the device already and will be written; shared virtual memory cannot be copied like this."""
    buffers = opencl().MemoryObjectHolder
    parts: dict[tuple[int, int], ArrayArgument] = {}
    for argument in launching.request.arrays:
        memory = slots[argument.slot]
        if argument.direction != "in" and isinstance(memory, ResidentArray) and isinstance(memory.buffer, buffers):
            parts.setdefault((argument.slot, argument.offset_bytes), argument)
    found = ((slots[argument.slot], argument) for argument in parts.values())
    queue = launching.where.queue
    return tuple(Backup(queue, memory, part, log) for memory, part in found if isinstance(memory, ResidentArray))


def _hosts(slots: Slots) -> tuple[HostArray, ...]:
    return tuple(slot for slot in slots.values() if isinstance(slot, HostArray))


@contextlib.contextmanager
def _capturing(launching: Launching, into: Captured) -> Iterator[None]:
    """Catch what the kernel prints, unless it cannot print and nothing was to be recorded: that costs 50 µs."""
    if launching.request.capture == "none" and not launching.program.prints:
        yield
        return
    caught = Captured()
    try:
        with captured_output() as caught:
            yield
    finally:
        into.text = caught.text


@contextlib.contextmanager
def _finished(where: DeviceContext) -> Iterator[None]:
    """Wait for the queue at the end, also after an error: buffers and captures must outlive every command."""
    try:
        yield
    except BaseException:
        with contextlib.suppress(opencl().Error):
            where.queue.finish()
        raise
    where.queue.finish()


def _notes(launching: Launching, events: Sequence[CommandEvent]) -> tuple[str, ...]:
    request = launching.request
    notes = list(request.plan.notes)
    if request.timeout is not None and launching.engine == "inline":
        notes.append("timeout= was not kept: a kernel that runs in this process cannot be stopped")
    if not launching.where.profiling and not any(event.end_ns for event in events):
        notes.append(
            "no times: the queue was created without profiling; create it with PROFILING_ENABLE: "
            "cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)"
        )
    return tuple(notes)
