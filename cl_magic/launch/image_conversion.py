"""The line of NumPy that turns an array into one of another image format, for remedies."""

from __future__ import annotations

import numpy as np

from cl_magic.launch.image_formats import CHANNEL_TYPES, CHANNELS, ORDER_OF_CHANNELS, ChannelType
from cl_magic.launch.request import ImageArgument

_BYTE_HOLDER = 2  # bytes of a half, which holds 8 bits


def holds(wide: ChannelType, narrow: ChannelType) -> bool:
    """Whether the values of one channel type fit into another without loss that matters.

    Examples
    --------
    >>> holds(CHANNEL_TYPES["FLOAT"], CHANNEL_TYPES["UNORM_INT16"])
    True
    >>> holds(CHANNEL_TYPES["UNORM_INT8"], CHANNEL_TYPES["UNORM_INT16"])
    False
    """
    if wide.family != narrow.family:
        return False
    more = wide.dtype.itemsize - narrow.dtype.itemsize
    if wide.dtype.kind == narrow.dtype.kind:
        return more >= 0
    return wide.dtype.kind == "f" and (more > 0 or wide.dtype.itemsize > _BYTE_HOLDER)


def conversion(image: ImageArgument, format_: str) -> str:
    """NumPy's line that makes the array of an image one of another format; words where no line keeps its values.

    Examples
    --------
    >>> rgb = ImageArgument(
    ...     0, "photo", "image2d_t", 0, "in", (4, 6, 3), "|u1", 72, channel_order="RGB", pixels=(6, 4)
    ... )
    >>> conversion(rgb, "RGBA UNORM_INT8")
    'photo = np.concatenate([photo, np.full((4, 6, 1), 255, np.uint8)], axis=-1)'
    """
    order, type_name = format_.split()
    wanted, known = CHANNEL_TYPES[type_name], CHANNEL_TYPES[image.channel_type]
    if not holds(wanted, known):
        return f"{format_} loses values of {image.name}: another device, or a buffer instead of an image"
    text = _ordered(image, order, _typed(image.name, known, wanted), wanted)
    if text is None:
        return f"an array of {format_}, which has other channels, or another device"
    if text == image.name or order != ORDER_OF_CHANNELS.get(CHANNELS[order]):
        text = f"clm.image({text}, channel_order={order!r}, channel_type={type_name!r})"
    return f"{image.name} = {text}"


def _typed(name: str, known: ChannelType, wanted: ChannelType) -> str:
    """Expression of the wanted dtype; normalised integers keep what they are read as."""
    if known.dtype == wanted.dtype:
        return name
    if known.family != "f" or known.dtype.kind == "f":
        return f"{name}.astype(np.{wanted.dtype})"
    one = np.iinfo(known.dtype).max
    if wanted.dtype.kind == "f":
        return f"({name} / {one}).astype(np.{wanted.dtype})"
    return f"np.round({name} / {one} * {np.iinfo(wanted.dtype).max}).astype(np.{wanted.dtype})"


def _ordered(image: ImageArgument, order: str, text: str, wanted: ChannelType) -> str | None:
    """Expression with the channels of another order; None where it has not all of them."""
    known = image.channel_order
    if order == known or {order, known} <= {"R", "A", "LUMINANCE", "INTENSITY"}:
        return text
    if sorted(order) == sorted(known):
        return f"{text}[..., {[known.index(letter) for letter in order]}]"
    if not order.startswith(known):
        return None
    more = CHANNELS[order] - CHANNELS[known]
    opaque = np.iinfo(wanted.dtype).max if wanted.dtype.kind in "iu" else 1
    plain = f"{text}[..., None]" if CHANNELS[known] == 1 else text
    shape = (*image.shape[: len(image.pixels)], more)
    return f"np.concatenate([{plain}, np.full({shape}, {opaque if more == 1 else 0}, np.{wanted.dtype})], axis=-1)"
