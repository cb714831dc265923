"""Statistics of like commands from columns: count, total, median, 95th percentile and bytes, exact and vectorised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cl_magic.record.command_columns import KINDS, Column, CommandColumns
from cl_magic.record.event import CommandKind


@dataclass(frozen=True, slots=True)
class CommandStatistics:
    """Commands of one kind, name and role together; durations in ns, start to end.

    Attributes
    ----------
    kind, name : str
    warmup : bool
    count, total_ns, nbytes : int
    median_ns : float
        The mean of the two middle ones where the count is even.
    p95_ns : int
        Nearest rank: the least duration that 95 % of the commands do not exceed.
    """

    kind: CommandKind
    name: str
    warmup: bool
    count: int
    total_ns: int
    median_ns: float
    p95_ns: int
    nbytes: int


def group_codes(columns: CommandColumns) -> Column:
    """One number for each kind, name and role of commands: equal numbers belong together.

    Examples
    --------
    >>> columns = CommandColumns.of_arrays([0, 1, 2], [1, 2, 3], name=[0, 1, 0], names=["a", "b"], run=[-1, 1, 1])
    >>> group_codes(columns).tolist()
    [1, 16, 0]
    """
    codes: Column = (columns.name.astype(np.int64) * len(KINDS) + columns.kind) * 2 + (columns.run < 0)
    return codes


def command_statistics(columns: CommandColumns) -> tuple[CommandStatistics, ...]:
    """Statistics of all commands that have times, one entry for each kind, name and role, longest total first.

    Examples
    --------
    >>> columns = CommandColumns.of_arrays([0, 10, 30], [4, 16, 50], name=0, names=["k"])
    >>> found = command_statistics(columns)[0]
    >>> found.count, found.total_ns, found.median_ns, found.p95_ns
    (3, 30, 6.0, 20)
    """
    timed = np.flatnonzero(~columns.untimed)
    codes, durations = group_codes(columns)[timed], (columns.end_ns - columns.start_ns)[timed]
    order = np.argsort(codes, kind="stable")
    found, begins = np.unique(codes[order], return_index=True)
    bounds = [*begins.tolist(), len(order)]
    ordered, nbytes = durations[order], columns.nbytes[timed][order]
    rows = []
    for code, begin, end in zip(found.tolist(), bounds[:-1], bounds[1:], strict=True):
        times, count = np.sort(ordered[begin:end]), end - begin
        named, warm = divmod(code, 2)
        name, kind = divmod(named, len(KINDS))
        median = (int(times[(count - 1) // 2]) + int(times[count // 2])) / 2
        rank = -(-count * 95 // 100) - 1
        facts = (count, int(times.sum()), median, int(times[rank]), int(nbytes[begin:end].sum()))
        rows.append(CommandStatistics(KINDS[kind], columns.names[name], bool(warm), *facts))
    return tuple(sorted(rows, key=lambda row: (row.warmup, -row.total_ns, row.name)))
