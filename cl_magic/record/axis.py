"""The time axis of a timeline: unit, ticks, and one stretch that is not to scale where a warm-up would fill it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from cl_magic.record.event import CommandEvent
from cl_magic.record.numbers import NARROW, duration_unit, fixed

CUT_FROM = 0.5
"""A stretch is cut when it would fill more of the axis than this."""
CUT_WIDTH = 0.19
TICKS = 9


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of time that is drawn shorter than it is, and why: "warm-up" or "idle"."""

    start_ns: int
    end_ns: int
    reason: str

    @property
    def duration_ns(self) -> int:
        """Nanoseconds that the stretch really takes."""
        return self.end_ns - self.start_ns


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis: time, position as a share of the width, and the number to write."""

    at_ns: float
    position: float
    text: str


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """Time from 0 to `end_ns`, mapped to shares of the width; `cut` is the stretch that is not to scale.

    Examples
    --------
    >>> axis = TimeAxis(100, Cut(10, 90, "warm-up"))
    >>> round(axis.place(10), 3), round(axis.place(90), 3), axis.place(100)
    (0.405, 0.595, 1.0)
    """

    end_ns: int
    cut: Cut | None = None

    def place(self, at_ns: float) -> float:
        """Position of a time as a share of the width, clipped to 0 to 1."""
        at_ns = min(max(at_ns, 0), self.end_ns)
        if self.cut is None:
            return at_ns / self.end_ns if self.end_ns else 0.0
        share = (1 - CUT_WIDTH) / max(1, self.end_ns - self.cut.duration_ns)
        if at_ns <= self.cut.start_ns:
            return at_ns * share
        if at_ns <= self.cut.end_ns:
            inside = (at_ns - self.cut.start_ns) / max(1, self.cut.duration_ns)
            return self.cut.start_ns * share + CUT_WIDTH * inside
        return min(1.0, CUT_WIDTH + (at_ns - self.cut.duration_ns) * share)

    @property
    def unit(self) -> tuple[int, str]:
        """Nanoseconds of the axis's unit, and its name."""
        return duration_unit(self.end_ns)

    def ticks(self, space: str = NARROW, target: int = TICKS) -> tuple[Tick, ...]:
        """About `target` ticks at 1, 2 or 5 times a power of ten of the unit; none inside the cut.

        Examples
        --------
        >>> [tick.text for tick in TimeAxis(1_240_000).ticks(target=6)]
        ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0', '1.2']
        """
        drawn = self.end_ns - (self.cut.duration_ns if self.cut else 0)
        step = nice_step(drawn / target)
        factor = self.unit[0]
        decimals = max(0, -math.floor(math.log10(step / factor) + 1e-9))
        pieces = [(0, self.end_ns)]
        if self.cut is not None:
            pieces = [(0, self.cut.start_ns), (self.cut.end_ns, self.end_ns)]
        times = sorted(
            {i * step for start, stop in pieces for i in range(math.ceil(start / step), int(stop / step) + 1)}
        )
        return tuple(Tick(at, self.place(at), fixed(at / factor, decimals, space)) for at in times)


def nice_step(about: float) -> float:
    """The one of 1, 2, 5 times a power of ten that is nearest to `about`, and at least 1 (ns).

    Examples
    --------
    >>> nice_step(206_000), nice_step(0.2)
    (200000.0, 1.0)
    """
    if about <= 1:
        return 1.0
    power = 10.0 ** math.floor(math.log10(about))
    return min((1 * power, 2 * power, 5 * power, 10 * power), key=lambda step: abs(math.log(step / about)))


def find_cut(events: Iterable[CommandEvent], origin_ns: int, end_ns: int) -> Cut | None:
    """Find the one stretch to cut, in times from `origin_ns`: a long warm-up, else a long idle time.

    Examples
    --------
    >>> warm = CommandEvent("kernel", "k", 10, 12, 20, 90, run=-1)
    >>> find_cut([warm, CommandEvent("kernel", "k", 90, 91, 92, 99, run=1)], 0, 100)
    Cut(start_ns=10, end_ns=90, reason='warm-up')
    """
    listed = sorted(events, key=lambda event: event.queued_ns)
    warm = [event for event in listed if event.warmup]
    found = None
    if warm and len(warm) < len(listed):
        found = Cut(warm[0].queued_ns - origin_ns, max(e.end_ns for e in warm) - origin_ns, "warm-up")
    if found is None or found.duration_ns <= CUT_FROM * end_ns:
        found = _longest_idle(listed, origin_ns)
    return found if found and found.duration_ns > CUT_FROM * end_ns else None


def _longest_idle(listed: list[CommandEvent], origin_ns: int) -> Cut | None:
    longest, reached = None, None
    for event in listed:
        if reached is not None and (longest is None or event.queued_ns - reached > longest.duration_ns):
            longest = Cut(reached - origin_ns, event.queued_ns - origin_ns, "idle")
        reached = max(reached or event.end_ns, event.end_ns)
    return longest
