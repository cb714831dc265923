"""One running worker with the commands it has: posted in order, answered in order, failed together when it ends."""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cl_magic.engine.cargo import Cargo
from cl_magic.engine.channel import ChannelClosedError
from cl_magic.engine.commands import Command, Launch
from cl_magic.engine.death import CLOSED, Death, lost_error
from cl_magic.engine.drivers import Driver
from cl_magic.engine.exits import ProcessEnd
from cl_magic.engine.messages import (
    CommandHeader,
    NewSegment,
    ReplyHeader,
    decode_reply,
    encode_command,
    encode_value,
    kind_of,
    reply_value,
)
from cl_magic.engine.room import oom_kills
from cl_magic.engine.ticket import WorkerTicket
from cl_magic.engine.worker_process import WorkerEnd, WorkerProcess
from cl_magic.errors import DeviceLostError, EngineError, WorkerDiedError

if TYPE_CHECKING:
    from cl_magic.engine.device_memory import DeviceMemory

_END_WAIT_S = 3.0
_OWN_WORK = frozenset({"launch", "build"})
"""Commands that fail by themselves; at others, a prepared launch that was run before is what ended the worker."""
_SUSPECTS = 8
"""Launches that are named when a worker ends outside one."""

Finish = Callable[[WorkerTicket, Any, list[memoryview]], Any]
Ended = Callable[["WorkerLink"], None]


class WorkerLink:
    """A worker process, its open commands and the thread that reads its answers.

    Parameters
    ----------
    driver : Driver
    number : int
        Which worker of its engine this is, from 1.
    finish : callable
        ``finish(ticket, value, columns)`` gives the value that `ticket` returns, from the worker's.
    replace : callable
        ``replace(link)`` is called when the worker has ended, before its open commands fail.

    Attributes
    ----------
    built : set of (str, str)
        Digest and device of the builds that were sent to this worker.
    ended : bool
        No command can be posted any more.
    """

    def __init__(self, driver: Driver, number: int, finish: Finish, replace: Ended) -> None:
        self.number = number
        self.process = WorkerProcess(driver)
        self.built: set[tuple[str, str]] = set()
        self.ended = False
        self.reason = ""
        self.death: Death | None = None
        self.launched: deque[str] = deque(maxlen=_SUSPECTS)
        """Kernels that it has run since its start, the last one last."""
        self._over_time: WorkerTicket | None = None
        self._lost: list[DeviceLostError] = []
        self.last_answer = 0.0
        self._oom_kills = oom_kills()
        self._finish, self._replace = finish, replace
        self._posted = 0
        self.answered = 0
        """Commands that it has answered."""
        self.runs_sent = 0
        """Runs of prepared launches that were sent."""
        self.runs_over = 0
        """Number of the last run that is known to be over; all before it are (one queue, in order)."""
        self.unanswered: Launch | None = None
        self._run_memories: list[weakref.ref[DeviceMemory]] = []  # what is only kept for an error keeps no memory
        self._open: deque[WorkerTicket] = deque()
        self._ending = threading.Lock()
        self._reader = threading.Thread(target=self._read, name=f"cl_magic-worker-{self.process.pid}", daemon=True)
        self._reader.start()

    @property
    def open(self) -> tuple[WorkerTicket, ...]:
        """Commands without an answer yet, in order."""
        return tuple(self._open)

    def post(self, ticket: WorkerTicket, dropped: tuple[int, ...] = ()) -> bool:
        """Send a command; False where the worker had ended, and nothing was sent. One thread at a time."""
        header, columns, descriptors = self._message(ticket, dropped)
        segments = ticket.cargo.segments  # the answer, which may come at once, lets the cargo go
        with self._ending:
            if self.ended:
                return False
            ticket.link = self
            self._open.append(ticket)
        try:
            self.process.channel.send(header, columns, descriptors)
        except ChannelClosedError:
            return not self._take_back(ticket)
        except EngineError:  # over a limit: nothing was sent
            self._take_back(ticket)
            raise
        except BaseException:  # Ctrl-C: perhaps half a frame was sent, and the worker would wait for the rest
            self.kill("sending a command was interrupted")
            raise
        for segment in segments:
            segment.known_to = self.number
        return True

    def next_number(self) -> int:
        """Number of the command that is posted next."""
        self._posted += 1
        return self._posted

    def post_frame(self, ticket: WorkerTicket, frame: bytes) -> bool:
        """Send a numbered command whose bytes the caller has, as :meth:`post` does."""
        with self._ending:
            if self.ended:
                return False
            ticket.link = self
            self._open.append(ticket)
        try:
            self.process.channel.send_frame(frame)
        except ChannelClosedError:
            return not self._take_back(ticket)
        except BaseException:  # Ctrl-C: perhaps half a frame was sent
            self.kill("sending a launch was interrupted")
            raise
        return True

    def send_run(self, frame: bytes, command: Launch, memories: Sequence[DeviceMemory] = ()) -> None:
        """Send a run of a prepared launch; it is answered only when somebody asks. One thread at a time.

        Parameters
        ----------
        frame : bytes
        command : Launch
            What was prepared.
        memories : sequence of DeviceMemory
            Its arrays, by slot.

        Raises
        ------
        WorkerDiedError
            The worker has ended.
        """
        if self.unanswered is not command:
            self.unanswered, self._run_memories = command, [weakref.ref(memory) for memory in memories]
            self.launched.append(command.request.kernel)
        try:
            self.process.channel.send_frame(frame)
        except ChannelClosedError:
            raise self.dead(command) from None
        except BaseException:  # Ctrl-C: perhaps half a frame was sent
            self.kill("sending a launch was interrupted")
            raise

    def run_ticket(self) -> WorkerTicket | None:
        """The last prepared launch that was run, as a ticket: for what it says of itself and its arrays."""
        command = self.unanswered
        memories = [memory for known in self._run_memories if (memory := known()) is not None]
        whole = memories if len(memories) == len(self._run_memories) else ()
        return None if command is None else WorkerTicket(command, "launch", Cargo(command, whole, None))

    def dead(self, command: Command) -> WorkerDiedError:
        """The error for a command that this worker, which has ended, cannot take any more."""
        if self._reader is not threading.current_thread():
            self._reader.join(_END_WAIT_S)
        run = self.run_ticket()
        ticket = run or WorkerTicket(command, kind_of(command), Cargo(command, (), None))
        return (self.death or Death(WorkerEnd(ProcessEnd(None, None)))).error(ticket, begun=run is not None)

    def refuse(self, ticket: WorkerTicket) -> None:
        """Fail a command that only this worker, which has ended, could answer."""
        raise self.dead(ticket.command)

    def _message(self, ticket: WorkerTicket, dropped: tuple[int, ...]) -> tuple[bytes, list[Any], list[int]]:
        ticket.number = self.next_number()
        cargo = ticket.cargo
        body, columns = encode_value(cargo.command)
        parts = [*columns, *cargo.columns]
        new = [segment for segment in cargo.segments if segment.known_to != self.number]
        header = CommandHeader(
            number=ticket.number,
            kind=ticket.kind,
            body=body,
            columns=tuple([len(part) for part in parts]),
            arrays=cargo.places,
            new_segments=tuple([NewSegment(segment.number, segment.nbytes) for segment in new]),
            dropped_segments=dropped,
        )
        return encode_command(header), parts, [segment.fd for segment in new]

    def _take_back(self, ticket: WorkerTicket) -> bool:
        """Remove a command that could not be sent; False where the reader has failed it already."""
        with self._ending:
            if ticket not in self._open:
                return False
            self._open.remove(ticket)
            return True

    def _read(self) -> None:
        fault = ""
        try:
            while True:
                header, columns = decode_reply(self.process.channel.receive())
                self._answer(header, columns)
        except ChannelClosedError:
            pass
        except EngineError as error:
            fault = error.message
            self.process.kill()
        self._end(fault)

    def _answer(self, header: ReplyHeader, columns: list[memoryview]) -> None:
        if not self._open or self._open[0].number != header.number:
            msg = f"the worker answered command {header.number}, which it was not asked"
            raise EngineError(msg)
        ticket = self._open.popleft()
        self.last_answer = time.monotonic()
        self.answered += 1
        if ticket.kernel and (not self.launched or self.launched[-1] != ticket.kernel):
            self.launched.append(ticket.kernel)

        def value() -> Any:  # noqa: ANN401 - one type a command
            if header.kind == "cancelled":
                raise ticket.cancelled_error()
            cut = len(columns) - (0 if header.kind == "error" else ticket.cargo.returning)
            try:
                return self._finish(ticket, reply_value(header, ticket.kind, columns[:cut]), columns[cut:])
            except DeviceLostError as error:
                self.kill("the device was lost")
                self._lost.append(lost_error(error, ticket))
                raise self._lost[-1] from None

        ticket.settle(value)

    def _end(self, damaged: str) -> None:
        """Fail what is open: the first command was running, the others had not begun."""
        end = self.process.wait()
        with self._ending:
            self.ended = True
            left = tuple(self._open)
            self._open.clear()
        running = left[0] if left else None
        launched = tuple(dict.fromkeys(self.launched))
        kills = oom_kills() - self._oom_kills
        self.death = Death(end, running, self.reason, damaged, self._over_time, launched, kills)
        self.death.errors.extend(self._lost)
        self._replace(self)
        run = self.run_ticket() if running is not None and running.kind not in _OWN_WORK else None
        for ticket in left:
            blamed = run if run is not None and ticket is running else ticket
            error = self.death.error(blamed, begun=ticket is running)
            ticket.settle(lambda error=error: _raise(error))  # type: ignore[misc]

    def kill(self, reason: str, over_time: WorkerTicket | None = None) -> None:
        """End the worker at once; its open commands fail and say why, `over_time` as one that took too long."""
        self.reason, self._over_time = self.reason or reason, self._over_time or over_time
        self.process.kill()

    def stop(self, timeout_s: float = 3.0) -> None:
        """Let the worker end, by force where it does not; nothing is left of it afterwards."""
        self.reason = self.reason or CLOSED
        self.process.stop()
        self._reader.join(timeout_s)
        if self._reader.is_alive():
            self.process.kill()
            self._reader.join(timeout_s)

    def forget(self) -> None:
        """In a forked child: leave the worker to the parent."""
        self.ended = True
        self.process.forget()


def _raise(error: BaseException) -> None:
    raise error
