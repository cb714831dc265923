"""Every type of OpenCL C as a table: its size, its name on the host, what Python value fits, whether it can be passed.

OpenCL C 1.2, 6.1.1 to 6.1.3 and 6.9.k; opaque types of later versions stand at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cl_magic.clc.types import VECTOR_WIDTHS, type_of
from cl_magic.show import Shown


@dataclass(frozen=True, slots=True)
class TypeRow:
    """One type.

    Attributes
    ----------
    name, api_type : str
        In OpenCL C and in the API of the host (``cl_float4``); "" where the host has none.
    size_bytes, alignment : int
        0 for a type without a size of its own. Sizes of ``size_t`` and its kin are those of a 64-bit device.
    dtype : str
        NumPy's name; of a vector, that of an array's row: ``float32 (4,)``.
    python : str
        What fits as an argument by value.
    argument : str
        "by value", "by pointer", or why not at all.
    """

    name: str
    api_type: str = ""
    size_bytes: int = 0
    alignment: int = 0
    dtype: str = ""
    python: str = ""
    argument: str = ""


@dataclass(frozen=True, slots=True)
class TypeTable(Shown):
    """All types; ``clm.types`` is the one value of this class.

    Examples
    --------
    >>> TYPES["float3"].size_bytes, TYPES["half"].dtype, len(TYPES) > 80
    (16, 'float16', True)
    """

    rows: tuple[TypeRow, ...]

    def __getitem__(self, name: str) -> TypeRow:
        """The type of that name; KeyError where there is none."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)

    def __iter__(self) -> Iterator[TypeRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def scalars(self) -> tuple[TypeRow, ...]:
        """Numbers that are no vectors."""
        return tuple(row for row in self.rows if row.size_bytes and not row.name[-1].isdigit())

    @property
    def vectors(self) -> tuple[TypeRow, ...]:
        """Vectors: ten element types, five widths."""
        return tuple(row for row in self.rows if row.size_bytes and row.name[-1].isdigit())

    @property
    def opaque(self) -> tuple[TypeRow, ...]:
        """Types without a size of their own: images, samplers, events and their like."""
        return tuple(row for row in self.rows if not row.size_bytes)


_INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
_FLOATS = ("half", "float", "double")
_NEEDS = {"half": "by value with fp16", "double": "by value with fp64"}
_UNSIZED = {"size_t": "ulong", "ptrdiff_t": "long", "intptr_t": "long", "uintptr_t": "ulong"}
_NO_VALUE = "no value"
_IMAGES = (
    ("image1d_t", "array (width[, …])"),
    ("image1d_buffer_t", "array (width[, …])"),
    ("image1d_array_t", "array (n, width[, …])"),
    ("image2d_t", "array (rows, cols[, …])"),
    ("image2d_array_t", "array (n, rows, cols[, …])"),
    ("image2d_depth_t", "array (rows, cols)"),
    ("image3d_t", "array (n, rows, cols[, …])"),
)
_OTHERS = (
    TypeRow("sampler_t", "cl_sampler", python="clm.sampler(…)", argument="by value"),
    TypeRow("event_t", python=_NO_VALUE, argument="no, kernels only"),
    TypeRow("queue_t", "cl_command_queue", python=_NO_VALUE, argument="not from here (2.0)"),
    TypeRow("pipe", "cl_mem", python=_NO_VALUE, argument="not from here (2.0)"),
    TypeRow("clk_event_t", python=_NO_VALUE, argument="no (2.0)"),
    TypeRow("reserve_id_t", python=_NO_VALUE, argument="no (2.0)"),
    TypeRow("ndrange_t", python=_NO_VALUE, argument="no (2.0)"),
    TypeRow("struct, union", python="record, dict or tuple", argument="by value"),
    TypeRow("void", python="", argument="by pointer"),
)


def _scalar_row(name: str) -> TypeRow:
    ctype = type_of(name)
    assert ctype is not None, name  # noqa: S101 - the names of this module
    low_high = "" if ctype.family == "float" else f"{_power(ctype.range[0])} to {_power(ctype.range[1])}"
    python = f"number, np.{ctype.dtype}" if ctype.family == "float" else low_high
    size = ctype.size_bytes
    return TypeRow(name, f"cl_{name}", size, size, str(ctype.dtype), python, _NEEDS.get(name, "by value"))


def _vector_row(scalar: str, width: int) -> TypeRow:
    ctype = type_of(f"{scalar}{width}")
    assert ctype is not None, scalar  # noqa: S101 - as above
    size = ctype.size_bytes
    room = f"({ctype.slots},)" if ctype.slots == width else f"({width},) or ({ctype.slots},)"
    also = ", complex64" if ctype.name == "float2" else ", complex128" if ctype.name == "double2" else ""
    argument = _NEEDS.get(scalar, "by value")
    return TypeRow(
        ctype.name, f"cl_{ctype.name}", size, size, f"{ctype.dtype} {room}", f"tuple of {width}{also}", argument
    )


def _power(number: int) -> str:
    """A limit of an integer type, short: −2³¹ as ``-2**31``."""
    if abs(number) < 100_000:  # noqa: PLR2004 - still easy to read
        return str(number)
    return f"-2**{(-number).bit_length() - 1}" if number < 0 else f"2**{number.bit_length()} - 1"


def _rows() -> Iterator[TypeRow]:
    yield TypeRow("bool", "", 1, 1, "bool", "", "as uchar; by pointer")
    yield from map(_scalar_row, (*_INTEGERS, *_FLOATS))
    for name, instead in _UNSIZED.items():
        dtype = "uint64" if instead == "ulong" else "int64"
        yield TypeRow(name, "", 8, 8, dtype, "", f"as {instead}; by pointer")
    for scalar in (*_INTEGERS, *_FLOATS):
        yield from (_vector_row(scalar, width) for width in VECTOR_WIDTHS)
    yield from (TypeRow(name, "cl_mem", python=python, argument="by value") for name, python in _IMAGES)
    yield from _OTHERS


TYPES = TypeTable(tuple(_rows()))
"""The table that ``clm.types`` and ``%opencl types`` show."""
