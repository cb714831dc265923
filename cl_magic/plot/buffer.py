"""The contents of an array around a run, from its capture: a line, an image, a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import LinearSegmentedColormap

from cl_magic.errors import ArgumentError, RecordError
from cl_magic.plot import style
from cl_magic.record.captures import Capture
from cl_magic.record.run import RunRecord

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cl_magic.record.captures import Picture, Statistics

When = Literal["before", "after", "difference"]


def plot_buffer(
    run: RunRecord | Capture,
    name: str | None = None,
    when: When = "after",
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw what a capture kept of an array.

    Parameters
    ----------
    run : RunRecord or Capture
    name : str, optional
        Parameter or array; by default the last one that the kernel writes.
    when : {"after", "before", "difference"}
        "after" of an array that was only read shows it as it was before.
    ax : Axes, optional
        By default those of a new figure.

    Returns
    -------
    Axes
        One dimension: a line over the index. Two and more: an image, rows down; of more than two dimensions the first
        slice. NaN is red.

    Raises
    ------
    ArgumentError
        The run has no such array.
    RecordError
        Nothing was captured of it.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from cl_magic.record.capture_arrays import Watch
    >>> x = np.zeros(4)
    >>> watch = Watch(x, "x", writes=True)
    >>> x[:] = 1
    >>> plot_buffer(watch.finish(), ax=Figure().subplots()).get_xlabel()
    'index'
    """
    capture = run if isinstance(run, Capture) else _capture(run, name)
    picture, statistics, when = _choose(capture, when)
    if picture is None and capture.members:
        message = f"{capture.label} holds records of {len(capture.members)} members, which have no one picture"
        raise RecordError(message, remedy="plot a member of your array; the run's report has their numbers")
    if picture is None:
        message = f"the record holds no picture of {capture.label} ({capture.note or 'it was not captured'})"
        raise RecordError(message, remedy="run it with capture='full'", label=capture.label)
    cells = np.frombuffer(picture.data, dtype=picture.dtype).reshape(picture.shape)
    flat = cells.ndim <= 1
    ax = style.axes_or_new(ax, (6.4, 2.0) if flat else (4.8, 4.2))
    if flat:
        _line(ax, cells.reshape(-1), picture.step[0] if picture.step else 1)
    else:
        _image(ax, cells, capture, signed=when == "difference")
    style.title(ax, f"{capture.label} {when}", _detail(capture, statistics))
    return ax


def _capture(run: RunRecord, name: str | None) -> Capture:
    named = [c for c in run.captures if name in (c.parameter, c.label)] if name else list(run.captures)
    written = [c for c in named if c.after is not None]
    if not named:
        known = ", ".join(c.label for c in run.captures) or "none"
        message = (
            f"{run.kernel}: no captured array {name!r}; captured: {known}"
            if name
            else f"{run.kernel}: nothing was captured"
        )
        raise ArgumentError(message, remedy="capture='full' captures every array of the run", kernel=run.kernel)
    return (written or named)[-1]


def _choose(capture: Capture, when: When) -> tuple[Picture | None, Statistics | None, When]:
    if when == "after" and capture.picture_after is None:
        return capture.picture_before, capture.before, "before"
    return {
        "before": (capture.picture_before, capture.before, when),
        "after": (capture.picture_after, capture.after, when),
        "difference": (capture.picture_difference, capture.difference, when),
    }[when]


def _detail(capture: Capture, statistics: Statistics | None) -> str:
    shape = " × ".join(map(str, capture.shape)) or "1"
    words = [f"{np.dtype(capture.dtype).name} {shape}"]
    if statistics is not None and statistics.minimum is not None and statistics.maximum is not None:
        words.append(f"{statistics.minimum:.4g} to {statistics.maximum:.4g}")
    if statistics is not None and statistics.nan + statistics.inf:
        words.append(f"{statistics.nan} NaN, {statistics.inf} Inf")
    return ", ".join(words)


def _line(ax: Axes, cells: np.ndarray[Any, Any], step: int) -> None:
    ax.plot(np.arange(cells.size) * step, cells, color=style.RUN, linewidth=1)
    style.quiet_frame(ax)
    ax.set_xlabel("index", fontsize=style.SMALL, color=style.INK2)


def _image(ax: Axes, cells: np.ndarray[Any, Any], capture: Capture, *, signed: bool) -> None:
    while cells.ndim > 3 or (cells.ndim == 3 and cells.shape[-1] not in (3, 4)):  # noqa: PLR2004 - rows, columns, colours
        cells = cells[0]
    values: np.ndarray[Any, Any] = cells if cells.dtype.kind != "b" else cells.astype(np.uint8)
    rows, columns = capture.shape[-2:] if cells.ndim == 2 else capture.shape[-3:-1]  # noqa: PLR2004 - rows, columns
    if signed and values.ndim == 2:  # noqa: PLR2004 - rows, columns
        signs = LinearSegmentedColormap.from_list("clm-signs", [style.BELOW, "white", style.ABOVE])
        finite = values[np.isfinite(values)]
        most = float(np.abs(finite).max()) if finite.size else 1.0
        limits: dict[str, Any] = {"cmap": signs.with_extremes(bad="#d32f2f"), "vmin": -most or -1, "vmax": most or 1}
    else:
        limits = {"cmap": colormaps["gray"].with_extremes(bad="#d32f2f")}
    drawn = ax.imshow(values, extent=(-0.5, columns - 0.5, rows - 0.5, -0.5), interpolation="nearest", **limits)
    style.quiet_frame(ax)
    if values.ndim == 2 and ax.figure is not None:  # noqa: PLR2004 - rows, columns
        bar = ax.figure.colorbar(drawn, ax=ax, shrink=0.8)
        bar.ax.tick_params(labelsize=style.SMALL, colors=style.INK2, length=3)
        bar.outline.set_visible(False)
