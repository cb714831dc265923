"""Which arrays of a launch are captured, and as what they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from cl_magic.launch.members import record_dtype
from cl_magic.launch.request import ArrayArgument, LaunchRequest
from cl_magic.record.capture_arrays import Watch
from cl_magic.record.captures import Capture


def watch_arrays(request: LaunchRequest, arrays: Sequence[Any]) -> tuple[Callable[[], Capture], ...]:
    """Look at the arrays before the run; each callable looks again and gives the capture.

    "auto" captures nothing of repeated runs. Arguments that are the same memory are captured once. What lives on the
    device already is not captured: reading it would be a transfer that nobody asked for.
    """
    repeated = request.repeat + request.warmup > 1
    if request.capture == "none" or (request.capture == "auto" and repeated):
        return ()
    groups: dict[tuple[int, int, int], list[ArrayArgument]] = {}
    for argument in (*request.arrays, *request.images):
        groups.setdefault((argument.slot, argument.offset_bytes, argument.nbytes), []).append(argument)
    return tuple(
        _watch(arrays[slot], group, request)
        for (slot, _, _), group in groups.items()
        if slot < len(arrays) and isinstance(arrays[slot], np.ndarray)
    )


def _watch(array: npt.NDArray[Any], group: Sequence[ArrayArgument], request: LaunchRequest) -> Callable[[], Capture]:
    first = group[0]
    writes = any(argument.direction != "in" for argument in group)
    seen = typed_view(argument_view(array, first), first)
    watch = Watch(seen, first.name, first.label or first.name, writes=writes, mode=request.capture)
    element = first.type_name.removesuffix("*").strip() if first.type_name.endswith("*") else ""
    return lambda: replace(watch.finish(seen), element_type=element)


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
