"""Faults of kernels, compilers and workers: each one an error that says where, what is kept, and the next cell works.

Requirements: C-24 (integer division by zero), R-12 (restarts leave nothing), R-95 (recovery after an abnormal end),
R-103 (programs are there again).
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cl_magic.device import devices, engine_for
from cl_magic.errors import (
    BuildError,
    BuildTimeoutError,
    CompilerCrashedError,
    DeviceLostError,
    KernelCrashedError,
    OutOfBoundsError,
    OutOfMemoryError,
    WorkerDiedError,
)
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program
from cl_magic.session import Session

SOURCE = """
kernel void put(global int *y, long at) { y[at] = 42; }
kernel void fetch(global int *y, global const int *x, long at) { y[0] = x[at]; }
kernel void cast(global int *y, global const int *x, ulong address) { y[0] = *(global int *)(address + 0 * (ulong)x); }
kernel void divide(global int *y, int by) { y[get_global_id(0)] = 7 / by; }
kernel void share(global float *y, float by) { y[get_global_id(0)] = 7.0f / by; }
kernel void fill(global int *y, int n) { int a[3000000]; for (int i = 0; i < 3000000; i++) a[i] = i * n; y[0] = a[n]; }
kernel void add(global int *y) { y[get_global_id(0)] += 1; }
"""
NEST = "kernel void f(global int *y) { y[0] = " + "- " * 100_000 + "y[1]; }"


@pytest.fixture
def in_place(device: DeviceInfo) -> DeviceInfo:
    """Devices whose kernels work in host memory, so that fences stop them."""
    if "cpu" not in device.type or device.simulator:
        pytest.skip(f"{device.short_name} does not work in host memory: fences do not stop its kernels")
    return device


def program_of(device: DeviceInfo, source: str = SOURCE) -> Program:
    return Session(device).build(source)


def works(program: Program, within_s: float = 20.0) -> None:
    """The next launch on the same engine is right."""
    begin = time.monotonic()
    y = np.arange(8, dtype=np.int32)
    program.add(y, global_size=8)
    assert np.array_equal(y, np.arange(8) + 1)
    assert time.monotonic() - begin < within_s


@pytest.mark.parametrize(
    ("items", "at", "side", "distance"),
    [
        (32, 32, "after", 0),
        (32, 52, "after", 80),
        (1024, 1024, "after", 0),
        (1024, -1, "before", 4),
        (1000, 1030, "after", 120),
        (100_000, 100_000, "after", 0),
    ],
)
def test_an_overrun_that_reaches_a_guard_page_is_named(
    in_place: DeviceInfo, items: int, at: int, side: str, distance: int
) -> None:
    program, y = program_of(in_place), np.zeros(items, np.int32)
    with pytest.raises(KernelCrashedError) as crashed:
        program.put(y, np.int64(at), global_size=1)
    error = crashed.value
    fault = error.fault
    assert (fault.where, fault.kind, fault.side, fault.distance_bytes) == ("guard page", "write", side, distance)
    assert (fault.array, fault.parameter, fault.array_bytes) == ("y", "y", 4 * items)
    assert (error.kernel, error.signal, error.signal_number, error.exit_code) == ("put", "SIGSEGV", 11, None)
    assert error.begun
    assert error.plan.global_size == (1,)
    assert [argument.declaration.split()[-1].lstrip("*") for argument in error.arguments] == ["y", "at"]
    assert error.arrays_unchanged == ("y",)
    assert error.partly_written == error.lost == ()
    assert "y" in error.in_words
    assert error.remedy
    assert not y.any()
    works(program)


@pytest.mark.parametrize(("at", "side"), [(10, "after"), (15, "after"), (-1, "before"), (-5, "before")])
def test_a_small_overrun_between_array_and_guard_page_fails_the_launch(
    in_place: DeviceInfo, at: int, side: str
) -> None:
    program, y = program_of(in_place), np.zeros(10, np.int32)
    pid = engine_pid(in_place)
    with pytest.raises(OutOfBoundsError) as found:
        program.put(y, np.int64(at), global_size=1)
    fault = found.value.fault
    distance = 4 * (at - 10) if side == "after" else 4 * (-at - 1)
    assert (fault.where, fault.side, fault.distance_bytes, fault.changed_bytes) == ("slack", side, distance, 4)
    assert (found.value.kernel, fault.array, found.value.arrays_unchanged) == ("put", "y", ("y",))
    assert not y.any()
    works(program)
    assert engine_pid(in_place) == pid


def engine_pid(device: DeviceInfo) -> int | None:
    engine: Any = engine_for(device, "worker")
    return engine.pid


def test_a_read_behind_the_end_is_told_from_a_write(in_place: DeviceInfo) -> None:
    program, y, x = program_of(in_place), np.zeros(16, np.int32), np.ones(64, np.int32)
    with pytest.raises(KernelCrashedError) as crashed:
        program.fetch(y, x, np.int64(64), global_size=1)
    assert (crashed.value.fault.kind, crashed.value.fault.array) == ("read", "x")
    assert crashed.value.arrays_unchanged == ("y", "x")
    works(program)


def test_a_far_index_names_the_nearest_array_and_the_distance(in_place: DeviceInfo) -> None:
    program, y = program_of(in_place), np.zeros(16, np.int32)
    with pytest.raises(KernelCrashedError) as crashed:
        program.put(y, np.int64(-(1 << 36)), global_size=1)  # forwards might be past the last address of a program
    fault = crashed.value.fault
    assert (fault.where, fault.array, fault.side) == ("no array", "y", "before")
    assert fault.distance_bytes == 4 << 36
    with pytest.raises(KernelCrashedError) as crashed:
        program.put(y, np.int64(1 << 60), global_size=1)
    assert (crashed.value.fault.where, crashed.value.fault.address) == ("unknown", None)
    works(program)


def test_an_array_that_was_not_given_is_closed(in_place: DeviceInfo) -> None:
    """A kernel given only `y` reads where the launch before had `x`: it ends, although the memory is still there."""
    program, y, x = program_of(in_place), np.zeros(16, np.int32), np.ones(5000, np.int32)
    where = Session(in_place).build("kernel void at(global ulong *o, global const int *x) { o[0] = (ulong)x; }")
    o = np.zeros(1, np.uint64)
    where.at(o, x, global_size=1)
    with pytest.raises(KernelCrashedError) as crashed:
        program.cast(y, np.ones(16, np.int32), np.uint64(o[0]), global_size=1)
    assert (crashed.value.fault.where, crashed.value.fault.kind) == ("closed array", "read")
    works(program)


def test_integer_division_by_zero_is_named_and_floating_point_is_not_touched(real_device: DeviceInfo) -> None:
    program, y = program_of(real_device), np.zeros(16, np.int32)
    if real_device.family != "pocl":
        pytest.skip("only PoCL traps")
    with pytest.raises(KernelCrashedError) as crashed:
        program.divide(y, 0, global_size=16)
    assert (crashed.value.signal, crashed.value.fault) == ("SIGFPE", None)
    assert "zero" in crashed.value.in_words
    z = np.zeros(16, np.float32)
    program.share(z, 0.0, global_size=16)
    assert np.isinf(z).all()
    works(program)


def test_a_full_stack_is_named(real_device: DeviceInfo) -> None:
    program, y = program_of(real_device), np.zeros(16, np.int32)
    if real_device.family != "pocl":
        pytest.skip("other drivers have room for 12 MB of private memory")
    with pytest.raises(KernelCrashedError) as crashed:
        program.fill(y, 3, global_size=1)
    assert crashed.value.signal == "SIGSEGV"
    assert "stack" in crashed.value.in_words
    works(program)


def test_a_compiler_that_dies_is_named_with_the_program(device: DeviceInfo) -> None:
    program = program_of(device)
    with pytest.raises(CompilerCrashedError) as crashed:
        Session(device).build(NEST)
    assert (crashed.value.signal, crashed.value.command, crashed.value.program) == ("SIGSEGV", "build", "source")
    assert crashed.value.kernel is None
    works(program)


def test_a_new_worker_is_there_within_a_second(real_device: DeviceInfo) -> None:
    program, y = program_of(real_device), np.zeros(16, np.int32)
    works(program)
    took = []
    for _ in range(3):
        with pytest.raises((KernelCrashedError, DeviceLostError)) as crashed:
            program.put(y, np.int64(1 << 36), global_size=1)
        deadline = time.monotonic() + 20
        while crashed.value.recovery_ms is None and time.monotonic() < deadline:
            time.sleep(0.01)
        took.append(crashed.value.recovery_ms)
        works(program)
    assert min(took) < 1000


def test_killed_from_outside_is_no_crash_of_the_kernel(real_device: DeviceInfo) -> None:
    for name in ("SIGKILL", "SIGTERM"):
        error = ended_by(real_device, lambda pid, name=name: os.kill(pid, getattr(signal, name)))  # type: ignore[misc]
        assert type(error) is WorkerDiedError
        assert (error.signal, error.kernel, error.begun) == (name, "spin", True)
        assert "another process" in error.in_words


def ended_by(device: DeviceInfo, act: Callable[[int], None]) -> WorkerDiedError:
    """The error of an endless kernel whose worker `act` ends."""
    program = Session(device).build("kernel void spin(global volatile int *x) { while (x[0] == 0) { } }")
    works(program_of(device))
    pending = program.spin(np.zeros(4, np.int32), global_size=1, wait=False)
    time.sleep(0.3)
    act(engine_pid(device) or 0)
    with pytest.raises(WorkerDiedError) as died:
        pending.wait()
    return died.value


def test_one_driver_crashes_and_the_other_goes_on() -> None:
    found = {device.driver: device for device in devices() if "cpu" in device.type and not device.simulator}
    if len(found) < 2:
        pytest.skip("one driver only")
    first, second = list(found.values())[:2]
    one, other = program_of(first), program_of(second)
    works(one)
    works(other)
    pid = engine_pid(second)
    with pytest.raises(KernelCrashedError):
        one.put(np.zeros(16, np.int32), np.int64(1 << 36), global_size=1)
    works(other)
    assert engine_pid(second) == pid
    works(one)


def test_memory_that_runs_out_is_told_from_a_kill(real_device: DeviceInfo) -> None:
    """The count at the worker's start is set one lower by hand: no test fills this machine's memory."""
    engine: Any = engine_for(real_device, "worker")

    def kill(pid: int) -> None:
        engine.link._oom_kills -= 1
        os.kill(pid, signal.SIGKILL)

    error = ended_by(real_device, kill)
    assert isinstance(error, OutOfMemoryError)
    assert error.oom_kills == 1


def test_a_build_that_takes_too_long_is_ended(real_device: DeviceInfo) -> None:
    long = (
        "kernel void f(global int *y) {" + "".join(f"y[{i}] = y[{i} * y[{i + 1}]] * {i};" for i in range(40_000)) + "}"
    )
    begin = time.monotonic()
    with pytest.raises(BuildTimeoutError) as late:
        Session(real_device).build(long, timeout=0.3)
    assert time.monotonic() - begin < 5
    assert late.value.timeout == 0.3
    works(program_of(real_device))


def test_a_kernel_that_closes_files_ends_the_worker_and_not_the_next_cell(in_place: DeviceInfo) -> None:
    source = "int close(int);\nkernel void shut(global int *y) { y[0] = 1; for (int i = 1; i < 3; i++) close(i); }"
    try:
        program = program_of(in_place, source)
    except BuildError:
        pytest.skip("this compiler links no function of the C library")
    y = np.zeros(4, np.int32)
    with pytest.raises(KernelCrashedError):
        program.shut(y, global_size=1)
    works(program_of(in_place))
