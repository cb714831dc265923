"""What is said beside an NDRange picture: the selected work-item's ids, the key, the limits, the conclusions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from cl_magic.display.axis import Axis
from cl_magic.display.parts import key, mono, pairs, table
from cl_magic.display.quantity import capacity, count, counted, ids, times
from cl_magic.display.svg import SWATCH_GROUPS, SWATCH_SELECTED, rect
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.partition import linear, work_group_of
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.wording import listed

AXES = "xyz"
_BAR = 40.0


@dataclass(frozen=True, slots=True)
class Element:
    """The array element of the selected work-item, as NumPy indexes it, and its value in words where known."""

    name: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected work-item: its id in the range (from 0, without the offset), its group, its place in the group."""

    item: tuple[int, ...]
    group: tuple[int, ...]
    local: tuple[int, ...]


def select(plan: LaunchPlan, item: tuple[int, ...] | None = None) -> Selection:
    """The given global id (with offset), or a work-item right of the middle, inside a whole group.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPart
    >>> plan = LaunchPlan((600, 512), (0, 0), (16, 16), "", "split", (), (38, 32))
    >>> select(plan, (341, 155)).group
    (21, 9)
    """
    local = plan.local_size or plan.global_size
    if item is None:
        wanted = tuple(
            int(n // k * share) * k + int(k * inside)
            for n, k, share, inside in zip(plan.global_size, local, (0.57, 0.31, 0.45), (0.34, 0.7, 0.5), strict=False)
        )
    else:
        wanted = tuple(i - o for i, o in zip(item, plan.global_offset, strict=True))
    inside = tuple(max(0, min(i, n - 1)) for i, n in zip(wanted, plan.global_size, strict=True))
    group = tuple(i // n for i, n in zip(inside, local, strict=True))
    return Selection(inside, group, tuple(i % n for i, n in zip(inside, local, strict=True)))


def selected_table(plan: LaunchPlan, chosen: Selection, element: Element | None = None) -> str:
    """Ids of the selected work-item for each dimension and linear, its element, its launch."""
    global_id = tuple(i + o for i, o in zip(chosen.item, plan.global_offset, strict=True))
    rows = [["global id", *map(count, global_id), count(linear(chosen.item, plan.global_size))]]
    place = work_group_of(plan, global_id) if plan.local_size is not None else None
    if place is not None:
        rows.append(["group id", *map(count, place.group_id), count(place.group_linear_id)])
        rows.append(["local id", *map(count, place.local_id), count(place.local_linear_id)])
    heads = ["selected work-item", *("#" + a for a in AXES[: len(plan.global_size)]), "#linear"]
    facts = []
    if element is not None:
        facts.append(("element", mono(element.name) + (f" = {element.value}" if element.value else "")))
    if place is not None and len(plan.parts) > 1:
        role = plan.parts[place.part].role
        facts.append(("launch", f"{place.part + 1} of {len(plan.parts)}, {role}"))
    return table(heads, rows, "ids of the selected work-item") + pairs(facts, "why")


def conclusion(plan: LaunchPlan) -> str:
    """``38 × 32 = 1 216 groups, 307 200 work-items``."""
    items = f"{count(math.prod(plan.global_size))} work-items"
    if plan.local_size is None:
        return f"{items}, groups chosen by the driver"
    groups = times(plan.groups)
    total = f"{groups} = {count(math.prod(plan.groups))}" if len(plan.groups) > 1 else groups
    noun = "group" if math.prod(plan.groups) == 1 else "groups"
    return f"{total} {noun}, {items}{_extra(plan)}"


def _extra(plan: LaunchPlan) -> str:
    parts = []
    if plan.padded_global_size:
        parts.append(f" · {count(padding_items(plan))} padding items")
    if any(plan.global_offset):
        parts.append(f" · from global id {ids(plan.global_offset)}")
    return "".join(parts)


def padding_items(plan: LaunchPlan) -> int:
    """Work-items launched beyond the range."""
    return math.prod(plan.padded_global_size or plan.global_size) - math.prod(plan.global_size)


def group_words(local_size: tuple[int, ...]) -> str:
    """``16 × 16 groups``, or ``groups of 64`` in one dimension.

    Examples
    --------
    >>> group_words((64,)), group_words((16, 16))
    ('groups of 64', '16 × 16 groups')
    """
    return f"groups of {times(local_size)}" if len(local_size) == 1 else f"{times(local_size)} groups"


def remainder_words(plan: LaunchPlan) -> str:
    """What happens with the items that fill no group, in a key's words."""
    local = plan.local_size or plan.global_size
    nouns = ("column", "row", "layer") if len(local) > 1 else ("item",)
    rests = [counted(n % k, noun) for n, k, noun in zip(plan.global_size, local, nouns, strict=False) if n % k]
    if plan.mode in {"split", "rebuilt"}:
        more = f", in {count(len(plan.parts) - 1)} launches" if len(plan.parts) > 2 else ""  # noqa: PLR2004 - main and one
        return f"remainder {listed(rests)}, launched separately{more}"
    return f"remainder {listed(rests)}, smaller groups in the same launch"


def picture_key(plan: LaunchPlan, axes: tuple[Axis, ...], stacked: str, strides: tuple[int, ...]) -> str:
    """Key under or beside the picture; a field of the chequer stands for `strides` groups."""
    fields = f"; a field is {times(strides)} of them" if any(s > 1 for s in strides) else ""
    entries = []
    if plan.local_size is not None:
        entries.append((SWATCH_GROUPS, f"{group_words(plan.local_size)}, {count(_whole_groups(plan))} whole{fields}"))
    if any(a.rest for a in axes) and not plan.padded_global_size:
        scale = "; thin strips are drawn wider" if any(a.enlarged for a in axes) else ""
        entries.append((rect("", (0, 0, 20, 12), "rem"), remainder_words(plan) + scale))
    if sum(1 for a in axes if a.rest) > 1 and not plan.padded_global_size:
        entries.append((rect("", (0, 0, 20, 12), "corner"), "corner, remainder in more than one dimension"))
    if plan.padded_global_size:
        scale = "; drawn wider" if any(a.enlarged for a in axes) else ""
        entries.append((rect("", (0, 0, 20, 12), "pad"), "padding, launched but outside the range" + scale))
    if any(plan.global_offset):
        words = f"ids below the offset {ids(plan.global_offset)}, not launched, not to scale"
        entries.append(('<path class="s-dim off" d="M.5 11.5V.5H19.5"/>', words))
    entries.append((SWATCH_SELECTED, "selected group and work-item" if plan.local_size else "selected work-item"))
    return key(entries, stacked)


def _whole_groups(plan: LaunchPlan) -> int:
    local = plan.local_size or plan.global_size
    return math.prod(n // k for n, k in zip(plan.global_size, local, strict=True))


@dataclass(frozen=True, slots=True)
class _Limit:
    """A size against its limit, in words and as a share."""

    name: str
    value: str
    limit: str
    share: float


def _limits(plan: LaunchPlan, device: DeviceInfo, local_mem_bytes: int | None) -> list[_Limit]:
    local = plan.local_size or ()
    counted_sizes = [("items in a group", math.prod(local), device.max_work_group_size)]
    if len(local) > 1:
        along = zip(AXES, local, device.max_work_item_sizes, strict=False)
        counted_sizes += [(f"items along {axis}", n, limit) for axis, n, limit in along]
    found = [_Limit(name, count(n), count(limit), n / max(1, limit)) for name, n, limit in counted_sizes]
    if local_mem_bytes is not None:
        limit = device.local_mem_bytes
        share = local_mem_bytes / max(1, limit)
        found.append(_Limit("local memory", capacity(local_mem_bytes), capacity(limit), share))
    return found


def limit_bars(plan: LaunchPlan, device: DeviceInfo | None, local_mem_bytes: int | None = None) -> str:
    """Group size and local memory against the device's limits, as bars with their numbers."""
    if device is None or plan.local_size is None:
        return ""
    cells = []
    for row in _limits(plan, device, local_mem_bytes):
        used = rect("over" if row.share > 1 else "f-dep", (0, 2, max(1.0, min(1.0, row.share) * _BAR), 4))
        style = "width:40px;height:8px;display:inline-block"
        drawn = f'<svg aria-hidden="true" style="{style}">{rect("f-track", (0, 2, _BAR, 4))}{used}</svg>'
        cells.append([row.name, row.value, row.limit, drawn])
    return table(["device’s limits", "#here", "#at most", ""], cells, "limits of the device", css="lim")
