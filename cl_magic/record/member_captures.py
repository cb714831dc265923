"""What became of the members of records, and a few elements as they were before and after."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.launch.members import members_of
from cl_magic.record.array_statistics import is_real, statistics_of
from cl_magic.record.captures import Excerpt, MemberCapture

Array = NDArray[Any]
_MOST_MEMBERS = 24
_ROWS, _BYTES = 6, 64
_ROW_BYTES = 4096


def member_captures(before: Array, after: Array | None) -> tuple[MemberCapture, ...]:
    """Statistics of each member before and after, and how many elements have other bytes in it.

    Parameters
    ----------
    before, after : ndarray
        Of one structured dtype and shape, C-contiguous; `after` None where the kernel only reads. At most 24 members
        are looked at.

    Examples
    --------
    >>> one = np.zeros(3, [("id", "i4"), ("v", "f4")])
    >>> two = one.copy()
    >>> two["v"][1] = 5
    >>> [(member.name, member.changed) for member in member_captures(one, two)]
    [('id', 0), ('v', 1)]
    """
    found = []
    for member in members_of(before.dtype)[:_MOST_MEMBERS]:
        old = _column(before, member.name)
        if not is_real(old.dtype):
            continue
        new = None if after is None else _column(after, member.name)
        changed = None if new is None else int(np.count_nonzero(_differ(old, new, before.size)))
        statistics = None if new is None else statistics_of(new)
        found.append(MemberCapture(member.name, old.dtype.str, member.shape, statistics_of(old), statistics, changed))
    return tuple(found)


def _column(records: Array, path: str) -> Array:
    values = records
    for name in [path] if path in (records.dtype.names or ()) else path.split("."):
        values = values[name]
    return np.ascontiguousarray(values, values.dtype.newbyteorder("="))


def _differ(old: Array, new: Array, count: int) -> NDArray[np.bool_]:
    one, two = (values.reshape(-1).view(np.uint8).reshape(count, -1) for values in (old, new))
    differ: NDArray[np.bool_] = (one != two).any(axis=1)
    return differ


def changed_records(before: Array, after: Array) -> int:
    """Records of which a member changed; bytes of padding, which compilers write as they like, do not count.

    Examples
    --------
    >>> dtype = np.dtype({"names": ["v"], "formats": ["i4"], "offsets": [0], "itemsize": 8})
    >>> changed_records(np.zeros(2, dtype), np.array([0, 1 << 32], np.int64).view(dtype))
    0
    """
    return int(np.count_nonzero(_differing(before, after)))


def _differing(before: Array, after: Array) -> NDArray[np.bool_]:
    members = members_of(before.dtype)
    if not members:
        return _differ(before, after, before.size)
    differ = np.zeros(before.size, np.bool_)
    for member in members:
        differ |= _differ(_column(before, member.name), _column(after, member.name), before.size)
    return differ


def excerpt_of(before: Array, after: Array | None) -> Excerpt | None:
    """A few elements around the first that changed, else the first ones; None for arrays that have pictures.

    Parameters
    ----------
    before, after : ndarray
        C-contiguous. Records of any kind, and bytes in one dimension.

    Examples
    --------
    >>> excerpt = excerpt_of(np.zeros(200, np.uint8), np.arange(200).astype(np.uint8) // 100)
    >>> excerpt.start, len(excerpt.before)
    (96, 64)
    """
    size = before.dtype.itemsize
    is_bytes = size == 1 and before.ndim == 1 and before.dtype.kind in "iu"
    if not before.size or not (is_bytes or before.dtype.kind == "V"):
        return None
    old = before.reshape(-1).view(np.uint8).reshape(before.size, size)
    new = None if after is None else after.reshape(-1).view(np.uint8).reshape(before.size, size)
    first = 0 if after is None else int(np.argmax(_differing(before, after)))
    count = _BYTES if is_bytes else max(1, min(_ROWS, _ROW_BYTES // size))
    start = first // 16 * 16 if is_bytes else max(0, min(first - 1, before.size - count))
    part = slice(start, start + count)
    return Excerpt(start, old[part].tobytes(), None if new is None else new[part].tobytes(), members_of(before.dtype))
