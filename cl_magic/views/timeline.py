"""Runs to the payload of the timeline view: commands as columns, lanes, axis and clocks in the head."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cl_magic.record.axis import TimeAxis, find_cuts
from cl_magic.record.command_columns import KINDS, Column
from cl_magic.record.command_statistics import command_statistics
from cl_magic.record.numbers import duration
from cl_magic.views.payload import Payload, record_id
from cl_magic.views.timeline_density import densities
from cl_magic.views.timeline_source import Commands, Source, sources_of

BUDGET = 120_000
"""Characters that the columns of a saved timeline may take, deflated and in base64."""
CATEGORIES = ("run", "k2", "k3", "remainder", "transfer", "dep", "warm-up")
"""What a command is coloured as."""
WARM, CLAMPED, REMAINDER, UNTIMED = 1, 2, 4, 8
_COLOURS = 3
_FEWEST = 16
_SAMPLE = 20_000
_STATISTICS = 40
_CHARACTERS = 4 / 3
"""Of base64, for each byte."""


def timeline_payload(runs: Commands | Iterable[Commands], *, saved: bool = False) -> Payload:
    """Payload of the timeline of a run, or of several side by side.

    Parameters
    ----------
    runs : RunRecord, CommandColumns, or iterable of them
        ``session.records`` puts the last runs side by side. Columns are for what holds very many commands.
    saved : bool
        Reduce what is too large for a saved output: the longest commands are kept one by one, the others as density;
        the statistics of all commands stay exact, and what was reduced is said. A live view gets every command.

    Returns
    -------
    Payload
        Times are whole nanoseconds from the moment the run's first command was queued; ``start_step`` are the steps
        from one command's start to the next one's.

    Examples
    --------
    >>> from cl_magic.record.command_columns import CommandColumns
    >>> columns = CommandColumns.of_arrays([1000, 1300], [1200, 1350], name=0, names=["k"])
    >>> payload = timeline_payload(columns)
    >>> payload.columns["start_step"].tolist(), payload.columns["duration"].tolist()
    ([0, 300], [200, 50])
    """
    head, columns = part_of(sources_of(runs), BUDGET if saved else None)
    records = [run["record"] for run in head["runs"]]
    return Payload("timeline", records[0] if len(records) == 1 else record_id(*records), head, columns)


def timeline_part(
    runs: Commands | Iterable[Commands], *, saved: bool = False, budget: int = BUDGET
) -> tuple[dict[str, Any], dict[str, Column]]:
    """Head and columns of a timeline, to be put into a run's payload under the name ``timeline``.

    Examples
    --------
    >>> head, columns = timeline_part([])
    >>> head["runs"], len(columns["duration"])
    ([], 0)
    """
    return part_of(sources_of(runs), budget if saved else None)


@dataclass(slots=True)
class _Merged:
    """Commands of all sources, one after the other; `lanes` are (source, queue)."""

    lanes: list[tuple[int, int]] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    parts: list[dict[str, Column]] = field(default_factory=list)
    kernels: list[int] = field(default_factory=list)

    def add(self, index: int, source: Source) -> None:
        columns = source.columns
        renamed = np.array([self.names.setdefault(name, len(self.names)) for name in columns.names], np.int64)
        queues, lane = _numbered(columns.queue)
        flags = (columns.run < 0) * WARM + columns.clamped * CLAMPED + columns.untimed * UNTIMED
        kernels = columns.kind == 0
        if source.remainders:
            flags = flags + (kernels & np.isin(columns.part, source.remainders)) * REMAINDER
        name = renamed[columns.name] if renamed.size else columns.name
        self.kernels += [one for one in _in_order(name[kernels], len(self.names)) if one not in self.kernels]
        origin = columns.origin_ns
        place = {"start": np.where(columns.untimed, 0, columns.start_ns - origin)}
        times = {"duration": columns.end_ns - columns.start_ns, "wait": columns.start_ns - columns.submit_ns}
        times |= {"pending": columns.submit_ns - columns.queued_ns, "bytes": columns.nbytes}
        facts = {"kind": columns.kind, "name": name, "lane": lane + len(self.lanes), "flags": flags}
        self.parts.append(place | times | facts | {"run": columns.run, "part": columns.part})
        self.lanes += [(index, int(queue)) for queue in queues]

    def columns(self) -> dict[str, Column]:
        names = ("start", "duration", "wait", "pending", "bytes", "kind", "name", "lane", "flags", "run", "part")
        if not self.parts:
            return {name: np.zeros(0, np.int64) for name in names}
        return {name: np.concatenate([part[name] for part in self.parts]) for name in names}


def _in_order(codes: Column, count: int) -> list[int]:
    """Codes below `count` in the order of their first appearance."""
    first = np.full(count, len(codes))
    np.minimum.at(first, codes[:_SAMPLE], np.arange(min(len(codes), _SAMPLE)))
    late = np.flatnonzero((first == len(codes)) & (np.bincount(codes, minlength=count) > 0))
    ordered = [int(one) for one in np.argsort(first, kind="stable") if first[one] < len(codes)]
    return ordered + late.tolist()


def _numbered(values: Column) -> tuple[Column, Column]:
    """The values that there are, in order, and the place of each one among them."""
    if not values.size or values.min() < 0 or values.max() >= values.size:
        found, places = np.unique(values, return_inverse=True)
        return found, places
    present = np.bincount(values) > 0
    return np.flatnonzero(present), (np.cumsum(present) - 1)[values]


def part_of(sources: list[Source], budget: int | None) -> tuple[dict[str, Any], dict[str, Column]]:
    """Head and columns of sources; `budget` limits the characters of a saved output's columns.

    Examples
    --------
    >>> part_of([], None)[0]["names"]
    []
    """
    merged = _Merged()
    for index, source in enumerate(sources):
        merged.add(index, source)
    wide = merged.columns()
    origins = [source.columns.origin_ns for source in sources]
    counts = [len(source.columns) for source in sources]
    head = {
        "runs": [_run_facts(source, sum(counts[:i])) for i, source in enumerate(sources)],
        "lanes": [{"run": run, "queue": queue, "name": f"queue {queue}"} for run, queue in merged.lanes],
        "names": list(merged.names),
        "kernels": merged.kernels[:_COLOURS],
        "kinds": list(KINDS),
        "commands": sum(counts),
        "clamped": int(sum(source.columns.clamped.sum() for source in sources)),
        "untimed": int(sum(source.columns.untimed.sum() for source in sources)),
        "axes": {"start": _axis(sources, origins)} | _common_axis(sources),
        "arrows": sources[0].arrows if len({source.arrows for source in sources}) == 1 else "events",
        "whole": None,
        "reduced": None,
    }
    columns = _coded(wide)
    edges = [source.columns.waits + sum(counts[:i]) for i, source in enumerate(sources)]
    if any(len(pairs) for pairs in edges):
        columns["edges"] = fitting(np.concatenate(edges))
    if budget is not None and (each := _characters_each(columns)) * sum(counts) > budget:
        _reduce(head, columns, wide, sources, (budget, each))
    return head, columns


def _run_facts(source: Source, first: int) -> dict[str, Any]:
    origin = source.columns.origin_ns
    host = None
    if source.offset_ns is not None and source.host_ns is not None:
        host = [at - source.offset_ns - origin for at in source.host_ns]
    ahead = f"{duration(abs(source.offset_ns or 0))} {'ahead of' if (source.offset_ns or 0) >= 0 else 'behind'}"
    aligned = f"The host's clock was {ahead} the device's, measured once at the run."
    clock = aligned if host else "Host and device clocks were not aligned." if source.facts["kernel"] else ""
    facts = {"first": first, "commands": len(source.columns), "origin_ns": str(origin), "end_ns": source.span_ns}
    return source.facts | facts | {"host": host, "clock": clock, "shift_ns": 0}


def _axis(sources: list[Source], shifts: list[int]) -> dict[str, Any]:
    ends = [s.span_ns + s.columns.origin_ns - shift for s, shift in zip(sources, shifts, strict=True)]
    end = max((0, *ends))
    axis = TimeAxis(end, find_cuts([source.columns for source in sources], shifts, end))
    cuts = [[cut.start_ns, cut.end_ns, cut.reason] for cut in axis.cuts]
    return {"end_ns": end, "knots": [list(knot) for knot in axis.knots], "cuts": cuts}


def _common_axis(sources: list[Source]) -> dict[str, Any]:
    """The axis of several runs on the host's clock, where that was measured for each."""
    offsets = [source.offset_ns for source in sources if source.offset_ns is not None]
    if len(sources) < 2 or len(offsets) < len(sources):  # noqa: PLR2004 - several
        return {}
    begins = [s.columns.origin_ns + offset for s, offset in zip(sources, offsets, strict=True) if len(s.columns)]
    first = min(begins, default=0)
    axis = _axis(sources, [first - offset for offset in offsets])
    shifts = [s.columns.origin_ns + offset - first for s, offset in zip(sources, offsets, strict=True)]
    return {"clock": axis | {"shifts_ns": shifts}}


def _coded(wide: dict[str, Column]) -> dict[str, Column]:
    start = wide["start"]
    steps = np.diff(start, prepend=0)
    return {"start_step": fitting(steps)} | {name: fitting(wide[name]) for name in wide if name != "start"}


def fitting(column: Column) -> Column:
    """Whole numbers in the smallest type that holds them; as float64 beyond 32 bits, which is exact up to 2^53.

    Examples
    --------
    >>> [fitting(np.array(column)).dtype.str for column in ([0, 300], [-1, 5], [1 << 40])]
    ['<u2', '|i1', '<f8']
    """
    low, high = (int(column.min()), int(column.max())) if column.size else (0, 0)
    for kind in (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return column.astype(kind)
    return column.astype(np.float64)


def characters(columns: dict[str, Column]) -> int:
    """Characters that columns take in a saved output.

    Examples
    --------
    >>> characters({"a": np.zeros(1000)}) < 100
    True
    """
    return sum(len(base64.b64encode(zlib.compress(column.tobytes(), 6))) for column in columns.values())


def _characters_each(columns: dict[str, Column]) -> float:
    """Characters that a command takes, judged from the first ones where they are many."""
    count = min(_SAMPLE, len(columns["duration"]))
    return characters({name: column[:count] for name, column in columns.items()}) / max(1, count)


def _reduce(
    head: dict[str, Any],
    columns: dict[str, Column],
    wide: dict[str, Column],
    sources: list[Source],
    limits: tuple[int, float],
) -> None:
    """Keep the longest commands and the density of all; the statistics of all go into the head."""
    drawn = _all_densities(head, wide)
    budget, each = limits
    room = budget - characters({"density": drawn})
    keep = min(len(wide["start"]), int(room / each))
    order = np.argsort(-wide["duration"], kind="stable")
    while True:
        kept = np.sort(order[:keep])
        columns.clear()
        columns |= _coded({name: column[kept] for name, column in wide.items()}) | {"index": fitting(kept)}
        if keep <= _FEWEST or characters(columns) <= room:
            break
        keep = keep * 4 // 5
    columns["density"] = drawn
    head["reduced"] = {"kept": len(kept), "of": len(wide["start"])}
    head["whole"] = [
        [index, row.kind, row.name, row.warmup, row.count, row.total_ns, row.median_ns, row.p95_ns, row.nbytes]
        for index, source in enumerate(sources)
        for row in command_statistics(source.columns)[:_STATISTICS]
    ]


def categories(head: dict[str, Any], wide: dict[str, Column]) -> Column:
    """Index into ``CATEGORIES`` of each command.

    Examples
    --------
    >>> categories.__name__
    'categories'
    """
    slots = np.zeros(len(head["names"]) + 1, np.int64)
    slots[head["kernels"]] = range(len(head["kernels"]))
    moves = np.isin(wide["kind"], [KINDS.index("write"), KINDS.index("read"), KINDS.index("map"), KINDS.index("unmap")])
    found = np.where(moves, 4, 5)
    kernels = wide["kind"] == 0
    found = np.where(kernels, np.where(wide["flags"] & REMAINDER, 3, slots[wide["name"]]), found)
    warm: Column = np.where(kernels & ((wide["flags"] & WARM) > 0), 6, found)
    return warm


def _all_densities(head: dict[str, Any], wide: dict[str, Column]) -> Column:
    codes, rows = categories(head, wide), []
    for lane in range(len(head["lanes"])):
        own = np.flatnonzero((wide["lane"] == lane) & ((wide["flags"] & UNTIMED) == 0))
        order = own[np.argsort(wide["start"][own], kind="stable")]
        start, end = wide["start"][order], wide["start"][order] + wide["duration"][order]
        rows.append(densities(start, end, codes[order], len(CATEGORIES), head["axes"]["start"]["knots"]))
    return np.stack(rows) if rows else np.zeros((0, len(CATEGORIES), 1), np.uint8)
