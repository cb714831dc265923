"""Where a kernel touched memory that is not its own, as a value: address, array, distance. No live object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Place = Literal["guard page", "read-only array", "closed array", "slack", "stack", "no array", "unknown"]
"""``guard page``: right before or behind an array of the launch. ``read-only array``: a write into an array that the
launch only reads. ``closed array``: an array that the launch was not given. ``slack``: the few bytes between an array
and its guard page, found changed after the run. ``stack``: the stack of the work-group's thread, which is full. ``no
array``: away from all arrays; the nearest one is named. ``unknown``: no program can have the address."""


@dataclass(frozen=True, slots=True)
class FaultReport:
    """A wrong access of a kernel, as far as it is known.

    Attributes
    ----------
    address : int or None
        In the worker's address space; None where the system told none.
    kind : {"read", "write", ""}
        "" where it is not known.
    where : str
        One of :data:`Place`.
    array, parameter : str
        The nearest array by its user's label and by kernel parameter; "" where there is none.
    array_bytes : int
        Its size.
    distance_bytes : int
        Bytes from the array's end to the access where `side` is "after" (0: the very first byte behind it), from the
        access to the array's begin where it is "before" (1: the byte in front of it), from the begin where "inside".
    side : {"before", "after", "inside", ""}
    changed_bytes : int
        Of a "slack": how many bytes outside the array were found changed.

    Examples
    --------
    >>> FaultReport(0x7F00, "write", "guard page", "x", "x", 64, 0, "after").words
    'wrote right behind the end of x (64 bytes)'
    """

    address: int | None = None
    kind: Literal["read", "write", ""] = ""
    where: Place = "unknown"
    array: str = ""
    parameter: str = ""
    array_bytes: int = 0
    distance_bytes: int = 0
    side: Literal["before", "after", "inside", ""] = ""
    changed_bytes: int = 0

    @property
    def words(self) -> str:
        """The access in one phrase: ``wrote right behind the end of x (64 bytes)``."""
        if self.where == "slack":
            return f"{_counted(self.changed_bytes)} {_SIDES[self.side]} {self._array} overwritten"
        if self.where == "stack":
            return "filled its stack, most often by a large private array"
        if self.address is None:
            return "used an address that no program can have"
        if self.through_null:
            return f"{_DEEDS[self.kind]} through a null pointer"
        return f"{_DEEDS[self.kind]} {self._place}"

    @property
    def through_null(self) -> bool:
        """Whether the address is one that only a null pointer leads to; no array is near it then."""
        return self.where == "no array" and self.address is not None and self.address < _NULL_REACH

    @property
    def _place(self) -> str:
        at = f"at byte {_spaced(self.distance_bytes)}"
        if self.where == "read-only array":
            return f"into {self._array}, which this launch only reads, {at}"
        if self.where == "closed array":
            return f"{at} of {self._array} that this launch was not given"
        if self.where == "guard page":
            is_next = self.distance_bytes <= (self.side == "before")
            return f"{'right' if is_next else _counted(self.distance_bytes)} {_SIDES[self.side]} {self._array}"
        near = f": {_counted(self.distance_bytes)} {_SIDES[self.side]} {self._array}" if self.array else ""
        to = "to " if self.kind == "write" else ""
        return f"{to}the address 0x{self.address:x}, away from its arrays{near}"

    @property
    def _array(self) -> str:
        size = f" ({_counted(self.array_bytes)})" if self.array_bytes else ""
        return f"{self.array or 'an array'}{size}"


_NULL_REACH = 1 << 16
_DEEDS = {"read": "read", "write": "wrote", "": "touched"}
_SIDES = {"before": "in front of", "after": "behind the end of", "inside": "inside", "": "near"}


def _spaced(number: int) -> str:
    return f"{number:_}".replace("_", " ")


def _counted(number: int) -> str:
    return "1 byte" if number == 1 else f"{_spaced(number)} bytes"
