"""R-17, R-77: prepared launches keep their values, and one changed by index is set alone."""

from __future__ import annotations

import threading
import time

import numpy as np
import pyopencl as cl
import pyopencl.array
import pytest
from support.launches import SAXPY, saxpy

from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.commands import Build, Launch
from cl_magic.engine.inline import InlineEngine
from cl_magic.errors import ArgumentError, LaunchError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.devices import live_devices


@pytest.fixture
def context(each_device: DeviceInfo) -> cl.Context:
    """A context of the user's own."""
    live = next(live for live in live_devices() if live.info.id == each_device.id)
    return cl.Context([live.handle])


@pytest.fixture(autouse=True)
def _program(inline: InlineEngine, each_device: DeviceInfo) -> None:
    assert inline.submit(Build(SAXPY, each_device.local_id)).result().ok


def arrays() -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(8, dtype=np.float32), np.arange(8, dtype=np.float32)


def test_calls_accumulate_and_a_changed_value_stays(inline: InlineEngine, each_device: DeviceInfo) -> None:
    y, x = arrays()
    call = inline.prepare(saxpy(each_device.local_id, y, x), (y, x))
    call().result()
    assert np.array_equal(y, 2 * x)
    call([(2, np.float32(10))]).result()
    assert np.array_equal(y, 12 * x)
    record = call().result()
    assert np.array_equal(y, 22 * x)
    kernels = [event for event in record.events if event.kind == "kernel"]
    assert len(kernels) == 1
    assert kernels[0].duration_ns > 0
    assert record.captures == ()


def test_a_prepared_launch_is_not_disturbed_by_others(inline: InlineEngine, each_device: DeviceInfo) -> None:
    y, x = arrays()
    call = inline.prepare(saxpy(each_device.local_id, y, x), (y, x))
    other_y, other_x = arrays()
    inline.submit(saxpy(each_device.local_id, other_y, other_x, a=7), (other_y, other_x)).result()
    call().result()
    assert np.array_equal(y, 2 * x)
    assert np.array_equal(other_y, 7 * x)


def test_a_result_is_the_same_record_twice(inline: InlineEngine, each_device: DeviceInfo) -> None:
    y, x = arrays()
    ticket = inline.prepare(saxpy(each_device.local_id, y, x), (y, x))()
    record = ticket.result(timeout=60)
    assert ticket.done
    assert ticket.cancel() is False
    assert ticket.progress is None
    assert ticket.result() is record


def test_values_that_do_not_fit_are_named(inline: InlineEngine, each_device: DeviceInfo) -> None:
    y, x = arrays()
    call = inline.prepare(saxpy(each_device.local_id, y, x), (y, x))
    with pytest.raises(ArgumentError) as caught:
        call([(2, np.float64(1))])
    assert caught.value.parameter == "a"
    with pytest.raises(ArgumentError):
        call([(0, np.zeros(8, np.float32))])
    with pytest.raises(ArgumentError):
        call([(9, np.int32(1))])
    call().result()
    assert np.array_equal(y, 2 * x)


def test_what_cannot_be_launched_is_refused(inline: InlineEngine, each_device: DeviceInfo) -> None:
    y, x = arrays()
    command = saxpy(each_device.local_id, y, x)
    size = each_device.max_work_group_size * 4
    part = command.request.plan.parts[0]
    object.__setattr__(part, "local_size", (size,))
    object.__setattr__(part, "global_size", (size,))
    call = inline.prepare(command, (y, x))
    with pytest.raises(LaunchError) as caught:
        call()
    assert caught.value.code in {-54, -55}


def test_four_threads_with_a_launch_each(inline: InlineEngine, each_device: DeviceInfo) -> None:
    made = [arrays() for _ in range(4)]
    calls = [inline.prepare(saxpy(each_device.local_id, *pair), pair) for pair in made]

    def work(place: int) -> None:
        for _ in range(20):
            calls[place]([(2, np.float32(place))]).result()

    threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for place, (y, x) in enumerate(made):
        assert np.array_equal(y, 20 * place * x)


def test_buffers_run_in_their_own_context(inline: InlineEngine, each_device: DeviceInfo, context: cl.Context) -> None:
    y, x = arrays()
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffers = [cl.Buffer(context, flags, hostbuf=array) for array in (y, x)]
    command = saxpy(each_device.local_id, y, x)
    record = inline.submit(command, buffers).result()
    assert {t.how for t in record.transfers} == {"already on the device"}
    assert record.captures == ()
    ticket = inline.submit(saxpy(each_device.local_id, y, x, capture="none"), buffers)
    assert [event.kind for event in ticket.result().events] == ["kernel"]
    inline.prepare(command, buffers)().result()
    cl.enqueue_copy(cl.CommandQueue(context), y, buffers[0])
    assert np.array_equal(y, 6 * x)


def test_pyopencl_arrays_and_slices_of_them(inline: InlineEngine, each_device: DeviceInfo, context: cl.Context) -> None:
    queue = cl.CommandQueue(context)
    base = cl.array.to_device(queue, np.zeros(128, dtype=np.float32))
    x = cl.array.to_device(queue, np.arange(64, dtype=np.float32))
    y = base[64:]
    inline.submit(saxpy(each_device.local_id, y, x, capture="none"), (y, x))
    assert np.array_equal(base.get(), np.r_[np.zeros(64), 2 * np.arange(64)])


def test_a_prepared_buffer_can_be_exchanged(inline: InlineEngine, each_device: DeviceInfo, context: cl.Context) -> None:
    y, x = arrays()
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    first, second, source = (cl.Buffer(context, flags, hostbuf=array) for array in (y, y, x))
    call = inline.prepare(saxpy(each_device.local_id, y, x), (first, source))
    call([(0, second)]).result()
    queue = cl.CommandQueue(context)
    cl.enqueue_copy(queue, y, first)
    assert not y.any()
    cl.enqueue_copy(queue, y, second)
    assert np.array_equal(y, 2 * x)
    with pytest.raises(ArgumentError) as caught:
        call([(0, cl.Buffer(context, cl.mem_flags.READ_WRITE, 4))])
    assert caught.value.parameter == "y"


def test_arrays_of_two_contexts_are_refused(inline: InlineEngine, each_device: DeviceInfo, context: cl.Context) -> None:
    y, x = arrays()
    other = cl.Context(context.devices)
    buffers = [cl.Buffer(place, cl.mem_flags.READ_WRITE, 32) for place in (context, other)]
    ticket = inline.submit(saxpy(each_device.local_id, y, x), buffers)
    with pytest.raises(ArgumentError):
        ticket.result()


def test_a_result_that_takes_longer_times_out(inline: InlineEngine) -> None:
    device = next(device for device in inline.devices() if not device.simulator)
    slow = ProgramSpec(
        "__kernel void slow(__global float *y, __global const float *x, float a, int n)\n"
        "{ for (int i = 0; i < 1000000; ++i) y[0] = sin(y[0] + x[i & 7]); }\n"
    )
    inline.submit(Build(slow, device.local_id)).result()
    y, x = arrays()
    command = saxpy(device.local_id, y, x)
    request = command.request
    object.__setattr__(request, "program", slow.digest)
    object.__setattr__(request, "kernel", "slow")
    ticket = inline.prepare(Launch(request, device.local_id), (y, x))()
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        ticket.result(timeout=0.001)
    assert time.monotonic() - started < 5
    ticket.result()
