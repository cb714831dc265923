"""A partition in words, and the table of all indices of one work-item."""

from __future__ import annotations

from cl_magic.display.escape import escape
from cl_magic.display.layout import columns
from cl_magic.display.ndrange import ndrange_html
from cl_magic.display.page import wrap
from cl_magic.display.parts import head, mono, small, table
from cl_magic.display.quantity import count, ids, times
from cl_magic.launch.index_table import AXES_NOTE, IndexTable
from cl_magic.launch.partition import Partition
from cl_magic.launch.wording import AXES
from cl_magic.record import numbers


def partition_html(partition: Partition) -> str:
    """Picture of the plan.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPlan, LaunchPart
    >>> part = LaunchPart((0,), (64,), (64,))
    >>> "<svg role=" in partition_html(Partition(LaunchPlan((64,), (0,), (64,), "", "uniform", (part,), (1,))))
    True
    """
    return ndrange_html(partition.plan)


def partition_text(partition: Partition) -> str:
    """One line.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> partition_text(Partition(LaunchPlan((600, 512), (0, 0), (16, 16), "", "non-uniform", (), (38, 32)), "blur"))
    'blur: 600 × 512 work-items in 38 × 32 groups of 16 × 16, the last group has 8 × 16'
    """
    sizes = {name: _plain(getattr(partition, name)) for name in ("extents", "blocks", "items", "offset")}
    name = f"{partition.kernel}: " if partition.kernel else ""
    noun = "group" if partition.group_count == 1 else "groups"
    words = [f"{name}{sizes['extents']} work-items in {sizes['blocks']} {noun} of {sizes['items']}"]
    if any(partition.offset):
        words.append(f"from global id ({', '.join(map(str, partition.offset))})")
    if partition.padding:
        words.append(f"{numbers.count(partition.padding)} padding items")
    elif any(partition.needs_check):
        words.append(f"the last group has {_plain(partition.group_size(tuple(n - 1 for n in partition.blocks)))}")
    if len(partition.parts) > 1:
        words.append(f"{len(partition.parts)} launches")
    return ", ".join(words)


def index_table_html(found: IndexTable) -> str:
    """Rows for global, group and local; columns for the axes and linear.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPlan, LaunchPart
    >>> plan = LaunchPlan((4, 2), (0, 0), (4, 2), "", "uniform", (LaunchPart((0, 0), (4, 2), (4, 2)),), (1, 1))
    >>> "get_global_id" in index_table_html(Partition(plan).index_table((3, 1)))
    True
    """
    axes = AXES[: len(found.extents)]
    heads = ["index", *(f"#{a}, axis {n}" for n, a in enumerate(axes)), "#linear", "counted in", "in OpenCL C"]
    rows = [
        [row.kind, *map(count, row.cartesian), count(row.linear), times(row.sizes), mono(row.function)] for row in found
    ]
    words = ["<b>work-item</b> " + escape(ids(found.item.global_id)), *map(escape, _facts(found))]
    return wrap(head(words) + table(heads, rows, "indices of a work-item") + small(AXES_NOTE), label="index table")


def index_table_text(found: IndexTable) -> str:
    """The same as text.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPlan, LaunchPart
    >>> plan = LaunchPlan((4, 2), (10, 5), (4, 2), "", "uniform", (LaunchPart((10, 5), (4, 2), (4, 2)),), (1, 1))
    >>> print(index_table_text(Partition(plan).index_table((13, 6))))
    work-item (13, 6) · element [1, 3]
      index   x   y  linear  counted in  in OpenCL C
      global  13  6  7       4 × 2       get_global_id
      group   0   0  0       1 × 1       get_group_id
      local   3   1  7       4 × 2       get_local_id
      axis 0 is x, the fastest; NumPy’s element is [row, column] = [y, x]
    """
    axes = AXES[: len(found.extents)]
    rows = [
        (row.kind, *map(numbers.count, row.cartesian), numbers.count(row.linear), _plain(row.sizes), row.function)
        for row in found
    ]
    title = f"work-item ({', '.join(map(str, found.item.global_id))})"
    heads = ("index", *axes, "linear", "counted in", "in OpenCL C")
    return "\n".join([" · ".join([title, *_facts(found)]), *columns([heads, *rows], indent="  "), f"  {AXES_NOTE}"])


def _facts(found: IndexTable) -> list[str]:
    facts = [f"element [{', '.join(map(str, found.element))}]"]
    return [*facts, "padding, outside the range"] if found.item.padding else facts


def _plain(sizes: tuple[int, ...]) -> str:
    return " × ".join(map(numbers.count, sizes))
