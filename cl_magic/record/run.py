"""The record of one run: the only thing that pictures, tables and saved files are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.plan import LaunchPlan
from cl_magic.record.captures import Capture
from cl_magic.record.event import CommandEvent, Transfer

RECORD_VERSION = 1


@dataclass(frozen=True, slots=True)
class ArgumentFact:
    """One argument as it was given: its declaration and its value in short, ``float32 (512, 600)`` or ``2.0f``."""

    index: int
    declaration: str
    value: str
    direction: str = ""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One launch of one kernel: what was planned, what happened, how long it took, what it printed and changed.

    Attributes
    ----------
    kernel : str
    device : DeviceInfo
    plan : LaunchPlan
    arguments : tuple of ArgumentFact
    events : tuple of CommandEvent
        Every command of the run, in order of queueing.
    transfers : tuple of Transfer
    printf : str
        What the kernel printed, complete and in order, of all runs.
    captures : tuple of Capture
    program : str
        Digest of the program's spec.
    clock_offset_ns : int
        Host monotonic time minus device time, measured once at the run; 0 when not known.
    host_start_ns, host_end_ns : int
        Host monotonic clock around the call in the engine.
    repeat, warmup : int
    restored : bool
        Whether read-write arrays were put back before each run.
    engine : str
        "inline" or "worker".
    status : {"complete", "failed"}
    error : str
    notes : tuple of str
        What was done that the user did not ask for, one sentence each.
    created : str
        ISO 8601 time, UTC.
    """

    kernel: str
    device: DeviceInfo
    plan: LaunchPlan
    arguments: tuple[ArgumentFact, ...] = ()
    events: tuple[CommandEvent, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    printf: str = ""
    captures: tuple[Capture, ...] = ()
    program: str = ""
    clock_offset_ns: int = 0
    host_start_ns: int = 0
    host_end_ns: int = 0
    repeat: int = 1
    warmup: int = 0
    restored: bool = False
    engine: str = ""
    status: Literal["complete", "failed"] = "complete"
    error: str = ""
    notes: tuple[str, ...] = ()
    created: str = ""
    version: int = RECORD_VERSION
