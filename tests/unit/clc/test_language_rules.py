"""Rules of OpenCL C that the front end must mark on the line where the compilers do. Ids are of the requirements."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cl_magic.clc.analysis import Analysis

Ask = Callable[..., Analysis]

# Id and rule: body of a kernel k(global int *o, global float *x, int n), and the line of the error in it.
REFUSED = {
    "C-15 vector with a higher scalar": ("int4 v = (int4)(1);\nlong l = n;\nv = v + l;", 3),
    "C-15 char4 with an int variable": ("char4 v = (char4)(1);\nv = v + n;", 2),
    "C-15 float4 with a double literal": ("float4 v = (float4)(1.0f);\nv = v * 2.0;", 2),
    "C-16 int4 with float4": ("int4 a = (int4)(1);\nfloat4 b = (float4)(1.0f);\na = a + b;", 3),
    "C-16 int4 from float4": ("float4 f = (float4)(1.0f);\nint4 a = f;", 2),
    "C-23 exclusive or of truth": ("int a = n ^^ 2;", 1),
    "C-23 and on floats": ("float f = x[0];\nf = f & x[1];", 2),
    "C-23 not on a float": ("float f = ~x[0];", 1),
    "C-23 shift of a float": ("float f = x[0] << 2;", 1),
    "C-28 scalar by vector shift": ("int2 v = 1 << (int2)(1, 2);", 1),
    "C-30 float condition of a selection": ("float4 c = (float4)(1.0f);\nfloat4 v = c ? c : c;", 2),
    "C-30 condition of another width": ("short4 c = (short4)(1);\nfloat4 v = (float4)(1.0f);\nv = c ? v : v;", 3),
    "C-30 selection is no l-value": ("int a = 1, b = 2;\n(n ? a : b) = 1;", 2),
    "C-33 variable-length array": ("int a[n];", 1),
    "C-36 repeated swizzle": ("int4 v = (int4)(1);\nv.xx = (int2)(1, 2);", 2),
    "C-36 assignment to const": ("const int c = 1;\nc = 2;", 2),
    "C-37 component past the width": ("int2 v = (int2)(1);\nv.z = 1;", 2),
    "C-41 element of an image": ("image2d_t i;", 1),
    "C-42 constant initialised by an argument": ("constant int c = n;", 1),
    "C-42 constant without initialiser": ("constant int c;", 1),
    "C-44 local variable with initialiser": ("local int l = 1;", 1),
    "C-44 local variable in a block": ("if (n) {\nlocal int l; }", 2),
    "C-51 static variable": ("static int s;", 1),
    "C-53 string literal to char pointer": ('char *s = "ab";', 1),
    "C-57 comparing disjoint pointers": ("local int l[2];\nif (o == l) return;", 2),
    "C-63 kernel as a name": ("int kernel = 1;", 1),
    "C-78 unroll hint of 0": ("__attribute__((opencl_unroll_hint(0)))\nfor (int i = 0; i < 4; i++) o[i] = 0;", 1),
    "C-78 unroll hint on an if": ("__attribute__((opencl_unroll_hint(2)))\nif (n) o[0] = 0;", 1),
}

# The whole text, options, and the line of the error.
REFUSED_TEXTS = {
    "C-33 bit-field": ("struct S {\n  int a : 3;\n};", "", 2),
    "C-33 function pointer": ("void f(void);\nkernel void k(void) {\n  void (*p)(void) = f;\n}", "", 3),
    "C-42 write through constant": ("kernel void k(constant int *c)\n{\n  c[0] = 1;\n}", "", 3),
    "C-44 local variable in a helper": ("void f(void)\n{\n  local int l;\n}", "", 3),
    "C-46 private pointer parameter": ("kernel void k(\n  int *p) {}", "", 2),
    "C-46 named private": ("kernel void k(\n  private int *p) {}", "", 2),
    "C-47 pointer to pointer": ("kernel void k(\n  global int *global *p) {}", "", 2),
    "C-54 generic pointer in 1.2": ("void f(int *p);\nkernel void k(global int *x) {\n  f(x);\n}", "-cl-std=CL1.2", 3),
    "C-55 generic to named": ("kernel void k(global int *x)\n{ int *g = x;\n  local int *l = g; }", "-cl-std=CL2.0", 3),
    "C-55 constant to generic": ("kernel void k(constant int *x)\n{\n  const int *g = x; }", "-cl-std=CL2.0", 3),
    "C-55 disjoint, by a cast": (
        "kernel void k(global int *x)\n{\n  local int *l = (local int *)x; }",
        "-cl-std=CL2.0",
        3,
    ),
    "C-56 nested pointers": (
        "kernel void k(local int *l)\n{ local int **a = &l;\n  global int **b = a; }",
        "-cl-std=CL1.2",
        3,
    ),
    "C-61 kernel with a result": ("kernel\nint k(void) { return 1; }", "", 2),
    "C-64 size_t": ("kernel void k(\n  size_t n) {}", "", 2),
    "C-64 event_t": ("kernel void k(\n  event_t e) {}", "", 2),
    "C-67 hint of a pointer type": ("__attribute__((vec_type_hint(int*)))\nkernel void k(void) {}", "", 1),
    "C-72 size of zero": ("__attribute__((reqd_work_group_size(0, 1, 1)))\nkernel void k(void) {}", "", 1),
    "C-72 two sizes": ("__attribute__((reqd_work_group_size(4, 1)))\nkernel void k(void) {}", "", 1),
}

ACCEPTED = {
    "C-30 scalar branch is widened": "int4 c = (int4)(1); int4 v = c ? c : 7; o[0] = v.x;",
    "C-36 swizzle without repeats": "int4 v = (int4)(1); v.zx = (int2)(1, 2); o[0] = v.x;",
    "C-42 constant in the kernel's scope": "constant int c = 3; o[0] = c;",
    "C-44 local array": "local int l[4]; l[0] = 1; o[0] = l[0];",
    "C-53 constant string": 'constant char *s = "ab"; o[0] = s[0];',
    "vector by scalar shift": "int2 v = (int2)(1, 2) << 1; o[0] = v.x;",
}


def error_lines(answer: Analysis) -> list[int]:
    return [d.line for d in answer.diagnostics if d.severity == "error"]


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_a_kernel_on_its_line(analyse: Ask, name: str) -> None:
    body, line = REFUSED[name]
    lines = error_lines(analyse(f"kernel void k(global int *o, global float *x, int n) {{\n{body}\n}}"))
    assert lines, "no error"
    assert lines[0] == line + 1


@pytest.mark.parametrize("name", REFUSED_TEXTS)
def test_refused_texts_on_their_line(analyse: Ask, name: str) -> None:
    text, options, line = REFUSED_TEXTS[name]
    lines = error_lines(analyse(text, *options.split()))
    assert lines, "no error"
    assert lines[0] == line


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(analyse: Ask, name: str) -> None:
    answer = analyse(f"kernel void k(global int *o, global float *x, int n) {{\n{ACCEPTED[name]}\n}}")
    assert error_lines(answer) == []


@pytest.mark.parametrize(
    ("name", "body", "option"),
    [
        ("C-38 changed twice", "int i = 0;\ni = i++;\no[0] = i;", "-Wunsequenced"),
        ("C-45 not initialised", "int i;\no[0] = i;", "-Wuninitialized"),
        ("C-77 unknown attribute", "int i __attribute__((frob)) = 0;\no[0] = i;", "-Wunknown-attributes"),
        ("unused", "int i = 0;", "-Wunused-variable"),
    ],
)
def test_warnings(analyse: Ask, name: str, body: str, option: str) -> None:
    answer = analyse(f"kernel void k(global int *o) {{\n{body}\n}}")
    assert [(d.severity, d.option) for d in answer.diagnostics] == [("warning", option)], name


def test_not_initialised_names_its_place_c_45(analyse: Ask) -> None:
    (warning,) = analyse("kernel void k(global int *o) {\n  int i;\n  o[0] = i;\n}").diagnostics
    assert (warning.line, warning.column, warning.origin) == (3, 10, "front end")
    assert [(note.severity, note.line) for note in warning.notes] == [("note", 2)]


def test_generic_pointers_work_where_they_exist_c_54(analyse: Ask) -> None:
    text = "void f(int *p) { p[0] = 1; }\nkernel void k(global int *x) { f(x); }"
    assert analyse(text, "-cl-std=CL2.0").diagnostics == ()
    assert analyse(text, "-cl-std=CL3.0").diagnostics == ()


def test_an_everyday_kernel_is_silent(analyse: Ask) -> None:
    text = """
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    constant float weights[3] = {0.25f, 0.5f, 0.25f};
    float weight(int i) { return weights[i]; }
    float never_called(void) { return 1.0f; }
    __kernel void blur(__global const float *x, __global float *y, const int n, int unused_parameter) {
        __local float tile[66];
        int i = get_global_id(0), l = get_local_id(0);
        tile[l + 1] = i < n ? x[i] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        float sum = 0.0f;
        for (int k = 0; k < 3; k++) sum += weight(k) * tile[l + k];
        if (i < n) y[i] = sum;
    }
    """
    assert analyse(text).diagnostics == ()
