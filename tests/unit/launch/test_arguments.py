"""Python values as kernel arguments: what is bound, what is refused, and with which remedy."""

from __future__ import annotations

import math
import struct
import timeit
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cl_magic.build.result import WorkGroupInfo
from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import ArgumentBinder, bind, binder_for
from cl_magic.launch.device_arrays import LocalMemory, local
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.memory_limits import check_memory

DEVICE = DeviceInfo(
    "0:0", "cpu", "PoCL", "", ("cpu",), local_mem_bytes=4096, constant_buffer_bytes=1024, max_constant_args=1,
    max_alloc_bytes=1 << 20,
)  # fmt: skip
SAXPY = KernelSignature(
    "saxpy",
    (
        Parameter(0, "x", "float*", "global", qualifiers=("const", "restrict")),
        Parameter(1, "y", "float*", "global", qualifiers=("restrict",), reads=True, writes=True),
        Parameter(2, "a", "float"),
        Parameter(3, "n", "int"),
    ),
)


def floats(*shape: int) -> np.ndarray[Any, Any]:
    return np.zeros(shape, np.float32)


def scalar(type_name: str, value: Any) -> Any:
    return binder_for(Parameter(0, "v", type_name), "f")(value, 0)


def pointer(type_name: str, value: Any, *, address: Any = "global", **facts: Any) -> Any:
    return binder_for(Parameter(0, "v", type_name, address, **facts), "f")(value, 0)


def test_by_position_and_by_name() -> None:
    """R-78, K-01."""
    x, y = floats(8), floats(8)
    by_name = bind(SAXPY, (x,), {"n": 8, "y": y, "a": 2.0})
    assert by_name == bind(SAXPY, (x, y, 2.0, 8))
    assert [s.text for s in by_name.scalars] == ["2.0f", "8"]
    assert [(a.slot, a.direction) for a in by_name.arrays] == [(0, "in"), (1, "inout")]
    assert by_name.facts[0] == (0, "global const float *restrict x", "float32 (8,)", "in")
    assert bind(SAXPY, (x, y, 2.0, 8), labels={"x": "photo"}).arrays[0].label == "photo"


@pytest.mark.parametrize(
    ("args", "kwargs", "parameter"),
    [
        ((), {}, "x"),
        ((1, 2, 3), {}, "n"),
        ((1, 2, 3, 4), {"n": 4}, "n"),
        ((1, 2, 3), {"m": 4}, "m"),
        ((1, 2, 3), {"x_": 4}, "x_"),
    ],
)
def test_missing_doubled_and_unknown(args: Any, kwargs: Any, parameter: str) -> None:
    """R-78."""
    with pytest.raises(ArgumentError) as caught:
        bind(SAXPY, args, kwargs)
    assert (caught.value.kernel, caught.value.parameter) == ("saxpy", parameter)


def test_too_many_and_misspelt() -> None:
    with pytest.raises(ArgumentError, match="takes 4 arguments, 5 were given"):
        bind(SAXPY, (1, 2, 3, 4, 5))
    signature = KernelSignature("blur", (Parameter(0, "width", "int"),))
    with pytest.raises(ArgumentError) as caught:
        bind(signature, (), {"widht": 4})
    assert caught.value.guess == "width"


def test_names_that_python_or_the_launch_own() -> None:
    names = ("in", "timeout", "device_")
    signature = KernelSignature("f", tuple(Parameter(i, name, "int") for i, name in enumerate(names)))
    bound = ArgumentBinder(signature).bind((), {"in_": 1, "timeout_": 2, "device_": 3})
    assert [s.text for s in bound.scalars] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("type_name", "value", "data"),
    [
        ("int", 4, struct.pack("<i", 4)),
        ("int", np.int64(-4), struct.pack("<i", -4)),
        ("int", np.uint8(4), struct.pack("<i", 4)),
        ("int", np.array(4), struct.pack("<i", 4)),
        ("int", True, struct.pack("<i", 1)),
        ("unsigned int", 2**32 - 1, b"\xff" * 4),
        ("ulong", 2**64 - 1, b"\xff" * 8),
        ("char", -128, b"\x80"),
        ("float", 2, struct.pack("<f", 2)),
        ("float", np.float64(0.1), struct.pack("<f", 0.1)),
        ("float", np.int32(2), struct.pack("<f", 2)),
        ("float", -0.0, struct.pack("<f", -0.0)),
        ("float", math.inf, struct.pack("<f", math.inf)),
        ("double", 1e300, struct.pack("<d", 1e300)),
        ("half", 65504, struct.pack("<e", 65504)),
        ("float2", (1, 2), struct.pack("<2f", 1, 2)),
        ("float3", np.array([1, 2, 3]), struct.pack("<4f", 1, 2, 3, 0)),
        ("uchar4", [1, 2, 3, 255], b"\x01\x02\x03\xff"),
    ],
)
def test_scalars_are_cast_by_the_kernels_type(type_name: str, value: Any, data: bytes) -> None:
    """Case 17, R-78."""
    assert scalar(type_name, value).data == data


@pytest.mark.parametrize(
    ("type_name", "value"),
    [
        ("int", 3.7),
        ("int", 4.0),
        ("int", np.float32(4)),
        ("int", math.nan),
        ("int", math.inf),
        ("int", 2**31),
        ("uint", -1),
        ("uchar", 256),
        ("int", "4"),
        ("int", None),
        ("int", [4]),
        ("int", floats(1)),
        ("float", True),
        ("float", np.True_),
        ("float", 1e39),
        ("float", 10**400),
        ("half", 65536),
        ("float", 1j),
        ("float", "2"),
        ("float4", 1.0),
        ("float4", (1, 2, 3)),
        ("int2", (1, 2.5)),
        ("rec", 4),
        ("image2d_t", floats(2)),
    ],
)
def test_scalars_that_do_not_fit(type_name: str, value: Any) -> None:
    """Case 17: an error with the argument, the type and the value."""
    with pytest.raises(ArgumentError) as caught:
        scalar(type_name, value)
    assert (caught.value.kernel, caught.value.parameter) == ("f", "v")
    assert caught.value.value is value or caught.value.value == value
    assert caught.value.remedy
    assert type_name in caught.value.message


def test_a_type_that_is_not_known_takes_numpy_scalars() -> None:
    """A typedef, where the front end did not run: the value's own type counts, and the driver checks its size."""
    assert scalar("u32", np.uint32(7)).data == struct.pack("<I", 7)
    with pytest.raises(ArgumentError):
        scalar("rec", np.zeros(1, [("x", "f4")])[0])


def test_seen_scalars_keep_their_type_and_sign() -> None:
    bind_float = binder_for(Parameter(0, "v", "float"), "f")
    assert bind_float(1.0, 0) is bind_float(1.0, 0)
    with pytest.raises(ArgumentError):
        bind_float(True, 0)  # noqa: FBT003 - equal to 1.0, and yet no number
    assert bind_float(0.0, 0).data != bind_float(-0.0, 0).data


@pytest.mark.parametrize(
    ("type_name", "array", "remedy"),
    [
        ("float*", np.zeros(4), "v = v.astype(np.float32)"),
        ("float*", np.zeros(4, np.int64), "v = v.astype(np.float32)"),
        ("int*", np.arange(4, dtype=np.int64), "v = v.astype(np.int32)"),
        ("int*", np.zeros(4, np.uint32), "v.view(np.int32), which keeps the bits"),
        ("uchar*", np.zeros(4, np.int8), "v.view(np.uint8), which keeps the bits"),
        ("uchar*", np.zeros(4, np.bool_), "v.view(np.uint8)"),
        ("float*", np.zeros(4, ">f4"), 'v = v.astype(v.dtype.newbyteorder("="))'),
        ("float*", np.zeros(4, object), "v.astype(…) with a number type"),
        ("float*", np.zeros(4, [("x", "f4")]), "v = v.astype(np.float32)"),
        ("float4*", floats(4, 3), "an array of shape (…, 4)"),
        ("float3*", floats(4, 5), "an array of shape (…, 3), which is widened, or (…, 4); or vload3 from a float*"),
        ("float*", [1, 2], "v = np.asarray(v, dtype=np.float32), then pass that"),
        ("float*", 3, "np.array([…], dtype=np.float32)"),
        ("uchar*", b"abc", "np.frombuffer(v, dtype=np.uint8)"),
        ("float*", local(16), "pass an array"),
        ("float*", np.ma.masked_array(floats(4)), "v.filled(…), or .data without the mask"),
        ("float*", floats(0), "skip the call where there is no data, or pass v=None"),
        ("rec*", floats(4), "np.ascontiguousarray(v).view(np.uint8) passes its bytes as they are"),
    ],
)
def test_arrays_that_a_pointer_does_not_take(type_name: str, array: Any, remedy: str) -> None:
    """Case 19, R-78: never reinterpreted in silence."""
    with pytest.raises(ArgumentError) as caught:
        pointer(type_name, array, writes=True)
    assert caught.value.remedy == remedy
    assert caught.value.parameter == "v"


@pytest.mark.parametrize(
    ("type_name", "array"),
    [
        ("float*", floats(4)),
        ("long*", np.zeros(4, np.longlong)),
        ("half*", np.zeros(4, np.float16)),
        ("float4*", floats(4, 4)),
        ("float4*", floats(16)),
        ("float3*", floats(2, 4)),
        ("float2*", np.zeros(4, np.complex64)),
        ("float4*", np.zeros(4, [("x", "f4"), ("y", "f4"), ("z", "f4"), ("w", "f4")])),
        ("bool*", np.zeros(4, np.bool_)),
        ("void*", np.zeros(4)),
        ("rec*", np.zeros(4, np.uint8)),
    ],
)
def test_arrays_that_fit(type_name: str, array: Any) -> None:
    """C-65 comes here as a pointer too."""
    bound = pointer(type_name, array, writes=True, reads=True)
    assert (bound.shape, bound.nbytes, bound.direction) == (array.shape, array.nbytes, "inout")


def test_a_bool_array_can_be_read_as_uchar() -> None:
    assert pointer("uchar*", np.zeros(4, np.bool_), writes=False).direction == "in"


@pytest.mark.parametrize(
    ("facts", "direction", "reason"),
    [
        ({"qualifiers": ("const",)}, "in", "const in the source"),
        ({"reads": True, "writes": False}, "in", "the kernel only reads it"),
        ({"reads": False, "writes": False}, "in", "the kernel does not use it"),
        ({"reads": False, "writes": True}, "out", "the kernel only writes it"),
        ({"reads": True, "writes": True}, "inout", "the kernel writes it"),
        ({}, "inout", "not known to be read-only"),
        ({"address": "constant"}, "in", "in constant memory"),
    ],
)
def test_directions(facts: dict[str, Any], direction: str, reason: str) -> None:
    bound = pointer("float*", floats(4), **facts)
    assert (bound.direction, bound.reason) == (direction, reason)


def test_strided_and_unaligned_arrays() -> None:
    assert not pointer("float*", floats(8)[::2], writes=True).contiguous
    assert not pointer("float*", floats(4, 4).T, writes=True).contiguous
    raw = np.zeros(17, np.uint8)[1:].view(np.float32)
    assert not pointer("float*", raw, writes=True).contiguous


def test_written_arrays_must_take_results() -> None:
    frozen = floats(4)
    frozen.flags.writeable = False
    assert pointer("float*", frozen, qualifiers=("const",)).direction == "in"
    with pytest.raises(ArgumentError, match="read-only"):
        pointer("float*", frozen, writes=True)
    windows = np.lib.stride_tricks.as_strided(floats(5), (4, 2), (4, 4))
    assert pointer("float*", windows, writes=False).nbytes == 32
    with pytest.raises(ArgumentError, match="share memory"):
        pointer("float*", windows, writes=True)


def test_none_is_a_null_pointer() -> None:
    """R-78."""
    bound = bind(SAXPY, (None, floats(4), 1, 4))
    assert [null.name for null in bound.nulls] == ["x"]
    assert bound.arrays[0].slot == 0


def test_local_memory() -> None:
    """R-78."""
    signature = KernelSignature("f", (Parameter(0, "tile", "float*", "local"),))
    assert bind(signature, (local(1024),)).locals[0].nbytes == 1024
    for wrong in (1024, floats(4), None):
        with pytest.raises(ArgumentError) as caught:
            bind(signature, (wrong,))
        assert "clm.local(" in caught.value.remedy
    with pytest.raises(ArgumentError, match="at least 1"):
        LocalMemory(0)
    with pytest.raises(ArgumentError):
        LocalMemory(1.5)  # type: ignore[arg-type]


def test_memory_limits() -> None:
    parameters = (Parameter(0, "tile", "float*", "local"), Parameter(1, "lut", "float*", "constant"))
    signature = KernelSignature("f", (*parameters, Parameter(2, "lut2", "float*", "constant")))
    group = WorkGroupInfo(64, 8, local_mem_bytes=1024)
    check_memory(bind(signature, (local(3072), floats(8), None)), DEVICE, group)
    with pytest.raises(ArgumentError) as caught:
        check_memory(bind(signature, (local(3073), floats(8), None)), DEVICE, group)
    assert (caught.value.nbytes, caught.value.limit, caught.value.parameter) == (4097, 4096, "tile")
    with pytest.raises(ArgumentError) as caught:
        check_memory(bind(signature, (local(4), floats(257), None)), DEVICE, group)
    assert (caught.value.nbytes, caught.value.limit) == (1028, 1024)
    with pytest.raises(ArgumentError, match="2 constant arguments"):
        check_memory(bind(signature, (local(4), floats(8), floats(8))), DEVICE, group)
    with pytest.raises(ArgumentError, match="in one piece"):
        check_memory(bind(SAXPY, (floats(1 << 18), floats(1 << 19), 1, 1)), DEVICE, group)


def test_identical_memory_is_one_slot() -> None:
    """R-83: the broken promise of restrict is remarked."""
    x = floats(8)
    bound = bind(SAXPY, (x, x, 1, 8))
    assert [a.slot for a in bound.arrays] == [0, 0]
    assert len(bound.values) == 1
    assert "restrict" in bound.notes[0]
    frozen = x.view()
    frozen.flags.writeable = False
    bound = bind(SAXPY, (frozen, x.reshape(2, 4), 1, 8))
    assert bound.values[0].flags.writeable


def test_partial_overlap() -> None:
    x = floats(12)
    with pytest.raises(ArgumentError) as caught:
        bind(SAXPY, (x[:8], x[4:], 1, 8))
    assert caught.value.parameters == ("x", "y")
    assert len(bind(SAXPY, (x[::2], x[1::2], 1, 6)).values) == 2
    reads = KernelSignature(
        "f", tuple(Parameter(i, n, "float*", "global", qualifiers=("const",)) for i, n in enumerate("ab"))
    )
    assert [a.slot for a in bind(reads, (x[:8], x[4:])).arrays] == [0, 1]
    three = KernelSignature("g", tuple(Parameter(i, n, "float*", "global") for i, n in enumerate("abc")))
    assert [a.slot for a in bind(three, (x, floats(3), x)).arrays] == [0, 1, 0]


def device_array(shape: tuple[int, ...], dtype: Any, pointer: int = 1, offset: int = 0) -> SimpleNamespace:
    return SimpleNamespace(
        base_data=SimpleNamespace(int_ptr=pointer), offset=offset, dtype=np.dtype(dtype), shape=shape
    )


def test_arrays_of_other_libraries_pass_through() -> None:
    """S-49."""
    x, y = device_array((8,), "f4"), device_array((8,), "f4", 2, 64)
    bound = bind(SAXPY, (x, y, 1, 8))
    assert bound.values == (x, y)
    assert (bound.arrays[1].offset_bytes, bound.arrays[1].nbytes) == (64, 32)
    with pytest.raises(ArgumentError):
        bind(SAXPY, (device_array((8,), "f8"), y, 1, 8))
    assert [a.slot for a in bind(SAXPY, (x, device_array((8,), "f4"), 1, 8)).arrays] == [0, 0]
    with pytest.raises(ArgumentError, match="overlap"):
        bind(SAXPY, (x, device_array((8,), "f4", 1, 16), 1, 8))
    buffer = SimpleNamespace(int_ptr=3, size=64)
    assert bind(SAXPY, (buffer, y, 1, 8)).arrays[0].shape == (16,)


@pytest.mark.slow
def test_binding_what_was_seen_is_quick() -> None:
    """At most 1.5 µs an argument (design, 8); doubled here, for machines under load."""
    x, y = floats(1000), floats(1000)
    for parameter, value in zip(SAXPY.parameters, (x, y, 2.0, 1000), strict=True):
        seen = binder_for(parameter, "saxpy")
        best = min(timeit.repeat(lambda seen=seen, value=value: seen(value, 0), number=5000, repeat=5)) / 5000
        assert best < 3e-6
