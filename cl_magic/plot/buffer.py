"""The contents of an array around a run, from its capture: a line, an image, a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize, SymLogNorm
from numpy.typing import NDArray

from cl_magic.errors import ArgumentError, RecordError
from cl_magic.plot import style
from cl_magic.record.array_pictures import is_colour
from cl_magic.record.captures import Capture
from cl_magic.record.run import RunRecord
from cl_magic.views.buffer_array import components_of, range_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cl_magic.record.captures import Picture, Statistics

When = Literal["before", "after", "difference"]
Scale = Literal["linear", "log", "symmetric"]
Cells = NDArray[Any]
_BAD = "#d32f2f"


def plot_buffer(  # noqa: PLR0913 - what, and how it is drawn
    run: RunRecord | Capture,
    name: str | None = None,
    when: When = "after",
    *,
    scale: Scale = "linear",
    component: int | None = None,
    plane: int | None = None,
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
    scale : {"linear", "log", "symmetric"}
        Of values: of the y axis of a line, of the colours of an image.
    component : int, optional
        Of vectors and complex numbers; by default a line for each, and the first of an image.
    plane : int, optional
        Index along the first axis of an array of three dimensions; by default the middle one.
    ax : Axes, optional
        By default those of a new figure.

    Returns
    -------
    Axes
        One dimension: a line over the index; of long ones the least and greatest of blocks. Two and more: an image,
        rows down: grayscale of bytes and of floats from 0 to 1, cividis of others. NaN and Inf are red.

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
    if picture is None:
        raise _without_picture(capture)
    cells = np.frombuffer(picture.data, dtype=picture.dtype).reshape(picture.shape)
    names = components_of(capture)
    in_colour = is_colour(cells.shape) and component is None and range_of(capture)["gray"]
    if names and (in_colour or len(names) != cells.shape[-1]):
        names = []
    axes = cells.ndim - bool(names)
    ax = style.axes_or_new(ax, (6.4, 2.0) if axes <= 1 else (4.8, 4.2))
    detail = _detail(capture, statistics)
    if axes <= 1:
        _lines(ax, cells, picture.step[0] if picture.step else 1, names, component)
        _scaled(ax, scale)
    else:
        part = cells[..., component or 0] if names else cells
        detail += f", {names[component or 0]}" if names else ""
        flat, chosen = _plane(part, picture, capture, plane)
        detail += chosen
        _image(ax, flat, capture, signed=when == "difference", scale=scale)
    style.title(ax, f"{capture.label} {when}", detail)
    return ax


def _without_picture(capture: Capture) -> RecordError:
    if capture.members:
        message = f"{capture.label} holds records of {len(capture.members)} members, which have no one picture"
        return RecordError(message, remedy="plot a member of your array; the run's report has their numbers")
    message = f"the record holds no picture of {capture.label} ({capture.note or 'it was not captured'})"
    return RecordError(message, remedy="run it with capture='full'", label=capture.label)


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


def _lines(ax: Axes, cells: Cells, step: int, names: list[str], component: int | None) -> None:
    curves = cells.reshape(-1, len(names)) if names else cells.reshape(-1, 1)
    colours = (style.RUN, style.TRANSFER, style.REMAINDER, style.INK)
    for i in range(curves.shape[1]):
        if component in (None, i):
            dash = ("-", "--", ":", "-.")[i % 4]
            label = names[i] if names else None
            ax.plot(np.arange(len(curves)) * step, curves[:, i], dash, color=colours[i % 4], linewidth=1, label=label)
    if names:
        ax.legend(fontsize=style.SMALL, frameon=False, ncols=4, loc="best")
    style.quiet_frame(ax)
    ax.set_xlabel("index", fontsize=style.SMALL, color=style.INK2)


def _scaled(ax: Axes, scale: Scale) -> None:
    if scale == "log":
        ax.set_yscale("log", nonpositive="mask")
    elif scale == "symmetric":
        low, high = ax.get_ylim()
        ax.set_yscale("symlog", linthresh=max(abs(low), abs(high), 1e-30) / 1e3)


def _plane(cells: Cells, picture: Picture, capture: Capture, plane: int | None) -> tuple[Cells, str]:
    """Rows and columns to draw, and which plane they are."""
    words = ""
    for axis in range(cells.ndim - (3 if is_colour(cells.shape[-3:]) else 2)):
        step, size = picture.step[axis], capture.shape[axis]
        index = plane if plane is not None and axis == 0 else size // 2
        if not 0 <= index < size:
            message = f"{capture.label} has no plane {index}: there are {size}"
            raise ArgumentError(message, remedy=f"0 to {size - 1}", plane=index)
        cells, words = cells[index // step], words or f", plane {index} of {size}"
    return cells, words


def _image(ax: Axes, cells: Cells, capture: Capture, *, signed: bool, scale: Scale) -> None:
    values: Cells = cells.astype(np.uint8) if cells.dtype.kind == "b" else cells
    rows, columns = _extent(values, capture)
    if values.ndim == 2:  # noqa: PLR2004 - rows, columns
        limits = _signed_colours(values, scale) if signed else _colours(values, capture, scale)
        values = np.ma.masked_invalid(values) if values.dtype.kind == "f" else values
    else:
        values, limits = _pixels(values), {}
    drawn = ax.imshow(values, extent=(-0.5, columns - 0.5, rows - 0.5, -0.5), interpolation="nearest", **limits)
    style.quiet_frame(ax)
    if values.ndim == 2 and ax.figure is not None:  # noqa: PLR2004 - rows, columns
        bar = ax.figure.colorbar(drawn, ax=ax, shrink=0.8)
        bar.ax.tick_params(labelsize=style.SMALL, colors=style.INK2, length=3)
        bar.outline.set_visible(False)


def _extent(values: Cells, capture: Capture) -> tuple[int, int]:
    """Rows and columns of the whole array."""
    shape = capture.shape
    drops_last = values.ndim == 3 or (len(shape) > 2 and bool(components_of(capture)))  # noqa: PLR2004 - colours
    drops_last = drops_last and np.dtype(capture.dtype).kind != "c"
    rows, columns = (shape[-3], shape[-2]) if drops_last else (shape[-2], shape[-1])
    return rows, columns


def _pixels(values: Cells) -> Cells:
    """Colour image as Matplotlib takes it: bytes, or floats from 0 to 1."""
    if values.dtype == np.uint8:
        return values
    top = 255.0 if values.size and float(np.nanmax(values)) > 1 else 1.0
    return np.clip(np.nan_to_num(values.astype(np.float64)) / top, 0, 1)


def _signed_colours(values: Cells, scale: Scale) -> dict[str, Any]:
    signs = LinearSegmentedColormap.from_list("clm-signs", [style.BELOW, "white", style.ABOVE])
    finite = values[np.isfinite(values)]
    most = float(np.abs(finite.astype(np.float64)).max()) if finite.size else 1.0
    most = most or 1.0
    norm = Normalize(-most, most) if scale == "linear" else SymLogNorm(most / 1e3, vmin=-most, vmax=most)
    return {"cmap": signs.with_extremes(bad=_BAD), "norm": norm}


def _colours(values: Cells, capture: Capture, scale: Scale) -> dict[str, Any]:
    """Colour map and scale, the same for before and after."""
    found = range_of(capture)
    low, high = found["low"], found["high"]
    colours = colormaps["gray" if found["gray"] else "cividis"].with_extremes(bad=_BAD)
    if scale == "log" and high > 0:
        finite = values[np.isfinite(values) & (values > 0)] if values.dtype.kind != "b" else values
        least = low if low > 0 else float(finite.min()) if finite.size else high / 1e6
        return {"cmap": colours, "norm": LogNorm(min(least, high / 10), high, clip=True)}
    if scale == "symmetric":
        return {"cmap": colours, "norm": SymLogNorm(max(abs(low), abs(high), 1e-30) / 1e3, vmin=low, vmax=high)}
    return {"cmap": colours, "norm": Normalize(low, high) if high > low else Normalize(low - 0.5, high + 0.5)}
