"""Where work-items of a planned range stand, and the whole range as data. Computed, never listed.

x is axis 0 and the fastest; ids count from 0, as in OpenCL C (KernelAbstractions and Julia count from 1).
OpenCL C 2.0, 6.13.1 (linear ids; the offset does not count in the global one).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from cl_magic.errors import NDRangeError
from cl_magic.launch.index_table import IndexTable
from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.launch.wording import code_text, count, size_text
from cl_magic.launch.work_item import Index, WorkItem, linear, of_linear, work_group_of
from cl_magic.show import Shown

__all__ = ["Partition", "Place", "WorkItem", "linear", "partition_of", "work_group_of"]


class Place(NamedTuple):
    """A work-item on a walk: its group, its place in the group, its global id (with the offset). All x first."""

    group_id: Index
    local_id: Index
    global_id: Index


@dataclass(frozen=True, slots=True)
class Partition(Shown):
    """An NDRange cut into work-groups, as data.

    Iterating gives :class:`Place` after place, group by group as a device may run them, x fastest, one at a time:
    the kernel's index space for a reference run in plain Python. Padding items are not among them. ``len`` is the
    number of work-items.

    Attributes
    ----------
    plan : LaunchPlan
        The launches that stand for the range, and why.
    kernel : str
        "" where none was named.

    Examples
    --------
    >>> part = LaunchPart((100,), (10,), (4,))
    >>> cut = Partition(LaunchPlan((10,), (100,), (4,), "", "non-uniform", (part,), (3,)))
    >>> cut.blocks, cut.items, cut.needs_check, cut.group_size((2,))
    ((3,), (4,), (True,), (2,))
    >>> [(group, local, at) for (group,), (local,), (at,) in cut][-3:]
    [(1, 3, 107), (2, 0, 108), (2, 1, 109)]
    """

    plan: LaunchPlan
    kernel: str = ""

    @property
    def dimensions(self) -> int:
        """1, 2 or 3."""
        return len(self.plan.global_size)

    @property
    def extents(self) -> Index:
        """Work-items of the range along each axis, x first: its global size."""
        return self.plan.global_size

    @property
    def offset(self) -> Index:
        """Global id of the first work-item."""
        return self.plan.global_offset

    @property
    def items(self) -> Index:
        """Work-items of a whole group along each axis: the local size."""
        return self.plan.local_size or ()

    @property
    def blocks(self) -> Index:
        """Work-groups along each axis; partial ones count."""
        return self.plan.groups

    @property
    def launched(self) -> Index:
        """Work-items that are launched along each axis: more than `extents` where the range is padded."""
        return self.plan.padded_global_size or self.plan.global_size

    @property
    def parts(self) -> tuple[LaunchPart, ...]:
        """The launches."""
        return self.plan.parts

    @property
    def needs_check(self) -> tuple[bool, ...]:
        """Whether the last group along each axis is not full, so that code written for whole groups must check bounds.

        Where the range is padded, its extra work-items run and the kernel's own guard is that check; where it is
        split or cut, they do not exist, and only ``get_local_size`` differs.
        """
        return tuple(size % local != 0 for size, local in zip(self.extents, self.items, strict=True))

    @property
    def group_count(self) -> int:
        """Work-groups of the whole range."""
        return math.prod(self.blocks)

    @property
    def padding(self) -> int:
        """Work-items that are launched beyond the range."""
        return math.prod(self.launched) - math.prod(self.extents)

    def __len__(self) -> int:
        return math.prod(self.extents)

    def __contains__(self, global_id: object) -> bool:
        return isinstance(global_id, tuple) and len(global_id) == self.dimensions and self._inside(global_id)

    def __iter__(self) -> Iterator[Place]:
        for group in self.groups():
            yield from self.group(group)

    def groups(self) -> Iterator[Index]:
        """All group ids, x fastest, one at a time."""
        yield from _walk(self.blocks)

    def group(self, group_id: Index) -> Iterator[Place]:
        """The places of one group that are in the range, x fastest.

        Examples
        --------
        >>> plan = LaunchPlan((3, 2), (0, 0), (2, 2), "", "non-uniform", (), (2, 1))
        >>> [place.global_id for place in Partition(plan).group((1, 0))]
        [(2, 0), (2, 1)]
        """
        first = self.expand(group_id, (0,) * self.dimensions)
        ends = [start + size for start, size in zip(self.offset, self.extents, strict=True)]
        sizes = tuple(min(local, end - at) for local, end, at in zip(self.items, ends, first, strict=True))
        for local in _walk(sizes):
            yield Place(group_id, local, tuple(a + b for a, b in zip(first, local, strict=True)))

    def group_size(self, group_id: Index) -> Index:
        """Work-items of a group along each axis, as ``get_local_size`` answers in it; padding items count.

        Raises
        ------
        NDRangeError
            There is no such group.
        """
        self._check(group_id, self.blocks, "work-group")
        return tuple(min(n, end - g * n) for n, end, g in zip(self.items, self.launched, group_id, strict=True))

    def expand(self, group_id: Index, local_id: Index) -> Index:
        """Global id of a place in a group; the offset counts.

        Raises
        ------
        NDRangeError
            The group or the place is not there.

        Examples
        --------
        >>> Partition(LaunchPlan((600, 512), (5, 0), (16, 16), "", "uniform", (), (38, 32))).expand((37, 0), (3, 7))
        (600, 7)
        """
        self._check(local_id, self.group_size(group_id), "place in the work-group")
        pairs = zip(self.offset, group_id, self.items, local_id, strict=True)
        return tuple(start + group * size + at for start, group, size, at in pairs)

    def position(self, global_id: Index) -> int:
        """Global linear id of a work-item: x fastest, the offset does not count (K-22).

        Examples
        --------
        >>> cut = Partition(LaunchPlan((4, 2), (10, 5), (4, 2), "", "uniform", (), (1, 1)))
        >>> cut.position((10, 5)), cut.position((13, 6)), cut.at(7)
        (0, 7, (13, 6))
        """
        if global_id not in self:
            raise self._outside(global_id)
        return linear(tuple(at - start for at, start in zip(global_id, self.offset, strict=True)), self.extents)

    def at(self, position: int) -> Index:
        """Global id of the work-item of a linear id, the inverse of :meth:`position`."""
        if not 0 <= position < len(self):
            message = f"no work-item {count(position)} in a range of {count(len(self))}"
            raise NDRangeError(message, position=position, items=len(self))
        place = of_linear(position, self.extents)
        return tuple(start + at for start, at in zip(self.offset, place, strict=True))

    def item(self, global_id: Index) -> WorkItem:
        """All ids of a work-item; padding items too."""
        return work_group_of(self.plan, global_id)

    def index_table(self, global_id: int | Index) -> IndexTable:
        """Every kind of index of a work-item, and its element in NumPy's order.

        Examples
        --------
        >>> cut = Partition(LaunchPlan((600, 512), (0, 0), (16, 16), "", "uniform", (), (38, 32)))
        >>> cut.index_table((341, 155)).element
        (155, 341)
        """
        place = (global_id,) if isinstance(global_id, int) else tuple(global_id)
        return IndexTable(work_group_of(self.plan, place), self.plan.global_offset, self.plan.groups, self.extents)

    def _inside(self, global_id: Index) -> bool:
        return all(o <= i < o + n for i, o, n in zip(global_id, self.offset, self.extents, strict=True))

    def _outside(self, global_id: Index) -> NDRangeError:
        message = f"no work-item {code_text(global_id)} in a range of {code_text(self.extents)}"
        return NDRangeError(f"{message} from {code_text(self.offset)}", global_id=global_id, global_size=self.extents)

    def _check(self, index: Index, sizes: Index, what: str) -> None:
        if len(index) != len(sizes) or not all(0 <= at < n for at, n in zip(index, sizes, strict=True)):
            message = f"no {what} {code_text(index)}: there are {size_text(sizes)}"
            raise NDRangeError(message, remedy="ids are x first and count from 0", index=index, sizes=sizes)


def _walk(sizes: Index) -> Iterator[Index]:
    """Give all indices, x fastest; `itertools.product` would list each axis first."""
    if not sizes:
        yield ()
        return
    for rest in _walk(sizes[1:]):
        for at in range(sizes[0]):
            yield (at, *rest)


def partition_of(plan: LaunchPlan, kernel: str = "") -> Partition:
    """Partition of a plan.

    Raises
    ------
    NDRangeError
        The driver chose the work-group size and did not say which.

    Examples
    --------
    >>> len(partition_of(LaunchPlan((10**6, 10**3), (0, 0), (16, 16), "", "non-uniform", (), (62500, 63))))
    1000000000
    """
    if plan.local_size is None:
        message = "the driver chose the work-group size and does not say which"
        raise NDRangeError(message, remedy="give a local_size", kernel=kernel)
    return Partition(plan, kernel)
