"""A run for other tools: the Trace Event Format (Perfetto, chrome://tracing), and columns for a data frame."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from cl_magic.errors import RecordError
from cl_magic.record.event import CommandEvent
from cl_magic.record.run import RunRecord

_DEVICE, _HOST = 1, 2
"""Process numbers in the trace."""


def trace_events(record: RunRecord) -> dict[str, Any]:
    """The run as a trace object: one track for each command-queue, one for waiting commands, one for the host.

    Returns
    -------
    dict
        ``{"traceEvents": […], "displayTimeUnit": "ns", "otherData": {…}}``. Times are microseconds, as the format asks,
        from the moment the first command was queued. A command is a complete event ("X") from start to end; the time
        from queued to start is an asynchronous pair ("b", "e"), as waiting commands overlap. The host's call is there
        only where the clocks were aligned.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (), (1,))
    >>> events = (CommandEvent("kernel", "k", 1000, 1010, 2000, 5000),)
    >>> trace = trace_events(RunRecord("k", DeviceInfo("0:0", "d", "p", "1.2", ("cpu",)), plan, events=events))
    >>> next((e["ts"], e["dur"]) for e in trace["traceEvents"] if e["ph"] == "X")
    (1.0, 3.0)
    """
    origin = min((event.queued_ns for event in record.events), default=0)
    listed: list[dict[str, Any]] = [_named("process_name", _DEVICE, 0, f"{record.device.name} ({record.device.id})")]
    listed += [
        _named("thread_name", _DEVICE, queue, f"queue {queue}") for queue in sorted({e.queue for e in record.events})
    ]
    for index, event in enumerate(record.events):
        listed += _command(event, index, origin)
    if record.clock_offset_ns and record.host_end_ns:
        listed += _host(record, origin)
    other = {"kernel": record.kernel, "device": record.device.name, "engine": record.engine, "created": record.created}
    return {"traceEvents": listed, "displayTimeUnit": "ns", "otherData": other}


def _named(what: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": process, "tid": thread, "args": {"name": name}}


def _command(event: CommandEvent, index: int, origin: int) -> list[dict[str, Any]]:
    facts = {"command": index, "run": event.run, "part": event.part, "bytes": event.nbytes, "clamped": event.clamped}
    place = {"name": event.name, "pid": _DEVICE, "tid": event.queue}
    start = (event.start_ns - origin) / 1000
    wait = {**place, "cat": "waiting", "id": index}
    return [
        {**place, "ph": "X", "cat": event.kind, "ts": start, "dur": event.duration_ns / 1000, "args": facts},
        {**wait, "ph": "b", "ts": (event.queued_ns - origin) / 1000},
        {**wait, "ph": "n", "name": f"{event.name} submitted", "ts": (event.submit_ns - origin) / 1000},
        {**wait, "ph": "e", "ts": start},
    ]


def _host(record: RunRecord, origin: int) -> list[dict[str, Any]]:
    begin = (record.host_start_ns - record.clock_offset_ns - origin) / 1000
    length = (record.host_end_ns - record.host_start_ns) / 1000
    call = {"ph": "X", "cat": "host", "name": f"call of {record.kernel}", "pid": _HOST, "tid": 0}
    return [_named("process_name", _HOST, 0, "host"), {**call, "ts": begin, "dur": length, "args": {}}]


def save_trace(record: RunRecord, path: str | os.PathLike[str]) -> Path:
    """Write the trace to a JSON file that https://ui.perfetto.dev opens; RecordError where it cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (), (1,))
    >>> run = RunRecord("k", DeviceInfo("0:0", "d", "p", "1.2", ("cpu",)), plan)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_trace(run, f"{folder}/run.json").name
    'run.json'
    """
    target = Path(path).expanduser()
    try:
        target.write_bytes(msgspec.json.encode(trace_events(record)))
    except OSError as error:
        msg = f"{target} cannot be written: {error.strerror or error}"
        raise RecordError(msg, remedy="choose a folder that exists and can be written", path=str(target)) from error
    return target


def columns(record: RunRecord) -> dict[str, list[Any]]:
    """One list for each fact of the commands, of equal lengths: ``pandas.DataFrame(columns(run))``.

    Times are nanoseconds from the moment the first command was queued.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (), (1,))
    >>> events = (CommandEvent("write", "x", 1000, 1010, 2000, 5000, nbytes=64),)
    >>> table = columns(RunRecord("k", DeviceInfo("0:0", "d", "p", "1.2", ("cpu",)), plan, events=events))
    >>> table["kind"], table["start_ns"], table["duration_ns"]
    (['write'], [1000], [3000])
    """
    events = record.events
    origin = min((event.queued_ns for event in events), default=0)
    names = ("kind", "name", "queue", "run", "part", "warmup", "nbytes", "clamped")
    table: dict[str, list[Any]] = {name: [getattr(event, name) for event in events] for name in names}
    for name in ("queued_ns", "submit_ns", "start_ns", "end_ns"):
        table[name] = [getattr(event, name) - origin for event in events]
    table["duration_ns"] = [event.duration_ns for event in events]
    return table
