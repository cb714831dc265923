"""The table under a timeline: a row for each kind of command, with count, times, bytes and rate."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cl_magic.record.durations import kernel_runs, median_ns
from cl_magic.record.event import CommandEvent
from cl_magic.record.run import ArgumentFact, RunRecord

DEFINITION = (
    "every element of an array that the kernel reads is counted once, every element of an array that it writes once,"
    " per median duration of a run"
)
_ARRAY = re.compile(r"^(\w+) \(([\d, ]*)\)")


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """Bytes of one run, and their rate; `definition` says what is counted."""

    nbytes: int
    bytes_per_second: float
    definition: str = DEFINITION


@dataclass(frozen=True, slots=True)
class CommandRow:
    """Commands of one kind together; times in ns, `nbytes` of one of them (0 for launches alone).

    `group` is "transfer", "launch", "run" (all launches of one run together) or "warm-up", whose rows stand apart.
    """

    command: str
    group: Literal["transfer", "launch", "run", "warm-up"]
    count: int
    total_ns: int
    least_ns: int
    median_ns: int
    most_ns: int
    nbytes: int = 0
    bytes_per_second: float | None = None


def bandwidth(record: RunRecord) -> Bandwidth | None:
    """Rate at which a run moved its arrays' elements; None where nothing ran or no array's size is known.

    It is a lower bound for what the memory did: a stencil reads elements more than once, from caches.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> device = DeviceInfo("0:0", "d", "Portable Computing Language", "1.2", ("cpu",))
    >>> plan = LaunchPlan((8,), (0,), (4,), "as you gave it", "uniform", (), (2,))
    >>> arguments = (ArgumentFact(0, "global float *x", "float32 (1000,)", "in"),)
    >>> run = RunRecord("k", device, plan, arguments, events=(CommandEvent("kernel", "k", 0, 0, 0, 2000),))
    >>> bandwidth(run).nbytes, bandwidth(run).bytes_per_second
    (4000, 2000000000.0)
    """
    nbytes = sum(_size(record, argument) * _passes(record, argument) for argument in record.arguments)
    duration = record.duration_ns
    return Bandwidth(nbytes, nbytes * 1e9 / duration) if nbytes and duration > 0 else None


def _name(argument: ArgumentFact) -> str:
    words = re.findall(r"\w+", argument.declaration)
    return words[-1] if words else ""


def _passes(record: RunRecord, argument: ArgumentFact) -> int:
    """How often each element counts: 1 for read or written, 2 for both."""
    known = {"in": 1, "out": 1, "inout": 2}.get(argument.direction)
    if known is not None:
        return known
    return len({t.direction for t in record.transfers if t.parameter == _name(argument)})


def _size(record: RunRecord, argument: ArgumentFact) -> int:
    name = _name(argument)
    for capture in record.captures:
        if capture.parameter == name:
            return int(np.prod(capture.shape, dtype=np.int64)) * np.dtype(capture.dtype).itemsize
    moved: int = max((t.nbytes for t in record.transfers if t.parameter == name), default=0)
    if moved:
        return moved
    found = _ARRAY.match(argument.value)
    try:
        return (
            int(np.prod([int(n) for n in re.findall(r"\d+", found[2])])) * np.dtype(found[1]).itemsize if found else 0
        )
    except TypeError:  # a name that is no dtype
        return 0


def command_rows(record: RunRecord) -> tuple[CommandRow, ...]:
    """Rows in the order uploads, launches, a whole run, other commands, downloads, warm-ups.

    A kernel of one launch has one row under its own name; one of several has a row for each and one for a whole run.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> device = DeviceInfo("0:0", "d", "Portable Computing Language", "1.2", ("cpu",))
    >>> plan = LaunchPlan((8,), (0,), (4,), "as you gave it", "uniform", (), (2,))
    >>> run = RunRecord("k", device, plan, events=(CommandEvent("kernel", "k", 0, 0, 0, 2000),))
    >>> [(row.command, row.count, row.total_ns) for row in command_rows(run)]
    [('k', 1, 2000)]
    """
    timed = [event for event in record.events if not event.warmup]
    warm = [event for event in record.events if event.warmup and event.kind == "kernel"]
    others = [event for event in timed if event.kind not in {"kernel", "write", "read"}]
    return (
        *_transfers([event for event in timed if event.kind == "write"], "upload"),
        *_launches(record, [event for event in timed if event.kind == "kernel"]),
        *_transfers(others, ""),
        *_transfers([event for event in timed if event.kind == "read"], "download"),
        *_parts(record, warm, "warm-up"),
    )


def _row(command: str, group: Literal["transfer", "launch", "run", "warm-up"], durations: Sequence[int]) -> CommandRow:
    ordered = sorted(durations)
    return CommandRow(command, group, len(ordered), sum(ordered), ordered[0], median_ns(ordered), ordered[-1])


def _with_bytes(row: CommandRow, nbytes: int, bytes_per_second: float | None) -> CommandRow:
    facts = (row.command, row.group, row.count, row.total_ns, row.least_ns, row.median_ns, row.most_ns)
    return CommandRow(*facts, nbytes, bytes_per_second)


def _transfers(events: Iterable[CommandEvent], verb: str) -> Iterable[CommandRow]:
    groups: dict[tuple[str, str, int], list[CommandEvent]] = {}
    for event in events:
        groups.setdefault((verb or event.kind, event.name, event.nbytes), []).append(event)
    for (word, name, nbytes), group in groups.items():
        row = _row(f"{word} {name}", "transfer", [event.duration_ns for event in group])
        yield _with_bytes(row, nbytes, nbytes * row.count * 1e9 / row.total_ns if nbytes and row.total_ns else None)


def _launches(record: RunRecord, events: Sequence[CommandEvent]) -> Iterable[CommandRow]:
    rows = list(_parts(record, events, "launch"))
    moved = bandwidth(record)
    facts = (moved.nbytes, moved.bytes_per_second) if moved else (0, None)
    if len(rows) == 1:
        yield _with_bytes(rows[0], *facts)
        return
    yield from rows
    runs = [sum(event.duration_ns for event in run) for run in kernel_runs(events)]
    if runs:
        yield _with_bytes(_row(f"one run, all {len(rows)} launches", "run", runs), *facts)


def _parts(
    record: RunRecord, events: Sequence[CommandEvent], group: Literal["launch", "warm-up"]
) -> Iterable[CommandRow]:
    parts = record.plan.parts
    groups: dict[int, list[int]] = {}
    for event in events:
        groups.setdefault(event.part, []).append(event.duration_ns)
    for part, durations in sorted(groups.items()):
        role = f", {parts[part].role}" if part < len(parts) else ""
        name = f"launch {part + 1}{role}" if len(groups) > 1 else record.kernel
        yield _row(f"warm-up of {name}" if group == "warm-up" else name, group, durations)
