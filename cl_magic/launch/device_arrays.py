"""Objects of other libraries whose memory is on a device already, recognised by their shape, never imported."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class DeviceArrayLike(Protocol):
    """An array on a device, such as ``pyopencl.array.Array``."""

    base_data: Any
    offset: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


@runtime_checkable
class DeviceBufferLike(Protocol):
    """Device memory without a type, such as ``pyopencl.Buffer``."""

    int_ptr: int
    size: int


class LocalMemory:
    """Room for a ``__local`` pointer argument; every work-group gets its own, uninitialised.

    Parameters
    ----------
    nbytes : int
        Bytes, at least 1.

    Examples
    --------
    >>> LocalMemory(1024)
    local(1024)
    """

    __slots__ = ("nbytes",)

    def __init__(self, nbytes: int) -> None:
        if isinstance(nbytes, bool) or not isinstance(nbytes, (int, np.integer)):
            msg = f"local memory is given in bytes, a whole number, not {nbytes!r}"
            raise TypeError(msg)
        if nbytes < 1:
            msg = f"local memory of {nbytes} bytes: at least 1 is needed"
            raise ValueError(msg)
        self.nbytes = int(nbytes)

    def __repr__(self) -> str:
        return f"local({self.nbytes})"


def local(nbytes: int) -> LocalMemory:
    """Room of `nbytes` bytes for a ``__local`` pointer argument.

    Examples
    --------
    >>> local(16 * 16 * 4).nbytes
    1024
    """
    return LocalMemory(nbytes)


def is_device_resident(value: object) -> bool:
    """Whether a value is memory on a device already, which only the engine of this process can take.

    Examples
    --------
    >>> is_device_resident(3), is_device_resident(local(16))
    (False, False)
    """
    if isinstance(value, (int, float, np.ndarray, np.generic, LocalMemory)) or value is None:
        return False
    return isinstance(value, (DeviceArrayLike, DeviceBufferLike))
