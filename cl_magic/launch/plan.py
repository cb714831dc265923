"""What will be launched for an NDRange on a device, and why. Values first; the planner is in this package too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cl_magic.show import Shown

Remainder = Literal["auto", "split", "pad", "asis", "error"]
Mode = Literal["uniform", "non-uniform", "split", "rebuilt", "padded", "driver"]


@dataclass(frozen=True, slots=True)
class LaunchPart:
    """One clEnqueueNDRangeKernel: offset, global and local size, x first. `role` is "main" or "remainder"."""

    global_offset: tuple[int, ...]
    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None
    role: Literal["main", "remainder"] = "main"


@dataclass(frozen=True, slots=True)
class LaunchPlan(Shown):
    """The launches that stand for one NDRange.

    Attributes
    ----------
    global_size, global_offset : tuple of int
        What the user asked for, x first.
    local_size : tuple of int or None
        The work-group size of all whole groups; None only in mode "driver".
    local_size_reason : str
        One phrase: ``as you gave it``, ``reqd_work_group_size``, ``chosen: …``.
    mode : str
        "uniform" (one launch, a multiple in each dimension), "non-uniform" (one launch, the device cuts the last
        groups), "split" (up to 2^d launches), "rebuilt" (split, and the program rebuilt so that the functions in
        `replaced` answer for the whole range), "padded" (one launch, global size rounded up), "driver" (no local size
        given to the driver).
    mode_reason : str
        One sentence with the numbers; "" for "uniform".
    parts : tuple of LaunchPart
    padded_global_size : tuple of int or None
        In mode "padded".
    replaced : tuple of str
        Functions replaced in the text, in mode "rebuilt".
    prelude : str
        Text of whole lines that does it; "" otherwise.
    groups : tuple of int
        Work-groups in each dimension (partial ones count).
    language_version : str
    notes : tuple of str
        Further sentences for the record.
    """

    global_size: tuple[int, ...]
    global_offset: tuple[int, ...]
    local_size: tuple[int, ...] | None
    local_size_reason: str
    mode: Mode
    parts: tuple[LaunchPart, ...]
    groups: tuple[int, ...]
    mode_reason: str = ""
    padded_global_size: tuple[int, ...] | None = None
    replaced: tuple[str, ...] = ()
    prelude: str = ""
    language_version: str = ""
    rebuild_ns: int = 0
    notes: tuple[str, ...] = ()
