"""The engine that executes in a worker process: the default. A kernel may kill it; the notebook goes on.

Commands are sent as they come and answered in order. NumPy arrays travel through shared memory, each copied once each
way; what was written comes back when the answer does, so that the arrays of a launch that failed are as they were.
"""

from __future__ import annotations

import atexit
import dataclasses
import itertools
import os
import threading
import weakref
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from cl_magic.build.result import BuildResult
from cl_magic.engine import shared_memory
from cl_magic.engine.cargo import Cargo
from cl_magic.engine.commands import Build, Command, Free, Inspect, Launch, Prepare
from cl_magic.engine.death import idle_note
from cl_magic.engine.device_memory import DeviceMemory, MemoryKeeper, memory_of
from cl_magic.engine.drivers import Driver
from cl_magic.engine.fast_launch import FastLaunch
from cl_magic.engine.following import launched, remember
from cl_magic.engine.messages import kind_of
from cl_magic.engine.overruns import check_overruns
from cl_magic.engine.protocol import Prepared
from cl_magic.engine.recovery import replace_worker
from cl_magic.engine.shared_memory import Segment, SegmentPool, alignment_for
from cl_magic.engine.ticket import MemoryTicket, WorkerTicket
from cl_magic.engine.worker_link import WorkerLink
from cl_magic.engine.worker_memory import allocate_again, free_abandoned
from cl_magic.errors import EngineError
from cl_magic.launch.image_support import ImageSupport
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.request import runs_once
from cl_magic.record.run import RunRecord
from cl_magic.reflect.listing import Extracted

_RETRIES = 3


class WorkerEngine:
    """Executes commands on the devices of one driver, in a process of its own (see ``engine.protocol.Engine``).

    Parameters
    ----------
    driver : Driver
        The one driver that the process loads.
    devices : sequence of DeviceInfo
        Its devices as discovery found them; by default the worker is asked.
    shared : bool
        False sends the bytes of arrays in messages, as systems without shared memory files must.

    Examples
    --------
    >>> from cl_magic.engine.discovery import known_discovery
    >>> found = known_discovery()
    >>> engine = WorkerEngine(found.search.drivers[0])
    >>> engine.submit(Inspect()).result() == engine.devices()
    True
    >>> engine.close()
    """

    def __init__(self, driver: Driver, devices: Sequence[DeviceInfo] = (), *, shared: bool = True) -> None:
        self.name = "worker"
        self.driver = driver
        self._devices = {device.local_id: device for device in devices}
        self._shared = shared and shared_memory.available()
        self._closed = False
        self._builds: dict[tuple[str, str], Build] = {}
        self._workers = 0
        self._handles = itertools.count(1)
        self.memories = MemoryKeeper(self)
        self.dropped_handles: deque[tuple[WorkerLink, int]] = deque()
        self._reset()
        _ENGINES.add(self)

    def _reset(self) -> None:
        self.lock = self._lock = threading.RLock()
        self._link: WorkerLink | None = None
        self._obituary = ""
        alignment = alignment_for(self.driver.library or self.driver.name)
        self._pool = SegmentPool(alignment=alignment) if self._shared else None

    @property
    def link(self) -> WorkerLink | None:
        """The worker that commands go to; None where none was started."""
        return self._link

    @property
    def pid(self) -> int | None:
        """Process id of the running worker; None where none runs."""
        link = self._link
        return None if link is None or link.ended else link.process.pid

    def devices(self) -> tuple[DeviceInfo, ...]:
        """The devices this engine serves; starts the worker where discovery did not say."""
        if not self._devices:
            found = self.submit(Inspect()).result()
            self._devices = {device.local_id: device for device in found}
        return tuple(self._devices.values())

    def start(self) -> None:
        """Start the worker without waiting for it, so that the first command finds it ready."""
        with self._lock:
            self._running()

    def submit(self, command: Command, arrays: Sequence[Any] = ()) -> WorkerTicket:
        """Send a command to the worker, which is started where none runs.

        Parameters
        ----------
        command : Inspect, Build or Launch
        arrays : sequence of numpy.ndarray
            Copied now; those that the kernel writes are written back when the command is done. Where a command that
            is still open writes one of them, that command is waited for first.

        Raises
        ------
        EngineError
            The engine is closed, the worker cannot be started, or an array belongs to this process.
        """
        kind = kind_of(command)
        if kind == "launch" and not self._devices:
            self.devices()  # its record names the device only; the facts are known here
        notes = self._wait_for_writers(arrays)
        ticket = WorkerTicket(command, kind, Cargo(command, arrays, self._pool), notes)
        try:
            with self._lock:
                self._post(ticket)
        except BaseException:
            ticket.cargo.release()
            raise
        if isinstance(command, Launch):
            remember(command, arrays)
            launched(command, arrays, ticket)
        return ticket

    def _post(self, ticket: WorkerTicket) -> None:
        for _ in range(_RETRIES):  # a worker that ended between two commands has begun nothing: take the next one
            link = self._running()
            self._build_again(link, ticket)
            free_abandoned(link, self.memories, self._pool)
            allocate_again(link, ticket, self._pool)
            dropped = self._pool.dropped() if self._pool else ()
            if link.post(ticket, dropped):
                if isinstance(ticket.command, Build):
                    key = (ticket.command.spec.digest, ticket.command.device)
                    self._builds[key] = ticket.command
                    link.built.add(key)
                return
            link.ended = True
        msg = f"the worker process for {self.driver.name or 'OpenCL'} ends as soon as it is started"
        raise EngineError(msg, remedy="%opencl doctor looks at the driver; engine='inline' works without a worker")

    def _ended(self, link: WorkerLink) -> None:
        if not self._closed:
            self._obituary = idle_note(link.death) if link.death else ""
            replace_worker(self, link)

    def _running(self) -> WorkerLink:
        if self._closed:
            msg = "this engine is closed"
            raise EngineError(msg, remedy="build the program again")
        if self._link is None or self._link.ended:
            self._workers += 1
            self._link = WorkerLink(self.driver, self._workers, self._finish, self._ended)
        return self._link

    def _build_again(self, link: WorkerLink, ticket: WorkerTicket) -> None:
        """Give a new worker the program that a launch needs, before the launch."""
        command = ticket.command
        if not isinstance(command, Launch | Prepare):
            return
        if self._obituary:
            ticket.notes += (self._obituary,)
            self._obituary = ""
        key = (command.request.program, command.device)
        build = self._builds.get(key)
        if build is None or key in link.built:
            return
        link.post(WorkerTicket(build, "build", Cargo(build, (), None)))
        link.built.add(key)
        ticket.notes += (f"worker {link.number} was started and the program built again in it",)

    def memory(self, device: str, nbytes: int) -> DeviceMemory:
        """Memory on a device that both sides see.

        Raises
        ------
        EngineError
            This system has no shared memory files.
        ArgumentError, LaunchError
            There is no room for it.
        """
        if self._pool is None:
            msg = "device arrays in a worker need shared memory files, which this system does not have"
            raise EngineError(msg, remedy="use engine='inline'")
        made = self.memories.allocate(device, nbytes, self._pool)
        made.shared = any("cpu" in one.type for one in self.devices() if one.local_id == device)
        return made

    def live_program(self, digest: str, device: str) -> Any:  # noqa: ANN401, ARG002 - as every engine's
        """EngineError: the program lives in the worker process."""
        msg = "PyOpenCL's own objects of this program live in its worker process and cannot come to this one"
        raise EngineError(msg, remedy="use the inline engine: clm.Session(engine='inline').build(…)")

    def release_memory(self, command: Free, segment: Segment | None) -> None:
        """Free memory of a device; its pages are used again when the worker has let go of them."""
        with self._lock:
            link = self._link
            if link is None or link.ended or not link.post(MemoryTicket(command, segment, self._pool)):
                MemoryTicket(command, segment, self._pool).settle(lambda: True)

    def submit_to(self, link: WorkerLink, command: Command) -> WorkerTicket:
        """Send a command that only one worker can answer; its ticket fails where that one has ended."""
        ticket = WorkerTicket(command, kind_of(command), Cargo(command, (), None))
        with self._lock:
            if not link.post(ticket):
                ticket.settle(lambda: link.refuse(ticket))
        return ticket

    def new_handle(self) -> int:
        """A number for a prepared launch."""
        return next(self._handles)

    def _wait_for_writers(self, arrays: Sequence[Any]) -> tuple[str, ...]:
        link = self._link
        if link is None or not arrays:
            return ()
        writers = [ticket for ticket in link.open if ticket.cargo.overlaps(arrays)]
        if not writers:
            return ()
        writers[-1].wait()
        return (f"waited for {writers[-1].label}, which writes an array of this launch",)

    def _finish(self, ticket: WorkerTicket, value: Any, columns: list[memoryview]) -> Any:  # noqa: ANN401
        """Make the worker's value the engine's: arrays copied back, devices by their ids in this notebook."""
        launched = ticket.link.run_ticket() if ticket.kind == "collect" else ticket
        if launched is not None:
            check_overruns(launched)
        there, back = ticket.cargo.unload(columns)
        if isinstance(value, RunRecord):
            device = self._devices.get(value.device.local_id, value.device)
            notes = (*value.notes, *ticket.notes)
            transfers = (*there, *value.transfers, *back)
            return dataclasses.replace(value, device=device, transfers=transfers, notes=notes, engine=self.name)
        if isinstance(value, BuildResult):
            known = self._devices.get(value.device_id)
            return value if known is None else dataclasses.replace(value, device_id=known.id)
        if isinstance(value, ImageSupport | Extracted | bool):
            return value
        return tuple(
            self._devices.get(device.local_id, dataclasses.replace(device, driver=self.driver.name)) for device in value
        )

    def prepare(self, command: Launch, arrays: Sequence[Any] = ()) -> Prepared:
        """Return a callable that launches again: by one short message where all arrays are the device's.

        Arrays of the host are copied both ways each time; so is what a kernel prints.
        """
        memories = [memory for array in arrays if (memory := memory_of(array)) is not None]
        if len(memories) == len(arrays) and command.request.timeout is None and runs_once(command.request):
            fast = FastLaunch(self, command, memories)
            if not fast.prints:
                return fast
        return PreparedLaunch(self, command, [memory_of(array) or array for array in arrays])

    def restart(self) -> None:
        """End the worker; the next command starts a new one, with the programs this engine had."""
        link = self._link
        if link is None:
            return
        link.stop()  # first and without the lock: a submit may hold it, waiting for a worker that does not read
        with self._lock:
            if self._link is link:
                self._link = None

    def close(self) -> None:
        """End the worker and give its memory back; open tickets fail."""
        self._closed = True
        self.restart()
        with self._lock:  # a worker that was being started in the background is there by now, or never will be
            pass
        self.restart()
        self.memories.close()
        if self._pool is not None:
            self._pool.close()

    def after_fork(self) -> None:
        """In a forked child: the worker is the parent's; this process starts its own when it needs one."""
        link = self._link
        self._reset()
        if link is not None:
            link.forget()


class PreparedLaunch:
    """A launch that can be submitted again, with changed values (see ``engine.protocol.Prepared``)."""

    def __init__(self, engine: WorkerEngine, command: Launch, arrays: Sequence[Any]) -> None:
        self._engine, self._command, self._arrays = engine, command, list(arrays)

    def __call__(self, changed: Sequence[tuple[int, Any]] = ()) -> WorkerTicket:
        """Submit; `changed` gives NumPy scalars or arrays by argument index, and they stay (OpenCL 1.2, 5.7.2)."""
        for index, value in changed:
            self._change(index, value)
        return self._engine.submit(self._command, self._arrays)

    def _change(self, index: int, value: Any) -> None:  # noqa: ANN401 - a NumPy scalar or array
        request = self._command.request
        memory = (*request.arrays, *request.images)
        slot = next((argument.slot for argument in memory if argument.index == index), None)
        if slot is not None:
            self._arrays[slot] = value
            return
        data = np.asarray(value).tobytes()
        scalars = tuple(
            dataclasses.replace(scalar, data=data, text=str(value)) if scalar.index == index else scalar
            for scalar in request.scalars
        )
        self._command = dataclasses.replace(self._command, request=dataclasses.replace(request, scalars=scalars))


_ENGINES: weakref.WeakSet[WorkerEngine] = weakref.WeakSet()


@atexit.register
def close_all() -> None:
    """End all workers of this process; runs at its exit."""
    for engine in list(_ENGINES):
        engine.close()


def _after_fork() -> None:
    for engine in list(_ENGINES):
        engine.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
