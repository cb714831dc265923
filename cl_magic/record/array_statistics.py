"""Statistics of an array's elements, in chunks that stay in the cache: no temporary as large as the array."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.record.captures import HISTOGRAM_BINS, Statistics

CHUNK = 1 << 17
"""Elements looked at together: half a megabyte of float32."""

Array = NDArray[Any]
_MANTISSA_BITS = {4: 23, 8: 52}
_FLOAT32_SAFE = 1e36
"""Ranges between its inverse and this are binned in float32: nothing overflows on the way."""
_SCALE_LIMIT = 1e290
_FAR = 16
"""Histograms that begin more than so many of their widths from 0 subtract their begin first."""


@dataclass(slots=True)
class _Tally:
    minimum: float = math.inf
    maximum: float = -math.inf
    total: float = 0.0
    finite: int = 0
    nan: int = 0
    inf: int = 0
    denormal: int = 0


def is_real(dtype: np.dtype[Any]) -> bool:
    """Whether elements are numbers with an order, of at most 64 bits: booleans, integers, floating point.

    Examples
    --------
    >>> is_real(np.dtype("f4")), is_real(np.dtype("c8"))
    (True, False)
    """
    return dtype.kind in "biuf" and dtype.itemsize <= 8  # noqa: PLR2004 - OpenCL C has no wider ones


def flat_chunks(*arrays: Array) -> Iterator[tuple[Array, ...]]:
    """Equal pieces of C-contiguous arrays of one size, flattened, in order.

    Examples
    --------
    >>> [piece.size for piece, in flat_chunks(np.zeros((2, 100_000)))]
    [131072, 68928]
    """
    flat = [array.reshape(-1) for array in arrays]
    for start in range(0, flat[0].size, CHUNK):
        yield tuple(piece[start : start + CHUNK] for piece in flat)


def statistics_of(array: Array) -> Statistics:
    """Statistics of all elements.

    Parameters
    ----------
    array : ndarray
        C-contiguous, native byte order, any shape and dtype.

    Returns
    -------
    Statistics
        Minimum, maximum, mean and histogram (50 equal bins from minimum to maximum) are of the finite elements, in
        float64 (least and greatest of 64-bit integers as integers); NaN, infinite and denormal elements are counted.
        Booleans count as 0 and 1. Complex arrays have counts
        only (an element with a NaN part is a NaN), structured arrays their element count only.

    Examples
    --------
    >>> s = statistics_of(np.array([1.0, 3.0, np.nan], np.float32))
    >>> s.minimum, s.maximum, s.mean, s.nan
    (1.0, 3.0, 2.0, 1)
    """
    if array.dtype.kind == "c":
        return _complex_statistics(array)
    if not is_real(array.dtype) or not array.size:
        return Statistics(array.size)
    numbers = array.view(np.uint8) if array.dtype.kind == "b" else array
    if numbers.dtype.itemsize <= 2:  # noqa: PLR2004 - at most 65,536 values: count each
        return _statistics_by_value(numbers)
    tally = _tally(numbers)
    if not tally.finite:
        return Statistics(array.size, nan=tally.nan, inf=tally.inf)
    low, high = tally.minimum, tally.maximum
    histogram, ends = _histogram(numbers, low, high, whole=tally.finite == array.size)
    mean = tally.total / tally.finite
    if not math.isfinite(mean):
        mean = _mean_of_large(numbers, tally.finite)
    return Statistics(
        array.size, low, high, mean, tally.nan, tally.inf, tally.denormal, histogram=histogram, histogram_range=ends
    )


def _statistics_by_value(array: Array) -> Statistics:
    """Statistics of 8-bit and 16-bit elements from the count of each value."""
    wide = array.dtype.itemsize == 2  # noqa: PLR2004 - bytes
    counts = np.zeros(1 << 16, np.int64)
    words = array.reshape(-1).view(np.uint8)
    even = words.size // 2 * 2
    for (piece,) in flat_chunks(words[:even].view(np.uint16)):
        counts += np.bincount(piece, minlength=counts.size)
    if not wide:  # a pair of elements was counted as one word
        pairs = counts.reshape(256, 256)
        counts = pairs.sum(axis=0) + pairs.sum(axis=1) + np.bincount(words[even:], minlength=256)
    present = np.flatnonzero(counts)
    weights = counts[present]
    values = present.astype(f"u{array.dtype.itemsize}").view(array.dtype).astype(np.float64)
    finite = np.isfinite(values)
    nan, inf = int(weights[np.isnan(values)].sum()), int(weights[np.isinf(values)].sum())
    if not finite.any():
        return Statistics(array.size, nan=nan, inf=inf)
    values, weights = values[finite], weights[finite]
    low, high, mean = float(values.min()), float(values.max()), float(values @ weights) / float(weights.sum())
    denormal = 0
    if array.dtype.kind == "f":
        denormal = int(weights[(values != 0) & (np.abs(values) < float(np.finfo(array.dtype).tiny))].sum())
    ends = _ends(low, high)
    histogram = np.histogram(values, HISTOGRAM_BINS, ends, weights=weights)[0].tolist()
    return Statistics(array.size, low, high, mean, nan, inf, denormal, tuple(map(int, histogram)), ends)


def _complex_statistics(array: Array) -> Statistics:
    nan = inf = 0
    for (piece,) in flat_chunks(array):
        is_nan = np.isnan(piece)
        nan += int(np.count_nonzero(is_nan))
        inf += int(np.count_nonzero(np.isinf(piece) & ~is_nan))
    return Statistics(array.size, nan=nan, inf=inf)


def _tally(array: Array) -> _Tally:
    tally = _Tally()
    floating = array.dtype.kind == "f"
    exact: Any = float if floating or array.dtype.itemsize < 8 else int  # noqa: PLR2004 - bytes; beyond 2^53 a float is not
    for (whole,) in flat_chunks(array):
        piece = whole
        low, high = exact(piece.min()), exact(piece.max())
        if floating and not (math.isfinite(low) and math.isfinite(high)):
            nan = int(np.count_nonzero(np.isnan(piece)))
            piece = piece[np.isfinite(piece)]
            tally.nan += nan
            tally.inf += whole.size - piece.size - nan
            if not piece.size:
                continue
            low, high = float(piece.min()), float(piece.max())
        tally.finite += piece.size
        tally.minimum, tally.maximum = min(tally.minimum, low), max(tally.maximum, high)
        with np.errstate(over="ignore", invalid="ignore"):
            tally.total += float(np.sum(piece, dtype=np.float64))
        if floating:
            tally.denormal += _denormals(piece, low, high)
    return tally


def _denormals(piece: Array, low: float, high: float) -> int:
    """Count of denormal elements, from their bits: a driver may have set this thread to flush them to zero."""
    bits = _MANTISSA_BITS[piece.dtype.itemsize]
    tiny = float(np.finfo(piece.dtype).tiny)
    if low >= tiny or high <= -tiny:
        return 0
    magnitude = piece.view(f"u{piece.dtype.itemsize}") << 1
    magnitude -= 2  # zero wraps around to the largest value
    return int(np.count_nonzero(magnitude < (1 << (bits + 1)) - 2))


def _mean_of_large(array: Array, finite: int) -> float:
    """Mean where the plain sum overflows float64."""
    parts = [float(np.sum(piece[np.isfinite(piece)].astype(np.float64) / finite)) for (piece,) in flat_chunks(array)]
    return math.fsum(parts)


def _ends(low: float, high: float) -> tuple[float, float]:
    """Ends of the histogram: a constant array gets a little room on both sides."""
    if float(low) < float(high):
        return float(low), float(high)
    room = max(0.5, abs(low) * 1e-6)
    limit = float(np.finfo(np.float64).max)
    return max(low - room, -limit), min(high + room, limit)


def _histogram(array: Array, low: float, high: float, *, whole: bool) -> tuple[tuple[int, ...], tuple[float, float]]:
    ends = _ends(low, high)
    counts = np.zeros(256 * HISTOGRAM_BINS, np.int64)
    odd = np.zeros(256, np.int64)
    place = _binning(array.dtype, *ends)
    for (all_elements,) in flat_chunks(array):
        piece = all_elements if whole else all_elements[np.isfinite(all_elements)]
        bins = place(piece)
        if bins.size % 2:
            odd[bins[-1]] += 1
            bins = bins[:-1]
        # Two bins at a time: half as many elements for bincount, which is what takes the time.
        counts += np.bincount(bins.view(np.uint16), minlength=counts.size)
    table = counts.reshape(HISTOGRAM_BINS, 256)
    total = table.sum(axis=0)[:HISTOGRAM_BINS] + table.sum(axis=1) + odd[:HISTOGRAM_BINS]
    return tuple(total.tolist()), ends


def _binning(dtype: np.dtype[Any], low: float, high: float) -> Any:  # noqa: ANN401 - a function of one array
    """Return the function that gives each element of a piece its bin, as uint8."""
    reach = max(abs(low), abs(high))
    small = dtype == np.float32 and reach < _FLOAT32_SAFE and high - low > 1 / _FLOAT32_SAFE
    kind: Any = np.float32 if small else np.float64
    shift, quarter = 0, high / 4 - low / 4
    if kind is np.float64 and not 1 / _SCALE_LIMIT < quarter < _SCALE_LIMIT:
        shift = -math.frexp(quarter)[1]  # bring the range near 1 where it would overflow or vanish
    start, width = math.ldexp(low, shift), math.ldexp(high, shift) - math.ldexp(low, shift)
    scale = kind(HISTOGRAM_BINS / width)
    offset = kind(-start * float(scale))

    def place(piece: Array) -> Array:
        scaled = piece.astype(kind) if piece.dtype != kind else piece
        if shift:
            scaled = np.ldexp(scaled, shift)
        if abs(start) > _FAR * width:  # the product would lose the digits that tell the bins apart
            scaled = (scaled - kind(start)) * scale
        else:
            scaled = scaled * scale
            scaled += offset
        np.clip(scaled, 0, HISTOGRAM_BINS - 1, out=scaled)
        bins: Array = scaled.astype(np.uint8)
        return bins

    return place
