"""Objects of other libraries whose memory is on a device already, recognised by their shape, never imported."""

from __future__ import annotations

import difflib
from typing import Any, Protocol, runtime_checkable

import numpy as np

from cl_magic.clc.types import type_of
from cl_magic.errors import ArgumentError


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


@runtime_checkable
class SharedPointerLike(Protocol):
    """Shared virtual memory (OpenCL 2.0, 5.6), such as ``pyopencl.SVM`` and ``SVMAllocation``; it names no context."""

    svm_ptr: int
    size: int


class LocalMemory:
    """Room for a ``__local`` pointer argument; every work-group gets its own, uninitialised.

    Parameters
    ----------
    count : int
        Elements, at least 1.
    element : str or dtype, optional
        Type of an element: OpenCL C's name (``float4``) or a NumPy dtype; bytes by default.

    Examples
    --------
    >>> LocalMemory(1024), LocalMemory(64, "float4").nbytes
    (local(1024), 1024)
    """

    __slots__ = ("count", "element", "nbytes", "scalar")

    def __init__(self, count: int, element: Any = None) -> None:  # noqa: ANN401 - a name or whatever NumPy takes
        unit = "bytes" if element is None else "elements"
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)):
            msg = f"local memory is given in {unit}, a whole number, not {count!r}"
            raise ArgumentError(msg, remedy="for example clm.local(256, 'float')", value=count)
        if count < 1:
            msg = f"local memory of {count} {unit}: at least 1 is needed"
            raise ArgumentError(msg, remedy=f"the number of {unit} that one work-group needs", value=count)
        self.count = int(count)
        self.scalar: np.dtype[Any] | None = None
        """Type of one component, None for bytes and records."""
        size, self.element = 1, ""
        if element is not None:
            size, self.element, self.scalar = _element(element)
        self.nbytes = self.count * size
        """Bytes in all."""

    def __repr__(self) -> str:
        return f"local({self.count}, {self.element!r})" if self.element else f"local({self.count})"


def _element(element: Any) -> tuple[int, str, np.dtype[Any] | None]:  # noqa: ANN401
    """Size in bytes, name and component type of an element."""
    ctype = type_of(element) if isinstance(element, str) else None
    if ctype is not None:
        return ctype.size_bytes, ctype.name, ctype.dtype
    try:
        dtype = np.dtype(element)
    except TypeError:
        near = difflib.get_close_matches(str(element), _COMMON, 1)
        msg = f"local memory of {element!r}: neither a type of OpenCL C nor a dtype"
        remedy = f"did you mean {near[0]!r}?" if near else "%opencl types lists OpenCL C's types"
        raise ArgumentError(msg, remedy=remedy, value=element) from None
    if dtype.hasobject or dtype.itemsize == 0:
        msg = f"local memory of {dtype}: its elements have no bytes that a device could hold"
        raise ArgumentError(msg, remedy="take a dtype of numbers", value=str(dtype))
    return dtype.itemsize, str(dtype), dtype if dtype.names is None and dtype.subdtype is None else None


_COMMON = ("float", "float2", "float3", "float4", "float8", "int", "int4", "uint", "uchar", "double", "half", "long")


def local(count: int, element: Any = None) -> LocalMemory:  # noqa: ANN401 - a name or whatever NumPy takes
    """Room of `count` elements for a ``__local`` pointer argument; of bytes where no type is given.

    Parameters
    ----------
    count : int
    element : str or dtype, optional
        OpenCL C's name of a type (``"float4"``; three count as four) or a NumPy dtype.

    Examples
    --------
    >>> local(16 * 16 * 4).nbytes, local(256, "float").nbytes, local(10, "float3").nbytes
    (1024, 1024, 160)
    """
    return LocalMemory(count, element)


def is_device_resident(value: object) -> bool:
    """Whether a value is memory on a device already, which only the engine of this process can take.

    Examples
    --------
    >>> is_device_resident(3), is_device_resident(local(16))
    (False, False)
    """
    if isinstance(value, (int, float, np.ndarray, np.generic, LocalMemory)) or value is None:
        return False
    engine = getattr(value, "engine_name", None)
    if isinstance(engine, str):  # an array of ours, which knows
        return engine == "inline"
    return isinstance(value, (DeviceArrayLike, DeviceBufferLike, SharedPointerLike))
