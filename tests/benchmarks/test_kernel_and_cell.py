"""Kernels as a user calls them against PyOpenCL's, and an unchanged cell against ``%%cl_kernel``: ratios in one run."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from timeit import repeat
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from IPython.core.interactiveshell import InteractiveShell

import cl_magic as clm
from cl_magic.launch.arguments import binder_for

SOURCE = """__kernel void axpb(__global const float *x, __global float *y, float a, int n)
{ int i = get_global_id(0); if (i < n) y[i] = a * x[i] + y[i]; }"""
SIZE = 64
CALLS = 300
SIZES = {"global_size": SIZE, "local_size": 8, "wait": False}


class Peers:
    """The same launch through PyOpenCL and through a cl_magic kernel, on buffers that are on the device."""

    def __init__(self) -> None:
        platform = next(p for p in cl.get_platforms() if "Oclgrind" not in p.name)
        self.context = cl.Context(platform.get_devices()[:1])
        self.queue = cl.CommandQueue(self.context, properties=cl.command_queue_properties.PROFILING_ENABLE)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        host = np.ones(SIZE, np.float32)
        self.buffers = [cl.Buffer(self.context, flags, hostbuf=host) for _ in "xy"]
        with warnings.catch_warnings(action="ignore"):  # PyOpenCL warns of any log, and some drivers always write one
            self.kernel = cl.Kernel(cl.Program(self.context, SOURCE).build(cache_dir=False), "axpb")
        self.scalars = (np.float32(2), np.int32(SIZE))
        self.ours = clm.build(SOURCE).axpb
        self.prepared = self.ours.prepare(*self.buffers, 2.0, SIZE, global_size=SIZE, local_size=8)
        self.count = 0

    def pyopencl(self) -> Any:
        return self.kernel(self.queue, (SIZE,), (8,), *self.buffers, *self.scalars)

    def settle(self) -> None:
        """Wait for what both sides have enqueued, so that no round begins behind another's backlog."""
        self.queue.finish()
        self.ours(*self.buffers, 2.0, SIZE, **SIZES).wait()

    def bare(self) -> Any:
        return cl.enqueue_nd_range_kernel(self.queue, self.kernel, (SIZE,), (8,))

    def checked(self) -> Any:
        return self.ours(*self.buffers, 2.0, SIZE, **SIZES)

    def checked_with_a_new_value(self) -> Any:
        self.count += 1
        return self.ours(*self.buffers, float(self.count), SIZE, **SIZES)


@pytest.fixture(scope="module")
def peers() -> Peers:
    return Peers()


def _median_us(call: Callable[[], Any], settle: Callable[[], Any]) -> float:
    call()
    times = sorted(repeat(call, setup=settle, number=CALLS, repeat=9))
    return times[len(times) // 2] / CALLS * 1e6


def test_a_kernel_call_against_pyopencl(peers: Peers, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("pyopencl", "bare", "prepared", "checked", "checked_with_a_new_value")
    times = {name: _median_us(getattr(peers, name), peers.settle) for name in names}
    peer = times["pyopencl"]
    with capsys.disabled():
        print()  # noqa: T201 - the numbers are what this test is for
        for name in names:
            print(f"{name:<26} {times[name]:7.2f} µs {times[name] / peer:6.2f} × PyOpenCL's call")  # noqa: T201
    assert times["prepared"] <= 0.5 * peer
    assert times["checked"] <= 1.5 * peer
    assert times["checked_with_a_new_value"] <= 1.5 * peer


def test_binding_a_seen_argument(capsys: pytest.CaptureFixture[str]) -> None:
    signature = clm.build(SOURCE).axpb.signature
    array, scalar = (binder_for(signature.parameters[index], "axpb") for index in (0, 2))
    x = np.ones(SIZE, np.float32)
    per_array = min(repeat(lambda: array(x, 0), number=5000, repeat=5)) / 5000 * 1e6
    per_scalar = min(repeat(lambda: scalar(2.0, 0), number=5000, repeat=5)) / 5000 * 1e6
    with capsys.disabled():
        print(f"\nbinding: array {per_array:.2f} µs, scalar {per_scalar:.2f} µs")  # noqa: T201
    assert per_array <= 1.5
    assert per_scalar <= 1.5


@pytest.fixture(scope="module")
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "pyopencl.ipython_ext")
    shell.run_line_magic("load_ext", "cl_magic")
    platform = next(p for p in cl.get_platforms() if "Oclgrind" not in p.name)
    shell.user_ns["cl_ctx"] = cl.Context(platform.get_devices()[:1])
    yield shell
    shell.run_line_magic("unload_ext", "cl_magic")
    InteractiveShell.clear_instance()


def test_an_unchanged_cell_against_cl_kernel(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    def ours() -> None:
        shell.run_cell_magic("opencl", "", SOURCE)

    def theirs() -> None:
        with warnings.catch_warnings(action="ignore"):
            shell.run_cell_magic("cl_kernel", "", SOURCE)

    times = {}
    for name, run in (("ours", ours), ("theirs", theirs)):
        run()
        times[name] = sorted(repeat(run, number=1, repeat=25))[12] * 1e3
    capsys.readouterr()
    with capsys.disabled():
        ratio = times["ours"] / times["theirs"]
        print(f"\nunchanged cell: {times['ours']:.2f} ms, %%cl_kernel {times['theirs']:.2f} ms, ratio {ratio:.2f}")  # noqa: T201
    assert ratio <= 0.2
