"""A command on its way to a worker process."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import Any

from cl_magic.engine.cargo import Cargo
from cl_magic.engine.commands import Build, Command, Free, Launch
from cl_magic.engine.messages import Kind
from cl_magic.engine.shared_memory import Segment, SegmentPool
from cl_magic.engine.waiting import acquire, complete_interrupt
from cl_magic.errors import EngineError
from cl_magic.record.waiting import Stopped, Waiting
from cl_magic.show import load_view

_START_S = 10.0
"""Seconds that the start of a worker may add to a limit."""
_GLANCE_S = 0.25
_END_S = 1.0
"""Seconds to wait for the end of a worker that was killed."""


class WorkerTicket:
    """A command on its way (see :class:`cl_magic.engine.protocol.Ticket`).

    Attributes
    ----------
    number : int
        In the order of the worker that got it.
    cargo : Cargo
        Its arrays; released when it is done.
    notes : tuple of str
        For the record.
    """

    __slots__ = (
        "_done",
        "_error",
        "_settled",
        "_value",
        "about",
        "begin",
        "cargo",
        "command",
        "kind",
        "limit",
        "link",
        "notes",
        "number",
    )

    def __init__(self, command: Command, kind: Kind, cargo: Cargo, notes: tuple[str, ...] = ()) -> None:
        self.command, self.kind, self.cargo, self.notes = command, kind, cargo, notes
        self.about: str | None = None
        """Name of the kernel whose run it asks about."""
        self.number = 0
        self.link: Any = None
        """The WorkerLink that carries it, once posted."""
        self.begin = time.monotonic()
        self.limit: float | None = command.request.timeout if isinstance(command, Launch) else None
        """Seconds that it may take: a launch's ``timeout=``; a build's is set by who waits for it."""
        self._value: Any = None
        self._error: BaseException | None = None
        self._settled = False
        self._done = Lock()  # held until the end; `_settled` says it without touching the lock
        self._done.acquire()

    @property
    def kernel(self) -> str | None:
        """Name of the kernel of a launch."""
        return self.command.request.kernel if isinstance(self.command, Launch) else self.about

    @property
    def label(self) -> str:
        """What it is, for errors: ``kernel blur``, ``build``."""
        return f"kernel {self.kernel}" if self.kernel else self.kind

    @property
    def done(self) -> bool:
        """Whether `result` would return or raise at once."""
        return self._settled

    @property
    def progress(self) -> float | None:
        """Share done: 1 at the end, else not known."""
        return 1.0 if self.done else None

    def settle(self, work: Callable[[], Any]) -> None:
        """Take the value of `work`, or the error it raises; whoever waits goes on. Arrays are released."""
        try:
            self._value = work()
        except BaseException as error:  # noqa: BLE001 - raised again by `result`
            self._error = error
        try:
            self.cargo.release()
        finally:
            self._settled = True
            self._done.release()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end; False after `timeout` seconds. Ctrl-C ends the worker and goes on up, saying so."""
        if self._settled:
            return True
        try:
            in_time = acquire(self._done, timeout, self.state)
        except KeyboardInterrupt as interrupt:
            if not self._settled:
                self.link.kill("you interrupted it")
                self._stopped(interrupt)
            raise
        if in_time:
            self._done.release()
        return in_time

    def _stopped(self, interrupt: KeyboardInterrupt) -> None:
        """Complete an interrupt with what the end of the worker came to."""
        if self._done.acquire(timeout=_END_S):
            self._done.release()
        facts = getattr(self._error, "facts", {})
        partly, lost = (tuple(facts.get(name) or ()) for name in ("partly_written", "lost"))
        complete_interrupt(interrupt, Stopped(self._told, time.monotonic() - self.begin, partly, lost))

    @property
    def _told(self) -> str:
        """What it is, for a person who waits: ``kernel blur``, ``build of cell [4]``."""
        command = self.command
        return f"build of {command.spec.source_map.name}" if isinstance(command, Build) else self.label

    def state(self) -> Waiting:
        """What is waited for, for an observer."""
        return Waiting(self._told, time.monotonic() - self.begin, self.progress, self.limit)

    def result(self, timeout: float | None = None) -> Any:  # noqa: ANN401 - one type a command
        """Wait for the command's value.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait; the command goes on after a TimeoutError. (Its own `limit` ends it.)

        Raises
        ------
        TimeoutError
            Not done within `timeout`.
        ClMagicError
            What the command raised; WorkerDiedError where the worker ended first.
        """
        late = self._first_limited()
        left = None if late is None else late.time_left()
        if late is not None and left is not None and (timeout is None or left < timeout):
            if not self.wait(left):
                if late.done or late.last_moment > time.monotonic():  # one in front ended in time; its turn came later
                    return self.result(None if timeout is None else timeout - left)
                self.link.kill(f"{late.label} took longer than timeout={late.limit:g} s", over_time=late)
                self.wait()
        elif not self.wait(timeout):
            msg = f"{self.label} is not done after {timeout:g} s; it goes on"
            raise TimeoutError(msg)
        if self._error is not None:
            load_view("display")  # the error's text is then the whole report
            raise self._error
        return self._value

    def _first_limited(self) -> WorkerTicket | None:
        """Of this command and those before it, the one whose limit ends first."""
        ahead = () if self.link is None or self._settled else self.link.open
        limited = [one for one in ahead if one.limit is not None and one.number < self.number]
        if self.limit is not None:
            limited.append(self)
        return min(limited, key=lambda one: one.last_moment, default=None)

    @property
    def last_moment(self) -> float:
        """Monotonic time at which a command with a limit is over time, counted from its turn: the last answer."""
        turn = self.begin if self.link is None else max(self.begin, self.link.last_answer)
        return turn + (self.limit or 0.0) + (_START_S if self._starting else 0.0)

    @property
    def _starting(self) -> bool:
        """Whether its worker has answered nothing yet."""
        return self.link is not None and not self.link.answered

    def time_left(self) -> float:
        """Seconds to wait before looking again: to its last moment, or a moment of the start of its worker."""
        left = max(0.0, self.last_moment - time.monotonic())
        return min(left, _GLANCE_S) if self._starting else left

    def cancel(self) -> bool:
        """Give up the command if it has not begun; False where it has."""
        return not self.done and bool(self.link.process.give_up(self.number))

    def cancelled_error(self) -> EngineError:
        """What `result` raises for a command that was given up."""
        return EngineError(f"{self.label} was given up before it began", remedy="submit it again", cancelled=True)


class MemoryTicket(WorkerTicket):
    """A Free on its way; the pages go back to the pool when it is done, or when the worker has ended."""

    __slots__ = ("_pool", "_segment")

    def __init__(self, command: Free, segment: Segment | None, pool: SegmentPool | None) -> None:
        super().__init__(command, "free", Cargo(command, (), None))
        self._segment, self._pool = segment, pool

    def settle(self, work: Callable[[], Any]) -> None:
        """Take the answer, and give the pages back."""
        super().settle(work)
        segment, self._segment = self._segment, None
        if segment is not None and self._pool is not None:
            self._pool.give(segment)
