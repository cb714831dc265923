"""How far a sweep is, told to the observer of long waits: the notebook shows it as one line, and how to stop it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from cl_magic.engine.waiting import FIRST_S, STEP_S, WaitObserver, observe_waits
from cl_magic.record.waiting import Waiting


class _Within:
    """Tells the observer of the sweep's own progress where one of its launches takes long."""

    def __init__(self, outer: WaitObserver, state: Callable[[], Waiting]) -> None:
        self._outer, self._state = outer, state

    def waiting(self, state: Waiting) -> None:
        """A launch takes its time: say so of the sweep."""
        self._outer.waiting(replace(self._state(), limit_s=state.limit_s))

    def ended(self, state: Waiting) -> None:
        """A launch is over, the sweep is not."""


@contextlib.contextmanager
def told(kernel: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yield a function that is called with the number of settings done.

    Examples
    --------
    >>> with told("f", 2) as done:
    ...     done(1)
    """
    begin = time.monotonic()
    finished, shown = 0, begin + FIRST_S - STEP_S

    def state() -> Waiting:
        return Waiting(f"sweep of {kernel}, {finished} of {total}", time.monotonic() - begin, finished / max(1, total))

    outer = observe_waits(None)
    observe_waits(None if outer is None else _Within(outer, state))

    def done(count: int) -> None:
        nonlocal finished, shown
        finished = count
        if outer is not None and time.monotonic() - shown >= STEP_S and count < total:
            shown = time.monotonic()
            with contextlib.suppress(Exception):
                outer.waiting(state())

    try:
        yield done
    finally:
        observe_waits(outer)
        if outer is not None:
            with contextlib.suppress(Exception):
                outer.ended(state())
