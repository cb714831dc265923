"""Launches that are waited for, again and again: from the second on they are short messages; nothing else changes."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.device import engine_for
from cl_magic.engine.protocol import Engine
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program
from cl_magic.record.run import RunRecord

SOURCE = """
kernel void grow(global int *x, int a, int b) { size_t i = get_global_id(0); x[i] = x[i] * a + b; }
kernel void put(global int *y, long at) { y[at] = 42; }
kernel void spin(global int *x, int n) { for (int i = 0; i != n; i = i < 2 ? i + 1 : 0) x[0] += i; }
"""
PRINTS = 'kernel void hello(global int *x) { printf("item %d\\n", x[0]); x[0] += 1; }'
N = 64
CALL: dict[str, Any] = {"global_size": N, "capture": "none"}
TIMED = ("events", "clock_offset_ns", "host_start_ns", "host_end_ns", "created")


@pytest.fixture
def program(device: DeviceInfo, engine: Engine) -> Program:
    return clm.Session(device=device, engine=engine.name).build(SOURCE)


def zeros(program: Program) -> Any:
    return clm.zeros(N, "int32", program.device, program.engine.name)


def untimed(record: RunRecord) -> RunRecord:
    """The record without what differs from run to run."""
    return dataclasses.replace(record, **{name: type(getattr(record, name))() for name in TIMED})


def is_set(kernel: Any) -> bool:
    return any(call.waits for call, _ in kernel._enqueued._kept.values())


def test_every_record_says_the_same(program: Program) -> None:
    x = zeros(program)
    runs: list[Any] = [program.grow(x, 2, 1, **CALL) for _ in range(4)]
    assert set(x.numpy()) == {15}
    assert is_set(program["grow"]) == (program.engine.name == "worker" and not program.device.simulator)
    assert all(untimed(run) == untimed(runs[0]) for run in runs)
    assert all([event.kind for event in run.events] == ["kernel"] for run in runs)
    assert len({run.host_start_ns for run in runs}) == 4
    assert all(run.created and run.host_end_ns >= run.host_start_ns for run in runs)
    if not program.device.simulator:
        assert all(run.duration_ns for run in runs)


def test_values_that_change_are_checked_and_told(program: Program) -> None:
    x = zeros(program)
    runs: list[Any] = [program.grow(x, 1, step, **CALL) for step in range(5)]
    assert set(x.numpy()) == {10}
    assert [run.arguments[2].value for run in runs] == ["0", "1", "2", "3", "4"]
    with pytest.raises(clm.ArgumentError) as refused:
        program.grow(x, 1, 2**40, **CALL)
    assert refused.value.parameter == "b"


def test_other_words_and_arrays_are_other_launches(program: Program) -> None:
    x, y = zeros(program), zeros(program)
    for array in (x, x, x, y, y):
        program.grow(array, 1, 1, **CALL)
    program.grow(x, 1, 1, global_size=N // 2, capture="none")
    assert (x[0], x[N - 1], y[0]) == (4, 3, 2)
    repeated: Any = program.grow(x, 1, 1, global_size=N, repeat=2)
    assert repeated.repeat == 2
    with x.host("r"), pytest.raises(clm.ArgumentError, match="open for the host"):
        program.grow(x, 1, 1, **CALL)
    clm.free(x)
    with pytest.raises(clm.ArgumentError, match="was freed"):
        program.grow(x, 1, 1, **CALL)


def test_what_is_printed_comes_with_each(program: Program) -> None:
    x = zeros(program)
    printing = clm.Session(device=program.device, engine=program.engine.name).build(PRINTS)
    runs: list[Any] = [printing.hello(x, global_size=1, capture="none") for _ in range(4)]
    assert [run.printf for run in runs] == [f"item {place}\n" for place in range(4)]
    assert not is_set(printing.hello)


def test_they_follow_what_was_not_waited_for(program: Program) -> None:
    x = zeros(program)
    for _ in range(3):
        pending: Any = program.grow(x, 1, 1, global_size=N, wait=False)
        program.grow(x, 2, 0, **CALL)
        assert pending.wait().kernel == "grow"
    assert set(x.numpy()) == {14}


def test_a_new_worker_has_it_set_again(real_device: DeviceInfo) -> None:
    program = clm.Session(device=real_device).build(SOURCE)
    x = clm.array(np.zeros(N, np.int32), device=real_device)
    for step in range(3):
        program.grow(x, 1, step, **CALL)
    engine: Any = engine_for(real_device)
    engine.restart()
    if "cpu" not in real_device.type:
        x = clm.array(np.full(N, 3, np.int32), device=real_device)
    program.grow(x, 1, 2, **CALL)
    assert set(x.numpy()) == {5}


def test_an_overrun_is_found_in_each(real_device: DeviceInfo) -> None:
    """Between array and guard page, and past it; the facts are those of every launch."""
    if "cpu" not in real_device.type:
        pytest.skip(f"{real_device.short_name} does not work in host memory: fences do not stop its kernels")
    program = clm.Session(device=real_device).build(SOURCE)
    y = clm.zeros(1000, "int32", real_device)
    for _ in range(3):
        program.put(y, 7, global_size=1, capture="none")
    assert is_set(program.put)
    with pytest.raises(clm.errors.OutOfBoundsError) as small:
        program.put(y, 1001, global_size=1, capture="none")
    assert (small.value.kernel, small.value.faults[0].parameter) == ("put", "y")
    program.put(y, 8, global_size=1, capture="none")
    with pytest.raises(clm.errors.KernelCrashedError) as crashed:
        program.put(y, 1024, global_size=1, capture="none")
    error = crashed.value
    assert (error.kernel, error.fault.parameter, error.fault.where) == ("put", "y", "guard page")
    assert [argument.value for argument in error.arguments][1] == "1024L"
    assert error.partly_written == ("y",)
    assert error.plan.global_size == (1,)
    program.put(y, 9, global_size=1, capture="none")
    assert [y[7], y[8], y[9]] == [42, 42, 42]


def test_a_limit_that_is_set_later_holds(real_device: DeviceInfo) -> None:
    session = clm.Session(device=real_device)
    program = session.build(SOURCE)
    x = clm.zeros(N, "int32", real_device)
    for _ in range(3):
        program.spin(x, 1, global_size=1, capture="none")
    session.timeout = 1.0
    with pytest.raises(clm.errors.LaunchTimeoutError):
        program.spin(x, -1, global_size=1, capture="none")
