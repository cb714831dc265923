"""The NDRange in two dimensions: the map of groups and one group enlarged."""

from __future__ import annotations

import math

from cl_magic.display.axis import Axis, axes_of
from cl_magic.display.ndrange_facts import Selection
from cl_magic.display.quantity import count, ids, times
from cl_magic.display.svg import chequer, cross, dots, grid, hatch, number, path, picture, rect, text
from cl_magic.launch.plan import LaunchPlan

_MAP = (300.0, 256.0)
_ZOOM = 192.0
_LEFT, _TOP = 40.0, 32.0
_OFFSET_BAND = 14.0
_MOST_LINES = 32
_THIN_SIDE = 24.0


def fitted(size: tuple[int, ...], room: tuple[float, float]) -> tuple[float, float]:
    """Width and height in px: in proportion, but a very long range keeps a side of 24 px."""
    scale = min(room[0] / size[0], room[1] / size[1])
    return (
        min(room[0], max(_THIN_SIDE, size[0] * scale)),
        min(room[1], max(_THIN_SIDE, size[1] * scale)),
    )


def fields(axes: tuple[Axis, Axis], name: str, *, grouped: bool) -> str:
    """The pattern that chequers whole groups; `grouped` False draws one plain field."""
    if not grouped:
        return ""
    width, height = (a.group_at(0)[1] * a.stride for a in axes)
    return chequer(name, max(width, 1.0), max(height, 1.0))


def strips(plan: LaunchPlan, x: Axis, y: Axis) -> str:
    """Remainder (hatched, corners crossed) or padding (dotted) along the far edges."""
    if plan.padded_global_size:
        side = [(x.main, 0.0, x.strip, y.length)] if x.padding else []
        side += [(0.0, y.main, x.main, y.strip)] if y.padding else []
        return "".join(rect("f-paper", box) + rect("", box, "pad") for box in side)
    drawn = []
    if x.rest:
        drawn.append(((x.main, 0.0, x.strip, y.main if y.rest else y.length), "rem"))
    if y.rest:
        drawn.append(((0.0, y.main, x.main if x.rest else x.length, y.strip), "rem"))
    if x.rest and y.rest:
        drawn.append(((x.main, y.main, x.strip, y.strip), "corner"))
    return "".join(rect("f-paper", box) + rect("", box, fill) for box, fill in drawn)


def _map_labels(plan: LaunchPlan, x: Axis, y: Axis) -> str:
    words = []
    if plan.local_size is not None:
        left, top = -5 - _band(x), -4 - _band(y)
        words.append(text("group id x", 0, top - 13))
        words += [text(count(g), x.group_at(g)[0] + min(x.group_at(g)[1], 12) / 2, top, "mid") for g in x.ticks(5)]
        words += [text(count(g), left, y.group_at(g)[0] + min(y.group_at(g)[1] / 2, 6) + 4, "end") for g in y.ticks(5)]
    last = [n + o - 1 for n, o in zip(plan.global_size, plan.global_offset, strict=True)]
    bottom = y.length + 15
    words += [text(count(x.offset), 0, bottom), text(count(last[0]), x.length, bottom, "end")]
    if x.length > 120:  # noqa: PLR2004 - room for the words between the two numbers
        words.append(text(f"{count(x.size)} items", x.length / 2, bottom, "mid"))
    words.append(text(f"global id y {count(y.offset)} to {count(last[1])}, {count(y.size)} items", 0, bottom + 14))
    return "".join(words)


def _band(axis: Axis) -> float:
    return _OFFSET_BAND if axis.offset else 0.0


def _offset_band(plan: LaunchPlan, x: Axis, y: Axis) -> str:
    """Dashed corner left of and above the range: the ids below the offset."""
    if not any(plan.global_offset):
        return ""
    left, top = number(-_band(x) - 0.5), number(-_band(y) - 0.5)
    return path("s-dim off", f"M{left} {number(y.length)}V{top}H{number(x.length)}")


def _map(plan: LaunchPlan, chosen: Selection, axes: tuple[Axis, Axis]) -> str:
    x, y = axes
    base = rect("", (0, 0, x.length, y.length), "chk") if plan.local_size else rect("f-a", (0, 0, x.length, y.length))
    frame = rect("s-axis", (-0.5, -0.5, x.length + 1, y.length + 1))
    (left, width), (top, height) = x.group_at(chosen.group[0]), y.group_at(chosen.group[1])
    if plan.local_size is None:
        left, width, top, height = x.at(chosen.item[0]), 0.0, y.at(chosen.item[1]), 0.0
    shown = (max(width, 6.0), max(height, 6.0))
    corner = (left + width / 2 - shown[0] / 2, top + height / 2 - shown[1] / 2, *shown)
    return base + strips(plan, x, y) + frame + rect("f-sel", corner) + rect("s-sel", corner)


def _zoom_scale(local: tuple[int, ...]) -> tuple[float, float]:
    cell = _ZOOM / max(local)
    wide = [max(n * cell, min(_ZOOM, n * 12.0, _THIN_SIDE)) for n in local]
    return wide[0], wide[1]


def lines_of(items: int, length: float) -> list[float]:
    """Positions of grid lines: one an item, or one a round number of items where they would be too dense."""
    step = 1
    while items / step > _MOST_LINES:
        step *= 2
    return [length * i / items for i in range(0, items + 1, step)]


def _ticks(items: int, chosen: int, cell: float, room: float) -> list[int]:
    """Local ids to label, `room` px apart at least from each other and from the chosen one."""
    step = max(1, math.ceil(items / 4), math.ceil(room / cell))
    last = items - 1
    marks = [i for i in range(0, items, step) if last - i >= step * 0.6] + [last]
    return [i for i in marks if abs(i - chosen) * cell >= room]


def _zoom(plan: LaunchPlan, chosen: Selection, local: tuple[int, ...]) -> str:
    """The selected group: its items as a grid, the row and the column of the selected one."""
    width, height = _zoom_scale(local)
    cells = (width / local[0], height / local[1])
    px, py = chosen.local[0] * cells[0], chosen.local[1] * cells[1]
    box = (px + cells[0] / 2 - max(cells[0], 5) / 2, py + cells[1] / 2 - max(cells[1], 5) / 2)
    mark = (*box, max(cells[0], 5.0), max(cells[1], 5.0))
    words = [text("group " + ids(chosen.group), 0, -30, "hi"), text("local id x", 0, -17)]
    across = _ticks(local[0], chosen.local[0], cells[0], 22)
    down = _ticks(local[1], chosen.local[1], cells[1], 14)
    words += [text(count(i), (i + 0.5) * cells[0], -4, "mid") for i in across]
    words += [text(count(j), width + 5, (j + 0.5) * cells[1] + 4) for j in down]
    words.append(text(count(chosen.local[0]), px + cells[0] / 2, -4, "mid hi"))
    words.append(text(count(chosen.local[1]), width + 5, py + cells[1] / 2 + 4, "hi"))
    if height > _THIN_SIDE:
        words.append(text("id y", width + 12, -4))
    start = chosen.item[0] - chosen.local[0] + plan.global_offset[0]
    words.append(text(f"global id x {count(start)} to {count(start + local[0] - 1)}", 0, height + 15))
    return (
        rect("f-a", (0, 0, width, height))
        + grid(lines_of(local[0], width), lines_of(local[1], height), width, height)
        + rect("hl", (0, py, width, cells[1]))
        + rect("hl", (px, 0, cells[0], height))
        + rect("f-sel", mark)
        + rect("s-sel", mark)
        + "".join(words)
    )


def actual_local(plan: LaunchPlan, chosen: Selection) -> tuple[int, ...]:
    """Size of the selected group: smaller at the far edges, unless they are padded."""
    local = plan.local_size or plan.global_size
    if plan.padded_global_size:
        return local
    return tuple(min(k, n - g * k) for k, n, g in zip(local, plan.global_size, chosen.group, strict=True))


def label_of(plan: LaunchPlan, chosen: Selection) -> str:
    """The sentence for screen readers, with the numbers."""
    sizes = " by ".join(str(n) for n in plan.global_size)
    groups = " by ".join(str(n) for n in plan.groups)
    words = [f"NDRange: {sizes} work-items"]
    if plan.local_size is not None:
        words.append(f"in {groups} work-groups of {' by '.join(map(str, plan.local_size))}")
    if any(plan.global_offset):
        words.append(f"from global id {ids(plan.global_offset)}")
    if len(plan.parts) > 1:
        words.append(f"in {len(plan.parts)} launches")
    if plan.padded_global_size:
        words.append(f"padded to {times(plan.padded_global_size)}")
    item = ids(tuple(i + o for i, o in zip(chosen.item, plan.global_offset, strict=True)))
    return f"{', '.join(words)}. Work-item {item} is selected: group {ids(chosen.group)}, local {ids(chosen.local)}."


def plane_svg(plan: LaunchPlan, chosen: Selection) -> str:
    """Map of a two-dimensional range, with one group enlarged."""
    launched = plan.padded_global_size or plan.global_size
    room = fitted(launched, _MAP)
    x, y = axes_of(plan, room)
    left, top = _LEFT + _band(x), _TOP + _band(y)
    marks = "".join([fields((x, y), "chk", grouped=plan.local_size is not None), hatch(), cross(), dots()])
    body = f"<defs>{marks}</defs>"
    plane = _map(plan, chosen, (x, y)) + _offset_band(plan, x, y)
    body += f'<g transform="translate({number(left)} {number(top)})">{plane}{_map_labels(plan, x, y)}</g>'
    height = top + y.length + 36
    if plan.local_size is None:
        return picture(body, label_of(plan, chosen), left + x.length + 8, height)
    local = actual_local(plan, chosen)
    zoom_left, zoom_top = max(left + x.length, left + 160) + 28, 44.0
    width, zoom_height = _zoom_scale(local)
    (gx, gw), (gy, gh) = x.group_at(chosen.group[0]), y.group_at(chosen.group[1])
    lead = [
        f"M{number(left + gx + gw)} {number(top + gy)}L{number(zoom_left - 1)} {number(zoom_top)}",
        f"M{number(left + gx + gw)} {number(top + gy + gh)}L{number(zoom_left - 1)} {number(zoom_top + zoom_height)}",
    ]
    body += path("s-dim", "".join(lead))
    body += f'<g transform="translate({number(zoom_left)} {number(zoom_top)})">{_zoom(plan, chosen, local)}</g>'
    return picture(
        body, label_of(plan, chosen), zoom_left + max(width, 150) + 36, max(height, zoom_top + zoom_height + 24)
    )
