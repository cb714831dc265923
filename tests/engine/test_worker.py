"""The worker process: how it ends, what is left then, what it must never do to the notebook."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.engine_commands import CRASH, ENDLESS, SAXPY, array_argument, built, launch, saxpy, scalar
from support.leaks import child_pids
from support.scripts import run_script, start_script

from cl_magic.device import device as choose
from cl_magic.engine.commands import Inspect
from cl_magic.engine.discovery import known_discovery
from cl_magic.engine.ticket import WorkerTicket
from cl_magic.engine.worker import WorkerEngine
from cl_magic.errors import EngineError, WorkerDiedError
from cl_magic.launch.limits import DeviceInfo


@pytest.fixture
def target(real_device: DeviceInfo) -> DeviceInfo:
    return real_device


@pytest.fixture
def worker(target: DeviceInfo) -> Iterator[WorkerEngine]:
    found = known_discovery()
    engine = WorkerEngine(found.driver(target), [d for d in found.devices if d.driver == target.driver])
    yield engine
    engine.close()


def numbers(n: int = 256) -> tuple[Any, Any]:
    return np.arange(n, dtype=np.float32), np.ones(n, dtype=np.float32)


def spin(engine: WorkerEngine, target: DeviceInfo, timeout: float | None = None) -> WorkerTicket:
    """An endless kernel, on its way."""
    x = np.zeros(4, dtype=np.int32)
    command = launch(target, ENDLESS, "spin", 1, arrays=(array_argument(0, "x", x, "inout"),), timeout=timeout)
    return built(engine, ENDLESS, target).submit(command, (x,))


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def gone(pid: int, within_s: float = 5.0) -> bool:
    deadline = time.monotonic() + within_s
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return not Path(f"/proc/{pid}").exists()


def test_it_is_started_late_in_a_session_of_its_own(worker: WorkerEngine) -> None:
    assert worker.pid is None
    worker.start()
    pid = worker.pid
    worker.submit(Inspect()).result()
    assert worker.pid == pid
    assert os.getsid(pid) == pid
    environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    assert f"OCL_ICD_VENDORS={worker.driver.name}".encode() in environment
    assert not any(entry.startswith(b"PYTEST_CURRENT_TEST") for entry in environment)
    assert int(Path(f"/proc/{pid}/oom_score_adj").read_text()) == 500


def test_its_output_descriptors_are_its_own(worker: WorkerEngine) -> None:
    worker.submit(Inspect()).result()
    for descriptor in (1, 2):
        theirs = Path(f"/proc/{worker.pid}/fd/{descriptor}").stat()
        assert (theirs.st_dev, theirs.st_ino) != (os.fstat(descriptor).st_dev, os.fstat(descriptor).st_ino)


def test_a_kernel_that_kills_it_is_an_error_and_the_next_command_works(
    worker: WorkerEngine, target: DeviceInfo
) -> None:
    built(worker, SAXPY, target)
    x = np.arange(4, dtype=np.int32)
    before = x.copy()
    command = launch(
        target,
        CRASH,
        "far",
        4,
        arrays=(array_argument(0, "x", x, "inout"),),
        scalars=(scalar(1, "way", np.int64(1 << 44)),),
    )
    with pytest.raises(WorkerDiedError) as died:
        built(worker, CRASH, target).submit(command, (x,)).result()
    assert died.value.signal == "SIGSEGV"
    assert died.value.exit_code is None
    assert died.value.kernel == "far"
    assert died.value.begun
    assert died.value.remedy
    assert np.array_equal(x, before)
    a, b = numbers()
    run = worker.submit(saxpy(target, a, b, 2.0), (a, b)).result()  # built again by itself
    assert np.array_equal(b, 1 + 2 * a)
    assert any("built again" in note for note in run.notes)


def test_killed_from_outside(worker: WorkerEngine, target: DeviceInfo) -> None:
    ticket = spin(worker, target)
    waiting = worker.submit(Inspect())
    pid = worker.pid
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerDiedError) as died:
        ticket.result(10)
    assert (died.value.signal, died.value.kernel, died.value.begun) == ("SIGKILL", "spin", True)
    with pytest.raises(WorkerDiedError) as behind:
        waiting.result(10)
    assert not behind.value.begun
    assert "spin" in str(behind.value)
    assert gone(pid)
    assert worker.submit(Inspect()).result()
    assert worker.pid != pid


def test_killed_between_two_commands_costs_nothing(worker: WorkerEngine, target: DeviceInfo) -> None:
    x, y = numbers()
    built(worker, SAXPY, target)
    os.kill(worker.pid, signal.SIGKILL)
    with contextlib.suppress(WorkerDiedError):  # the notebook may see the end during the first one
        worker.submit(saxpy(target, x, y, 1.0), (x, y)).result()
    y[:] = 1
    worker.submit(saxpy(target, x, y, 1.0), (x, y)).result()
    assert np.array_equal(y, 1 + x)


def test_a_time_limit_ends_the_worker(worker: WorkerEngine, target: DeviceInfo) -> None:
    begin = time.monotonic()
    ticket = spin(worker, target, timeout=0.3)
    with pytest.raises(WorkerDiedError) as died:
        ticket.result()
    assert time.monotonic() - begin < 10
    assert "0.3 s" in died.value.reason


def test_waiting_shorter_than_the_command_takes(worker: WorkerEngine, target: DeviceInfo) -> None:
    ticket = spin(worker, target)
    with pytest.raises(TimeoutError):
        ticket.result(0.05)
    assert not ticket.done
    assert ticket.progress is None


def test_a_command_that_has_not_begun_can_be_given_up(worker: WorkerEngine, target: DeviceInfo) -> None:
    running = spin(worker, target)
    waiting = worker.submit(Inspect())
    time.sleep(0.2)
    assert waiting.cancel()
    assert not running.cancel()
    worker.restart()
    with pytest.raises(EngineError):
        waiting.result(5)
    assert not waiting.cancel()


def test_a_given_up_command_says_so(worker: WorkerEngine, target: DeviceInfo) -> None:
    running = spin(worker, target)
    waiting = worker.submit(Inspect())
    time.sleep(0.1)
    assert waiting.cancel()
    worker._link.kill("the test ends it")
    with pytest.raises(WorkerDiedError):
        running.result(5)


def test_ctrl_c_while_waiting_ends_the_worker_only(worker: WorkerEngine, target: DeviceInfo) -> None:
    ticket = spin(worker, target)
    timer = threading.Timer(0.3, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ticket.result(30)
    timer.join()
    with pytest.raises(WorkerDiedError) as died:
        ticket.result(5)
    assert "interrupted" in died.value.reason
    assert worker.submit(Inspect()).result()


def test_an_array_still_being_written_is_waited_for(worker: WorkerEngine, target: DeviceInfo) -> None:
    x, y = numbers()
    built(worker, SAXPY, target)
    tickets = [worker.submit(saxpy(target, x, y, 1.0), (x, y)) for _ in range(5)]
    notes = [ticket.result().notes for ticket in tickets]
    assert np.array_equal(y, 1 + 5 * x)
    assert any("waited for" in note for run in notes for note in run) or all(ticket.done for ticket in tickets)


def test_the_copies_of_the_notebook_are_in_the_record(worker: WorkerEngine, target: DeviceInfo) -> None:
    x, wide = numbers()[0], np.zeros(512, dtype=np.float32)
    y = wide[::2]
    run = built(worker, SAXPY, target).submit(saxpy(target, x, y, 1.0), (x, y)).result()
    copies = [(t.parameter, t.direction, t.nbytes, t.how) for t in run.transfers if "shared memory" in t.how]
    assert copies == [
        ("x", "to device", 1024, "copied into shared memory"),
        ("y", "to device", 1024, "gathered into shared memory"),
        ("y", "from device", 1024, "scattered from shared memory"),
    ]
    assert all(t.duration_ns > 0 for t in run.transfers if "shared memory" in t.how)


def test_without_shared_memory_the_bytes_travel_in_messages(target: DeviceInfo) -> None:
    found = known_discovery()
    engine = WorkerEngine(found.driver(target), [target], shared=False)
    x, y = numbers(300_000)
    run = built(engine, SAXPY, target).submit(saxpy(target, x, y, 2.0), (x, y)).result()
    assert np.array_equal(y, 1 + 2 * x)
    assert any("message" in t.how for t in run.transfers)
    engine.close()


def test_arrays_of_this_process_are_refused_by_name(worker: WorkerEngine, target: DeviceInfo) -> None:
    x, _ = numbers()
    command = saxpy(target, x, x, 1.0)
    with pytest.raises(EngineError) as refused:
        built(worker, SAXPY, target).submit(command, (x, object()))
    assert refused.value.parameter == "y"


def test_twenty_restarts_leave_nothing(worker: WorkerEngine) -> None:
    worker.submit(Inspect()).result()
    files, children, threads = open_files(), len(child_pids()), threading.active_count()
    for _ in range(20):
        worker.restart()
        worker.submit(Inspect()).result()
    assert open_files() == files
    assert len(child_pids()) == children
    assert threading.active_count() == threads


def test_a_closed_engine_refuses(worker: WorkerEngine) -> None:
    worker.submit(Inspect()).result()
    pid = worker.pid
    worker.close()
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(EngineError):
        worker.submit(Inspect())
    worker.close()


PARENT = """
import sys
from cl_magic.device import device, engine_for
from support.engine_commands import ENDLESS, array_argument, built, launch
import numpy as np
target = device(None)
engine = engine_for(target)
x = np.zeros(4, dtype=np.int32)
built(engine, ENDLESS, target)
{extra}
print(engine.pid, flush=True)
sys.stdin.read()
"""
SPIN = "engine.submit(launch(target, ENDLESS, 'spin', 1, arrays=(array_argument(0, 'x', x, 'inout'),)), (x,))"


@pytest.mark.parametrize("extra", ["", SPIN], ids=["idle", "in an endless kernel"])
def test_a_notebook_that_is_killed_leaves_no_worker(extra: str) -> None:
    parent = start_script(PARENT.format(extra=extra))
    with parent:
        pid = int(parent.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        parent.kill()
    assert gone(pid)


def test_the_notebook_loads_no_driver_and_a_script_ends_by_itself() -> None:
    done = run_script(
        """
import sys
import numpy as np
from cl_magic.device import device, engine_for
from support.engine_commands import SAXPY, built, saxpy
target = device(None)
x, y = np.ones(64, np.float32), np.ones(64, np.float32)
engine = built(engine_for(target), SAXPY, target)
engine.submit(saxpy(target, x, y, 2.0), (x, y)).result()
assert (y == 3).all()
assert "pyopencl" not in sys.modules
print("pid", engine.pid)
"""
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    assert gone(int(done.stdout.split()[1]))


def test_a_forked_child_has_a_worker_of_its_own() -> None:
    done = run_script(
        """
import os
from cl_magic.device import device, engine_for
from cl_magic.engine.commands import Inspect
engine = engine_for(device(None))
engine.submit(Inspect()).result()
pid = engine.pid
child = os.fork()
if child == 0:
    engine.submit(Inspect()).result()
    own = engine.pid
    engine.close()
    os._exit(0 if own != pid else 1)
status = os.waitpid(child, 0)[1]
engine.submit(Inspect()).result()
assert engine.pid == pid
print("child", status)
"""
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "child 0\n"


def test_a_file_named_numpy_beside_the_notebook_is_not_imported(
    tmp_path: Path, target: DeviceInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    engine = WorkerEngine(known_discovery().driver(target))
    assert engine.submit(Inspect()).result()
    engine.close()


def test_the_chosen_device_is_no_simulator() -> None:
    assert not choose(None).simulator
