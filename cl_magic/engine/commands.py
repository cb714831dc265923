"""The commands that an engine executes. Values: they pickle, become JSON, and hold no live object.

Arrays do not travel inside a command but beside it, as the ``arrays`` of
:meth:`cl_magic.engine.protocol.Engine.submit`.
"""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.build.spec import ProgramSpec
from cl_magic.launch.request import LaunchRequest


@dataclass(frozen=True, slots=True)
class Inspect:
    """Ask for the facts of the engine's devices → tuple of DeviceInfo."""


@dataclass(frozen=True, slots=True)
class Build:
    """Build a program on one device → BuildResult (also when the build fails). The engine keeps it by digest."""

    spec: ProgramSpec
    device: str


@dataclass(frozen=True, slots=True)
class Launch:
    """Launch a kernel of a program that was built on `device` → RunRecord. Arrays are written back in place."""

    request: LaunchRequest
    device: str


Command = Inspect | Build | Launch
