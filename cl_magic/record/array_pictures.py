"""Reduced copies of arrays: at most 65,536 cells, exact when the array is that small."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.record.array_statistics import is_real
from cl_magic.record.captures import PICTURE_CELLS, Picture

Array = NDArray[Any]
COLOUR_CHANNELS = (3, 4)
_FLOAT32_MAX = 3e38
_SHORT_SUM = 64
_LARGEST_COMPLEX = 16
_FEW = 16


def is_colour(shape: tuple[int, ...]) -> bool:
    """Whether an array of this shape may be a colour image: (height, width, 3 or 4).

    Examples
    --------
    >>> is_colour((600, 512, 3)), is_colour((600, 512))
    (True, False)
    """
    return len(shape) == 3 and shape[2] in COLOUR_CHANNELS  # noqa: PLR2004 - three axes


def steps_for(shape: tuple[int, ...], cells: int = PICTURE_CELLS) -> tuple[int, ...]:
    """Elements of each axis that one cell stands for, so that there are at most `cells` of them.

    Long axes are reduced first; axes that need nearly the same step share it, so that images keep their proportions.
    A colour image keeps its channels, and one pixel is one cell.

    Examples
    --------
    >>> steps_for((512, 600)), steps_for((2, 1_000_000)), steps_for((8, 8)), steps_for((512, 600, 3))
    ((3, 3), (1, 31), (1, 1), (3, 3, 1))
    """
    if is_colour(shape):
        return (*steps_for(shape[:2], cells), 1)
    if math.prod(shape) <= cells:
        return (1,) * len(shape)
    low, high = 1, max(shape)
    while low < high:  # the longest side that all axes may keep
        middle = (low + high + 1) // 2
        low, high = (middle, high) if math.prod(min(n, middle) for n in shape) <= cells else (low, middle - 1)
    steps = [-(-n // low) for n in shape]
    reduced = [step for step in steps if step > 1]
    if max(reduced) <= 2 * min(reduced):
        steps = [max(reduced) if step > 1 else 1 for step in steps]
    return tuple(steps)


def picture_of(array: Array, scale: tuple[int, ...] | None = None, *, cells: int = PICTURE_CELLS) -> Picture | None:
    """Picture of an array of numbers.

    Parameters
    ----------
    array : ndarray
        Any shape. Of one dimension, each two cells are the least and greatest of a block of `2 × step` elements, so
        that no peak is lost; more dimensions are reduced to the means of blocks, in float32 (float64 where that would
        overflow). The blocks at the far edges may be smaller. A block with a NaN becomes NaN. Complex numbers get an
        axis more at the end, of real and imaginary part.
    scale : tuple of int, optional
        Steps of a sample that `array` already is; they multiply the picture's.
    cells : int
        Cells that it may have.

    Returns
    -------
    Picture or None
        None for empty and structured arrays.

    Examples
    --------
    >>> picture = picture_of(np.ones((1024, 1024), np.float32))
    >>> picture.shape, picture.step, picture.method
    ((256, 256), (4, 4), 'mean')
    """
    if array.dtype.kind == "c" and array.dtype.itemsize <= _LARGEST_COMPLEX:
        array = np.ascontiguousarray(array)
        parts = array.view(array.real.dtype).reshape(*array.shape, 2)
        return picture_of(parts, None if scale is None else (*scale, 1), cells=cells)
    if not is_real(array.dtype) or not array.size:
        return None
    array = array.reshape(1) if array.ndim == 0 else array
    steps = steps_for(array.shape, cells)
    exact = max(steps) == 1
    if scale is None and array.ndim == 1 and not exact:
        step = 1 << (steps[0] - 1).bit_length()
        return _picture(_ranges(array, step), (step,), "range")
    if scale is not None:
        sample = array[tuple(slice(None, None, step) for step in steps)]
        total = tuple(a * b for a, b in zip(steps, scale, strict=True))
        return _picture(sample, total, "exact" if max(total) == 1 else "sample")
    if exact:
        return _picture(array, steps, "exact")
    return _picture(_means(array, steps), steps, "mean")


def _picture(cells: Array, steps: tuple[int, ...], method: Any) -> Picture:  # noqa: ANN401 - one of three words
    little = cells.astype(cells.dtype.newbyteorder("<"), order="C", copy=False)
    return Picture(cells.shape, little.dtype.str, little.tobytes(), steps, method)


def _ranges(array: Array, step: int) -> Array:
    """Least and greatest of each block of two steps, one after the other; `step` is a power of two."""
    numbers = array.view(np.uint8) if array.dtype.kind == "b" else array
    block = 2 * step
    whole = array.size // block
    low = high = numbers[: whole * block]
    while low.size > whole:  # halving is several times faster than many short minima
        low, high = np.minimum(low[0::2], low[1::2]), np.maximum(high[0::2], high[1::2])
    rest = numbers[whole * block :]
    ends = [(rest.min(), rest.max())] if rest.size else []
    cells = np.concatenate([np.stack([low, high], axis=-1), np.array(ends, numbers.dtype).reshape(-1, 2)])
    return cells.reshape(-1).view(array.dtype)


def _means(array: Array, steps: tuple[int, ...]) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        means = _block_means(array, steps, careful=False)
        if not np.isfinite(means).all():  # the sums overflowed, or the array holds such elements
            means = _block_means(array, steps, careful=True)
        sizes = np.abs(means[np.isfinite(means)])
        return means if bool(np.any(sizes > _FLOAT32_MAX)) else means.astype(np.float32)


def _block_means(array: Array, steps: tuple[int, ...], *, careful: bool) -> Array:
    means = array
    for axis, step in enumerate(steps):
        if step > 1:
            means = _mean_along(means, axis, step, careful=careful)
    return means


def _mean_along(array: Array, axis: int, step: int, *, careful: bool) -> Array:
    """Means of `step` neighbours along one axis; the last block takes what is left.

    `careful`: in float64, divided before they are added, so that no sum overflows.
    """
    shape = array.shape
    blocks, rest = divmod(shape[axis], step)
    # float32 sums of a few float32 or 16-bit elements are good enough for a picture, and twice as fast.
    short = array.dtype == np.float32 or array.dtype.itemsize <= 2  # noqa: PLR2004 - bytes
    kind = np.float32 if short and step <= _SHORT_SUM and not careful else np.float64
    head = (slice(None),) * axis
    body = array[(*head, slice(0, blocks * step))].reshape(*shape[:axis], blocks, step, *shape[axis + 1 :])
    means = _mean(body, axis + 1, kind, careful=careful)
    if not rest:
        return means
    tail = array[(*head, slice(blocks * step, None))].reshape(*shape[:axis], 1, rest, *shape[axis + 1 :])
    joined: Array = np.concatenate([means, _mean(tail, axis + 1, kind, careful=careful)], axis=axis)
    return joined


def _mean(body: Array, axis: int, kind: Any, *, careful: bool) -> Array:  # noqa: ANN401 - a scalar type
    size = body.shape[axis]
    if careful:
        return np.asarray(np.sum(body.astype(kind) / size, axis=axis))
    if size > _FEW:
        means: Array = np.asarray(np.sum(body, axis=axis, dtype=kind))
    else:  # adding a few slices is several times faster than as many short sums
        slices = np.moveaxis(body, axis, 0)
        means = slices[0].astype(kind)
        for piece in slices[1:]:
            means += piece
    means /= size
    return means
