"""Templates and overloads by registered name, built and run on every device (S-22 to S-29, C-80, K-32)."""

from __future__ import annotations

import numpy as np
import pytest
from support.template_inputs import REFUSED, WORKS

import cl_magic as clm
from cl_magic.build.source_map import SourceMap
from cl_magic.errors import BuildError, KernelNotFoundError, OptionError
from cl_magic.launch.limits import DeviceInfo

AXPY = """// Adds.
template<typename T>
__attribute__((reqd_work_group_size(4, 1, 1)))
__kernel void axpy(__global const T *x, __global T *y, T a)
{
    size_t i = get_global_id(0);
    if (i < 8) y[i] = a * x[i] + y[i];
}
"""


@pytest.mark.parametrize("case", WORKS)
def test_s_26_s_27_every_input_of_the_subset_builds_and_runs(device: DeviceInfo, case: str) -> None:
    work = WORKS[case]
    program = clm.build(work.text, names=[launch.name for launch in work.launches], device=device)
    assert [d for d in program.result.diagnostics if d.severity in {"error", "warning"}] == []
    for launch in work.launches:
        values = np.array(launch.before, launch.dtype)
        program[launch.name](*launch.scalars, values, global_size=1)
        np.testing.assert_allclose(values, np.array(launch.after, launch.dtype), rtol=1e-6)


@pytest.mark.parametrize("case", REFUSED)
def test_s_29_what_does_not_become_opencl_c_fails_the_build_with_every_line(device: DeviceInfo, case: str) -> None:
    refused = REFUSED[case]
    with pytest.raises(BuildError) as caught:
        clm.build(refused.text, names=refused.names, device=device, source_map=SourceMap("cell [1]", first_line=11))
    said = [(d.line, d.message) for d in caught.value.result.diagnostics]
    for line, words in refused.said:
        assert any(at == (line + 10 if line else 0) and words in message for at, message in said), said


def test_s_23_s_28_a_kernel_is_found_by_exactly_its_registered_name_and_by_its_raw_one(device: DeviceInfo) -> None:
    program = clm.build(AXPY, names=["axpy<int4>", "axpy<float>", "axpy<float>"], device=device)
    assert program.raw_name("axpy<int4>") == program.raw_name("axpy__int4") == "axpy__int4"
    assert program["axpy<float>"] is program["axpy__float"] is program.get_kernel("axpy<float>")
    assert program.has_kernel("axpy<float>")
    assert not program.has_kernel("axpy< float >")
    assert program.result.registered == (("axpy<int4>", "axpy__int4"), ("axpy<float>", "axpy__float"))
    assert sorted(program) == ["axpy__float", "axpy__int4"]
    with pytest.raises(KernelNotFoundError) as caught:
        program.get_kernel("axpy< int4 >")
    assert caught.value.kernels == ("axpy<int4>", "axpy<float>", "axpy__int4", "axpy__float")
    assert caught.value.remedy == "did you mean 'axpy<int4>'?"


def test_s_22_a_plain_name_can_be_registered_too(device: DeviceInfo) -> None:
    text = "kernel void foo(global int *x) { x[0] = 1; }\n"
    assert clm.build(text, names=["foo"], device=device).result.registered == (("foo", "foo"),)
    with pytest.raises(BuildError) as caught:
        clm.build(text, names=["fop"], device=device)
    assert "did you mean foo?" in caught.value.result.diagnostics[0].message


def test_c_80_attributes_comment_guards_and_types_are_the_instances(device: DeviceInfo) -> None:
    program = clm.build(AXPY, names=["axpy<float>"], device=device, source_map=SourceMap("cell [2]", first_line=3))
    kernel = program.result.kernel("axpy__float")
    assert kernel.signature.reqd_work_group_size == (4, 1, 1)
    # Oclgrind reads the attribute wrongly for every kernel.
    assert device.simulator or kernel.work_group.compile_work_group_size == (4, 1, 1)
    assert kernel.signature.doc == "Adds."
    assert [p.written_type for p in kernel.signature.parameters] == [
        "__global const float *",
        "__global float *",
        "float",
    ]
    assert kernel.signature.line == 6
    assert [guard.line for guard in kernel.signature.guards] == [9]


def test_errors_of_instances_stand_once_on_the_users_line_and_name_the_instances(device: DeviceInfo) -> None:
    text = AXPY.replace("a * x[i]", "a * missing")
    with pytest.raises(BuildError) as caught:
        clm.build(
            text, names=["axpy<float>", "axpy<int4>"], device=device, source_map=SourceMap(first_line=2, indent=1)
        )
    errors = [d for d in caught.value.result.diagnostics if d.severity == "error"]
    assert len(errors) == 1
    column = text.splitlines()[6].index("missing") + 2
    assert (errors[0].line, errors[0].column) == (8, column)
    assert errors[0].notes[-1].message == "in the instances axpy<float> and axpy<int4>"
    assert text in caught.value.result.spec.source


def test_errors_that_differ_in_their_types_are_one(device: DeviceInfo) -> None:
    text = AXPY.replace("a * x[i]", "x[i].member")
    with pytest.raises(BuildError) as caught:
        clm.build(text, names=["axpy<float>", "axpy<int>"], device=device)
    errors = [d for d in caught.value.result.diagnostics if d.severity == "error"]
    assert [d.line for d in errors] == [7]
    assert ["axpy<float>" in errors[0].notes[-2].message, "axpy<int>: " in errors[0].notes[-1].message] == [True, True]


def test_a_warning_in_an_instance_is_on_the_users_line(device: DeviceInfo) -> None:
    text = AXPY.replace("if (i < 8)", "int unused;\n    if (i < 8)")
    result = clm.build(text, names=["axpy<float>"], device=device).result
    warnings = [(d.line, d.option) for d in result.diagnostics if d.severity == "warning"]
    assert warnings == [(7, "-Wunused-variable")]


def test_a_template_without_an_instance_is_read_all_the_same(device: DeviceInfo) -> None:
    text = f"{AXPY.replace('x[i]', 'oops')}kernel void other(global int *x) {{ x[0] = 1; }}\n"
    result = clm.build(text, device=device).result
    assert [kernel.name for kernel in result.kernels] == ["other"]
    assert [(d.line, d.message) for d in result.diagnostics] == [(7, "use of undeclared identifier 'oops'")]
    assert any("kernel template axpy has no instance" in note for note in result.notes)


def test_names_and_instances_are_part_of_what_a_program_is(device: DeviceInfo) -> None:
    one = clm.build(AXPY, names=["axpy<float>"], device=device)
    two = clm.build(AXPY, names=["axpy<int>"], device=device)
    assert one is clm.build(AXPY, names=["axpy<float>"], device=device)
    assert one.result.spec.digest != two.result.spec.digest
    assert one.result.spec.source == AXPY


def test_k_32_sizes_and_types_come_from_definitions_too(device: DeviceInfo) -> None:
    text = "template<class T, int N> kernel void fill(global T *x) { for (int i = 0; i < N; i++) x[i] = T(VALUE); }\n"
    program = clm.build(text, options="-DVALUE=7 -DSIZE=3", names=["fill<int, SIZE>"], device=device)
    x = np.zeros(4, np.int32)
    program["fill<int, SIZE>"](x, global_size=1)
    assert x.tolist() == [7, 7, 7, 0]


def test_a_range_that_is_no_multiple_of_the_group_is_split_as_for_any_kernel(device: DeviceInfo) -> None:
    text = "template<class T> kernel void ids(global T *x) { x[get_global_id(0)] = get_global_size(0); }\n"
    x = np.zeros(10, np.int32)
    clm.build(text, names=["ids<int>"], device=device)["ids<int>"](x, global_size=10, local_size=4)
    assert x.tolist() == [10] * 10


def test_cpp_for_opencl_goes_as_it_is_where_the_device_takes_it(device: DeviceInfo) -> None:
    text = (
        "struct Sum { int a; int next(int b) { a += b; return a; } };\n"
        "template<class T> T sq(const T &x) { return x * x; }\n"
        "template<class T> kernel void f(global T *x) { Sum s; s.a = 1; x[0] = sq<T>(T(s.next(2))); }\n"
    )
    if device.family != "intel":
        with pytest.raises(OptionError):
            clm.build(text, names=["f<float>"], std="CLC++2021", device=device)
        return
    program = clm.build(text, names=["f<float>"], std="CLC++2021", device=device)
    x = np.zeros(1, np.float32)
    program["f<float>"](x, global_size=1)
    assert x[0] == 9


def test_a_text_of_nothing_but_templates_builds_to_no_kernel(device: DeviceInfo) -> None:
    result = clm.build("template<class T> kernel void f(global T *x) { x[0] = 1; }", device=device).result
    assert result.kernels == ()
    assert "f<float>" in result.notes[-1]


def test_a_program_with_names_is_built_for_another_device_too(device: DeviceInfo) -> None:
    text = "template<class T> kernel void f(global T *x) { x[get_global_id(0)] += T(1); }\n"
    x = np.zeros(4, np.int32)
    program = clm.build(text, names=["f<int>"])
    program["f<int>"](x, global_size=4, device=device)
    assert x.tolist() == [1] * 4
