"""The NDRange in three dimensions: layers of groups along z, the planes of one group, and the box."""

from __future__ import annotations

from cl_magic.display.axis import Axis, axes_of
from cl_magic.display.ndrange_facts import Selection
from cl_magic.display.ndrange_plane import actual_local, fields, fitted, label_of, lines_of, strips
from cl_magic.display.quantity import count, ids
from cl_magic.display.svg import cross, dots, grid, hatch, number, path, picture, rect, text
from cl_magic.launch.plan import LaunchPlan

_CELL = 122.0
_LAYER = (96.0, 72.0)
_PLANE = 88.0
_MOST_LAYERS, _MOST_PLANES, _PER_ROW = 8, 4, 4
_BOX = 104.0
_MOST_BOX_LAYERS = 32


def shown(total: int, chosen: int, most: int) -> list[int]:
    """Indices to draw: all, or the first, the last and those around the chosen one.

    Examples
    --------
    >>> shown(3, 1, 8), shown(100, 50, 4)
    ([0, 1, 2], [0, 49, 50, 99])
    """
    if total <= most:
        return list(range(total))
    start = max(1, min(chosen - (most - 2) // 2, total - 1 - (most - 2)))
    return [0, *range(start, start + most - 2), total - 1]


def _z_range(plan: LaunchPlan, layer: int) -> str:
    local = (plan.local_size or plan.global_size)[2]
    first = plan.global_offset[2] + layer * local
    last = min(first + local, plan.global_offset[2] + (plan.padded_global_size or plan.global_size)[2]) - 1
    return f"z {count(first)} to {count(last)}" if last > first else f"z {count(first)}"


def _layer(plan: LaunchPlan, chosen: Selection, axes: tuple[Axis, Axis, Axis], layer: int) -> str:
    x, y, z = axes
    base = rect("", (0, 0, x.length, y.length), "chk") if plan.local_size else rect("f-a", (0, 0, x.length, y.length))
    if z.rest and layer == z.groups - 1:
        base = rect("f-paper", (0, 0, x.length, y.length))
        base += rect("", (0, 0, x.length, y.length), "pad" if z.padding else "rem")
    on = layer == chosen.group[2]
    words = text(f"layer {count(layer)} · {_z_range(plan, layer)}", 0, -6, "hi" if on else "")
    frame = rect("s-sel" if on else "s-axis", (-0.5, -0.5, x.length + 1, y.length + 1))
    body = words + base + strips(plan, x, y) + frame
    if not on:
        return body
    (gx, gw), (gy, gh) = x.group_at(chosen.group[0]), y.group_at(chosen.group[1])
    gw, gh = max(gw, 5.0), max(gh, 5.0)
    body += rect("f-sel", (gx, gy, gw, gh)) + rect("s-sel", (gx, gy, gw, gh))
    body += text(count(chosen.group[0]), gx + gw / 2, y.length + 12, "mid hi")
    return body + text(count(chosen.group[1]), x.length + 4, gy + gh / 2 + 4, "hi")


def layers_svg(plan: LaunchPlan, chosen: Selection) -> str:
    """Slices of groups along z; at most eight, the others are said."""
    launched = plan.padded_global_size or plan.global_size
    room = fitted(launched[:2], _LAYER)
    x, y, z = axes_of(plan, (*room, 100.0), thinnest=5.0)
    row = y.length + 40
    layers = shown(z.groups, chosen.group[2], _MOST_LAYERS)
    grouped = plan.local_size is not None
    body = f"<defs>{fields((x, y), 'chk', grouped=grouped)}{hatch()}{cross()}{dots()}</defs>"
    for index, layer in enumerate(layers):
        left, top = 4 + _CELL * (index % _PER_ROW), 18 + row * (index // _PER_ROW)
        body += f'<g transform="translate({number(left)} {number(top)})">{_layer(plan, chosen, (x, y, z), layer)}</g>'
    rows = -(-len(layers) // _PER_ROW)
    return picture(body, label_of(plan, chosen), _CELL * min(len(layers), _PER_ROW) + 8, row * rows - 4)


def _plane(chosen: Selection, local: tuple[int, ...], plane: int) -> str:
    width, height = fitted(local[:2], (_PLANE, _PLANE))
    cell = (width / local[0], height / local[1])
    on = plane == chosen.local[2]
    body = text(f"local z {count(plane)}", 0, -6, "hi" if on else "") + rect("f-a", (0, 0, width, height))
    body += grid(lines_of(local[0], width), lines_of(local[1], height), width, height)
    if not on:
        return body
    left, top = chosen.local[0] * cell[0], chosen.local[1] * cell[1]
    mark = (left, top, max(cell[0], 4.0), max(cell[1], 4.0))
    body += rect("hl", (0, top, width, cell[1])) + rect("hl", (left, 0, cell[0], height))
    body += rect("f-sel", mark) + rect("s-sel", mark)
    body += text(count(chosen.local[0]), left + cell[0] / 2, height + 13, "mid hi")
    return body + text(count(chosen.local[1]), width + 4, top + cell[1] / 2 + 4, "hi")


def planes_svg(plan: LaunchPlan, chosen: Selection) -> str:
    """The planes of the selected group along local z; at most four."""
    local = actual_local(plan, chosen)
    planes = shown(local[2], chosen.local[2], _MOST_PLANES)
    body = "".join(
        f'<g transform="translate({number(4 + _CELL * index)} 18)">{_plane(chosen, local, plane)}</g>'
        for index, plane in enumerate(planes)
    )
    sizes = " by ".join(map(str, local))
    label = f"Group {ids(chosen.group)} enlarged: {sizes} work-items; local {ids(chosen.local)} is selected."
    height = 18 + fitted(local[:2], (_PLANE, _PLANE))[1] + 18
    return picture(body, label, _CELL * len(planes) + 8, height)


Point = tuple[float, float]


def _polygon(css: str, *points: Point) -> str:
    return path(css, "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z")


def box_svg(plan: LaunchPlan, chosen: Selection) -> str:
    """The whole range as a box, the selected layer of groups marked."""
    size = plan.padded_global_size or plan.global_size
    scale = _BOX / max(size)
    w, d, h = (max(18.0, n * scale) for n in size)
    # x runs to the right and a little down, y to the right and up, z up: the directions of a drawing in isometry.
    front, back = (0.92 * w, 0.26 * w), (0.87 * d, -0.5 * d)
    origin = (34.0, 16.0 + h - back[1])

    def at(x: float, y: float, z: float) -> Point:
        return (origin[0] + x * front[0] + y * back[0], origin[1] + x * front[1] + y * back[1] - z * h)

    groups = axes_of(plan, (1.0, 1.0, 1.0))[2].groups
    low, high = chosen.group[2] / groups, (chosen.group[2] + 1) / groups
    step = max(1, -(-groups // _MOST_BOX_LAYERS))
    levels = [i / groups for i in range(step, groups, step)]
    rings = "".join(
        path("s-grid", "M" + "L".join(f"{number(a)} {number(b)}" for a, b in (at(0, 0, k), at(1, 0, k), at(1, 1, k))))
        for k in levels
    )
    faces = [
        _polygon("f-b", at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1)),
        _polygon("f-a", at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)),
        _polygon("f-b", at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)),
        rings,
        _polygon("lay", at(0, 0, low), at(1, 0, low), at(1, 0, high), at(0, 0, high)),
        _polygon("lay", at(1, 0, low), at(1, 1, low), at(1, 1, high), at(1, 0, high)),
        _polygon("s-ink", at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(0, 1, 1), at(0, 0, 1)),
        path("s-ink", "M" + "L".join(f"{number(a)} {number(b)}" for a, b in (at(0, 0, 1), at(1, 0, 1), at(1, 0, 0)))),
        path("s-ink", "M" + "L".join(f"{number(a)} {number(b)}" for a, b in (at(1, 0, 1), at(1, 1, 1)))),
    ]
    right = at(1, 1, 0)[0]
    words = _box_words(
        plan, chosen, at(0.5, 0, 0), at(1, 0.5, 0), at(0, 0, 0.5), (right, at(1, 1, (low + high) / 2)[1])
    )
    label = (
        f"Box of {' by '.join(map(str, size))} work-items in {groups} layers of groups; "
        f"layer {chosen.group[2]}, {_z_range(plan, chosen.group[2])}, is marked."
    )
    return picture(f'<g class="iso">{"".join(faces)}</g>{words}', label, right + 110, at(1, 0, 0)[1] + 16)


def _box_words(plan: LaunchPlan, chosen: Selection, x: Point, y: Point, z: Point, layer: Point) -> str:
    size = plan.padded_global_size or plan.global_size
    return "".join(
        [
            text(f"x, {count(size[0])}", x[0] - 6, x[1] + 16, "end"),
            text(f"y, {count(size[1])}", y[0] + 6, y[1] + 14),
            text("z,", z[0] - 5, z[1] - 3, "end"),
            text(count(size[2]), z[0] - 5, z[1] + 11, "end"),
            text(f"group layer {count(chosen.group[2])}", layer[0] + 8, layer[1], "hi"),
            text(_z_range(plan, chosen.group[2]), layer[0] + 8, layer[1] + 14),
        ]
    )
