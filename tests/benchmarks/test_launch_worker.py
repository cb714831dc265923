"""What a launch costs in a worker, against PyOpenCL's ``kernel(queue, …)`` in the same run (design.md, 8).

Also a program: ``python tests/benchmarks/test_launch_worker.py [DEVICE]`` prints the numbers for any device.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # as pytest does

from support.benchmarks_device import pyopencl_device

import cl_magic as clm
from cl_magic.engine.commands import Poll
from cl_magic.errors import DeviceNotFoundError
from cl_magic.launch.limits import DeviceInfo

CALLS = 200
"""In a row without waiting: fewer than fill the socket's buffer, so that the call and not the device is timed."""
ROUNDS = 25
SOURCE = """kernel void saxpy(global float *y, global const float *x, float a, int n)
{ int i = get_global_id(0); if (i < n) y[i] += a * x[i]; }"""
SIZE = {"global_size": 64, "local_size": 4}


class Lane:
    """The same launch: 2 arrays that are on the device already, 2 scalars, nothing captured."""

    def __init__(self, device: DeviceInfo) -> None:
        host = np.zeros(64, dtype=np.float32)
        self.program = clm.Session(device=device).build(SOURCE)
        self.arrays = [clm.array(host, device=device) for _ in "yx"]
        self.values = (*self.arrays, np.float32(2), np.int32(64))
        self.prepared = self.program.saxpy.prepare(*self.values, **SIZE)
        self.engine: Any = self.program.engine
        live = pyopencl_device(device)
        context = cl.Context([live])
        self.queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
        buffers = [cl.Buffer(context, cl.mem_flags.READ_WRITE, host.nbytes) for _ in "yx"]
        with warnings.catch_warnings(action="ignore"):  # some drivers always write a log
            self.kernel = cl.Kernel(cl.Program(context, SOURCE).build(cache_dir=False), "saxpy")
        self.theirs = (*buffers, np.float32(2), np.int32(64))
        self.number = 0

    def pyopencl(self) -> Any:
        return self.kernel(self.queue, (64,), (4,), *self.theirs)

    def pipelined(self) -> Any:
        return self.program.saxpy(*self.values, **SIZE, wait=False)

    def changed(self) -> Any:
        self.number += 1
        return self.program.saxpy(*self.arrays, np.float32(self.number), 64, **SIZE, wait=False)

    def round_trip(self) -> Any:
        return self.engine.submit_to(self.engine.link, Poll(self.program.device.local_id, 1)).result()

    def blocking(self) -> Any:
        return self.program.saxpy(*self.values, **SIZE, capture="none")

    def pyopencl_blocking(self) -> None:
        self.pyopencl().wait()

    def settle(self) -> None:
        """Wait for everything that was enqueued."""
        self.queue.finish()
        self.arrays[0].wait()

    def time_us(self, *calls: Callable[[], Any]) -> list[float]:
        """Fastest of the rounds for each of the calls, in turn: what a call costs when nothing else runs."""
        best = [float("inf")] * len(calls)
        for _ in range(ROUNDS):
            for place, call in enumerate(calls):
                call()
                self.settle()
                begin = time.perf_counter()
                for _ in range(CALLS):
                    call()
                best[place] = min(best[place], (time.perf_counter() - begin) / CALLS * 1e6)
                self.settle()
        return best


def measure(device: DeviceInfo) -> dict[str, float]:
    """Microseconds by the name of the way."""
    lane = Lane(device)
    ways = ("pyopencl", "prepared", "pipelined", "changed")
    found = dict(zip(ways, lane.time_us(*[getattr(lane, way) for way in ways]), strict=True))
    rest = ("round_trip", "blocking", "pyopencl_blocking")
    return found | dict(zip(rest, lane.time_us(*[getattr(lane, way) for way in rest]), strict=True))


def told(device: DeviceInfo, found: dict[str, float]) -> str:
    """One line for each way."""
    base = found["pyopencl"]
    lines = [f"{device.short_name}: microseconds a launch, and against PyOpenCL's call"]
    return "\n".join([*lines, *(f"  {way:<18} {us:8.1f} {us / base:6.2f} ×" for way, us in found.items())])


def test_launches_in_a_worker_against_pyopencl(real_device: DeviceInfo, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        found = measure(real_device)
    except DeviceNotFoundError as absent:
        pytest.skip(absent.message)
    with capsys.disabled():
        print("\n" + told(real_device, found))  # noqa: T201 - the numbers are what this test is for
    assert found["prepared"] <= 1.5 * found["pyopencl"]
    assert found["pipelined"] <= 2 * found["pyopencl"]
    assert found["changed"] <= 2 * found["pyopencl"]


if __name__ == "__main__":
    chosen = clm.device(sys.argv[1] if len(sys.argv) > 1 else None)
    print(told(chosen, measure(chosen)))  # noqa: T201
