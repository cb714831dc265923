"""NDRange picture of a launch plan, in one, two or three dimensions: HTML, and the plan in text."""

from __future__ import annotations

import math

from cl_magic.display.axis import axes_of
from cl_magic.display.escape import escape
from cl_magic.display.ndrange_box import box_svg, layers_svg, planes_svg
from cl_magic.display.ndrange_facts import (
    Element,
    Selection,
    conclusion,
    group_words,
    limit_bars,
    picture_key,
    select,
    selected_table,
)
from cl_magic.display.ndrange_plane import fitted, plane_svg
from cl_magic.display.ndrange_strip import field_step, strip_svg
from cl_magic.display.page import wrap
from cl_magic.display.parts import head, key, small
from cl_magic.display.quantity import count, ids, times
from cl_magic.display.svg import rect
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.plan import LaunchPlan

_MAP = (300.0, 256.0)
_LAYER = (96.0, 72.0)
_STACKED = "margin-top:16px;flex-direction:column"
_THREE = 3


def _strip_body(plan: LaunchPlan, chosen: Selection, element: Element | None, device: DeviceInfo | None) -> str:
    axes = axes_of(plan, (960.0,))
    step = field_step(axes[0].groups)
    side = picture_key(plan, axes, "", (step,)) + f'<div class="why">{limit_bars(plan, device)}</div>'
    return (
        strip_svg(plan, chosen)
        + f'<div class="row" style="margin-top:8px"><div>{selected_table(plan, chosen, element)}'
        f'</div><div style="flex:1 1 360px">{side}</div></div>'
    )


def _plane_body(plan: LaunchPlan, chosen: Selection, element: Element | None, device: DeviceInfo | None) -> str:
    axes = axes_of(plan, fitted(plan.padded_global_size or plan.global_size, _MAP))
    side = selected_table(plan, chosen, element) + picture_key(plan, axes, _STACKED, tuple(a.stride for a in axes))
    bars = f'<div class="why">{limit_bars(plan, device)}</div>' if device else ""
    return f'<div class="row">{_scrolled(plane_svg(plan, chosen))}<div class="side">{side}{bars}</div></div>'


def _box_body(plan: LaunchPlan, chosen: Selection, element: Element | None, device: DeviceInfo | None) -> str:
    room = fitted((plan.padded_global_size or plan.global_size)[:2], _LAYER)
    axes = axes_of(plan, (*room, 100.0), thinnest=5.0)
    layers = axes[2].groups
    more = f"; 8 of {count(layers)} layers are drawn" if layers > 8 else ""  # noqa: PLR2004 - as drawn
    left = small(f"layers of groups along z; x runs to the right, y down{more}") + _scrolled(layers_svg(plan, chosen))
    if plan.local_size is not None:
        items = math.prod(plan.local_size)
        words = f"group {ids(chosen.group)}, its {count(items)} items in {count(plan.local_size[2])} planes"
        left += f'<p class="sm dim" style="margin-top:8px">{words}</p>{_scrolled(planes_svg(plan, chosen))}'
    keys = picture_key(plan, axes, _STACKED, (*(a.stride for a in axes[:2]), 1)) + key(
        [(rect("lay", (0, 0, 20, 12)), "the selected layer")]
    )
    right = f'{box_svg(plan, chosen)}<div style="margin-top:16px">{selected_table(plan, chosen, element)}{keys}</div>'
    bars = f'<div class="why">{limit_bars(plan, device)}</div>' if device else ""
    return f'<div class="row three"><div class="fit">{left}</div><div class="side">{right}{bars}</div></div>'


def _scrolled(svg: str) -> str:
    """A picture of fixed width, which scrolls where the cell is narrower."""
    return f'<div class="scroll fit" role="region" tabindex="0" aria-label="NDRange picture">{svg}</div>'


def ndrange_body(
    plan: LaunchPlan,
    item: tuple[int, ...] | None = None,
    element: Element | None = None,
    device: DeviceInfo | None = None,
) -> str:
    """Picture, ids, key and limits, without the frame of an output.

    Parameters
    ----------
    plan : LaunchPlan
    item : tuple of int, optional
        Global id of the selected work-item, with the offset, x first.
    element : Element, optional
        The array element that the selected work-item has.
    device : DeviceInfo, optional
        For bars of group size against its limits.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPart
    >>> part = LaunchPart((0,), (1000,), (64,))
    >>> plan = LaunchPlan((1000,), (0,), (64,), "as you gave it", "non-uniform", (part,), (16,))
    >>> "16 work-groups of 64" in ndrange_body(plan)
    True
    """
    if not all(plan.global_size):
        return '<p class="dim">The range is empty: no work-item runs.</p>'
    chosen = select(plan, item)
    dimensions = len(plan.global_size)
    draw = _strip_body if dimensions == 1 else _box_body if dimensions == _THREE else _plane_body
    return draw(plan, chosen, element, device)


def sizes_words(plan: LaunchPlan) -> str:
    """``600 × 512 items in 16 × 16 groups``."""
    noun = "item" if math.prod(plan.global_size) == 1 else "items"
    if plan.local_size is None:
        return f"{times(plan.global_size)} {noun}, groups chosen by the driver"
    return f"{times(plan.global_size)} {noun} in {group_words(plan.local_size)}"


def ndrange_html(
    plan: LaunchPlan,
    item: tuple[int, ...] | None = None,
    element: Element | None = None,
    device: DeviceInfo | None = None,
) -> str:
    """NDRange picture as an output of its own; parameters as in :func:`ndrange_body`.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPart
    >>> plan = LaunchPlan((64,), (0,), (64,), "", "uniform", (LaunchPart((0,), (64,), (64,)),), (1,))
    >>> "<svg role=" in ndrange_html(plan)
    True
    """
    body = head(["<b>NDRange</b>", escape(sizes_words(plan)), escape(conclusion(plan))])
    label = f"NDRange of {times(plan.global_size)} work-items"
    return wrap(body + ndrange_body(plan, item, element, device), label=label)
