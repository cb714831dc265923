"""One dimension of an NDRange on the screen: where groups, remainder and padding lie. Computed, never enumerated."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from cl_magic.launch.plan import LaunchPlan

THINNEST = 6.0
"""Pixels that a remainder or padding strip gets at least; a thinner one would not be seen."""
_SMALLEST_FIELD = 4.0


@dataclass(frozen=True, slots=True)
class Axis:
    """A dimension of `size` work-items in groups of `local`, drawn `length` pixels (or per cent) long.

    `rest` items do not fill a group; `padding` items are launched beyond the range.
    """

    size: int
    local: int
    offset: int
    padding: int
    length: float
    thinnest: float = THINNEST

    @property
    def groups(self) -> int:
        """Work-groups, a partial one included."""
        return -(-self.size // self.local)

    @property
    def whole(self) -> int:
        """Whole groups."""
        return self.size // self.local

    @property
    def rest(self) -> int:
        """Work-items of the partial group."""
        return self.size % self.local

    @property
    def strip(self) -> float:
        """Length of the last strip: the remainder, or the padding items where they were launched."""
        items = self.padding or self.rest
        if not items or items == self.size:
            return self.length if items else 0.0
        return max(self.thinnest, self.length * items / (self.size + self.padding))

    @property
    def enlarged(self) -> bool:
        """Whether the strip is drawn wider than to scale."""
        items = self.padding or self.rest
        return bool(items) and self.strip > self.length * items / (self.size + self.padding) * 1.01

    @property
    def main(self) -> float:
        """Length of all that is not the strip."""
        return self.length - self.strip

    def at(self, item: float) -> float:
        """Position of the left edge of a work-item (from 0, without the offset)."""
        end = self.size if self.padding else self.whole * self.local
        if item <= end and end:
            return self.main * item / end
        return self.main + self.strip * (item - end) / (self.padding or self.rest)

    def group_at(self, group: int) -> tuple[float, float]:
        """Start and length of a group."""
        start = self.at(group * self.local)
        end = self.at(min((group + 1) * self.local, self.size + self.padding))
        return start, end - start

    @property
    def stride(self) -> int:
        """Groups that one field of the chequer stands for, so that a field is seen."""
        one = self.group_at(0)[1]
        stride, factors = 1, itertools.cycle((2, 2.5, 2))  # 1, 2, 5, 10, …
        while one * stride < _SMALLEST_FIELD and stride < self.groups:
            stride = int(stride * next(factors))
        return stride

    def ticks(self, number: int = 5) -> list[int]:
        """Group numbers to label: round steps from 0, and the last one."""
        last = self.groups - 1
        step = 1
        while last / step > number:
            step *= 2
        marks = [g for g in range(0, last + 1, step) if last - g >= step * 0.6]
        return [*marks, last] if last not in marks else marks


def axes_of(plan: LaunchPlan, lengths: tuple[float, ...], thinnest: float = THINNEST) -> tuple[Axis, ...]:
    """Axes of a plan, x first; without a group size the whole range is one group.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPart
    >>> plan = LaunchPlan((1000,), (0,), (64,), "", "padded", (), (16,), padded_global_size=(1024,))
    >>> axis = axes_of(plan, (100.0,))[0]
    >>> axis.groups, axis.rest, axis.padding
    (16, 40, 24)
    """
    local = plan.local_size or plan.global_size
    launched = plan.padded_global_size or plan.global_size
    return tuple(
        Axis(max(1, size), max(1, n), start, full - size, length, thinnest)
        for size, n, start, full, length in zip(
            plan.global_size, local, plan.global_offset, launched, lengths, strict=True
        )
    )
