"""Runs that follow a control: one on its way, one wish behind it, the latest wins, and Stop ends what runs.

Whoever asks only leaves a wish and goes on; a thread of the queue begins the launch and waits for its end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cl_magic.errors import EngineError, WorkerDiedError
from cl_magic.launch.controls import Launched

SHORT_S = 0.15
"""Seconds after which a run is told of as begun."""
CLOSING_S = 1.0
"""Seconds that a run has to end when its panel is closed."""
_ATTEMPTS = 3
IDLE_S = 5.0
"""Seconds without a wish after which the thread ends; the next wish begins another one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, or (`over` False) that it began.

    Attributes
    ----------
    number : int
        Of the queue's runs, from 1.
    wish : object
        As it was asked for.
    record : RunRecord or None
    error : Exception or None
    stopped : bool
        Whether somebody stopped it; what `error` says is then the end of the worker.
    elapsed_s : float
    over : bool
    """

    number: int
    wish: Any
    record: Any = None
    error: Exception | None = None
    stopped: bool = False
    elapsed_s: float = 0.0
    over: bool = True


class RunQueue:
    """At most one run on its way, and at most one wish waiting.

    Parameters
    ----------
    begin : callable
        Called with a wish in the queue's thread; returns a launch on its way.
    tell : callable
        Called with an Outcome at the end of each run in the queue's thread, and before that where the run takes longer
        than 0.15 s.

    Attributes
    ----------
    last : Outcome or None
        The latest run that ended.

    Examples
    --------
    >>> class Done:
    ...     done = True
    ...     def wait(self, timeout=None): return "a record"
    ...     def stop(self): return False
    >>> queue = RunQueue(lambda wish: Done(), lambda outcome: None)
    >>> queue.ask("wish")
    >>> queue.join(10), queue.last.record
    (True, 'a record')
    """

    def __init__(self, begin: Callable[[Any], Launched], tell: Callable[[Outcome], None]) -> None:
        self._begin, self._tell = begin, tell
        self._changed = threading.Condition()
        self._pending: list[Any] = []
        self._running: Launched | None = None
        self._busy = self._stopping = False
        self._thread: threading.Thread | None = None
        self.number = self._over = 0
        self.last: Outcome | None = None

    @property
    def busy(self) -> bool:
        """Whether a run is on its way or waits."""
        return self._busy or bool(self._pending)

    def ask(self, wish: Any) -> None:  # noqa: ANN401 - whatever `begin` takes
        """Leave a wish; one that still waits is dropped for it."""
        with self._changed:
            self._pending[:] = [wish]
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="cl_magic runs", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def stop(self) -> bool:
        """End what runs and drop what waits; False where neither is."""
        with self._changed:
            waiting = bool(self._pending)
            self._pending.clear()
            if not self._busy:
                return waiting
            self._stopping = True
            running = self._running
        if running is not None:
            running.stop()
        return True

    def close(self) -> None:
        """Drop what waits; what runs gets a second to end, as its end by force ends the work of others there too."""
        with self._changed:
            self._pending.clear()
            number = self.number if self._busy else 0
        if number:
            late = threading.Timer(CLOSING_S, lambda: self.stop() if self.number == number else None)
            late.daemon = True
            late.start()

    def join(self, timeout_s: float | None = None) -> bool:
        """Wait until nothing runs or waits; False after `timeout_s`."""
        with self._changed:
            return self._changed.wait_for(lambda: not self.busy, timeout_s)

    def result(self, what: str, timeout_s: float | None = None) -> Any:  # noqa: ANN401 - a RunRecord
        """Wait until nothing runs or waits; the last run's record, or what it raised.

        Raises
        ------
        TimeoutError
            `what` was not over after `timeout_s`; it goes on.
        """
        if not self.join(timeout_s):
            message = f"{what} is not done after {timeout_s:g} s; it goes on"
            raise TimeoutError(message)
        if self.last is None:
            message = f"{what} did not run: its wish was dropped"
            raise EngineError(message, remedy="run it again")
        if self.last.error is not None:
            raise self.last.error
        return self.last.record

    def _next(self) -> Any:  # noqa: ANN401 - a wish; None where none came
        with self._changed:
            self._changed.wait_for(lambda: self._pending, IDLE_S)
            if not self._pending:
                self._thread = None
                return None
            self._busy, self._stopping = True, False
            self.number += 1
            return self._pending.pop()

    def _work(self) -> None:
        while (wish := self._next()) is not None:
            begun = time.monotonic()
            late = threading.Timer(SHORT_S, self._tell_begin, (self.number, wish))
            late.daemon = True
            late.start()
            record, error = self._run(wish)
            late.cancel()
            elapsed = time.monotonic() - begun
            with self._changed:  # not told as running any more
                self._over = self.number
            outcome = Outcome(self.number, wish, record, error, self._stopping and error is not None, elapsed)
            self.last = outcome
            self._tell(outcome)
            with self._changed:
                self._busy, self._running = False, None
                self._changed.notify_all()

    def _tell_begin(self, number: int, wish: Any) -> None:  # noqa: ANN401
        """Tell of a run that takes its time; a short one is told when it is over, with its picture."""
        with self._changed:
            if self._over < number:
                self._tell(Outcome(number, wish, over=False))

    def _run(self, wish: Any) -> tuple[Any, Exception | None]:  # noqa: ANN401
        for _ in range(_ATTEMPTS - 1):
            record, error = self._run_once(wish)
            # The worker ended at somebody else's launch, before it was at this one: its next one does it.
            if not isinstance(error, WorkerDiedError) or error.facts.get("begun", True) or self._stopping:
                return record, error
        return self._run_once(wish)

    def _run_once(self, wish: Any) -> tuple[Any, Exception | None]:  # noqa: ANN401
        try:
            launched = self._begin(wish)
            with self._changed:
                self._running = launched
                stop = self._stopping
            if stop:  # it was asked for during the build
                launched.stop()
            return launched.wait(), None
        except Exception as error:  # noqa: BLE001 - shown in place of the run's picture
            return None, error
