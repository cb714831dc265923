"""An endless kernel ends within a second of Ctrl-C or of its limit, and the worker never sees the signal itself."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
from support.scripts import run_script

from cl_magic.device import engine_for
from cl_magic.errors import LaunchTimeoutError, WorkerDiedError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program
from cl_magic.session import Session

SOURCE = """
kernel void spin(global volatile int *x) { while (x[0] == 0) { } }
kernel void add(global int *y) { y[get_global_id(0)] += 1; }
"""


@pytest.fixture
def program(real_device: DeviceInfo) -> Program:
    return Session(real_device).build(SOURCE)


def works(program: Program) -> None:
    y = np.zeros(8, np.int32)
    program.add(y, global_size=8)
    assert y.all()


def test_ctrl_c_ends_an_endless_kernel_within_a_second(program: Program) -> None:
    works(program)
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt) as stopped:
        program.spin(np.zeros(4, np.int32), global_size=1)
    assert time.monotonic() - sent[0] < 1.0
    timer.join()
    assert "spin" in str(stopped.value)
    works(program)


def test_a_limit_ends_an_endless_kernel(program: Program) -> None:
    works(program)
    x = np.zeros(4, np.int32)
    begin = time.monotonic()
    with pytest.raises(LaunchTimeoutError) as late:
        program.spin(x, global_size=1, timeout=0.4)
    assert 0.4 <= time.monotonic() - begin < 1.4
    error = late.value
    assert (error.kernel, error.timeout, error.begun, error.arrays_unchanged) == ("spin", 0.4, True, ("x",))
    assert error.signal == "SIGKILL"
    assert "timeout=" in error.remedy
    works(program)


def test_who_waits_behind_a_launch_with_a_limit_is_not_kept_for_ever(program: Program) -> None:
    works(program)
    first = program.spin(np.zeros(4, np.int32), global_size=1, timeout=0.4, wait=False)
    begin = time.monotonic()
    with pytest.raises(WorkerDiedError) as behind:
        program.add(np.zeros(8, np.int32), global_size=8)
    assert time.monotonic() - begin < 3
    assert not behind.value.begun
    with pytest.raises(LaunchTimeoutError):
        first.wait()
    works(program)


def test_an_interrupt_of_the_terminal_does_not_reach_the_worker(program: Program, real_device: DeviceInfo) -> None:
    works(program)
    engine: Any = engine_for(real_device, "worker")
    assert os.getpgid(engine.pid) == os.getsid(engine.pid) == engine.pid
    assert os.getpgid(engine.pid) != os.getpgid(0)


def test_a_script_stops_at_ctrl_c_as_at_any_other() -> None:
    done = run_script(
        """
import os, signal, threading
import numpy as np
import cl_magic as clm
program = clm.build("kernel void spin(global volatile int *x) { while (x[0] == 0) { } }")
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    program.spin(np.zeros(4, np.int32), global_size=1)
except Exception:
    print("swallowed")
""",
    )
    assert done.returncode == -signal.SIGINT
    assert not done.stdout
    assert "KeyboardInterrupt" in done.stderr
