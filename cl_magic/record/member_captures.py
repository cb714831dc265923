"""What became of the members of records, and a few elements as they were before and after."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.launch.members import members_of
from cl_magic.record.array_statistics import flat_chunks, is_real, statistics_of
from cl_magic.record.captures import Excerpt, MemberCapture

Array = NDArray[Any]
_MOST_MEMBERS = 24
_ROWS, _BYTES = 64, 256
_ROW_BYTES = 4096
_WORDS = (1, 2, 4, 8)


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


def _first_changed(before: Array, after: Array) -> int:
    """Index of the first element that changed; 0 where none did."""
    size = before.dtype.itemsize
    if before.dtype.kind == "V" or size not in _WORDS:
        return int(np.argmax(_differing(before, after)))
    start = 0
    for old, new in flat_chunks(before, after):
        differ = old.view(f"u{size}") != new.view(f"u{size}")
        if differ.any():
            return start + int(np.argmax(differ))
        start += old.size
    return 0


def excerpt_of(before: Array, after: Array | None) -> Excerpt | None:
    """A few elements around the first that changed, else the first ones; None for empty arrays.

    At most 64 records or 4096 B of them (one at least), and 256 B of other elements.

    Parameters
    ----------
    before, after : ndarray
        C-contiguous.

    Examples
    --------
    >>> excerpt = excerpt_of(np.zeros(200, np.uint8), np.arange(200).astype(np.uint8) // 100)
    >>> excerpt.start, len(excerpt.before)
    (0, 200)
    """
    size = before.dtype.itemsize
    if not before.size or not size:
        return None
    old = before.reshape(-1).view(np.uint8).reshape(before.size, size)
    new = None if after is None else after.reshape(-1).view(np.uint8).reshape(before.size, size)
    first = 0 if after is None else _first_changed(before, after)
    is_record = before.dtype.kind == "V"
    count = max(1, min(_ROWS, _ROW_BYTES // size)) if is_record else max(1, _BYTES // size)
    line = max(1, 16 // size)
    start = max(0, min((first - 1 if is_record else first // line * line), before.size - count))
    start = start if is_record else start // line * line
    part = slice(start, start + count)
    return Excerpt(start, old[part].tobytes(), None if new is None else new[part].tobytes(), members_of(before.dtype))
