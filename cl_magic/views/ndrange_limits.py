"""Sizes of a plan against the limits of its device and kernel, as rows of numbers for bars."""

from __future__ import annotations

import math
from typing import Any

from cl_magic.launch.controls import KernelFacts
from cl_magic.launch.group_limits import group_limit
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.wording import AXES

_LOCK_STEP = ("nvidia", "amd", "rocm")
"""Platforms whose GPUs have a sub-group of exactly the preferred multiple: a warp, a wavefront."""


def limit_rows(plan: LaunchPlan, device: DeviceInfo | None, facts: KernelFacts | None) -> list[dict[str, Any]]:
    """Rows of ``{name, here, most, kind, note}``; no rows where nothing is known.

    ``kind`` is "limit" (more than `most` is refused), or "use" (less than `most` leaves a part of the device idle).

    Examples
    --------
    >>> device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), max_work_group_size=4096, compute_units=2)
    >>> plan = LaunchPlan((1000,), (0,), (64,), "", "non-uniform", (), (16,))
    >>> [(row["name"], row["here"], row["most"]) for row in limit_rows(plan, device, None)]
    [('items in a group', 64, 4096), ('compute units used', 2, 2)]
    """
    if device is None or plan.local_size is None:
        return []
    local, items = plan.local_size, math.prod(plan.local_size)
    most = group_limit(device, facts.work_group) if facts else device.max_work_group_size
    own = "limit of this kernel" if facts and most < device.max_work_group_size else ""
    rows = [_row("items in a group", items, most, own)]
    if len(local) > 1:
        along = zip(AXES, local, device.max_work_item_sizes, strict=False)
        rows += [_row(f"items along {axis}", size, limit) for axis, size, limit in along]
    if facts is not None and device.local_mem_bytes:
        rows.append(_row("local memory", facts.local_mem_bytes, device.local_mem_bytes) | {"unit": "B"})
    groups, units = math.prod(plan.groups), max(1, device.compute_units)
    each = -(-groups // units)
    rows.append(
        _row("compute units used", min(groups, units), units, f"{each} groups each at most", "use")
        | {"each": str(each)}
    )
    multiple = facts.work_group.preferred_multiple if facts else 0
    if multiple > 1:
        filled = -(-items // multiple) * multiple
        note = "" if filled == items else f"no multiple of {multiple}"
        rows.append(_row(f"preferred multiple of {multiple}", items, filled, note, "use"))
    return rows


def sub_group(device: DeviceInfo | None, facts: KernelFacts | None) -> dict[str, Any] | None:
    """Size of a sub-group and why it is known; None where the device does not say.

    Examples
    --------
    >>> sub_group(DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",)), None) is None
    True
    """
    if device is None or facts is None or "gpu" not in device.type:
        return None
    platform = device.platform_name.lower()
    size = facts.work_group.preferred_multiple
    if size < 2 or not any(word in platform for word in _LOCK_STEP):  # noqa: PLR2004 - one item is no sub-group
        return None
    return {"size": size, "why": f"the preferred multiple of {device.short_name}, its sub-group"}


def _row(name: str, here: int, most: int, note: str = "", kind: str = "limit") -> dict[str, Any]:
    return {"name": name, "here": here, "most": most, "note": note, "kind": kind, "unit": ""}
