"""Arrays that travel in another form than the user's: widened vectors of three, records with other padding.

A staged copy goes to the device in place of the array; what the kernel wrote is copied back after the run. The record
says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cl_magic.clc.types import CType
from cl_magic.launch.request import ArrayArgument

_Array = np.ndarray[Any, Any]
_ODD_WIDTH = 3


@dataclass(frozen=True, slots=True)
class Staged:
    """One argument's array and the copy that stands for it.

    Attributes
    ----------
    argument : ArrayArgument
        Describes `array`.
    original, array : numpy.ndarray
        The user's, and what the device gets.
    reason : str
        One phrase for the record: ``widened from 12 to 16 bytes an element``.
    restore : callable or None
        Copies results back into `original`; None where the kernel only reads.
    """

    argument: ArrayArgument
    original: _Array
    array: _Array
    reason: str
    restore: Callable[[], None] | None = None

    @property
    def note(self) -> str:
        """Sentence for the record."""
        back = ", and back after the run" if self.restore is not None else ""
        return f"{self.argument.name} was {self.reason}{back}"


def is_packed_triple(value: _Array, ctype: CType) -> bool:
    """Whether an array holds triples without the fourth place that a vector of three has (OpenCL C 1.2, 6.1.5).

    Examples
    --------
    >>> from cl_magic.clc.types import type_of
    >>> is_packed_triple(np.zeros((8, 3), np.float32), type_of("float3"))
    True
    """
    if ctype.width != _ODD_WIDTH:
        return False
    if value.dtype == ctype.dtype:
        return bool(value.shape) and value.shape[-1] == _ODD_WIDTH
    fields = value.dtype.fields
    if fields is None or value.dtype.names is None or len(value.dtype.names) != _ODD_WIDTH:
        return False
    return all(fields[name][0] == ctype.dtype for name in value.dtype.names) and value.itemsize < ctype.size_bytes


def widened(value: _Array, ctype: CType) -> tuple[_Array, str, Callable[[], None]]:
    """Copy of packed triples with four places each, what was done, and how to bring results back.

    Examples
    --------
    >>> from cl_magic.clc.types import type_of
    >>> array, reason, _ = widened(np.ones((2, 3), np.float32), type_of("float3"))
    >>> array.tolist(), reason
    ([[1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0]], 'widened from 12 to 16 bytes an element')
    """
    names = value.dtype.names
    shape = value.shape if names else value.shape[:-1]
    wide = np.zeros((*shape, ctype.slots), ctype.dtype)
    parts = [value[name] for name in names] if names else [value[..., i] for i in range(_ODD_WIDTH)]
    for i, part in enumerate(parts):
        wide[..., i] = part

    def restore() -> None:
        for i, part in enumerate(parts):
            part[...] = wide[..., i]

    reason = f"widened from {_ODD_WIDTH * ctype.dtype.itemsize} to {ctype.size_bytes} bytes an element"
    return wide, reason, restore
