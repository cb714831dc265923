"""A run in sentences: the one line of facts, and one conclusion for each section of its report.

Each is a tuple of parts that never break inside; HTML joins them with a middle dot, text with a semicolon or comma.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.record.captures import Capture
from cl_magic.record.command_table import bandwidth
from cl_magic.record.durations import kernel_runs
from cl_magic.record.numbers import count, duration, duration_range, percent, plural, product, rate, traffic
from cl_magic.record.run import RunRecord
from cl_magic.record.timeline import busy_share

PRINTF_LINES = 1000
BUFFERS_NAMED = 3
_NOUNS = ("column", "row", "layer")


@dataclass(frozen=True, slots=True)
class Conclusions:
    """What each section of the report comes to."""

    plan: tuple[str, ...]
    ndrange: tuple[str, ...]
    timeline: tuple[str, ...]
    buffers: tuple[str, ...]
    printf: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintfLines:
    """The first lines that a run printed, and how many there are."""

    lines: tuple[str, ...]
    total: int


def bytes_up(record: RunRecord) -> int:
    """Bytes moved to the device for the arguments, each array once.

    Examples
    --------
    >>> from cl_magic.record.event import Transfer
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> device = DeviceInfo("0:0", "d", "Portable Computing Language", "1.2", ("cpu",))
    >>> plan = LaunchPlan((8,), (0,), (4,), "as you gave it", "uniform", (), (2,))
    >>> run = RunRecord("k", device, plan, transfers=(Transfer("x", "x", "to device", 64),))
    >>> bytes_up(run)
    64
    """
    return _moved(record, "to device")


def bytes_down(record: RunRecord) -> int:
    """Bytes moved back from the device, each array once.

    Examples
    --------
    >>> from cl_magic.record.event import Transfer
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> device = DeviceInfo("0:0", "d", "Portable Computing Language", "1.2", ("cpu",))
    >>> plan = LaunchPlan((8,), (0,), (4,), "as you gave it", "uniform", (), (2,))
    >>> run = RunRecord("k", device, plan, transfers=(Transfer("x", "x", "to device", 64),))
    >>> bytes_down(run)
    0
    """
    return _moved(record, "from device")


def _moved(record: RunRecord, direction: str) -> int:
    """Bytes of each array once, however many steps brought them: into shared memory, then to the device."""
    largest: dict[tuple[str, str], int] = {}
    for transfer in record.transfers:
        if transfer.direction == direction:
            key = (transfer.parameter, transfer.label)
            largest[key] = max(largest.get(key, 0), transfer.nbytes)
    return sum(largest.values())


def headline(record: RunRecord, space: str = " ") -> tuple[str, ...]:
    """Parts of the one line: kernel, sizes, duration, rate, bytes both ways, device; most wanted first.

    Examples
    --------
    >>> from cl_magic.record.event import CommandEvent
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> device = DeviceInfo("0:0", "d", "Portable Computing Language", "1.2", ("cpu",))
    >>> plan = LaunchPlan((8,), (0,), (4,), "as you gave it", "uniform", (), (2,))
    >>> run = RunRecord("k", device, plan, events=(CommandEvent("kernel", "k", 0, 0, 0, 2000),))
    >>> headline(run)
    ('k', '8 items in groups of 4', '2.00 µs', 'PoCL cpu')
    """
    plan = record.plan
    sizes = f"{product(plan.global_size, space)} items"
    if plan.local_size is not None:
        sizes += f" in {_group_size(plan.local_size, space)}"
    parts = [record.kernel, sizes]
    if record.status == "failed":
        parts.append("failed")
    if record.duration_ns:
        parts.append(duration(record.duration_ns, space))
        moved = bandwidth(record)
        parts += [rate(moved.bytes_per_second, space)] if moved else []
    ways = [("↑", bytes_up(record)), ("↓", bytes_down(record))]
    parts += [" ".join(f"{arrow}{space}{traffic(nbytes, space)}" for arrow, nbytes in ways if nbytes)]
    parts.append(record.device.short_name)
    return tuple(part for part in parts if part)


def conclusions(record: RunRecord, space: str = " ") -> Conclusions:
    """Conclusions of the five sections, each from the record alone.

    Examples
    --------
    >>> from cl_magic.record.event import CommandEvent
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> device = DeviceInfo("0:0", "d", "Portable Computing Language", "1.2", ("cpu",))
    >>> plan = LaunchPlan((8,), (0,), (4,), "as you gave it", "uniform", (), (2,))
    >>> run = RunRecord("k", device, plan, events=(CommandEvent("kernel", "k", 0, 0, 0, 2000),))
    >>> conclusions(run).timeline, conclusions(run).printf
    (('1 run', '2.00 µs', 'the device is busy 100 %'), ('nothing printed',))
    """
    return Conclusions(
        _plan(record.plan, space),
        _ndrange(record.plan, space),
        _timeline(record, space),
        _buffers(record.captures, space),
        _printf(record, space),
    )


def printf_lines(record: RunRecord, limit: int = PRINTF_LINES) -> PrintfLines:
    r"""Lines that the run printed, in the order of arrival, the first `limit` of them.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> device = DeviceInfo("0:0", "d", "Portable Computing Language", "1.2", ("cpu",))
    >>> plan = LaunchPlan((8,), (0,), (4,), "as you gave it", "uniform", (), (2,))
    >>> run = RunRecord("k", device, plan, printf="a\nb\n")
    >>> printf_lines(run, limit=1)
    PrintfLines(lines=('a',), total=2)
    """
    text = record.printf.removesuffix("\n")
    lines = text.split("\n") if record.printf else []
    return PrintfLines(tuple(lines[:limit]), len(lines))


def _group_size(local_size: tuple[int, ...], space: str) -> str:
    if len(local_size) == 1:
        return f"groups of {count(local_size[0], space)}"
    return f"{product(local_size, space)} groups"


def _plan(plan: LaunchPlan, space: str) -> tuple[str, ...]:
    first = plural(len(plan.parts), "launch", "launches", space=space)
    remainders = [part for part in plan.parts if part.role == "remainder"]
    if plan.mode == "driver":
        return first, "the driver chooses the groups"
    local = _group_size(plan.local_size, space) if plan.local_size else ""
    if plan.mode == "padded" and plan.padded_global_size:
        return first, f"padded to {product(plan.padded_global_size, space)} work-items"
    if plan.mode == "non-uniform":
        return first, f"{local}, the last ones smaller"
    if remainders:
        rebuilt = (f"rebuilt so that {', '.join(plan.replaced)} answer for the whole range",) if plan.replaced else ()
        return (first, _remainder(plan, remainders, space), *rebuilt)
    return first, f"{local}, {plan.local_size_reason}" if plan.local_size_reason else local


def _remainder(plan: LaunchPlan, remainders: list[LaunchPart], space: str) -> str:
    """Name what is launched apart: the columns, rows and slices past the last whole group."""
    local = plan.local_size or plan.global_size
    nouns = _NOUNS if len(plan.global_size) > 1 else ("work-item",)
    left = [(size % group, noun) for size, group, noun in zip(plan.global_size, local, nouns, strict=False)]
    what = " and ".join(plural(number, noun, space=space) for number, noun in left if number)
    sizes = list(dict.fromkeys(part.local_size for part in remainders if part.local_size))
    if len(sizes) > 1:
        listed = ", ".join(product(size, space) for size in sizes[:-1])
        return f"remainder {what} launched separately as groups of {listed} and {product(sizes[-1], space)}"
    return f"remainder {what} launched separately" + (f" as {_group_size(sizes[0], space)}" if sizes else "")


def _ndrange(plan: LaunchPlan, space: str) -> tuple[str, ...]:
    items = plural(math.prod(plan.global_size), "work-item", space=space)
    if not plan.groups:
        return (items,)
    total = plural(math.prod(plan.groups), "group", space=space)
    return (f"{product(plan.groups, space)} = {total}" if len(plan.groups) > 1 else total, items)


def _timeline(record: RunRecord, space: str) -> tuple[str, ...]:
    durations = record.durations_ns
    if not durations:
        return ("no launch was completed",)
    warm = len(kernel_runs(record.events, warmup=True))
    runs = plural(len(durations), "run", space=space)
    first = f"{runs} after {plural(warm, 'warm-up', space=space)}" if warm else runs
    repeated = len(durations) > 1
    took = duration_range(min(durations), max(durations), space) if repeated else duration(durations[0], space)
    busy = busy_share(record.events)
    if busy is None:
        return first, took
    word = "without the warm-up the device is busy" if warm else "the device is busy"
    return first, took, f"{word} {percent(busy, space)}"


def _buffers(captures: tuple[Capture, ...], space: str) -> tuple[str, ...]:
    looked = [capture for capture in captures if capture.before is not None]
    if not looked:
        return ("no array was captured",)
    written = [capture for capture in looked if capture.changed is not None]
    parts = [_changed(capture, space) for capture in written[:BUFFERS_NAMED]]
    if len(written) > BUFFERS_NAMED:
        parts.append(f"{count(len(written) - BUFFERS_NAMED, space)} more written")
    if not written:
        parts.append("no array is written")
    return (*parts, *_special(looked, space))


def _changed(capture: Capture, space: str) -> str:
    seen = capture.after.count if capture.after else 0
    of = plural(seen, "element", space=space)
    looked = " looked at" if capture.sampled else ""
    return f"{capture.label} changed in {count(capture.changed or 0, space)} of {of}{looked}"


def _special(captures: list[Capture], space: str) -> tuple[str, ...]:
    """NaN and Inf after the run (before it, for arrays that are only read)."""
    found = []
    for capture in captures:
        last = [capture.after or capture.before, *(member.after or member.before for member in capture.members)]
        nan, inf = sum(s.nan for s in last if s is not None), sum(s.inf for s in last if s is not None)
        if nan or inf:
            found.append(f"{capture.label} holds {count(nan, space)} NaN, {count(inf, space)} Inf")
    return tuple(found) or ("no NaN, no Inf",)


def _printf(record: RunRecord, space: str) -> tuple[str, ...]:
    total = printf_lines(record, 0).total
    if not total:
        return ("nothing printed",)
    runs = len(kernel_runs(record.events)) + len(kernel_runs(record.events, warmup=True)) or 1
    text = plural(total, "line", space=space)
    each = {math.prod(record.plan.groups or (0,)): "group", math.prod(record.plan.global_size): "work-item"}
    owner = each.get(total // runs) if total % runs == 0 else None
    if owner is None or total == runs:
        return (text,)
    return (f"{text}, one a {owner}" + (f" in each of {count(runs, space)} runs" if runs > 1 else ""),)
