"""How long a run took, from its events: the sum of the parts, the span from first start to last end, and repeats."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cl_magic.record.event import CommandEvent


@dataclass(frozen=True, slots=True)
class RepeatStatistics:
    """Of the timed runs: count, and median, least and 95th percentile (nearest rank) of their durations."""

    n: int
    median_ns: int
    min_ns: int
    max_ns: int
    p95_ns: int


def kernel_runs(events: Iterable[CommandEvent], *, warmup: bool = False) -> tuple[tuple[CommandEvent, ...], ...]:
    """Kernel commands grouped by run, in order of time; the timed runs, or the warm-ups.

    Examples
    --------
    >>> events = [CommandEvent("kernel", "k", 0, 0, 0, 5, run=-1), CommandEvent("kernel", "k", 6, 6, 7, 9, run=1)]
    >>> [len(run) for run in kernel_runs(events)], kernel_runs(events, warmup=True)[0][0].run
    ([1], -1)
    """
    runs: dict[int, list[CommandEvent]] = {}
    for event in events:
        if event.kind == "kernel" and event.warmup == warmup:
            runs.setdefault(event.run, []).append(event)
    order = sorted(runs, reverse=warmup)
    return tuple(tuple(runs[run]) for run in order)


def durations_ns(events: Iterable[CommandEvent]) -> tuple[int, ...]:
    """Duration of each timed run: the sum of its parts, start to end.

    Examples
    --------
    >>> durations_ns([CommandEvent("kernel", "k", 0, 0, 0, 5), CommandEvent("kernel", "k", 0, 0, 7, 9, part=1)])
    (7,)
    """
    return tuple(sum(event.duration_ns for event in run) for run in kernel_runs(events))


def median_ns(durations: Sequence[int]) -> int:
    """Median, rounded to whole nanoseconds; 0 without any.

    Examples
    --------
    >>> median_ns([3, 1, 2]), median_ns([])
    (2, 0)
    """
    return round(statistics.median(durations)) if durations else 0


def span_ns(events: Iterable[CommandEvent]) -> int:
    """First start to last end of the parts of one run; the median over the timed runs.

    Examples
    --------
    >>> span_ns([CommandEvent("kernel", "k", 0, 0, 0, 5), CommandEvent("kernel", "k", 0, 0, 7, 9, part=1)])
    9
    """
    return median_ns([max(e.end_ns for e in run) - min(e.start_ns for e in run) for run in kernel_runs(events)])


def repeat_statistics(durations: Sequence[int]) -> RepeatStatistics | None:
    """Statistics of the timed runs; None where there is none.

    Examples
    --------
    >>> repeat_statistics([4, 1, 2, 3])
    RepeatStatistics(n=4, median_ns=2, min_ns=1, max_ns=4, p95_ns=4)
    """
    if not durations:
        return None
    ordered = sorted(durations)
    rank = math.ceil(0.95 * len(ordered)) - 1
    return RepeatStatistics(len(ordered), median_ns(ordered), ordered[0], ordered[-1], ordered[rank])
