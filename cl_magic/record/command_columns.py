"""Commands as columns: what a timeline of a million of them is made from, where a tuple of events would be slow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cl_magic.errors import RecordError
from cl_magic.record.event import CommandEvent, CommandKind

KINDS: tuple[CommandKind, ...] = get_args(CommandKind)
"""Kinds by their code."""
Column = NDArray[Any]
_TIMES = ("queued_ns", "submit_ns", "start_ns", "end_ns")
_FACTS = (*_TIMES, "nbytes", "queue", "run", "part", "clamped")


@dataclass(frozen=True, slots=True, eq=False)
class CommandColumns:
    """Commands of one device, one column a fact; all of one length, in order of queueing.

    Attributes
    ----------
    queued_ns, submit_ns, start_ns, end_ns : ndarray of int64, shape (n,)
        On the device's clock, never running backward within a command.
    nbytes : ndarray of int64, shape (n,)
    kind : ndarray of uint8, shape (n,)
        Index into ``KINDS``.
    name : ndarray of uint32, shape (n,)
        Index into `names`.
    names : tuple of str
    queue, run, part : ndarray of int64, shape (n,)
    clamped : ndarray of bool, shape (n,)
        Times were missing or out of order, and raised to the one before.
    untimed : ndarray of bool, shape (n,)
        No time at all is known.
    waits : ndarray of int64, shape (m, 2)
        Pairs (command, the command whose event it waited for).
    label : str
        What the commands are of, for views that show several side by side.
    """

    queued_ns: Column
    submit_ns: Column
    start_ns: Column
    end_ns: Column
    nbytes: Column
    kind: Column
    name: Column
    names: tuple[str, ...]
    queue: Column
    run: Column
    part: Column
    clamped: Column
    untimed: Column
    waits: Column
    label: str = ""

    def __len__(self) -> int:
        """Count of commands."""
        return len(self.start_ns)

    @property
    def origin_ns(self) -> int:
        """When the first command was queued; 0 where no command has times."""
        timed = self.queued_ns[~self.untimed] if self.untimed.any() else self.queued_ns
        return int(timed.min()) if timed.size else 0

    @classmethod
    def of_events(cls, events: Sequence[CommandEvent], label: str = "") -> CommandColumns:
        """Return the columns of events.

        Examples
        --------
        >>> columns = CommandColumns.of_events([CommandEvent("write", "x", 5, 6, 9, 7, nbytes=64)])
        >>> columns.end_ns.tolist(), columns.clamped.tolist(), columns.names
        ([9], [True], ('x',))
        """
        facts = np.array(list(map(attrgetter(*_FACTS), events)), np.int64).reshape(-1, len(_FACTS))
        given = dict(zip(_FACTS, facts.T, strict=True))
        code = {kind: index for index, kind in enumerate(KINDS)}
        names = {name: index for index, name in enumerate(dict.fromkeys(event.name for event in events))}
        kinds = np.fromiter((code[event.kind] for event in events), np.uint8, len(events))
        named = np.fromiter((names[event.name] for event in events), np.uint32, len(events))
        return cls.of_arrays(**given, kind=kinds, name=named, names=tuple(names), label=label)

    @classmethod
    def of_arrays(  # noqa: PLR0913 - one for each fact of a command
        cls,
        start_ns: ArrayLike,
        end_ns: ArrayLike,
        *,
        name: ArrayLike,
        names: Iterable[str],
        kind: ArrayLike = 0,
        queued_ns: ArrayLike | None = None,
        submit_ns: ArrayLike | None = None,
        nbytes: ArrayLike = 0,
        queue: ArrayLike = 0,
        run: ArrayLike = 0,
        part: ArrayLike = 0,
        clamped: ArrayLike = False,
        waits: ArrayLike = (),
        label: str = "",
    ) -> CommandColumns:
        """Return columns from arrays; a number stands for a column of it, times not given are those of the start.

        Times that run backward are raised to the one before, and `clamped` then says so.

        Raises
        ------
        RecordError
            A column has another length than `start_ns`, or a code is none of `names`, of ``KINDS`` or of the commands.

        Examples
        --------
        >>> columns = CommandColumns.of_arrays([10, 40], [30, 45], name=0, names=["k"])
        >>> columns.origin_ns, columns.kind.tolist()
        (10, [0, 0])
        """
        start = np.asarray(start_ns, np.int64)
        given = {"queued_ns": queued_ns, "submit_ns": submit_ns, "start_ns": start, "end_ns": end_ns}
        facts: dict[str, ArrayLike] = {key: start if times is None else times for key, times in given.items()}
        facts |= {"nbytes": nbytes, "kind": kind, "name": name, "queue": queue, "run": run, "part": part}
        wide = {key: _spread(values, len(start), key) for key, values in (facts | {"clamped": clamped}).items()}
        listed, pairs = tuple(names), np.asarray(waits, np.int64).reshape(-1, 2)
        for key, codes, count in (("name", wide["name"], len(listed)), ("kind", wide["kind"], len(KINDS))):
            _check_codes(key, codes, count)
        _check_codes("waits", pairs, len(start))
        raised, changed = _in_order([wide[key] for key in _TIMES])
        # What the engine records of a command without any time.
        untimed = (raised[-1] == 0) & wide["clamped"].astype(bool)
        exact: dict[str, Any] = dict(zip(_TIMES, raised, strict=True))
        coded = {"kind": wide["kind"].astype(np.uint8), "name": wide["name"].astype(np.uint32)}
        flags = {"clamped": wide["clamped"].astype(bool) | changed, "untimed": untimed}
        return cls(**(wide | exact | coded | flags), names=listed, waits=pairs, label=label)


def _spread(values: ArrayLike, count: int, key: str) -> Column:
    column = np.asarray(values)
    if column.ndim and column.shape != (count,):
        msg = f"the column {key} has shape {column.shape}, and start_ns has ({count},)"
        raise RecordError(msg, remedy="give one entry a command", column=key, shape=column.shape)
    return np.broadcast_to(column.astype(np.int64), (count,))


def _check_codes(key: str, codes: Column, count: int) -> None:
    if codes.size and not 0 <= int(codes.min()) <= int(codes.max()) < count:
        msg = f"the column {key} holds codes from {codes.min()} to {codes.max()}, and there are {count}"
        raise RecordError(msg, remedy=f"use 0 to {count - 1}", column=key, count=count)


def _in_order(times: list[Column]) -> tuple[list[Column], Column]:
    """Times of which none is before the one before it, and which commands were changed for that."""
    raised, changed, lowest = [], np.zeros(times[0].shape, bool), times[0]
    for time in times:
        lowest = np.maximum(lowest, time)
        changed |= lowest != time
        raised.append(lowest)
    return raised, changed
