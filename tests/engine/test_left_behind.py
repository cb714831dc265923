"""Nothing is left of workers: no process, no memory file, no temporary file; however notebook and worker end. R-12."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.leaks import child_pids, memory_files
from support.scripts import run_script, start_script

from cl_magic.engine.commands import Inspect
from cl_magic.engine.discovery import known_discovery
from cl_magic.engine.worker import WorkerEngine
from cl_magic.errors import WorkerDiedError
from cl_magic.launch.limits import DeviceInfo

SCRIPT = """
import os, sys
import numpy as np
import cl_magic as clm
from cl_magic.device import device, engine_for
program = clm.build("kernel void add(global int *y) { y[0] += 1; }")
y = np.zeros(4, np.int32)
program.add(y, global_size=1)
print(os.getpid(), engine_for(device(None)).pid, flush=True)
%s
"""


@pytest.fixture
def worker(real_device: DeviceInfo) -> Iterator[WorkerEngine]:
    found = known_discovery()
    engine = WorkerEngine(found.driver(real_device), [real_device])
    yield engine
    engine.close()


def folders(pid: int) -> list[str]:
    """Temporary folders of the workers of a process."""
    return [path.name for path in Path(tempfile.gettempdir()).glob(f"cl_magic-{pid}-*")]


def soon(left: Path, within_s: float = 5.0) -> bool:
    """Whether a path is gone, now or soon."""
    deadline = time.monotonic() + within_s
    while left.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return not left.exists()


@pytest.mark.parametrize("end", ["", "raise ValueError('in the middle')", "sys.exit(3)"])
def test_a_script_that_ends(end: str) -> None:
    done = run_script(SCRIPT % end)
    parent, worker = map(int, done.stdout.split())
    assert soon(Path(f"/proc/{worker}"))
    assert folders(parent) == []


def test_a_notebook_that_is_killed() -> None:
    with start_script(SCRIPT % "sys.stdin.read()") as script:
        assert script.stdout is not None
        parent, worker = map(int, script.stdout.readline().split())
        assert folders(parent)
        script.send_signal(signal.SIGKILL)
    assert soon(Path(f"/proc/{worker}"))
    assert folders(parent) == []


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=[pytest.mark.slow, pytest.mark.timeout(600)])])
def test_restarts_in_a_row(worker: WorkerEngine, count: int) -> None:
    """Half of them asked for, half of them by a kill."""
    worker.submit(Inspect()).result()
    before = (len(child_pids()), memory_files(), threading.active_count(), len(folders(os.getpid())), _files())
    for turn in range(count):
        if turn % 2:
            worker.restart()
        else:
            _kill(worker)
        assert worker.submit(Inspect()).result()
    deadline = time.monotonic() + 10
    now = before[:0]
    while time.monotonic() < deadline and now != before:
        time.sleep(0.05)
        now = (len(child_pids()), memory_files(), threading.active_count(), len(folders(os.getpid())), _files())
    assert now == before


def _kill(worker: WorkerEngine) -> None:
    ticket, killed = worker.submit(Inspect()), worker.pid
    os.kill(killed or 0, signal.SIGKILL)
    try:
        ticket.result(20)
    except WorkerDiedError as died:
        assert died.signal == "SIGKILL"  # noqa: PT017 - it may have answered before
    deadline = time.monotonic() + 20
    while worker.pid == killed and time.monotonic() < deadline:
        time.sleep(0.001)  # a command that is written before the end is noticed ends with the old worker


def _files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_arrays_of_a_closed_engine_are_given_back(worker: WorkerEngine) -> None:
    before = memory_files()
    assert worker._pool is not None
    segment = worker._pool.take(np.zeros(100_000).nbytes)
    assert memory_files() - before
    worker._pool.give(segment)
    worker.close()
    assert not memory_files() - before
