"""Arguments in short, as records and tables name them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from cl_magic.launch.request import ArrayArgument
from cl_magic.launch.staging import Staged


def staged_text(staged: Staged) -> str:
    """Array in short, with what was done to it.

    Examples
    --------
    >>> made = ArrayArgument(0, "v", "float3*", 0, "in", (2, 4), "<f4", 32)
    >>> staged_text(Staged(made, np.zeros((2, 3), np.float32), np.zeros((2, 4), np.float32), "widened"))
    'float32 (2, 3), widened'
    """
    original = staged.original
    kind = f"record of {original.dtype.itemsize} B" if original.dtype.names else str(original.dtype)
    return f"{kind} {shape_text(original.shape)}, {staged.reason}"


def shape_text(shape: Sequence[int]) -> str:
    """Shape as NumPy writes it.

    Examples
    --------
    >>> shape_text((512, 600)), shape_text((4,))
    ('(512, 600)', '(4,)')
    """
    return f"({shape[0]},)" if len(shape) == 1 else str(tuple(shape))


def array_text(argument: ArrayArgument) -> str:
    """Array in short.

    Examples
    --------
    >>> array_text(ArrayArgument(0, "x", "float*", 0, "in", (512, 600), "<f4", 1228800))
    'float32 (512, 600)'
    """
    return f"{_dtype_text(argument.dtype)} {shape_text(argument.shape)}"


@lru_cache(maxsize=256)
def _dtype_text(name: str) -> str:
    """Element type in short; NumPy takes 5 µs to name one."""
    dtype = np.dtype(name)
    return f"record of {dtype.itemsize} B" if dtype.kind == "V" else str(dtype)
