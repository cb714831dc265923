"""The NDRange of a plan as a figure: groups chequered, remainders hatched, padding dotted, everything to scale."""

from __future__ import annotations

import math
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from cl_magic.launch.plan import LaunchPlan
from cl_magic.plot import style
from cl_magic.record.run import RunRecord

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_GROUPS_DRAWN = 200
"""Groups an axis may have and still be drawn one by one; above, only the outline and the counts are."""


@singledispatch
def _plan_of(value: Any) -> LaunchPlan:  # noqa: ANN401 - dispatched
    msg = f"plot_ndrange takes a RunRecord or a LaunchPlan, not {type(value).__name__}"
    raise TypeError(msg)


@_plan_of.register
def _(value: LaunchPlan) -> LaunchPlan:
    return value


@_plan_of.register
def _(value: RunRecord) -> LaunchPlan:
    return value.plan


def plot_ndrange(run: RunRecord | LaunchPlan, *, ax: Axes | None = None) -> Axes:
    """Draw the work-groups of an NDRange.

    Parameters
    ----------
    run : RunRecord or LaunchPlan
        Work-items, x to the right, y down (as an image's rows); of three dimensions the first slice is drawn and the
        number of slices is named.
    ax : Axes, optional
        By default those of a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from cl_magic.launch.plan import LaunchPart
    >>> part = LaunchPart((0,), (64,), (16,))
    >>> plan = LaunchPlan((64,), (0,), (16,), "as you gave it", "uniform", (part,), (4,))
    >>> plot_ndrange(plan, ax=Figure().subplots()).get_xlabel()
    'global id x'
    """
    plan = _plan_of(run)
    flat = len(plan.global_size) == 1
    ax = style.axes_or_new(ax, (6.4, 1.6 if flat else 4.4))
    size = plan.padded_global_size or plan.global_size
    spans = [_span(plan, size, axis) for axis in range(2)]
    _draw_groups(ax, plan, spans)
    for part in plan.parts:
        if part.role == "remainder":
            _mark(ax, _box(part.global_offset, part.global_size), style.REMAINDER, "////")
    if plan.padded_global_size:
        for box in _padding(plan):
            _mark(ax, box, style.PAD, "...")
    _label(ax, plan, spans, flat=flat)
    return ax


def _span(plan: LaunchPlan, size: tuple[int, ...], axis: int) -> tuple[int, int, int]:
    """First id, one past the last, and the group size on an axis; a range of one dimension is one row high."""
    if axis >= len(size):
        return 0, 1, 1
    begin = plan.global_offset[axis]
    local = plan.local_size[axis] if plan.local_size else size[axis]
    return begin, begin + size[axis], local


def _edges(span: tuple[int, int, int]) -> np.ndarray[Any, Any]:
    begin, end, local = span
    if math.ceil((end - begin) / local) > MOST_GROUPS_DRAWN:
        return np.array([begin, end])
    return np.append(np.arange(begin, end, local), end)


def _draw_groups(ax: Axes, plan: LaunchPlan, spans: list[tuple[int, int, int]]) -> None:
    xs, ys = _edges(spans[0]), _edges(spans[1])
    chequer = (np.arange(len(xs) - 1)[None, :] + np.arange(len(ys) - 1)[:, None]) % 2
    lines = style.GROUP_LINE if plan.local_size and max(chequer.shape) <= MOST_GROUPS_DRAWN // 4 else "none"
    colours = ListedColormap([style.GROUP_A, style.GROUP_B])
    ax.pcolormesh(xs, ys, chequer, cmap=colours, vmin=0, vmax=1, edgecolors=lines, linewidth=0.5)


def _box(offset: tuple[int, ...], size: tuple[int, ...]) -> tuple[int, int, int, int]:
    y, height = (offset[1], size[1]) if len(size) > 1 else (0, 1)
    return offset[0], y, size[0], height


def _padding(plan: LaunchPlan) -> list[tuple[int, int, int, int]]:
    """Boxes of the padding items: right of the range, and below it."""
    x, y, width, height = _box(plan.global_offset, plan.global_size)
    _, _, all_width, all_height = _box(plan.global_offset, plan.padded_global_size or plan.global_size)
    boxes = [(x + width, y, all_width - width, all_height), (x, y + height, width, all_height - height)]
    return [box for box in boxes if box[2] and box[3]]


def _mark(ax: Axes, box: tuple[int, int, int, int], colour: str, hatch: str) -> None:
    x, y, width, height = box
    ax.add_patch(Rectangle((x, y), width, height, facecolor="none", edgecolor=colour, hatch=hatch, linewidth=1))


def _label(ax: Axes, plan: LaunchPlan, spans: list[tuple[int, int, int]], *, flat: bool) -> None:
    style.quiet_frame(ax)
    ax.set_xlim(spans[0][0], spans[0][1])
    ax.set_ylim(spans[1][1], spans[1][0])
    ax.set_xlabel("global id x", fontsize=style.SMALL, color=style.INK2)
    if flat:
        ax.set_yticks([])
    else:
        ax.set_ylabel("global id y", fontsize=style.SMALL, color=style.INK2)
        ax.set_aspect("equal" if 1 / 8 < (spans[0][1] - spans[0][0]) / (spans[1][1] - spans[1][0]) < 8 else "auto")  # noqa: PLR2004 - beyond 1:8 a picture to scale is a line
    items, groups = " × ".join(map(str, plan.global_size)), " × ".join(map(str, plan.groups))
    local = " × ".join(map(str, plan.local_size)) if plan.local_size else "groups of the driver's choice"
    slices = f", slice 1 of {plan.global_size[2]}" if len(plan.global_size) > 2 else ""  # noqa: PLR2004 - x and y
    style.title(ax, f"{items} work-items", f"{groups} groups of {local}{slices}")
