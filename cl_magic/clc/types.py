"""OpenCL C's built-in scalar and vector types as values: size, range and NumPy dtype.

OpenCL C 1.2, 6.1.1 (scalars), 6.1.2 (vectors), 6.1.5 (a vector of three takes the room of four).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

Family = Literal["signed", "unsigned", "float", "bool"]

VECTOR_WIDTHS = (2, 3, 4, 8, 16)

_SCALARS: dict[str, tuple[str, Family]] = {
    "bool": ("?", "bool"),
    "char": ("i1", "signed"),
    "uchar": ("u1", "unsigned"),
    "short": ("i2", "signed"),
    "ushort": ("u2", "unsigned"),
    "int": ("i4", "signed"),
    "uint": ("u4", "unsigned"),
    "long": ("i8", "signed"),
    "ulong": ("u8", "unsigned"),
    "half": ("f2", "float"),
    "float": ("f4", "float"),
    "double": ("f8", "float"),
    # Of a device with 64 address bits; a kernel cannot take them by value (OpenCL C 1.2, 6.9.k).
    "size_t": ("u8", "unsigned"),
    "ptrdiff_t": ("i8", "signed"),
    "intptr_t": ("i8", "signed"),
    "uintptr_t": ("u8", "unsigned"),
}
_SPELLINGS = {
    "signed char": "char",
    "unsigned char": "uchar",
    "signed short": "short",
    "unsigned short": "ushort",
    "signed int": "int",
    "signed": "int",
    "unsigned int": "uint",
    "unsigned": "uint",
    "signed long": "long",
    "unsigned long": "ulong",
}
_NO_VECTORS = frozenset({"bool", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t"})
_NAME = re.compile(r"([a-z_]+?)(2|3|4|8|16)?")


@dataclass(frozen=True, slots=True)
class CType:
    """A scalar or vector type.

    Attributes
    ----------
    name : str
        OpenCL C's short name: ``uint``, ``float4``.
    scalar : str
        Element type of a vector; equal to `name` for a scalar.
    width : int
        Components: 1 for a scalar, else 2, 3, 4, 8 or 16.
    size_bytes : int
        ``sizeof``: a vector of three counts as four.
    dtype : numpy.dtype
        Of one component.
    family : {"signed", "unsigned", "float", "bool"}
    """

    name: str
    scalar: str
    width: int
    size_bytes: int
    dtype: np.dtype[Any]
    family: Family

    @property
    def slots(self) -> int:
        """Components that it takes the room of: 4 for a width of 3."""
        return 4 if self.width == 3 else self.width  # noqa: PLR2004 - the one odd width

    @property
    def range(self) -> tuple[int, int]:
        """Smallest and largest value of an integer type; (0, 1) for bool."""
        if self.family == "bool":
            return 0, 1
        if self.family == "float":
            msg = f"{self.name} is no integer type"
            raise ValueError(msg)
        bits = 8 * self.dtype.itemsize
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if self.family == "signed" else (0, (1 << bits) - 1)


@cache
def type_of(name: str) -> CType | None:
    """Type of that name, in any of OpenCL C's spellings; None for structs, images and all else.

    Parameters
    ----------
    name : str
        Without qualifiers and stars.

    Examples
    --------
    >>> type_of("unsigned int").range
    (0, 4294967295)
    >>> type_of("float3").size_bytes, type_of("float3").dtype
    (16, dtype('float32'))
    >>> type_of("float5") is None
    True
    """
    plain = " ".join(name.split())
    match = _NAME.fullmatch(_SPELLINGS.get(plain, plain))
    if match is None or match[1] not in _SCALARS:
        return None
    scalar, width = match[1], int(match[2] or 1)
    if width > 1 and scalar in _NO_VECTORS:
        return None
    code, family = _SCALARS[scalar]
    dtype = np.dtype(code)
    slots = 4 if width == 3 else width  # noqa: PLR2004 - the one odd width
    return CType(match[0], scalar, width, slots * dtype.itemsize, dtype, family)
