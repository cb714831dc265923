"""Guards on get_global_id (K-13) and returns before a barrier (K-15)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cl_magic.clc.analysis import Analysis
from cl_magic.clc.signature import Guard, KernelSignature

Ask = Callable[..., Analysis]

HELPERS = """
int below(int a, int m) { return a < m; }
int id(void) { return get_global_id(0); }
void sync(void) { barrier(CLK_LOCAL_MEM_FENCE); }
"""


def kernel(analyse: Ask, body: str, before: str = HELPERS) -> KernelSignature:
    text = f"{before}kernel void k(global float *x, int n, int m) {{\n{body}\n}}"
    return analyse(text).kernels[-1]


def test_a_guard_has_dimension_line_and_text_k_13(analyse: Ask) -> None:
    text = "kernel void k(global float *x, int n) {\n  int i = get_global_id(0);\n  if (i < n)\n    x[i] = 1; }"
    assert analyse(text).kernels[0].guards == (Guard(0, 3, "if (i < n)", early_return=False),)


GUARDED = {
    "direct": ("if (get_global_id(0) < n) x[0] = 1;", {0}, False),
    "reversed": ("int i = get_global_id(0); if (n > i) x[i] = 1;", {0}, False),
    "early return": ("int i = get_global_id(0); if (i >= n) return; x[i] = 1;", {0}, True),
    "early return in braces": ("int i = get_global_id(1); if (i > n - 1) { x[0] = 0; return; }", {1}, True),
    "two at once": ("int i = get_global_id(0), j = get_global_id(1); if (i >= n || j >= m) return;", {0, 1}, True),
    "two joined": ("if (get_global_id(0) < n && get_global_id(1) < m) x[0] = 1;", {0, 1}, False),
    "negated": ("if (!(get_global_id(0) < n)) return;", {0}, True),
    "in a variable": ("bool inside = get_global_id(0) < n; if (inside) x[0] = 1;", {0}, False),
    "in a helper": ("if (below(get_global_id(0), n)) x[0] = 1;", {0}, False),
    "id from a helper": ("int i = id(); if (i < n) x[i] = 1;", {0}, False),
    "put together": (
        "int i = get_group_id(0) * get_local_size(0) + get_local_id(0); if (i < n) x[i] = 1;",
        {0},
        False,
    ),
    "loop bound": ("for (int i = get_global_id(0); i < n; i += get_global_size(0)) x[i] = 1;", {0}, False),
    "while": ("int i = get_global_id(0); while (i < n) { x[i] = 1; i += 4; }", {0}, False),
    "else": ("int i = get_global_id(0); if (i >= n) x[0] = 1; else x[i] = 2;", {0}, False),
    "any of a vector": (
        "int2 p = (int2)(get_global_id(0), get_global_id(1)); if (any(p >= (int2)(n, m))) return;",
        {0, 1},
        True,
    ),
    "one component of a vector": (
        "int2 p = (int2)(get_global_id(1), get_global_id(0)); if (p.y >= n) return;",
        {0},
        True,
    ),
    "components set one by one": (
        "int2 p; p.x = get_global_id(0); p.y = get_global_id(1); if (p.y < m) x[0] = 1;",
        {1},
        False,
    ),
    "both components": (
        "const int2 p = (int2)(get_global_id(0), get_global_id(1)); if (p.x >= n || p.s1 >= m) return;",
        {0, 1},
        True,
    ),
    "a vector moved as a whole": (
        "int2 q = (int2)(get_global_id(0), get_global_id(1)); int2 p = q + 1; if (p.x < n) x[0] = 1;",
        {0, 1},
        False,
    ),
    "arithmetic": ("int i = get_global_id(0) * 4 + 3; if (i < n) x[i] = 1;", {0}, False),
}


@pytest.mark.parametrize("name", GUARDED)
def test_guards_k_13(analyse: Ask, name: str) -> None:
    body, dimensions, early = GUARDED[name]
    found = kernel(analyse, body).guards
    assert {guard.dimension for guard in found} == dimensions
    assert {guard.early_return for guard in found} == {early}


NO_GUARD = {
    "lower bound only": "int i = get_global_id(0); if (i > 0) x[i] = 1;",
    "equality": "if (get_global_id(0) == n) x[0] = 1;",
    "either of two": "int i = get_global_id(0); if (i >= n && x[0] > 0) return;",
    "loaded value": "int i = get_global_id(0); if (x[i] < 3.0f) x[i] = 1;",
    "local id": "if (get_local_id(0) < n) x[0] = 1;",
    "group id": "if (get_group_id(0) < n) x[0] = 1;",
    "two ids": "if (get_global_id(0) < get_global_id(1)) x[0] = 1;",
    "loop up to the id": "int i = get_global_id(0); for (int j = 0; j < i; j++) x[j] = 1;",
    "early return of the wrong side": "if (get_global_id(0) < n) return;",
}


@pytest.mark.parametrize("name", NO_GUARD)
def test_what_is_no_guard(analyse: Ask, name: str) -> None:
    assert kernel(analyse, NO_GUARD[name]).guards == ()


RETURNS = {
    "id, then barrier": ("int i = get_global_id(0);\nif (i >= n) return;\nbarrier(CLK_LOCAL_MEM_FENCE);", 3),
    "local id": ("if (get_local_id(0) > 3)\n return;\nbarrier(CLK_LOCAL_MEM_FENCE);", 3),
    "barrier in a helper": ("if (get_global_id(0) >= n) return;\nsync();", 2),
    "loaded value": ("if (x[get_global_id(0)] > 0) return;\nbarrier(CLK_LOCAL_MEM_FENCE);", 2),
    "around a loop": (
        "for (int j = 0; j < n; j++) {\nbarrier(CLK_LOCAL_MEM_FENCE);\nif (get_local_id(0) == j) return; }",
        4,
    ),
    "nested": ("if (n) { if (m) { int i = get_local_id(0); if (i) {\nreturn; } } }\nbarrier(CLK_LOCAL_MEM_FENCE);", 3),
    "in a switch": ("switch (get_local_id(0)) { case 1:\nreturn; }\nbarrier(CLK_LOCAL_MEM_FENCE);", 3),
    "after an atomic": ("int a = atomic_inc((global int *)x);\nif (a) return;\nbarrier(CLK_LOCAL_MEM_FENCE);", 3),
}


@pytest.mark.parametrize("name", RETURNS)
def test_return_before_a_barrier_k_15(analyse: Ask, name: str) -> None:
    body, line = RETURNS[name]
    found = kernel(analyse, body, "void sync(void) { barrier(CLK_LOCAL_MEM_FENCE); } ").return_before_barrier
    assert found == line


def test_return_inside_a_helper_before_its_barrier_k_15(analyse: Ask) -> None:
    helper = "void part(int i) {\n  if (i > 3)\n    return;\n  barrier(CLK_LOCAL_MEM_FENCE); }\n"
    assert kernel(analyse, "part(get_local_id(0));", helper).return_before_barrier == 3
    assert kernel(analyse, "part(n);", helper).return_before_barrier is None


HARMLESS = {
    "no barrier": "if (get_global_id(0) >= n) return; x[0] = 1;",
    "after the barrier": "barrier(CLK_LOCAL_MEM_FENCE); if (get_global_id(0) >= n) return;",
    "uniform": "if (n > 3) return; barrier(CLK_LOCAL_MEM_FENCE);",
    "whole groups": "if (get_group_id(0) > 3) return; barrier(CLK_LOCAL_MEM_FENCE);",
    "no return": "if (get_global_id(0) < n) x[0] = 1; barrier(CLK_LOCAL_MEM_FENCE);",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_no_false_alarm_k_15(analyse: Ask, name: str) -> None:
    assert kernel(analyse, HARMLESS[name]).return_before_barrier is None
