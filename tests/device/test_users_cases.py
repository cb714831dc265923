"""Situations that users of OpenCL from Python met in public, each with the outcome that is right here.

The numbers are those of the collection they were taken from; each runs on every device of this machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.errors import ArgumentError, BuildError, KernelNotFoundError, NDRangeError, SourceError
from cl_magic.launch.limits import DeviceInfo

AXPB = """__kernel void axpb(__global float *y, const int n, const float s)
{ int i = get_global_id(0); if (i < n) y[i] = y[i] * s + n; }"""
TWICE = "__kernel void twice(__global const float *x, __global float *y){ int i=get_global_id(0); y[i]=2*x[i]; }"
STORE = "__kernel void f(__global int *a){ a[0] = 4; }"
TINT = """
__kernel void tint(__global uchar *px, const uint n) {
    int i = get_global_id(0);
    uint *alias;
    int spare;
    if (i < n) { px[i] = 300; }
    __global int *w = px;   /* suspicious pointer conversion */
}"""
WRONG = """__kernel void broken(__global float *a)
{
    int i = get_global_id(0);
    a[i] = scale * 2.0f;
    a[i] += missing(i)
}
"""


def _run(program: clm.Program, name: str, *args: Any, size: int = 1) -> Any:
    return program[name](*args, global_size=size)


@pytest.mark.parametrize("options", ["", "-Wall"])
def test_case_01_warnings_of_a_successful_build_are_kept_with_their_lines(device: DeviceInfo, options: str) -> None:
    # Intel's compiler refuses the conversion that the others warn of.
    source = TINT.replace("= px;", "= (__global int *)px; i = i++;") if device.family == "intel" else TINT
    result = clm.build(source, options=options, device=device).result
    lines = {d.line for d in result.diagnostics if d.severity == "warning"}
    assert 7 in lines
    assert result.log
    assert "suspicious" not in result.log_extra


def test_case_03_a_failed_build_says_why_line_by_line_and_once(device: DeviceInfo) -> None:
    with pytest.raises(BuildError) as caught:
        clm.build(WRONG, device=device)
    error = caught.value
    result = error.result
    errors = [(d.line, d.message) for d in result.diagnostics if d.severity == "error"]
    assert [line for line, _ in errors] == sorted(line for line, _ in errors)
    assert any(line == 4 and "scale" in message for line, message in errors)
    assert any(line == 5 for line, _ in errors)
    assert len(str(error).splitlines()[0]) < 200
    assert str(error).count("was not built") == 1


@pytest.mark.parametrize("spelling", ["list", "glued", "quoted"])
def test_case_06_an_include_folder_with_a_blank_in_its_name(device: DeviceInfo, tmp_path: Path, spelling: str) -> None:
    folder = tmp_path / "my kernels"
    folder.mkdir()
    (folder / "k.h").write_text("#define K 3\n")
    options = {"list": ["-I", folder], "glued": [f"-I{folder}"], "quoted": f'-I "{folder}"'}[spelling]
    program = clm.build('#include "k.h"\n__kernel void f(__global int *a){ a[0] = K; }', options=options, device=device)
    a = np.zeros(1, np.int32)
    _run(program, "f", a)
    assert a[0] == 3


TABLES = (
    ["-D", "TBL={4,5,6}"],
    "-D TBL={4,5,6}",
    ["-D", "TBL={4, 5, 6}"],
    '-D "TBL={4, 5, 6}"',
    "-DTBL='{4, 5, 6}'",
)


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_case_07_a_table_as_a_definition_in_every_spelling(device: DeviceInfo, options: Any) -> None:
    source = "__constant int T[] = TBL;\n__kernel void f(__global int *a){ a[0] = T[2]; }"
    a = np.zeros(1, np.int32)
    _run(clm.build(source, options=options, device=device), "f", a)
    assert a[0] == 6


def test_case_07_a_string_literal_as_a_definition(device: DeviceInfo) -> None:
    source = "__kernel void g(__global int *a){ __constant char *s = NAME; a[0] = s[1]; }"
    a = np.zeros(1, np.int32)
    program = clm.build(source, options=["-D", 'NAME="xyz"'], device=device)
    _run(program, "g", a)
    assert a[0] == ord("y")
    assert not [d for d in program.result.diagnostics if d.severity in ("error", "warning")]


def test_case_11_lines_are_the_users_whatever_stands_in_front(device: DeviceInfo) -> None:
    source = "__kernel void f(__global float *a)\n{\n    a[0] = oops;\n}\n"
    with pytest.raises(BuildError) as caught:
        # A value with a blank goes to the compiler as a line of text in front of the source.
        clm.build(source, options=["-DTBL={1, 2}", "-DB=2"], device=device)
    assert {d.line for d in caught.value.result.diagnostics if d.severity == "error"} == {3}


@pytest.mark.parametrize(
    "source",
    [
        f"// déjà vu — 你好\n{STORE}",
        f"\ufeff{STORE}",
        f"// café\n{STORE}".encode("latin-1"),
        STORE.replace(" ", "\r\n", 3),
        "",
        "// nothing\n",
    ],
    ids=["accents", "byte order mark", "latin-1", "carriage returns", "empty", "comment only"],
)
def test_case_13_text_in_any_encoding_builds(device: DeviceInfo, source: str | bytes) -> None:
    program = clm.build(source, device=device)
    if "f" in program:
        a = np.zeros(1, np.int32)
        _run(program, "f", a)
        assert a[0] == 4


@pytest.mark.parametrize(("character", "name"), [("\u00a0", "NO-BREAK SPACE"), ("\u2212", "MINUS SIGN")])
def test_case_13_a_character_that_is_not_c_is_named_with_its_column(
    device: DeviceInfo, character: str, name: str
) -> None:
    source = STORE.replace("4", f"4{character}- 1") if character == "\u00a0" else STORE.replace("4", f"4 {character} 1")
    try:
        result = clm.build(source, device=device).result
    except BuildError as error:
        result = error.result
    named = [d for d in result.diagnostics if name in d.message]
    assert named
    assert named[0].line == 1
    assert named[0].column == source.index(character) + 1


@pytest.mark.parametrize("bad", [f"// \udce9\n{STORE}", f"{STORE}\0garbage"], ids=["lone surrogate", "NUL"])
def test_case_13_what_no_compiler_can_take_is_refused_in_one_sentence(device: DeviceInfo, bad: str) -> None:
    with pytest.raises(SourceError) as caught:
        clm.build(bad, device=device)
    assert caught.value.remedy


def test_case_16_every_kernel_is_reached_by_name(device: DeviceInfo) -> None:
    names = [
        "sum",
        "print",
        "build",
        "devices",
        "context",
        "source",
        "lambda_",
        "class_x",
        "None_",
        "result",
        "variant",
        "device",
    ]
    source = "\n".join(f"__kernel void {n}(__global int *a){{ a[0] = {i}; }}" for i, n in enumerate(names))
    program = clm.build(source, device=device)
    assert list(program) == names
    for i, name in enumerate(names):
        a = np.full(1, -1, np.int32)
        _run(program, name, a)
        _run(program, name, a)
        assert a[0] == i
    assert program.result.ok
    with pytest.raises(KernelNotFoundError) as caught:
        program["sun"]
    assert "sum" in str(caught.value)


@pytest.mark.parametrize("name", ["dot", "step", "normalize", "min", "nan"])
def test_case_16_a_kernel_may_have_the_name_of_a_builtin_function(device: DeviceInfo, name: str) -> None:
    source = f"kernel void {name}(global int *a) {{ a[get_global_id(0)] += 3; }}"
    program = clm.build(source, device=device)
    assert program.kernel_names == (name,)
    a = np.zeros(4, np.int32)
    program[name](a, global_size=4)
    program[name].prepare(a, global_size=4)().wait()
    assert a.tolist() == [6] * 4


def test_case_17_python_numbers_are_converted_by_the_kernels_types(device: DeviceInfo) -> None:
    program = clm.build(AXPB, device=device)
    for n, s in [(4, 2.0), (np.int64(4), np.float64(2)), (np.int16(4), np.int32(2)), (np.array(4, np.int32), 2)]:
        y = np.ones(4, np.float32)
        program.axpb(y, n, s, global_size=4)
        assert y.tolist() == [6.0] * 4


@pytest.mark.parametrize(
    ("n", "s", "parameter"),
    [(3.7, 2.0, "n"), (2**31, 2.0, "n"), (4, True, "s"), ("4", 2.0, "n"), (None, 2.0, "n"), (4, 1e40, "s")],
)
def test_case_17_a_number_that_does_not_fit_is_named(device: DeviceInfo, n: Any, s: Any, parameter: str) -> None:
    y = np.ones(4, np.float32)
    with pytest.raises(ArgumentError) as caught:
        clm.build(AXPB, device=device).axpb(y, n, s, global_size=4)
    assert (caught.value.kernel, caught.value.parameter) == ("axpb", parameter)
    assert y.tolist() == [1.0] * 4


def test_case_17_a_float32_in_an_int_slot_is_never_reinterpreted(device: DeviceInfo) -> None:
    y = np.ones(4, np.float32)
    try:
        clm.build(AXPB, device=device).axpb(y, np.float32(4), 2.0, global_size=4)
    except ArgumentError:
        assert y.tolist() == [1.0] * 4
    else:
        assert y.tolist() == [6.0] * 4


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.int32, ">f4"])
def test_case_19_an_array_of_another_type_is_refused_with_both_types(device: DeviceInfo, dtype: Any) -> None:
    x, y = np.arange(1, 5).astype(dtype), np.zeros(4, np.float32)
    program = clm.build(TWICE, device=device)
    with pytest.raises(ArgumentError) as caught:
        program.twice(x, y, global_size=4)
    assert caught.value.parameter == "x"
    assert "float" in str(caught.value)
    assert not y.any()
    program.twice(x.astype(np.float32), y, global_size=4)
    assert y.tolist() == [2, 4, 6, 8]


def test_case_19_a_result_array_of_another_type_is_refused(device: DeviceInfo) -> None:
    out = np.zeros(4, np.float64)
    with pytest.raises(ArgumentError) as caught:
        clm.build(TWICE, device=device).twice(np.ones(4, np.float32), out, global_size=4)
    assert caught.value.parameter == "y"
    assert not out.any()


LOCAL_IDS = "__kernel void f(__global int *y){ int i=get_global_id(0); y[i]=get_local_size(0)*1000+get_local_id(0); }"


def test_case_26_a_range_that_is_no_multiple_is_launched_exactly(device: DeviceInfo) -> None:
    y = np.full(12, -1, np.int32)
    run = clm.build(LOCAL_IDS, device=device).f(y, global_size=10, local_size=4)
    assert y.tolist() == [4000, 4001, 4002, 4003] * 2 + [2000, 2001, -1, -1]
    assert run.plan.groups == (3,)
    assert run.plan.mode_reason


def test_case_26_each_limit_is_named_with_its_number(device: DeviceInfo) -> None:
    program = clm.build(LOCAL_IDS, device=device)
    most = device.max_work_group_size
    with pytest.raises(NDRangeError) as caught:
        program.f(np.zeros(2 * most, np.int32), global_size=2 * most, local_size=2 * most)
    assert f"{most:,}".replace(",", " ") in str(caught.value)


def test_case_26_a_prime_range_does_not_become_groups_of_one(device: DeviceInfo) -> None:
    y = np.zeros(7919, np.int32)
    run = clm.build(LOCAL_IDS, device=device).f(y, global_size=7919)
    assert run.plan.local_size is not None
    assert run.plan.local_size[0] > 1
    assert run.plan.local_size_reason
    assert (y // 1000).max() == run.plan.local_size[0]


REQUIRED = """__attribute__((reqd_work_group_size(8,1,1)))
__kernel void f(__global int *y){ y[get_global_id(0)]=get_local_size(0); }"""


def test_case_27_the_required_size_is_filled_in(device: DeviceInfo) -> None:
    y = np.zeros(64, np.int32)
    run = clm.build(REQUIRED, device=device).f(y, global_size=64)
    assert y.tolist() == [8] * 64
    assert run.plan.local_size == (8,)
    assert "reqd_work_group_size" in run.plan.local_size_reason


@pytest.mark.parametrize(("size", "local"), [(64, 16), (60, None), (64, (8, 2))])
def test_case_27_another_size_is_refused_with_both(device: DeviceInfo, size: int, local: Any) -> None:
    y = np.zeros(64, np.int32)
    with pytest.raises(NDRangeError) as caught:
        clm.build(REQUIRED, device=device).f(y, global_size=size, local_size=local)
    assert "8" in str(caught.value)
    assert not y.any()


def test_case_36_every_run_has_its_times_and_bytes(device: DeviceInfo) -> None:
    y = np.zeros(1 << 16, np.float32)
    program = clm.build("__kernel void f(__global float *y){ y[get_global_id(0)]+=1; }", device=device)
    run = program.f(y, global_size=y.size, local_size=64)
    assert run.events
    for event in run.events:
        assert event.queued_ns <= event.submit_ns <= event.start_ns <= event.end_ns
    assert run.duration_ns > 0
    assert sum(t.nbytes for t in run.transfers if t.direction == "to device") >= y.nbytes
