"""OpenCL C's types as values."""

from __future__ import annotations

import pytest

from cl_magic.clc.types import VECTOR_WIDTHS, type_of


@pytest.mark.parametrize(
    ("name", "size", "dtype"),
    [
        ("char", 1, "int8"),
        ("short", 2, "int16"),
        ("int", 4, "int32"),
        ("long", 8, "int64"),
        ("unsigned long", 8, "uint64"),
        ("half", 2, "float16"),
        ("float", 4, "float32"),
        ("double", 8, "float64"),
        ("size_t", 8, "uint64"),
        ("uchar3", 4, "uint8"),
        ("float3", 16, "float32"),
        ("double16", 128, "float64"),
    ],
)
def test_sizes(name: str, size: int, dtype: str) -> None:
    """C-01, C-02, C-03."""
    found = type_of(name)
    assert found is not None
    assert (found.size_bytes, str(found.dtype)) == (size, dtype)


@pytest.mark.parametrize("name", ["", "float5", "bool2", "size_t4", "image2d_t", "rec", "struct rec", "float 4", "4"])
def test_no_scalars_and_no_vectors(name: str) -> None:
    assert type_of(name) is None


def test_ranges() -> None:
    for name, expected in {
        "char": (-128, 127),
        "uchar": (0, 255),
        "bool": (0, 1),
        "int": (-(2**31), 2**31 - 1),
    }.items():
        found = type_of(name)
        assert found is not None
        assert found.range == expected
    real = type_of("float")
    assert real is not None
    with pytest.raises(ValueError, match="no integer type"):
        _ = real.range


def test_widths() -> None:
    for width in VECTOR_WIDTHS:
        found = type_of(f"int{width}")
        assert found is not None
        assert (found.width, found.slots, found.scalar) == (width, 4 if width == 3 else width, "int")
