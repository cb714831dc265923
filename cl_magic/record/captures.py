"""What was kept of an array around a run: statistics of all its elements, a picture of at most 65,536 cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from cl_magic.launch.request import Member

PICTURE_CELLS = 65_536
CAPTURE_LIMIT_BYTES = 64 * 1024 * 1024
HISTOGRAM_BINS = 50


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of the finite elements, but for the counts. Complex and structured arrays have counts only.

    `minimum` and `maximum` of 64-bit integers are integers: a float does not tell their last digits.
    """

    count: int
    minimum: int | float | None = None  # a decoder keeps integers only where they are named
    maximum: int | float | None = None
    mean: float | None = None
    nan: int = 0
    inf: int = 0
    denormal: int = 0
    histogram: tuple[int, ...] = ()
    histogram_range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A reduced copy of an array: `data` are the bytes (C order, little end first) of shape `shape` and `dtype`.

    `step` says how many elements of each axis one cell stands for; `method` how they became one. "range" (one
    dimension): cells 2k and 2k + 1 are the least and greatest of the 2 × step elements from 2k × step on.
    """

    shape: tuple[int, ...]
    dtype: str
    data: bytes = field(repr=False)
    step: tuple[int, ...] = ()
    method: Literal["exact", "mean", "sample", "range"] = "exact"


@dataclass(frozen=True, slots=True)
class MemberCapture:
    """One member of an array of records: its path, type and shape, statistics, elements in which its bytes changed."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    before: Statistics
    after: Statistics | None = None
    changed: int | None = None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A few elements as their bytes, from element `start` of the flattened array on.

    Attributes
    ----------
    start : int
    before, after : bytes
        `after` is None for an array that is only read.
    members : tuple of Member
        Of records, to read the bytes by.
    """

    start: int
    before: bytes = field(repr=False)
    after: bytes | None = field(default=None, repr=False)
    members: tuple[Member, ...] = ()


@dataclass(frozen=True, slots=True)
class Capture:
    """One array argument around one run.

    Attributes
    ----------
    parameter, label : str
    shape, dtype : tuple of int, str
        Of the whole array.
    before, after : Statistics or None
        None where it was not taken (an array that is only read has no `after`).
    picture_before, picture_after, picture_difference : Picture or None
    difference : Statistics or None
        Of after − before.
    changed : int or None
        Elements whose bytes changed, exact where `sampled` is False.
    sampled : bool
        True where the array was over the limit and only a sample was looked at.
    note : str
    element_type : str
        What the kernel takes an element for: ``float4``, ``struct P``; "" where that is not known.
    members : tuple of MemberCapture
        Of an array of records.
    excerpt : Excerpt or None
        Of records, and of bytes in one dimension.
    """

    parameter: str
    label: str
    shape: tuple[int, ...]
    dtype: str
    before: Statistics | None = None
    after: Statistics | None = None
    difference: Statistics | None = None
    picture_before: Picture | None = None
    picture_after: Picture | None = None
    picture_difference: Picture | None = None
    changed: int | None = None
    sampled: bool = False
    note: str = ""
    element_type: str = ""
    members: tuple[MemberCapture, ...] = ()
    excerpt: Excerpt | None = None
