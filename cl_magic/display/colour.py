"""Colours of arrays: grayscale for images, cividis for fields, blue and orange for differences.

Cividis: Nuñez, Anderton, Renslow 2018, doi 10.1371/journal.pone.0199239; here by 17 of its points, linear between them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.display.png import Indexed

CIVIDIS = (
    (0, 34, 78), (0, 46, 106), (26, 56, 111), (50, 67, 109), (67, 78, 108), (83, 90, 109), (97, 101, 111),
    (111, 112, 115), (125, 124, 120), (140, 136, 120), (155, 148, 118), (171, 160, 114), (188, 174, 108),
    (205, 187, 99), (222, 201, 88), (240, 216, 70), (254, 232, 56),
)  # fmt: skip
NEGATIVE, POSITIVE = (31, 134, 199), (207, 111, 18)
BAD = (211, 47, 47)
LEVELS = 64
"""Grey levels of a thumbnail; more cannot be told apart at its size and make the PNG larger."""


def _levels(values: NDArray[Any], low: float, high: float) -> NDArray[np.float64]:
    """Values as levels 0 to LEVELS − 1 of [low, high], clipped; NaN as 0."""
    width = high - low
    if not np.isfinite(width):  # the difference of float64's own ends overflows
        values, low, width = values / 2, low / 2, high / 2 - low / 2
    with np.errstate(invalid="ignore", over="ignore"):
        share = (np.asarray(values, np.float64) - low) / width if width > 0 else np.full(values.shape, 0.5)
    share = np.nan_to_num(np.clip(share, 0.0, 1.0), nan=0.0)
    return np.round(share * (LEVELS - 1))


def _indexed(levels: NDArray[Any], finite: NDArray[np.bool_], colours: NDArray[Any]) -> Indexed:
    """Cells with their colours; one more colour, red, for what is not finite."""
    cells = levels.astype(np.uint8)
    cells[~finite] = len(colours)
    palette = np.vstack([colours, [*BAD, 255]]).round().astype(np.uint8)
    return Indexed(cells, palette)


def _opaque(colours: NDArray[Any]) -> NDArray[Any]:
    return np.hstack([colours, np.full((len(colours), 1), 255.0)])


def grayscale(values: NDArray[Any], low: float, high: float) -> Indexed:
    """Black at `low`, white at `high`, NaN and Inf red.

    Examples
    --------
    >>> grayscale(np.array([[0.0, 1.0, np.nan]]), 0, 1).cells.tolist()
    [[0, 63, 64]]
    """
    gray = np.repeat(np.linspace(0, 255, LEVELS)[:, None], 3, axis=1)
    return _indexed(_levels(values, low, high), np.isfinite(values), _opaque(gray))


def cividis(values: NDArray[Any], low: float, high: float) -> Indexed:
    """Heat map, NaN and Inf red.

    Examples
    --------
    >>> cividis(np.array([[0.0]]), 0, 1).palette[0].tolist()
    [0, 34, 78, 255]
    """
    points = np.asarray(CIVIDIS, np.float64)
    at = np.linspace(0, len(CIVIDIS) - 1, LEVELS)
    colours = np.stack([np.interp(at, np.arange(len(CIVIDIS)), points[:, c]) for c in range(3)], axis=-1)
    return _indexed(_levels(values, low, high), np.isfinite(values), _opaque(colours))


def diverging(values: NDArray[Any], limit: float) -> Indexed:
    """Difference map: colour by sign, opacity by size, so that 0 is the paper in both themes; NaN and Inf red.

    Examples
    --------
    >>> image = diverging(np.array([[0.0, -1.0]]), 1.0)
    >>> image.palette[image.cells].tolist()
    [[[207, 111, 18, 0], [31, 134, 199, 255]]]
    """
    middle = LEVELS // 2 - 1
    at = np.arange(-middle, middle + 1)
    colours = np.where((at < 0)[:, None], NEGATIVE, POSITIVE)
    opacity = np.abs(at)[:, None] * 255.0 / middle
    finite = np.isfinite(values)
    share = np.clip(np.where(finite, values, 0) / limit, -1, 1) if limit > 0 else np.zeros(values.shape)
    return _indexed(np.round(share * middle) + middle, finite, np.hstack([colours, opacity]))
