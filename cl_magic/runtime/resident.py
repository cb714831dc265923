"""Arguments that already live on a device: PyOpenCL's buffers and arrays. Their own context decides where to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cl_magic.launch.request import ArrayArgument
from cl_magic.record.event import Transfer
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.events import EventLog
from cl_magic.runtime.opencl import opencl


class ResidentArray:
    """Memory on a device: a buffer, and where its data begins and ends.

    Parameters
    ----------
    buffer : pyopencl.Buffer or pyopencl.SVMPointer
    offset_bytes, nbytes : int
        The array's part of the buffer.
    array : pyopencl.array.Array, optional
        The array, where it is one: it knows which of PyOpenCL's commands still use it.
    where : DeviceContext, optional
        For memory of an engine: the context it was made in.
    host : numpy.ndarray, optional
        The host's memory under it, as bytes.
    """

    __slots__ = ("_parts", "array", "buffer", "host", "nbytes", "offset_bytes", "where")

    def __init__(
        self,
        buffer: Any,  # noqa: ANN401
        offset_bytes: int,
        nbytes: int,
        array: Any = None,  # noqa: ANN401
        *,
        where: DeviceContext | None = None,
        host: Any = None,  # noqa: ANN401
    ) -> None:
        self.buffer = buffer
        self.offset_bytes = offset_bytes
        self.nbytes = nbytes
        self.array = array
        self.where = where
        self.host = host
        self._parts: dict[tuple[int, int], Any] = {}

    @property
    def context(self) -> Any:  # noqa: ANN401 - PyOpenCL's context
        """The context it belongs to; None where it does not say (shared virtual memory)."""
        return self.where.context if self.where is not None else getattr(self.buffer, "context", None)

    def settle(self) -> None:
        """Wait for what PyOpenCL still does with the array on a queue of the user's: ours is another one."""
        if self.array is not None:
            self.array.finish()

    def follow(self, event: Any) -> None:  # noqa: ANN401 - PyOpenCL's event
        """Make what PyOpenCL does next with the array wait for our command."""
        if self.array is not None:
            self.array.add_event(event)

    def release(self) -> None:
        """Let go of the driver's memory now; the object may live longer."""
        self._parts.clear()
        self.buffer.release()

    def argument(self, argument: ArrayArgument) -> Any:  # noqa: ANN401 - PyOpenCL's buffer
        """What to set for an argument: the buffer, or the sub-buffer that begins where the array does (R-34).

        Sub-buffers are kept: setting an argument retains nothing.
        """
        offset = argument.offset_bytes if self.array is None else self.offset_bytes
        nbytes = argument.nbytes or self.nbytes
        if offset == 0 and (self.where is None or nbytes == self.nbytes):
            return self.buffer
        part = self._parts.get((offset, nbytes))
        if part is None:
            part = self._parts[offset, nbytes] = self.buffer.get_sub_region(offset, nbytes)
        return part

    def transfer(self, argument: ArrayArgument) -> Transfer:
        """Nothing moved; said once."""
        label = argument.label or argument.name
        return Transfer(argument.name, label, "to device", 0, how="already on the device", reason=argument.reason)


class Backup:
    """A written part of a device's memory as it was, to be put back before each run of several.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    memory : ResidentArray
    argument : ArrayArgument
        The part.
    log : EventLog
    """

    def __init__(self, queue: Any, memory: ResidentArray, argument: ArrayArgument, log: EventLog) -> None:  # noqa: ANN401
        cl = opencl()
        self._queue, self._memory = queue, memory
        self._offset = argument.offset_bytes if memory.array is None else memory.offset_bytes
        self._nbytes = argument.nbytes or memory.nbytes
        self._label = argument.label or argument.name
        self._kept = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, self._nbytes)
        places = {"byte_count": self._nbytes, "src_offset": self._offset}
        event = cl.enqueue_copy(queue, self._kept, memory.buffer, **places)
        log.add("copy", self._label, event, self._nbytes)

    def restore(self, log: EventLog) -> None:
        """Put the values back, on the device."""
        places = {"byte_count": self._nbytes, "dst_offset": self._offset}
        event = opencl().enqueue_copy(self._queue, self._memory.buffer, self._kept, **places)
        log.add("restore", self._label, event, self._nbytes)


def resident(value: Any) -> ResidentArray | None:  # noqa: ANN401 - any argument
    """The memory of a PyOpenCL object, or of an engine's own; None for anything else."""
    if isinstance(value, ResidentArray):
        return value
    cl = opencl()
    if isinstance(value, cl.MemoryObjectHolder):
        return ResidentArray(value, 0, value.size)
    if isinstance(value, cl.SVMPointer):
        return ResidentArray(value, 0, value.size)
    if hasattr(value, "base_data") and hasattr(value, "offset"):
        return ResidentArray(value.base_data, int(value.offset), int(value.nbytes), value)
    return None


def residents(arrays: Sequence[Any]) -> list[ResidentArray | None]:
    """The same for each of the arrays of a launch.

    Examples
    --------
    >>> residents([None, 3])
    [None, None]
    """
    return [resident(array) for array in arrays]
