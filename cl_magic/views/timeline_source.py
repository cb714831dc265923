"""What a timeline is made from: records, or columns of commands, as columns with the facts of their run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cl_magic.record.command_columns import Column, CommandColumns
from cl_magic.record.command_table import bandwidth
from cl_magic.record.run import RunRecord
from cl_magic.record.trace_export import run_labels
from cl_magic.views.buffer import run_identity
from cl_magic.views.ndrange import commands_of_parts

Commands = RunRecord | CommandColumns
_RESTORED = "Read-write arrays were restored before each run, outside the timed span."
_DIRECTIONS = ("to device", "from device")


@dataclass(frozen=True, slots=True)
class Source:
    """One run: its commands, the facts that travel in the head, and whether arrows are data or events.

    `offset_ns` leads from the device's clock to the host's; None where it was not measured.
    """

    columns: CommandColumns
    facts: dict[str, Any]
    remainders: tuple[int, ...] = ()
    offset_ns: int | None = None
    host_ns: tuple[int, int] | None = None
    arrows: str = "events"

    @property
    def span_ns(self) -> int:
        """From the first command queued to the last one ended."""
        timed = self.columns.end_ns[~self.columns.untimed]
        return int(timed.max()) - self.columns.origin_ns if timed.size else 0


def sources_of(runs: Commands | Iterable[Commands]) -> list[Source]:
    """One run or several as sources; labels tell them apart.

    Examples
    --------
    >>> columns = CommandColumns.of_arrays([10], [30], name=0, names=["k"], label="mine")
    >>> [source.facts["label"] for source in sources_of([columns, columns])]
    ['mine 1', 'mine 2']
    """
    listed = [runs] if isinstance(runs, RunRecord | CommandColumns) else list(runs)
    found = [_of_record(run) if isinstance(run, RunRecord) else _of_columns(run) for run in listed]
    labels = run_labels([source.facts["label"] for source in found], [source.facts["device"] for source in found])
    for source, label in zip(found, labels, strict=True):
        source.facts["label"] = label
    return found


def _of_columns(columns: CommandColumns) -> Source:
    facts = {"record": "", "label": columns.label or "commands", "kernel": "", "device": "", "status": "complete"}
    return Source(columns, facts | {"error": "", "engine": "", "created": "", "device_id": "", "notes": []})


def _launches(record: RunRecord) -> list[list[Any]]:
    """Offset, global size and command of each launch: which command ran a work-item."""
    commands = commands_of_parts(record.events)
    parts = [(part, commands.get(number)) for number, part in enumerate(record.plan.parts)]
    return [[list(part.global_offset), list(part.global_size), command] for part, command in parts]


def _of_record(record: RunRecord) -> Source:
    columns = CommandColumns.of_events(record.events)
    moved = bandwidth(record)
    aligned = bool(record.clock_offset_ns and record.host_end_ns)
    facts = {
        "record": run_identity(record),
        "label": record.kernel,
        "kernel": record.kernel,
        "device": record.device.short_name,
        "device_name": record.device.name,
        "device_id": record.device.id,
        "status": record.status,
        "error": record.error,
        "engine": record.engine,
        "created": record.created,
        "parameters": {transfer.label: transfer.parameter for transfer in record.transfers},
        "launches": _launches(record),
        "run_bytes": moved.nbytes if moved else 0,
        "run_bytes_are": moved.definition if moved else "",
        "roles": [part.role for part in record.plan.parts],
        "notes": ["Read-write arrays were restored before each run, outside the timed span."]
        if record.restored
        else [],
    }
    return Source(
        replace(columns, waits=data_edges(record)),
        facts,
        tuple(i for i, part in enumerate(record.plan.parts) if part.role == "remainder"),
        record.clock_offset_ns if aligned else None,
        (record.host_start_ns, record.host_end_ns) if aligned else None,
        "data",
    )


def data_edges(record: RunRecord) -> Column:
    """Pairs (command, command it takes data from): a launch from the uploads before it, a download from the launch.

    Only what the record says: an upload or download counts where its array is one that travelled for a parameter.

    Examples
    --------
    >>> data_edges.__name__
    'data_edges'
    """
    labels = {direction: {t.label for t in record.transfers if t.direction == direction} for direction in _DIRECTIONS}
    waiting: list[int] = []
    pairs: list[tuple[int, int]] = []
    last = None
    for index, event in enumerate(record.events):
        if event.kind == "write" and event.name in labels["to device"]:
            waiting.append(index)
        elif event.kind == "kernel":
            pairs += [(index, upload) for upload in waiting]
            waiting, last = [], index
        elif event.kind == "read" and last is not None and event.name in labels["from device"]:
            pairs.append((index, last))
    return np.array(pairs, np.int64).reshape(-1, 2)
