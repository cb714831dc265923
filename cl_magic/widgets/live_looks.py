"""Copies of the arrays of a running loop, taken so that no frame shows half of two launches.

The launching thread takes the copy, between two launches; what is made of it is another thread's work. Of large arrays
on a device a sample is copied on the device, in order with the launches, into memory beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.engine.commands import Copy, Transfer
from cl_magic.engine.device_memory import DeviceMemory
from cl_magic.launch.request import ArrayArgument
from cl_magic.record.array_pictures import steps_for
from cl_magic.views.buffer_frame import Look

WHOLE_BYTES = 16 * 1024 * 1024
"""Up to this size an array is looked at as a whole; of larger ones a sample."""
_SAMPLE_CELLS = 1 << 20
_MOST_PIECES = 256
_LINE_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Taken:
    """A look on its way: `ready` waits and gives it, `release` ends the use of its memory."""

    ready: Callable[[], Look]
    release: Callable[[], None]


def host_look(argument: ArrayArgument, array: NDArray[Any]) -> Look:
    """Copy a NumPy array now.

    Examples
    --------
    >>> argument = ArrayArgument(0, "x", "float*", 0, "inout", (2,), "<f4", 8)
    >>> host_look(argument, np.ones(2, np.float32)).values.tolist()
    [1.0, 1.0]
    """
    dtype = array.dtype.newbyteorder("=") if array.dtype.kind in "iufc" else array.dtype
    steps = None if array.nbytes <= WHOLE_BYTES else steps_for(array.shape, _SAMPLE_CELLS)
    part = array if steps is None else array[tuple(slice(None, None, step) for step in steps)]
    return _look(argument, np.array(part, dtype, order="C"), array.shape, steps)


def _look(argument: ArrayArgument, values: NDArray[Any], shape: tuple[int, ...], steps: tuple[int, ...] | None) -> Look:
    element = argument.type_name.removesuffix("*").strip()
    return Look(values, argument.name, argument.label or argument.name, element, shape, steps)


def mapped_look(argument: ArrayArgument, memory: DeviceMemory) -> Look:
    """Copy an array of a device now, after its launches so far.

    A large one is for a device that works in the host's pages: mapping them moves nothing, and a sample is copied.

    Examples
    --------
    >>> mapped_look.__name__
    'mapped_look'
    """
    engine, begin, nbytes = memory.engine, argument.offset_bytes, argument.nbytes
    engine.submit(Transfer(memory.device, memory.number, "map", "r", begin, nbytes), (memory,)).result()
    assert memory.host is not None  # noqa: S101 - a launch has just used it
    try:
        return host_look(argument, memory.host[begin : begin + nbytes].view(argument.dtype).reshape(argument.shape))
    finally:
        engine.submit(Transfer(memory.device, memory.number, "unmap", "r", begin, nbytes), (memory,))


class DeviceLooks:
    """Looks at one argument in a device's memory, by way of two memories beside it.

    Parameters
    ----------
    argument : ArrayArgument
    memory : DeviceMemory
    """

    def __init__(self, argument: ArrayArgument, memory: DeviceMemory) -> None:
        self.key = (memory.engine, memory.device, argument.offset_bytes, argument.shape, argument.dtype)
        self._argument = argument
        self._step, kept = _pieces(argument)
        self._shape = (kept, *argument.shape[1:]) if argument.shape else ()
        self._nbytes = math.prod(self._shape) * np.dtype(argument.dtype).itemsize
        self._beside = [memory.engine.memory(memory.device, self._nbytes) for _ in range(2)]
        self._turn = 0

    def fits(self, argument: ArrayArgument, memory: DeviceMemory) -> bool:
        """Whether these memories serve that argument too."""
        return self.key == (memory.engine, memory.device, argument.offset_bytes, argument.shape, argument.dtype)

    def free(self) -> None:
        """Give the memories back."""
        for beside in self._beside:
            beside.free()

    def take(self, memory: DeviceMemory) -> Taken:
        """Copy it on the device, after the launches so far and before those to come."""
        beside = self._beside[self._turn]
        self._turn = 1 - self._turn
        engine, device = memory.engine, memory.device
        begin = self._argument.offset_bytes
        if self._step == 1:
            engine.submit(Copy(device, memory.number, beside.number, begin, 0, self._nbytes), (memory, beside))
        else:
            piece = self._nbytes // self._shape[0]
            for i in range(self._shape[0]):
                at = begin + i * self._step * piece
                engine.submit(Copy(device, memory.number, beside.number, at, i * piece, piece), (memory, beside))
        beside.wrote()
        mapped = engine.submit(Transfer(device, beside.number, "map", "r", 0, self._nbytes), (beside,))

        def ready() -> Look:
            mapped.result()
            assert beside.host is not None  # noqa: S101 - nobody else has it
            values = beside.host[: self._nbytes].view(np.dtype(self._argument.dtype)).reshape(self._shape)
            steps = None if self._step == 1 else (self._step, *(1 for _ in self._shape[1:]))
            return _look(self._argument, values, self._argument.shape, steps)

        def release() -> None:
            engine.submit(Transfer(device, beside.number, "unmap", "r", 0, self._nbytes), (beside,))

        return Taken(ready, release)


def _pieces(argument: ArrayArgument) -> tuple[int, int]:
    """Step along the first axis, and how many of its indices are looked at."""
    first = argument.shape[0] if argument.shape else 1
    piece = argument.nbytes // max(1, first)
    if argument.nbytes <= WHOLE_BYTES or (len(argument.shape) < 2 and argument.nbytes <= _LINE_BYTES):  # noqa: PLR2004 - rows
        return 1, first
    if len(argument.shape) < 2:  # noqa: PLR2004 - rows
        msg = f"{argument.name} is too long a line to be followed: {argument.nbytes} B"
        raise ValueError(msg)
    step = -(-first // max(1, min(_MOST_PIECES, WHOLE_BYTES // max(1, piece))))
    return step, -(-first // step)
