"""Values to Matplotlib figures: for papers, scripts and the PNG of a report. Only here is Matplotlib imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cl_magic.launch.plan import LaunchPlan
from cl_magic.plot.buffer import plot_buffer
from cl_magic.plot.ndrange import plot_ndrange
from cl_magic.plot.report import figure_of_run, png_of_run
from cl_magic.plot.sweep import plot_sweep
from cl_magic.plot.timeline import plot_timeline
from cl_magic.record.captures import Capture
from cl_magic.record.run import RunRecord
from cl_magic.record.sweep import SweepResult
from cl_magic.show import figure_of, plot_of, png_of

__all__ = ["plot_buffer", "plot_ndrange", "plot_timeline"]

_KINDS: dict[str, Callable[..., Any]] = {
    "timeline": plot_timeline,
    "ndrange": plot_ndrange,
    "buffer": plot_buffer,
    "sweep": plot_sweep,
}

figure_of.register(RunRecord, figure_of_run)
png_of.register(RunRecord, png_of_run)


@plot_of.register(RunRecord)
@plot_of.register(LaunchPlan)
@plot_of.register(Capture)
@plot_of.register(SweepResult)
def _plot(value: Any, kind: str, **options: Any) -> Any:  # noqa: ANN401 - a value and its Axes
    return _KINDS[kind](value, **options)
