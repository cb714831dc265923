"""Long waits: told after 2 s, once a second, taken back at the end; the time limit of a notebook (issue 3, 2)."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from threading import Lock
from typing import Any

import pytest
from support.shell import Lab, fresh_lab

from cl_magic.engine import waiting
from cl_magic.engine.waiting import acquire, complete_interrupt, observe_waits
from cl_magic.magics.waits_shown import NotebookWaits, TerminalWaits
from cl_magic.record.waiting import Stopped, Waiting
from cl_magic.session import session


class Watcher:
    """An observer that remembers."""

    def __init__(self, fault: BaseException | None = None) -> None:
        self.told: list[Waiting] = []
        self.ends = 0
        self.fault = fault

    def waiting(self, state: Waiting) -> None:
        self.told.append(state)
        if self.fault:
            raise self.fault

    def ended(self, _state: Waiting) -> None:
        self.ends += 1
        if self.fault:
            raise self.fault


@pytest.fixture
def watcher(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watcher]:
    monkeypatch.setattr(waiting, "FIRST_S", 0.05)
    monkeypatch.setattr(waiting, "STEP_S", 0.02)
    made = Watcher()
    before = observe_waits(made)
    yield made
    observe_waits(before)


def held(seconds: float) -> Lock:
    """A lock that is free after that time."""
    lock = Lock()
    lock.acquire()
    threading.Timer(seconds, lock.release).start()
    return lock


def state() -> Waiting:
    return Waiting("kernel blur", 0.0)


def test_a_short_wait_is_not_told(watcher: Watcher) -> None:
    assert acquire(held(0.01), None, state)
    assert (watcher.told, watcher.ends) == ([], 0)


def test_a_long_wait_is_told_until_its_end(watcher: Watcher) -> None:
    assert acquire(held(0.2), None, state)
    assert len(watcher.told) >= 2
    assert watcher.ends == 1


def test_a_limit_ends_the_wait(watcher: Watcher) -> None:
    lock = Lock()
    lock.acquire()
    assert not acquire(lock, 0.15, state)
    assert watcher.ends == 1
    assert not acquire(lock, 0.01, state)
    assert not acquire(lock, 0.0, state)
    assert watcher.ends == 1


def test_an_observer_that_fails_does_not_fail_the_wait(watcher: Watcher) -> None:
    watcher.fault = ValueError("no display")
    assert acquire(held(0.15), None, state)
    watcher.fault = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        acquire(held(0.15), None, state)


def test_other_threads_are_not_told(watcher: Watcher) -> None:
    thread = threading.Thread(target=lambda: acquire(held(0.15), None, state))
    thread.start()
    thread.join()
    assert watcher.told == []


def test_an_interrupt_says_what_it_stopped() -> None:
    interrupt = KeyboardInterrupt()
    complete_interrupt(interrupt, Stopped("kernel spin", 3.24, ("y",), ("lut",)))
    assert interrupt.stopped.partly_written == ("y",)  # type: ignore[attr-defined]
    for words in ("kernel spin was stopped after 3.2 s", "y may be partly written", "lut"):
        assert words in str(interrupt)
    assert "\n" not in str(interrupt)


class Shell:
    """As much of a shell as an output needs."""

    def __init__(self) -> None:
        self.display_pub = self
        self.sent: list[dict[str, Any]] = []

    def publish(self, data: dict[str, Any], **words: Any) -> None:
        self.sent.append({"data": data, **words})


def test_a_notebook_gets_one_output_that_ends_empty() -> None:
    shell = Shell()
    waits = NotebookWaits(shell)
    waits.ended(Waiting("kernel blur", 1.0))
    assert shell.sent == []
    for second in (2.0, 3.0):
        waits.waiting(Waiting("kernel blur", second, progress=0.25, limit_s=10))
    waits.ended(Waiting("kernel blur", 3.5))
    assert [sent["update"] for sent in shell.sent] == [False, True, True]
    assert len({sent["transient"]["display_id"] for sent in shell.sent}) == 1
    first, _, last = (sent["data"] for sent in shell.sent)
    for words in ("blur", "running 2 s", "25 % done", "10 s", "interrupt the kernel"):
        assert words in first["text/plain"]
    assert 'aria-live="polite"' in first["text/html"]
    assert set(last.values()) == {""}
    waits.waiting(Waiting("build", 2.0))
    assert shell.sent[-1]["update"] is False


class Screen(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (Screen(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        waits = TerminalWaits()
        for second in (2.0, 3.0):
            waits.waiting(Waiting("kernel blur", second))
        waits.ended(Waiting("kernel blur", 3.5))
        assert "Ctrl-C" in stream.getvalue()
        assert stream.getvalue().count("\n") == (0 if stream.isatty() else 1)
    assert "3 s" not in stream.getvalue()


@pytest.fixture
def lab() -> Iterator[Lab]:
    with fresh_lab() as made:
        yield made


def test_config_sets_the_limit_of_all_launches(lab: Lab) -> None:
    assert session().timeout is None
    lab.run("%config OpenCL.timeout = 10")
    assert session().timeout == 10
    lab.run("%config OpenCL.timeout = None")
    assert session().timeout is None


def test_a_limit_that_is_none_is_refused(lab: Lab, caplog: pytest.LogCaptureFixture) -> None:
    """IPython logs what a setting refuses, and keeps the value of before."""
    lab.run("%config OpenCL.timeout = 10")
    lab.run("%config OpenCL.timeout = 0")
    assert "seconds above 0" in caplog.text
    assert session().timeout == 10


def test_unloading_takes_settings_and_observer_away() -> None:
    before = observe_waits(None)
    with fresh_lab() as lab:
        lab.run("%config OpenCL.timeout = 10")
        lab.shell.extension_manager.reload_extension("cl_magic")
        assert session().timeout == 10  # the shell's own configuration keeps it
        assert [type(one).__name__ for one in lab.shell.configurables].count("OpenCL") == 1
        shell = lab.shell
    assert not [one for one in shell.configurables if type(one).__name__ in ("OpenCL", "OpenCLMagics")]
    assert session().timeout is None
    assert observe_waits(before) is None
