"""Launches in process against PyOpenCL's own, as ratios within one run (design.md, 8)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from timeit import repeat
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from support.launches import SAXPY, saxpy

from cl_magic.engine.commands import Build
from cl_magic.engine.inline import InlineEngine
from cl_magic.runtime.devices import live_devices

CALLS = 500


class Lane:
    """The same launch in four ways: 2 buffers and 2 scalars that are on the device already."""

    def __init__(self) -> None:
        live = next((one for one in live_devices() if not one.info.simulator), None)
        if live is None:
            pytest.skip("there is no device but a simulator")
        self.context = cl.Context([live.handle])
        profiling = cl.command_queue_properties.PROFILING_ENABLE
        self.queue = cl.CommandQueue(self.context, properties=profiling)
        host = np.zeros(64, dtype=np.float32)
        self.buffers = [cl.Buffer(self.context, cl.mem_flags.READ_WRITE, host.nbytes) for _ in "yx"]
        self.engine = InlineEngine()
        self.engine.submit(Build(SAXPY, live.info.local_id)).result()
        self.command = saxpy(live.info.local_id, host, host, capture="none")
        self.prepared = self.engine.prepare(self.command, self.buffers)
        with warnings.catch_warnings(action="ignore"):  # PyOpenCL warns of any log, and some drivers always write one
            program = cl.Program(self.context, SAXPY.source).build(cache_dir=False)
        self.kernel = cl.Kernel(program, "saxpy")
        self.scalars = (np.float32(2), np.int32(64))
        self.pyopencl()

    def bare(self) -> Any:
        return cl.enqueue_nd_range_kernel(self.queue, self.kernel, (64,), (4,))

    def pyopencl(self) -> Any:
        return self.kernel(self.queue, (64,), (4,), *self.buffers, *self.scalars)

    def checked(self) -> Any:
        return self.engine.submit(self.command, self.buffers)

    def time_us(self, call: Callable[[], Any]) -> float:
        """Fastest of several rounds: what the call costs when nothing else runs."""
        call()
        fastest = min(repeat(call, number=CALLS, repeat=9))
        self.queue.finish()
        return fastest / CALLS * 1e6


@pytest.fixture(scope="module")
def lane() -> Lane:
    return Lane()


def test_launches_against_pyopencl(lane: Lane, capsys: pytest.CaptureFixture[str]) -> None:
    bare, pyopencl = lane.time_us(lane.bare), lane.time_us(lane.pyopencl)
    prepared, checked = lane.time_us(lane.prepared), lane.time_us(lane.checked)
    with capsys.disabled():
        print(  # noqa: T201 - the numbers are what this test is for
            f"\nbare enqueue {bare:.1f} µs · PyOpenCL call {pyopencl:.1f} µs (1.00)",
            f"· prepared {prepared:.1f} µs ({prepared / pyopencl:.2f})",
            f"· checked {checked:.1f} µs ({checked / pyopencl:.2f})",
        )
    assert prepared <= 0.5 * pyopencl
    assert checked <= 1.5 * pyopencl


@pytest.mark.parametrize("way", ["bare", "pyopencl", "prepared", "checked"])
def test_benchmark(lane: Lane, way: str, benchmark: Any) -> None:
    benchmark(getattr(lane, way))
