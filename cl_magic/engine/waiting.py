"""Waiting for a command under the eyes of an observer: what takes over 2 s is told, once a second, until its end.

The observer is one for the process; the magics register theirs. It is asked in the main thread only, the one whose
cell runs. Ctrl-C and Jupyter's stop button arrive there as KeyboardInterrupt, which this module completes.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from threading import Lock
from typing import Protocol

from cl_magic.record.waiting import Stopped, Waiting

FIRST_S = 2.0
"""Seconds after which a wait is told."""
STEP_S = 1.0
"""Seconds between two tellings."""
_NEVER = -1.0


class WaitObserver(Protocol):
    """Is told of long waits. What it raises is dropped, KeyboardInterrupt excepted."""

    def waiting(self, state: Waiting) -> None:
        """Show a wait that goes on: first after 2 s, then once a second."""

    def ended(self, state: Waiting) -> None:
        """Take back what `waiting` showed, however the wait ended."""


_observer: WaitObserver | None = None


def observe_waits(observer: WaitObserver | None) -> WaitObserver | None:
    """Make `observer` the one that is told of long waits (None: nobody), and return the one before.

    Examples
    --------
    >>> observe_waits(None) is None
    True
    """
    global _observer
    before, _observer = _observer, observer
    return before


def acquire(done: Lock, timeout_s: float | None, state: Callable[[], Waiting]) -> bool:
    """Wait until `done` can be acquired, and acquire it; the observer is told of a long wait.

    Parameters
    ----------
    done : Lock
    timeout_s : float or None
        Seconds to wait at most; None: without end.
    state : callable
        Gives what is waited for, as it is now.

    Returns
    -------
    bool
        False after `timeout_s`.

    Examples
    --------
    >>> acquire(Lock(), 1.0, lambda: Waiting("build", 0.0))
    True
    """
    observer = _observer
    limit = _NEVER if timeout_s is None else max(0.0, timeout_s)
    if observer is None or threading.current_thread() is not threading.main_thread():
        return done.acquire(timeout=limit)
    first = max(STEP_S, FIRST_S - state().elapsed_s)  # a wait that begins late, or goes on after a kill, is short
    if timeout_s is not None and limit <= first:
        return done.acquire(timeout=limit)
    if done.acquire(timeout=first):
        return True
    end = None if timeout_s is None else time.monotonic() + limit - first
    try:
        return _told(done, end, observer, state)
    finally:
        with contextlib.suppress(Exception):  # a view that fails must not fail the run
            observer.ended(state())


def _told(done: Lock, end: float | None, observer: WaitObserver, state: Callable[[], Waiting]) -> bool:
    while True:
        with contextlib.suppress(Exception):
            observer.waiting(state())
        left = STEP_S if end is None else min(STEP_S, end - time.monotonic())
        if done.acquire(timeout=max(0.0, left)):
            return True
        if end is not None and time.monotonic() >= end:
            return False


def complete_interrupt(interrupt: KeyboardInterrupt, stopped: Stopped) -> None:
    """Make an interrupt say what it stopped: in its text, and as the one line that IPython shows of it.

    Examples
    --------
    >>> interrupt = KeyboardInterrupt()
    >>> complete_interrupt(interrupt, Stopped("build", 4.0))
    >>> str(interrupt).startswith("build was stopped after 4.0 s")
    True
    """
    interrupt.args = (stopped.sentence,)
    interrupt.stopped = stopped  # type: ignore[attr-defined]  # a fact for whoever catches it
    line = f"KeyboardInterrupt: {stopped.sentence}"
    interrupt._render_traceback_ = lambda: [line]  # type: ignore[attr-defined]
