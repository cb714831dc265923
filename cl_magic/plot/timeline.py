"""The commands of a run on a time axis: queued as a line, submitted half high, running full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cl_magic.plot import style
from cl_magic.record.axis import TimeAxis
from cl_magic.record.numbers import duration, plural
from cl_magic.record.timeline import Bar, Lane, Timeline, lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cl_magic.record.run import RunRecord

_NARROW = 0.05
"""Share of the width under which a bar carries no label."""


def plot_timeline(run: RunRecord, *, ax: Axes | None = None) -> Axes:
    """Draw the commands of a run, each with its four times (OpenCL 1.2, 5.12).

    Parameters
    ----------
    run : RunRecord
    ax : Axes, optional
        By default those of a new figure.

    Returns
    -------
    Axes
        x: time since the first command was queued, on the device's clock, as a share of the width; a long warm-up or
        idle time is drawn shorter than it is and hatched. One lane for each command-queue.

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
    >>> plot_timeline(run, ax=Figure().subplots()).get_xlabel()
    'ns since the first command was queued'
    """
    timeline = lay_out(run)
    ax = style.axes_or_new(ax, (7.2, 1.1 + 0.5 * max(1, len(timeline.lanes))))
    names = _kernel_colours(run)
    for bar in timeline.bars:
        _draw(ax, bar, timeline.axis, names)
    for row, lane in enumerate(timeline.lanes):
        _draw_density(ax, lane, row)
    _draw_cut(ax, timeline)
    _draw_axis(ax, timeline)
    style.title(ax, run.kernel, _detail(run, timeline))
    return ax


def _kernel_colours(run: RunRecord) -> dict[str, str]:
    """Colour of each kernel name; from the fourth on they share one, and the bar carries the name."""
    names = dict.fromkeys(event.name for event in run.events if event.kind == "kernel")
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


def _draw(ax: Axes, bar: Bar, axis: TimeAxis, colours: dict[str, str]) -> None:
    queued, submit, start, end = map(axis.place, (bar.queued_ns, bar.submit_ns, bar.start_ns, bar.end_ns))
    lane = bar.queue
    ax.plot([queued, submit], [lane, lane], color=style.QUEUED, linewidth=1.5, solid_capstyle="butt", zorder=0.5)
    waiting: dict[str, Any] = {"facecolor": style.SUBMITTED, "edgecolor": style.QUEUED, "linewidth": 0.5}
    ax.broken_barh([(submit, start - submit)], (lane - 0.1, 0.2), **waiting)
    colour = _colour(bar, colours)
    hatch = "////" if bar.warmup else ""
    edge = "white" if hatch else colour
    ax.broken_barh([(start, end - start)], (lane - 0.25, 0.5), facecolor=colour, edgecolor=edge, hatch=hatch, lw=0.5)
    if end - start > _NARROW:
        middle = (start + end) / 2
        ax.text(middle, lane, bar.label, ha="center", va="center", fontsize=style.SMALL, color="white", clip_on=True)


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


def _draw_cut(ax: Axes, timeline: Timeline) -> None:
    cut = timeline.axis.cut
    if cut is None:
        return
    begin, end = timeline.axis.place(cut.start_ns), timeline.axis.place(cut.end_ns)
    ax.axvspan(begin, end, facecolor="none", edgecolor=style.RULE, hatch="//", linewidth=0, zorder=0)
    words = f"{cut.reason} {duration(cut.duration_ns)}, not to scale"
    ax.annotate(words, ((begin + end) / 2, 0.02), xycoords=("data", "axes fraction"), ha="center", va="bottom",
                fontsize=style.SMALL, color=style.INK2)  # fmt: skip


def _draw_axis(ax: Axes, timeline: Timeline) -> None:
    style.quiet_frame(ax)
    lanes = max(1, len(timeline.lanes))
    ax.set_ylim(lanes - 0.3, -0.5)
    ax.set_yticks(range(len(timeline.lanes)), [lane.name for lane in timeline.lanes])
    ax.set_xlim(0, 1)
    ticks = timeline.axis.ticks()
    ax.set_xticks([tick.position for tick in ticks], [tick.text for tick in ticks])
    unit = timeline.axis.unit[1]
    ax.set_xlabel(f"{unit} since the first command was queued", fontsize=style.SMALL, color=style.INK2)
