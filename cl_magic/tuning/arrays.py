"""The arrays of a sweep: the same contents before each setting, compared after it, put back at the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.array import copyto
from cl_magic.clc.signature import Parameter
from cl_magic.device_array import DeviceArray
from cl_magic.errors import ClMagicError
from cl_magic.record.numbers import count

Array = NDArray[Any]
_RELATIVE, _ABSOLUTE = 1e-5, 1e-8


class SweptArrays:
    """Arrays that a kernel may write.

    Parameters
    ----------
    arguments : iterable of (Parameter, object)
        All arguments of the kernel.
    rtol : float
        By how much floats may differ, relative to their size.

    Attributes
    ----------
    names : tuple of str
        Parameters whose arrays are compared.
    """

    def __init__(self, arguments: Iterable[tuple[Parameter, Any]], rtol: float = _RELATIVE) -> None:
        self._arrays: dict[str, Any] = {
            parameter.name: value
            for parameter, value in arguments
            if isinstance(value, np.ndarray | DeviceArray) and parameter.writes is not False
        }
        self._rtol = rtol
        self._before = {name: _contents(value) for name, value in self._arrays.items()}
        self._expected: dict[str, Array] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters whose arrays are compared."""
        return tuple(self._arrays)

    def restore(self) -> None:
        """Give every array the contents it had before the sweep."""
        for name, value in self._arrays.items():
            if isinstance(value, DeviceArray):
                copyto(value, self._before[name])
            elif value.flags.writeable:
                value[...] = self._before[name]

    def expect(self) -> None:
        """Take what is in the arrays now for the right result, unless there is one already."""
        if self._expected is None:
            self._expected = {name: _contents(value) for name, value in self._arrays.items()}

    def difference(self) -> str:
        """How the arrays differ from the right result; "" where they do not."""
        if self._expected is None:
            return ""
        words = []
        for name, value in self._arrays.items():
            many = _differing(_contents(value), self._expected[name], self._rtol)
            if many:
                words.append(f"{name} differs in {count(many)} of {count(self._expected[name].size)} elements")
        return ", ".join(words)


def _contents(value: Any) -> Array:  # noqa: ANN401 - an array
    if isinstance(value, DeviceArray):
        try:
            return np.array(value.numpy())
        except ClMagicError:  # it was lost with its worker
            return np.empty(0, value.dtype)
    return np.array(value)


def _differing(found: Array, expected: Array, rtol: float) -> int:
    """Elements that differ; floats and complex numbers within a tolerance, NaN equal to NaN.

    Examples
    --------
    >>> _differing(np.array([1.0, np.nan, 2.0]), np.array([1.0 + 1e-9, np.nan, 3.0]), 1e-5)
    1
    """
    if found.shape != expected.shape:
        return expected.size
    if found.dtype.kind in "fc":
        with np.errstate(invalid="ignore", over="ignore"):
            near = np.isclose(found, expected, rtol=max(rtol, 2 * float(np.finfo(found.dtype).eps)), atol=_ABSOLUTE)
        return int(np.count_nonzero(~(near | (np.isnan(found) & np.isnan(expected)))))
    if found.dtype.names is not None:
        return int(np.count_nonzero([a != b for a, b in zip(found.ravel(), expected.ravel(), strict=True)]))
    return int(np.count_nonzero(found != expected))
