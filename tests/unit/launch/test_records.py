"""Structures, triples, local memory and forbidden types as arguments: bound, converted, said, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cl_magic.build.result import WorkGroupInfo
from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.clc.structs import Field, Layout
from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import ArgumentBinder, BoundArguments
from cl_magic.launch.device_arrays import local
from cl_magic.launch.explanation import explain
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.memory_limits import check_local_memory

REC = Layout(
    "rec", "struct", 24, 8,
    (Field("tag", "uchar", 0, 1), Field("w", "float", 4, 4), Field("id", "int", 8, 4), Field("d", "double", 16, 8)),
)  # fmt: skip
NODE = Layout("Node", "struct", 16, 8, (Field("next", "struct Node*", 0, 8), Field("v", "int", 8, 4)))
PAIR = Layout("U", "union", 8, 4, (Field("i", "int", 0, 4), Field("f", "float", 0, 8, (2,))))
OUTER = Layout(
    "Outer",
    "struct",
    48,
    8,
    (Field("r", "rec", 0, 24, layout=REC), Field("n", "int", 24, 4), Field("q", "float3", 32, 16)),
)
BITS = Layout("Bits", "struct", 4, 4, bit_field="a", bit_field_line=3)
EMPTY = Layout("Empty", "struct", 0, 1)
LAYOUTS = (REC, NODE, PAIR, OUTER, BITS, EMPTY)
FIELDS = [("tag", "u1"), ("w", "f4"), ("id", "i4"), ("d", "f8")]


def _bind(type_name: str, value: Any, **facts: Any) -> BoundArguments:
    address = facts.pop("address", "global" if type_name.endswith("*") else "private")
    parameter = Parameter(0, "v", type_name, address, **facts)
    return ArgumentBinder(KernelSignature("f", (parameter,)), LAYOUTS).bind((value,))


def _refused(type_name: str, value: Any, **facts: Any) -> ArgumentError:
    with pytest.raises(ArgumentError) as caught:
        _bind(type_name, value, **facts)
    assert caught.value.parameter == "v"
    assert caught.value.remedy
    return caught.value


def test_case_21_an_equal_layout_is_passed_as_it_is() -> None:
    array = np.zeros(3, np.dtype(FIELDS, align=True))
    bound = _bind("rec*", array)
    assert bound.values[0] is array
    assert not bound.staged
    assert not bound.notes


def test_a_structure_without_members_is_refused() -> None:
    for dtype in (np.dtype("u1"), np.dtype(FIELDS)):
        assert "no members" in str(_refused("Empty*", np.zeros(3, dtype)))


def test_case_21_another_padding_is_converted_both_ways_and_said() -> None:
    array = np.zeros(3, FIELDS)
    array["id"] = [1, 2, 3]
    bound = _bind("rec*", array)
    copy = bound.values[0]
    assert copy.dtype.itemsize == 24
    assert copy["id"].tolist() == [1, 2, 3]
    copy["id"] += 10
    (staged,) = bound.staged
    assert staged.restore is not None
    staged.restore()
    assert array["id"].tolist() == [11, 12, 13]
    assert "from records of 17 to records of 24 bytes" in bound.notes[0]
    assert "record of 17 B (3,)" in bound.facts[0][2]


def test_what_is_only_read_is_not_brought_back() -> None:
    assert _bind("rec*", np.zeros(3, FIELDS), qualifiers=("const",)).staged[0].restore is None


def test_other_names_and_types_are_refused_with_a_comparison() -> None:
    error = _refused("rec*", np.zeros(3, [("tag", "u1"), ("w", "f8"), ("idd", "i4")]))
    assert [(row.path, row.verdict) for row in error.comparison] == [
        ("tag", "same"), ("w", "other"), ("id", "missing"), ("d", "missing"), ("idd", "unknown"),
    ]  # fmt: skip
    assert "float32 at 4" in str(error)
    assert 'program.dtype("rec")' in error.remedy


@pytest.mark.parametrize(
    ("type_name", "value", "words"),
    [
        ("rec*", np.zeros(6, np.float32), "a record of 24 B"),
        ("rec*", np.zeros(25, np.uint8), "no multiple of the 24 B"),
        ("rec*", np.zeros(0, np.dtype(FIELDS)), "no elements"),
        ("rec*", np.ma.masked_array(np.zeros(3, np.dtype(FIELDS))), "masked"),
        ("rec*", np.zeros(3, object), "Python objects"),
        ("rec*", np.zeros(3, "datetime64[s]"), "a record of 24 B"),
        ("rec*", [(1, 2, 3, 4)], "is a list"),
        ("Node*", np.zeros(2, [("next", "u8"), ("v", "i4")]), "6.9.p"),
        ("Bits*", np.zeros(2, [("a", "i4")]), "line 3"),
        ("struct Opaque*", np.zeros(2, np.dtype(FIELDS)), "layout of struct Opaque is not known"),
        ("float*", np.zeros(3, ">f4"), "byte order"),
        ("float*", np.zeros(3, np.complex64), "complex64"),
        ("float4*", np.zeros((3, 4), np.complex64), "complex64"),
        ("float3*", np.zeros((3, 3)), "float64"),
        ("float3*", np.zeros((3, 5), np.float32), "room of 4"),
        ("float*", np.zeros(3, "datetime64[s]"), "datetime64"),
        ("float*", np.zeros(3, object), "Python objects"),
    ],
)
def test_bad_arrays_are_refused_with_what_was_expected(type_name: str, value: Any, words: str) -> None:
    assert words in str(_refused(type_name, value))


def test_bytes_pass_to_any_structure_as_they_are() -> None:
    for type_name, nbytes in (("rec*", 48), ("Node*", 16), ("U*", 8)):
        array = np.zeros(nbytes, np.uint8)
        assert _bind(type_name, array).values[0] is array


def test_a_union_takes_its_own_layout_and_no_other() -> None:
    own = np.zeros(2, np.dtype({"names": ["i", "f"], "formats": ["i4", ("f4", 2)], "offsets": [0, 0], "itemsize": 8}))
    assert _bind("U*", own).values[0] is own
    _refused("U*", np.zeros(2, [("i", "i4"), ("f", "f4", 2)]))


@pytest.mark.parametrize("order", ["fortran", "reversed", "0-d", "big end first"])
def test_records_in_any_order_of_memory(order: str) -> None:
    base = np.zeros((2, 3), np.dtype(FIELDS, align=True))
    base["id"] = np.arange(6).reshape(2, 3)
    arrays = {
        "fortran": np.asfortranarray(base), "reversed": base[::-1], "0-d": base[0, :1].reshape(()),
        "big end first": base.astype(base.dtype.newbyteorder(">")),
    }  # fmt: skip
    array = arrays[order]
    bound = _bind("rec*", array)
    assert bound.values[0]["id"].tolist() == array["id"].tolist()
    assert bool(bound.staged) == (order == "big end first")


@pytest.mark.parametrize(
    "value",
    [
        {"tag": 1, "w": 2.5, "id": 3, "d": 4.5},
        (1, 2.5, 3, 4.5),
        np.array((1, 2.5, 3, 4.5), np.dtype(FIELDS, align=True)),
        np.array([(1, 2.5, 3, 4.5)], FIELDS)[0],
        np.array([(1, 2.5, 3, 4.5)], FIELDS),
        np.array((1, 2.5, 3, 4.5), np.dtype(FIELDS, align=True)).tobytes(),
    ],
    ids=["dict", "tuple", "0-d array", "record of another padding", "one element", "bytes"],
)
def test_structures_by_value(value: Any) -> None:
    data = _bind("rec", value).scalars[0].data
    record = np.frombuffer(data, np.dtype(FIELDS, align=True))[0]
    assert record.tolist() == (1, 2.5, 3, 4.5)


@pytest.mark.parametrize(
    ("type_name", "value", "words"),
    [
        ("rec", {"tag": 300, "w": 1, "id": 1, "d": 1}, "in member tag (uchar) is 300"),
        ("rec", {"tag": 1, "w": 1, "idd": 1, "d": 1}, "did you mean 'id'"),
        ("rec", {"tag": 1}, "no value for w, id, d"),
        ("rec", (1, 2), "has 2 values, a rec has 4 members"),
        ("rec", 3, "is int 3"),
        ("rec", b"abc", "is 3 bytes, a rec has 24"),
        ("rec", np.array((1, 2), [("a", "i4"), ("b", "i4")]), "no rec"),
        ("rec", {"tag": 1, "w": 1, "id": 1.5, "d": 1}, "in member id (int)"),
        ("Node", {"next": 0, "v": 1}, "cannot be passed by value"),
        ("Bits", {"a": 1}, "bit-field"),
        ("U", {"i": 1, "f": (1, 2)}, "names 2 members"),
        ("U", (1,), "is tuple"),
        ("Outer", {"r": (1, 2, 3), "n": 1, "q": (1, 2, 3)}, "in member r has 3 values"),
    ],
)
def test_values_that_no_structure_takes(type_name: str, value: Any, words: str) -> None:
    assert words in str(_refused(type_name, value))


def test_unions_and_nested_structures_by_value() -> None:
    assert _bind("U", {"f": (1, 2)}).scalars[0].data == np.array([1, 2], np.float32).tobytes()
    assert _bind("U", {"i": 7}).scalars[0].data == np.array([7, 0], np.int32).tobytes()
    outer = _bind("Outer", {"r": (1, 2, 3, 4), "n": 5, "q": (6, 7, 8)}).scalars[0]
    assert len(outer.data) == 48
    assert np.frombuffer(outer.data[32:], np.float32).tolist() == [6, 7, 8, 0]
    assert outer.text.startswith("{.r = {.tag = 1u")


def test_c_03_case_20_packed_triples_are_widened_and_narrowed() -> None:
    array = np.arange(12, dtype=np.float32).reshape(4, 3)
    bound = _bind("float3*", array)
    assert bound.values[0].shape == (4, 4)
    assert "widened from 12 to 16 bytes an element" in bound.notes[0]
    bound.values[0][:] += 1
    restore = bound.staged[0].restore
    assert restore is not None
    restore()
    assert array.tolist() == (np.arange(12).reshape(4, 3) + 1).tolist()
    assert bound.arrays[0].nbytes == 64
    four = np.zeros((4, 4), np.float32)
    assert _bind("float3*", four).values[0] is four
    records = np.zeros(4, [("x", "u1"), ("y", "u1"), ("z", "u1")])
    assert _bind("uchar3*", records).values[0].shape == (4, 4)


def test_a_copy_shares_no_memory_that_another_argument_writes() -> None:
    two = tuple(Parameter(i, name, "float3*", "global") for i, name in enumerate("vw"))
    array = np.zeros((4, 3), np.float32)
    with pytest.raises(ArgumentError) as caught:
        ArgumentBinder(KernelSignature("f", two)).bind((array, array))
    assert caught.value.parameters == ("v", "w")
    assert "passed as a copy" in caught.value.message
    assert "partly" not in caught.value.message
    reading = tuple(Parameter(i, name, "float3*", "global", qualifiers=("const",)) for i, name in enumerate("vw"))
    assert len(ArgumentBinder(KernelSignature("f", reading)).bind((array, array)).staged) == 2


def test_read_only_memory_is_refused_also_where_it_would_be_copied() -> None:
    array = np.zeros((4, 3), np.float32)
    array.flags.writeable = False
    assert "read-only" in str(_refused("float3*", array))


def test_k_23_local_memory_by_element() -> None:
    for given, nbytes in ((local(256, "float"), 1024), (local(10, "float3"), 160), (local(4, np.dtype(FIELDS)), 68)):
        assert given.nbytes == nbytes
    assert _bind("float4*", local(4, "float4"), address="local").locals[0].nbytes == 64
    assert _bind("float4*", local(4, np.float32), address="local").locals[0].nbytes == 16
    assert "room for 4 float" in str(_refused("double*", local(4, "float"), address="local"))
    assert _refused("float*", 64, address="local").remedy == 'clm.local(64, "float")'
    for wrong in ("flaot4", object):
        with pytest.raises(ArgumentError, match="local memory of"):
            local(4, wrong)


def test_c_60_case_28_local_memory_is_summed_with_what_the_kernel_declares() -> None:
    device = DeviceInfo("0:0", "cpu", "Portable Computing Language", "", ("cpu",), local_mem_bytes=1024)
    kernel = KernelSignature("f", (Parameter(0, "t", "float*", "local"),), static_local_bytes=600)
    bound = ArgumentBinder(kernel).bind((local(500),))
    with pytest.raises(ArgumentError) as caught:
        check_local_memory(bound, device, WorkGroupInfo(64, 8))
    assert (caught.value.nbytes, caught.value.limit) == (1100, 1024)
    assert "counted by cl_magic from the source" in caught.value.message
    check_local_memory(ArgumentBinder(kernel).bind((local(400),)), device, WorkGroupInfo(64, 8))
    alone = BoundArguments(KernelSignature("g", static_local_bytes=2000))
    with pytest.raises(ArgumentError):
        check_local_memory(alone, device, WorkGroupInfo(64, 8))


@pytest.mark.parametrize(
    ("type_name", "facts", "words"),
    [
        ("int**", {"address": "global"}, "6.9.a"),
        ("ulong", {"written_type": "size_t"}, "ulong in the kernel"),
        ("long", {"written_type": "const ptrdiff_t"}, "long in the kernel"),
        ("event_t", {}, "6.9"),
        ("bool", {"written_type": "bool"}, "uchar or int in the kernel"),
    ],
)
def test_c_47_c_64_types_that_no_argument_may_have(type_name: str, facts: Any, words: str) -> None:
    assert words in str(_refused(type_name, np.int32(1), **facts))


def test_r_78_a_null_pointer_is_allowed_for_memory_only() -> None:
    assert _bind("rec*", None).nulls[0].name == "v"
    _refused("rec", None)
    _refused("int", None)


def test_k_47_explain_says_what_each_argument_becomes() -> None:
    parameters = (
        Parameter(0, "r", "rec*", "global", qualifiers=("const",)), Parameter(1, "v", "float3*", "global"),
        Parameter(2, "a", "float"), Parameter(3, "t", "float4*", "local"), Parameter(4, "n", "int"),
        Parameter(5, "z", "int*", "global"),
    )  # fmt: skip
    binder = ArgumentBinder(KernelSignature("f", parameters), LAYOUTS)
    told = explain(
        binder, (np.zeros(3, FIELDS), np.zeros((4, 3), np.float32), 2.0), {"t": local(4, "float4"), "n": 2.5, "z": None}
    )
    assert [row.direction for row in told.rows] == ["in", "inout", "", "", "", ""]
    assert [bool(row.fault) for row in told.rows] == [False, False, False, False, True, False]
    assert not told.ok
    assert [row.becomes for row in told.rows][2:4] == ["2.0f, 4 B", "64 B of local memory for each work-group"]
    assert "widened" in told.rows[1].becomes
