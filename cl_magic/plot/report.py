"""A run as one figure, and as the PNG that stands in for the report where HTML is stripped."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from cl_magic.plot.buffer import plot_buffer
from cl_magic.plot.ndrange import plot_ndrange
from cl_magic.plot.timeline import plot_timeline

if TYPE_CHECKING:
    from cl_magic.record.run import RunRecord

_DPI = 80


def figure_of_run(run: RunRecord) -> Figure:
    """Draw a run: timeline above, NDRange and the last written array below.

    Returns
    -------
    Figure
        8 × 4.6 inches, not known to pyplot.
    """
    figure = Figure(figsize=(8, 4.6), layout="constrained")
    pictured = [c for c in run.captures if c.picture_after is not None or c.picture_before is not None]
    lower = "ab" if pictured else "aa"
    axes = figure.subplot_mosaic(f"tt;{lower}", height_ratios=[1, 2.6])
    plot_timeline(run, ax=axes["t"])
    plot_ndrange(run, ax=axes["a"])
    if pictured:
        written = [c for c in pictured if c.picture_after is not None]
        plot_buffer((written or pictured)[-1], ax=axes["b"])
    return figure


def png_of_run(run: RunRecord) -> bytes:
    """Draw :func:`figure_of_run` as a PNG of 640 × 368 pixels."""
    target = io.BytesIO()
    figure_of_run(run).savefig(target, format="png", dpi=_DPI)
    return target.getvalue()
