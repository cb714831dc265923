"""The NDRange in one dimension: the strip of groups and one group enlarged. x in per cent, y in px."""

from __future__ import annotations

from cl_magic.display.axis import Axis, axes_of
from cl_magic.display.ndrange_facts import Selection
from cl_magic.display.ndrange_plane import actual_local, label_of
from cl_magic.display.quantity import count
from cl_magic.display.svg import bar, dots, hatch, number, path, picture, rule, stretched, text
from cl_magic.launch.plan import LaunchPlan

_MOST_FIELDS = 64
_MOST_LINES = 64
_OFFSET_SHARE = 5.0
_TOP, _GROUP_HEIGHT = 16.0, 22.0
_ZOOM_TOP, _ZOOM_HEIGHT = 96.0, 24.0
_THINNEST_SHARE = 0.8
_WIDE_COUNT = 999
_LABEL_ROOM = 4.0
_EDGE = 2.0


def field_step(groups: int) -> int:
    """Groups that one field stands for, so that there are at most 64 fields: 1, 2, 5, 10 and so on.

    Examples
    --------
    >>> field_step(16), field_step(1000), field_step(10**9)
    (1, 20, 20000000)
    """
    decade = 1
    while True:
        for step in (decade, 2 * decade, 5 * decade):
            if groups <= _MOST_FIELDS * step:
                return step
        decade *= 10


def _fields(axis: Axis, left: float, chosen: int) -> str:
    """Chequered whole groups with their numbers above."""
    step = field_step(axis.groups)
    last = axis.whole if not axis.padding else axis.groups
    drawn = []
    for index, first in enumerate(range(0, last, step)):
        start = left + axis.at(first * axis.local)
        end = left + axis.at(min((first + step) * axis.local, axis.size if axis.padding else last * axis.local))
        drawn.append(bar("f-b" if index % 2 else "f-a", (start, _TOP, end - start, _GROUP_HEIGHT)))
    wide = axis.groups > _WIDE_COUNT
    room = _LABEL_ROOM * 3 if wide else _LABEL_ROOM
    here = axis.at(chosen * axis.local)
    marks = [g for g in axis.ticks(6 if wide else 16) if abs(axis.at(g * axis.local) - here) > room and g != chosen]
    for group in [*marks, chosen]:
        start, width = axis.group_at(group)
        middle = left + start + width / 2
        drawn.append(text(count(group), middle, 11, _anchor(middle, "hi" if group == chosen else ""), "%"))
    return "".join(drawn)


def _anchor(middle: float, css: str = "") -> str:
    """Classes of a label at a position in per cent: centred, but not across the picture's edges."""
    side = "mid" if _EDGE < middle < 100 - _EDGE else "" if middle < 50 else "end"  # noqa: PLR2004 - per cent
    return f"{side} {css}".strip()


def _far_end(axis: Axis, left: float) -> str:
    """Remainder or padding at the end of the strip, and where the items end."""
    items = axis.padding or axis.rest
    if not items:
        return ""
    fill = "pad" if axis.padding else "rem"
    box = (left + axis.main, _TOP, axis.strip, _GROUP_HEIGHT)
    return bar("f-paper", box) + bar("", box, fill)


def _below(axis: Axis, left: float) -> str:
    """Global ids under the strip, and the offset's dashed lead."""
    last = axis.offset + axis.size - 1
    words = [text(count(axis.offset), left, 53, "", "%")]
    if axis.padding:
        words.append(rule("s-ink", left + axis.main, 38, 43))
        words.append(text(f"items end at {count(last)}", left + axis.main + 0.2, 53, "end hi", "%"))
    else:
        words.append(text(count(last), 100, 53, "end", "%"))
    if axis.offset:
        lead = 'class="s-dim off" x1="0%" x2="' + number(left) + '%"'
        words.append(f'<line {lead} y1="27" y2="27"/>')
        words.append(text("0", 0, 22, "", "%"))
    return "".join(words)


def _zoom_ticks(items: int, chosen: int) -> list[int]:
    step = max(1, -(-items // 8))
    room, last = items / 20, items - 1
    marks = [i for i in range(0, items, step) if last - i > room] + [last]
    return [i for i in marks if abs(i - chosen) > room]


def _zoom(axis: Axis, chosen: Selection, items: int) -> str:
    """The selected group, item by item (or field by field where there are more than 64)."""
    inside = min(items, axis.size - chosen.group[0] * axis.local)
    share = 100.0 * inside / items
    drawn = [bar("f-b" if chosen.group[0] % 2 else "f-a", (0, _ZOOM_TOP, share, _ZOOM_HEIGHT))]
    if inside < items:
        box = (share, _ZOOM_TOP, 100 - share, _ZOOM_HEIGHT)
        drawn += [bar("f-paper", box), bar("", box, "pad")]
    step = 1
    while items / step > _MOST_LINES:
        step *= 2
    lines = "".join(f"M{i} 0V24" for i in range(0, items + 1, step)) + f"M0 0H{items}M0 24H{items}"
    drawn.append(stretched(path("s-grid", lines), (_ZOOM_TOP, _ZOOM_HEIGHT), (items, 24)))
    if inside < items:
        drawn.append(rule("s-ink", share, 90, 126))
    width = max(100.0 / items, 0.6)
    middle = 100.0 * (chosen.local[0] + 0.5) / items
    box = (min(max(middle - width / 2, 0), 100 - width), _ZOOM_TOP, width, _ZOOM_HEIGHT)
    drawn += [bar("f-sel", box), bar("s-sel", box)]
    for i in [*_zoom_ticks(items, chosen.local[0]), chosen.local[0]]:
        at = 100.0 * (i + 0.5) / items
        drawn.append(text(count(i), at, 134, _anchor(at, "hi" if i == chosen.local[0] else ""), "%"))
    return "".join(drawn) + _zoom_words(axis, chosen, items, inside)


def _zoom_words(axis: Axis, chosen: Selection, items: int, inside: int) -> str:
    first = axis.offset + chosen.group[0] * axis.local
    own = f"{count(inside)} items, {count(first)} to {count(first + inside - 1)}"
    words = [text(f"local id in group {count(chosen.group[0])}", 0, 150, "", "%")]
    if inside < items:
        share = 100.0 * inside / items
        padded = f"{count(items - inside)} padding items, {count(first + inside)} to {count(first + items - 1)}"
        words.append(text(own, share - 0.8, 88, "end", "%") if share > 40 else text(own, 0, 150, "end", "%"))  # noqa: PLR2004
        words.append(text(padded, share + 0.8, 88, "", "%") if share < 70 else text(padded, 100, 150, "end", "%"))  # noqa: PLR2004
    else:
        words.append(text(own, 100, 150, "end", "%"))
    return "".join(words)


def strip_svg(plan: LaunchPlan, chosen: Selection) -> str:
    """One-dimensional range: all groups on top, the selected one below."""
    left = _OFFSET_SHARE if plan.global_offset[0] else 0.0
    (axis,) = axes_of(plan, (100.0 - left,), _THINNEST_SHARE)
    items = actual_local(plan, chosen)[0]
    start, width = axis.group_at(chosen.group[0])
    if plan.local_size is None:
        body = bar("f-a", (left, _TOP, 100 - left, _GROUP_HEIGHT)) + bar("s-axis", (left, 16.5, 100 - left, 21))
        at = left + axis.at(chosen.item[0])
        body += bar("f-sel", (at, _TOP, 0.6, _GROUP_HEIGHT)) + bar("s-sel", (at, _TOP, 0.6, _GROUP_HEIGHT))
        return picture(body + _below(axis, left), label_of(plan, chosen), "100%", 60, "strip")
    lead = f"M{number(10 * (left + start))} 0L0 58M{number(10 * (left + start + width))} 0L1000 58"
    body = (
        f"<defs>{dots()}{hatch()}</defs>"
        + _fields(axis, left, chosen.group[0])
        + _far_end(axis, left)
        + bar("s-axis", (left, 16.5, 100 - left, 21))
        + stretched(path("s-dim", lead), (38, 58), (1000, 58))
        + _below(axis, left)
        + _zoom(axis, chosen, items)
    )
    return picture(body, label_of(plan, chosen), "100%", 156, "strip")
