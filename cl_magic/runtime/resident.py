"""Arguments that already live on a device: PyOpenCL's buffers and arrays. Their own context decides where to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cl_magic.launch.request import ArrayArgument
from cl_magic.record.event import Transfer
from cl_magic.runtime.opencl import opencl


class ResidentArray:
    """A ``cl.Buffer`` or ``cl.array.Array`` as the memory it is: buffer, and where its data begins and ends.

    Parameters
    ----------
    buffer : pyopencl.Buffer
    offset_bytes, nbytes : int
        The array's part of the buffer.
    array : pyopencl.array.Array, optional
        The array, where it is one: it knows which of PyOpenCL's commands still use it.
    """

    __slots__ = ("_parts", "array", "buffer", "nbytes", "offset_bytes")

    def __init__(self, buffer: Any, offset_bytes: int, nbytes: int, array: Any = None) -> None:  # noqa: ANN401
        self.buffer = buffer
        self.offset_bytes = offset_bytes
        self.nbytes = nbytes
        self.array = array
        self._parts: tuple[Any, ...] = ()

    def settle(self) -> None:
        """Wait for what PyOpenCL still does with the array on a queue of the user's: ours is another one."""
        if self.array is not None:
            self.array.finish()

    def follow(self, event: Any) -> None:  # noqa: ANN401 - PyOpenCL's event
        """Make what PyOpenCL does next with the array wait for our command."""
        if self.array is not None:
            self.array.add_event(event)

    def argument(self, argument: ArrayArgument) -> Any:  # noqa: ANN401 - PyOpenCL's buffer
        """What to set for an argument: the buffer, or the sub-buffer that begins where the array does."""
        offset = self.offset_bytes + argument.offset_bytes
        if offset == 0:
            return self.buffer
        part = self.buffer.get_sub_region(offset, argument.nbytes or self.nbytes)
        self._parts += (part,)  # setting an argument retains nothing
        return part

    def transfer(self, argument: ArrayArgument) -> Transfer:
        """Nothing moved; said once."""
        label = argument.label or argument.name
        return Transfer(argument.name, label, "to device", 0, how="already on the device", reason=argument.reason)


def resident(value: Any) -> ResidentArray | None:  # noqa: ANN401 - any argument
    """The memory of a PyOpenCL object; None for anything else."""
    if isinstance(value, opencl().MemoryObjectHolder):
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
