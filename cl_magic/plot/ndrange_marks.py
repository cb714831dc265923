"""What is put on the figure of an NDRange: colours by item, and a selected work-item with its ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.patches import Rectangle

from cl_magic.errors import ArgumentError
from cl_magic.launch.partition import partition_of
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.work_item import work_group_of
from cl_magic.plot import style
from cl_magic.record.run import RunRecord
from cl_magic.views.ndrange_colour import captured_colour, colour_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SELECTED = "#ffd400"
_PLANE = 2


def coloured(ax: Axes, of: tuple[LaunchPlan, RunRecord | None], color_by: Any, layer: int) -> None:  # noqa: ANN401 - an array or a name
    """Draw one colour a work-item (a block of them where there are many), and a colour bar.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> coloured(ax, (LaunchPlan((4, 2), (0, 0), (2, 2), "", "uniform", (), (2, 1)), None), np.arange(8), 0)
    >>> ax.images[0].get_extent()
    [0, 4, 2, 0]
    """
    plan, run = of
    if isinstance(color_by, str):
        if run is None:
            message = f"color_by={color_by!r} names an array, and a plan holds none"
            raise ArgumentError(message, remedy="give the array itself, or a run", parameter="color_by", value=color_by)
        facts, cells = captured_colour(run.capture(color_by), plan)
    else:
        facts, cells = colour_of(color_by, plan)
    sizes, start = (*plan.global_size, 1)[:_PLANE], (*plan.global_offset, 0)[:_PLANE]
    if facts["flat"]:
        # Cells of the line, put where their items are: as many of these as a figure can show.
        xs, ys = (np.arange(min(size, 512)) * size // min(size, 512) for size in sizes)
        plane = cells[((layer * sizes[1] + ys[:, None]) * sizes[0] + xs[None, :]) // facts["step"][0]]
        covered = sizes
    else:
        if len(plan.global_size) > _PLANE:
            cells = cells[layer // facts["step"][0]]
        plane = np.atleast_2d(cells)
        steps = ([1, *facts["step"]] if len(plan.global_size) == 1 else facts["step"])[-_PLANE:]
        covered = (plane.shape[1] * steps[1], plane.shape[0] * steps[0])
    extent = (start[0], start[0] + covered[0], start[1] + covered[1], start[1])
    image = ax.imshow(
        plane, extent=extent, cmap="cividis", vmin=facts["low"], vmax=facts["high"], interpolation="nearest",
        aspect="auto",
    )  # fmt: skip
    bar = ax.get_figure(root=True).colorbar(image, ax=ax, fraction=0.05, pad=0.02)  # type: ignore[union-attr]
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=style.SMALL, colors=style.INK2, length=3)
    bar.set_label(facts["name"], fontsize=style.SMALL, color=style.INK2)


def mark_selected(ax: Axes, plan: LaunchPlan, global_id: tuple[int, ...]) -> None:
    r"""Mark a work-item in yellow with an outline, its group, and write its ids beside it.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> mark_selected(ax, LaunchPlan((600, 512), (0, 0), (16, 16), "", "uniform", (), (38, 32)), (341, 155))
    >>> ax.texts[0].get_text()
    'item (341, 155)\ngroup (21, 9), local (5, 11)'
    """
    cut = partition_of(plan)
    item = work_group_of(plan, global_id)
    left_, top = (*cut.expand(item.group_id, (0,) * cut.dimensions), 0)[:_PLANE]
    size = (*item.local_size, 1)[:_PLANE]
    ax.add_patch(Rectangle((left_, top), *size, facecolor="none", edgecolor=style.INK, linewidth=1.2, zorder=3))
    x, y = (start + 0.5 for start in (*global_id, 0)[:_PLANE])
    ax.plot(x, y, marker="s", markersize=5, color=SELECTED, markeredgecolor="black", markeredgewidth=1, zorder=4)
    left = x < sum(ax.get_xlim()) / 2
    place: dict[str, Any] = {"xytext": (8 if left else -8, 0), "textcoords": "offset points"}
    box = {"facecolor": "white", "edgecolor": "none", "pad": 2, "alpha": 0.9}
    words = f"item {_ids(item.global_id)}\ngroup {_ids(item.group_id)}, local {_ids(item.local_id)}"
    said = ax.annotate(
        words, (x, y), ha="left" if left else "right", va="center", fontsize=style.SMALL, color=style.INK, bbox=box,
        zorder=5, **place,
    )  # fmt: skip
    said.set_in_layout(False)


def _ids(ids: tuple[int, ...]) -> str:
    return str(ids[0]) if len(ids) == 1 else f"({', '.join(map(str, ids))})"
