"""A run for other tools: the Trace Event Format (Perfetto, chrome://tracing), and columns for a data frame."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from cl_magic.errors import RecordError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.record.event import CommandEvent


class _Run(Protocol):
    """What of a :class:`~cl_magic.record.run.RunRecord` is exported."""

    @property
    def kernel(self) -> str: ...
    @property
    def device(self) -> DeviceInfo: ...
    @property
    def events(self) -> tuple[CommandEvent, ...]: ...
    @property
    def engine(self) -> str: ...
    @property
    def created(self) -> str: ...
    @property
    def clock_offset_ns(self) -> int: ...
    @property
    def host_start_ns(self) -> int: ...
    @property
    def host_end_ns(self) -> int: ...


def trace_events(*records: _Run) -> dict[str, Any]:
    """Runs as a trace object: one track for each command-queue, one for waiting commands, one for the host.

    Returns
    -------
    dict
        ``{"traceEvents": […], "displayTimeUnit": "ns", "otherData": {…}}``. Times are microseconds, as the format asks,
        from the moment the first command was queued: of each run, unless the clocks of all were aligned with the
        host's. A command is a complete event ("X") from start to end; the time from queued to start is an asynchronous
        pair ("b", "e"), as waiting commands overlap. The host's call is there only where the clocks were aligned.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> from cl_magic.record.run import RunRecord
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (), (1,))
    >>> events = (CommandEvent("kernel", "k", 1000, 1010, 2000, 5000),)
    >>> trace = trace_events(RunRecord("k", DeviceInfo("0:0", "d", "p", "1.2", ("cpu",)), plan, events=events))
    >>> next((e["ts"], e["dur"]) for e in trace["traceEvents"] if e["ph"] == "X")
    (1.0, 3.0)
    """
    listed: list[dict[str, Any]] = []
    origins = _origins(records)
    labels = run_labels([record.kernel for record in records], [record.device.short_name for record in records])
    for number, (record, label) in enumerate(zip(records, labels, strict=True)):
        process, named = 2 * number + 1, f"{label}: " if len(records) > 1 else ""
        listed.append(_named("process_name", process, 0, f"{named}{record.device.name} ({record.device.id})"))
        queues = sorted({event.queue for event in record.events})
        listed += [_named("thread_name", process, queue, f"queue {queue}") for queue in queues]
    for number, (record, origin) in enumerate(zip(records, origins, strict=True)):
        for index, event in enumerate(record.events):
            listed += _command(event, index, origin, number)
    for number, (record, origin, label) in enumerate(zip(records, origins, labels, strict=True)):
        if record.clock_offset_ns and record.host_end_ns:
            listed += _host(record, origin, 2 * number + 2, f"{label}: host" if len(records) > 1 else "host")
    other: dict[str, Any] = {}
    if records:
        first = records[0]
        other = {"kernel": first.kernel, "device": first.device.name, "engine": first.engine, "created": first.created}
    return {"traceEvents": listed, "displayTimeUnit": "ns", "otherData": other}


def _origins(records: Sequence[_Run]) -> list[int]:
    """What is taken from each run's times: its own first one, or a moment of the host's clock that all share."""
    own = [_first(record) for record in records]
    if len(records) > 1 and all(record.clock_offset_ns and record.host_end_ns for record in records):
        begins = [at + record.clock_offset_ns for at, record in zip(own, records, strict=True) if record.events]
        return [min(begins, default=0) - record.clock_offset_ns for record in records]
    return own


def _first(record: _Run) -> int:
    """When the first command was queued, of those that have times."""
    return min((event.queued_ns for event in record.events if event.end_ns or not event.clamped), default=0)


def run_labels(names: Sequence[str], devices: Sequence[str]) -> list[str]:
    """Labels that tell runs apart: the name; where several share one, the device with it; else a number.

    Examples
    --------
    >>> run_labels(["k", "k", "m"], ["PoCL cpu", "Intel cpu", "PoCL cpu"])
    ['k, PoCL cpu', 'k, Intel cpu', 'm']
    >>> run_labels(["k", "k"], ["PoCL cpu", "PoCL cpu"])
    ['k 1', 'k 2']
    """
    labels = []
    for index, name in enumerate(names):
        own = [device for other, device in zip(names, devices, strict=True) if other == name]
        if len(own) == 1:
            labels.append(name)
        elif len(set(own)) == len(own):
            labels.append(f"{name}, {devices[index]}")
        else:
            labels.append(f"{name} {list(names[: index + 1]).count(name)}")
    return labels


def _named(what: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": process, "tid": thread, "args": {"name": name}}


def _command(event: CommandEvent, index: int, origin: int, number: int) -> list[dict[str, Any]]:
    facts = {"command": index, "run": event.run, "part": event.part, "bytes": event.nbytes, "clamped": event.clamped}
    place = {"name": event.name, "pid": 2 * number + 1, "tid": event.queue}
    start = (event.start_ns - origin) / 1000
    wait = {**place, "cat": "waiting", "id": f"{number}.{index}" if number else index}
    return [
        {**place, "ph": "X", "cat": event.kind, "ts": start, "dur": event.duration_ns / 1000, "args": facts},
        {**wait, "ph": "b", "ts": (event.queued_ns - origin) / 1000},
        {**wait, "ph": "n", "name": f"{event.name} submitted", "ts": (event.submit_ns - origin) / 1000},
        {**wait, "ph": "e", "ts": start},
    ]


def _host(record: _Run, origin: int, process: int, name: str) -> list[dict[str, Any]]:
    begin = (record.host_start_ns - record.clock_offset_ns - origin) / 1000
    length = (record.host_end_ns - record.host_start_ns) / 1000
    call = {"ph": "X", "cat": "host", "name": f"call of {record.kernel}", "pid": process, "tid": 0}
    return [_named("process_name", process, 0, name), {**call, "ts": begin, "dur": length, "args": {}}]


def save_trace(record: _Run | Sequence[_Run], path: str | os.PathLike[str]) -> Path:
    """Write the trace of one run or several to a JSON file that https://ui.perfetto.dev opens.

    Raises
    ------
    RecordError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> from cl_magic.record.run import RunRecord
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (), (1,))
    >>> run = RunRecord("k", DeviceInfo("0:0", "d", "p", "1.2", ("cpu",)), plan)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_trace(run, f"{folder}/run.json").name
    'run.json'
    """
    records = record if isinstance(record, Sequence) else [record]
    return _written(path, msgspec.json.encode(trace_events(*records)))


def save_csv(record: _Run, path: str | os.PathLike[str]) -> Path:
    """Write the commands to a CSV file with the columns of :func:`columns`; RecordError where it cannot be written.

    Examples
    --------
    >>> save_csv.__name__
    'save_csv'
    """
    table = columns(record)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(table)
    rows = zip(*table.values(), strict=True)
    writer.writerows([str(cell).lower() if isinstance(cell, bool) else cell for cell in row] for row in rows)
    return _written(path, text.getvalue().encode())


def _written(path: str | os.PathLike[str], data: bytes) -> Path:
    target = Path(path).expanduser()
    try:
        target.write_bytes(data)
    except OSError as error:
        msg = f"{target} cannot be written: {error.strerror or error}"
        raise RecordError(msg, remedy="choose a folder that exists and can be written", path=str(target)) from error
    return target


def columns(record: _Run) -> dict[str, list[Any]]:
    """One list for each fact of the commands, of equal lengths: ``pandas.DataFrame(columns(run))``.

    Times are nanoseconds from the moment the first command was queued.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (), (1,))
    >>> from cl_magic.record.run import RunRecord
    >>> events = (CommandEvent("write", "x", 1000, 1010, 2000, 5000, nbytes=64),)
    >>> table = columns(RunRecord("k", DeviceInfo("0:0", "d", "p", "1.2", ("cpu",)), plan, events=events))
    >>> table["kind"], table["start_ns"], table["duration_ns"]
    (['write'], [1000], [3000])
    """
    events = record.events
    origin = _first(record)
    names = ("kind", "name", "queue", "run", "part", "warmup", "nbytes", "clamped")
    table: dict[str, list[Any]] = {name: [getattr(event, name) for event in events] for name in names}
    for name in ("queued_ns", "submit_ns", "start_ns", "end_ns"):
        table[name] = [getattr(event, name) - origin for event in events]
    table["duration_ns"] = [event.duration_ns for event in events]
    return table
