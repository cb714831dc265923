"""Members of records as values that travel with an argument, so that whoever sees the bytes can name what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cl_magic.launch.request import Member

MOST_MEMBERS = 64


def members_of(dtype: np.dtype[Any]) -> tuple[Member, ...]:
    """Members of a structured dtype, those of inner records by their path; at most 64.

    Examples
    --------
    >>> members_of(np.dtype([("head", [("id", "i4")]), ("pos", "f4", 3)]))
    (Member(name='head.id', dtype='<i4', offset_bytes=0, shape=()), Member(name='pos', dtype='<f4', offset_bytes=4, shape=(3,)))
    """  # noqa: E501 - what it prints
    return tuple(_members(dtype, "", 0))[:MOST_MEMBERS]


def _members(dtype: np.dtype[Any], path: str, begin: int) -> Iterator[Member]:
    fields: Mapping[str, Any] = dtype.fields or {}
    for name in dtype.names or ():
        found, offset = fields[name][:2]
        base, shape = found.subdtype or (found, ())
        if base.names is not None:
            if not shape:
                yield from _members(base, f"{path}{name}.", begin + int(offset))
            continue  # an array of records has no one value a row
        yield Member(f"{path}{name}", base.str, begin + int(offset), tuple(shape))


def record_dtype(members: Sequence[Member], nbytes: int) -> np.dtype[Any]:
    """Structured dtype of records of so many bytes with these members, named by their paths.

    Examples
    --------
    >>> record_dtype([Member("v", "<i4", 4)], 8).fields["v"]
    (dtype('int32'), 4)
    """
    return np.dtype(
        {
            "names": [member.name for member in members],
            "formats": [(member.dtype, member.shape) if member.shape else member.dtype for member in members],
            "offsets": [member.offset_bytes for member in members],
            "itemsize": nbytes,
        }
    )
