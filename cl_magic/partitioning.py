"""``cl_magic.partition`` and ``cl_magic.index_table``: the NDRange of a kernel, a plan or a run as data."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from cl_magic.errors import ArgumentError
from cl_magic.kernel import Kernel
from cl_magic.launch.index_table import IndexTable
from cl_magic.launch.partition import Partition, partition_of
from cl_magic.launch.plan import LaunchPlan, Remainder
from cl_magic.launch.planner import plan
from cl_magic.launch.sizes import missing_global_size, normalise_sizes
from cl_magic.launch.whole_range import ProgramFacts
from cl_magic.record.run import RunRecord


def partition(
    kernel_or_plan: Any,  # noqa: ANN401 - Kernel, LaunchPlan, RunRecord or Partition
    global_size: Any = None,  # noqa: ANN401 - int, tuple or array, as in a call
    local_size: Any = None,  # noqa: ANN401
    *,
    global_offset: Any = None,  # noqa: ANN401
    remainder: Remainder = "auto",
) -> Partition:
    """Return how an NDRange is cut into work-groups, as data; nothing is built or launched.

    Parameters
    ----------
    kernel_or_plan : Kernel, LaunchPlan, RunRecord or Partition
        A kernel is planned for its device with its own limits; the others hold their sizes.
    global_size, local_size, global_offset : int, tuple of int or array, optional
        Work-items, x first, as in a call of the kernel; by default the sizes that were set for it.
    remainder : {"auto", "split", "pad", "asis", "error"}
        As in a call.

    Returns
    -------
    Partition
        Blocks, items, extents, offset; ``len`` of it is the number of work-items, iterating it gives
        ``(group_id, local_id, global_id)`` one at a time, however many there are.

    Raises
    ------
    NDRangeError
        As the call would; or the driver chose the work-group size.
    ArgumentError
        Sizes given with a plan or a run, which have their own.

    Examples
    --------
    >>> import cl_magic as clm
    >>> program = clm.build("kernel void fill(global int *x) { x[get_global_id(0)] = get_local_id(0); }")
    >>> cut = clm.partition(program.fill, 10, 4)
    >>> cut.blocks, cut.items, cut.needs_check
    ((3,), (4,), (True,))
    >>> [local[0] for group, local, at in cut]
    [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]
    """
    if isinstance(kernel_or_plan, Kernel):
        return _of_kernel(kernel_or_plan, (global_size, local_size, global_offset), remainder)
    given = {"global_size": global_size, "local_size": local_size, "global_offset": global_offset}
    named = [name for name, value in given.items() if value is not None]
    if named:
        message = f"partition: {named[0]} cannot be given with a {type(kernel_or_plan).__name__}, which has its sizes"
        raise ArgumentError(message, remedy="give a kernel, or leave the sizes out", parameter=named[0])
    return _partition(kernel_or_plan)


def index_table(
    of: Any,  # noqa: ANN401 - what `partition` takes
    global_id: int | tuple[int, ...],
    global_size: Any = None,  # noqa: ANN401
    local_size: Any = None,  # noqa: ANN401
    **words: Any,  # noqa: ANN401 - global_offset, remainder
) -> IndexTable:
    """Return every kind of index of one work-item: global, group and local, along the axes and linear.

    Counted from 0 as in OpenCL C; x is axis 0 and the fastest. The global linear id ignores the offset
    (OpenCL C 2.0, 6.13.1).

    Parameters
    ----------
    of : Kernel, LaunchPlan, RunRecord or Partition
    global_id : int or tuple of int
        As ``get_global_id`` gives it, x first: the offset counts.
    global_size, local_size, **words
        As in :func:`partition`.

    Raises
    ------
    NDRangeError
        There is no such work-item.

    Examples
    --------
    >>> import cl_magic as clm
    >>> program = clm.build("kernel void fill(global int *x) { x[get_global_id(0)] = 1; }")
    >>> table = clm.index_table(program.fill, (13, 6), (4, 2), (2, 2), global_offset=(10, 5))
    >>> [(row.kind, row.cartesian, row.linear) for row in table]
    [('global', (13, 6), 7), ('group', (1, 0), 1), ('local', (1, 1), 3)]
    """
    return partition(of, global_size, local_size, **words).index_table(global_id)


@singledispatch
def _partition(value: Any) -> Partition:  # noqa: ANN401 - dispatched
    message = f"partition takes a kernel, a LaunchPlan or a RunRecord, not {type(value).__name__}"
    raise ArgumentError(message, remedy="cl_magic.partition(kernel, global_size, local_size)", value=value)


@_partition.register
def _(value: LaunchPlan) -> Partition:
    return partition_of(value)


@_partition.register
def _(value: RunRecord) -> Partition:
    return partition_of(value.plan, value.kernel)


@_partition.register
def _(value: Partition) -> Partition:
    return value


def _of_kernel(kernel: Kernel, given: tuple[Any, Any, Any], remainder: Remainder) -> Partition:
    """Plan as a call would, but build nothing: a plan's prelude changes no index."""
    sizes, result = kernel.sizes, kernel.program.result
    sizes.check(given[0], given[1], kernel.name)
    set_ = (sizes.global_size, sizes.local_size, sizes.global_offset)
    global_size, local_size, offset = (a if a is not None else b for a, b in zip(given, set_, strict=True))
    if global_size is None:
        raise missing_global_size(kernel.name, {})
    ndrange = normalise_sizes(global_size, local_size, offset, kernel=kernel.name)
    facts = ProgramFacts(result.language_version, result.spec.options, result.spec.source)
    limits, device = kernel.info.work_group, kernel.program.device
    made = plan(ndrange, device, limits, kernel.signature, remainder=remainder, program=facts)
    return partition_of(made, kernel.name)
