"""Every kind of index of one work-item: global, group, local, each along the axes and linear, and its element.

The kinds are those of KernelAbstractions (``@index(Global, Linear)``, ``Cartesian``, ``NTuple``), counted from 0 as
OpenCL C does. x is axis 0 and the fastest; NumPy's element is the same place read backwards, [row, column].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cl_magic.launch.work_item import Index, WorkItem
from cl_magic.show import Shown

AXES_NOTE = "axis 0 is x, the fastest; NumPy’s element is [row, column] = [y, x]"


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One kind of index: its Cartesian form (x first), its linear form, the size that the linear one counts in."""

    kind: str
    cartesian: Index
    linear: int
    sizes: Index
    function: str
    """What gives it in OpenCL C."""


@dataclass(frozen=True, slots=True)
class IndexTable(Shown):
    """All indices of a work-item; iterating gives :class:`IndexRow` after row: global, group, local.

    Attributes
    ----------
    item : WorkItem
    offset, groups, extents : tuple of int
        Of its range, x first.

    Examples
    --------
    >>> item = WorkItem((12, 5), (0, 0), (2, 0), (4, 2), 2, 0, 2, 0)
    >>> table = IndexTable(item, (10, 5), (1, 1), (4, 2))
    >>> [(row.kind, row.cartesian, row.linear) for row in table]
    [('global', (12, 5), 2), ('group', (0, 0), 0), ('local', (2, 0), 2)]
    >>> table.element
    (0, 2)
    """

    item: WorkItem
    offset: Index
    groups: Index
    extents: Index

    def __iter__(self) -> Iterator[IndexRow]:
        item = self.item
        yield IndexRow("global", item.global_id, item.global_linear_id, self.extents, "get_global_id")
        yield IndexRow("group", item.group_id, item.group_linear_id, self.groups, "get_group_id")
        yield IndexRow("local", item.local_id, item.local_linear_id, item.local_size, "get_local_id")

    @property
    def element(self) -> Index:
        """Element of an array whose shape is the range's reversed: NumPy's order, without the offset."""
        return tuple(at - start for at, start in zip(self.item.global_id, self.offset, strict=True))[::-1]
