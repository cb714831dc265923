"""Pages of the notebook's memory files that stay locked between launches: results, and when they are let go."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from support.launches import array_argument, plan, request

from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.commands import Launch
from cl_magic.engine.fences import FencedMaps
from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.executor import Executor
from cl_magic.runtime.locked_pages import LockedPages

TWICE = ProgramSpec("__kernel void twice(__global int *x) { x[get_global_id(0)] *= 2; }\n")
SEGMENT = 64 * 1024
LEAST = 4096


class Bench:
    """An executor whose device is taken for one with memory of its own, and a memory file as the notebook's."""

    def __init__(self, device: DeviceInfo) -> None:
        self.device = device
        self.executor = Executor("worker")
        self.where: DeviceContext = self.executor._contexts.of(device.local_id)
        self.where.apart = True
        self.where.locked = LockedPages(self.where.context, self.where.queue, least_bytes=LEAST)
        assert self.executor.build(TWICE, device.local_id).ok
        fd = os.memfd_create("locked")
        os.ftruncate(fd, SEGMENT)
        self.maps = FencedMaps()
        self.address = self.maps.add(1, fd, SEGMENT)

    def array(self, n: int) -> Any:
        """The last elements of the file, as a launch is given them."""
        begin = SEGMENT - 4 * n
        self.maps.open_for({1: (begin, True)}, keep=True)
        return np.ndarray((n,), np.int32, self.maps[1], begin)

    def launch(self, x: Any) -> Any:
        command = Launch(request(TWICE, "twice", plan(x.shape), array_argument(0, "x", x)), self.device.local_id)
        return self.executor.launch(command.request, command.device, [x])

    def doubles(self, n: int) -> None:
        x = self.array(n)
        x[:] = np.arange(n)
        record = self.launch(x)
        assert np.array_equal(x, 2 * np.arange(n))
        assert [(one.how, one.nbytes) for one in record.transfers] == [("copied", 4 * n)] * 2


@pytest.fixture
def bench(each_device: DeviceInfo) -> Bench:
    return Bench(each_device)


def test_a_file_that_comes_again_is_locked_and_stays_so(bench: Bench) -> None:
    locked = []
    for _ in range(4):
        bench.doubles(5000)
        locked.append(len(bench.where.locked))
    assert locked == [0, 1, 1, 1]
    bench.executor.close()


def test_a_longer_array_is_locked_wholly(bench: Bench) -> None:
    for n in (2000, 2000, 9000, 2000, SEGMENT // 4, 1024):
        bench.doubles(n)
        assert len(bench.where.locked) <= 1
    assert bench.where.locked._locked[bench.address][0] == 0
    bench.executor.close()


def test_pages_are_let_go_with_their_mapping(bench: Bench) -> None:
    for _ in range(3):
        bench.doubles(5000)
    mapping = bench.maps[1].fenced_map
    bench.executor.forget_pages(bench.address)
    assert not len(bench.where.locked)
    bench.maps.drop(1)
    bench.executor.forget_pages(bench.address)  # nothing is left to forget
    assert mapping.address
    bench.executor.close()


def test_small_and_ordinary_arrays_are_left_alone(bench: Bench) -> None:
    x = np.arange(5000, dtype=np.int32)
    for _ in range(3):
        bench.doubles(LEAST // 4 - 1)
        bench.launch(x)
    assert np.array_equal(x, 8 * np.arange(5000))
    assert not len(bench.where.locked)
    bench.executor.close()
