"""The plan of a launch as a table of its launches, and the reasons for it."""

from __future__ import annotations

import math

from cl_magic.display.escape import escape
from cl_magic.display.parts import bold, pairs, quoted, table
from cl_magic.display.quantity import count, duration, ids, times
from cl_magic.launch.plan import LaunchPart, LaunchPlan

_REASON_NAMES = {"padded": "padding", "driver": "groups", "non-uniform": "last groups"}


def _groups(part: LaunchPart) -> str:
    if part.local_size is None:
        return "as the driver chooses"
    groups = tuple(-(-n // k) for n, k in zip(part.global_size, part.local_size, strict=True))
    total = f" = {count(math.prod(groups))}" if len(groups) > 1 else ""
    return times(groups) + total


def launch_rows(plan: LaunchPlan) -> list[list[str]]:
    """Cells: launch, offset, global, local, groups, work-items; the last row is all launches together.

    Examples
    --------
    >>> plan = LaunchPlan((8,), (0,), (8,), "", "uniform", (LaunchPart((0,), (8,), (8,)),), (1,))
    >>> launch_rows(plan)
    [['1, main', '0', '8', '8', '1', '8']]
    """
    rows = [
        [
            f"{number}, {part.role}",
            ids(part.global_offset),
            times(part.global_size),
            times(part.local_size) if part.local_size else "",
            _groups(part),
            count(math.prod(part.global_size)),
        ]
        for number, part in enumerate(plan.parts, 1)
    ]
    if len(plan.parts) > 1:
        total = f" = {count(math.prod(plan.groups))}" if len(plan.groups) > 1 else ""
        items = count(math.prod(plan.global_size))
        rows.append(["together", "", times(plan.global_size), "", times(plan.groups) + total, items])
    return rows


HEADS = ("launch", "offset", "global", "local", "groups", "work-items")


def reasons(plan: LaunchPlan) -> list[tuple[str, str]]:
    """Why it is planned so: name and sentence."""
    found = []
    if plan.mode_reason:
        found.append((_REASON_NAMES.get(plan.mode, "remainder"), plan.mode_reason))
    if plan.local_size is not None:
        words = (
            f"{times(plan.local_size)}, {plan.local_size_reason}" if plan.local_size_reason else times(plan.local_size)
        )
        found.append(("local size", words))
    if plan.replaced:
        took = f", built again in {duration(plan.rebuild_ns)}" if plan.rebuild_ns else ""
        found.append(("replaced", f"{', '.join(plan.replaced)} answer for the whole range{took}"))
    if plan.language_version:
        found.append(("language", plan.language_version))
    return found + [("note", note) for note in plan.notes]


def plan_body(plan: LaunchPlan, more: list[tuple[str, str]] | None = None) -> str:
    """Table of launches and the list of reasons; `more` are further reasons (HTML name, HTML sentence)."""
    heads = [HEADS[0], *("#" + head for head in HEADS[1:])]
    rows = [[escape(cell) for cell in row] for row in launch_rows(plan)]
    if len(plan.parts) > 1:
        rows[-1][0], rows[-1][-1] = bold(rows[-1][0]), bold(rows[-1][-1])
    said = [(escape(name), quoted(words)) for name, words in reasons(plan)]
    return table(heads, rows, "launches") + pairs(said + (more or []), "why")
