"""What a lane looked like where its commands are too many to be kept: the share of time busy, bin by bin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cl_magic.record.command_columns import Column

BINS = 512


def disjoint(start: Column, end: Column) -> tuple[Column, Column]:
    """Stretches of commands in order of their start, with what an earlier one covers taken away.

    Examples
    --------
    >>> begin, stop = disjoint(np.array([0, 2, 20]), np.array([10, 12, 30]))
    >>> begin.tolist(), stop.tolist()
    ([0, 10, 20], [10, 12, 30])
    """
    if not start.size:
        return start, end
    reached = np.maximum.accumulate(end)
    begin = start.copy()
    begin[1:] = np.maximum(start[1:], reached[:-1])
    return begin, np.maximum(begin, end)


def busy_until(begin: Column, stop: Column, times: Column) -> Column:
    """Time busy from the beginning to each of `times`, of disjoint stretches in order.

    Examples
    --------
    >>> busy_until(np.array([0, 20]), np.array([10, 30]), np.array([5.0, 15.0, 25.0])).tolist()
    [5.0, 10.0, 15.0]
    """
    if not begin.size:
        return np.zeros(len(times))
    before = np.concatenate(([0], np.cumsum(stop - begin)))
    last = np.searchsorted(begin, times, side="right") - 1
    inside = np.minimum(times, stop[last]) - begin[last]
    busy: Column = np.where(last >= 0, before[last] + inside, 0.0)
    return busy


def densities(
    start: Column, end: Column, category: Column, count: int, knots: Sequence[tuple[int, float]], bins: int = BINS
) -> Column:
    """Shares of time busy as bytes, 255 for always: one row a category, one column a bin of the axis.

    Parameters
    ----------
    start, end : ndarray, shape (n,)
        Of one lane's commands, in order of their start, on the axis.
    category : ndarray of int, shape (n,)
    count : int
        Of categories.
    knots : sequence of (int, float)
        Times and positions of the axis.
    bins : int
        Over the whole axis, evenly in position.

    Returns
    -------
    ndarray of uint8, shape (count, bins)
        Not 0 where anything ran.

    Examples
    --------
    >>> columns = np.array([0, 60]), np.array([50, 80]), np.array([0, 1])
    >>> densities(*columns, 2, ((0, 0.0), (100, 1.0)), bins=2).tolist()
    [[255, 0], [0, 102]]
    """
    times, places = zip(*knots, strict=True)
    edges = np.interp(np.linspace(0, 1, bins + 1), places, times)
    begin, stop = disjoint(start, end)
    rows = np.zeros((count, bins), np.uint8)
    for code in range(count):
        own = category == code
        if not own.any():
            continue
        busy = np.diff(busy_until(begin[own], stop[own], edges)) / np.maximum(np.diff(edges), 1e-9)
        shares = np.clip(busy * 255, 0, 255)
        rows[code] = np.where((shares > 0) & (shares < 1), 1, np.round(shares))
    return rows
