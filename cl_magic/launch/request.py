"""A launch as a value: which kernel of which program, its bound arguments, its plan, and what to record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from cl_magic.clc.signature import AccessQualifier
from cl_magic.launch.plan import LaunchPlan

Direction = Literal["in", "out", "inout"]
CaptureMode = Literal["auto", "none", "full"]
Addressing = Literal["none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat"]
Filter = Literal["nearest", "linear"]


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
class Member:
    """A member of an array's records: its path, ``dtype.str`` of one element, bytes from the record's begin, shape."""

    name: str
    dtype: str
    offset_bytes: int
    shape: tuple[int, ...] = ()


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
    columns : int
        Of the last axis, how many hold data: 3 of the 4 of a widened vector of three; 0 for all.
    members : tuple of Member
        Of records; empty for numbers.
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
    columns: int = field(default=0, kw_only=True)
    members: tuple[Member, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class ImageArgument(ArrayArgument):
    """An image argument: an array argument whose memory becomes an image object (OpenCL 1.2, 5.3).

    Attributes
    ----------
    kind : str
        ``image1d``, ``image1d_buffer``, ``image1d_array``, ``image2d``, ``image2d_array`` or ``image3d``.
    access : {"read_only", "write_only", "read_write"}
        Qualifier of the parameter; `direction` follows from it.
    channel_order, channel_type : str
        OpenCL's names without ``CL_``: ``RGBA``, ``UNORM_INT8``.
    pixels : tuple of int
        Width, then height, then depth or array size, as many as the kind has.
    pixel_bytes : int
        Bytes of one pixel; a row has `width` times as many, without gaps.
    """

    kind: str = "image2d"
    access: AccessQualifier = "read_only"
    channel_order: str = "RGBA"
    channel_type: str = "UNORM_INT8"
    pixels: tuple[int, ...] = ()
    pixel_bytes: int = 0

    @property
    def row_bytes(self) -> int:
        """Bytes from one row to the next."""
        return self.pixel_bytes * self.pixels[0]

    @property
    def region(self) -> tuple[int, int, int]:
        """`pixels` with three entries, as commands take them (OpenCL 1.2, 5.3.3)."""
        x, y, z = (*self.pixels, 1, 1)[:3]
        return x, y, z

    @property
    def format(self) -> str:
        """Channel order and type: ``RGBA UNORM_INT8``."""
        return f"{self.channel_order} {self.channel_type}"


@dataclass(frozen=True, slots=True)
class SamplerArgument:
    """A sampler argument (OpenCL 1.2, 5.5): how coordinates outside an image and between its pixels are read."""

    index: int
    name: str
    normalized: bool
    addressing: Addressing
    filter: Filter


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """One call of a kernel.

    Attributes
    ----------
    program : str
        Digest of the built program (``ProgramSpec.digest``) for the plan's parts; `rebuilt` for a plan that needed a
        program of its own.
    images : tuple of ImageArgument
        Their slots follow those of `arrays`; each image has a slot of its own.
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
    images: tuple[ImageArgument, ...] = ()
    samplers: tuple[SamplerArgument, ...] = ()


def runs_once(request: LaunchRequest) -> bool:
    """Whether a launch is to run once and leave no captures: then it may only be enqueued.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> runs_once(LaunchRequest("", "f", LaunchPlan((8,), (0,), (8,), "", "uniform", (), (1,)), capture="none"))
    True
    """
    return request.capture == "none" and request.repeat == 1 and not request.warmup
