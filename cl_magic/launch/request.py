"""A launch as a value: which kernel of which program, its bound arguments, its plan, and what to record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cl_magic.launch.plan import LaunchPlan

Direction = Literal["in", "out", "inout"]
CaptureMode = Literal["auto", "none", "full"]


@dataclass(frozen=True, slots=True)
class ScalarArgument:
    """A value argument: its bytes, little end first, as the parameter's type lays them out."""

    index: int
    name: str
    type_name: str
    data: bytes
    text: str
    """The value as the record shows it: ``2.0f``."""


@dataclass(frozen=True, slots=True)
class LocalArgument:
    """A ``__local`` pointer argument of `nbytes` bytes."""

    index: int
    name: str
    type_name: str
    nbytes: int


@dataclass(frozen=True, slots=True)
class NullArgument:
    """A null pointer (Python None) for a global or constant pointer."""

    index: int
    name: str
    type_name: str


@dataclass(frozen=True, slots=True)
class ArrayArgument:
    """An array argument: entry `slot` of the arrays that travel beside the command.

    Attributes
    ----------
    slot : int
        Index in the ``arrays`` of :meth:`cl_magic.engine.protocol.Engine.submit`. Two arguments whose memory is
        identical share a slot.
    direction : {"in", "out", "inout"}
        "in": only uploaded. "out" and "inout": uploaded (written never means wholly overwritten) and brought back.
    shape, dtype : tuple of int, str
        NumPy shape and ``dtype.str`` (a list of fields is not supported yet).
    contiguous : bool
        False: the array is strided, the engine gathers and scatters it.
    label : str
        The user's name of the array where known, else the parameter's name.
    offset_bytes, nbytes : int
        The part of the slot's memory that this argument is: 0 and its size for a whole array.
    reason : str
        Why this direction, one phrase: ``const in the source``, ``the kernel writes it``.
    """

    index: int
    name: str
    type_name: str
    slot: int
    direction: Direction
    shape: tuple[int, ...]
    dtype: str
    nbytes: int
    contiguous: bool = True
    label: str = ""
    offset_bytes: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """One call of a kernel.

    Attributes
    ----------
    program : str
        Digest of the built program (``ProgramSpec.digest``) for the plan's parts; `rebuilt` for a plan that needed a
        program of its own.
    repeat, warmup : int
        Timed and untimed runs; read-write arrays are restored before each but the first when `restore`.
    """

    program: str
    kernel: str
    plan: LaunchPlan
    scalars: tuple[ScalarArgument, ...] = ()
    locals: tuple[LocalArgument, ...] = ()
    nulls: tuple[NullArgument, ...] = ()
    arrays: tuple[ArrayArgument, ...] = ()
    repeat: int = 1
    warmup: int = 0
    restore: bool = True
    capture: CaptureMode = "auto"
    timeout: float | None = None
