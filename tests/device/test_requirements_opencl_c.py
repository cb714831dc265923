"""What OpenCL C asks, on every device: each requirement's check is an input here, its id stands in the test's id."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.errors import ArgumentError, BuildError, NDRangeError
from cl_magic.launch.limits import DeviceInfo

FAMILIES = ("pocl", "intel", "oclgrind")
"""Compilers whose outcome is known for each case."""
HEAD = "kernel void k(global int *o, global float *x, int n, local int *l) {\n"


@dataclass(frozen=True)
class Refused:
    """A text that OpenCL C forbids, and the line where the report must say so.

    `takes_it` are the families whose compiler builds it all the same: there the front end warns.
    """

    text: str
    line: int
    std: str | None = None
    takes_it: tuple[str, ...] = ()


def inside(body: str, line: int = 1, std: str | None = None, takes_it: tuple[str, ...] = ()) -> Refused:
    """A forbidden piece of a kernel's body; `line` counts from its own first line."""
    return Refused(f"{HEAD}{body}\n}}\n", line + 1, std, takes_it)


ALLOWED_WITH_FP16 = ("C-11 half arithmetic",)
REFUSED = {
    "C-11 half arithmetic": Refused(
        "kernel void k(global half *h, global float *o)\n{\n  o[0] = h[0] + h[1];\n}\n", 3, None, ("intel",)
    ),
    "C-15 int4 + long": inside("int4 v = (int4)(1);\nlong w = n;\nv = v + w;", 3),
    "C-15 char4 + int variable": inside("char4 v = (char4)(1);\nv = v + n;", 2),
    "C-15 float4 * 2.0": inside("float4 v = (float4)(1.0f);\nv = v * 2.0;", 2),
    "C-16 int4 + float4": inside("int4 a = (int4)(1);\nfloat4 b = (float4)(1.0f);\na = a + b;", 3),
    "C-16 int4 = float4": inside("float4 f = (float4)(1.0f);\nint4 a = f;\no[0] = a.x;", 2),
    "C-23 ^^": inside("o[0] = n ^^ 2;"),
    "C-23 & on floats": inside("float f = x[0];\nf = f & x[1];", 2),
    "C-23 | on floats": inside("float f = x[0];\nf = f | x[1];", 2),
    "C-23 ^ on floats": inside("float f = x[0];\nf = f ^ x[1];", 2),
    "C-23 ~ on a float": inside("o[0] = 1;\nx[0] = ~x[0];", 2),
    "C-23 << on a float": inside("o[0] = 1;\nx[0] = x[0] << 2;", 2),
    "C-23 >> on a float": inside("o[0] = 1;\nx[0] = x[0] >> 2;", 2),
    "C-28 scalar << vector": inside("int2 v = 1 << (int2)(1, 2);\no[0] = v.x;"),
    "C-30 float4 condition": inside("float4 c = (float4)(1.0f);\nfloat4 v = c ? c : c;\nx[0] = v.x;", 2),
    "C-30 short4 condition of float4": inside("short4 c = (short4)(1);\nfloat4 v = (float4)(1.0f);\nv = c ? v : v;", 3),
    "C-30 no l-value": inside("int a = 1, b = 2;\n(n ? a : b) = 1;", 2),
    "C-33 bit-field": Refused("struct S {\n  int a : 3;\n};\nkernel void k(global int *o) { o[0] = 1; }\n", 2),
    "C-33 variable-length array": inside("o[0] = 1;\nint a[n];", 2),
    "C-33 function pointer": Refused("void f(void) {}\nkernel void k(global int *o) {\n  void (*p)(void) = f;\n}\n", 3),
    "C-36 repeated swizzle": inside("int4 v = (int4)(1);\nv.xx = (int2)(1, 2);", 2),
    "C-36 const": inside("const int c = 1;\nc = 2;", 2),
    "C-37 component past the width": inside("int2 v = (int2)(1);\nv.z = 1;", 2),
    "C-41 global image": Refused("kernel void k(\n  global image2d_t i, global int *o)\n{ o[0] = 1; }\n", 2),
    "C-41 element of an image": Refused(
        "kernel void k(read_only image2d_t i, global int *o)\n{\n  o[0] = i[0];\n}\n", 3
    ),
    "C-41 image variable": Refused(
        "kernel void k(read_only image2d_t i, global int *o)\n{\n  image2d_t v = i;\n}\n", 3
    ),
    "C-42 no initialiser": Refused("constant int c;\nkernel void k(global int *o)\n{ o[0] = c; }\n", 1),
    "C-42 initialised by an argument": inside("o[0] = 1;\nconstant int c = n;", 2),
    "C-42 written": Refused("kernel void k(constant int *c)\n{\n  c[0] = 1;\n}\n", 3),
    "C-44 initialiser": inside("o[0] = 1;\nlocal int w = 1;", 2),
    "C-44 in a block": inside("if (n) {\n  local int w;\n  w = 1;\n}", 2),
    "C-44 in a helper": Refused(
        "void f(void)\n{\n  local int w;\n}\nkernel void k(global int *o) { f(); o[0] = 1; }\n", 3
    ),
    "C-46 int* p": Refused("kernel void k(global int *o,\n  int *p) { o[0] = 1; }\n", 2),
    "C-46 private int* p": Refused("kernel void k(global int *o,\n  private int *p) { o[0] = 1; }\n", 2),
    "C-51 static variable": inside("o[0] = 1;\nstatic int s;", 2, "CL1.2"),
    "C-53 char* from a literal": inside('o[0] = 1;\nchar *s = "ab";', 2),
    "C-54 generic pointer in 1.2": Refused(
        "void f(int *p) { p[0] = 1; }\nkernel void k(global int *o) {\n  f(o);\n}\n", 3, "CL1.2"
    ),
    "C-55 generic to named": inside("o[0] = 1;\nint *g = o;\nlocal int *w = g;", 3, "CL2.0"),
    "C-55 constant to generic": Refused(
        "kernel void k(constant int *c, global int *o)\n{\n  const int *g = c;\n  o[0] = g[0];\n}\n", 3, "CL2.0"
    ),
    "C-55 disjoint spaces by a cast": inside("o[0] = 1;\nlocal int *w = (local int *)o;", 2, "CL2.0"),
    "C-56 nested pointers": inside("local int **a = &l;\nglobal int **b = a;\n**b = 1;", 2, "CL1.2"),
    "C-57 global == local": inside("o[0] = 1;\nif (o == l) o[1] = 1;", 2, "CL1.2"),
    "C-57 ?: of global and local": inside("o[0] = 1;\nint q = *(n ? o : l);", 2, "CL1.2"),
    "C-61 kernel with a result": Refused("__kernel\nint k(global int *o) { return 1; }\n", 2),
    "C-63 int kernel": inside("o[0] = 1;\nint kernel = 1;", 2),
    "C-63 int __kernel": inside("o[0] = 1;\nint __kernel = 1;", 2),
    "C-67 hint of a pointer": Refused("__attribute__((vec_type_hint(int*)))\nkernel void k(global int *o) {}\n", 1),
    "C-67 hint of bool": Refused("__attribute__((vec_type_hint(bool)))\nkernel void k(global int *o) {}\n", 1),
    "C-72 size of 0": Refused("__attribute__((reqd_work_group_size(0, 1, 1)))\nkernel void k(global int *o) {}\n", 1),
    "C-72 two sizes": Refused("__attribute__((reqd_work_group_size(4, 1)))\nkernel void k(global int *o) {}\n", 1),
    "C-78 hint 0": inside(
        "o[0] = 1;\n__attribute__((opencl_unroll_hint(0)))\nfor (int i = 0; i < 4; i++) o[i] = 0;", 2
    ),
    "C-78 hint -1": inside(
        "o[0] = 1;\n__attribute__((opencl_unroll_hint(-1)))\nfor (int i = 0; i < 4; i++) o[i] = 0;", 2
    ),
    "C-78 variable": inside(
        "o[0] = 1;\n__attribute__((opencl_unroll_hint(n)))\nfor (int i = 0; i < 4; i++) o[i] = 0;", 2
    ),
    "C-78 on an if": inside("o[0] = 1;\n__attribute__((opencl_unroll_hint(2)))\nif (n) o[0] = 0;", 2),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_opencl_c_forbids_is_said_on_its_line(device: DeviceInfo, name: str) -> None:
    case = REFUSED[name]
    result, built = attempt(device, case)
    if device.family in FAMILIES:
        assert built == (device.family in case.takes_it)
    severities = {"warning"} if built else {"error"}
    if name in ALLOWED_WITH_FP16 and device.fp16:
        assert built
        assert not result.diagnostics
        return
    said = [d for d in result.diagnostics if d.line == case.line and d.severity in severities]
    assert said, [(d.severity, d.line, d.message, d.origin) for d in result.diagnostics]


def attempt(device: DeviceInfo, case: Refused) -> tuple[clm.BuildResult, bool]:
    try:
        return clm.build(case.text, std=case.std, device=device).result, True
    except BuildError as error:
        return error.result, False


# A piece of a kernel's body that is legal but suspicious: the line of the warning.
WARNED = {
    "C-38 changed twice": ("int i = 0;\ni = i++;\no[0] = i;", 2),
    "C-45 not initialised": ("int i;\no[0] = i;", 2),
    "C-77 unknown attribute": ("int i __attribute__((frob)) = 0;\no[0] = i;", 1),
}


@pytest.mark.parametrize("name", WARNED)
def test_a_build_that_succeeds_shows_its_warnings(device: DeviceInfo, name: str) -> None:
    body, line = WARNED[name]
    result = clm.build(f"{HEAD}{body}\n}}\n", device=device).result
    assert result.ok
    assert [d.line for d in result.diagnostics if d.severity == "warning"] == [line + 1]


# A body that every device takes, and what it leaves in o[0].
ACCEPTED = {
    "C-30 scalar branch is widened": ("int4 c = (int4)(-1, 0, -1, 0);\no[0] = (c ? c : 7).y;", 7),
    "C-36 swizzle without repeats": ("int4 v = (int4)(1, 2, 3, 4);\nv.zx = (int2)(8, 9);\no[0] = v.z * 10 + v.x;", 89),
    "C-28 vector << scalar": ("int2 v = (int2)(1, 2) << 1;\no[0] = v.x + v.y;", 6),
    "C-42 constant in the kernel's scope": ("constant int c = 3;\no[0] = c;", 3),
    "C-44 local in the kernel's scope": ("local int w;\nw = 5;\no[0] = w;", 5),
    "C-53 constant char*": ('constant char *s = "ab";\no[0] = s[1];', ord("b")),
    "C-78 hint 2": (
        "int s = 0;\n__attribute__((opencl_unroll_hint(2)))\nfor (int i = 0; i < 4; i++) s += i;\no[0] = s;",
        6,
    ),
    "C-78 hint 1": ("int s = 0, i = 0;\n__attribute__((opencl_unroll_hint(1)))\nwhile (i < 4) s += i++;\no[0] = s;", 6),
    "C-78 bare": ("int s = 0;\n__attribute__((opencl_unroll_hint))\nfor (int i = 0; i < 4; i++) s += i;\no[0] = s;", 6),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_opencl_c_allows_is_built_without_a_word(device: DeviceInfo, name: str) -> None:
    body, value = ACCEPTED[name]
    program = clm.build(f"kernel void k(global int *o) {{\n{body}\n}}\n", device=device)
    assert [d for d in program.result.diagnostics if d.severity in {"error", "warning"}] == []
    assert first(program["k"]) == value


# A body that needs generic pointers, which OpenCL C 2.0 has on devices that have the feature.
GENERIC = {
    "C-54 helper with a generic parameter": "helper(o);",
    "C-55 named to generic": "int *g = o;\n*g = 6;",
    "C-55 generic to named by a cast": "int *g = o;\nglobal int *w = (global int *)g;\nw[0] = 6;",
    "C-57 global == generic": "int *g = o;\no[0] = (o == g) ? 6 : 0;",
}


@pytest.mark.parametrize("name", GENERIC)
def test_generic_pointers_work_or_the_report_names_feature_and_device(device: DeviceInfo, name: str) -> None:
    text = f"void helper(int *p) {{ p[0] = 6; }}\nkernel void k(global int *o) {{\n{GENERIC[name]}\n}}\n"
    try:
        program = clm.build(text, std="CL2.0", device=device)
    except BuildError as error:
        assert device.family not in {"intel", "oclgrind"}
        notes = [note for d in error.result.diagnostics for note in d.notes]
        assert any("generic" in note.message and device.short_name in note.message for note in notes)
    else:
        # Oclgrind builds it without a word and loses what is written through a generic pointer.
        told = any("generic pointers" in note for note in program.result.notes)
        assert told == (device.family == "oclgrind")
        assert told or first(program["k"]) == 6


def first(kernel: clm.Kernel, *args: object) -> int:
    out = np.zeros(4, np.int32)
    kernel(out, *args, global_size=1)
    return int(out[0])


# Case of REFUSED, and words that the notes of its diagnostic hold: the way out and the clause.
EXPLAINED = {
    "C-11 half arithmetic": ("vload_half", "6.1.1.1"),
    "C-15 int4 + long": ("(int)", "6.2.6"),
    "C-15 char4 + int variable": ("(char)", "6.2.6"),
    "C-15 float4 * 2.0": ("(float)", "2.0f", "6.2.6"),
    "C-16 int4 + float4": ("convert_int4", "as_int4", "6.2.1"),
    "C-16 int4 = float4": ("convert_int4", "as_int4", "6.2.1"),
    "C-23 ^^": ("6.3",),
    "C-23 & on floats": ("as_int", "6.3"),
    "C-23 ~ on a float": ("as_int", "6.3"),
    "C-23 << on a float": ("ldexp", "6.3"),
    "C-33 bit-field": ("6.9",),
    "C-33 variable-length array": ("6.9",),
    "C-33 function pointer": ("6.9",),
    "C-54 generic pointer in 1.2": ("generic", "2.0"),
}


@pytest.mark.parametrize("name", EXPLAINED)
def test_a_refusal_says_the_way_out_and_the_clause(device: DeviceInfo, name: str) -> None:
    case = REFUSED[name]
    result, _ = attempt(device, case)
    if name in ALLOWED_WITH_FP16 and device.fp16:
        return
    said = " ".join(note.message for d in result.diagnostics if d.line == case.line for note in d.notes)
    assert [words for words in EXPLAINED[name] if words not in said] == []


# Case of REFUSED: the text that the diagnostic's column points at.
POINTED_AT = {
    "C-23 ^^": ("^^", "^ 2", "2"),
    "C-23 & on floats": ("&",),
    "C-23 | on floats": ("|",),
    "C-23 ^ on floats": ("^",),
    "C-23 ~ on a float": ("~",),
    "C-23 << on a float": ("<<",),
    "C-23 >> on a float": (">>",),
}


@pytest.mark.parametrize("name", POINTED_AT)
def test_the_mark_is_at_the_operator(device: DeviceInfo, name: str) -> None:
    case = REFUSED[name]
    result, _ = attempt(device, case)
    line = case.text.splitlines()[case.line - 1]
    assert [d for d in result.diagnostics if line[d.column - 1 :].startswith(POINTED_AT[name])]


def test_c_11_half_is_stored_and_loaded_everywhere(device: DeviceInfo) -> None:
    text = "kernel void k(global half *h, global float *o)\n{ vstore_half(1.5f, 0, h); o[0] = vload_half(0, h); }\n"
    h, o = np.zeros(1, np.float16), np.zeros(1, np.float32)
    clm.build(text, device=device).k(h, o, global_size=1)
    assert (h[0], o[0]) == (1.5, 1.5)


def test_c_58_an_array_too_short_for_the_range_is_refused(device: DeviceInfo) -> None:
    program = clm.build("kernel void k(global int *o)\n{ int i = get_global_id(0); o[i] = i; }\n", device=device)
    o = np.full(8, -1, np.int32)
    with pytest.raises(ArgumentError) as caught:
        program.k(o, global_size=9)
    assert (caught.value.parameter, caught.value.elements, caught.value.needed) == ("o", 8, 9)
    assert (o == -1).all()
    program.k(o, global_size=8)
    assert o.tolist() == list(range(8))


def test_c_62_a_kernel_calls_a_kernel_like_a_function(device: DeviceInfo) -> None:
    text = "kernel void a(global int *o) { o[0] += 5; }\nkernel void k(global int *o) { a(o); o[0] *= 2; }\n"
    assert first(clm.build(text, device=device)["k"]) == 10


def test_c_67_the_vector_hint_reads_back(device: DeviceInfo) -> None:
    text = "__attribute__((vec_type_hint(float4)))\nkernel void k(global int *o) { o[0] = 1; }\n"
    program = clm.build(text, device=device)
    assert program.k.signature.vec_type_hint == "float4"
    assert first(program["k"]) == 1


FOUR = "__attribute__((reqd_work_group_size(4, 1, 1)))\nkernel void k(global int *o) { o[0] = get_local_size(0); }\n"
FOUR_BY_TWO = FOUR.replace("4, 1, 1", "4, 2, 1")


@pytest.mark.parametrize("local_size", [2, 8, (2, 2), (4, 2)])
def test_c_70_another_local_size_than_required_is_refused(device: DeviceInfo, local_size: object) -> None:
    size = 8 if isinstance(local_size, int) else (8, 2)
    with pytest.raises(NDRangeError) as caught:
        clm.build(FOUR, device=device).k(np.zeros(1, np.int32), global_size=size, local_size=local_size)
    assert caught.value.required == (4, 1, 1)
    assert caught.value.local_size == (local_size if isinstance(local_size, tuple) else (local_size,))


@pytest.mark.parametrize("size", [8, (8, 1), (8, 2, 2)], ids=str)
def test_c_71_trailing_ones_may_be_left_out(device: DeviceInfo, size: object) -> None:
    o = np.zeros(1, np.int32)
    clm.build(FOUR, device=device).k(o, global_size=size)
    assert o[0] == 4


@pytest.mark.parametrize("local_size", [None, 4])
def test_c_71_fewer_dimensions_than_required_are_refused(device: DeviceInfo, local_size: object) -> None:
    o = np.zeros(1, np.int32)
    with pytest.raises(NDRangeError) as caught:
        clm.build(FOUR_BY_TWO, device=device).k(o, global_size=8, local_size=local_size)
    assert caught.value.required == (4, 2, 1)
    assert o[0] == 0


def test_c_72_a_required_size_over_the_device_is_refused(device: DeviceInfo) -> None:
    o = np.zeros(1, np.int32)
    with pytest.raises((NDRangeError, BuildError)) as caught:
        clm.build(FOUR.replace("4, 1, 1", "1000000, 1, 1"), device=device).k(o, global_size=1_000_000)
    if isinstance(caught.value, NDRangeError):
        assert caught.value.required == (1_000_000, 1, 1)
        assert caught.value.limit <= device.max_work_group_size
    assert o[0] == 0


def test_c_74_the_required_size_is_filled_in(device: DeviceInfo) -> None:
    o = np.zeros(1, np.int32)
    run = clm.build(FOUR_BY_TWO, device=device).k(o, global_size=(8, 2))
    assert (o[0], run.plan.local_size) == (4, (4, 2))
    assert "reqd_work_group_size" in run.plan.local_size_reason
