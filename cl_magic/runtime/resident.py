"""Arguments that already live on a device: PyOpenCL's buffers and arrays. Their own context decides where to run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cl_magic.launch.request import ArrayArgument
from cl_magic.record.event import Transfer
from cl_magic.runtime.opencl import opencl


@dataclass(frozen=True, slots=True)
class ResidentArray:
    """A ``cl.Buffer`` or ``cl.array.Array`` as the memory it is: buffer, and where its data begins and ends."""

    buffer: Any
    offset_bytes: int
    nbytes: int
    array: Any = None
    parts: list[Any] = field(default_factory=list)

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
        self.parts.append(part)  # setting an argument retains nothing
        return part

    def transfer(self, argument: ArrayArgument) -> Transfer:
        """Nothing moved; said once."""
        label = argument.label or argument.name
        return Transfer(argument.name, label, "to device", 0, how="already on the device", reason=argument.reason)


def resident(value: Any) -> ResidentArray | None:  # noqa: ANN401 - any argument
    """The memory of a PyOpenCL object; None for anything else."""
    if isinstance(value, opencl().MemoryObjectHolder):
        return ResidentArray(value, 0, int(value.size))
    if hasattr(value, "base_data") and hasattr(value, "offset"):
        return ResidentArray(value.base_data, int(value.offset), int(value.nbytes), value)
    return None
