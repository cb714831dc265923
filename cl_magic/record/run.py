"""The record of one run: the only thing that pictures, tables and saved files are made from."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cl_magic import show
from cl_magic.errors import RecordError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.plan import LaunchPlan
from cl_magic.record import durations
from cl_magic.record.captures import Capture
from cl_magic.record.event import CommandEvent, Transfer
from cl_magic.record.save import load, save
from cl_magic.record.trace_export import columns, save_csv, save_trace, trace_events

RECORD_VERSION = 1


@dataclass(frozen=True, slots=True)
class ArgumentFact:
    """One argument as it was given: its declaration and its value in short, ``float32 (512, 600)`` or ``2.0f``."""

    index: int
    declaration: str
    value: str
    direction: str = ""


@dataclass(frozen=True, slots=True)
class RunRecord(show.Shown):
    """One launch of one kernel: what was planned, what happened, how long it took, what it printed and changed.

    Attributes
    ----------
    kernel : str
    device : DeviceInfo
    plan : LaunchPlan
    arguments : tuple of ArgumentFact
    events : tuple of CommandEvent
        Every command of the run, in order of queueing.
    transfers : tuple of Transfer
    printf : str
        What the kernel printed, complete and in order, of all runs.
    captures : tuple of Capture
    program : str
        Digest of the program's spec.
    clock_offset_ns : int
        Host monotonic time minus device time, measured once at the run; 0 when not known.
    host_start_ns, host_end_ns : int
        Host monotonic clock around the call in the engine.
    repeat, warmup : int
    restored : bool
        Whether read-write arrays were put back before each run.
    engine : str
        "inline" or "worker".
    status : {"complete", "failed"}
    error : str
    notes : tuple of str
        What was done that the user did not ask for, one sentence each.
    created : str
        ISO 8601 time, UTC.
    """

    kernel: str
    device: DeviceInfo
    plan: LaunchPlan
    arguments: tuple[ArgumentFact, ...] = ()
    events: tuple[CommandEvent, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    printf: str = ""
    captures: tuple[Capture, ...] = ()
    program: str = ""
    clock_offset_ns: int = 0
    host_start_ns: int = 0
    host_end_ns: int = 0
    repeat: int = 1
    warmup: int = 0
    restored: bool = False
    engine: str = ""
    status: Literal["complete", "failed"] = "complete"
    error: str = ""
    notes: tuple[str, ...] = ()
    created: str = ""
    version: int = RECORD_VERSION

    @property
    def durations_ns(self) -> tuple[int, ...]:
        """Nanoseconds of each timed run: the sum of its launches."""
        return durations.durations_ns(self.events)

    @property
    def duration_ns(self) -> int:
        """Nanoseconds of the run (sum of its launches); the median where it was repeated, 0 where nothing ran."""
        return durations.median_ns(self.durations_ns)

    @property
    def span_ns(self) -> int:
        """Nanoseconds from the start of the first launch to the end of the last; the median where repeated."""
        return durations.span_ns(self.events)

    @property
    def statistics(self) -> durations.RepeatStatistics | None:
        """Count, median, least, most and 95th percentile of the timed runs; None where nothing ran."""
        return durations.repeat_statistics(self.durations_ns)

    def capture(self, name: str) -> Capture:
        """What was kept of an array, by kernel parameter or by the array's name.

        Raises
        ------
        RecordError
            There is none of that name; `captured` lists those there are.
        """
        for capture in self.captures:
            if name in (capture.parameter, capture.label):
                return capture
        names = [capture.parameter for capture in self.captures]
        msg = f"the record of {self.kernel} holds no capture of {name!r}"
        remedy = f"captured: {', '.join(names)}" if names else 'run it with capture="auto"'
        raise RecordError(msg, remedy=remedy, captured=tuple(names))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the record to a ``.clm`` file (the suffix is added where there is none), and return its path."""
        return save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> RunRecord:
        """Read a record that was saved here or on another machine; RecordError says why a file is refused."""
        record: RunRecord = load(cls, path)
        if record.version != RECORD_VERSION:
            msg = f"{path} holds a record of version {record.version}, and this cl_magic reads version {RECORD_VERSION}"
            raise RecordError(msg, remedy="load it with the cl_magic that saved it", version=record.version)
        return record

    def commands(self) -> dict[str, list[Any]]:
        """One list for each fact of the commands, of equal lengths: ``pandas.DataFrame(run.commands())``."""
        return columns(self)

    def trace(self) -> dict[str, Any]:
        """The commands in the Trace Event Format, as Perfetto and chrome://tracing read it."""
        return trace_events(self)

    def save_trace(self, path: str | os.PathLike[str]) -> Path:
        """Write :meth:`trace` to a JSON file, and return its path; RecordError where it cannot be written."""
        return save_trace(self, path)

    def save_csv(self, path: str | os.PathLike[str]) -> Path:
        """Write :meth:`commands` to a CSV file, and return its path; RecordError where it cannot be written."""
        return save_csv(self, path)

    def plot_timeline(self, **options: Any) -> Any:  # noqa: ANN401 - a Matplotlib figure
        """Matplotlib figure of the commands on a time axis."""
        return self._plot("timeline", **options)

    def plot_ndrange(self, **options: Any) -> Any:  # noqa: ANN401
        """Matplotlib figure of the work-groups."""
        return self._plot("ndrange", **options)

    def plot_buffer(self, name: str, **options: Any) -> Any:  # noqa: ANN401
        """Matplotlib figure of one array before and after, by kernel parameter or by the array's name."""
        return self._plot("buffer", name=self.capture(name).parameter, **options)

    def live(self) -> Any:  # noqa: ANN401 - a widget
        """Live view of the arrays around this run, which follows the kernel's next launches: a loop as a picture.

        Raises
        ------
        MissingExtraError
            Widgets are not installed.
        """
        show.load_view("widgets")
        return show.panel_of(self)

    def _plot(self, kind: str, **options: Any) -> Any:  # noqa: ANN401
        show.load_view("plot")
        return show.plot_of(self, kind, **options)
