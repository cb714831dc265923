"""Kinds, channel orders and channel types of images, and the one that fits a NumPy dtype and a kernel's functions.

OpenCL 1.2, 5.3.1.1 (formats) and OpenCL C 1.2, 6.12.14 (which functions read which channel types).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Family = Literal["f", "i", "ui"]
FAMILIES: tuple[Family, ...] = ("f", "i", "ui")

_ORDERS = "R A RG RA RGB RGBA BGRA ARGB INTENSITY LUMINANCE Rx RGx RGBx DEPTH DEPTH_STENCIL sRGB sRGBx sRGBA sBGRA ABGR"
_TYPE_NAMES = (
    "SNORM_INT8 SNORM_INT16 UNORM_INT8 UNORM_INT16 UNORM_SHORT_565 UNORM_SHORT_555 UNORM_INT_101010 SIGNED_INT8 "
    "SIGNED_INT16 SIGNED_INT32 UNSIGNED_INT8 UNSIGNED_INT16 UNSIGNED_INT32 HALF_FLOAT FLOAT UNORM_INT24"
)
_KIND_NAMES = "image2d image3d image2d_array image1d image1d_array image1d_buffer"
ORDER_NUMBERS = {name: 0x10B0 + place for place, name in enumerate(_ORDERS.split())}
"""Numbers of the channel orders in cl.h; PyOpenCL names those of OpenCL 1.2 only."""
TYPE_NUMBERS = {name: 0x10D0 + place for place, name in enumerate(_TYPE_NAMES.split())}
"""Numbers of the channel types in cl.h."""
KIND_NUMBERS = {name: 0x10F1 + place for place, name in enumerate(_KIND_NAMES.split())}
"""Numbers of the kinds of image objects in cl.h."""
CHANNELS = {
    "R": 1, "A": 1, "INTENSITY": 1, "LUMINANCE": 1, "DEPTH": 1, "RG": 2, "RA": 2, "RGB": 3, "sRGB": 3,
    "RGBA": 4, "BGRA": 4, "ARGB": 4, "ABGR": 4, "sRGBA": 4, "sBGRA": 4,
}  # fmt: skip
"""Channels that each order stores."""
ORDER_OF_CHANNELS = {1: "R", 2: "RG", 3: "RGB", 4: "RGBA"}
"""The order that an array of so many channels gets by itself."""


@dataclass(frozen=True, slots=True)
class ChannelType:
    """A channel type: its NumPy dtype, and the functions that read and write it (``read_imagef``: "f")."""

    name: str
    dtype: np.dtype[Any]
    family: Family


_TYPES = (
    "SNORM_INT8 i1 f", "SNORM_INT16 i2 f", "UNORM_INT8 u1 f", "UNORM_INT16 u2 f", "SIGNED_INT8 i1 i",
    "SIGNED_INT16 i2 i", "SIGNED_INT32 i4 i", "UNSIGNED_INT8 u1 ui", "UNSIGNED_INT16 u2 ui", "UNSIGNED_INT32 u4 ui",
    "HALF_FLOAT f2 f", "FLOAT f4 f",
)  # fmt: skip


def _channel_type(line: str) -> ChannelType:
    name, code, family = line.split()
    return ChannelType(name, np.dtype(code), family)  # type: ignore[arg-type]  # one of three words


CHANNEL_TYPES = {one.name: one for one in map(_channel_type, _TYPES)}
"""All but the packed ones, by name."""
DTYPES = tuple(dict.fromkeys(one.dtype for one in CHANNEL_TYPES.values()))
"""NumPy dtypes of which an image can be made."""


@dataclass(frozen=True, slots=True)
class ImageKind:
    """A kind of image.

    Attributes
    ----------
    name : str
        ``image2d``; the same for a depth image, whose channel order makes the difference.
    axes : tuple of str
        The axes of its arrays, NumPy's order: rows before columns.
    depth : bool
        Whether it is a depth image, of one channel.
    """

    name: str
    axes: tuple[str, ...]
    depth: bool = False

    @property
    def shape_text(self) -> str:
        """``(rows, columns) or (rows, columns, channels)``."""
        plain = ", ".join(self.axes) + ("," if len(self.axes) == 1 else "")
        return f"({plain})" if self.depth else f"({plain}) or ({', '.join(self.axes)}, channels)"


_PLANE = ("rows", "columns")
IMAGE_KINDS = {
    "image1d_t": ImageKind("image1d", ("columns",)),
    "image1d_buffer_t": ImageKind("image1d_buffer", ("columns",)),
    "image1d_array_t": ImageKind("image1d_array", ("images", "columns")),
    "image2d_t": ImageKind("image2d", _PLANE),
    "image2d_array_t": ImageKind("image2d_array", ("images", *_PLANE)),
    "image3d_t": ImageKind("image3d", ("slices", *_PLANE)),
    "image2d_depth_t": ImageKind("image2d", _PLANE, depth=True),
    "image2d_array_depth_t": ImageKind("image2d_array", ("images", *_PLANE), depth=True),
}
"""Kinds by the type of the parameter."""


def known_families(families: Sequence[str]) -> tuple[Family, ...]:
    """Families of the functions that touch an image; ``read_imageh`` takes what ``read_imagef`` takes.

    Examples
    --------
    >>> known_families(("f", "h", "ui"))
    ('f', 'ui')
    """
    plain = {"f" if family == "h" else family for family in families}
    return tuple(family for family in FAMILIES if family in plain)


def channel_type_for(dtype: np.dtype[Any], families: Sequence[Family]) -> ChannelType | None:
    """The channel type of a dtype that the kernel's functions read; None where there is none.

    Parameters
    ----------
    dtype : numpy.dtype
    families : sequence of {"f", "i", "ui"}
        The functions' families; empty where they are not known: then integers are read as integers.

    Examples
    --------
    >>> channel_type_for(np.dtype("uint8"), ("f",)).name, channel_type_for(np.dtype("uint8"), ()).name
    ('UNORM_INT8', 'UNSIGNED_INT8')
    >>> channel_type_for(np.dtype("int32"), ("f",)) is None
    True
    """
    fitting = [one for one in CHANNEL_TYPES.values() if one.dtype == dtype]
    if families:
        return next((one for one in fitting if one.family == families[0]), None)
    return next(iter(sorted(fitting, key=lambda one: one.family == "f")), None)


def dtypes_read_by(family: Family) -> str:
    """The dtypes of images that the functions of a family take.

    Examples
    --------
    >>> dtypes_read_by("ui")
    'uint8, uint16, uint32'
    """
    found = dict.fromkeys(str(one.dtype) for one in CHANNEL_TYPES.values() if one.family == family)
    return ", ".join(found)


def spelled(name: str, known: Sequence[str]) -> str | None:
    """The one of `known` that a name means: case and a leading ``CL_`` do not count; None where there is none.

    Examples
    --------
    >>> spelled("cl_unorm_int8", tuple(CHANNEL_TYPES)), spelled("XYZ", tuple(CHANNELS))
    ('UNORM_INT8', None)
    """
    plain = str(name).upper().removeprefix("CL_")
    return next((one for one in known if one.upper() == plain), None)
