"""Text forms of a run, of its timeline and of a plan: same order and words as the HTML, at most 100 columns."""

from __future__ import annotations

from collections.abc import Iterable

from cl_magic.display.arrays import statistics_rows
from cl_magic.display.escape import plain
from cl_magic.display.layout import columns, sentence
from cl_magic.display.ndrange import sizes_words
from cl_magic.display.ndrange_facts import conclusion
from cl_magic.display.plan_table import HEADS, launch_rows, reasons
from cl_magic.display.timeline import row_cells, scale, timeline_facts
from cl_magic.launch.plan import LaunchPlan
from cl_magic.record.captures import Capture
from cl_magic.record.command_table import command_rows
from cl_magic.record.run import RunRecord
from cl_magic.record.summary import conclusions, headline

_NUMBERS = (1, 2, 3, 4, 5, 6, 7)


def run_text(record: RunRecord) -> str:
    """Text report of a run: the line of facts and five conclusions.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPart
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (LaunchPart((0,), (8,), (8,)),), (1,))
    >>> print(run_text(RunRecord("k", DeviceInfo("0:0", "d", "PoCL", "1.2", ("cpu",)), plan)).split(chr(10))[1])
      plan      1 launch; groups of 8, as you gave it
    """
    words = conclusions(record)
    printf = "; ".join(words.printf) + (": print(run.printf)" if record.printf else "")
    lines = [sentence(" · ".join(headline(record)), "", "  ")]
    lines += [sentence(record.error, "  failed    ")] if record.error else []
    lines += [
        sentence("; ".join(words.plan), "  plan      "),
        sentence(", ".join(words.ndrange), "  ndrange   "),
        sentence(", ".join(words.timeline), "  timeline  "),
        sentence("; ".join(words.buffers), "  buffers   "),
        sentence(printf, "  printf    "),
    ]
    lines += [sentence(note, "  note      ") for note in record.notes]
    return "\n".join(lines)


def plan_text(plan: LaunchPlan) -> str:
    """Text of a plan: sizes, launches, reasons.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPart
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (LaunchPart((0,), (8,), (8,)),), (1,))
    >>> print(plan_text(plan).split(chr(10))[0])
    NDRange: 8 items in groups of 8 · 1 group, 8 work-items
    """
    lines = [sentence(f"NDRange: {sizes_words(plan)} · {conclusion(plan)}", "", "  ")]
    lines += columns([HEADS, *launch_rows(plan)], _NUMBERS, "  ")
    lines += [sentence(words, f"  {name:<10}  ") for name, words in reasons(plan)]
    return "\n".join(lines)


def timeline_text(record: RunRecord) -> str:
    """Text of a timeline: one line of facts and the table of commands."""
    rows = command_rows(record)
    lines = [sentence("Timeline: " + " · ".join(timeline_facts(record)), "", "  ")]
    if rows:
        factor, unit, decimals = scale(rows)
        heads = ("command", "count", f"total {unit}", "least", "median", "most", "bytes", "GB/s")
        cells = [(row.command, *row_cells(row, factor, decimals)) for row in rows]
        lines += columns([heads, *cells], _NUMBERS, "  ")
    return plain("\n".join(lines))


def buffers_text(captures: Iterable[Capture]) -> str:
    """Text of the statistics of captured arrays."""
    heads = ("array", "shape", "dtype", "min", "mean", "max", "NaN", "Inf", "denormal")
    return "\n".join(columns([heads, *statistics_rows(list(captures))], (1, 3, 4, 5, 6, 7, 8)))
