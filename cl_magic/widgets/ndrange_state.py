"""What the NDRange picker draws, as JSON: fields, steps, the plan with its reasons, limits as shares."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from cl_magic.display.ndrange import sizes_words
from cl_magic.display.ndrange_facts import conclusion, remainder_words
from cl_magic.display.plan_table import reasons
from cl_magic.display.quantity import capacity, count, counted
from cl_magic.errors import NDRangeError
from cl_magic.launch.controls import KernelFacts
from cl_magic.launch.group_limits import group_limit
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.plan import LaunchPlan
from cl_magic.record.numbers import NARROW
from cl_magic.widgets.ndrange_steps import Step, steps_of, ways_out

_THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")


@dataclass(frozen=True, slots=True)
class Picked:
    """A range and what became of it: a plan, or the error that a launch would give.

    `ndrange` is None where what was typed is no range at all.
    """

    ndrange: NDRange | None
    plan: LaunchPlan | None = None
    error: NDRangeError | None = None


def picture_of(facts: KernelFacts, picked: Picked, last: Picked, call_bytes: int) -> dict[str, Any]:
    """Everything that the picker shows.

    Parameters
    ----------
    facts : KernelFacts
    picked : Picked
        What is wished now.
    last : Picked
        The last one that could be planned, drawn faint where `picked` cannot.
    call_bytes : int
        Local memory that the call gives, besides what the kernel declares.

    Examples
    --------
    >>> picture_of.__name__
    'picture_of'
    """
    shown = picked if picked.plan is not None else last
    plan = shown.plan
    return {
        "kernel": facts.name,
        "device": facts.device.short_name,
        "fixed": fixed_words(facts),
        "fixedGlobal": facts.sizes.fixed and facts.sizes.global_size is not None,
        "multiple": max(1, facts.work_group.preferred_multiple),
        "local": list(plan.local_size) if plan is not None and plan.local_size else None,
        "steps": _steps(facts, shown),
        "plan": None if plan is None else plan_numbers(plan),
        "head": "" if plan is None else sizes_words(plan),
        "conclusion": "" if plan is None else conclusion(plan),
        "remainder": "" if plan is None or not _uneven(plan) else remainder_words(plan),
        "reasons": [] if plan is None else [[name, _unbroken(text)] for name, text in reasons(plan)],
        "bars": [] if plan is None else bars_of(facts, plan, call_bytes),
        "fault": None if picked.error is None else _fault(facts, picked),
    }


def fixed_words(facts: KernelFacts) -> str:
    """Why the group's size cannot be chosen; "" where it can."""
    if facts.sizes.fixed and facts.sizes.local_size is not None:
        return "fixed: the kernel was specialised for it"
    return "" if facts.required is None else f"fixed by reqd_work_group_size{facts.required}"


def _steps(facts: KernelFacts, shown: Picked) -> list[list[list[Any]]]:
    """For each axis its steps, each as size, divides, preferred, legal."""
    if shown.ndrange is None or shown.plan is None or shown.plan.local_size is None:
        return []
    local = shown.plan.local_size
    axes = range(len(local))
    return [[_row(step) for step in steps_of(facts, shown.ndrange, local, axis)] for axis in axes]


def _row(step: Step) -> list[Any]:
    return [step.size, step.divides, step.preferred, step.legal]


def _uneven(plan: LaunchPlan) -> bool:
    pairs = zip(plan.global_size, plan.local_size or plan.global_size, strict=True)
    return any(size % local for size, local in pairs)


def plan_numbers(plan: LaunchPlan) -> dict[str, Any]:
    """The numbers that the small layout is drawn from."""
    return {
        "global": list(plan.global_size),
        "offset": list(plan.global_offset),
        "local": list(plan.local_size or plan.global_size),
        "groups": list(plan.groups),
        "padded": list(plan.padded_global_size) if plan.padded_global_size else None,
        "mode": plan.mode,
        "launches": len(plan.parts),
    }


def bars_of(facts: KernelFacts, plan: LaunchPlan, call_bytes: int) -> list[dict[str, Any]]:
    """Limits with the share that is used: items of a group, local memory, compute units that get a group.

    Examples
    --------
    >>> bars_of.__name__
    'bars_of'
    """
    device = facts.device
    items, most = math.prod(plan.local_size or (0,)), group_limit(device, facts.work_group)
    used = facts.local_mem_bytes + call_bytes
    groups, units = math.prod(plan.groups), max(1, device.compute_units)
    each = f"{groups / units:.1f}".rstrip("0").rstrip(".") if groups < 10 * units else count(groups // units)
    asked = [p.name for p in facts.signature.parameters if p.address == "local"]
    more = f"without {', '.join(asked)}, which the call gives" if asked and not call_bytes else ""
    bars = [_bar("items in a group", count(items), count(most), items / most)]
    if device.local_mem_bytes:
        share = used / device.local_mem_bytes
        bars.append(_bar("local memory", capacity(used), capacity(device.local_mem_bytes), share, more))
    note = f"{counted(groups, 'group')}, {each} a unit"
    return [*bars, _bar("units with a group", count(min(groups, units)), count(units), min(1.0, groups / units), note)]


def _bar(name: str, value: str, limit: str, share: float, note: str = "") -> dict[str, Any]:
    return {"name": name, "value": value, "limit": limit, "share": share, "note": note}


def _fault(facts: KernelFacts, picked: Picked) -> dict[str, Any]:
    error = picked.error
    assert error is not None  # noqa: S101 - asked for where there is one
    ways = ways_out(facts, picked.ndrange) if picked.ndrange is not None else ()
    return {
        "message": _unbroken(error.message.removeprefix(f"{facts.name}: ")),
        "remedy": _unbroken(error.remedy),
        "ways": [{"words": words, "wish": wish_of(way)} for words, way in ways],
    }


def _unbroken(text: str) -> str:
    """A sentence whose numbers do not break between their thousands."""
    return _THOUSANDS.sub(NARROW, text)


def wish_of(ndrange: NDRange) -> dict[str, Any]:
    """A range as the fields of the picker hold it: text.

    Examples
    --------
    >>> wish_of(NDRange((600, 512), (16, 16)))
    {'global': ['600', '512'], 'local': ['16', '16'], 'offset': ['0', '0']}
    """
    local = ndrange.local_size
    return {
        "global": [str(n) for n in ndrange.global_size],
        "local": None if local is None else [str(n) for n in local],
        "offset": [str(n) for n in ndrange.offset],
    }
