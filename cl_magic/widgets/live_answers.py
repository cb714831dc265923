"""Answers to a picture that asks for exact elements: read from the array itself, if it is still what the run left."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.engine.commands import Transfer
from cl_magic.engine.device_memory import DeviceMemory
from cl_magic.engine.following import ArgumentMemory, memory_of_last
from cl_magic.errors import ArgumentError
from cl_magic.record.captures import Capture, Picture

MOST_BYTES = 4 * 1024 * 1024
_CELLS = 64
_Answer = tuple[dict[str, Any], list[bytes]]
_Slices = tuple[slice, ...]


def answer(kernel: str, capture: Capture | None, request: dict[str, Any]) -> _Answer:
    """Answer one question of a picture.

    Parameters
    ----------
    kernel : str
    capture : Capture or None
        What the picture shows; elements that differ from it are not given. None: whatever is there now.
    request : dict
        ``{"part": "elements", "array", "start", "stop", "step"}`` or ``{"part": "bytes", "array", "start", "count"}``.

    Raises
    ------
    ArgumentError
        The array is gone, is used by a launch, or the part is not one of it.

    Examples
    --------
    >>> try:
    ...     answer("never launched", None, {"part": "bytes", "array": "x"})
    ... except ArgumentError as error:
    ...     print(error.remedy)
    run it again
    """
    name = str(request.get("array"))
    found = memory_of_last(kernel, name)
    if found is None or (capture is not None and (tuple(found.argument.shape) != tuple(capture.shape))):
        message = f"the array {name} is no longer there, or another launch used another one"
        raise ArgumentError(message, remedy="run it again", array=name)
    if request.get("part") == "bytes":
        return _bytes(found, int(request["start"]), int(request["count"]))
    shape = tuple(found.argument.shape)
    slices = _slices(request, shape)
    values = _elements(found, slices)
    if values.nbytes > MOST_BYTES:
        message = f"{values.nbytes} B at once are too many; at most {MOST_BYTES}"
        raise ArgumentError(message, remedy="ask for a smaller part", array=name)
    if capture is not None and not _agrees(capture.picture_after or capture.picture_before, slices, values):
        return {"changed": "the array was written again since this run"}, []
    little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    return {"dtype": little.dtype.str, "shape": list(little.shape)}, [little.tobytes()]


def _slices(request: dict[str, Any], shape: tuple[int, ...]) -> _Slices:
    start, stop, step = ([int(n) for n in request[name]] for name in ("start", "stop", "step"))
    fits = len(start) == len(stop) == len(step) <= len(shape)
    if not fits or any(not 0 <= a < b <= n or s < 1 for a, b, s, n in zip(start, stop, step, shape, strict=False)):
        message = f"no part from {start} to {stop} by {step} in an array of shape {shape}"
        raise ArgumentError(message, remedy="ask for indices inside it", shape=shape)
    return tuple(slice(a, b, s) for a, b, s in zip(start, stop, step, strict=True))


def _elements(found: ArgumentMemory, slices: _Slices) -> NDArray[Any]:
    argument, memory = found.argument, found.memory
    dtype, shape = np.dtype(argument.dtype), tuple(argument.shape)
    if not isinstance(memory, DeviceMemory):
        view = (
            memory
            if memory.shape == shape
            else memory.reshape(-1)
            .view(np.uint8)[argument.offset_bytes : argument.offset_bytes + argument.nbytes]
            .view(dtype)
            .reshape(shape)
        )
        return view[slices]
    row = math.prod(shape[1:]) * dtype.itemsize
    first = slices[0] if slices else slice(0, 1)
    begin = argument.offset_bytes + first.start * row
    data = _mapped(memory, begin, (first.stop - first.start) * row)
    rows = data.view(dtype).reshape(first.stop - first.start, *shape[1:]) if shape else data.view(dtype)[0:1]
    return rows[(slice(None, None, first.step), *slices[1:])] if shape else rows


def _mapped(memory: DeviceMemory, begin: int, nbytes: int) -> NDArray[np.uint8]:
    """Bytes of a device's memory: only these are brought over."""
    if memory.barred or memory.in_flight:
        message = f"the array {memory.barred or 'is used by a launch that was not waited for'}"
        raise ArgumentError(message, remedy="look again when that is over")
    engine = memory.engine
    engine.submit(Transfer(memory.device, memory.number, "map", "r", begin, nbytes), (memory,)).result()
    assert memory.host is not None  # noqa: S101 - not barred
    try:
        return (
            np.array(memory.host[begin : begin + nbytes])
            if nbytes <= MOST_BYTES
            else memory.host[begin : begin + nbytes]
        )
    finally:
        engine.submit(Transfer(memory.device, memory.number, "unmap", "r", begin, nbytes), (memory,))


def _bytes(found: ArgumentMemory, start: int, count: int) -> _Answer:
    argument, memory = found.argument, found.memory
    start = max(0, min(start, argument.nbytes - 1))
    count = max(1, min(count, 4096, argument.nbytes - start))
    if isinstance(memory, DeviceMemory):
        return {"start": start}, [_mapped(memory, argument.offset_bytes + start, count).tobytes()]
    size = memory.dtype.itemsize
    whole = np.arange(start // size, min(-(-(start + count) // size), memory.size))
    data = memory[np.unravel_index(whole, memory.shape)].tobytes() if memory.ndim else memory.tobytes()
    begin = start - start // size * size
    return {"start": start}, [data[begin : begin + count]]


def _agrees(picture: Picture | None, slices: _Slices, values: NDArray[Any]) -> bool:
    """Whether elements are those that the picture was made of, as far as its whole cells among them say."""
    if picture is None or any(part.step != 1 for part in slices) or values.dtype.kind not in "biuf":
        return True
    cells: NDArray[Any] = np.frombuffer(picture.data, picture.dtype).reshape(picture.shape)
    if picture.method == "range" or len(slices) != cells.ndim:
        return True
    ranges = []
    for part, step in zip(slices, picture.step, strict=True):
        first, last = -(-part.start // step), part.stop // step
        ranges.append(range(first, min(last, first + max(1, int(_CELLS ** (1 / len(slices)))))))
    spread = float(np.ptp(cells[np.isfinite(cells)].astype(np.float64))) if np.isfinite(cells).any() else 0.0
    for index in np.ndindex(*(len(r) for r in ranges)):
        cell = tuple(r[i] for r, i in zip(ranges, index, strict=True))
        begin = [c * s - part.start for c, s, part in zip(cell, picture.step, slices, strict=True)]
        size = (1,) * len(begin) if picture.method == "sample" else picture.step
        block = values[tuple(slice(b, b + s) for b, s in zip(begin, size, strict=True))].astype(np.float64)
        kept, now = float(cells[cell]), float(block.mean())
        if not np.isclose(kept, now, rtol=1e-4, atol=1e-4 * spread, equal_nan=True):
            return False
    return True
