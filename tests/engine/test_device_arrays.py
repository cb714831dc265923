"""Arrays on the device, on both engines and each device: R-34, R-103, K-34, K-38, K-40, K-42."""

from __future__ import annotations

import gc
import re
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.device_array import DeviceArray
from cl_magic.engine.protocol import Engine
from cl_magic.launch.limits import DeviceInfo

SOURCE = """
kernel void saxpy(global const float *x, global float *y, float a) { size_t i = get_global_id(0); y[i] += a * x[i]; }
kernel void inc(global int *x) { x[get_global_id(0)] += 1; }
kernel void slow(global int *x, int n) { int v = x[0]; for (int i = 0; i < n; i++) v = v * 3 + i; x[0] = v; }
"""
N = 1024


class Bench:
    """A program on one device and engine, and arrays made there."""

    def __init__(self, device: DeviceInfo, engine: Engine) -> None:
        self.place = {"device": device, "engine": engine.name}
        self.program = clm.Session(device=device, engine=engine.name).build(SOURCE)

    def array(self, values: Any, dtype: Any = None) -> DeviceArray:
        return clm.array(values, dtype, **self.place)


def step_of(device: DeviceInfo) -> int:
    """Elements of 4 B from one place where a slice shares memory to the next."""
    return max(device.mem_base_addr_align_bits // 8, 4) // 4


@pytest.fixture
def bench(device: DeviceInfo, engine: Engine) -> Bench:
    return Bench(device, engine)


def test_arrays_are_made_with_their_values_and_facts(bench: Bench, device: DeviceInfo) -> None:
    """K-34, K-38."""
    assert np.array_equal(clm.zeros((2, 3), **bench.place).numpy(), np.zeros((2, 3), np.float32))
    assert np.array_equal(clm.ones(4, "int16", **bench.place), np.ones(4, np.int16))
    made = clm.empty((5, 7), np.uint8, **bench.place)
    assert (made.shape, made.dtype, made.nbytes, made.size, made.ndim, len(made)) == ((5, 7), np.uint8, 35, 35, 2, 5)
    assert made.device == device
    assert made.engine_name == bench.place["engine"]
    fortran = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert np.array_equal(bench.array(fortran, "float32"), fortran)


def test_a_launch_uses_them_and_moves_nothing(bench: Bench) -> None:
    host = np.arange(N, dtype=np.float32)
    x, y = bench.array(host), clm.ones(N, **bench.place)
    run = bench.program.saxpy(x, y, 2.0, global_size=N)
    assert np.array_equal(y.numpy(), 1 + 2 * host)
    assert [t.nbytes for t in run.transfers] == [0, 0]
    assert {t.how for t in run.transfers} == {"already on the device"}


def test_repeated_runs_put_the_values_back(bench: Bench) -> None:
    x = clm.zeros(N, "int32", **bench.place)
    run = bench.program.inc(x[: N // 2], global_size=N // 2, repeat=3, warmup=1)
    assert x.numpy().tolist() == [1] * (N // 2) + [0] * (N // 2)
    assert sum(event.kind == "restore" for event in run.events) == 3
    bench.program.inc(x, global_size=N, repeat=3, restore=False)
    assert x[0] == 4


def test_they_mix_with_numpy_arrays(bench: Bench) -> None:
    host, y = np.arange(N, dtype=np.float32), clm.ones(N, **bench.place)
    bench.program.saxpy(host, y, 3.0, global_size=N)
    bench.program.saxpy(y, host, 1.0, global_size=N)
    assert np.array_equal(host, 1 + 4 * np.arange(N, dtype=np.float32))


def test_snapshots_are_read_only_and_stay_as_they_were(bench: Bench) -> None:
    x = clm.zeros(16, "int32", **bench.place)
    before = np.asarray(x)
    bench.program.inc(x, global_size=16)
    assert not x.numpy().flags.writeable
    assert not before.any()
    assert np.asarray(x, dtype=np.float64).sum() == 16
    with pytest.raises(ValueError, match="copied"):
        np.array(x, copy=False)


def test_the_host_opens_the_memory_itself(bench: Bench) -> None:
    x = clm.zeros(16, "int32", **bench.place)
    with x.host("rw") as view:
        view[3] = 7
        with pytest.raises(clm.ArgumentError, match="open for the host"):
            bench.program.inc(x, global_size=16)
        with pytest.raises(clm.ArgumentError):
            clm.free(x)
    assert not view.flags.writeable
    bench.program.inc(x, global_size=16)
    with x.host("r") as view:
        assert view[3] == 8
        assert not view.flags.writeable
    with pytest.raises(clm.ArgumentError, match="no access"), x.host("x"):  # type: ignore[arg-type]
        pass


def test_slices_share_memory_where_the_device_allows_it(bench: Bench, device: DeviceInfo) -> None:
    """R-34: aligned slices are sub-buffers, also of slices; misaligned ones are copies, and it is said."""
    step = step_of(device)
    x = clm.zeros(8 * step, "int32", **bench.place)
    part = x[2 * step : 6 * step][step : 2 * step]
    bench.program.inc(part, global_size=step)
    expected = np.zeros(8 * step, np.int32)
    expected[3 * step : 4 * step] = 1
    assert np.array_equal(x, expected)
    with pytest.warns(UserWarning, match="a copy"):
        copy = x[3 * step + 1 : 4 * step]
    assert "multiples" in copy.note
    assert "a copy" in repr(copy)
    bench.program.inc(copy, global_size=copy.size)
    assert set(copy.numpy()) == {2}
    assert np.array_equal(x, expected)


def test_elements_and_parts_are_read_and_set(bench: Bench) -> None:
    x = bench.array(np.arange(12, dtype=np.int32).reshape(3, 4))
    assert x[1, 2] == 6
    assert list(x[0]) == [0, 1, 2, 3]
    x[2] = 9
    x[0, 1] = -1
    assert x.numpy().tolist() == [[0, -1, 2, 3], [4, 5, 6, 7], [9, 9, 9, 9]]
    for wrong in (np.s_[:, 1], np.s_[::2]):
        with pytest.raises(clm.ArgumentError, match="cut into pieces"):
            x[wrong]
    with pytest.raises(clm.ArgumentError, match="whole numbers and slices"):
        x[[0, 1]]
    with pytest.raises(clm.ArgumentError, match="no elements"):
        x[1:1]
    with pytest.raises(IndexError):
        x[7]


def test_two_slices_of_one_array_are_two_arguments(bench: Bench, device: DeviceInfo) -> None:
    step = step_of(device)
    x = clm.ones(2 * step, **bench.place)
    bench.program.saxpy(x[:step], x[step:], 4.0, global_size=step)
    assert x.numpy().tolist() == [1.0] * step + [5.0] * step
    with pytest.raises(clm.ArgumentError, match="overlap"):
        bench.program.saxpy(x[:step], x, 1.0, global_size=step)


def test_copies_check_shape_and_type(bench: Bench, device: DeviceInfo) -> None:
    """K-40."""
    half = step_of(device)
    n = 2 * half
    x, y = bench.array(np.arange(n, dtype=np.int32)), clm.zeros(n, "int32", **bench.place)
    clm.copyto(y, x)
    assert np.array_equal(y, x)
    clm.copyto(y[:half], y[half:])
    assert y[0] == half
    host = np.zeros(n, np.int32)
    clm.copyto(host, y)
    assert host[n - 1] == n - 1
    clm.copyto(y, host * 2)
    assert y[n - 1] == 2 * n - 2
    for target, source in (
        (clm.zeros(n - 1, "int32", **bench.place), x),
        (clm.zeros(n, **bench.place), x),
        (host, x[:half]),
    ):
        with pytest.raises(clm.ArgumentError, match="and the source has"):
            clm.copyto(target, source)


def test_a_freed_array_cannot_be_used(bench: Bench) -> None:
    """K-42."""
    x = clm.zeros(64, "int32", **bench.place)
    again = bench.program.inc.prepare(x, global_size=64)
    again().wait()
    clm.free(x, x)
    assert x.freed
    assert repr(x).endswith("freed>")
    uses = (x.numpy, again, lambda: x[0], lambda: bench.program.inc(x, global_size=64), lambda: clm.copyto(x, x))
    for use in uses:
        with pytest.raises(clm.ArgumentError, match="was freed") as refused:
            use()
        assert refused.value.remedy
    whole = clm.zeros(64, "int32", **bench.place)
    with pytest.raises(clm.ArgumentError, match="slice"):
        whole[:32].free()


def test_memory_that_nobody_holds_is_given_back(bench: Bench, engine: Engine) -> None:
    """R-103 and its other side: a slice keeps the memory, the last holder lets it go."""
    x = clm.ones(64, "int32", **bench.place)
    part = x[:32]
    del x
    gc.collect()
    bench.program.inc(part, global_size=32)
    assert set(part.numpy()) == {2}
    before = part.base_data.number
    for _ in range(20):
        clm.zeros(1024, "int32", **bench.place)
    gc.collect()
    assert clm.zeros(4, **bench.place).base_data.number > before
    keeper = getattr(engine, "root", engine).memories
    assert len(keeper.abandoned()) <= 1


def test_wrong_arrays_are_refused(bench: Bench, device: DeviceInfo) -> None:
    for shape in (0, (3, 0), -1, (2.5,), True):
        with pytest.raises(clm.ArgumentError, match="whole number"):
            clm.zeros(shape, **bench.place)
    for dtype in (object, "float31", "M8[s]", "S0"):
        with pytest.raises(clm.ArgumentError):
            clm.empty(4, dtype, **bench.place)
    with pytest.raises(clm.ArgumentError) as large:
        clm.empty(device.max_alloc_bytes + 1, "uint8", **bench.place)
    assert large.value.limit == device.max_alloc_bytes
    with pytest.raises(clm.ArgumentError, match="float32"):
        bench.program.inc(clm.zeros(64, **bench.place), global_size=64)


def test_copies_and_conversions_stay_on_the_device(bench: Bench) -> None:
    x = bench.array([1.5, 2.5])
    whole, apart = x.astype("int32"), x.astype("float32").copy()
    assert whole.numpy().tolist() == [1, 2]
    assert apart.numpy().tolist() == [1.5, 2.5]
    assert whole.base_data.engine is x.base_data.engine


def test_read_only_and_mapped_arrays_are_sources(bench: Bench, tmp_path: Any) -> None:
    host = np.memmap(tmp_path / "values", np.int32, "w+", shape=(16,))
    host[:] = 3
    host.flags.writeable = False
    assert set(bench.array(host).numpy()) == {3}
    assert set(bench.array(host.byteswap().view(">i4")).numpy()) == {3}


def test_what_is_shown_is_short(bench: Bench) -> None:
    text = repr(bench.array(np.arange(1000, dtype=np.int32)))
    assert re.search(r"\[0 1 2 … 997 998 999\]", text)
    assert "int32 (1000,)" in text


def test_an_array_of_another_engine_or_device_is_refused(device: DeviceInfo) -> None:
    """R-16."""
    program = clm.Session(device=device).build(SOURCE)
    others = [other for other in clm.devices() if other.id != device.id]
    for other in others:
        with pytest.raises(clm.ArgumentError) as refused:
            program.inc(clm.zeros(64, "int32", device=other), global_size=64)
        assert refused.value.parameter == "x"
        assert f"device={other.id!r}" in refused.value.remedy


def test_directions_that_the_user_says(bench: Bench) -> None:
    """K-21: In brings nothing back; the record says who decided."""
    x = np.zeros(64, np.int32)
    run = bench.program.inc(clm.In(x), global_size=64)
    assert not x.any()
    assert {t.direction for t in run.transfers} == {"to device"}
    assert {t.reason for t in run.transfers} == {"you said clm.In"}
    assert run.arguments[0].direction == "in"
    run = bench.program.inc(x=clm.Out(x), global_size=64)
    assert run.arguments[0].direction == "out"
    assert set(x) == {1}
    y = np.ones(64, np.float32)
    run = bench.program.saxpy(clm.InOut(y), np.zeros(64, np.float32), 1.0, global_size=64)
    assert {t.direction for t in run.transfers if t.parameter == "x"} == {"to device", "from device"}
    x.flags.writeable = False
    bench.program.inc(clm.In(x), global_size=64)
    with pytest.raises(clm.ArgumentError, match="by value"):
        bench.program.saxpy(y, y, clm.In(1.0), global_size=64)


def test_a_device_says_whether_it_works(device: DeviceInfo) -> None:
    """K-43."""
    assert clm.functional(device) is True
    assert clm.functional("no such device") is False
