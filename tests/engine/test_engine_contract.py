"""What every engine does, checked on both and on each device: R-01, R-02, R-17, K-48."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from support.engine_commands import SAXPY, array_argument, built, launch, saxpy

from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.commands import Build, Inspect
from cl_magic.engine.protocol import Engine
from cl_magic.errors import ClMagicError, DeviceNotFoundError, KernelNotFoundError
from cl_magic.launch.limits import DeviceInfo

N = 256


def numbers(n: int = N) -> tuple[Any, Any]:
    return np.arange(n, dtype=np.float32), np.ones(n, dtype=np.float32)


def test_inspect_gives_the_device_with_its_facts(engine: Engine, device: DeviceInfo) -> None:
    """R-01, R-02: platform, device and language version are three facts."""
    found = {d.local_id: d for d in engine.submit(Inspect()).result()}[device.local_id]
    assert found == device
    assert found in engine.devices()
    assert found.platform_version
    assert found.device_version
    assert found.max_work_group_size >= 1
    assert len(found.max_work_item_sizes) >= 3
    assert found.type


def test_a_build_gives_the_kernels(engine: Engine, device: DeviceInfo) -> None:
    result = engine.submit(Build(SAXPY, device.local_id)).result()
    assert result.ok
    assert result.device_id == device.id
    assert {kernel.name for kernel in result.kernels} == {"saxpy", "hello", "pair"}
    assert result.kernel("saxpy").work_group.max_work_group_size >= 1


def test_a_failed_build_is_a_result_with_its_log(engine: Engine, device: DeviceInfo) -> None:
    result = engine.submit(
        Build(ProgramSpec("kernel void f(global int *x) { x[0] = oops; }"), device.local_id)
    ).result()
    assert not result.ok
    assert "oops" in result.log + result.log_extra
    assert result.status
    assert result.kernels == ()


def test_a_launch_equals_numpy_and_records_what_it_did(engine: Engine, device: DeviceInfo) -> None:
    x, y = numbers()
    run = built(engine, SAXPY, device).submit(saxpy(device, x, y, 2.0), (x, y)).result()
    assert np.array_equal(y, 1 + 2 * x)
    assert np.array_equal(x, numbers()[0])
    assert run.engine == engine.name
    assert run.device == device
    assert run.kernel == "saxpy"
    assert run.program == SAXPY.digest
    assert [event.name for event in run.events if event.kind == "kernel"] == ["saxpy"]
    assert run.host_end_ns > run.host_start_ns
    assert {transfer.parameter for transfer in run.transfers if transfer.direction == "from device"} == {"y"}
    assert {transfer.parameter for transfer in run.transfers if transfer.direction == "to device"} == {"x", "y"}


@pytest.mark.parametrize("step", [2, -1, 3])
def test_strided_arrays_are_gathered_and_scattered(engine: Engine, device: DeviceInfo, step: int) -> None:
    x, wide = numbers()[0], np.zeros(3 * N, dtype=np.float32)
    y = wide[::step][:N]
    built(engine, SAXPY, device).submit(saxpy(device, x, y, 3.0), (x, y)).result()
    assert np.array_equal(y, 3 * x)
    assert np.count_nonzero(wide) == np.count_nonzero(x)


def test_fortran_order_is_the_memory_as_it_is(engine: Engine, device: DeviceInfo) -> None:
    x = np.arange(N, dtype=np.float32)
    y = np.zeros((16, N // 16), dtype=np.float32, order="F")
    built(engine, SAXPY, device).submit(saxpy(device, x, y, 1.0), (x, y)).result()
    assert np.array_equal(y.ravel(order="F"), x)


def test_an_array_that_is_only_read_may_be_read_only(engine: Engine, device: DeviceInfo) -> None:
    x, y = numbers()
    x.flags.writeable = False
    built(engine, SAXPY, device).submit(saxpy(device, x, y, 1.0), (x, y)).result()
    assert np.array_equal(y, 1 + x)


def test_two_arguments_may_be_one_array(engine: Engine, device: DeviceInfo) -> None:
    y = numbers()[0]
    arrays = (array_argument(0, "x", y, "in", 0), array_argument(1, "y", y, "inout", 0))
    built(engine, SAXPY, device).submit(launch(device, SAXPY, "pair", N, arrays=arrays), (y,)).result()
    assert np.array_equal(y, numbers()[0] + 1)


def test_printf_belongs_to_its_run(engine: Engine, device: DeviceInfo) -> None:
    out = np.array([42], dtype=np.int32)
    command = launch(device, SAXPY, "hello", 1, arrays=(array_argument(0, "out", out, "inout"),))
    run = built(engine, SAXPY, device).submit(command, (out,)).result()
    assert run.printf == "hello 42\n"
    assert out[0] == 7


def test_repeated_runs_are_restored(engine: Engine, device: DeviceInfo) -> None:
    x, y = numbers()
    command = saxpy(device, x, y, 2.0, repeat=3, warmup=1)
    run = built(engine, SAXPY, device).submit(command, (x, y)).result()
    assert np.array_equal(y, 1 + 2 * x)
    assert sum(event.kind == "kernel" for event in run.events) == 4
    assert (run.repeat, run.warmup, run.restored) == (3, 1, True)


def test_a_prepared_launch_runs_again_with_another_scalar(engine: Engine, device: DeviceInfo) -> None:
    x, y = numbers()
    again = built(engine, SAXPY, device).prepare(saxpy(device, x, y, 1.0), (x, y))
    again().result()
    again([(2, np.float32(10))]).result()
    assert np.array_equal(y, 1 + 11 * x)


def test_errors_arrive_as_their_class(engine: Engine, device: DeviceInfo) -> None:
    with pytest.raises(KernelNotFoundError) as missing:
        built(engine, SAXPY, device).submit(launch(device, SAXPY, "sax", N)).result()
    assert missing.value.remedy
    other = ProgramSpec("kernel void never_built(global int *x) { }")
    with pytest.raises(ClMagicError):
        engine.submit(launch(device, other, "never_built", 1)).result()
    command = Build(SAXPY, "9:9")
    with pytest.raises(DeviceNotFoundError) as absent:
        engine.submit(command).result()
    assert absent.value.device == "9:9"


def test_four_threads_share_an_engine(engine: Engine, device: DeviceInfo) -> None:
    """R-17."""
    built(engine, SAXPY, device)
    arrays = [numbers() for _ in range(4)]

    def work(x: Any, y: Any, a: Any) -> None:
        for _ in range(10):
            engine.submit(saxpy(device, x, y, a), (x, y)).result()

    threads = [threading.Thread(target=work, args=(*pair, float(a))) for a, pair in enumerate(arrays)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for a, (x, y) in enumerate(arrays):
        assert np.array_equal(y, 1 + 10 * a * x)
