"""Which arrays of a launch are captured, and as what they are looked at."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from cl_magic.launch.members import record_dtype
from cl_magic.launch.request import ArrayArgument, ImageArgument, LaunchRequest
from cl_magic.record.capture_arrays import Watch
from cl_magic.record.captures import CAPTURE_LIMIT_BYTES, Capture
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.resident import ResidentArray


def watch_arrays(request: LaunchRequest, arrays: Sequence[Any]) -> tuple[Callable[[], Capture], ...]:
    """Look at the arrays before the run; each callable looks again and gives the capture.

    "auto" captures nothing of repeated runs. Arguments that are the same memory are captured once. An engine's own
    memory on the device is read for it, up to the limit of "auto", and the capture says so; PyOpenCL's objects are not.
    """
    repeated = request.repeat + request.warmup > 1
    if request.capture == "none" or (request.capture == "auto" and repeated):
        return ()
    groups: dict[tuple[int, int, int], list[ArrayArgument]] = {}
    for argument in (*request.arrays, *request.images):
        groups.setdefault((argument.slot, argument.offset_bytes, argument.nbytes), []).append(argument)
    watches = []
    for (slot, _, _), group in groups.items():
        array = arrays[slot] if slot < len(arrays) else None
        if isinstance(array, np.ndarray):
            watches.append(_watch(array, group, request))
        elif isinstance(array, ResidentArray) and array.where is not None and _can_read(group[0]):
            watches.append(_watch_resident(array, group, request))
    return tuple(watches)


def _can_read(argument: ArrayArgument) -> bool:
    """Whether the bytes of a device's memory are the elements that an argument names."""
    whole = math.prod(argument.shape) * np.dtype(argument.dtype).itemsize
    return 0 < whole == argument.nbytes and not isinstance(argument, ImageArgument)


def _watch_resident(
    memory: ResidentArray, group: Sequence[ArrayArgument], request: LaunchRequest
) -> Callable[[], Capture]:
    first = group[0]
    label, element = first.label or first.name, _element(first)
    if request.capture == "auto" and first.nbytes > CAPTURE_LIMIT_BYTES:
        note = f"not captured: over {CAPTURE_LIMIT_BYTES >> 20} MiB and on the device; capture='full' reads it"
        capture = Capture(first.name, label, tuple(first.shape), first.dtype, note=note, element_type=element)
        return lambda: capture
    writes = any(argument.direction != "in" for argument in group)
    watch = Watch(_fetched(memory, first), first.name, label, writes=writes, mode=request.capture)

    def finish() -> Capture:
        times = "before and after" if writes else "before"
        found = watch.finish(_fetched(memory, first) if writes else None)
        return replace(found, element_type=element, note=f"read from the device {times} the run, for this capture")

    return finish


def _fetched(memory: ResidentArray, argument: ArrayArgument) -> npt.NDArray[Any]:
    """An argument's part of a device's memory as it is now."""
    assert memory.where is not None  # noqa: S101 - the caller asked
    host = np.empty(argument.shape, np.dtype(argument.dtype))
    place = {"src_offset": argument.offset_bytes, "is_blocking": True}
    opencl().enqueue_copy(memory.where.queue, host, memory.buffer, **place)
    return typed_view(host, argument)


def _element(argument: ArrayArgument) -> str:
    """What the kernel takes an element for; "" where that is not known."""
    return argument.type_name.removesuffix("*").strip() if argument.type_name.endswith("*") else ""


def _watch(array: npt.NDArray[Any], group: Sequence[ArrayArgument], request: LaunchRequest) -> Callable[[], Capture]:
    first = group[0]
    writes = any(argument.direction != "in" for argument in group)
    seen = typed_view(argument_view(array, first), first)
    watch = Watch(seen, first.name, first.label or first.name, writes=writes, mode=request.capture)
    return lambda: replace(watch.finish(seen), element_type=_element(first))


def typed_view(array: npt.NDArray[Any], argument: ArrayArgument) -> npt.NDArray[Any]:
    """An array as the kernel takes it: records by their members, a widened vector of three without its fourth place.

    Examples
    --------
    >>> wide = ArrayArgument(0, "x", "float3*", 0, "in", (2, 4), "<f4", 32, columns=3)
    >>> typed_view(np.zeros((2, 4), np.float32), wide).shape
    (2, 3)
    """
    if argument.columns:
        return array[..., : argument.columns]
    if not argument.members or array.dtype.kind != "V" or not array.flags.c_contiguous:
        return array
    return array.view(record_dtype(argument.members, array.dtype.itemsize))


def argument_view(array: npt.NDArray[Any], argument: ArrayArgument) -> npt.NDArray[Any]:
    """The part of a slot's array that an argument is, with the argument's dtype and shape; no copy.

    Examples
    --------
    >>> base = np.arange(4, dtype=np.float32)
    >>> part = ArrayArgument(0, "x", "float*", 0, "in", (2,), "<f4", 8, offset_bytes=8)
    >>> argument_view(base, part).tolist()
    [2.0, 3.0]
    """
    if argument.offset_bytes == 0 and argument.nbytes in {0, array.nbytes}:
        return array
    flat = array.reshape(-1).view(np.uint8)[argument.offset_bytes : argument.offset_bytes + argument.nbytes]
    return flat.view(np.dtype(argument.dtype)).reshape(argument.shape)
