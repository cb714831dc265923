"""The table of a campaign: counts by family and device, what may not be, overruns, recovery."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from campaign.case import Result
from campaign.judge import seen

_KINDS = {
    "death": "notebook deaths",
    "variables": "cases that changed other notebook variables",
    "bound": "failed launches that changed their arrays",
    "probe": "probe cells that were not right",
    "others": "cases that replaced another device's worker",
    "end": "ends that are not right",
    "blame": "errors that blame another kernel, array or side",
    "outputs": "cells that flooded the notebook",
    "stop": "stop buttons that took too long",
}
_SEEN = ("stopped", "canary", "undetectable", "left out", "unexplained", "refused")


def recoveries_ms(results: Iterable[Result]) -> list[float]:
    """From the end of a worker to the right value of the next cell, in ms."""
    return sorted(result.recovery_ms for result in results if result.restarted and not result.troubles)


def troubled(results: Iterable[Result]) -> list[Result]:
    """Results with a trouble."""
    return [result for result in results if result.troubles]


def count_of(results: Iterable[Result], kind: str) -> int:
    """Results with a trouble of one kind (see :class:`campaign.case.Result`)."""
    return sum(kind in result.kinds for result in results)


def report(results: Sequence[Result]) -> str:
    """All tables as text."""
    devices = sorted({(result.target.id, result.target.family) for result in results})
    names = [f"{device} {family}" for device, family in devices]
    parts = [_families(results, names), _invariants(results), _overruns(results, names), _recovery(results, names)]
    parts.append(_troubles(results))
    return "\n\n".join(part for part in parts if part)


def _label(result: Result) -> str:
    return f"{result.target.id} {result.target.family}"


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    texts = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[column]) for row in texts) for column in range(len(head))]
    lines = []
    for first, *others in texts:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *cells]))
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def _families(results: Sequence[Result], names: Sequence[str]) -> str:
    counts = Counter((result.case.family, _label(result)) for result in results)
    wrong = Counter(result.case.family for result in troubled(results))
    ends: dict[str, Counter[str]] = {}
    for result in results:
        ends.setdefault(result.case.family, Counter())[result.end] += 1
    rows: list[list[object]] = []
    for family, found in sorted(ends.items()):
        told = ", ".join(f"{count} {end}" for end, count in found.most_common())
        rows.append([family, *(counts[family, name] for name in names), wrong[family], told])
    totals = [sum(counts[family, name] for family in ends) for name in names]
    rows.append(["all", *totals, sum(wrong.values()), f"{len(results)} cases"])
    return _table(["family", *names, "not right", "ends"], rows)


def _invariants(results: Sequence[Result]) -> str:
    return _table(["what must not be", "count"], [[text, count_of(results, kind)] for kind, text in _KINDS.items()])


def _overruns(results: Sequence[Result], names: Sequence[str]) -> str:
    found = [result for result in results if result.case.overrun is not None]
    if not found:
        return ""
    counts: Counter[tuple[str, str]] = Counter((_label(result), seen(result)) for result in found)
    rows = [[name, *(counts[name, how] for how in _SEEN)] for name in names]
    text = _table(["overruns", *_SEEN], rows)
    excuses = Counter(
        (_label(result), result.case.overrun.excuse)
        for result in found
        if result.case.overrun is not None and seen(result) in ("undetectable", "left out")
    )
    lines = [f"  {name}: {count} × {excuse}" for (name, excuse), count in sorted(excuses.items())]
    return "\n".join([text, *lines])


def _recovery(results: Sequence[Result], names: Sequence[str]) -> str:
    rows = []
    for name in names:
        times = recoveries_ms(result for result in results if _label(result) == name)
        if times:
            rows.append([name, len(times), f"{statistics.median(times):.0f}", f"{times[-1]:.0f}"])
    return _table(["next cell right after the end of a worker", "n", "median ms", "max ms"], rows) if rows else ""


def _troubles(results: Sequence[Result]) -> str:
    lines = []
    for result in troubled(results):
        head = f"#{result.number} {_label(result)}, {result.case.family}: {result.case.name}"
        lines += [head, *(f"    {text}" for text in result.troubles), f"    {result.case.call[:200]}"]
    return "\n".join(lines)
