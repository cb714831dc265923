"""One run at a time: the latest wish wins, Stop is heard during a build too, a worker that others ended is no error."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from cl_magic.errors import WorkerDiedError
from cl_magic.widgets.run_queue import Outcome, RunQueue


class Gate:
    """A launch that ends when it is let go or stopped."""

    def __init__(self, wish: Any) -> None:
        self.wish = wish
        self.stopped = False
        self._over = threading.Event()

    @property
    def done(self) -> bool:
        return self._over.is_set()

    def wait(self, timeout: float | None = None) -> Any:
        assert self._over.wait(30 if timeout is None else timeout)
        if self.stopped:
            message = "it was stopped"
            raise WorkerDiedError(message, begun=True)
        return self.wish

    def stop(self) -> bool:
        self.stopped = True
        self._over.set()
        return True

    def go(self) -> None:
        self._over.set()


def _queue(begun: list[Gate], told: list[Outcome]) -> RunQueue:
    def begin(wish: Any) -> Gate:
        begun.append(Gate(wish))
        return begun[-1]

    return RunQueue(begin, told.append)


def _until(condition: Any) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_one_runs_one_waits_and_the_latest_wins() -> None:
    begun: list[Gate] = []
    told: list[Outcome] = []
    queue = _queue(begun, told)
    queue.ask("a")
    _until(lambda: begun)
    queue.ask("b")
    queue.ask("c")
    assert len(begun) == 1
    begun[0].go()
    _until(lambda: len(begun) == 2)
    begun[1].go()
    assert queue.join(20)
    assert [outcome.record for outcome in told if outcome.over] == ["a", "c"]
    assert queue.result("f") == "c"


def test_a_long_run_is_told_of_before_its_end_and_a_short_one_is_not() -> None:
    begun: list[Gate] = []
    told: list[Outcome] = []
    queue = _queue(begun, told)
    queue.ask("short")
    _until(lambda: begun)
    begun[0].go()
    assert queue.join(20)
    assert [outcome.over for outcome in told] == [True]
    queue.ask("long")
    _until(lambda: len(told) == 2)
    assert not told[1].over
    begun[1].go()
    assert queue.join(20)
    assert [outcome.over for outcome in told] == [True, False, True]


def test_stop_ends_what_runs_and_drops_what_waits() -> None:
    begun: list[Gate] = []
    told: list[Outcome] = []
    queue = _queue(begun, told)
    assert not queue.stop()
    queue.ask("a")
    _until(lambda: queue._running is not None)
    queue.ask("b")
    assert queue.stop()
    assert queue.join(20)
    assert len(begun) == 1
    assert queue.last is not None
    assert queue.last.stopped
    with pytest.raises(WorkerDiedError):
        queue.result("f")


def test_stop_during_a_build_ends_the_launch_that_follows() -> None:
    building, built = threading.Event(), threading.Event()
    gate = Gate("a")

    def begin(_: Any) -> Gate:
        building.set()
        assert built.wait(20)
        return gate

    queue = RunQueue(begin, lambda _: None)
    queue.ask("a")
    assert building.wait(20)
    assert queue.stop()
    built.set()
    assert queue.join(20)
    assert gate.stopped


def test_a_worker_that_ended_before_it_was_at_the_launch_is_asked_again() -> None:
    tries: list[Any] = []

    class Lost:
        done = True

        def wait(self, timeout: float | None = None) -> Any:  # noqa: ARG002 - of the protocol
            if len(tries) < 2:
                message = "it had not begun"
                raise WorkerDiedError(message, begun=False)
            return "record"

        def stop(self) -> bool:
            return False

    queue = RunQueue(lambda wish: tries.append(wish) or Lost(), lambda _: None)
    queue.ask("a")
    assert queue.join(20)
    assert queue.result("f") == "record"
    assert tries == ["a", "a"]


def test_closing_lets_a_run_end_and_stops_one_that_does_not() -> None:
    begun: list[Gate] = []
    queue = _queue(begun, [])
    queue.ask("a")
    _until(lambda: queue._running is not None)
    queue.close()
    assert not begun[0].stopped
    assert queue.join(20)
    assert begun[0].stopped


def test_a_wait_that_is_too_short_says_so() -> None:
    begun: list[Gate] = []
    queue = _queue(begun, [])
    queue.ask("a")
    with pytest.raises(TimeoutError, match="f is not done"):
        queue.result("f", 0.05)
    _until(lambda: begun)
    begun[0].go()
