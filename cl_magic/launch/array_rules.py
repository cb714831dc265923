"""What may be an array on a device: element types, shapes, and how a refusal is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cl_magic.errors import ArgumentError


def array_error(array: Any, what: str, remedy: str) -> ArgumentError:  # noqa: ANN401 - an array
    """Error about one array.

    Examples
    --------
    >>> array_error(np.zeros(2, np.int8), "was freed", "make it again").message
    'the array int8 (2,) was freed'
    """
    shape = tuple(array.shape)
    text = f"({shape[0]},)" if len(shape) == 1 else str(shape)
    return ArgumentError(f"the array {array.dtype} {text} {what}", remedy=remedy, shape=shape, dtype=str(array.dtype))


def checked_dtype(dtype: Any) -> np.dtype[Any]:  # noqa: ANN401 - what NumPy takes
    """Element type in the order of this machine's bytes.

    Raises
    ------
    ArgumentError
        It is none, or its elements are Python objects.

    Examples
    --------
    >>> checked_dtype(">f4") == np.dtype("float32")
    True
    """
    try:
        found = np.dtype(dtype)
    except TypeError as error:
        message = f"{dtype!r} is no element type: {error}"
        raise ArgumentError(message, remedy="dtype='float32'", dtype=str(dtype)) from None
    if found.hasobject or found.itemsize == 0 or found.kind in "mM":
        message = f"elements of type {found} are no numbers that a device could hold"
        raise ArgumentError(message, remedy="dtype='float32', or another type of numbers", dtype=str(found))
    native: np.dtype[Any] = found.newbyteorder("=")
    return native


def checked_shape(shape: int | Sequence[int]) -> tuple[int, ...]:
    """Shape as a tuple of whole numbers.

    Raises
    ------
    ArgumentError
        A size is no whole number from 1 on: a buffer has at least one byte (OpenCL 1.2, 5.2.1).

    Examples
    --------
    >>> checked_shape(3), checked_shape([2, 3])
    ((3,), (2, 3))
    """
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
            message = f"shape {shape!r}: every size is a whole number from 1 on, since a buffer has at least one byte"
            raise ArgumentError(message, remedy="skip arrays without elements", shape=shape)
    return tuple(int(size) for size in sizes)
