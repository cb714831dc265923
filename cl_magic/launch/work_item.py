"""One work-item of a planned range: its group, its place in it, its linear ids.

OpenCL C 2.0, 6.13.1 (linear ids; the offset does not count in the global one).
"""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.errors import NDRangeError
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.wording import code_text

Index = tuple[int, ...]
"""Ids or sizes along the axes, x first."""


@dataclass(frozen=True, slots=True)
class WorkItem:
    """One work-item, x first. `local_size` is that of its own group, smaller in a remainder."""

    global_id: tuple[int, ...]
    group_id: tuple[int, ...]
    local_id: tuple[int, ...]
    local_size: tuple[int, ...]
    global_linear_id: int
    group_linear_id: int
    local_linear_id: int
    part: int
    padding: bool = False
    """True for an item that only exists because the range was rounded up."""


def work_group_of(plan: LaunchPlan, global_id: tuple[int, ...]) -> WorkItem:
    """Group and local ids of a work-item.

    Parameters
    ----------
    plan : LaunchPlan
    global_id : tuple of int
        As ``get_global_id`` gives it: the offset counts.

    Raises
    ------
    NDRangeError
        The id is outside the range, or the driver chose the group size and did not say which.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPart
    >>> part = LaunchPart((0, 0), (600, 512), (16, 16))
    >>> item = work_group_of(LaunchPlan((600, 512), (0, 0), (16, 16), "", "non-uniform", (part,), (38, 32)), (595, 7))
    >>> item.group_id, item.local_id, item.local_size, item.global_linear_id
    ((37, 0), (3, 7), (8, 16), 4795)
    """
    local, sizes = plan.local_size, plan.padded_global_size or plan.global_size
    if local is None:
        message = "the driver chose the work-group size and does not say which"
        raise NDRangeError(message, remedy="give a local_size")
    if len(global_id) != len(sizes) or not all(
        start <= at < start + size for at, start, size in zip(global_id, plan.global_offset, sizes, strict=True)
    ):
        message = (
            f"no work-item {code_text(global_id)} in a range of {code_text(sizes)} from {code_text(plan.global_offset)}"
        )
        raise NDRangeError(message, global_id=global_id, global_size=sizes)
    place = tuple(at - start for at, start in zip(global_id, plan.global_offset, strict=True))
    group = tuple(at // part for at, part in zip(place, local, strict=True))
    within = tuple(at % part for at, part in zip(place, local, strict=True))
    own = tuple(min(part, size - index * part) for part, size, index in zip(local, sizes, group, strict=True))
    return WorkItem(
        global_id, group, within, own,
        linear(place, plan.global_size), linear(group, plan.groups), linear(within, own),
        _part_of(plan, global_id), any(at >= size for at, size in zip(place, plan.global_size, strict=True)),
    )  # fmt: skip


def linear(index: tuple[int, ...], sizes: tuple[int, ...]) -> int:
    """Linear position, x fastest.

    Examples
    --------
    >>> linear((3, 7), (8, 16))
    59
    """
    position = 0
    for at, size in zip(reversed(index), reversed(sizes), strict=True):
        position = position * size + at
    return position


def of_linear(position: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Index of a linear position, x fastest.

    Examples
    --------
    >>> of_linear(59, (8, 16))
    (3, 7)
    """
    index = []
    for size in sizes:
        position, at = divmod(position, size)
        index.append(at)
    return tuple(index)


def _part_of(plan: LaunchPlan, global_id: tuple[int, ...]) -> int:
    found = (
        number
        for number, part in enumerate(plan.parts)
        if all(
            start <= at < start + size
            for at, start, size in zip(global_id, part.global_offset, part.global_size, strict=True)
        )
    )
    return next(found, 0)
