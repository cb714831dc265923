"""PyOpenCL's own objects: arrays, buffers, shared virtual memory, contexts and queues. R-16, S-49, K-43's remedy."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array
import pytest
from support.benchmarks_device import pyopencl_device

import cl_magic as clm
from cl_magic.errors import EngineError
from cl_magic.launch.limits import DeviceInfo

SOURCE = """kernel void inc(global int *x, int k) { x[get_global_id(0)] += k; }
kernel void add(global const int *x, global int *y) { size_t i = get_global_id(0); y[i] += x[i]; }"""
N = 256
PROFILING = cl.command_queue_properties.PROFILING_ENABLE


@pytest.fixture
def queue(each_device: DeviceInfo) -> Any:
    return cl.CommandQueue(cl.Context([pyopencl_device(each_device)]), properties=PROFILING)


def read(queue: Any, source: Any) -> Any:
    host = np.empty(N, np.int32)
    cl.enqueue_copy(queue, host, source)
    queue.finish()
    return host


def test_a_buffer_and_an_array_choose_the_inline_engine(queue: Any) -> None:
    program = clm.build(SOURCE)
    assert program.engine.name == "worker"
    array = cl.array.arange(queue, N, dtype=np.int32)
    run = program.inc(array, 3, global_size=N)
    assert run.engine == "inline"
    assert np.array_equal(array.get(), np.arange(N) + 3)
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, array.nbytes)
    cl.enqueue_copy(queue, buffer, np.zeros(N, np.int32))
    program.add(array, buffer, global_size=N)
    assert np.array_equal(read(queue, buffer), np.arange(N) + 3)


def test_a_slice_of_their_array_is_its_part(queue: Any, each_device: DeviceInfo) -> None:
    step = each_device.mem_base_addr_align_bits // 8 // 4 or 1
    array = cl.array.zeros(queue, 4 * step, np.int32)
    clm.build(SOURCE).inc(array[step : 2 * step], 5, global_size=step)
    expected = np.zeros(4 * step, np.int32)
    expected[step : 2 * step] = 5
    assert np.array_equal(array.get(), expected)


def test_a_queue_is_used_as_it_is(queue: Any) -> None:
    """S-49: our launches and the user's follow each other in one queue."""
    program = clm.build(SOURCE, device=queue)
    assert program.engine.name == "inline"
    assert program is clm.build(SOURCE, device=queue)
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 4 * N)
    kernel = program.inc.cl_kernel
    cl.enqueue_fill_buffer(queue, buffer, np.int32(1), 0, 4 * N)
    pending = program.inc(buffer, 1, global_size=N, wait=False)
    kernel(queue, (N,), None, buffer, np.int32(10))
    program.inc(buffer, 100, global_size=N)
    assert set(read(queue, buffer)) == {112}
    assert pending.wait().events[0].end_ns
    x = np.zeros(N, np.int32)
    run = program.inc(x, 2, global_size=N)
    assert set(x) == {2}
    assert not run.notes


def test_a_queue_without_profiling_gives_no_times_and_says_why(each_device: DeviceInfo) -> None:
    """Case 36."""
    context = cl.Context([pyopencl_device(each_device)])
    program = clm.build(SOURCE, device=cl.CommandQueue(context))
    x = np.zeros(N, np.int32)
    run = program.inc(x, 2, global_size=N)
    assert set(x) == {2}
    if not each_device.simulator:  # which gives times all the same
        assert any("PROFILING_ENABLE" in note for note in run.notes)
        assert run.events[0].clamped


def test_a_context_gets_a_queue_and_arrays(queue: Any) -> None:
    program = clm.build(SOURCE, device=queue.context)
    x = clm.zeros(N, "int32", device=queue.context)
    y = np.ones(N, np.int32)
    program.inc(x, 4, global_size=N)
    program.add(x, y, global_size=N)
    assert set(y) == {5}
    assert set(x.numpy()) == {4}
    elsewhere = clm.zeros(N, "int32", device=queue)
    with pytest.raises(clm.ArgumentError):
        program.inc(elsewhere, 1, global_size=N)


def test_objects_of_two_contexts_do_not_mix(queue: Any, each_device: DeviceInfo) -> None:
    """R-16."""
    other = cl.CommandQueue(cl.Context([pyopencl_device(each_device)]))
    one, two = cl.array.zeros(queue, N, np.int32), cl.array.zeros(other, N, np.int32)
    with pytest.raises(clm.ArgumentError, match="contexts"):
        clm.build(SOURCE).add(one, two, global_size=N)


def test_a_queue_out_of_order_is_refused(each_device: DeviceInfo) -> None:
    context = cl.Context([pyopencl_device(each_device)])
    try:
        disorder = cl.CommandQueue(context, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
    except cl.Error:
        pytest.skip("the device has no queue out of order")
    if not int(disorder.properties) & int(cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE):
        pytest.skip("the driver makes it in order")
    with pytest.raises(EngineError, match="out of order"):
        clm.build(SOURCE, device=disorder)


def test_shared_virtual_memory_is_an_argument(queue: Any, each_device: DeviceInfo) -> None:
    try:
        memory = cl.SVMAllocation(queue.context, 4 * N, 64, cl.svm_mem_flags.READ_WRITE)
    except cl.Error:
        pytest.skip("the device has no shared virtual memory")
    if each_device.simulator:
        pytest.skip("the simulator has no shared virtual memory")
    program = clm.build(SOURCE, device=queue)
    cl.enqueue_copy(queue, memory, np.ones(N, np.int32))
    run = program.inc(memory, 2, global_size=N)
    assert set(read(queue, memory)) == {3}
    assert run.engine == "inline"


def test_live_objects_are_in_this_process_only(queue: Any) -> None:
    program = clm.build(SOURCE, device=queue)
    assert isinstance(program.cl_program, cl.Program)
    assert program.inc.cl_kernel is program.inc.cl_kernel
    assert re.fullmatch(r"inc\0?", program.inc.cl_kernel.function_name)
    worker = clm.build(SOURCE)
    for ask in (lambda: worker.cl_program, lambda: worker.inc.cl_kernel):
        with pytest.raises(EngineError) as refused:
            ask()
        assert "inline" in refused.value.remedy
