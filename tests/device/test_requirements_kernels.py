"""What users of KernelAbstractions and PyOpenCL's tests ask of kernels, on every device; ids begin the names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.device import devices, select, versions_text
from cl_magic.errors import BuildError, DeviceNotFoundError, EngineError, LaunchError, NDRangeError
from cl_magic.launch.limits import DeviceInfo, DriverReport

COUNT = """kernel void k(global int *o)
{ o[get_global_id(1) * get_global_size(0) + get_global_id(0)] += 1; }"""
SIZES = """kernel void k(global int *o) {
  int i = get_global_id(0);
  o[3 * i] = get_local_size(0); o[3 * i + 1] = get_global_size(0); o[3 * i + 2] = get_num_groups(0); }"""
OFFSETS = "kernel void k(global int *o) { o[get_global_id(0)] = get_global_offset(0); }"
GUARD_AFTER = """kernel void k(global const int *a, global int *o, int n)
{
    local int t[4];
    int i = get_global_id(0), l = get_local_id(0);
    t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) o[i] = t[3 - l];
}
"""
RETURN_BEFORE = """kernel void k(global const int *a, global int *o, int n)
{
    local int t[4];
    int i = get_global_id(0), l = get_local_id(0);
    if (i >= n) return;
    t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = t[3 - l];
}
"""
GUARDED = "kernel void k(global int *o, int n)\n{\n  int i = get_global_id(0);\n  if (i < n) o[i] = i;\n}\n"
LOCAL = "kernel void k(global int *o) { o[get_global_id(0)] = get_local_size(0); }"


def built(text: str, device: DeviceInfo, std: str | None = None, options: str = "") -> clm.Kernel:
    return clm.build(text, std=std, options=options, device=device)["k"]


FORMS: dict[str, Any] = {
    "K-01 nothing fixed": (lambda k, o: k(o, global_size=(16, 8), local_size=(4, 2))),
    "K-01 local size fixed": (lambda k, o: k.with_sizes(local_size=(4, 2))(o, global_size=(16, 8))),
    "K-01 both fixed": (lambda k, o: k.with_sizes((16, 8), (4, 2))(o)),
    "K-01 both by subscript": (lambda k, o: k[(16, 8), (4, 2)](o)),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_kernel_is_bound_to_a_device_and_called(device: DeviceInfo, form: str) -> None:
    o = np.zeros((8, 16), np.int32)
    run = FORMS[form](built(COUNT, device), o)
    assert (o == 1).all()
    assert (run.plan.global_size, run.plan.local_size, run.device.id) == ((16, 8), (4, 2), device.id)


def test_k_05_one_local_number_over_a_plane_is_a_row(device: DeviceInfo) -> None:
    o = np.zeros((128, 128), np.int32)
    run = built(COUNT, device)(o, global_size=(128, 128), local_size=64)
    assert (run.plan.local_size, run.plan.groups) == ((64, 1), (2, 128))
    assert (o == 1).all()


def test_k_05_the_shape_of_an_image_is_its_columns_by_its_rows(device: DeviceInfo) -> None:
    o = np.zeros((6, 10), np.int32)
    assert built(COUNT, device)(o, global_size=o).plan.global_size == (10, 6)
    assert (o == 1).all()


@pytest.mark.parametrize("size", [12, (12,), np.zeros(12)], ids=["int", "tuple", "array"])
def test_k_05_a_range_by_number_tuple_or_array(device: DeviceInfo, size: Any) -> None:
    o = np.zeros(12, np.int32)
    assert built(COUNT, device)(o, global_size=size).plan.global_size == (12,)
    assert o.tolist() == [1] * 12


def test_k_06_a_range_that_begins_elsewhere(device: DeviceInfo) -> None:
    text = "kernel void k(global int *o) { o[get_global_id(1) * 16 + get_global_id(0)] = 1; }"
    o = np.zeros((16, 16), np.int32)
    run = built(text, device)(o, global_size=(8, 4), global_offset=(2, 5))
    assert run.plan.global_offset == (2, 5)
    assert np.argwhere(o).min(0).tolist() == [5, 2]
    assert np.argwhere(o).max(0).tolist() == [8, 9]
    assert o.sum() == 32


CUT = "-cl-uniform-work-group-size"


@pytest.mark.parametrize(
    ("std", "options"), [("CL1.2", ""), ("CL2.0", ""), ("CL2.0", CUT)], ids=["CL1.2", "CL2.0", "CL2.0 uniform"]
)
def test_k_10_ten_by_four_runs_exactly_ten(device: DeviceInfo, std: str, options: str) -> None:
    try:
        kernel = built(LOCAL, device, std, options)
    except BuildError as error:
        assert error.result.log or error.result.status  # noqa: PT017 - a driver may not know the option or the version
        assert std == "CL2.0"
        return
    o = np.full(12, -1, np.int32)
    run = kernel(o, global_size=10, local_size=4)
    assert o.tolist() == [4] * 8 + [2, 2, -1, -1]
    assert run.plan.groups == (3,)
    assert run.plan.mode_reason
    one_launch = device.non_uniform_work_groups and std == "CL2.0" and not options
    assert run.plan.mode == ("non-uniform" if one_launch else "split")


@pytest.mark.parametrize("remainder", ["auto", "split"])
def test_k_11_a_split_touches_every_element_once(device: DeviceInfo, remainder: str) -> None:
    text = "kernel void k(global int *o) { o[get_global_id(1) * 10 + get_global_id(0)] += 1; }"
    o = np.zeros((7, 10), np.int32)
    run = built(text, device, "CL1.2")(o, global_size=(10, 7), local_size=(4, 4), remainder=remainder)
    assert (o == 1).all()
    assert run.plan.mode == "split"
    sizes = [part.global_size for part in run.plan.parts]
    assert sorted(sizes) == [(2, 3), (2, 4), (8, 3), (8, 4)]


@pytest.mark.parametrize("offset", [0, 7])
def test_k_12_a_split_does_not_show_in_the_offset(device: DeviceInfo, offset: int) -> None:
    o = np.full(6 + offset, -1, np.int32)
    run = built(OFFSETS, device, "CL1.2")(o, global_size=6, local_size=4, global_offset=offset)
    assert o[offset:].tolist() == [offset] * 6
    assert run.plan.mode == "rebuilt"
    assert "get_global_offset" in run.plan.replaced


def test_k_12_sub_group_numbers_forbid_a_split(device: DeviceInfo) -> None:
    if not device.sub_groups:
        assert device.family != "intel"  # nothing to number; Oclgrind's compiler crashes on the attempt
        return
    text = "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\nkernel void k(global int *o)\n"
    text += "{ o[get_global_id(0)] = get_sub_group_id() + get_num_sub_groups(); }\n"
    o = np.full(12, -1, np.int32)
    with pytest.raises(NDRangeError) as caught:
        built(text, device, "CL3.0")(o, global_size=10, local_size=4, remainder="split")
    assert "get_sub_group_id" in str(caught.value)
    assert (o == -1).all()


def test_k_13_padding_needs_a_guard(device: DeviceInfo) -> None:
    o = np.full(12, -1, np.int32)
    with pytest.raises(NDRangeError):
        built(LOCAL, device)(o, global_size=10, local_size=4, remainder="pad")
    assert (o == -1).all()
    run = built(GUARDED, device)(o, 10, global_size=10, local_size=4, remainder="pad")
    assert o.tolist() == [*range(10), -1, -1]
    assert (run.plan.mode, run.plan.padded_global_size, run.plan.global_size) == ("padded", (12,), (10,))
    assert "line 4" in run.plan.mode_reason


def test_k_14_a_guard_after_the_barrier_is_right(device: DeviceInfo) -> None:
    a, o = np.arange(8, dtype=np.int32), np.full(8, -1, np.int32)
    run = built(GUARD_AFTER, device)(a, o, 5, global_size=5, local_size=4, remainder="pad")
    assert o.tolist() == [3, 2, 1, 0, 7, -1, -1, -1]
    assert run.plan.padded_global_size == (8,)


def test_k_15_a_return_before_the_barrier_is_warned_of_and_never_padded(device: DeviceInfo) -> None:
    kernel = built(RETURN_BEFORE, device)
    warnings = [d for d in kernel.program.result.diagnostics if d.severity == "warning"]
    assert [(d.line, "barrier" in d.message) for d in warnings] == [(5, True)]
    a, o = np.arange(8, dtype=np.int32), np.full(8, -1, np.int32)
    with pytest.raises(NDRangeError) as caught:
        kernel(a, o, 5, global_size=5, local_size=4, remainder="pad")
    assert "line 5" in str(caught.value)
    assert (o == -1).all()


@pytest.mark.parametrize("remainder", ["auto", "split"])
def test_k_29_sizes_inside_and_outside_are_those_of_the_range(device: DeviceInfo, remainder: str) -> None:
    o = np.zeros((10, 3), np.int32)
    run = built(SIZES, device)(o, global_size=10, local_size=4, remainder=remainder)
    assert o.tolist() == [[4, 10, 3]] * 8 + [[2, 10, 3]] * 2
    assert (run.plan.global_size, run.plan.local_size, run.plan.groups) == ((10,), (4,), (3,))


def test_k_31_a_remainder_can_be_an_error(device: DeviceInfo) -> None:
    o = np.full(12, -1, np.int32)
    with pytest.raises(NDRangeError):
        built(LOCAL, device)(o, global_size=10, local_size=4, remainder="error")
    assert (o == -1).all()


def test_k_31_a_remainder_can_be_left_to_the_driver(device: DeviceInfo) -> None:
    o = np.full(12, -1, np.int32)
    kernel = built(LOCAL, device)
    assert kernel.plan(10, 4, remainder="asis").parts[0].global_size == (10,)
    try:
        kernel(o, global_size=10, local_size=4, remainder="asis")
    except LaunchError as error:
        assert error.code_name == "INVALID_WORK_GROUP_SIZE"  # noqa: PT017 - drivers differ
        assert (o == -1).all()
    else:
        assert o.tolist() == [4] * 8 + [2, 2, -1, -1]


def test_k_34_a_device_is_named_by_family_id_or_value(device: DeviceInfo) -> None:
    for selector in (device, device.id, device.family):
        found = clm.device(selector)
        assert found == device or (selector == device.family and found.family == device.family)
        assert clm.build(LOCAL, device=selector).device == found


def test_k_44_the_versions_are_one_text(device: DeviceInfo) -> None:
    told = versions_text()
    for fact in ("cl_magic ", "Python ", "numpy ", "pyopencl ", device.name, device.driver_version):
        assert fact in told


def test_k_45_unified_memory_and_fp64_are_facts(device: DeviceInfo) -> None:
    known = {"pocl": (True, True), "intel": (True, True), "oclgrind": (False, True)}
    facts = (device.unified_memory, device.fp64)
    assert facts == known.get(device.family, facts)
    assert device.fp64 == ("cl_khr_fp64" in device.extensions)


def test_k_48_a_device_by_number_and_the_count_where_it_is_out_of_range(device: DeviceInfo) -> None:
    assert clm.device(device.id) == device
    platform = device.id.partition(":")[0]
    with pytest.raises(DeviceNotFoundError) as caught:
        clm.device(f"{platform}:9")
    assert len(caught.value.choices) == len(devices())
    alone = [DriverReport("its own", (device,))]
    assert select(int(platform), alone) is device
    for selector in (9, "9", -1):
        with pytest.raises(DeviceNotFoundError) as one:
            select(selector, alone)
        assert "1 device" in str(one.value)
    for selector in (True, 0.5, []):
        with pytest.raises(DeviceNotFoundError):
            select(selector, alone)  # type: ignore[arg-type]


WARNING = "#warning hi\nkernel void k(global int *o) { o[0] = 1; }\n"
BROKEN = "kernel void k(global int *o)\n{\n  o[0] = nothing;\n}\n"


def test_s_10_and_s_13_a_failure_carries_log_line_and_column(device: DeviceInfo) -> None:
    with pytest.raises(BuildError) as caught:
        clm.build(BROKEN, device=device)
    error = caught.value
    assert "line 3:10:" in str(error)
    assert "nothing" in error.result.log
    assert [(d.line, d.column) for d in error.result.diagnostics if d.severity == "error"] == [(3, 10)]


def test_s_12_a_log_is_kept_on_success_and_replaced_by_the_next(device: DeviceInfo) -> None:
    program = clm.build(WARNING, device=device)
    assert "hi" in program.log
    assert [d.line for d in program.result.diagnostics if d.severity == "warning"] == [1]
    silent = clm.build("kernel void k(global int *o) {}\n", device=device)
    assert "hi" not in silent.log
    if device.family in {"pocl", "oclgrind"}:
        assert silent.log == ""
    assert silent.result.count("warning") == 0


def test_s_22_a_kernel_is_found_by_its_plain_name(device: DeviceInfo) -> None:
    program = clm.build("kernel void foo(global int *o) { o[0] = 3; }", device=device)
    o = np.zeros(1, np.int32)
    program.foo(o, global_size=1)
    assert o[0] == 3
    assert program["foo"].name == program.foo.name == "foo"


@pytest.fixture
def own_context(device: DeviceInfo) -> Any:
    """A context that the user made, of PyOpenCL."""
    import pyopencl as cl  # noqa: PLC0415 - loads every driver into this process

    from cl_magic.runtime.devices import live_devices  # noqa: PLC0415 - as above

    identity = (device.platform_name, device.name, device.driver_version)
    for live in live_devices():
        if (live.info.platform_name, live.info.name, live.info.driver_version) == identity:
            return cl.Context([live.handle])
    return pytest.skip(f"{device.short_name} is absent from the OpenCL loader of this process")


SCALE = "kernel void k(global const float *x, global float *y, float a) { int i = get_global_id(0); y[i] = a * x[i]; }"


def test_s_49_arrays_mix_with_buffers_made_by_hand(device: DeviceInfo, own_context: Any) -> None:
    import pyopencl as cl  # noqa: PLC0415 - as above

    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    by_hand = cl.Buffer(own_context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
    kernel = built(SCALE, device)
    run = kernel(by_hand, y, 3.0, global_size=4)
    assert y.tolist() == [0.0, 3.0, 6.0, 9.0]
    assert run.engine == "inline"
    kernel(x, y, 2.0, global_size=4)
    assert y.tolist() == [0.0, 2.0, 4.0, 6.0]
    with pytest.raises(EngineError):
        kernel(by_hand, y, 3.0, global_size=4, engine="worker")


def test_s_49_calls_in_a_row_on_the_same_buffers_are_recorded_as_they_were(
    device: DeviceInfo, own_context: Any
) -> None:
    import pyopencl as cl  # noqa: PLC0415 - as above

    x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    given, taken = (cl.Buffer(own_context, flags, hostbuf=array) for array in (x, y))
    kernel = built(SCALE, device)
    pending = [kernel(given, taken, a, global_size=4, wait=False) for a in (2.0, 3.0, 3.0, 4.0)]
    values = [run.wait().arguments[2].value for run in pending]
    assert values == ["2.0f", "3.0f", "3.0f", "4.0f"]
    cl.enqueue_copy(cl.CommandQueue(own_context), y, taken)
    assert y.tolist() == [4.0] * 4
