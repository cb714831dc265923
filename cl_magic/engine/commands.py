"""The commands that an engine executes. Values: they pickle, become JSON, and hold no live object.

Arrays do not travel inside a command but beside it, as the ``arrays`` of
:meth:`cl_magic.engine.protocol.Engine.submit`. Memory of a device is named by the number that its engine gave it. Every
command has a `work`, by which the runtime, a layer below, knows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from cl_magic.build.spec import ProgramSpec
from cl_magic.launch.request import LaunchRequest


@dataclass(frozen=True, slots=True)
class Inspect:
    """Ask for the facts of the engine's devices → tuple of DeviceInfo."""

    work: ClassVar[str] = "inspect"


@dataclass(frozen=True, slots=True)
class InspectImages:
    """Ask which images a device takes → ImageSupport."""

    work: ClassVar[str] = "images"
    device: str


@dataclass(frozen=True, slots=True)
class Build:
    """Build a program on one device → BuildResult (also when the build fails). The engine keeps it by digest."""

    work: ClassVar[str] = "build"
    spec: ProgramSpec
    device: str


@dataclass(frozen=True, slots=True)
class Extract:
    """Take the code out of a program that was built on `device` → Extracted. Some drivers die of it."""

    work: ClassVar[str] = "extract"
    program: str
    device: str


@dataclass(frozen=True, slots=True)
class Launch:
    """Launch a kernel of a program that was built on `device` → RunRecord. Arrays are written back in place."""

    work: ClassVar[str] = "launch"
    request: LaunchRequest
    device: str


@dataclass(frozen=True, slots=True)
class Allocate:
    """Make `nbytes` of the host's memory, the one array beside the command, memory of a device → True.

    `filled` says that what the host's memory holds is the array's contents.
    """

    work: ClassVar[str] = "allocate"
    device: str
    memory: int
    nbytes: int
    filled: bool = False


@dataclass(frozen=True, slots=True)
class Free:
    """Let go of a device's memory, after every command that came before → True."""

    work: ClassVar[str] = "free"
    device: str
    memory: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """Map a part of a device's memory for the host, or give it back to the device → True.

    Attributes
    ----------
    action : {"map", "unmap"}
    access : {"r", "w", "rw"}
        "w": the host writes all of it, so that nothing is brought over first (OpenCL 1.2, 5.4.3).
    offset_bytes, nbytes : int
    """

    work: ClassVar[str] = "transfer"
    device: str
    memory: int
    action: Literal["map", "unmap"]
    access: Literal["r", "w", "rw"]
    offset_bytes: int
    nbytes: int


@dataclass(frozen=True, slots=True)
class Copy:
    """Copy `nbytes` from one memory of a device to another (or within one, apart) → True."""

    work: ClassVar[str] = "copy"
    device: str
    source: int
    target: int
    source_offset_bytes: int
    target_offset_bytes: int
    nbytes: int


@dataclass(frozen=True, slots=True)
class Prepare:
    """Check and set a launch whose arrays are all on the device, to be run by `handle` → whether it may print."""

    work: ClassVar[str] = "prepare"
    request: LaunchRequest
    device: str
    handle: int


@dataclass(frozen=True, slots=True)
class Collect:
    """Wait for run `run` of a prepared launch → RunRecord; what the run ended with is then forgotten."""

    work: ClassVar[str] = "collect"
    device: str
    run: int


@dataclass(frozen=True, slots=True)
class Poll:
    """Ask whether run `run` of a prepared launch is over → bool."""

    work: ClassVar[str] = "poll"
    device: str
    run: int


Command = (
    Inspect | InspectImages | Build | Extract | Launch | Allocate | Free | Transfer | Copy | Prepare | Collect | Poll
)
