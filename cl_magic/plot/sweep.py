"""A sweep as a heat map of two names, or as bars of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cl_magic.record.numbers import duration, duration_unit
from cl_magic.record.sweep import SweepResult, SweepRow, grid_of, value_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_sweep(result: SweepResult, *, ax: Axes | None = None) -> Axes:
    """Draw the medians of a sweep.

    Parameters
    ----------
    result : SweepResult
    ax : Axes, optional
        By default those of a new figure.

    Returns
    -------
    Axes
        A heat map where two names or more were varied, else bars; settings that did not run well are named, not drawn.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> rows = (SweepRow({"N": 1}, "ran", (1500,)), SweepRow({"N": 2}, "refused", why="over a limit"))
    >>> result = SweepResult("f", "PoCL cpu", ("N",), rows, 2, values={"N": (1, 2)})
    >>> [text.get_text() for text in plot_sweep(result, ax=Figure().subplots()).get_xticklabels()]
    ['1', '2']
    """
    axes = _own_axes() if ax is None else ax
    grid = grid_of(result)
    if grid is None:
        _bars(axes, result)
    else:
        _heat(axes, result, *grid)
    axes.set_title(f"{result.kernel} on {result.device}", fontsize=10)
    return axes


def _own_axes() -> Any:  # noqa: ANN401 - Axes
    from matplotlib import pyplot as plt  # noqa: PLC0415 - it chooses a backend

    return plt.subplots(layout="constrained")[1]


def _bars(axes: Axes, result: SweepResult) -> None:
    words = [", ".join(value_words(value) for value in row.setting.values()) for row in result.rows]
    factor, unit = duration_unit(max((row.median_ns for row in result.rows), default=1))
    heights = [row.median_ns / factor if row.outcome == "ran" else 0 for row in result.rows]
    colours = ["#0072b2" if row is result.best else "#7f8993" for row in result.rows]
    axes.bar(range(len(heights)), heights, color=colours)
    for at, row in enumerate(result.rows):
        if row.outcome != "ran":
            axes.text(at, 0, f" {row.outcome}", rotation=90, ha="center", va="bottom", fontsize=8)
    axes.set_xticks(range(len(words)), words, rotation=45 if len(words) > 6 else 0)  # noqa: PLR2004 - they would touch
    axes.set_xlabel(", ".join(result.names))
    axes.set_ylabel(f"median, {unit}")


def _heat(axes: Axes, result: SweepResult, across: str, down: str, cells: dict[tuple[int, int], SweepRow]) -> None:
    shape = (len(result.values[down]), len(result.values[across]))
    times = np.full(shape, np.nan)
    for place, row in cells.items():
        if row.outcome == "ran":
            times[place] = row.median_ns
    image = axes.imshow(np.log10(np.maximum(times, 1)), cmap="cividis_r", aspect="auto")
    middle = np.nanmean(image.get_clim()) if np.isfinite(times).any() else 0.0
    for (at, to), row in cells.items():
        ran = row.outcome == "ran"
        dark = ran and np.log10(max(1, row.median_ns)) > middle
        words = duration(row.median_ns) if ran else row.outcome
        weight = "bold" if row is result.best else "normal"
        axes.text(to, at, words, ha="center", va="center", fontsize=8, color="w" if dark else "k", weight=weight)
    axes.set_xticks(range(shape[1]), [value_words(value) for value in result.values[across]])
    axes.set_yticks(range(shape[0]), [value_words(value) for value in result.values[down]])
    axes.set_xlabel(across)
    axes.set_ylabel(down)
