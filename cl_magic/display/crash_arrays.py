"""The arrays of a launch that crashed: which element was reached, and the state each array is in."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from cl_magic.display.crash_facts import Crash
from cl_magic.display.quantity import count
from cl_magic.record.fault import FaultReport
from cl_magic.record.run import ArgumentFact

_ARRAY = re.compile(r"(\w+) \(([\d, ]*)\)$")
_GONE = "it lived in the worker only"


@dataclass(frozen=True, slots=True)
class ArrayRow:
    """One array of the launch after the crash: ``state`` is "unchanged", "may be partly written" or "lost"."""

    name: str
    described: str
    nbytes: int
    state: str
    why: str


def element_reached(crash: Crash, fault: FaultReport) -> str:
    """``that is element 1 048 576 of 'dst', which has 1 000``; "" where the element's size is not known."""
    itemsize = next((size for name, size in _itemsizes(crash) if name in (fault.parameter, fault.array)), 0)
    if not itemsize or fault.through_null or fault.side not in ("after", "before") or fault.where == "slack":
        return ""
    offset = fault.array_bytes + fault.distance_bytes if fault.side == "after" else -fault.distance_bytes
    place = f"−{count(-offset // itemsize)}" if offset < 0 else count(offset // itemsize)
    return f"that is element {place} of '{fault.array}', which has {count(fault.array_bytes // itemsize)}"


def _arguments(crash: Crash) -> list[tuple[str, ArgumentFact]]:
    given = crash.error.facts.get("arguments") or ()
    named = [(re.findall(r"\w+", fact.declaration), fact) for fact in given if isinstance(fact, ArgumentFact)]
    return [(words[-1], fact) for words, fact in named if words]


def _size(fact: ArgumentFact) -> tuple[int, int]:
    """Bytes of an element and elements of an argument that is an array; (0, 0) for others."""
    found = _ARRAY.match(fact.value)
    try:
        itemsize = np.dtype(found[1]).itemsize if found else 0
    except TypeError:  # a name that is no dtype
        return 0, 0
    return (itemsize, int(np.prod([int(n) for n in re.findall(r"\d+", found[2])]))) if found else (0, 0)


def _itemsizes(crash: Crash) -> list[tuple[str, int]]:
    return [(name, _size(fact)[0]) for name, fact in _arguments(crash)]


def array_rows(crash: Crash) -> list[ArrayRow]:
    """Arrays of the launch with their state: those that need something done come first.

    Examples
    --------
    >>> from cl_magic.errors import KernelCrashedError
    >>> fact = ArgumentFact(0, "global float *dst", "float32 (1000,)", "inout")
    >>> error = KernelCrashedError("…", kernel="f", arguments=(fact,), partly_written=("dst",))
    >>> array_rows(Crash(error))[0].state
    'may be partly written'
    """
    known = {name: fact for name, fact in _arguments(crash) if _size(fact)[0]}
    partly, lost, same = (crash.names(fact) for fact in ("partly_written", "lost", "arrays_unchanged"))
    names = dict.fromkeys([*partly, *lost, *same, *known])
    rows = [_row(crash, name, known.get(name), partly=name in partly, lost=name in lost) for name in names]
    return sorted(rows, key=lambda row: row.state == "unchanged")


def _row(crash: Crash, name: str, fact: ArgumentFact | None, *, partly: bool, lost: bool) -> ArrayRow:
    itemsize, elements = _size(fact) if fact else (0, 0)
    described = fact.value if fact else ""
    if lost:
        return ArrayRow(name, described, itemsize * elements, "lost", "it lived in the worker only; make it again")
    if partly:
        why = f"'{crash.kernel}' writes it, and the worker shares its memory"
        return ArrayRow(name, described, itemsize * elements, "may be partly written", why)
    why = "the kernel only reads it" if fact and fact.direction == "in" else "results come back only after a success"
    return ArrayRow(name, described, itemsize * elements, "unchanged", why)


def arrays_sentence(crash: Crash) -> str:
    """The same in one line, for the text form."""
    rows = array_rows(crash)
    parts = [f"{row.name} {row.state}" if row.state != "lost" else f"{row.name} is lost ({_GONE})" for row in rows]
    changed = [part for part, row in zip(parts, rows, strict=True) if row.state != "unchanged"]
    return "; ".join([*changed, "all others unchanged" if changed else "all unchanged"])
