"""One command of a queue with its four times, and one transfer. Values (OpenCL 1.2, 5.12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CommandKind = Literal["kernel", "write", "read", "copy", "map", "unmap", "fill", "restore"]


@dataclass(frozen=True, slots=True)
class CommandEvent:
    """A command as its event reports it.

    Attributes
    ----------
    kind : str
        "kernel", "write" (to the device), "read" (back), "copy", "map", "unmap", "fill", "restore" (a read-write array
        put back before a repeated run).
    name : str
        Kernel name, or the array's label.
    queue : int
        Number of the command-queue, from 0.
    queued_ns, submit_ns, start_ns, end_ns : int
        The device's clock. Comparable within one device only; ``RunRecord.clock_offset_ns`` leads to the host's.
    nbytes : int
        Bytes moved, 0 for kernels.
    run : int
        0 for what happens once; 1, 2, … for repeated runs; warm-up runs count from -1 down.
    part : int
        Index of the plan's part, for kernels.
    clamped : bool
        True where the driver's times were missing or out of order and had to be clamped.
    """

    kind: CommandKind
    name: str
    queued_ns: int
    submit_ns: int
    start_ns: int
    end_ns: int
    queue: int = 0
    nbytes: int = 0
    run: int = 0
    part: int = 0
    clamped: bool = False

    @property
    def duration_ns(self) -> int:
        """Start to end."""
        return self.end_ns - self.start_ns

    @property
    def warmup(self) -> bool:
        """Whether it belongs to a warm-up run."""
        return self.run < 0


@dataclass(frozen=True, slots=True)
class Transfer:
    """Bytes that moved for one argument, and how.

    Attributes
    ----------
    parameter, label : str
        Kernel parameter and the user's array.
    direction : {"to device", "from device"}
    nbytes : int
    duration_ns : int
        Of the commands; 0 where nothing was copied by a command.
    how : str
        One phrase: ``copied``, ``shared memory, copied once``, ``used in place``, ``gathered from a strided array``.
    reason : str
        Why this direction: ``const in the source``.
    """

    parameter: str
    label: str
    direction: Literal["to device", "from device"]
    nbytes: int
    duration_ns: int = 0
    how: str = "copied"
    reason: str = ""
