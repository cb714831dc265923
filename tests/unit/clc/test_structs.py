"""Layouts of structures, their dtypes, and what else the front end knows of parameters and types. Ids as required."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cl_magic.clc.analysis import Analysis
from cl_magic.clc.dtypes import compared, convertible, copy_members, dtype_of, same_layout
from cl_magic.clc.frontend import FrontEnd
from cl_magic.clc.structs import Layout, layout_named, pointer_member, value_fault
from cl_magic.clc.type_table import TYPES

Ask = Callable[..., Analysis]

PACKED = "struct __attribute__((packed)) {} {{ char c; int i; double d; }};"
SIZES = {
    "C-07 padding": ("typedef struct { char c; float3 p; double d; uchar4 q[3]; short s; } T;", 64),
    "C-07 packed inside": (PACKED.format("I") + "struct T { struct I i; char c; };", 14),
    "C-75 packed": (PACKED.format("T"), 13),
    "C-75 packed behind": ("struct T { char c; int i; double d; } __attribute__((packed));", 13),
    "C-75 aligned": ("struct __attribute__((aligned(32))) T { int i; };", 32),
    "C-75 aligned field": ("struct T { int a; int b __attribute__((aligned(16))); };", 32),
    "C-75 packed field": ("struct T { int a; char c; float f __attribute__((packed)); };", 12),
    "C-76 enumeration": ("enum E { A, B }; struct T { enum E e; };", 4),
    "C-03 triple": ("struct T { float3 a[2]; };", 32),
    "C-07 union": ("typedef union { int i; float f[3]; uchar4 b; } T;", 12),
}  # fmt: skip


def _layout(analyse: Ask, text: str, name: str = "T") -> Layout:
    found = layout_named(analyse(text).layouts, name)
    assert found is not None
    return found


@pytest.mark.parametrize(("text", "size"), SIZES.values(), ids=SIZES)
def test_sizes_of_structures(analyse: Ask, text: str, size: int) -> None:
    layout = _layout(analyse, text)
    assert layout.size_bytes == size
    assert dtype_of(layout).itemsize == size


def test_a_structure_is_found_by_tag_and_by_typedef(analyse: Ask) -> None:
    layouts = analyse("typedef struct P { int a; } particle; typedef struct { int b; } Q; typedef Q R;").layouts
    assert layout_named(layouts, "struct P") is layout_named(layouts, "particle")
    assert layout_named(layouts, "R") is layout_named(layouts, "Q")
    assert layout_named(layouts, "S") is None


def test_members_of_unnamed_structures_are_reached_without_them(analyse: Ask) -> None:
    layout = _layout(analyse, "typedef struct { int a; union { struct { short x, y; }; int xy; }; } T;")
    assert [(field.name, field.offset_bytes) for field in layout.fields] == [("a", 0), ("x", 4), ("y", 6), ("xy", 4)]
    assert dtype_of(layout).names == ("a", "x", "y", "xy")


def test_arrays_in_structures_keep_their_shape(analyse: Ask) -> None:
    layout = _layout(
        analyse, "typedef int I3[3]; struct Q { short s; }; struct T { I3 m[2]; struct Q q[2]; float4 v[5]; };"
    )
    dtype = dtype_of(layout)
    assert dtype["m"].shape == (2, 3)
    assert dtype["q"].shape == (2,)
    assert dtype["v"].shape == (5, 4)


def test_c_33_bit_fields_have_no_layout_and_say_their_line(analyse: Ask) -> None:
    extension = "#pragma OPENCL EXTENSION __cl_clang_bitfields : enable\n"
    layout = _layout(analyse, extension + "struct T {\n  int a;\n  int b : 3;\n};")
    assert (layout.bit_field, layout.bit_field_line) == ("b", 4)
    assert "6.9.c" in value_fault(layout)
    with pytest.raises(ValueError, match="no members"):
        dtype_of(layout)
    assert layout_named(analyse("struct T { int a : 3; };").layouts, "T") is None


def test_opaque_and_wrong_structures_have_no_layout(analyse: Ask) -> None:
    layouts = analyse("struct T; struct U { unknown_t x; int y; }; struct V { int a; };").layouts
    assert [layout.short_name for layout in layouts] == ["V"]


def test_headers_define_structures_too(front: FrontEnd) -> None:
    answer = front.analyse(
        '#include "t.h"\nkernel void k(global T *t) { }', headers=[("t.h", "typedef struct { int a; } T;")]
    )
    assert [layout.name for layout in answer.layouts] == ["T"]


def test_c_64_structures_that_no_value_may_be(analyse: Ask) -> None:
    texts = {
        "n is a size_t": "struct T { size_t n; };",
        "b is a bool": "struct T { bool b; };",
        "p is a float*": "struct T { global float *p; };",
        "q.p is a float*": "struct Q { global float *p; }; struct T { struct Q q; };",
    }
    for words, text in texts.items():
        layout = _layout(analyse, text)
        assert words in value_fault(layout)
        assert (pointer_member(layout) is not None) == ("float*" in words)
    assert not value_fault(_layout(analyse, "struct T { int a; float3 b; };"))


def test_c_65_parameters_written_as_arrays_are_pointers_that_are_followed(analyse: Ask) -> None:
    text = """typedef struct { int x; int y[3]; } S; void h(global int z[2]) { z[1] = 3; }
    kernel void k(global int a[4], global const float b[], local int c[8], global S s[2], global int d[2],
                  global int e[2])
    { a[0] = 1; c[0] = b[1]; s->x = 1; (s + 1)->y[2] = 4; h(d); global int *p = e; *p += 1; }"""
    parameters = analyse(text).kernels[0].parameters
    uses = {parameter.name: (parameter.reads, parameter.writes) for parameter in parameters}
    assert uses == {
        "a": (False, True), "b": (True, False), "c": (False, True), "s": (False, True), "d": (False, True),
        "e": (True, True),
    }  # fmt: skip
    assert {parameter.type_name for parameter in parameters} == {"int*", "float*", "S*"}


def test_c_60_local_arrays_are_counted_from_the_source(analyse: Ask) -> None:
    text = (
        "kernel void k(local int *p) { local float a[100]; local struct { int x; char y; } s; a[0] = s.x; p[0] = 1; }"
    )
    assert analyse(text).kernels[0].static_local_bytes == 408


def test_c_09_double_literals_are_marked_where_there_is_no_double(front: FrontEnd) -> None:
    answer = front.analyse("kernel void k(global float *x) {\n  x[0] = 2.0 * x[1] + .5e-3;\n}", lacking=["cl_khr_fp64"])
    marked = [(one.line, one.column, fix.text) for one in answer.diagnostics for fix in one.fixits]
    assert marked == [(2, 10, "2.0f"), (2, 23, ".5e-3f")]
    assert not front.analyse("kernel void k(global float *x) { x[0] = 2.0 * x[1]; }").diagnostics


def test_c_09_c_11_double_and_half_are_errors_on_their_lines_where_the_device_has_none(front: FrontEnd) -> None:
    text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global half *h, global float *x) {\n"
    text += "  h[0] = h[0] + h[1];\n  double d = x[0];\n  x[0] = d; }"
    lines = [
        one.line
        for one in front.analyse(text, lacking=["cl_khr_fp16", "cl_khr_fp64"]).diagnostics
        if one.severity == "error"
    ]
    assert sorted(set(lines)) == [3, 4]
    assert not [one for one in front.analyse(text).diagnostics if one.severity == "error"]


def test_dtypes_are_compared_member_by_member(analyse: Ask) -> None:
    layout = _layout(analyse, "struct T { uchar tag; float w; float3 p; float3 q[2]; float2 z; };")
    ours = dtype_of(layout)
    assert same_layout(layout, ours)
    fields: Any = [("tag", "u1"), ("w", "f4"), ("p", "f4", 3), ("q", "f4", (2, 3)), ("z", "c8")]
    packed = np.dtype(fields)
    rows = compared(layout, packed)
    assert [row.verdict for row in rows] == ["same", "moved", "moved", "moved", "moved"]
    assert convertible(layout, rows)
    theirs = np.zeros(3, packed)
    theirs["p"] = np.arange(9).reshape(3, 3)
    theirs["q"] = np.arange(18).reshape(3, 2, 3)
    theirs["z"] = 1 + 2j
    moved = np.zeros(3, ours)
    copy_members(layout, moved, theirs)
    assert moved["q"][..., :3].tolist() == theirs["q"].tolist()
    assert moved["z"].tolist() == [[1, 2]] * 3
    back = np.zeros(3, packed)
    copy_members(layout, moved, back, back=True)
    assert back.tobytes() == theirs.tobytes()
    wrong = np.dtype([("tag", "u1"), ("w", "f8"), ("p", "f4", 2), ("r", "f4")])
    assert [row.verdict for row in compared(layout, wrong)] == [
        "same",
        "other",
        "other",
        "missing",
        "missing",
        "unknown",
    ]


def test_c_01_c_08_the_table_of_types_names_all() -> None:
    sizes = {
        "char": 1,
        "short": 2,
        "int": 4,
        "long": 8,
        "half": 2,
        "float": 4,
        "double": 8,
        "size_t": 8,
        "double16": 128,
    }
    assert {name: TYPES[name].size_bytes for name in sizes} == sizes
    assert {TYPES[name].size_bytes for name in ("char3", "uchar3")} == {4}
    assert len(TYPES.vectors) == 55  # the ten element types, and half
    assert all(row.argument for row in TYPES)
    assert {"sampler_t", "event_t", "image2d_t"} <= {row.name for row in TYPES.opaque}
    with pytest.raises(KeyError):
        TYPES["float5"]
