"""Which bytes of an array an index means: NumPy says, looking at the array's pages without reading them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from cl_magic.launch.array_rules import array_error


class Whole(Protocol):
    """What is known of the array that is indexed."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    offset: int
    nbytes: int


@dataclass(frozen=True, slots=True)
class Part:
    """A part that is one piece: its first byte in the memory, its shape, and whether it is one element."""

    offset: int
    shape: tuple[int, ...]
    scalar: bool

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)


def part_of(whole: Any, host: np.ndarray[Any, Any], key: Any) -> Part:  # noqa: ANN401 - a Whole; what NumPy takes
    """Return the part that ``array[key]`` is.

    Raises
    ------
    ArgumentError
        It is not one piece of memory, or has no elements.
    IndexError
        As NumPy raises it.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> whole = SimpleNamespace(shape=(4, 4), dtype=np.dtype("f4"), offset=64, nbytes=64)
    >>> part_of(whole, np.zeros(128, np.uint8), slice(1, 3))
    Part(offset=80, shape=(2, 4), scalar=False)
    """
    view = host[whole.offset : whole.offset + whole.nbytes].view(whole.dtype).reshape(whole.shape)
    keys = key if isinstance(key, tuple) else (key,)
    if not all(isinstance(one, (int, np.integer, slice)) or one is Ellipsis for one in keys):
        what = f"is indexed by {key!r}; on a device only whole numbers and slices can index"
        raise array_error(whole, what, "array.numpy()[…], and clm.array(…) of that")
    found = view[keys] if Ellipsis in [one for one in keys if one is Ellipsis] else view[(*keys, Ellipsis)]
    if found.size == 0:
        what = f"has no elements in [{key!r}], and a buffer has at least one byte"
        raise array_error(whole, what, "skip empty parts")
    if not found.flags.c_contiguous:
        what = f"is cut into pieces by [{key!r}]; a part on a device is one piece of memory"
        raise array_error(whole, what, "slice the first axis with step 1, or clm.array(array.numpy()[…])")
    offset = found.__array_interface__["data"][0] - host.__array_interface__["data"][0]
    return Part(offset, found.shape, scalar=not found.shape)
