"""Arrays on their way to the device and back: used in place on a CPU, copied by commands elsewhere.

In place means CL_MEM_USE_HOST_PTR (OpenCL 1.2, 5.2.1): the kernel works on the array's own memory, and a map makes the
result visible to the host (5.4.3). Everything that is done is told as a Transfer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cl_magic.errors import ArgumentError
from cl_magic.launch.request import ArrayArgument
from cl_magic.record.event import CommandEvent, Transfer
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.events import EventLog
from cl_magic.runtime.opencl import opencl

_Direction = Literal["to device", "from device"]
_ELEMENT_BYTES = {
    "char": 1, "uchar": 1, "bool": 1, "short": 2, "ushort": 2, "half": 2, "int": 4, "uint": 4, "float": 4,
    "long": 8, "ulong": 8, "double": 8, "size_t": 8,
}  # fmt: skip
_VECTOR = re.compile(r"([a-z_]+?)(2|3|4|8|16)?")
_LARGEST_ALIGNMENT = 128  # of long16, which a structure may hold


def alignment_of(type_name: str) -> int:
    """Bytes at which what a pointer type leads to must begin (OpenCL C 1.2, 6.1.5: its size; 3 counts as 4).

    A type that is not built in may hold the largest vector.

    Examples
    --------
    >>> alignment_of("float*"), alignment_of("float3*"), alignment_of("struct particle*")
    (4, 16, 128)
    """
    found = _VECTOR.fullmatch(type_name.removesuffix("*").strip())
    size = _ELEMENT_BYTES.get(found[1]) if found else None
    if found is None or size is None:
        return _LARGEST_ALIGNMENT
    width = int(found[2] or 1)
    return size * (4 if width == 3 else width)  # noqa: PLR2004 - three components take the room of four


class HostArray:
    """One NumPy array of a launch and its buffer; arguments with the same memory share it.

    Parameters
    ----------
    where : DeviceContext
    array : ndarray
    arguments : sequence of ArrayArgument
        Those whose slot this array is; at least one.
    """

    def __init__(self, where: DeviceContext, array: npt.NDArray[Any], arguments: Sequence[ArrayArgument]) -> None:
        self.array = array
        self.arguments = tuple(arguments)
        self.writes = any(argument.direction != "in" for argument in arguments)
        self.label = arguments[0].label or arguments[0].name
        self.gathered = not all(a.contiguous for a in arguments) or not array.flags.forc
        self.host = _flat(np.array(array, order="C") if self.gathered else array)
        self.in_place = where.in_place and self.host.size > 0 and self.host.ctypes.data % self._alignment == 0
        self._queue = where.queue
        self.buffer = self._buffer(where)
        self._backup: Any = None
        self._moved: list[int] = []
        self._parts: dict[tuple[int, int], Any] = {}

    @property
    def _alignment(self) -> int:
        return max(alignment_of(argument.type_name) for argument in self.arguments)

    def _buffer(self, where: DeviceContext) -> Any:  # noqa: ANN401 - PyOpenCL's buffer
        cl = opencl()
        flags = cl.mem_flags.READ_WRITE if self.writes else cl.mem_flags.READ_ONLY
        if self.in_place:
            return cl.Buffer(where.context, flags | cl.mem_flags.USE_HOST_PTR, hostbuf=self.host)
        return cl.Buffer(where.context, flags, max(self.host.nbytes, 1))  # a buffer cannot be empty

    def argument(self, argument: ArrayArgument) -> Any:  # noqa: ANN401 - PyOpenCL's buffer
        """What to set for an argument: the buffer, or the sub-buffer of its part (OpenCL 1.2, 5.2.1).

        Sub-buffers are kept: setting an argument retains nothing, and PoCL aborts when one is gone at the enqueue.
        """
        place = (argument.offset_bytes, argument.nbytes)
        if place in {(0, 0), (0, self.host.nbytes)}:
            return self.buffer
        if place not in self._parts:
            self._parts[place] = self.buffer.get_sub_region(*place)
        return self._parts[place]

    def upload(self, log: EventLog) -> None:
        """Queue the copy to the device, where there is one."""
        if not self.in_place and self.host.size:
            event = self._sent()
            self._moved.append(log.add("write", self.label, event, self.host.nbytes))

    def keep(self, log: EventLog) -> None:
        """Keep a copy on the device for :meth:`restore`; only what is written needs one."""
        if self.writes and self.host.size:
            self._backup = self._room()
            log.add("copy", self.label, self._kept(self._backup), self.host.nbytes)

    def restore(self, log: EventLog) -> None:
        """Put the kept values back, on the device."""
        if self._backup is not None:
            log.add("restore", self.label, self._restored(self._backup), self.host.nbytes)

    def download(self, log: EventLog) -> None:
        """Bring what the kernel wrote back to the host; the queue must finish before :meth:`scatter`."""
        if not self.writes or not self.host.size:
            return
        if not self.in_place:
            event = self._fetched()
            self._moved.append(log.add("read", self.label, event, self.host.nbytes))
            return
        mapped, event = self._mapped()
        log.add("map", self.label, event)
        log.add("unmap", self.label, mapped.base.release(self._queue))

    def _sent(self) -> Any:  # noqa: ANN401 - PyOpenCL's event, as below
        return opencl().enqueue_copy(self._queue, self.buffer, self.host, is_blocking=False)

    def _fetched(self) -> Any:  # noqa: ANN401
        return opencl().enqueue_copy(self._queue, self.host, self.buffer, is_blocking=False)

    def _room(self) -> Any:  # noqa: ANN401
        cl = opencl()
        return cl.Buffer(self.buffer.context, cl.mem_flags.READ_WRITE, self.host.nbytes)

    def _kept(self, backup: Any) -> Any:  # noqa: ANN401
        return opencl().enqueue_copy(self._queue, backup, self.buffer, byte_count=self.host.nbytes)

    def _restored(self, backup: Any) -> Any:  # noqa: ANN401
        return opencl().enqueue_copy(self._queue, self.buffer, backup, byte_count=self.host.nbytes)

    def _mapped(self) -> tuple[Any, Any]:
        cl = opencl()
        mapped, event = cl.enqueue_map_buffer(
            self._queue, self.buffer, cl.map_flags.READ, 0, self.host.shape, np.uint8, is_blocking=False
        )
        return mapped, event

    def scatter(self) -> None:
        """Write a gathered array's values back to where they came from."""
        if self.gathered and self.writes:
            self.array[...] = self.host.view(self.array.dtype).reshape(self.array.shape)

    def transfers(self, events: Sequence[CommandEvent]) -> tuple[Transfer, ...]:
        """What moved, one value an argument and direction; `events` are what the log gave since the last call."""
        told = []
        for place, argument in enumerate(self.arguments):
            first = self.arguments[0] if place else None
            told.append(self._transfer(argument, "to device", events, first))
            if argument.direction != "in":
                first = next(a for a in self.arguments if a.direction != "in")
                told.append(self._transfer(argument, "from device", events, None if first is argument else first))
        self._moved.clear()
        return tuple(told)

    def _transfer(
        self,
        argument: ArrayArgument,
        direction: _Direction,
        events: Sequence[CommandEvent],
        first: ArrayArgument | None,
    ) -> Transfer:
        label = argument.label or argument.name
        if first is not None:
            how, nbytes, duration_ns = f"same memory as {first.name}", 0, 0
        else:
            kind = "write" if direction == "to device" else "read"
            duration_ns = sum(events[i].duration_ns for i in self._moved if events[i].kind == kind)
            how, nbytes = self._how(direction), 0 if self.in_place and not self.gathered else self.host.nbytes
        return Transfer(argument.name, label, direction, nbytes, duration_ns, how, argument.reason)

    def _how(self, direction: str) -> str:
        if self.gathered:
            return "gathered from a strided array" if direction == "to device" else "scattered to a strided array"
        return "used in place" if self.in_place else "copied"


def check_room(where: DeviceContext, arguments: Sequence[ArrayArgument], sizes: Sequence[int]) -> None:
    """Refuse what the device cannot hold, before anything is allocated.

    Parameters
    ----------
    arguments : sequence of ArrayArgument
        One for each array.
    sizes : sequence of int
        Bytes of the arrays.

    Raises
    ------
    ArgumentError
        One array is over CL_DEVICE_MAX_MEM_ALLOC_SIZE, or all together over CL_DEVICE_GLOBAL_MEM_SIZE.
    """
    info = where.info
    for argument, nbytes in zip(arguments, sizes, strict=True):
        if 0 < info.max_alloc_bytes < nbytes:
            limit = _spaced(info.max_alloc_bytes)
            message = (
                f"{argument.name} has {_spaced(nbytes)} bytes; {info.short_name} allocates at most {limit} at once"
            )
            facts = {"parameter": argument.name, "nbytes": nbytes, "limit": info.max_alloc_bytes}
            raise ArgumentError(message, remedy="pass a part of the array, or pick another device", **facts)
    total = sum(sizes)
    if 0 < info.global_mem_bytes < total:
        limit = _spaced(info.global_mem_bytes)
        message = f"the arrays have {_spaced(total)} bytes; {info.short_name} has {limit} bytes of global memory"
        facts = {"parameter": "", "nbytes": total, "limit": info.global_mem_bytes}
        raise ArgumentError(message, remedy="pass parts of the arrays, or pick another device", **facts)


def _spaced(number: int) -> str:
    return f"{number:_}".replace("_", " ")


def _flat(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The array's memory as bytes, without a copy; Fortran order counts as contiguous."""
    ordered = array if array.flags.c_contiguous else array.T
    return ordered.reshape(-1).view(np.uint8)
