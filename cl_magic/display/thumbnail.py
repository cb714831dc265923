"""From a captured picture to pixels: which plane of it to draw, how far to reduce it, how to colour it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.display.colour import cividis, diverging, grayscale
from cl_magic.display.png import Indexed
from cl_magic.record.array_pictures import is_colour
from cl_magic.record.captures import Picture

WIDTH, HEIGHT = 200, 256
_PLANE = 2
_OUTLIERS = 99.0
_COLOUR_FLOAT = 1.0


@dataclass(frozen=True, slots=True)
class Range:
    """Values that the colours go from and to; `image` True for grayscale, else a heat map."""

    low: float
    high: float
    image: bool = False


def cells_of(picture: Picture) -> NDArray[Any]:
    """The picture's cells as an array.

    Examples
    --------
    >>> cells_of(Picture((2,), "<u2", bytes([1, 0, 2, 0]))).tolist()
    [1, 2]
    """
    return np.frombuffer(picture.data, np.dtype(picture.dtype)).reshape(picture.shape)


def plane_of(cells: NDArray[Any]) -> tuple[NDArray[Any], str]:
    """Two-dimensional cells (or a colour image) to draw, and what was left out: ``plane 4 of 9``.

    Examples
    --------
    >>> plane_of(np.zeros((9, 2, 5)))[1]
    'plane 4 of 9'
    """
    if cells.ndim <= _PLANE or is_colour(cells.shape):
        return cells, ""
    planes = cells.reshape(-1, *cells.shape[-2:])
    middle = len(planes) // 2
    return planes[middle], f"plane {middle} of {len(planes)}"


def reduced(cells: NDArray[Any]) -> NDArray[Any]:
    """At most 200 × 256 cells: means of blocks; what is left over at the far edges joins no block of its own.

    Examples
    --------
    >>> reduced(np.ones((300, 400))).shape
    (150, 200)
    """
    factor = max(math.ceil(cells.shape[1] / WIDTH), math.ceil(cells.shape[0] / HEIGHT))
    if factor == 1:
        return cells
    height, width = (max(1, n // factor) for n in cells.shape[:2])
    rows, columns = min(factor, cells.shape[0]), min(factor, cells.shape[1])
    body = cells[: height * rows, : width * columns].astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        means: NDArray[Any] = body.reshape(height, rows, width, columns, *cells.shape[2:]).mean(axis=(1, 3))
    return means


def colour_pixels(cells: NDArray[Any]) -> NDArray[np.uint8]:
    """RGB or RGBA of a colour image: bytes as they are, floating point from 0 to 1."""
    small = reduced(cells).astype(np.float64)
    top = 255.0 if cells.dtype.kind in "iu" and small.max(initial=0) > _COLOUR_FLOAT else _COLOUR_FLOAT
    with np.errstate(invalid="ignore"):
        shares = np.nan_to_num(np.clip(small / top, 0, 1))
    return np.round(shares * 255).astype(np.uint8)


def value_pixels(cells: NDArray[Any], scale: Range) -> Indexed:
    """Pixels of a plane of numbers."""
    small = reduced(cells)
    return grayscale(small, scale.low, scale.high) if scale.image else cividis(small, scale.low, scale.high)


def difference_pixels(cells: NDArray[Any], limit: float) -> Indexed:
    """Pixels of a difference map."""
    return diverging(reduced(cells), limit)


def nice_above(number: float) -> float:
    """The next of 1, 2, 5 times a power of ten.

    Examples
    --------
    >>> nice_above(0.043), nice_above(0)
    (0.05, 1.0)
    """
    if not number or not math.isfinite(number):
        return 1.0
    power = 10.0 ** math.floor(math.log10(number))
    return next((float(f"{step * power:.3g}") for step in (1, 2, 5, 10) if number <= step * power * (1 + 1e-9)), number)


def difference_limit(cells: NDArray[Any], most: float) -> tuple[float, bool]:
    """Where a difference map saturates, and whether values lie beyond.

    A few outliers must not hide all others: the map ends at a round number above 99 per cent of the cells.

    Examples
    --------
    >>> difference_limit(np.array([0.0, 0.1]), 0.1)
    (0.1, False)
    """
    sizes = np.abs(cells[np.isfinite(cells)].astype(np.float64))
    limit = nice_above(float(np.percentile(sizes, _OUTLIERS))) if sizes.any() else nice_above(most)
    return (limit, True) if limit < most else (nice_above(most), False)
