"""Arrays on a device: made, filled, copied and freed. What they are is :mod:`cl_magic.device_array`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cl_magic.device import device as find_device
from cl_magic.device import engine_for
from cl_magic.device_array import DeviceArray, copy_memory
from cl_magic.engine.copying import copy_array
from cl_magic.engine.foreign import foreign_place
from cl_magic.engine.protocol import Engine
from cl_magic.engine.room import check_room
from cl_magic.errors import ArgumentError
from cl_magic.launch.array_rules import array_error, checked_dtype, checked_shape
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.wording import count

Place = tuple[DeviceInfo, str]


def _first_device() -> Place:
    return find_device(None), "worker"


_default_place: Callable[[], Place] = _first_device


def use_default_place(place: Callable[[], Place]) -> Callable[[], Place]:
    """Say where arrays go that name no device, as the session above this layer does; what was said before.

    Examples
    --------
    >>> before = use_default_place(lambda: (find_device(None), "inline"))
    >>> zeros(3).engine_name
    'inline'
    >>> _ = use_default_place(before)
    """
    global _default_place
    before, _default_place = _default_place, place
    return before


def empty(
    shape: int | Sequence[int],
    dtype: Any = np.float32,  # noqa: ANN401 - what NumPy takes
    device: Any = None,  # noqa: ANN401
    engine: str | None = None,
) -> DeviceArray:
    """Make an array on a device whose elements are not set.

    Parameters
    ----------
    shape : int or sequence of int
    dtype : dtype, optional
        float32 by default, which every device has.
    device : str, DeviceInfo, pyopencl.Context or pyopencl.CommandQueue, optional
        By default the current device.
    engine : {"worker", "inline"}, optional
        By default the session's.

    Raises
    ------
    ArgumentError
        No such shape or element type, or no room.

    Examples
    --------
    >>> empty((2, 3)).nbytes
    24
    """
    runner, found = _chosen(device, engine)
    kept, sizes = checked_dtype(dtype), checked_shape(shape)
    nbytes = kept.itemsize * int(np.prod(sizes, dtype=object))
    _check_limits(nbytes, found)
    check_room(nbytes, f"an array of shape {sizes}")
    memory = runner.memory(found.local_id, nbytes)
    return DeviceArray(memory, found, sizes, kept)


def _check_limits(nbytes: int, device: DeviceInfo) -> None:
    """Refuse what the device does not allocate in one piece, or does not have."""
    for limit, says in (
        (device.max_alloc_bytes, "allocates at most"),
        (device.global_mem_bytes, "has"),
    ):
        if 0 < limit < nbytes:
            message = f"an array of {count(nbytes)} B is too large: {device.short_name} {says} {count(limit)} B"
            raise ArgumentError(message, remedy="make it in parts", nbytes=nbytes, limit=limit)


def _chosen(device: Any, engine: str | None) -> tuple[Engine, DeviceInfo]:  # noqa: ANN401 - any selector
    place = foreign_place(device)
    if place is not None:
        return place
    here, kind = _default_place()
    found = here if device is None else find_device(device)
    return engine_for(found, engine or kind), found


def zeros(
    shape: int | Sequence[int],
    dtype: Any = np.float32,  # noqa: ANN401
    device: Any = None,  # noqa: ANN401
    engine: str | None = None,
) -> DeviceArray:
    """Make an array of zeros on a device; see :func:`empty`.

    Examples
    --------
    >>> zeros(3)[0]
    np.float32(0.0)
    """
    return _filled(empty(shape, dtype, device, engine), 0)


def ones(
    shape: int | Sequence[int],
    dtype: Any = np.float32,  # noqa: ANN401
    device: Any = None,  # noqa: ANN401
    engine: str | None = None,
) -> DeviceArray:
    """Make an array of ones on a device; see :func:`empty`.

    Examples
    --------
    >>> ones(3, "int32").numpy()
    array([1, 1, 1], dtype=int32)
    """
    return _filled(empty(shape, dtype, device, engine), 1)


def _filled(made: DeviceArray, value: Any) -> DeviceArray:  # noqa: ANN401 - any array-like
    with made.host("w") as view:
        if isinstance(value, np.ndarray) and value.shape == view.shape and value.dtype == view.dtype:
            copy_array(view, value)
        else:
            view[...] = value
    return made


def array(
    values: Any,  # noqa: ANN401 - any array-like
    dtype: Any = None,  # noqa: ANN401
    device: Any = None,  # noqa: ANN401
    engine: str | None = None,
) -> DeviceArray:
    """Make an array on a device with the values of a NumPy array, a list or another device array.

    Examples
    --------
    >>> array(np.arange(6, dtype=np.int16).reshape(2, 3)).shape
    (2, 3)
    """
    given = np.asarray(values) if dtype is None else np.asarray(values, dtype)
    return _filled(empty(given.shape, given.dtype, device, engine), given)


def copyto(target: Any, source: Any) -> None:  # noqa: ANN401 - arrays
    """Copy all values: between device arrays, or between one and a NumPy array. Done when it returns (K-40).

    Raises
    ------
    ArgumentError
        The shapes or element types differ.

    Examples
    --------
    >>> x, y = zeros(3), np.empty(3, np.float32)
    >>> copyto(x, np.arange(3, dtype=np.float32))
    >>> copyto(y, x)
    >>> y
    array([0., 1., 2.], dtype=float32)
    """
    given = source if isinstance(source, (DeviceArray, np.ndarray)) else np.asarray(source)
    for what, one, other in (("shape", target.shape, given.shape), ("dtype", target.dtype, given.dtype)):
        if one != other:
            remedy = f"source.astype({target.dtype})" if what == "dtype" else "copy a slice of the same shape"
            raise array_error(target, f"has {what} {one}, and the source has {other}", remedy)
    if not isinstance(target, DeviceArray):
        _copy_to_host(target, given)
    elif isinstance(given, DeviceArray) and given.base_data.engine is target.base_data.engine:
        _copy_between(given, target)
    elif isinstance(given, DeviceArray):
        with given.host("r") as view:
            _filled(target, view)
    else:
        _filled(target, given)


def _copy_to_host(target: np.ndarray[Any, Any], source: Any) -> None:  # noqa: ANN401 - an array
    if not isinstance(source, DeviceArray):
        copy_array(target, source)
        return
    with source.host("r") as view:
        copy_array(target, view)


def _copy_between(source: DeviceArray, target: DeviceArray) -> None:
    source.check()
    target.check()
    same = source.base_data is target.base_data
    if same and abs(source.offset - target.offset) < source.nbytes:
        _filled(target, source.numpy())
    elif source.base_data.device == target.base_data.device:
        copy_memory(source.base_data, source.offset, target, source.nbytes)
    else:
        _filled(target, source.numpy())


def free(*arrays: DeviceArray) -> None:
    """Give the memory of device arrays back now instead of when nobody holds them any more (K-42).

    Examples
    --------
    >>> x = zeros(8)
    >>> free(x)
    >>> x
    <clm array float32 (8,) on PoCL cpu, freed>
    """
    for one in arrays:
        one.free()
