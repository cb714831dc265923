"""The NDRange of a plan as a figure: groups chequered, remainders hatched, padding dotted, everything to scale."""

from __future__ import annotations

import math
import textwrap
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from cl_magic.display.ndrange_strip import field_step
from cl_magic.launch.partition import Partition
from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.launch.wording import count, listed, size_text
from cl_magic.plot import style
from cl_magic.plot.ndrange_marks import coloured, mark_selected
from cl_magic.record.run import RunRecord

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_GROUPS_DRAWN = 200
"""Groups an axis may have and still be drawn one by one; above, a field stands for several."""
MOST_LINED = 25
_NOUNS = (("column", "columns"), ("row", "rows"), ("layer", "layers"))
_PLANE = 2
_CHARACTERS = 18
"""Of the small font, in one inch."""


@singledispatch
def _plan_of(value: Any) -> LaunchPlan:  # noqa: ANN401 - dispatched
    msg = f"plot_ndrange takes a RunRecord, a LaunchPlan or a Partition, not {type(value).__name__}"
    raise TypeError(msg)


@_plan_of.register
def _(value: LaunchPlan) -> LaunchPlan:
    return value


@_plan_of.register(RunRecord)
@_plan_of.register(Partition)
def _(value: RunRecord | Partition) -> LaunchPlan:
    return value.plan


def plot_ndrange(
    run: RunRecord | LaunchPlan | Partition,
    *,
    ax: Axes | None = None,
    color_by: Any = None,  # noqa: ANN401 - an array, or the name of one
    select: int | tuple[int, ...] | None = None,
) -> Axes:
    """Draw the work-groups of an NDRange.

    Parameters
    ----------
    run : RunRecord, LaunchPlan or Partition
        Work-items, x to the right, y down (as an image's rows); of three dimensions the slice of `select`, else the
        first one, is drawn and named.
    ax : Axes, optional
        By default those of a new figure.
    color_by : array or str, optional
        One number a work-item: of the range's shape in NumPy order, or flat; of a run also the name of a captured
        array. A colour bar is added to the figure.
    select : int or tuple of int, optional
        Global id of a work-item to mark, x first, the offset counted; its group and local id are written beside it.

    Returns
    -------
    Axes
        ``axes.figure`` is the figure, to be saved.

    Raises
    ------
    ArgumentError
        `color_by` has not one number a work-item.
    NDRangeError
        There is no work-item `select`.

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
    chosen = None if select is None else (select,) if isinstance(select, int) else tuple(select)
    layer = 0 if chosen is None or len(chosen) <= _PLANE else chosen[_PLANE] - plan.global_offset[_PLANE]
    if color_by is None:
        _draw_groups(ax, plan, spans)
    else:
        coloured(ax, (plan, run if isinstance(run, RunRecord) else None), color_by, layer)
    for part in plan.parts:
        if part.role == "remainder" and _in_slice(plan, part, layer):
            _mark(ax, _box(part.global_offset, part.global_size), style.REMAINDER, "////")
    if plan.padded_global_size:
        for box in _padding(plan):
            _mark(ax, box, style.PAD, "...")
    _label(ax, plan, spans, flat=flat, layer=layer)
    if chosen is not None:
        mark_selected(ax, plan, chosen)
    return ax


def _in_slice(plan: LaunchPlan, part: LaunchPart, layer: int) -> bool:
    """Whether a launch has work-items in the slice that is drawn."""
    if len(plan.global_size) <= _PLANE:
        return True
    start = part.global_offset[_PLANE] - plan.global_offset[_PLANE]
    return start <= layer < start + part.global_size[_PLANE]


def _span(plan: LaunchPlan, size: tuple[int, ...], axis: int) -> tuple[int, int, int]:
    """First id, one past the last, and the group size on an axis; a range of one dimension is one row high."""
    if axis >= len(size):
        return 0, 1, 1
    begin = plan.global_offset[axis]
    local = plan.local_size[axis] if plan.local_size else size[axis]
    return begin, begin + size[axis], local


def _stride(span: tuple[int, int, int]) -> int:
    """Groups that one field of the chequer stands for: a round number, 1 where all can be drawn."""
    begin, end, local = span
    groups = -((begin - end) // local)
    return 1 if groups <= MOST_GROUPS_DRAWN else field_step(groups)


def _edges(span: tuple[int, int, int]) -> np.ndarray[Any, Any]:
    begin, end, local = span
    return np.append(np.arange(begin, end, local * _stride(span), dtype=np.float64), end)


def _draw_groups(ax: Axes, plan: LaunchPlan, spans: list[tuple[int, int, int]]) -> None:
    xs, ys = _edges(spans[0]), _edges(spans[1])
    chequer = (np.arange(len(xs) - 1)[None, :] + np.arange(len(ys) - 1)[:, None]) % 2
    if plan.local_size is None:
        chequer, xs, ys = chequer[:1, :1], xs[[0, -1]], ys[[0, -1]]
    lines = style.GROUP_LINE if plan.local_size and max(chequer.shape) <= MOST_LINED else "none"
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


def _label(ax: Axes, plan: LaunchPlan, spans: list[tuple[int, int, int]], *, flat: bool, layer: int) -> None:
    style.quiet_frame(ax)
    ax.set_xlim(spans[0][0], spans[0][1])
    ax.set_ylim(spans[1][1], spans[1][0])
    ax.set_xlabel("global id x", fontsize=style.SMALL, color=style.INK2)
    if flat:
        ax.set_yticks([])
    else:
        ax.set_ylabel("global id y", fontsize=style.SMALL, color=style.INK2)
        ax.set_aspect("equal" if 1 / 8 < (spans[0][1] - spans[0][0]) / (spans[1][1] - spans[1][0]) < 8 else "auto")  # noqa: PLR2004 - beyond 1:8 a picture to scale is a line
    detail = ", ".join(_facts(plan, spans, layer))
    width = ax.get_position().width * ax.get_figure(root=True).get_figwidth()  # type: ignore[union-attr]
    lines = textwrap.wrap(detail, max(24, round(width * _CHARACTERS)))
    style.title(ax, f"{size_text(plan.global_size)} work-items", "\n".join(lines))
    if len(lines) > 1:
        ax.set_title(
            ax.get_title(loc="left"), loc="left", fontsize=style.FONT, fontweight="bold", pad=6 + 12 * len(lines)
        )
    ax.texts[-1].set_in_layout(False)  # a long line must not make the picture small


def _facts(plan: LaunchPlan, spans: list[tuple[int, int, int]], layer: int) -> list[str]:
    """Groups, what is hatched or dotted, which slice."""
    if plan.local_size is None:
        facts = ["groups of the driver's choice"]
    else:
        facts = [f"{size_text(plan.groups)} groups of {size_text(plan.local_size)}"]
        strides = [_stride(span) for span in spans[: len(plan.global_size)]]
        facts += [f"a field is {size_text(strides)} of them"] if max(strides) > 1 else []
        facts += _uneven(plan, plan.local_size)
    if len(plan.global_size) > _PLANE:
        facts.append(f"slice {count(layer + 1)} of {count(plan.global_size[_PLANE])}")
    return facts


def _uneven(plan: LaunchPlan, local: tuple[int, ...]) -> list[str]:
    if plan.padded_global_size:
        return [f"dotted: {count(math.prod(plan.padded_global_size) - math.prod(plan.global_size))} padding items"]
    nouns = _NOUNS if len(local) > 1 else (("item", "items"),)
    pairs = zip(plan.global_size, local, nouns, strict=False)
    rests = [f"{size % n} {one if size % n == 1 else many}" for size, n, (one, many) in pairs if size % n]
    hatched = any(part.role == "remainder" for part in plan.parts)
    return [f"{'hatched: remainder' if hatched else 'smaller last groups:'} {listed(rests)}"] if rests else []
