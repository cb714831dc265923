"""What the runtime specification asks, on every device: each test's name or id begins with the requirement's id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.device import select, versions_text
from cl_magic.display.devices import all_of, devices_html, devices_text
from cl_magic.errors import ArgumentError, BuildError, DeviceNotFoundError, KernelNotFoundError, NDRangeError
from cl_magic.launch.limits import DeviceInfo, DriverReport

IDS = """kernel void k(global int *id, global int *group)
{ int i = get_global_id(0) - get_global_offset(0); id[i] = get_global_id(0); group[i] = get_group_id(0); }"""
IDS_3D = """kernel void k(global int *o) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  o[(z * get_global_size(1) + y) * get_global_size(0) + x] = get_work_dim() * 1000 + z * 100 + y * 10 + x; }"""
LOCAL = "kernel void k(global int *o) { o[get_global_id(0)] = get_local_size(0); }"
SAXPY = """kernel void saxpy(global const float *x, global float *y, float a, int n)
{ int i = get_global_id(0); if (i < n) y[i] = a * x[i] + y[i]; }"""
SEVEN = """__kernel __attribute__((reqd_work_group_size(8, 2, 1)))
void seven(__global float *restrict a, __global const int *b, __constant float4 *c, __local uint *d,
           float e, __global volatile int *f, __read_only image2d_t g) {}
"""
WORDS = {"pocl": "OpenCL C 3.0", "intel": "OpenCL C 1.2", "oclgrind": "OpenCL C 1.2"}


def value(text: str, options: Any, device: DeviceInfo, std: str | None = None) -> int:
    """What ``o[0] = text`` leaves with these options."""
    program = clm.build(f"kernel void k(global int *o) {{ o[0] = {text}; }}", options=options, std=std, device=device)
    out = np.zeros(1, np.int32)
    program.k(out, global_size=1)
    return int(out[0])


def test_r_01_every_device_tells_its_facts(device: DeviceInfo) -> None:
    assert device in clm.devices()
    assert len({other.id for other in clm.devices()}) == len(clm.devices())
    assert device.name
    assert device.platform_name
    assert device.driver_version
    assert device.type
    sizes = (device.global_mem_bytes, device.max_alloc_bytes, device.local_mem_bytes, device.constant_buffer_bytes)
    assert min(sizes) > 0
    assert min(device.compute_units, device.max_work_group_size, *device.max_work_item_sizes) > 0
    shown = all_of(clm.devices())
    for form in (devices_text(shown), devices_html(shown)):
        assert device.id in form
        assert device.short_name in form


def test_r_02_platform_device_and_language_have_a_version_each(device: DeviceInfo) -> None:
    assert device.platform_version.startswith("OpenCL ")
    assert device.device_version.startswith("OpenCL ")
    assert device.opencl_c_version.startswith("OpenCL C ")
    assert "1.2" in device.opencl_c_versions
    told = versions_text()
    for version in (device.platform_version, device.device_version, device.opencl_c_version):
        assert version in told
    if device.family == "pocl":
        starts = (device.platform_version[:10], device.device_version[:10], device.opencl_c_version[:12])
        assert starts == ("OpenCL 3.0", "OpenCL 3.0", "OpenCL C 1.2")
    if device.family == "intel":
        assert device.opencl_c_version[9:12] == device.device_version[7:10] == device.platform_version[7:10]
        assert {"1.2", "2.0", "3.0", device.device_version[7:10]} <= set(device.opencl_c_versions)


def test_r_03_a_type_selects_and_never_the_simulator(device: DeviceInfo) -> None:
    for kind in ("gpu", "cpu", "accelerator", "custom"):
        alone = [DriverReport("its own", (device,))]
        if kind in device.type and not device.simulator:
            assert select(kind, alone) is device
        else:
            with pytest.raises(DeviceNotFoundError) as caught:
                select(kind, alone)
            assert [choice[0] for choice in caught.value.choices] == [device.id]


def test_r_18_ids_run_from_the_offset(device: DeviceInfo) -> None:
    ids, groups = np.zeros((2, 4), np.int32)
    clm.build(IDS, device=device).k(ids, groups, global_size=4, local_size=2, global_offset=10)
    assert ids.tolist() == [10, 11, 12, 13]
    assert groups.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("size", [(5,), (5, 3), (5, 3, 2)], ids=["1-D", "2-D", "3-D"])
def test_r_18_one_to_three_dimensions(device: DeviceInfo, size: tuple[int, ...]) -> None:
    o = np.zeros(size[::-1], np.int32)
    clm.build(IDS_3D, device=device).k(o, global_size=size, local_size=(1,) * len(size))
    x, y, z = (*np.meshgrid(*map(np.arange, size), indexing="ij"), 0, 0)[:3]
    assert (o == (len(size) * 1000 + z * 100 + y * 10 + x).T).all()


def test_r_18_four_dimensions_are_refused(device: DeviceInfo) -> None:
    with pytest.raises(NDRangeError) as caught:
        clm.build(LOCAL, device=device).k(np.zeros(16, np.int32), global_size=(2, 2, 2, 2))
    assert caught.value.value == (2, 2, 2, 2)


@pytest.mark.parametrize("size", [1, 64, 1000, 7919])
def test_r_20_a_local_size_is_chosen_with_a_reason(device: DeviceInfo, size: int) -> None:
    o = np.zeros(size, np.int32)
    run = clm.build(LOCAL, device=device).k(o, global_size=size)
    assert run.plan.local_size is not None
    assert run.plan.local_size_reason
    assert o.max() == run.plan.local_size[0]
    assert o.min() > 0


@pytest.mark.parametrize("size", [0, (0, 4), (4, 0)], ids=str)
def test_r_21_a_range_of_nothing_is_refused(device: DeviceInfo, size: Any) -> None:
    with pytest.raises(NDRangeError) as caught:
        clm.build(LOCAL, device=device).k(np.zeros(1, np.int32), global_size=size)
    assert caught.value.value == size
    assert "nothing to do" in str(caught.value)


@pytest.mark.parametrize("local_size", [0, (0,)], ids=str)
def test_r_22_a_local_size_of_zero_is_refused(device: DeviceInfo, local_size: Any) -> None:
    with pytest.raises(NDRangeError) as caught:
        clm.build(LOCAL, device=device).k(np.zeros(4, np.int32), global_size=4, local_size=local_size)
    assert caught.value.argument == "local_size"


def test_r_56_a_rebuild_leaves_held_kernels_working(device: DeviceInfo) -> None:
    text = "kernel void k(global int *o) { o[0] = N; }"
    old = clm.build(text, options="-DN=1", device=device).k
    new = clm.build(text, options="-DN=2", device=device).k
    o = np.zeros(1, np.int32)
    for kernel, expected in ((old, 1), (new, 2), (old, 1)):
        kernel(o, global_size=1)
        assert o[0] == expected
    assert old.program is not new.program


def test_r_61_the_language_version_really_used_is_told(device: DeviceInfo) -> None:
    program = clm.build(LOCAL, device=device)
    o = np.zeros(1, np.int32)
    run = program.k(o, global_size=1)
    used = value("__OPENCL_C_VERSION__", "", device)
    said = f"OpenCL C {used // 100}.{used // 10 % 10}"
    assert program.result.language_version == said == WORDS.get(device.family, said)
    assert run.plan.language_version == said
    assert clm.build(LOCAL, std="CL1.1", device=device).result.language_version == "OpenCL C 1.1"


DEFINITIONS = {
    "R-63 a name alone is 1": ("X", "-DX", 1),
    "R-63 one by another": ("B", "-DA=1 -DB=A+1", 2),
    "R-63 the later wins": ("A", "-DA=1 -DA=2", 2),
    "R-63 the value ends with its line": ("X", ["-DX=1\n+5"], 1),
    "R-63 like a function": ("F(3)", ["-DF(a)=a*2"], 6),
    "R-63 a blank in the value": ("X", ["-DX=1 + 5"], 6),
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_definitions(device: DeviceInfo, name: str) -> None:
    text, options, expected = DEFINITIONS[name]
    assert value(text, options, device) == expected


@pytest.mark.parametrize("spelling", ["-I{}", "-I {}"])
def test_r_64_include_folders_glued_and_spaced(device: DeviceInfo, tmp_path: Path, spelling: str) -> None:
    (tmp_path / "k.h").write_text("#define K 3\n")
    text = '#include "k.h"\nkernel void k(global int *o) { o[0] = K; }'
    o = np.zeros(1, np.int32)
    clm.build(text, options=spelling.format(tmp_path), device=device).k(o, global_size=1)
    assert o[0] == 3


def test_r_71_argument_information_is_asked_for(device: DeviceInfo) -> None:
    result = clm.build(SAXPY, device=device).result
    always = device.family in {"intel", "oclgrind"}
    assert always or "-cl-kernel-arg-info" in result.options_used
    assert [p.name for p in result.kernel("saxpy").signature.parameters] == ["x", "y", "a", "n"]


def test_r_75_kernels_by_name_and_an_unknown_one_lists_them(device: DeviceInfo) -> None:
    program = clm.build("kernel void a(global int *o) {}\nkernel void b(global int *o) {}\n", device=device)
    assert list(program) == ["a", "b"]
    assert (program["a"].name, program.b.name) == ("a", "b")
    for missing in (lambda: program["c"], lambda: program.c):
        with pytest.raises((KernelNotFoundError, AttributeError)) as caught:
            missing()
        assert "a, b" in str(caught.value)


def test_r_77_a_prepared_launch_keeps_its_arguments(device: DeviceInfo) -> None:
    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    program = clm.build(SAXPY, device=device)
    again = program.saxpy.prepare(x, y, 2.0, 4, global_size=4)
    again().wait()
    program.saxpy(x, np.zeros(4, np.float32), 9.0, 4, global_size=4)
    again().wait()
    assert y.tolist() == [0.0, 4.0, 8.0, 12.0]


def test_r_77_one_value_is_changed_by_name_and_stays(device: DeviceInfo) -> None:
    x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
    again = clm.build(SAXPY, device=device).saxpy.prepare(x, y, 2.0, 4, global_size=4)
    records = [again().wait(), again(a=10).wait(), again().wait(), again(n=0, a=0.0).wait()]
    assert y.tolist() == [22.0] * 4
    assert [record.arguments[2].value for record in records] == ["2.0f", "10.0f", "10.0f", "0.0f"]
    for wrong in ({"a": "2"}, {"x": x}, {"b": 1}):
        with pytest.raises(ArgumentError) as caught:
            again(**wrong)
        assert caught.value.parameter in wrong


X, Y = np.ones(4, np.float32), np.ones(4, np.float32)
WRONG_CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "R-78 int64 in an int": ((X, Y, 2.0, np.int64(2**40)), {}, "n"),
    "R-78 int32 array in a float one": ((X.astype(np.int32), Y, 2.0, 4), {}, "x"),
    "R-78 float in an int": ((X, Y, 2.0, 4.5), {}, "n"),
    "R-78 text in a float": ((X, Y, "2", 4), {}, "a"),
    "R-78 array in a scalar": ((X, Y, X, 4), {}, "a"),
    "R-78 scalar in an array": ((3.0, Y, 2.0, 4), {}, "x"),
    "R-78 unset": ((X, Y, 2.0), {}, "n"),
    "R-78 one too many": ((X, Y, 2.0, 4, 5), {}, ""),
    "R-78 no such name": ((X, Y, 2.0), {"m": 4}, "m"),
}


@pytest.mark.parametrize("name", WRONG_CALLS)
def test_wrong_arguments_are_named_before_the_launch(device: DeviceInfo, name: str) -> None:
    args, kwargs, parameter = WRONG_CALLS[name]
    with pytest.raises(ArgumentError) as caught:
        clm.build(SAXPY, device=device).saxpy(*args, global_size=4, **kwargs)
    assert caught.value.kernel == "saxpy"
    assert not parameter or parameter == caught.value.parameter or parameter in str(caught.value)
    assert Y.tolist() == [1.0] * 4


def test_r_78_none_is_a_null_pointer_in_global_memory(device: DeviceInfo) -> None:
    o = np.full(1, -1, np.int32)
    clm.build("kernel void k(global int *o, global int *p) { o[0] = p == 0; }", device=device).k(o, None, global_size=1)
    assert o[0] == 1


def test_r_79_a_kernel_tells_its_name_arguments_attributes_and_program(device: DeviceInfo) -> None:
    program = clm.build(SEVEN, device=device)
    kernel = program.seven
    assert kernel.program is program
    assert (kernel.name, len(kernel.signature.parameters)) == ("seven", 7)
    assert kernel.signature.reqd_work_group_size == (8, 2, 1)


def test_r_80_a_kernel_tells_its_work_group_limits(device: DeviceInfo) -> None:
    info = clm.build(LOCAL, device=device).k.info.work_group
    known = {"pocl": 4096, "intel": 8192, "oclgrind": 1024}
    assert info.max_work_group_size == known.get(device.family, info.max_work_group_size)
    assert 1 <= info.preferred_multiple <= info.max_work_group_size <= device.max_work_group_size
    assert info.compile_work_group_size == (0, 0, 0)
    assert min(info.local_mem_bytes, info.private_mem_bytes) >= 0
    required = clm.build(SEVEN, device=device).seven.info.work_group.compile_work_group_size
    assert required == (8, 2, 1)


def test_r_81_what_only_custom_devices_answer_is_no_error(device: DeviceInfo) -> None:
    result = clm.build(LOCAL, device=device).result
    assert result.ok
    assert result.status == ""
    assert not [note for note in (*result.notes, *result.kernels[0].notes) if "INVALID" in note]


def test_r_82_seven_parameters_read_back_as_written(device: DeviceInfo) -> None:
    parameters = clm.build(SEVEN, device=device).seven.signature.parameters
    assert [p.name for p in parameters] == list("abcdefg")
    assert [p.type_name for p in parameters] == ["float*", "int*", "float4*", "uint*", "float", "int*", "image2d_t"]
    assert [p.address for p in parameters] == ["global", "global", "constant", "local", "private", "global", "global"]
    assert [p.access for p in parameters] == ["none"] * 6 + ["read_only"]
    qualifiers = [p.qualifiers for p in parameters]
    assert (qualifiers[0], qualifiers[1], qualifiers[5]) == (("restrict",), ("const",), ("volatile",))


def test_s_10_a_failed_build_has_line_and_column_in_its_text(device: DeviceInfo) -> None:
    with pytest.raises(BuildError) as caught:
        clm.build("kernel void k(global int *o)\n{\n  o[0] = nothing;\n}\n", device=device)
    assert "line 3:10:" in str(caught.value)
    assert "nothing" in caught.value.result.log
