"""Bytes a second of arrays to and from a device, against PyOpenCL doing the same (design.md, 8).

Also a program: ``python tests/benchmarks/test_bandwidth.py [DEVICE] [LARGEST_MB]`` prints the table for any device, and
then where the time of a launch with NumPy arrays goes; 4096 MB fit on a graphics card.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # as pytest does

from support.benchmarks_device import pyopencl_device

import cl_magic as clm
from cl_magic.engine.copying import copy_array
from cl_magic.errors import DeviceNotFoundError
from cl_magic.launch.limits import DeviceInfo

KB, MB = 1024, 1024 * 1024
SOURCE = "kernel void touch(global float *x) { x[get_global_id(0)] += 1.0f; }"
SECONDS = 0.4
"""For each cell of the table."""


class Lane:
    """One array of `nbytes` on the host, at PyOpenCL's and at our place."""

    def __init__(self, device: DeviceInfo, nbytes: int) -> None:
        self.host = np.zeros(nbytes // 4, np.float32)
        self.host[:] = 1  # pages that were never touched cost nothing to read
        self.ours = clm.array(self.host, device=device)
        self.program = clm.Session(device=device).build(SOURCE)
        context = cl.Context([pyopencl_device(device)])
        self.queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
        self.theirs = cl.Buffer(context, cl.mem_flags.READ_WRITE, nbytes)
        with warnings.catch_warnings(action="ignore"):
            self.kernel = cl.Kernel(cl.Program(context, SOURCE).build(cache_dir=False), "touch")
        self.back = np.empty_like(self.host)

    def write_pyopencl(self) -> None:
        cl.enqueue_copy(self.queue, self.theirs, self.host)
        self.queue.finish()

    def write_copyto(self) -> None:
        clm.copyto(self.ours, self.host)

    def write_host(self) -> None:
        """The host has its values in the array itself: only handing over is left."""
        with self.ours.host("w"):
            pass

    def read_pyopencl(self) -> None:
        cl.enqueue_copy(self.queue, self.back, self.theirs)
        self.queue.finish()

    def read_copyto(self) -> None:
        clm.copyto(self.back, self.ours)

    def read_host(self) -> None:
        with self.ours.host("r"):
            pass

    def launch_pyopencl(self) -> None:
        cl.enqueue_copy(self.queue, self.theirs, self.host)
        self.kernel(self.queue, self.host.shape, None, self.theirs)
        cl.enqueue_copy(self.queue, self.host, self.theirs)
        self.queue.finish()

    def launch_numpy(self) -> None:
        self.program.touch(self.host, global_size=self.host.size, capture="none")

    def kernel_pyopencl(self) -> float:
        """Seconds of the kernel alone, on a buffer of the device."""
        event = self.kernel(self.queue, self.host.shape, None, self.theirs)
        event.wait()
        return (event.profile.end - event.profile.start) / 1e9

    def kernel_ours(self) -> float:
        """Seconds of the kernel alone, on one of our arrays."""
        run: Any = self.program.touch(self.ours, global_size=self.host.size, capture="none")
        return float(run.duration_ns) / 1e9


KERNELS = ("kernel_pyopencl", "kernel_ours")
WAYS = (
    "write_pyopencl", "write_copyto", "write_host", "read_pyopencl", "read_copyto", "read_host",
    "launch_pyopencl", "launch_numpy",
)  # fmt: skip


def seconds(call: Callable[[], Any]) -> float:
    """Fastest call in a time that is given."""
    call()
    best, end = float("inf"), time.perf_counter() + SECONDS
    while time.perf_counter() < end or best == float("inf"):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best


def row(device: DeviceInfo, nbytes: int) -> dict[str, float]:
    """Seconds by the name of the way."""
    lane = Lane(device, nbytes)
    found = {way: seconds(getattr(lane, way)) for way in WAYS}
    found |= {way: min(getattr(lane, way)() for _ in range(5)) for way in KERNELS}
    clm.free(lane.ours)
    return found


def phases(device: DeviceInfo, nbytes: int) -> dict[str, float]:
    """Seconds of each step of the fastest of ten launches with a NumPy array, the first launch, and the whole."""
    lane = Lane(device, nbytes)
    begin = time.perf_counter()
    lane.launch_numpy()
    first, best, fastest = time.perf_counter() - begin, float("inf"), {}
    for _ in range(10):
        begin = time.perf_counter()
        run: Any = lane.program.touch(lane.host, global_size=lane.host.size, capture="none")
        took = time.perf_counter() - begin
        if took < best:
            steps = {f"{one.direction}, {one.how}": one.duration_ns / 1e9 for one in run.transfers}
            worker = {"worker, all of it": (run.host_end_ns - run.host_start_ns) / 1e9}
            best, fastest = took, steps | {"kernel": run.duration_ns / 1e9} | worker
    clm.free(lane.ours)
    return fastest | {"whole launch": best, "first launch": first} | copies(nbytes)


def copies(nbytes: int) -> dict[str, float]:
    """Seconds of a copy between two arrays of the host by some numbers of threads."""
    source, target = np.ones(nbytes, np.uint8), np.ones(nbytes, np.uint8)
    return {
        f"copy, {threads} threads": seconds(partial(copy_array, target, source, threads))
        for threads in (1, 2, 4, 8, 16)
    }


def told(nbytes: int, found: dict[str, float]) -> str:
    """GB/s, and microseconds where the array is small."""
    small = nbytes < MB
    cells = [f"{s * 1e6:11.1f} µs" if small else f"{nbytes / s / 1e9:9.2f} GB/s" for s in found.values()]
    size = f"{nbytes // KB} KB" if small else f"{nbytes // MB} MB"
    return f"{size:>8} " + " ".join(cells)


def test_numpy_arrays_are_no_slower_than_pyopencls(real_device: DeviceInfo, capsys: pytest.CaptureFixture[str]) -> None:
    """Large arrays; what a round trip to the worker costs is in the launches' benchmark."""
    try:
        rows = {nbytes: row(real_device, nbytes) for nbytes in (KB, MB, 16 * MB, 64 * MB)}
    except DeviceNotFoundError as absent:
        pytest.skip(absent.message)
    with capsys.disabled():
        print("\n" + " " * 9 + " ".join(f"{way:>14}" for way in (*WAYS, *KERNELS)))  # noqa: T201 - the numbers are what it is for
        for nbytes, found in rows.items():
            print(told(nbytes, found))  # noqa: T201
    large = rows[64 * MB]
    if "cpu" in real_device.type:  # the array is the memory itself: handing over 64 MB takes no time that grows
        assert large["write_host"] < 0.25 * large["write_pyopencl"]
        assert large["read_host"] < 0.25 * large["read_pyopencl"]
    assert large["write_copyto"] < 1.5 * large["write_pyopencl"]


if __name__ == "__main__":
    chosen = clm.device(sys.argv[1] if len(sys.argv) > 1 else None)
    largest = int(sys.argv[2]) * MB if len(sys.argv) > 2 else 1024 * MB
    print(chosen.name, "\n" + " " * 9 + " ".join(f"{way:>14}" for way in (*WAYS, *KERNELS)))  # noqa: T201
    size = KB
    while size <= largest:
        print(told(size, row(chosen, size)), flush=True)  # noqa: T201
        size *= 8 if size < 64 * MB else 4
    for step, took in phases(chosen, min(256 * MB, largest)).items():
        print(f"{step:>48} {took * 1e3:9.2f} ms {min(256 * MB, largest) / max(took, 1e-9) / 1e9:9.2f} GB/s")  # noqa: T201
