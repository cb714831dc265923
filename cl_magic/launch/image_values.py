"""An array with the image format that a user chose for it: ``clm.image(array, channel_order="BGRA")``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cl_magic.errors import ArgumentError
from cl_magic.launch.image_formats import CHANNEL_TYPES, CHANNELS, IMAGE_KINDS, spelled

_KINDS = tuple(dict.fromkeys(kind.name for kind in IMAGE_KINDS.values()))


class Image:
    """An array with the format in which a kernel is to see it; see :func:`image`."""

    __slots__ = ("array", "channel_order", "channel_type", "kind")

    def __init__(
        self,
        array: object,
        channel_order: str | None = None,
        channel_type: str | None = None,
        kind: str | None = None,
    ) -> None:
        if not isinstance(array, np.ndarray):
            message = f"an image is made of a NumPy array, not of {type(array).__name__}"
            raise ArgumentError(message, remedy="clm.image(np.asarray(…))", parameter="array", value=array)
        self.array: np.ndarray[Any, Any] = array
        self.channel_order = _checked("channel_order", channel_order, tuple(CHANNELS))
        self.channel_type = _checked("channel_type", channel_type, tuple(CHANNEL_TYPES))
        self.kind = _checked("kind", kind, _KINDS)

    def __repr__(self) -> str:
        words = (("channel_order", self.channel_order), ("channel_type", self.channel_type), ("kind", self.kind))
        said = "".join(f", {name}={value!r}" for name, value in words if value)
        return f"image({self.array.dtype} {self.array.shape}{said})"


def image(
    array: np.ndarray[Any, Any],
    channel_order: str | None = None,
    channel_type: str | None = None,
    kind: str | None = None,
) -> Image:
    """An array as an image argument in a format of your choice; a plain array gets one by its dtype and shape.

    Parameters
    ----------
    array : ndarray
        ``(rows, columns)`` or ``(rows, columns, channels)`` for a 2-D image; one axis fewer or more for other kinds.
        Written images are written back into it.
    channel_order : str, optional
        OpenCL's name (OpenCL 1.2, table 5.6): ``"R"``, ``"RG"``, ``"RGBA"``, ``"BGRA"``, ``"DEPTH"``, …
    channel_type : str, optional
        OpenCL's name (table 5.7): ``"UNORM_INT8"`` (0 to 255 read as 0.0 to 1.0), ``"UNSIGNED_INT8"``, ``"FLOAT"``, …
    kind : str, optional
        ``"image2d"``, ``"image3d"``, …; an image of another kind than the kernel's parameter is refused.

    Raises
    ------
    ArgumentError
        No array, or no such name.

    Examples
    --------
    A photograph in a notebook, read as floats from 0 to 1 with a sampler, and made darker:

    >>> import numpy as np
    >>> import cl_magic as clm
    >>> darker = clm.build('''
    ... kernel void darker(read_only image2d_t photo, sampler_t pick, write_only image2d_t result)
    ... {
    ...     int2 place = (int2)(get_global_id(0), get_global_id(1));
    ...     write_imagef(result, place, read_imagef(photo, pick, place) * 0.5f);
    ... }''').darker
    >>> photo = np.full((4, 6, 4), 200, np.uint8)
    >>> result = np.zeros_like(photo)
    >>> run = darker(photo, clm.sampler(), result, global_size=(6, 4))
    >>> result[0, 0].tolist()
    [100, 100, 100, 100]
    >>> run.arguments[0].value
    'uint8 (4, 6, 4) as 6×4 RGBA UNORM_INT8, 24 B a row'

    The same with blue first:

    >>> image(photo, channel_order="BGRA")
    image(uint8 (4, 6, 4), channel_order='BGRA')
    """
    return Image(array, channel_order, channel_type, kind)


def _checked(word: str, name: str | None, known: Sequence[str]) -> str | None:
    if name is None:
        return None
    found = spelled(name.removesuffix("_t") if word == "kind" else name, known)
    if found is None:
        message = f"image: {word}={name!r} is none of {', '.join(known)}"
        raise ArgumentError(message, remedy=f"{word}={known[0]!r}, or leave it out", parameter=word, value=name)
    return found


def array_of(value: Any) -> Any:  # noqa: ANN401 - what was bound
    """The array of an image argument, without :func:`image` around it; an object of a device as it is.

    Examples
    --------
    >>> array_of(image(np.zeros((2, 3), np.float32))).shape
    (2, 3)
    """
    return value.array if isinstance(value, Image) else value
