"""The local size where none is given, and the reason for it in numbers.

Drivers choose badly (a prime global size becomes groups of one), so the choice is made here: a group of about 256
work-items, smaller where the range would otherwise give the device too few groups, a size that divides the range where
one is near, and a multiple of what the device prefers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from cl_magic.build.result import WorkGroupInfo
from cl_magic.launch.group_limits import group_limit, is_legal
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.wording import AXES, count, size_text

TARGET_ITEMS = 256
GROUPS_A_UNIT = 4
"""Groups that each compute unit should get, so that one slow group does not leave the others idle."""
_SQUARE = {1: TARGET_ITEMS, 2: 16, 3: 8}


@dataclass(frozen=True, slots=True)
class LocalSize:
    """A local size and one phrase that says why."""

    local_size: tuple[int, ...]
    reason: str


def choose_local_size(
    global_size: tuple[int, ...],
    device: DeviceInfo,
    work_group: WorkGroupInfo,
    *,
    hint: tuple[int, int, int] | None = None,
    must_divide: bool = False,
) -> LocalSize:
    """Choose a work-group size for a range.

    Parameters
    ----------
    global_size : tuple of int
        Work-items, x first.
    device, work_group
        Limits and the preferred multiple.
    hint : tuple of int or None
        ``work_group_size_hint`` (OpenCL C 1.2, 6.7.2): taken when it is legal.
    must_divide : bool
        Whether a remainder could not be launched.

    Examples
    --------
    >>> limits = {"max_work_item_sizes": (4096,) * 3, "max_work_group_size": 4096}
    >>> device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), **limits)
    >>> choose_local_size((7919,), device, WorkGroupInfo(4096, 8)).local_size
    (256,)
    >>> choose_local_size((640, 512), device, WorkGroupInfo(4096, 8)).local_size
    (16, 16)
    """
    dimensions = len(global_size)
    if hint and all(size == 1 for size in hint[dimensions:]):
        local = hint[:dimensions]
        divides = _divides(global_size, local)
        if is_legal(local, device, work_group) and (divides or not must_divide):
            return LocalSize(local, f"work_group_size_hint{hint} of the source")
    limit = group_limit(device, work_group)
    multiple = max(1, work_group.preferred_multiple)
    target = _target(math.prod(global_size), device.compute_units, multiple, limit)
    picker = _Picker(global_size, device.max_work_item_sizes, limit, must_divide=must_divide)
    local = picker.shape(target, multiple)
    return LocalSize(local, _reason(global_size, local, multiple, limit, must_divide=must_divide))


@dataclass(frozen=True, slots=True)
class _Picker:
    global_size: tuple[int, ...]
    item_limits: tuple[int, ...]
    limit: int
    must_divide: bool

    def shape(self, target: int, multiple: int) -> tuple[int, ...]:
        """Sizes, x first: a square-like group whose x is a multiple of what the device prefers."""
        dimensions = len(self.global_size)
        square = _SQUARE[dimensions]
        first = min(max(multiple, square), self.global_size[0], target)
        rest = max(1, target // first)
        others: list[int] = []
        for axis in range(1, dimensions):
            wanted = rest if axis == dimensions - 1 else min(rest, square)
            left = self.limit // (first * math.prod(others))
            others.append(self.pick(axis, wanted, 1, max(1, min(2 * wanted, left))))
            rest = max(1, rest // others[-1])
        room = max(1, self.limit // math.prod(others))
        return (self.pick(0, max(1, target // math.prod(others)), multiple, room), *others)

    def pick(self, axis: int, wanted: int, multiple: int, room: int) -> int:
        """Size for one dimension: near `wanted`, a divisor where one is near, else `wanted` itself."""
        size = self.global_size[axis]
        item_limit = self.item_limits[axis] if axis < len(self.item_limits) else 1
        room = min(room, item_limit, size)
        wanted = min(wanted, room)
        near = [n for n in range(max(1, wanted // 4), min(room, 2 * wanted) + 1) if size % n == 0]
        best = [n for n in near if n % multiple == 0] or near
        if best:
            return min(best, key=lambda n: (max(n, wanted) / min(n, wanted), n))
        if self.must_divide:
            return next(n for n in range(wanted, 0, -1) if size % n == 0)
        return wanted - wanted % multiple or wanted


def _target(items: int, compute_units: int, multiple: int, limit: int) -> int:
    """Work-items a group: 256, less where each compute unit would get fewer than four groups."""
    share = items // (GROUPS_A_UNIT * max(1, compute_units))
    fair = 1 << max(0, share.bit_length() - 1)
    return min(limit, max(multiple, min(TARGET_ITEMS, fair)))


def _divides(global_size: tuple[int, ...], local_size: tuple[int, ...]) -> bool:
    return all(size % local == 0 for size, local in zip(global_size, local_size, strict=True))


def _reason(
    global_size: tuple[int, ...], local: tuple[int, ...], multiple: int, limit: int, *, must_divide: bool
) -> str:
    items = math.prod(local)
    facts = [f"{count(items)} of at most {count(limit)} work-items"]
    if multiple > 1 and items % multiple == 0:
        facts.append(f"a multiple of the preferred {count(multiple)}")
    uneven = [
        f"none near it divides {count(size)} in {axis}"
        if len(global_size) > 1
        else f"none near it divides {count(size)}"
        for axis, size, part in zip(AXES, global_size, local, strict=False)
        if size % part
    ]
    if not uneven:
        divides = f"divides {size_text(global_size)}"
        facts.append(f"the nearest that {divides}, as this launch needs" if must_divide else divides)
    return f"chosen: {', '.join(facts + uneven)}"
