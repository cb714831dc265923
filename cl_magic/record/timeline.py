"""What a timeline shows, as numbers and without drawing: lanes, bars, axis, busy shares. Display and plot draw it.

All times are nanoseconds from the moment the first command was queued, on the device's clock; the host's lane is moved
to that clock by the record's measured offset, and left out where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cl_magic.record.axis import TimeAxis, find_cuts
from cl_magic.record.command_columns import CommandColumns
from cl_magic.record.event import CommandEvent, CommandKind
from cl_magic.record.run import RunRecord

BARS = 400
"""From more commands than this, a lane shows its density in place of bars."""
DENSITY_BINS = 200


@dataclass(frozen=True, slots=True)
class Bar:
    """One command: when it was queued, submitted, started and ended, and how to mark it.

    `index` is its place in ``record.events``; `label` is short: ``run 2``, ``warm-up``, ``↑``, ``↓``.
    """

    index: int
    queue: int
    kind: CommandKind
    name: str
    label: str
    queued_ns: int
    submit_ns: int
    start_ns: int
    end_ns: int
    nbytes: int = 0
    run: int = 0
    part: int = 0
    remainder: bool = False
    warmup: bool = False
    clamped: bool = False

    @property
    def duration_ns(self) -> int:
        """Start to end."""
        return self.end_ns - self.start_ns

    @property
    def bytes_per_second(self) -> float | None:
        """Rate of a transfer; None for kernels and where no time was measured."""
        return self.nbytes * 1e9 / self.duration_ns if self.nbytes and self.duration_ns > 0 else None


@dataclass(frozen=True, slots=True)
class Lane:
    """One command-queue: its share of time busy, and its density where there are too many commands for bars.

    `density` holds the busy share of each of 200 equal stretches of time.
    """

    queue: int
    name: str
    commands: int
    busy: float
    density: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Timeline:
    """A whole timeline.

    Attributes
    ----------
    lanes : tuple of Lane
    bars : tuple of Bar
        Empty when `reduced`.
    axis : TimeAxis
    host : (int, int) or None
        Start and end of the call in Python; may lie outside the axis. None where the clocks are not aligned.
    busy : float or None
        Share of time in which the device ran something, the warm-up left out.
    clamped : int
        Commands whose times the driver gave missing or out of order.
    reduced : bool
        Whether there were more commands than bars.
    """

    lanes: tuple[Lane, ...]
    bars: tuple[Bar, ...]
    axis: TimeAxis
    host: tuple[int, int] | None = None
    busy: float | None = None
    commands: int = 0
    clamped: int = 0
    reduced: bool = False


def lay_out(record: RunRecord, bars: int = BARS) -> Timeline:
    """Lay the commands of a run out on a time axis.

    Parameters
    ----------
    record : RunRecord
    bars : int
        Commands that are shown one by one, at most.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (), (1,))
    >>> events = (CommandEvent("kernel", "k", 1000, 1010, 1020, 1100),)
    >>> timeline = lay_out(RunRecord("k", DeviceInfo("0:0", "d", "p", "1.2", ("cpu",)), plan, events=events))
    >>> timeline.axis.end_ns, timeline.bars[0].start_ns, timeline.lanes[0].name
    (100, 20, 'queue 0')
    """
    return lay_out_runs([record], bars)[0]


def lay_out_runs(records: Sequence[RunRecord], bars: int = BARS) -> tuple[Timeline, ...]:
    """Lay several runs out on one axis, each from its own first command on.

    Examples
    --------
    >>> lay_out_runs([])
    ()
    """
    columns = [CommandColumns.of_events(record.events) for record in records]
    origins = [one.origin_ns for one in columns]
    ends = [int(one.end_ns.max()) - origin if len(one) else 0 for one, origin in zip(columns, origins, strict=True)]
    end = max((0, *ends))
    axis = TimeAxis(end, find_cuts(columns, origins, end))
    return tuple(_lay_out(record, origin, axis, bars) for record, origin in zip(records, origins, strict=True))


def _lay_out(record: RunRecord, origin: int, axis: TimeAxis, bars: int) -> Timeline:
    every = list(enumerate(record.events))
    # A command without any time has no place on an axis that others have one on.
    timed = [(i, event) for i, event in every if event.end_ns or not event.clamped] or every
    events = [event for _, event in timed]
    reduced = len(events) > bars
    queues = sorted({event.queue for event in events})
    return Timeline(
        lanes=tuple(_lane(queue, events, origin, axis.end_ns, reduced=reduced) for queue in queues),
        bars=() if reduced else tuple(_bar(i, event, origin, record) for i, event in timed),
        axis=axis,
        host=_host(record, origin),
        busy=busy_share(events),
        commands=len(record.events),
        clamped=sum(event.clamped for event in record.events),
        reduced=reduced,
    )


def _bar(index: int, event: CommandEvent, origin: int, record: RunRecord) -> Bar:
    parts = record.plan.parts
    remainder = event.kind == "kernel" and event.part < len(parts) and parts[event.part].role == "remainder"
    return Bar(
        index=index,
        queue=event.queue,
        kind=event.kind,
        name=event.name,
        label=_label(event),
        queued_ns=event.queued_ns - origin,
        submit_ns=event.submit_ns - origin,
        start_ns=event.start_ns - origin,
        end_ns=event.end_ns - origin,
        nbytes=event.nbytes,
        run=event.run,
        part=event.part,
        remainder=remainder,
        warmup=event.warmup,
        clamped=event.clamped,
    )


def _label(event: CommandEvent) -> str:
    if event.kind == "kernel":
        if event.warmup:
            return "warm-up"
        return f"run {event.run}" if event.run else event.name
    return {"write": "↑", "unmap": "↑", "read": "↓", "map": "↓"}.get(event.kind, event.kind)


def _lane(queue: int, events: Sequence[CommandEvent], origin: int, end: int, *, reduced: bool) -> Lane:
    own = [event for event in events if event.queue == queue]
    spans = _union((event.start_ns - origin, event.end_ns - origin) for event in own)
    busy = sum(stop - start for start, stop in spans) / end if end else 0.0
    return Lane(queue, f"queue {queue}", len(own), busy, _density(spans, end) if reduced else ())


def _union(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The times covered by any span, as spans that do not overlap, in order."""
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def _density(spans: Sequence[tuple[int, int]], end: int) -> tuple[float, ...]:
    width = max(end, 1) / DENSITY_BINS
    bins = [0.0] * DENSITY_BINS
    for start, stop in spans:
        first, last = int(start / width), min(DENSITY_BINS - 1, int(stop / width))
        for i in range(first, last + 1):
            bins[i] += max(0.0, min(stop, (i + 1) * width) - max(start, i * width)) / width
    return tuple(min(1.0, share) for share in bins)


def _host(record: RunRecord, origin: int) -> tuple[int, int] | None:
    if not (record.clock_offset_ns and record.host_end_ns):
        return None
    shift = record.clock_offset_ns + origin
    return record.host_start_ns - shift, record.host_end_ns - shift


def busy_share(events: Iterable[CommandEvent]) -> float | None:
    """Share of the time from first start to last end in which a command ran, warm-up commands and their time left out.

    Returns
    -------
    float or None
        0 to 1; None where no time passed.

    Examples
    --------
    >>> busy_share([CommandEvent("write", "x", 0, 0, 0, 40), CommandEvent("kernel", "k", 0, 0, 60, 100)])
    0.8
    """
    listed = list(events)
    timed = [(event.start_ns, event.end_ns) for event in listed if not event.warmup]
    if not timed:
        return None
    first, last = min(start for start, _ in timed), max(stop for _, stop in timed)
    busy = sum(stop - start for start, stop in _union(timed))
    warm = [event for event in listed if event.warmup]
    away = 0
    if warm:
        begin, finish = min(e.queued_ns for e in warm), max(e.end_ns for e in warm)
        away = max(0, min(finish, last) - max(begin, first))
    return min(1.0, busy / (last - first - away)) if last - first - away > 0 else None
