"""Image objects of other libraries (``pyopencl.Image``), recognised by their shape, never imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from cl_magic.clc.signature import AccessQualifier
from cl_magic.launch.image_formats import KIND_NUMBERS, ORDER_NUMBERS, TYPE_NUMBERS

_WRITE_ONLY, _READ_ONLY = 2, 4  # cl_mem_flags


@runtime_checkable
class DeviceImageLike(Protocol):
    """An image object, such as ``pyopencl.Image``: what clGetImageInfo tells of it."""

    int_ptr: int
    size: int
    format: Any
    element_size: int
    width: int


@dataclass(frozen=True, slots=True)
class DeviceImageFacts:
    """What an image object is; "unknown" for kinds and formats of later versions."""

    kind: str
    access: AccessQualifier
    channel_order: str
    channel_type: str
    pixels: tuple[int, ...]
    pixel_bytes: int
    nbytes: int


def facts_of(value: Any) -> DeviceImageFacts:  # noqa: ANN401 - a DeviceImageLike
    """Kind, access, format and size of an image object.

    Examples
    --------
    >>> from types import SimpleNamespace as Made
    >>> format_ = Made(channel_order=0x10B5, channel_data_type=0x10D2)
    >>> facts_of(Made(type=0x10F1, flags=4, format=format_, width=6, height=4, element_size=4, size=96)).pixels
    (6, 4)
    """
    kind = _named(KIND_NUMBERS, value.type)
    flags = int(value.flags)
    access: AccessQualifier = (
        "read_only" if flags & _READ_ONLY else "write_only" if flags & _WRITE_ONLY else "read_write"
    )
    sides = ["width"]
    sides += ["height"] if kind.startswith(("image2d", "image3d")) else []
    sides += ["depth"] if kind == "image3d" else ["array_size"] if kind.endswith("_array") else []
    return DeviceImageFacts(
        kind,
        access,
        _named(ORDER_NUMBERS, value.format.channel_order),
        _named(TYPE_NUMBERS, value.format.channel_data_type),
        tuple(int(getattr(value, side)) for side in sides),
        int(value.element_size),
        int(value.size),
    )


def _named(numbers: dict[str, int], number: int) -> str:
    return next((name for name, known in numbers.items() if known == int(number)), "unknown")
