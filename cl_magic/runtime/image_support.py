"""Asks a device for its image formats, by kind and access, and its limits (OpenCL 1.2, 4.2 and 5.3.2)."""

from __future__ import annotations

from typing import Any

from cl_magic.launch.image_formats import CHANNEL_TYPES, CHANNELS, IMAGE_KINDS, ORDER_NUMBERS, TYPE_NUMBERS
from cl_magic.launch.image_support import FormatList, ImageSupport, wrong_formats
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.opencl import opencl

_LIMITS = {
    "width_2d": "image2d_max_width", "height_2d": "image2d_max_height", "width_3d": "image3d_max_width",
    "height_3d": "image3d_max_height", "depth_3d": "image3d_max_depth", "buffer_pixels": "image_max_buffer_size",
    "array_size": "image_max_array_size", "max_read_images": "max_read_image_args",
    "max_write_images": "max_write_image_args", "max_samplers": "max_samplers",
}  # fmt: skip
_FLAGS = {"read_only": "READ_ONLY", "write_only": "WRITE_ONLY", "read_write": "READ_WRITE"}


def image_support(where: DeviceContext) -> ImageSupport:
    """Formats and limits of a device; empty where it has no images."""
    if not where.info.images:
        return ImageSupport()
    wrong = wrong_formats(where.info)
    lists: dict[tuple[str, ...], list[str]] = {}
    for kind in dict.fromkeys(kind.name for kind in IMAGE_KINDS.values()):
        for access, flag in _FLAGS.items():
            formats = tuple(one for one in _formats(where.context, flag, kind) if one not in wrong)
            if access == "read_write":  # one kernel reads and writes it: a list of its own since OpenCL 2.0
                both = _formats(where.context, "KERNEL_READ_AND_WRITE", kind)
                formats = tuple(one for one in formats if one in both)
            lists.setdefault(formats, []).append(f"{kind} {access}")
    limits = {name: _limit(where.handle, asked) for name, asked in _LIMITS.items()}
    return ImageSupport(
        tuple(FormatList(tuple(uses), formats) for formats, uses in lists.items()), **limits, wrong=wrong
    )


def _limit(device: Any, name: str) -> int:  # noqa: ANN401 - PyOpenCL's device
    try:
        return int(getattr(device, name))
    except opencl().Error:
        return 0


def _formats(context: Any, flag: str, kind: str) -> tuple[str, ...]:  # noqa: ANN401 - PyOpenCL's context
    """The formats that arrays can be made into: packed ones and orders of later versions are left out."""
    cl = opencl()
    try:
        flags, type_ = getattr(cl.mem_flags, flag), getattr(cl.mem_object_type, kind.upper())
        found = cl.get_supported_image_formats(context, flags, type_)
    except cl.Error:
        return ()
    orders = {number: name for name, number in ORDER_NUMBERS.items() if name in CHANNELS}
    types = {TYPE_NUMBERS[name]: name for name in CHANNEL_TYPES}
    pairs = ((orders.get(one.channel_order), types.get(one.channel_data_type)) for one in found)
    return tuple(sorted({f"{order} {type_}" for order, type_ in pairs if order and type_}))
