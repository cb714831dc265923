"""What a kernel echoes back equals NumPy, bit for bit: every type by value and by pointer, on every device.

C-01, C-02, C-03, K-23 and R-78 for all element types and widths; values and signatures are drawn by hypothesis.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cl_magic as clm
from cl_magic.clc.types import VECTOR_WIDTHS, CType, type_of
from cl_magic.launch.limits import DeviceInfo

INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
VERY_FEW = settings(FEW, max_examples=8)


def _elements(device: DeviceInfo) -> tuple[str, ...]:
    return (*INTEGERS, "float", *(("double",) if device.fp64 else ()), *(("half",) if device.fp16 else ()))


def _types(device: DeviceInfo) -> list[CType]:
    names = [f"{scalar}{width}" for scalar in _elements(device) for width in ("", *VECTOR_WIDTHS)]
    return [ctype for ctype in map(type_of, names) if ctype is not None]


@cache
def _echo(device: DeviceInfo) -> clm.Program:
    """One program with a kernel by value and one by pointer for each type."""
    head = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" if device.fp16 else ""
    kernels = [
        f"kernel void value_{t}({t} v, global {t} *o) {{ o[0] = v; }}\n"
        f"kernel void copy_{t}(global const {t} *a, global {t} *b) {{ b[get_global_id(0)] = a[get_global_id(0)]; }}"
        for t in (ctype.name for ctype in _types(device))
    ]
    return clm.build(head + "\n".join(kernels), device=device)


def _number(ctype: CType) -> st.SearchStrategy[Any]:
    if ctype.family == "float":
        bits: Any = 8 * ctype.dtype.itemsize
        return st.floats(width=bits, allow_nan=False)
    return st.integers(*ctype.range)


def _value(ctype: CType) -> st.SearchStrategy[Any]:
    """A number, or a tuple, list or array of components."""
    if ctype.width == 1:
        return st.one_of(_number(ctype), _number(ctype).map(ctype.dtype.type))
    parts = st.lists(_number(ctype), min_size=ctype.width, max_size=ctype.width)
    return st.one_of(parts, parts.map(tuple), parts.map(lambda numbers: np.array(numbers, ctype.dtype)))


@FEW
@given(data=st.data())
def test_c_02_values_of_every_type_come_back(device: DeviceInfo, data: st.DataObject) -> None:
    ctype = data.draw(st.sampled_from(_types(device)))
    value = data.draw(_value(ctype))
    out = np.zeros((1, ctype.width), ctype.dtype)
    _echo(device)[f"value_{ctype.name}"](value, out, global_size=1, capture="none")
    assert out.tobytes() == np.array(value, ctype.dtype).tobytes()


@FEW
@given(data=st.data())
def test_c_03_arrays_of_every_type_come_back(device: DeviceInfo, data: st.DataObject) -> None:
    ctype = data.draw(st.sampled_from(_types(device)))
    rows = data.draw(st.integers(1, 9))
    noise = np.random.default_rng(data.draw(st.integers(0, 99)))
    shape = (rows, ctype.width) if ctype.width > 1 else (rows,)
    given_bytes = noise.integers(0, 256, int(np.prod(shape)) * ctype.dtype.itemsize, np.uint8)
    # Bits of a signalling NaN may be quieted by a load; exponents stay below.
    array = (given_bytes & 0x3F).view(ctype.dtype).reshape(shape)
    layout = data.draw(st.sampled_from(["as it is", "fortran", "strided", "reversed"]))
    out = np.zeros(shape, ctype.dtype)
    source = {
        "as it is": array,
        "fortran": np.asfortranarray(array),
        "strided": np.repeat(array, 2, axis=0)[::2],
        "reversed": array[::-1].copy()[::-1],
    }[layout]
    run = _echo(device)[f"copy_{ctype.name}"](source, out, global_size=rows, capture="none")
    assert out.tobytes() == array.tobytes()
    assert any("widened" in note for note in run.notes) == (ctype.width == 3)


@VERY_FEW
@given(data=st.data())
def test_random_signatures_echo_all_their_values(device: DeviceInfo, data: st.DataObject) -> None:
    """C-64, R-78: any list of types that a kernel may have, structures among them."""
    types = data.draw(st.lists(st.sampled_from(_types(device)), min_size=1, max_size=9))
    members = data.draw(st.lists(st.sampled_from(_types(device)), min_size=1, max_size=5))
    half = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" if device.fp16 else ""
    record = " ".join(f"{ctype.name} m{i};" for i, ctype in enumerate(members))
    words = ", ".join(f"{ctype.name} p{i}, global {ctype.name} *o{i}" for i, ctype in enumerate(types))
    stores = " ".join(f"o{i}[0] = p{i};" for i in range(len(types)))
    text = (
        f"{half}typedef struct {{ {record} }} S;\nkernel void f({words}, S s, global S *so) {{ {stores} so[0] = s; }}"
    )
    program = clm.build(text, device=device)
    values = [data.draw(_value(ctype)) for ctype in types]
    fields = {f"m{i}": data.draw(_value(ctype)) for i, ctype in enumerate(members)}
    outs = [np.zeros((1, ctype.width), ctype.dtype) for ctype in types]
    out = np.zeros(1, program.dtype("S"))
    pairs = [each for pair in zip(values, outs, strict=True) for each in pair]
    program.f(*pairs, fields, out, global_size=1, capture="none")
    for ctype, value, got in zip(types, values, outs, strict=True):
        assert got.tobytes() == np.array(value, ctype.dtype).tobytes()
    for i, ctype in enumerate(members):
        assert out[0][f"m{i}"].tobytes() == np.array(fields[f"m{i}"], ctype.dtype).tobytes()


def test_pyopencl_vectors_and_complex_numbers_are_vectors(device: DeviceInfo) -> None:
    """C-02: the other spellings of a vector."""
    types = pytest.importorskip("pyopencl.cltypes")
    program = _echo(device)
    out = np.zeros((1, 4), np.float32)
    program.value_float4(types.make_float4(1, 2, 3, 4), out, global_size=1)
    assert out.tolist() == [[1, 2, 3, 4]]
    triple = np.zeros(1, types.float3)
    program.value_float3(types.make_float3(1, 2, 3), triple, global_size=1)
    assert triple[0]["z"] == 3
    pairs = np.array([1 + 2j, 3 + 4j], np.complex64)
    twin = np.zeros_like(pairs)
    program.copy_float2(pairs, twin, global_size=2)
    assert (twin == pairs).all()
    program.value_float2(5 - 6j, twin, global_size=1)
    assert twin[0] == 5 - 6j


def test_c_12_a_view_that_begins_off_its_alignment_is_copied_and_it_is_said(device: DeviceInfo) -> None:
    whole = np.arange(17, dtype=np.float32)
    part = whole[1:]
    assert part.ctypes.data % 16
    out = np.zeros((4, 4), np.float32)
    run = _echo(device).copy_float4(part, out, global_size=4)
    assert out.ravel().tolist() == part.tolist()
    assert any("no multiple of 16" in note for note in run.notes)


def test_c_04_packed_triples_are_read_by_vload3(device: DeviceInfo) -> None:
    program = clm.build(
        "kernel void f(global const float *a, global float *o) { vstore3(vload3(1, a), 0, o); }", device=device
    )
    out = np.zeros(3, np.float32)
    program.f(np.arange(1, 7, dtype=np.float32), out, global_size=1)
    assert out.tolist() == [4, 5, 6]


def test_c_11_half_storage_round_trips_everywhere(device: DeviceInfo) -> None:
    program = clm.build(
        "kernel void f(global half *h, global float *o) { o[0] = vload_half(0, h); vstore_half(1.5f, 1, h); }",
        device=device,
    )
    half, out = np.array([0.25, 0], np.float16), np.zeros(1, np.float32)
    program.f(half, out, global_size=1)
    assert (half.tolist(), out.tolist()) == ([0.25, 1.5], [0.25])
