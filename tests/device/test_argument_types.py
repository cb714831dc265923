"""Structures, triples, local and constant memory, forbidden types on every device; cases 20, 21, 28 and 49."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.errors import ArgumentError, BuildError, DeviceNotFoundError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.show import html_of, load_view, text_of

GET = """typedef struct { uchar tag; float w; int id; double d; } rec;
__kernel void get(__global const rec *r, __global float *o) { int i = get_global_id(0); o[i] = r[i].w + r[i].id; }
__kernel void raise(__global rec *r, int by) { r[get_global_id(0)].id += by; }
__kernel void size(__global int *o) { o[0] = sizeof(rec); }
typedef struct { char c; int v; } P;
__kernel void byval(const P p, __global int *o) { o[0] = p.v; }"""
FIELDS = [("tag", np.uint8), ("w", np.float32), ("id", np.int32), ("d", np.float64)]
PICK = """__kernel void pick(__global const float3 *v, __global float *o)
{ int i = get_global_id(0); o[i] = v[i].x + 10 * v[i].y + 100 * v[i].z; }
__kernel void pack(__global const uchar3 *v, __global int *o)
{ int i = get_global_id(0); o[i] = v[i].x + 1000 * v[i].z; }
__kernel void move(__global float3 *v, float3 by) { v[get_global_id(0)] += by; }"""


def _records(*, align: bool) -> np.ndarray[Any, Any]:
    records = np.zeros(3, np.dtype(FIELDS, align=align))
    records["w"], records["id"] = [0.5, 1.5, 2.5], [10, 20, 30]
    return records


@pytest.mark.parametrize("align", [False, True])
def test_case_21_records_of_any_padding_are_read_by_their_names(device: DeviceInfo, align: bool) -> None:  # noqa: FBT001
    program = clm.build(GET, device=device)
    out = np.zeros(3, np.float32)
    run = program["get"](_records(align=align), out, global_size=3)
    assert out.tolist() == [10.5, 21.5, 32.5]
    assert any("records of 17" in note for note in run.notes) != align
    size = np.zeros(1, np.int32)
    program.size(size, global_size=1)
    assert size[0] == program.dtype("rec").itemsize == 24


@pytest.mark.parametrize("way", ["wait", "later", "prepared", "inline"])
def test_case_21_results_come_back_into_records_of_another_padding(device: DeviceInfo, way: str) -> None:
    kernel = clm.build(GET, device=device)["raise"]
    records = _records(align=False)
    if way == "later":
        kernel(records, 5, global_size=3, wait=False).wait()
    elif way == "prepared":
        kernel.prepare(records, 5, global_size=3)().wait()
    elif way == "wait":
        kernel(records, 5, global_size=3)
    else:
        try:
            kernel(records, 5, global_size=3, engine="inline")
        except DeviceNotFoundError as error:
            pytest.skip(error.message)
    assert records["id"].tolist() == [15, 25, 35]
    assert records["w"].tolist() == [0.5, 1.5, 2.5]


def test_case_21_a_structure_by_value(device: DeviceInfo) -> None:
    kernel = clm.build(GET, device=device).byval
    for align in (False, True):
        value = np.zeros((), np.dtype([("c", np.int8), ("v", np.int32)], align=align))
        value["v"] = 77
        out = np.zeros(1, np.int32)
        kernel(value, out, global_size=1)
        assert out[0] == 77
    kernel({"c": 1, "v": 78}, out, global_size=1)
    assert out[0] == 78


def test_case_20_triples_are_what_they_look_like(device: DeviceInfo) -> None:
    program = clm.build(PICK, device=device)
    triples = np.arange(12, dtype=np.float32).reshape(4, 3)
    out = np.zeros(4, np.float32)
    run = program.pick(triples, out, global_size=4)
    assert out.tolist() == (triples @ [1, 10, 100]).tolist()
    assert any("widened from 12 to 16 bytes" in transfer.how for transfer in run.transfers)
    four = np.zeros((4, 4), np.float32)
    four[:, :3] = triples
    assert not program.pick(four, out, global_size=4).notes
    assert out.tolist() == (triples @ [1, 10, 100]).tolist()
    small, sums = np.arange(12, dtype=np.uint8).reshape(4, 3), np.zeros(4, np.int32)
    program.pack(small, sums, global_size=4)
    assert sums.tolist() == (small[:, 0] + 1000 * small[:, 2].astype(int)).tolist()
    program.move(triples, np.array([1, 2, 3], np.float32), global_size=4)
    assert triples.tolist() == np.add(np.arange(12).reshape(4, 3), [1, 2, 3]).tolist()
    with pytest.raises(ArgumentError):
        program.move(triples, np.array([1, 2], np.float32), global_size=4)


LOCAL = """__kernel void f(__local float *t, __global float *y)
{ int l = get_local_id(0); t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); y[l] = t[get_local_size(0) - 1 - l]; }
__kernel void g(__global float *y)
{ __local float t[N]; int l = get_local_id(0); t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); y[l] = t[l]; }"""


def test_case_28_c_60_local_memory_over_the_limit_is_refused_with_both_numbers(device: DeviceInfo) -> None:
    limit = device.local_mem_bytes
    program = clm.build(LOCAL, options="-DN=64", device=device)
    y = np.zeros(64, np.float32)
    program.f(clm.local(64, "float"), y, global_size=64, local_size=64)
    assert y.tolist() == list(range(63, -1, -1))
    for nbytes in (limit + 4, 8 * limit, 2**33):
        with pytest.raises(ArgumentError) as caught:
            program.f(clm.local(nbytes), y, global_size=64, local_size=64)
        # A driver may need some bytes of its own in every kernel: NVIDIA's takes one.
        assert caught.value.limit == limit
        assert 0 <= caught.value.nbytes - nbytes < 64


def test_case_28_local_arrays_of_the_kernel_count_too(device: DeviceInfo) -> None:
    count = device.local_mem_bytes
    try:
        program = clm.build(LOCAL, options=f"-DN={count}", device=device)
    except BuildError:
        return  # the compiler refuses it, which is as good
    with pytest.raises(ArgumentError) as caught:
        program.g(np.zeros(64, np.float32), global_size=64, local_size=64)
    assert caught.value.limit == device.local_mem_bytes
    assert 0 <= caught.value.nbytes - 4 * count < 64


def test_case_49_arguments_that_the_kernel_does_not_use(device: DeviceInfo) -> None:
    text = """__kernel void f(__global const float *unused, __global float *y, const int never)
    { y[get_global_id(0)] = 3; }
    __kernel void g(__local int *t, __global int *y) { y[0] = 1; }"""
    program = clm.build(text, device=device)
    assert len(program.f.signature.parameters) == 3
    for unused in (np.zeros(4, np.float32), None):
        y = np.zeros(4, np.float32)
        program.f(unused, y, 1, global_size=4)
        assert y.tolist() == [3, 3, 3, 3]
    one = np.zeros(1, np.int32)
    program.g(clm.local(16), one, global_size=1)
    assert one[0] == 1


def test_c_43_constant_memory_over_the_limit_is_refused(device: DeviceInfo) -> None:
    limit = device.constant_buffer_bytes
    if not 0 < limit <= 1 << 26:
        pytest.skip(f"a limit of {limit} bytes is more than this test allocates")
    kernel = clm.build("kernel void f(constant uchar *c, global uchar *o) { o[0] = c[0]; }", device=device).f
    with pytest.raises(ArgumentError) as caught:
        kernel(np.zeros(2 * limit, np.uint8), np.zeros(1, np.uint8), global_size=1)
    assert (caught.value.nbytes, caught.value.limit) == (2 * limit, limit)


REFUSED = {
    "bool": "kernel void k(bool v, global int *o) { o[0] = v; }",
    "size_t": "kernel void k(size_t v, global int *o) { o[0] = v; }",
    "event_t": "kernel void k(event_t v, global int *o) { o[0] = 1; }",
    "structure with a pointer": "typedef struct { global int *p; } S; kernel void k(S v, global int *o) { o[0] = 1; }",
    "structure with a bool": "typedef struct { bool b; } S; kernel void k(S v, global int *o) { o[0] = v.b; }",
    "pointer to a pointer": "kernel void k(global int *global *v, global int *o) { o[0] = v[0][0]; }",
    "function pointer": "kernel void k(void (*v)(int), global int *o) { v(1); }",
    "bit-field": "typedef struct { int b : 3; } S; kernel void k(global S *v, global int *o) { o[0] = v->b; }",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_c_33_c_47_c_64_types_that_no_kernel_may_have(device: DeviceInfo, text: str) -> None:
    """Refused by the compiler with the clause, or, where it takes them, warned of and refused at the call."""
    try:
        program = clm.build(text, device=device)
    except BuildError as error:
        result = error.result
    else:
        result = program.result
        with pytest.raises(ArgumentError):
            program.k(np.zeros(8, np.int32), np.zeros(1, np.int32), global_size=1)
    told = [d for d in result.diagnostics if any("OpenCL C 1.2, 6.9" in note.message for note in d.notes)]
    assert told
    assert told[0].line == 1


TAKEN = {
    "pointer to bool": ("global bool *v", "v[0] = true;", lambda: np.zeros(1, np.bool_)),
    "enumeration": ("enum E v", "o[0] = v;", lambda: 1),
    "union": ("U v", "o[0] = v.i;", lambda: {"i": 1}),
    "float3": ("float3 v", "o[0] = v.z;", lambda: (0, 0, 1)),
    "array": ("global int v[4]", "v[1] = 1; o[0] = v[1];", lambda: np.zeros(4, np.int32)),
}


@pytest.mark.parametrize(("parameter", "body", "value"), TAKEN.values(), ids=TAKEN)
def test_c_64_c_65_c_76_types_that_a_kernel_may_have(device: DeviceInfo, parameter: str, body: str, value: Any) -> None:
    text = "enum E { A, B }; typedef union { int i; float f; } U;\n"
    text += f"kernel void k({parameter}, global int *o) {{ {body} o[0] |= 1; }}"
    out, given = np.zeros(1, np.int32), value()
    clm.build(text, device=device).k(given, out, global_size=1)
    assert out[0] == 1
    if isinstance(given, np.ndarray):
        assert given.any()


def test_c_41_a_pointer_to_structures_with_pointers_takes_bytes_only(device: DeviceInfo) -> None:
    text = "typedef struct { global int *p; int n; } S; kernel void k(global S *s, global int *o) { o[0] = s->n; }"
    program = clm.build(text, device=device)
    warned = [d for d in program.result.diagnostics if "structure whose member p" in d.message]
    assert [(d.severity, d.line) for d in warned] == [("warning", 1)]
    out = np.zeros(1, np.int32)
    with pytest.raises(ArgumentError):
        program.k(np.zeros(1, program.dtype("S")), out, global_size=1)
    records = np.zeros(1, program.dtype("S"))
    records["n"] = 7
    program.k(records.view(np.uint8), out, global_size=1)
    assert out[0] == 7


def test_r_78_a_missing_type_and_a_wrong_name_say_what_there_is(device: DeviceInfo) -> None:
    program = clm.build(GET, device=device)
    with pytest.raises(ArgumentError) as caught:
        program.dtype("recs")
    assert caught.value.known == ("rec", "P")
    assert "'rec'" in caught.value.remedy
    assert program.layout("rec").padding_bytes == 7


def test_k_47_explain_launches_nothing_and_shows_itself(device: DeviceInfo) -> None:
    program = clm.build(PICK, device=device)
    triples = np.zeros((4, 3), np.float32)
    told = program.move.explain(triples, (1, 2, 3))
    assert told.ok
    assert not triples.any()
    load_view("display")
    assert "widened from 12 to 16 bytes" in text_of(told)
    assert "widened from 12 to 16 bytes" in html_of(told)


def test_directions_of_the_user_hold_for_copies_too(device: DeviceInfo) -> None:
    """K-21, K-47: what is said to go in only is not brought back."""
    program = clm.build(GET, device=device)
    records = _records(align=False)
    program["raise"](clm.In(records), 5, global_size=3)
    assert records["id"].tolist() == [10, 20, 30]
    program["raise"](clm.InOut(records), 5, global_size=3)
    assert records["id"].tolist() == [15, 25, 35]
    rows = program["raise"].explain(clm.In(records), 5).rows
    assert [row.direction for row in rows] == ["in", ""]


def test_arrays_of_a_device_are_structures_too(device: DeviceInfo) -> None:
    program = clm.build(GET + PICK, device=device)
    records = np.zeros(3, program.dtype("rec"))
    there = clm.array(records, device=device)
    program["raise"](there, 5, global_size=3)
    assert there.numpy()["id"].tolist() == [5, 5, 5]
    with pytest.raises(ArgumentError):
        program["raise"](clm.array(_records(align=False), device=device), 5, global_size=3)
    with pytest.raises(ArgumentError):
        program.move(clm.array(np.zeros((4, 3), np.float32), device=device), (1, 2, 3), global_size=4)
