"""What kernels read and write behind their pointers, and the built-in functions that they use."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cl_magic.clc.analysis import Analysis

Ask = Callable[..., Analysis]

R, W, RW, NO, UNKNOWN = (True, False), (False, True), (True, True), (False, False), (None, None)


def uses(analyse: Ask, text: str, *options: str) -> dict[str, tuple[bool | None, bool | None]]:
    kernel = analyse(text, *options).kernels[-1]
    return {p.name: (p.reads, p.writes) for p in kernel.parameters if p.is_pointer or p.address == "global"}


CASES = {
    "read": ("global float *x, global float *y", "y[0] = x[1];", {"x": R, "y": W}),
    "compound": ("global float *x", "x[0] += 1;", {"x": RW}),
    "increment": ("global int *x", "x[0]++;", {"x": RW}),
    "unused": ("global float *x", "", {"x": NO}),
    "dereference": ("global float *x, global float *y", "*y = *(x + 2);", {"x": R, "y": W}),
    "address only": ("global float *x", "global float *p = &x[3];", {"x": NO}),
    "sizeof": ("global float *x, global int *y", "y[0] = sizeof(x[0]);", {"x": NO, "y": W}),
    "index reads": ("global int *x, global float *y", "y[x[0]] = 1;", {"x": R, "y": W}),
    "swizzle store": ("global float4 *x", "x[0].xy = (float2)(1, 2);", {"x": W}),
    "swizzle in parentheses": ("global float4 *x", "(x[1]).w *= 2;", {"x": RW}),
    "alias": ("global float *x", "global float *p = x + 1; p += 2; *p++ = 1;", {"x": W}),
    "ternary alias": (
        "global float *x, global float *y, int n",
        "global float *p = n ? x : y; p[0] = 1;",
        {"x": W, "y": W},
    ),
    "array of pointers": (
        "global float *x, global float *y",
        "global float *p[2] = {x, y}; p[1][0] = 1;",
        {"x": W, "y": W},
    ),
    "private copy": ("global S *s", "S t = *s; t.a[0] = 1; t.v.x = 2;", {"s": R}),
    "member array": ("global S *s", "s->a[2] = 1;", {"s": W}),
    "member through dot": ("global S *s, global S *t", "(*s).v = t[1].v;", {"s": W, "t": R}),
    "struct with a pointer": ("global float *x", "V v; v.p = x; v.p[0] = 1;", {"x": W}),
    "helper": ("global float *x, global float *y", "put(y, x, 1);", {"x": R, "y": W}),
    "helper of helper": ("global float *x, global float *y", "put_twice(y, x);", {"x": R, "y": W}),
    "returned pointer": ("global float *x", "off(x, 1)[0] = 1;", {"x": W}),
    "cast": ("global uchar *x", "((global uint *)x)[0] = 1;", {"x": W}),
    "vload and vstore": ("global float *x, global float *y", "vstore4(vload4(0, x), 1, y);", {"x": R, "y": W}),
    "half": ("global half *x, global half *y", "vstore_half(vload_half(0, x), 1, y);", {"x": R, "y": W}),
    "atomic": ("global int *x", "atomic_inc(x);", {"x": RW}),
    "async": (
        "local float *l, global float *x",
        "event_t e = async_work_group_copy(l, x, 4, 0); wait_group_events(1, &e);",
        {"l": W, "x": R},
    ),
    "result through a pointer": ("local float *l", "float f = fract(1.5f, l);", {"l": W}),
    "images": (
        "read_only image2d_t i, write_only image2d_t o, image2d_t unused",
        "write_imagef(o, (int2)(0), read_imagef(i, (int2)(0))); int w = get_image_width(unused);",
        {"i": R, "o": W, "unused": NO},
    ),
    "constant": ("constant float *c, global float *x", "x[0] = c[1];", {"c": R, "x": W}),
    "macro": ("global float *x, global float *y", "AT(y, 3) = AT(x, 2);", {"x": R, "y": W}),
    "loop and branches": (
        "global float *x, global int *n",
        "for (int i = 0; i < n[0]; i++) if (i & 1) x[i] = 0; else while (n[i]) break;",
        {"x": W, "n": R},
    ),
    "comma and chain": ("global float *x, global float *y", "x[0] = y[0] = (1, 2);", {"x": W, "y": W}),
    "to a number": ("global int *x", "ulong a = (ulong)x; *(global int *)a = 1;", {"x": UNKNOWN}),
    "to a number in a helper": ("global float *x, global int *y", "as_number(x); y[0] = 1;", {"x": UNKNOWN, "y": W}),
    "pointer difference": ("global float *x, global float *y", "y[0] = &x[3] - x;", {"x": NO, "y": W}),
}

BEFORE = """
typedef struct { float a[4]; float4 v; } S;
typedef struct { global float *p; int n; } V;
#define AT(p, i) (p)[(i) * 2]
void put(global float *d, const global float *s, int i) { d[i] = s[i]; }
void put_twice(global float *d, const global float *s) { put(d, s, 0); put(d, s, 1); }
global float *off(global float *a, int i) { return a + i; }
ulong as_number(global float *a) { return (ulong)a; }
"""


@pytest.mark.parametrize("name", CASES)
def test_reads_and_writes(analyse: Ask, name: str) -> None:
    parameters, body, expected = CASES[name]
    found = uses(analyse, f"{BEFORE}kernel void k({parameters}) {{ {body} }}")
    assert {parameter: found[parameter] for parameter in expected} == expected


def test_a_helper_declared_before_its_body(analyse: Ask) -> None:
    text = "void f(global int *p);\nkernel void k(global int *x) { f(x); }\nvoid f(global int *p) { p[0] = 1; }"
    assert analyse(text).kernels[0].parameters[0].writes is True


def test_a_pointer_in_a_union_is_not_followed(analyse: Ask) -> None:
    text = (
        "kernel void k(global int *x) {\n"
        "  union { global int *p; ulong n; } u; u.p = x; *(global int *)(u.n + 4) = 1; }"
    )
    assert uses(analyse, text) == {"x": UNKNOWN}


def test_a_scalar_has_no_uses(analyse: Ask) -> None:
    (parameter,) = analyse("kernel void k(int n) { n++; }").kernels[0].parameters
    assert (parameter.reads, parameter.writes) == UNKNOWN


def test_atomics_of_opencl_c_2(analyse: Ask) -> None:
    text = (
        "kernel void k(global atomic_int *a, global atomic_int *b, global atomic_int *c, global int *d) {\n"
        "  atomic_store(a, atomic_load(b)); atomic_fetch_add(c, 1); int *g = d; g[0] = 1; }"
    )
    assert uses(analyse, text, "-cl-std=CL2.0") == {"a": W, "b": R, "c": RW, "d": W}


def test_builtins_are_found_through_helpers(analyse: Ask) -> None:
    answer = analyse(
        "float f(float v) { return sin(v); }\nvoid sync() { barrier(CLK_LOCAL_MEM_FENCE); }\n"
        "float g(float v) { return f(v); }\n"
        "kernel void a(global float *x) { x[get_global_id(0)] = g(x[0]); }\n"
        "kernel void b(global float *x) { sync(); }\n"
        "kernel void c(global float *x) { b(x); x[get_group_id(0)] = native_cos(1.0f); }"
    )
    assert {kernel.name: set(kernel.builtins) for kernel in answer.kernels} == {
        "a": {"sin", "get_global_id"},
        "b": {"barrier"},
        "c": {"barrier", "get_group_id", "native_cos"},
    }


def test_a_deep_expression_costs_no_answer(analyse: Ask) -> None:
    text = "kernel void k(global int *x) { x[0] = " + "+".join(["x[1]"] * 1500) + "; }"
    assert uses(analyse, text) == {"x": RW}
