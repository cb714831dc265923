"""Prepared launches over the worker's channel: a run is one short binary message, and nothing is answered.

A run's message is kind, count of changed values, handle, the changed values, number of the run; number 0 says that
nobody will run the handle any more. The worker keeps what
the run ended with until somebody asks (:class:`cl_magic.engine.commands.Collect`), so that times are read only then.
A launch that somebody waits for is sent in the same form, with another kind and the number of the command, and answered
as every launch is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from cl_magic.engine import following
from cl_magic.engine.cargo import Cargo
from cl_magic.engine.channel import frame_prefix
from cl_magic.engine.commands import Collect, Command, Launch, Poll, Prepare
from cl_magic.engine.device_memory import DeviceMemory
from cl_magic.engine.run_messages import LAUNCH_MESSAGE, NUMBER, Changed, run_head, run_message
from cl_magic.engine.ticket import WorkerTicket
from cl_magic.errors import EngineError

if TYPE_CHECKING:
    from cl_magic.engine.worker_link import WorkerLink
    from cl_magic.launch.request import ScalarArgument
    from cl_magic.record.run import RunRecord


class Sender(Protocol):
    """What runs need of the engine of a worker."""

    lock: Any
    dropped_handles: deque[tuple[WorkerLink, int]]

    @property
    def link(self) -> WorkerLink | None:
        """The worker that commands go to."""

    def submit(self, command: Command, arrays: Sequence[Any] = ()) -> WorkerTicket:
        """Send a command."""

    def submit_to(self, link: WorkerLink, command: Command) -> WorkerTicket:
        """Send a command that only one worker can answer."""

    def new_handle(self) -> int:
        """A number for a prepared launch."""


class WorkerRun:
    """One run of a prepared launch (see :class:`cl_magic.engine.protocol.Ticket`)."""

    __slots__ = ("_asked", "_engine", "_launch", "_link", "_record", "limit", "number")

    def __init__(self, engine: Sender, launch: Launch, link: WorkerLink, number: int) -> None:
        self._engine, self._launch, self._link, self.number = engine, launch, link, number
        self._asked: WorkerTicket | None = None
        self.limit: float | None = None
        """Seconds it may take: a launch with a limit is never prepared like this."""
        self._record: RunRecord | None = None

    @property
    def done(self) -> bool:
        """Whether `result` would return or raise at once; asks the worker where it is not known yet."""
        link = self._link
        if self._record is not None or link.ended or link.runs_over >= self.number:
            return True
        if self._engine.submit_to(link, Poll(self._launch.device, self.number)).result():
            link.runs_over = max(link.runs_over, self.number)
            return True
        return False

    @property
    def progress(self) -> float | None:
        """None: a device does not tell how far a kernel is."""
        return None

    def cancel(self) -> bool:
        """False: it was sent."""
        return False

    def result(self, timeout: float | None = None) -> RunRecord:
        """Wait for the end; the same record at every call.

        Raises
        ------
        TimeoutError
            It was not complete after `timeout` seconds.
        LaunchError
            The runtime refused or failed it.
        WorkerDiedError
            The worker ended before somebody asked for it.
        """
        if self._record is None:
            if self._asked is None:
                if self._link.ended:
                    raise self._link.dead(self._launch)
                self._asked = self._engine.submit_to(self._link, Collect(self._launch.device, self.number))
                self._asked.about = self._launch.request.kernel
            self._record = self._asked.result(timeout)
            self._link.runs_over = max(self._link.runs_over, self.number)
        return self._record


class FastLaunch:
    """A launch set in the worker once and run by number (see ``engine.protocol.Prepared``).

    Parameters
    ----------
    engine : Sender
    command : Launch
        Captures nothing, runs once, has no time limit.
    memories : sequence of DeviceMemory
        By slot.
    """

    def __init__(self, engine: Sender, command: Launch, memories: Sequence[DeviceMemory]) -> None:
        self._engine, self._command, self._memories = engine, command, tuple(memories)
        written = {memories[array.slot] for array in command.request.arrays if array.direction != "in"}
        self._written = tuple(memory for memory in written if not memory.shared)
        self._changed: dict[int, bytes] = {}
        self._sizes = {scalar.index: len(scalar.data) for scalar in command.request.scalars}
        self._link: WorkerLink | None = None
        self._handle = 0
        self._plain = b""
        self.prints = False
        following.remember(command, self._memories)
        with engine.lock:
            self._set_again()

    def __del__(self) -> None:
        link = getattr(self, "_link", None)
        if link is not None:  # this may be any thread: the next prepare tells the worker
            self._engine.dropped_handles.append((link, self._handle))

    def __call__(self, changed: Sequence[tuple[int, Any]] = ()) -> WorkerRun:
        """Run it; `changed` gives new scalars first, by argument index, which then stay (OpenCL 1.2, 5.7.2).

        Raises
        ------
        ArgumentError
            A changed value has another size than the argument.
        """
        engine = self._engine
        with engine.lock:
            if changed:
                changed = [(index, self._bytes(index, value)) for index, value in changed]
            link, changed = self._ready(changed)
            link.runs_sent += 1
            number = link.runs_sent
            if changed:
                message = run_message(self._handle, number, changed)
                link.send_run(frame_prefix(len(message)) + message, self._command, self._memories)
            else:
                link.send_run(self._plain + NUMBER.pack(number), self._command, self._memories)
        run = WorkerRun(engine, self._command, link, number)
        if following.FOLLOWERS:
            following.launched(self._command, self._memories, run)
        return run

    def launch(self, changed: Sequence[ScalarArgument] = ()) -> WorkerTicket:
        """Launch it as :meth:`cl_magic.engine.protocol.Engine.submit` does, by a short message; scalars stay changed.

        Errors, limits and interrupts are those of every launch.
        """
        engine = self._engine
        with engine.lock:
            if changed:
                self._command = _with_scalars(self._command, changed)
            told: Changed = [(scalar.index, scalar.data) for scalar in changed]
            while True:  # a worker that ended between two commands has begun nothing: take the next one
                link, told = self._ready(told)
                ticket = WorkerTicket(self._command, "launch", Cargo(self._command, self._memories, None))
                ticket.number = link.next_number()
                message = run_message(self._handle, ticket.number, told, LAUNCH_MESSAGE)
                if link.post_frame(ticket, frame_prefix(len(message)) + message):
                    break
                link.ended = True
        if following.FOLLOWERS:
            following.launched(self._command, self._memories, ticket)
        return ticket

    def _ready(self, changed: Changed) -> tuple[WorkerLink, Changed]:
        """Worker that has it set, which may be a new one, and the values that differ there."""
        if changed:
            self._changed.update(changed)
        link = self._link
        if link is None or link.ended or link is not self._engine.link:
            link = self._set_again()
            changed = list(self._changed.items())
        for memory in self._written:
            memory.ahead = True
        return link, changed

    def _bytes(self, index: int, value: Any) -> bytes:  # noqa: ANN401 - a NumPy scalar or bytes
        data = value if isinstance(value, bytes) else np.asarray(value).tobytes()
        if len(data) != self._sizes.get(index):
            kernel = self._command.request.kernel
            wanted = self._sizes.get(index)
            message = f"{kernel}: argument {index} cannot be changed to {len(data)} bytes; it has {wanted or 'none'}"
            raise EngineError(message, remedy="prepare the launch again", kernel=kernel, index=index)
        return data

    def _set_again(self) -> WorkerLink:
        """Set it in the running worker, which may be a new one."""
        engine, command = self._engine, self._command
        while engine.dropped_handles:
            worker, handle = engine.dropped_handles.popleft()
            if worker is engine.link and not worker.ended:
                message = run_message(handle, 0)
                worker.send_run(frame_prefix(len(message)) + message, command)
        self._handle = engine.new_handle()
        ticket = engine.submit(Prepare(command.request, command.device, self._handle), self._memories)
        self.prints = bool(ticket.result())
        link: WorkerLink = ticket.link
        self._link = link
        head = run_head(self._handle)
        self._plain = frame_prefix(len(head) + NUMBER.size) + head
        return link


def _with_scalars(command: Launch, changed: Sequence[ScalarArgument]) -> Launch:
    """Return the launch with other scalars, for what errors say of it."""
    given = {scalar.index: scalar for scalar in changed}
    scalars = tuple([given.get(scalar.index, scalar) for scalar in command.request.scalars])
    return replace(command, request=replace(command.request, scalars=scalars))
