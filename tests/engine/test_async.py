"""Launches that return before the work is done, from threads and tasks: R-17, R-103, K-53."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.device import engine_for
from cl_magic.engine.fast_launch import FastLaunch
from cl_magic.engine.prepared_runs import KEPT_EVENTS
from cl_magic.engine.protocol import Engine
from cl_magic.engine.run_messages import read_run, run_message
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program

SOURCE = """
kernel void grow(global int *x, int a, int b) { size_t i = get_global_id(0); x[i] = x[i] * a + b; }
kernel void inc(global int *x) { x[get_global_id(0)] += 1; }
kernel void spin(global int *x, int n) {
    int v = x[0];
    for (int i = 0; i < n; i++) v = v * 1664525 + i;
    x[0] = v;
}
"""
PRINTS = 'kernel void hello(global int *x) { printf("item %d\\n", x[0]); x[0] += 1; }'
N = 64


@pytest.fixture
def program(device: DeviceInfo, engine: Engine) -> Program:
    return clm.Session(device=device, engine=engine.name).build(SOURCE)


def zeros(program: Program) -> Any:
    return clm.zeros(N, "int32", program.device, program.engine.name)


def test_a_launch_returns_before_it_is_done(program: Program) -> None:
    """K-53."""
    x = zeros(program)
    rounds = 300_000 if program.device.simulator else 300_000_000
    if program.device.simulator:
        rounds = 3_000
    begin = time.monotonic()
    pending = program.spin(x, rounds, global_size=1, wait=False)
    returned = time.monotonic() - begin
    if not program.device.simulator:
        assert not pending.done
        assert repr(pending) == "<run on its way>"
        with pytest.raises(clm.ArgumentError, match="not waited for"):
            x.numpy()
        assert "used by a launch" in repr(x)
        with pytest.raises(TimeoutError):
            pending.wait(0.01)
    run = pending.wait()
    assert pending.done
    assert run is pending.wait()
    assert not program.device.simulator or returned < 60
    assert x.numpy()[0] or not program.device.simulator
    assert run.kernel == "spin"
    assert run.events[0].end_ns >= run.events[0].start_ns


def test_results_are_those_of_the_order(program: Program) -> None:
    x, expected = zeros(program), 0
    runs = []
    for step in range(100):
        runs.append(program.grow(x, 3, step, global_size=N, wait=False))
        expected = (expected * 3 + step) & 0xFFFFFFFF
    records = [pending.wait() for pending in runs]
    assert set(x.numpy().view(np.uint32)) == {expected}
    assert [record.arguments[2].value for record in records] == [str(step) for step in range(100)]


def test_host_arrays_may_be_in_flight_too(program: Program) -> None:
    """A launch that uses an array which a pending one writes waits for it, and says so."""
    x = np.zeros(N, np.int32)
    first = program.inc(x, global_size=N, wait=False)
    second = program.inc(x, global_size=N)
    assert set(x) == {2}
    assert first.wait().kernel == second.kernel == "inc"


def test_four_threads_launch_at_once(program: Program) -> None:
    """R-17: one prepared call and one kernel, shared; each thread's values are its own."""
    arrays = [zeros(program) for _ in range(4)]
    shared = zeros(program)

    def work(x: Any, a: int) -> None:
        for _ in range(10):
            program.grow(x, 1, a, global_size=N, wait=False)
            program.grow(shared, 1, a, global_size=N, wait=False)
        x.wait()

    threads = [threading.Thread(target=work, args=(x, a)) for a, x in enumerate(arrays)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for a, x in enumerate(arrays):
        assert set(x.wait().numpy()) == {10 * a}
    assert set(shared.wait().numpy()) == {10 * (0 + 1 + 2 + 3)}


def test_tasks_await_launches(program: Program) -> None:
    x, y = zeros(program), zeros(program)

    async def chain(array: Any, step: int) -> list[Any]:
        return [await program.grow(array, 2, step, global_size=N, wait=False) for _ in range(5)]

    async def both() -> Any:
        return await asyncio.gather(chain(x, 1), chain(y, 2))

    records = asyncio.run(both())
    assert [len(one) for one in records] == [5, 5]
    assert (x.numpy()[0], y.numpy()[0]) == (31, 62)


def test_objects_live_while_a_launch_needs_them(program: Program) -> None:
    """R-103: array, pending run and prepared call are dropped at once."""
    keep = zeros(program)
    for _ in range(20):
        gone = zeros(program)
        program.grow.prepare(gone, 1, 1, global_size=N)()
        program.inc(gone, global_size=N, wait=False)
        del gone
        gc.collect()
        program.inc(keep, global_size=N, wait=False)
    assert set(keep.wait().numpy()) == {20}


def test_prepared_launches_keep_and_change_their_values(program: Program) -> None:
    x = zeros(program)
    again = program.grow.prepare(x, 1, 1, global_size=N)
    again()
    again(b=5)
    last = again().wait()
    assert set(x.numpy()) == {11}
    assert last.arguments[2].value == "5"
    with pytest.raises(clm.ArgumentError):
        again(b="five")


def test_what_is_printed_comes_with_its_launch(program: Program) -> None:
    x = zeros(program)
    printing = clm.Session(device=program.device, engine=program.engine.name).build(PRINTS)
    runs = [printing.hello(x, global_size=1, wait=False) for _ in range(3)]
    if program.engine.name == "worker":
        assert [run.wait().printf for run in runs] == ["item 0\n", "item 1\n", "item 2\n"]
    else:
        assert [run.wait().kernel for run in runs] == ["hello"] * 3


def test_old_runs_can_still_be_asked_for(real_device: DeviceInfo) -> None:
    program = clm.Session(device=real_device).build(SOURCE)
    x = zeros(program)
    again = program.inc.prepare(x, global_size=N)
    runs = [again() for _ in range(KEPT_EVENTS + 200)]
    assert isinstance(runs[0].ticket, type(runs[-1].ticket))
    assert runs[0].wait().events[0].end_ns
    assert runs[-1].wait().events[0].end_ns
    assert set(x.numpy()) == {KEPT_EVENTS + 200}
    with pytest.raises(clm.ClMagicError, match="asked for already"):
        type(runs[1].ticket)(
            program.engine, runs[1].ticket._launch, runs[1].ticket._link, runs[0].ticket.number
        ).result()


def test_arrays_and_prepared_launches_outlive_their_worker(real_device: DeviceInfo) -> None:
    """Where a device works in the shared pages, what is in them is not lost with the process."""
    program = clm.Session(device=real_device).build(SOURCE)
    engine: Any = engine_for(real_device)
    x = clm.array(np.arange(N, dtype=np.int32), device=real_device)
    again = program.inc.prepare(x, global_size=N)
    again().wait()
    pending = again()
    engine.restart()
    with pytest.raises(clm.ClMagicError) as lost:
        pending.wait()
    assert lost.value.kernel == "inc"
    if "cpu" not in real_device.type:
        return
    before = x.numpy()
    again().wait()
    program.inc(x, global_size=N)
    assert np.array_equal(x.numpy(), before + 2)
    clm.free(x)


def test_a_run_is_a_short_message() -> None:
    for changed in ([], [(0, b"\0" * 4), (7, b"\1" * 128)]):
        message = run_message(9, 2**40, changed)
        assert read_run(message) == (9, 2**40, changed)
        for damaged in (message[:-1], message[:3], b"", message + b"x", b"\7" + message[1:]):
            with pytest.raises(clm.ClMagicError):
                read_run(damaged)


def test_changed_values_must_fit(real_device: DeviceInfo) -> None:
    program = clm.Session(device=real_device).build(SOURCE)
    x = zeros(program)
    fast = program.grow.prepare(x, 1, 1, global_size=N)._prepared
    assert isinstance(fast, FastLaunch)
    with pytest.raises(clm.ClMagicError, match="cannot be changed"):
        fast([(1, np.float64(1))])
