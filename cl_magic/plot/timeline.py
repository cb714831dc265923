"""The commands of a run on a time axis: queued as a line, submitted half high, running full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cl_magic.plot import style
from cl_magic.record.axis import Tick, TimeAxis
from cl_magic.record.numbers import duration, plural
from cl_magic.record.timeline import Bar, Lane, Timeline, lay_out_runs
from cl_magic.record.trace_export import run_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cl_magic.record.run import RunRecord

_LETTER_INCHES = 0.065
"""Width of a letter of the small size."""


def plot_timeline(run: RunRecord | Sequence[RunRecord], *, ax: Axes | None = None) -> Axes:
    """Draw the commands of a run, or of several side by side, each with its four times (OpenCL 1.2, 5.12).

    Parameters
    ----------
    run : RunRecord or sequence of RunRecord
        Several share the axis, each from its own first command on.
    ax : Axes, optional
        By default those of a new figure.

    Returns
    -------
    Axes
        x: time since the first command was queued, on the device's clock, as a share of the width; long warm-ups and
        idle times are drawn shorter than they are and hatched. One lane for each command-queue.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> from cl_magic.record.event import CommandEvent
    >>> from cl_magic.record.run import RunRecord
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (), (1,))
    >>> events = (CommandEvent("kernel", "k", 1000, 1010, 1020, 1100),)
    >>> run = RunRecord("k", DeviceInfo("0:0", "d", "p", "1.2", ("cpu",)), plan, events=events)
    >>> plot_timeline([run, run], ax=Figure().subplots()).get_xlabel()
    'ns since the first command was queued'
    """
    runs = list(run) if isinstance(run, Sequence) else [run]
    timelines = lay_out_runs(runs)
    rows = [lane for timeline in timelines for lane in timeline.lanes]
    ax = style.axes_or_new(ax, (7.2, 1.1 + 0.5 * max(1, len(rows))))
    colours = _kernel_colours(runs)
    first = 0
    for timeline in timelines:
        for bar in timeline.bars:
            row = first + [lane.queue for lane in timeline.lanes].index(bar.queue)
            _draw(ax, bar, timeline.axis, colours, row)
        for row, lane in enumerate(timeline.lanes, first):
            _draw_density(ax, lane, row)
        first += len(timeline.lanes)
    axis = timelines[0].axis if timelines else TimeAxis(0)
    _draw_cuts(ax, axis)
    _draw_axis(ax, axis, _lane_names(runs, timelines))
    if len(runs) == 1:
        style.title(ax, runs[0].kernel, _detail(runs[0], timelines[0]))
    else:
        style.title(ax, plural(len(runs), "run"), ", ".join(dict.fromkeys(one.device.short_name for one in runs)))
    return ax


def _lane_names(runs: Sequence[RunRecord], timelines: Sequence[Timeline]) -> list[str]:
    if len(runs) == 1:
        return [lane.name for lane in timelines[0].lanes]
    labels = run_labels([run.kernel for run in runs], [run.device.short_name for run in runs])
    names = []
    for label, timeline in zip(labels, timelines, strict=True):
        names += [f"{label}, {lane.name}" if len(timeline.lanes) > 1 else label for lane in timeline.lanes]
    return names


def _kernel_colours(runs: Sequence[RunRecord]) -> dict[str, str]:
    """Colour of each kernel name; from the fourth on they share one, and the bar carries the name."""
    names = dict.fromkeys(event.name for run in runs for event in run.events if event.kind == "kernel")
    colours = (style.RUN, style.SECOND, style.THIRD)
    return {name: colours[i] if i < len(colours) else style.RUN for i, name in enumerate(names)}


def _detail(run: RunRecord, timeline: Timeline) -> str:
    kernels = [event for event in run.events if event.kind == "kernel"]
    runs = len({event.run for event in kernels if not event.warmup})
    words = [plural(runs, "run")]
    if any(event.warmup for event in kernels):
        words.append("warm-up hatched")
    if timeline.reduced:
        words.append(f"density of {timeline.commands} commands")
    return f"{', '.join(words)} · {run.device.short_name}"


def _draw(ax: Axes, bar: Bar, axis: TimeAxis, colours: dict[str, str], lane: int) -> None:
    queued, submit, start, end = map(axis.place, (bar.queued_ns, bar.submit_ns, bar.start_ns, bar.end_ns))
    ax.plot([queued, submit], [lane, lane], color=style.QUEUED, linewidth=1.5, solid_capstyle="butt", zorder=0.5)
    waiting: dict[str, Any] = {"facecolor": style.SUBMITTED, "edgecolor": style.QUEUED, "linewidth": 0.5}
    ax.broken_barh([(submit, start - submit)], (lane - 0.1, 0.2), **waiting)
    colour = _colour(bar, colours)
    hatch = "////" if bar.warmup else ""
    edge = "white" if hatch else colour
    ax.broken_barh([(start, end - start)], (lane - 0.25, 0.5), facecolor=colour, edgecolor=edge, hatch=hatch, lw=0.5)
    labels = [bar.label, *([str(bar.run)] if bar.run > 0 and bar.kind == "kernel" else [])]
    label = next((text for text in labels if end - start > _share(ax, text)), "")
    if label:
        box: dict[str, Any] | None = {"facecolor": colour, "edgecolor": "none", "pad": 1} if hatch else None
        place: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": style.SMALL, "clip_on": True}
        ax.text((start + end) / 2, lane, label, color="white", bbox=box, **place)


def _share(ax: Axes, text: str) -> float:
    """Share of the width that a text takes, about."""
    inches = ax.get_window_extent().width / ax.get_figure(root=True).dpi  # type: ignore[union-attr]
    return (len(text) + 0.6) * _LETTER_INCHES / max(inches, 0.1)


def _colour(bar: Bar, colours: dict[str, str]) -> str:
    if bar.kind != "kernel":
        return style.TRANSFER
    return style.REMAINDER if bar.remainder else colours[bar.name]


def _draw_density(ax: Axes, lane: Lane, row: int) -> None:
    """Busy share of each stretch of time as the height of a step."""
    if lane.density:
        edges = [i / len(lane.density) for i in range(len(lane.density) + 1)]
        ax.stairs(
            [row + 0.25 - 0.5 * share for share in lane.density], edges, baseline=row + 0.25, fill=True, color=style.RUN
        )


def _draw_cuts(ax: Axes, axis: TimeAxis) -> None:
    several = len(axis.cuts) > 1
    for cut in axis.cuts:
        begin, end = axis.place(cut.start_ns), axis.place(cut.end_ns)
        ax.axvspan(begin, end, facecolor="none", edgecolor=style.RULE, hatch="//", linewidth=0, zorder=0)
        words = duration(cut.duration_ns) if several else f"{cut.reason} {duration(cut.duration_ns)}, not to scale"
        half = _share(ax, words) / 2
        middle = min(max((begin + end) / 2, half), 1 - half)
        box = {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 1}
        ax.annotate(words, (middle, 0.02), xycoords=("data", "axes fraction"), ha="center", va="bottom", bbox=box,
                    fontsize=style.SMALL, color=style.INK2)  # fmt: skip


def _draw_axis(ax: Axes, axis: TimeAxis, names: Sequence[str]) -> None:
    style.quiet_frame(ax)
    ax.set_ylim(max(1, len(names)) - 0.3, -0.5)
    ax.set_yticks(range(len(names)), names)
    ax.set_xlim(0, 1)
    ticks = _apart(ax, axis.ticks())
    ax.set_xticks([tick.position for tick in ticks], [tick.text for tick in ticks])
    note = "; hatched: not to scale" if len(axis.cuts) > 1 else ""
    label = f"{axis.unit[1]} since the first command was queued{note}"
    ax.set_xlabel(label, fontsize=style.SMALL, color=style.INK2)


def _apart(ax: Axes, ticks: Sequence[Tick]) -> list[Tick]:
    """Ticks whose numbers do not touch."""
    kept: list[Tick] = []
    for tick in ticks:
        if not kept or tick.position - kept[-1].position > _share(ax, tick.text):
            kept.append(tick)
    return kept
