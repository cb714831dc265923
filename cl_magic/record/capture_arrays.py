"""Watches one array argument around a run and says what became of it: the rule of design decision 6 for captures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.launch.request import CaptureMode
from cl_magic.record.array_pictures import picture_of, steps_for
from cl_magic.record.array_statistics import flat_chunks, is_real, statistics_of
from cl_magic.record.captures import CAPTURE_LIMIT_BYTES, Capture, Picture, Statistics
from cl_magic.record.member_captures import changed_records, excerpt_of, member_captures

Array = NDArray[Any]
SAMPLE_ELEMENTS = 1 << 20
"""Elements looked at, at most, in an array over the limit."""


class Watch:
    """One array before a run; :meth:`finish` compares it with the array after.

    Parameters
    ----------
    array : ndarray
        Any shape, strides and dtype. Read now, not kept.
    parameter, label : str
        Kernel parameter and the user's name of the array.
    writes : bool
        Whether the kernel may write it. If so, a copy of the array is kept until :meth:`finish`.
    mode : {"auto", "none", "full"}
        "auto": all elements up to 64 MiB, a sample of at most 1,048,576 elements above. "full": all elements always.
        "none": nothing but shape and dtype. Pictures have at most 65,536 cells in every mode.

    Examples
    --------
    >>> values = np.zeros(4, np.float32)
    >>> watch = Watch(values, "dst", "values", writes=True)
    >>> values[1] = 2
    >>> capture = watch.finish(values)
    >>> capture.changed, capture.after.maximum, capture.difference.maximum
    (1, 2.0, 2.0)
    """

    __slots__ = ("_before", "_dtype", "_fields", "_shape", "_skip", "_steps", "_writes")

    def __init__(
        self, array: Array, parameter: str, label: str = "", *, writes: bool, mode: CaptureMode = "auto"
    ) -> None:
        self._shape, self._dtype, self._writes = array.shape, array.dtype, writes
        self._skip = mode == "none"
        large = mode == "auto" and array.nbytes > CAPTURE_LIMIT_BYTES
        self._steps = steps_for(array.shape, SAMPLE_ELEMENTS) if large else None
        self._before: Array | None = None
        self._fields: dict[str, Any] = {
            "parameter": parameter,
            "label": label or parameter,
            "shape": tuple(array.shape),
            "dtype": array.dtype.str,
        }
        if not self._skip:
            self._look(array)

    def _look(self, array: Array) -> None:
        plain = _plain(self._sample(array), own=self._writes)
        self._fields["before"] = statistics_of(plain)
        self._fields["picture_before"] = picture_of(plain, self._steps)
        if self._steps is not None:
            self._fields["sampled"] = True
            looked, whole = (f"{n:,}".replace(",", " ") for n in (plain.size, math.prod(self._shape)))
            self._fields["note"] = (
                f"statistics are of {looked} of {whole} elements, as the array has more than"
                f" {CAPTURE_LIMIT_BYTES >> 20} MiB; capture='full' looks at all"
            )
        if self._writes:
            self._before = plain
        else:
            self._look_inside(plain, None)

    def _look_inside(self, before: Array, after: Array | None) -> None:
        """Members of records, and a few elements as they are; a sample has no stretch of neighbours."""
        if before.dtype.names is not None and before.size:
            self._fields["members"] = member_captures(before, after)
        if self._steps is None:
            self._fields["excerpt"] = excerpt_of(before, after)

    def _sample(self, array: Array) -> Array:
        if self._steps is None:
            return array
        return array[tuple(slice(None, None, step) for step in self._steps)]

    def finish(self, array: Array | None = None) -> Capture:
        """What was kept of the array before and after the run. Call once.

        Parameters
        ----------
        array : ndarray, optional
            The array after the run, of the same shape and dtype; may be left out where `writes` is False.
        """
        if self._before is None or array is None:
            if self._before is not None:
                self._look_inside(self._before, None)
            return Capture(**self._fields)
        after = _plain(self._sample(array), own=False)
        before, self._before = self._before, None
        self._look_inside(before, after)
        records = changed_records(before, after) if before.dtype.names is not None and before.size else None
        changed, difference = _compare(before, after)
        changed = changed if records is None else records
        self._fields.update(after=statistics_of(after), picture_after=picture_of(after, self._steps), changed=changed)
        self._fields["difference"], self._fields["picture_difference"] = self._described(difference, after.size)
        return Capture(**self._fields)

    def _described(self, difference: Array | None, count: int) -> tuple[Statistics, Picture | None]:
        if difference is None:
            return Statistics(count), None
        return statistics_of(difference), picture_of(difference, self._steps)


def _plain(array: Array, *, own: bool) -> Array:
    """The array C-contiguous and of native byte order; a copy of its own if `own`."""
    dtype = array.dtype.newbyteorder("=") if array.dtype.kind in "biufc" else array.dtype
    if own:
        return array.astype(dtype, order="C", copy=True)
    return np.ascontiguousarray(array, dtype=dtype)


def _words(array: Array) -> Array:
    """The elements' bytes as one unsigned integer each, or as rows of bytes where no integer is that wide."""
    size = array.dtype.itemsize
    if size in (1, 2, 4, 8):
        return array.reshape(-1).view(f"u{size}")
    return array.reshape(-1).view(np.uint8).reshape(array.size, size)


def _compare(before: Array, after: Array) -> tuple[int, Array | None]:
    """Count of elements whose bytes changed, and after − before where elements are numbers.

    `before` may be overwritten. An element whose bytes did not change has the difference 0, also where it is NaN or
    infinite.
    """
    if not after.size:
        return 0, None
    old, new = _words(before), _words(after)
    result = _room_for_difference(before, after)
    pairs = (before, after) if result is None else (before, after, result)
    changed, start = 0, 0
    for piece in flat_chunks(*pairs):
        stop = start + piece[0].size
        differ = old[start:stop] != new[start:stop]
        differ = differ.any(axis=1) if differ.ndim > 1 else differ
        changed += int(np.count_nonzero(differ))
        if result is not None:
            _subtract(*piece)
            if result.dtype.kind == "f":
                _zero_unchanged(piece[2], differ)
        start = stop
    return changed, result


def _room_for_difference(before: Array, after: Array) -> Array | None:
    """Array for after − before: the copy itself where its type can hold it, else a type without overflow."""
    dtype = before.dtype
    if not is_real(dtype):
        return None
    if dtype.kind == "f":
        return before if dtype.itemsize > 2 else np.empty(before.shape, np.float32)  # noqa: PLR2004 - float16
    if dtype.kind == "b" or dtype.itemsize == 1:
        return np.empty(before.shape, np.int16)
    signed = np.dtype(f"i{dtype.itemsize}")
    low, high = int(after.min()) - int(before.max()), int(after.max()) - int(before.min())
    if np.iinfo(signed).min <= low and high <= np.iinfo(signed).max:
        return before.view(signed)
    return np.empty(before.shape, {2: np.int32, 4: np.int64, 8: np.float64}[dtype.itemsize])


def _subtract(before: Array, after: Array, result: Array) -> None:
    if before.dtype.kind in "iu" and before.dtype.itemsize == result.dtype.itemsize:
        unsigned = f"u{before.dtype.itemsize}"
        if result.dtype.kind == "i":  # the difference fits: wrapping around and back is exact
            np.subtract(after.view(unsigned), before.view(unsigned), out=result.view(unsigned))
            return
        rising, old, new = after >= before, before.view(unsigned), after.view(unsigned)
        distance = np.where(rising, new - old, old - new)
        np.multiply(distance.astype(np.float64), np.where(rising, 1.0, -1.0), out=result)
        return
    with np.errstate(over="ignore", invalid="ignore"):
        np.subtract(after, before, out=result, dtype=result.dtype)


def _zero_unchanged(result: Array, differ: NDArray[np.bool_]) -> None:
    """NaN − NaN and Inf − Inf are NaN; where no byte changed there is no difference."""
    if not math.isfinite(float(result.max())) or not math.isfinite(float(result.min())):
        result[~differ] = 0
