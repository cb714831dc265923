"""Timeline of a run as an output of its own, and the statistics of its commands as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cl_magic.display.escape import escape
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, dim, head, mono, small, table
from cl_magic.display.quantity import count, counted, duration
from cl_magic.display.timeline_picture import timeline_svg
from cl_magic.record.command_table import CommandRow, bandwidth, command_rows
from cl_magic.record.numbers import NARROW, decimals_for, duration_unit, fixed, percent, significant
from cl_magic.record.run import RunRecord
from cl_magic.record.timeline import lay_out

_MOST_DECIMALS = 3


def scale(rows: Sequence[CommandRow]) -> tuple[int, str, int]:
    """Unit of the table's times: nanoseconds of it, its name, and the decimals to show.

    Examples
    --------
    >>> scale([CommandRow("launch", "launch", 2, 2_000_000, 900_000, 1_000_000, 1_100_000)])
    (1000000, 'ms', 3)
    """
    factor, unit = duration_unit(max((row.most_ns for row in rows), default=0))
    smallest = [row.least_ns / factor for row in rows]
    return factor, unit, min(_MOST_DECIMALS, decimals_for(smallest)) if factor > 1 else 0


def row_cells(row: CommandRow, factor: int, decimals: int) -> list[str]:
    """Count, times, bytes and rate of a row; least and most only where there are several commands."""

    def shown(duration_ns: float) -> str:
        number = duration_ns / factor
        # A short time must not read as none at all.
        vanishes = number > 0 and round(number, decimals) == 0
        return significant(number, NARROW, 1) if vanishes else fixed(number, decimals, NARROW)

    several = row.count > 1
    return [
        count(row.count),
        shown(row.total_ns),
        shown(row.least_ns) if several else "",
        shown(row.median_ns),
        shown(row.most_ns) if several else "",
        count(row.nbytes) if row.nbytes else "",
        significant(row.bytes_per_second / 1e9, NARROW) if row.bytes_per_second else "",
    ]


def _words(row: CommandRow) -> str:
    verb, _, name = row.command.partition(" ")
    if row.group == "transfer" and name:
        return f"{escape(verb)} {mono(name)}"
    return escape(row.command)


def commands_table(record: RunRecord) -> str:
    """Statistics of like commands; warm-ups stand apart, at the end."""
    rows = command_rows(record)
    if not rows:
        return ""
    factor, unit, decimals = scale(rows)
    heads = ["command", "#count", f"#total {unit}", f"#least {unit}", f"#median {unit}", f"#most {unit}"]
    heads += ["#bytes", "#GB/s"]
    main = "run" if any(row.group == "run" for row in rows) else "launch"
    body = []
    for row in rows:
        style = bold if row.group == main else dim if row.group == "warm-up" else str
        body.append([style(cell) if cell else "" for cell in (_words(row), *row_cells(row, factor, decimals))])
    return f'<div style="margin-top:12px">{table(heads, body, "statistics per command")}</div>'


def timeline_notes(record: RunRecord) -> list[str]:
    """Sentences under the table: what counts in the rate, what the warm-up is, what was clamped."""
    notes = []
    moved = bandwidth(record)
    if moved is not None:
        notes.append(f"GB/s of a run: {moved.definition}; {count(moved.nbytes)} B.")
    if any(event.warmup for event in record.events):
        notes.append("Warm-up runs count in no other row.")
    clamped = sum(event.clamped for event in record.events)
    if clamped:
        words = "command has times" if clamped == 1 else "commands have times"
        notes.append(f"{count(clamped)} {words} that the driver gave missing or out of order; they were clamped.")
    if record.restored:
        notes.append("Read-write arrays were restored before each run, outside the timed span.")
    return [*notes, "Time 0 is when the first command was queued, on the device's clock."]


def timeline_body(record: RunRecord) -> str:
    """Picture, key, statistics and notes, without the frame of an output."""
    return timeline_svg(record) + commands_table(record) + small(escape(" ".join(timeline_notes(record))))


def timeline_facts(record: RunRecord) -> Iterable[str]:
    """Facts of the timeline's own first line."""
    timeline = lay_out(record)
    yield f"{counted(timeline.commands, 'command')} on {counted(len(timeline.lanes), 'queue')}"
    yield duration(timeline.axis.end_ns)
    if timeline.busy is not None:
        yield f"device busy {percent(timeline.busy, NARROW)}"
    yield record.device.short_name


def timeline_html(record: RunRecord) -> str:
    """Timeline as an output of its own.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> from cl_magic.record.event import CommandEvent
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (), (1,))
    >>> events = (CommandEvent("kernel", "k", 1000, 1010, 1020, 1100),)
    >>> record = RunRecord("k", DeviceInfo("0:0", "d", "p", "1.2", ("cpu",)), plan, events=events)
    >>> "Timeline of k" in timeline_html(record)
    True
    """
    body = head(["<b>Timeline</b>", *map(escape, timeline_facts(record))]) + timeline_body(record)
    return wrap(body, label=f"Timeline of {record.kernel}")
