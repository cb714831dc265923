"""The columns of the buffer view: captured pictures and bytes, and how they are made small for a saved output."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.record.captures import Capture, Picture

Column = NDArray[Any]

RESERVED = 3
"""Highest codes of a quantised picture: −Inf, Inf, NaN, in this order."""
_LEVELS = ((0, 1), (16, 1), (8, 1), (8, 2), (8, 4), (8, 8), (8, 16), (8, 64))
"""What is tried in turn: bits of a cell (0: as it is), and cells of each axis that become one."""
_ENCODED = 4 / 3
_CODES: dict[int, Any] = {8: np.uint8, 16: np.uint16}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A column and what the view must know to read it.

    Attributes
    ----------
    column : ndarray
    facts : dict
        Of a picture: ``shape``, ``step``, ``method``, ``code`` (dtype of the values), ``quantised`` (None, or the
        ``low`` and ``high`` that the codes go from and to).
    picture : Picture or None
        What it was made from; None for bytes, which are never reduced.
    level : int
    """

    column: Column
    facts: dict[str, Any] = field(default_factory=dict)
    picture: Picture | None = None
    level: int = 0

    @property
    def is_picture(self) -> bool:
        """Whether it is a picture, and not bytes."""
        return self.picture is not None

    @property
    def size(self) -> int:
        """Characters that it takes in a saved output, nearly."""
        return int(len(zlib.compress(self.column.tobytes(), 1)) * _ENCODED)


def drawn_of(capture: Capture) -> dict[str, Drawn]:
    """Columns of a capture by name: ``before``, ``after``, ``difference``, ``bytes_before``, ``bytes_after``.

    Examples
    --------
    >>> picture = Picture((2,), "<u2", bytes([1, 0, 2, 0]), (1,))
    >>> drawn_of(Capture("x", "x", (2,), "<u2", picture_before=picture))["before"].column.tolist()
    [1, 2]
    """
    found: dict[str, Drawn] = {}
    sides: dict[str, Picture | None] = {
        "before": capture.picture_before,
        "after": capture.picture_after,
        "difference": capture.picture_difference,
    }
    for name, picture in sides.items():
        if picture is not None and picture.data:
            found[name] = drawn_at(picture, 0)
    if capture.excerpt is not None:
        found["bytes_before"] = Drawn(np.frombuffer(capture.excerpt.before, np.uint8))
        if capture.excerpt.after is not None:
            found["bytes_after"] = Drawn(np.frombuffer(capture.excerpt.after, np.uint8))
    return found


def fit(drawn: dict[str, Drawn], budget: int) -> None:
    """Reduce pictures, the largest first, until all columns take at most `budget` characters.

    Examples
    --------
    >>> noise = np.random.default_rng(1).random(65536, np.float32)
    >>> columns = {"after": drawn_at(Picture((256, 256), "<f4", noise.tobytes(), (1, 1)), 0)}
    >>> fit(columns, 100_000)
    >>> columns["after"].facts["quantised"]["high"] > 0.99
    True
    """
    sizes = {name: found.size for name, found in drawn.items()}
    while sum(sizes.values()) > budget:
        able = {name: size for name, size in sizes.items() if drawn[name].is_picture}
        able = {name: size for name, size in able.items() if drawn[name].level < len(_LEVELS) - 1}
        if not able:
            return
        name = max(able, key=lambda one: able[one])
        found = drawn[name]
        assert found.picture is not None  # noqa: S101 - is_picture
        drawn[name] = drawn_at(found.picture, found.level + 1)
        sizes[name] = drawn[name].size


def drawn_at(picture: Picture, level: int) -> Drawn:
    """A picture as a column, as it is (level 0) or reduced.

    Examples
    --------
    >>> picture = Picture((4,), "<f4", np.array([0, 1, 2, np.nan], "<f4").tobytes(), (1,))
    >>> drawn_at(picture, 2).column.tolist()
    [0, 126, 252, 255]
    """
    bits, factor = _LEVELS[level]
    cells: Column = np.frombuffer(picture.data, picture.dtype).reshape(picture.shape)
    step, method = tuple(picture.step) or (1,) * cells.ndim, str(picture.method)
    if factor > 1:
        cells, step, method = _reduced(cells, step, method, factor)
    facts = {"shape": list(cells.shape), "step": list(step), "method": method, "code": cells.dtype.str}
    if bits and bits < 8 * cells.dtype.itemsize:
        column, ends = _quantised(cells, bits)
        return Drawn(column, facts | {"quantised": ends}, picture, level)
    half = cells.dtype.itemsize == 2 and cells.dtype.kind == "f"  # noqa: PLR2004 - bytes
    return Drawn(cells.view(np.uint16) if half else cells, facts | {"quantised": None}, picture, level)


def _quantised(cells: Column, bits: int) -> tuple[Column, dict[str, float]]:
    """Cells as codes of `bits` bits from their least to their greatest finite value."""
    codes = (1 << bits) - RESERVED
    finite = np.isfinite(cells)
    values = np.where(finite, cells, 0).astype(np.float64)
    inside = values[finite] if not finite.all() else values
    low, high = (float(inside.min()), float(inside.max())) if inside.size else (0.0, 0.0)
    width = high / 2 - low / 2
    share = (values / 2 - low / 2) / width if width > 0 else np.zeros(values.shape)
    column = np.round(np.clip(share, 0, 1) * (codes - 1)).astype(_CODES[bits])
    if not finite.all():
        column[np.isneginf(cells)], column[np.isposinf(cells)], column[np.isnan(cells)] = codes, codes + 1, codes + 2
    return column, {"low": low, "high": high}


def _reduced(cells: Column, step: tuple[int, ...], method: str, factor: int) -> tuple[Column, tuple[int, ...], str]:
    if cells.ndim == 1:
        return _shorter(cells, step[0], method, factor)
    few = cells.shape[-1] <= 4 and cells.ndim > 1  # noqa: PLR2004 - components keep their axis
    axes = range(cells.ndim - 1 if few else cells.ndim)
    means: Column = cells.astype(np.float64)
    steps = list(step)
    with np.errstate(invalid="ignore", over="ignore"):
        for axis in axes:
            size = means.shape[axis]
            if size > 1:
                starts = np.arange(0, size, factor)
                counts = np.diff(np.append(starts, size)).reshape([-1 if i == axis else 1 for i in range(cells.ndim)])
                means = np.add.reduceat(means, starts, axis=axis) / counts
                steps[axis] *= factor
    return means, tuple(steps), "sample" if method == "sample" else "mean"


def _shorter(cells: Column, step: int, method: str, factor: int) -> tuple[Column, tuple[int, ...], str]:
    """A line as the ends of blocks; of a sample, a sample."""
    if method == "sample":
        return cells[::factor].copy(), (step * factor,), method
    low, high = (cells[0::2], cells[1::2]) if method == "range" else (cells, cells)
    count = factor if method == "range" else 2 * factor
    starts = np.arange(0, len(low), count)
    pairs = np.stack([np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)], axis=-1)
    return pairs.reshape(-1), (step * factor,), "range"
