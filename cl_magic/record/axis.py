"""The time axis of a timeline: unit, ticks, and stretches that are not to scale: a warm-up, idle times."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.record.command_columns import CommandColumns
from cl_magic.record.numbers import NARROW, duration_unit, fixed

CUT_FROM = 0.5
"""A stretch is cut when it takes longer than this share of all commands together."""
WORTH_A_CUT = 0.1
"""Shorter ones, as shares of the axis, stay."""
MOST_CUTS = 8
CUT_WIDTH = 0.19
CUTS_WIDTH = 0.45
"""Width of all cuts together, at most."""
_LOOKS = 8
"""Bins to a stretch of the least length worth a cut."""
Times = NDArray[Any]
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
    """Time from 0 to `end_ns`, mapped to shares of the width; `cuts` are the stretches that are not to scale.

    Examples
    --------
    >>> axis = TimeAxis(100, (Cut(10, 90, "warm-up"),))
    >>> round(axis.place(10), 3), round(axis.place(90), 3), axis.place(100)
    (0.405, 0.595, 1.0)
    """

    end_ns: int
    cuts: tuple[Cut, ...] = ()

    @property
    def knots(self) -> tuple[tuple[int, float], ...]:
        """Times and their positions, between which the axis runs evenly; the ends of all cuts are among them.

        Examples
        --------
        >>> [(at, round(share, 3)) for at, share in TimeAxis(100, (Cut(10, 90, "idle"),)).knots]
        [(0, 0.0), (10, 0.405), (90, 0.595), (100, 1.0)]
        """
        width = cut_width(len(self.cuts))
        drawn = self.end_ns - sum(cut.duration_ns for cut in self.cuts)
        share = (1 - width * len(self.cuts)) / max(1, drawn)
        knots: list[tuple[int, float]] = [(0, 0.0)]
        for cut in self.cuts:
            reached, place = knots[-1]
            begin = place + (cut.start_ns - reached) * share
            knots += [(cut.start_ns, begin), (cut.end_ns, begin + width)]
        return (*knots, (self.end_ns, 1.0))

    def place(self, at_ns: float) -> float:
        """Position of a time as a share of the width, clipped to 0 to 1."""
        at_ns = min(max(at_ns, 0), self.end_ns)
        if not self.cuts:
            return at_ns / self.end_ns if self.end_ns else 0.0
        knots = self.knots
        after = max(1, bisect_left(knots, at_ns, key=lambda knot: knot[0]))
        (start, first), (end, last) = knots[after - 1], knots[after]
        return min(1.0, first + (last - first) * (at_ns - start) / max(1, end - start))

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
        drawn = self.end_ns - sum(cut.duration_ns for cut in self.cuts)
        step = nice_step(drawn / target)
        factor = self.unit[0]
        decimals = max(0, -math.floor(math.log10(step / factor) + 1e-9))
        bounds = [0, *(at for cut in self.cuts for at in (cut.start_ns, cut.end_ns)), self.end_ns]
        pieces = list(zip(bounds[::2], bounds[1::2], strict=True))
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


def cut_width(count: int) -> float:
    """Share of the width that each of `count` cuts takes.

    Examples
    --------
    >>> cut_width(1), cut_width(5)
    (0.19, 0.09)
    """
    return min(CUT_WIDTH, CUTS_WIDTH / count) if count else 0.0


def find_cuts(columns: Sequence[CommandColumns], shifts_ns: Sequence[int], end_ns: int) -> tuple[Cut, ...]:
    """Find the stretches to cut: those without any command but warm-ups that are long beside all the rest.

    Parameters
    ----------
    columns : sequence of CommandColumns
        Of runs that share the axis.
    shifts_ns : sequence of int
        What is taken from the times of each run so that they lie on the axis.
    end_ns : int
        End of the axis.

    Returns
    -------
    tuple of Cut
        In order of time, at most 8. A stretch is cut where it takes half as long as all commands together, or longer.

    Examples
    --------
    >>> columns = CommandColumns.of_arrays([20, 92], [90, 99], queued_ns=[10, 90], run=[-1, 1], name=0, names=["k"])
    >>> find_cuts([columns], [0], 99)
    (Cut(start_ns=10, end_ns=90, reason='warm-up'),)
    """
    used = [_spans(one, shift) for one, shift in zip(columns, shifts_ns, strict=True) if len(one)]
    if not used:
        return ()
    begins, ends, warm_begins, warm_ends = (np.concatenate(part) for part in zip(*used, strict=True))
    if not begins.size or not _some_gap(begins, ends, end_ns):
        return ()
    order = np.argsort(begins, kind="stable")
    reached = np.maximum.accumulate(np.concatenate(([0], ends[order])))
    following = np.concatenate((begins[order], [end_ns]))
    found = np.flatnonzero(following > reached)
    gaps = following[found] - reached[found]
    long = gaps >= max(CUT_FROM * (end_ns - int(gaps.sum())), WORTH_A_CUT * end_ns)
    chosen = found[long][np.argsort(-gaps[long], kind="stable")[:MOST_CUTS]]
    return tuple(_cut(int(reached[i]), int(following[i]), warm_begins, warm_ends) for i in sorted(chosen.tolist()))


def _some_gap(begins: Times, ends: Times, end_ns: int) -> bool:
    """Whether any stretch worth a cut may be free, by a coarse look that costs no sorting."""
    width = max(1.0, WORTH_A_CUT * end_ns / _LOOKS)
    bins = int(end_ns / width) + 2
    first, last = ((np.clip(at, 0, end_ns) / width).astype(np.int64) for at in (begins, ends))
    running = np.cumsum(np.bincount(first, minlength=bins) - np.bincount(last + 1, minlength=bins + 1)[:bins])
    # A free stretch of that length holds a bin that nothing touches.
    return bool((running[: int(end_ns / width) + 1] == 0).any()) or end_ns < _LOOKS


def _spans(columns: CommandColumns, shift_ns: int) -> tuple[Times, Times, Times, Times]:
    """Begins and ends of the commands, waiting in the queue counted in; those of the warm-ups stand apart."""
    timed = ~columns.untimed
    warm = timed & (columns.run < 0)
    plain = timed & ~warm
    begins, ends = columns.queued_ns - shift_ns, columns.end_ns - shift_ns
    if warm.any():
        # What was queued before the warm-up ended waits for it, and must not keep it from being cut.
        last = int(ends[warm].max())
        begins = np.where(begins < last, np.maximum(begins, np.minimum(columns.start_ns - shift_ns, last)), begins)
    return begins[plain], ends[plain], columns.queued_ns[warm] - shift_ns, ends[warm]


def _cut(start_ns: int, end_ns: int, warm_begins: Times, warm_ends: Times) -> Cut:
    inside = (warm_begins < end_ns) & (warm_ends > start_ns)
    if not inside.any():
        return Cut(start_ns, end_ns, "idle")
    return Cut(max(start_ns, int(warm_begins[inside].min())), min(end_ns, int(warm_ends[inside].max())), "warm-up")
