"""R-20, R-78, case 36: launches on every device, with what is recorded of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.launches import SAXPY, array_argument, plan, request, saxpy, scalar

from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.commands import Build, Launch
from cl_magic.engine.inline import InlineEngine
from cl_magic.errors import ArgumentError, EngineError, LaunchError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.plan import LaunchPart
from cl_magic.launch.request import LocalArgument, NullArgument
from cl_magic.record.run import RunRecord
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.devices import live_devices
from cl_magic.runtime.transfer import check_room

WHERE = ProgramSpec(
    "__kernel void where(__global int *out, int width)\n"
    "{ out[get_global_id(0) + get_global_id(1) * width] += 1 + (int)get_local_size(0); }\n"
)
NULLS = ProgramSpec(
    "__kernel void nulls(__global int *out, __global int *none, __local int *room)\n"
    "{ room[get_local_id(0)] = none == 0; out[get_global_id(0)] = room[get_local_id(0)]; }\n"
)


def built(inline: InlineEngine, spec: ProgramSpec, device: DeviceInfo) -> None:
    assert inline.submit(Build(spec, device.local_id)).result().ok


def run(inline: InlineEngine, command: Launch, *arrays: object) -> RunRecord:
    record = inline.submit(command, arrays).result()
    assert isinstance(record, RunRecord)
    return record


@pytest.fixture
def xy() -> tuple[np.ndarray, np.ndarray]:
    return np.arange(32, dtype=np.float32), np.ones(32, dtype=np.float32)


def test_a_launch_computes_and_is_recorded(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    built(inline, SAXPY, each_device)
    record = run(inline, saxpy(each_device.local_id, y, x), y, x)
    assert np.array_equal(y, 1 + 2 * x)
    assert (record.kernel, record.device.id, record.engine) == ("saxpy", each_device.id, "inline")
    assert record.program == SAXPY.digest
    assert record.status == "complete"
    assert record.host_start_ns < record.host_end_ns
    assert record.created.startswith("20")
    assert [(fact.declaration, fact.value, fact.direction) for fact in record.arguments] == [
        ("global float *restrict y", "float32 (32,)", "inout"),
        ("global const float *x", "float32 (32,)", "in"),
        ("float a", "2.0", ""),
        ("int n", "32", ""),
    ]


def test_times_are_in_order_and_on_the_hosts_axis(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    built(inline, SAXPY, each_device)
    record = run(inline, saxpy(each_device.local_id, y, x), y, x)
    kernel = next(event for event in record.events if event.kind == "kernel")
    assert kernel.queued_ns <= kernel.submit_ns <= kernel.start_ns <= kernel.end_ns
    assert kernel.duration_ns > 0
    slack_ns = 50_000_000
    ended_ns = kernel.end_ns + record.clock_offset_ns
    assert record.host_start_ns - slack_ns <= ended_ns <= record.host_end_ns + slack_ns


def test_transfers_say_how(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    built(inline, SAXPY, each_device)
    record = run(inline, saxpy(each_device.local_id, y, x), y, x)
    told = [(t.parameter, t.direction, t.reason) for t in record.transfers]
    assert told == [("y", "to device", ""), ("y", "from device", ""), ("x", "to device", "const in the source")]
    if each_device.simulator or "gpu" in each_device.type:
        assert {(t.how, t.nbytes) for t in record.transfers} == {("copied", 128)}
        assert [e.kind for e in record.events] == ["write", "write", "kernel", "read"]
    else:
        assert {(t.how, t.nbytes) for t in record.transfers} == {("used in place", 0)}
        assert [e.kind for e in record.events] == ["kernel", "map", "unmap"]


def test_captures_are_taken_around_the_run(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    built(inline, SAXPY, each_device)
    record = run(inline, saxpy(each_device.local_id, y, x), y, x)
    assert [(c.parameter, c.changed) for c in record.captures] == [("y", 31), ("x", None)]
    assert record.captures[0].before.maximum == 1
    assert record.captures[0].after.maximum == 63
    assert run(inline, saxpy(each_device.local_id, y, x, capture="none"), y, x).captures == ()


def test_repeats_give_the_values_of_one_run(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    built(inline, SAXPY, each_device)
    record = run(inline, saxpy(each_device.local_id, y, x, repeat=3, warmup=2), y, x)
    assert np.array_equal(y, 1 + 2 * x)
    kernels = [event for event in record.events if event.kind == "kernel"]
    assert [event.run for event in kernels] == [-1, -2, 1, 2, 3]
    assert [event.run for event in record.events if event.kind == "restore"] == [-2, 1, 2, 3]
    assert (record.repeat, record.warmup, record.restored) == (3, 2, True)
    assert record.captures == ()


def test_repeats_accumulate_when_asked(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    built(inline, SAXPY, each_device)
    record = run(inline, saxpy(each_device.local_id, y, x, repeat=3, restore=False), y, x)
    assert np.array_equal(y, 1 + 6 * x)
    assert not record.restored


def test_strided_arrays_are_gathered_and_scattered(inline: InlineEngine, each_device: DeviceInfo) -> None:
    base = np.zeros((32, 2), dtype=np.float32)
    x = np.arange(32, dtype=np.float32)[::-1]
    built(inline, SAXPY, each_device)
    record = run(inline, saxpy(each_device.local_id, base[:, 1], x), base[:, 1], x)
    assert np.array_equal(base[:, 1], 2 * x)
    assert not base[:, 0].any()
    assert [t.how for t in record.transfers] == [
        "gathered from a strided array",
        "scattered to a strided array",
        "gathered from a strided array",
    ]
    assert all(t.nbytes == 128 for t in record.transfers)


def test_misaligned_arrays_are_copied(inline: InlineEngine, each_device: DeviceInfo) -> None:
    y = np.zeros(129, dtype=np.uint8)[1:].view(np.float32)
    x = np.arange(32, dtype=np.float32)
    built(inline, SAXPY, each_device)
    record = run(inline, saxpy(each_device.local_id, y, x), y, x)
    assert np.array_equal(y, 2 * x)
    assert record.transfers[0].how == "copied"


def test_arrays_that_are_only_read_may_be_read_only(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    x.setflags(write=False)
    built(inline, SAXPY, each_device)
    run(inline, saxpy(each_device.local_id, y, x), y, x)
    assert y[31] == 63
    y.setflags(write=False)
    with pytest.raises(ArgumentError) as caught:
        run(inline, saxpy(each_device.local_id, y, x), y, x)
    assert caught.value.parameter == "y"


def test_two_arguments_share_one_array(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, _ = xy
    built(inline, SAXPY, each_device)
    command = saxpy(each_device.local_id, x, x)
    y_argument, x_argument = command.request.arrays
    shared = replace(command.request, arrays=(y_argument, replace(x_argument, slot=0)))
    record = run(inline, replace(command, request=shared), x)
    assert np.array_equal(x, 3 * np.arange(32))
    assert record.transfers[-1].how == "same memory as y"
    assert [c.parameter for c in record.captures] == ["y"]


def test_parts_of_one_array_are_sub_buffers(inline: InlineEngine, each_device: DeviceInfo) -> None:
    place = max(each_device.mem_base_addr_align_bits // 8, 256) // 4
    base = np.zeros(2 * place, dtype=np.float32)
    base[:32] = np.arange(32)
    y, x = base[place : place + 32], base[:32]
    built(inline, SAXPY, each_device)
    command = saxpy(each_device.local_id, y, x)
    y_argument, x_argument = command.request.arrays
    parts = (replace(y_argument, slot=0, offset_bytes=4 * place), replace(x_argument, slot=0))
    record = run(inline, replace(command, request=replace(command.request, arrays=parts)), base)
    assert np.array_equal(y, 2 * x)
    assert [(c.parameter, c.changed) for c in record.captures] == [("y", 31), ("x", None)]


def test_empty_arrays_are_no_error(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    _, y = xy
    empty = np.zeros(0, dtype=np.float32)
    built(inline, SAXPY, each_device)
    command = saxpy(each_device.local_id, y, empty)
    arguments = (*command.request.arrays, scalar(2, "a", np.float32(1)), scalar(3, "n", np.int32(0)))
    run(inline, Launch(request(SAXPY, "saxpy", plan((4,)), *arguments), each_device.local_id), y, empty)
    assert (y == 1).all()


def test_all_parts_of_a_plan_run_in_order(inline: InlineEngine, each_device: DeviceInfo) -> None:
    out = np.zeros(10, dtype=np.int32)
    built(inline, WHERE, each_device)
    parts = (LaunchPart((0, 0), (8, 1), (4, 1)), LaunchPart((8, 0), (2, 1), (2, 1), "remainder"))
    split = replace(plan((10, 1), (4, 1)), parts=parts, mode="split")
    arguments = (array_argument(0, "out", out), scalar(1, "width", np.int32(10)))
    record = run(inline, Launch(request(WHERE, "where", split, *arguments), each_device.local_id), out)
    assert out.tolist() == [5] * 8 + [3] * 2
    assert [event.part for event in record.events if event.kind == "kernel"] == [0, 1]


def test_without_a_local_size_the_driver_chooses(inline: InlineEngine, each_device: DeviceInfo) -> None:
    out = np.zeros(12, dtype=np.int32)
    built(inline, WHERE, each_device)
    arguments = (array_argument(0, "out", out), scalar(1, "width", np.int32(4)))
    run(inline, Launch(request(WHERE, "where", plan((4, 3)), *arguments), each_device.local_id), out)
    assert (out >= 2).all()


def test_local_memory_and_null_pointers(inline: InlineEngine, each_device: DeviceInfo) -> None:
    out = np.zeros(8, dtype=np.int32)
    built(inline, NULLS, each_device)
    arguments = (
        array_argument(0, "out", out, "out"),
        NullArgument(1, "none", "int*"),
        LocalArgument(2, "room", "int*", 16),
    )
    record = run(inline, Launch(request(NULLS, "nulls", plan((8,), (4,)), *arguments), each_device.local_id), out)
    assert (out == 1).all()
    assert [fact.value for fact in record.arguments] == ["int32 (8,)", "NULL", "16 bytes of local memory"]


def test_a_wrong_size_of_scalar_is_named_in_words(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    built(inline, SAXPY, each_device)
    command = saxpy(each_device.local_id, y, x)
    wide = tuple(replace(one, data=one.data + b"\0\0\0\0") for one in command.request.scalars)
    with pytest.raises(LaunchError) as caught:
        run(inline, replace(command, request=replace(command.request, scalars=wide)), y, x)
    assert (caught.value.code, caught.value.code_name) == (-51, "INVALID_ARG_SIZE")
    assert (caught.value.kernel, caught.value.global_size) == ("saxpy", (32,))
    assert caught.value.remedy
    run(inline, command, y, x)
    assert y[31] == 63


def test_a_work_group_too_large_is_named_in_words(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    built(inline, SAXPY, each_device)
    command = saxpy(each_device.local_id, y, x)
    size = each_device.max_work_group_size * 2
    large = replace(command.request, plan=plan((size,), (size,)))
    with pytest.raises(LaunchError) as caught:
        run(inline, replace(command, request=large), y, x)
    assert caught.value.code in {-54, -55}
    assert caught.value.local_size == (size,)


def test_what_was_not_built_cannot_be_launched(inline: InlineEngine, each_device: DeviceInfo) -> None:
    ticket = inline.submit(Launch(request(ProgramSpec("x"), "f", plan((1,))), each_device.local_id))
    assert ticket.done
    with pytest.raises(EngineError):
        ticket.result()


def test_a_missing_array_is_named(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    built(inline, SAXPY, each_device)
    with pytest.raises(ArgumentError) as caught:
        run(inline, saxpy(each_device.local_id, y, x), y)
    assert caught.value.parameter == "x"
    with pytest.raises(ArgumentError) as caught:
        run(inline, saxpy(each_device.local_id, y, x), y, [1, 2])
    assert caught.value.parameter == "x"


def test_arrays_over_the_devices_limits_are_refused_before_allocation() -> None:
    live = live_devices()[0]
    small = replace(live.info, max_alloc_bytes=1000, global_mem_bytes=1500)
    where = DeviceContext(replace(live, info=small))
    arguments = [array_argument(i, name, np.zeros(1, np.float32)) for i, name in enumerate("ab")]
    check_room(where, arguments, [800, 600])
    with pytest.raises(ArgumentError) as caught:
        check_room(where, arguments, [8, 1001])
    assert (caught.value.parameter, caught.value.nbytes, caught.value.limit) == ("b", 1001, 1000)
    with pytest.raises(ArgumentError) as caught:
        check_room(where, arguments, [900, 900])
    assert (caught.value.nbytes, caught.value.limit) == (1800, 1500)


def test_a_closed_engine_refuses() -> None:
    engine = InlineEngine()
    engine.close()
    with pytest.raises(EngineError):
        engine.devices()


def test_a_timeout_that_cannot_be_kept_is_said(inline: InlineEngine, each_device: DeviceInfo, xy: tuple) -> None:
    x, y = xy
    built(inline, SAXPY, each_device)
    assert run(inline, saxpy(each_device.local_id, y, x, timeout=5.0), y, x).notes
