"""Report of a run: one line of facts; unfolded, five sections that say their conclusion while folded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from cl_magic.display.arrays import buffers_body, element_value
from cl_magic.display.escape import escape
from cl_magic.display.layout import clip
from cl_magic.display.ndrange import ndrange_body
from cl_magic.display.ndrange_facts import Element, select
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, dim, line, mono, pairs, quoted, raw, section, small, table
from cl_magic.display.plan_table import plan_body
from cl_magic.display.quantity import count
from cl_magic.display.timeline import timeline_body
from cl_magic.launch.plan import LaunchPlan
from cl_magic.record.captures import Capture
from cl_magic.record.event import Transfer
from cl_magic.record.numbers import NARROW
from cl_magic.record.run import RunRecord
from cl_magic.record.summary import conclusions, headline, printf_lines

PRINTF_SHOWN = 1000
"""Lines of printf in a report; all are in the record."""
PRINTF_BYTES = 65_536
"""Bytes of printf in a report, as HTML: every character may become six."""
_PRINTF_COLUMNS = 500
_ARROWS = {"to device": "↑", "from device": "↓"}


def _facts(record: RunRecord) -> list[str]:
    """Parts of the line as HTML: the kernel in the code font, its duration bold."""
    parts = list(headline(record, NARROW))
    html = [bold(mono(parts[0])), *map(escape, parts[1:])]
    if record.duration_ns:
        at = 3 if record.status == "failed" else 2
        html[at] = bold(html[at])
    if record.status == "failed":
        html[2] = '<span class="is-error">failed</span>'
    return html


def _joined(parts: Iterable[str], names: Sequence[str] = ()) -> str:
    """Conclusion: parts by middle dots, array names in the code font where a part begins with one."""
    words = []
    for part in parts:
        name = next((n for n in names if part.startswith(f"{n} ")), "")
        words.append(mono(name) + escape(part[len(name) :]) if name else escape(part))
    return " · ".join(words)


def transfer_reasons(record: RunRecord) -> list[tuple[str, str]]:
    """Name with arrow, and bytes with how and why (HTML), for each array and direction: its steps in order."""
    steps: dict[tuple[str, str], list[Transfer]] = {}
    for transfer in record.transfers:
        steps.setdefault((transfer.label, transfer.direction), []).append(transfer)
    rows = []
    for (label, direction), moves in steps.items():
        how = ", then ".join(dict.fromkeys(move.how for move in moves if move.how))
        reason = "; ".join(dict.fromkeys(move.reason for move in moves if move.reason))
        size = f"{count(max(move.nbytes for move in moves))}{NARROW}B"
        words = quoted(", ".join(filter(None, [how, reason])))
        rows.append((f"{mono(label)} {_ARROWS[direction]}", f"{size}; {words}"))
    return rows


def _arguments(record: RunRecord) -> str:
    if not record.arguments:
        return ""
    rows = [[dim(str(a.index)), mono(a.declaration), escape(a.value), a.direction] for a in record.arguments]
    return f'<div style="margin-top:8px">{table(["#", "argument", "value", ""], rows, "arguments")}</div>'


def _plan_section(record: RunRecord) -> str:
    notes = pairs([("note", quoted(note)) for note in record.notes], "why")
    return plan_body(record.plan, transfer_reasons(record)) + _arguments(record) + notes


def selected_index(plan: LaunchPlan) -> tuple[int, ...]:
    """NumPy index of the selected work-item's element: ids with the offset, last dimension first."""
    chosen = select(plan)
    return tuple(i + o for i, o in zip(reversed(chosen.item), reversed(plan.global_offset), strict=True))


def _element(record: RunRecord) -> tuple[Element | None, tuple[int, ...] | None]:
    """Element of the first written (else read) array whose shape is the range's, and its index."""
    sizes = tuple(n + o for n, o in zip(record.plan.global_size, record.plan.global_offset, strict=True))
    fitting = [c for c in record.captures if c.shape == tuple(reversed(sizes))]
    fitting.sort(key=lambda capture: capture.after is None)
    if not fitting:
        return None, None
    capture: Capture = fitting[0]
    index = selected_index(record.plan)
    name = f"{capture.label or capture.parameter}[{', '.join(map(str, index))}]"
    return Element(name, element_value(capture, index)), index


def printf_body(record: RunRecord) -> str:
    """First lines of printf, and how to get all."""
    shown = printf_lines(record, PRINTF_SHOWN)
    if not shown.total:
        return '<p class="dim">The kernel printed nothing.</p>'
    lines = _fitting(shown.lines)
    kept = len(lines)
    more = f"{count(kept)} of {count(shown.total)} lines, in the order of arrival. All of them: "
    note = small(f"{escape(more)}<code>print(run.printf)</code>") if kept < shown.total else ""
    return raw("\n".join(lines), "printf output") + note


def _fitting(lines: Sequence[str]) -> list[str]:
    """The first lines, each clipped, whose HTML fits; at least one."""
    kept: list[str] = []
    room = PRINTF_BYTES
    for row in lines:
        clipped = clip(row, _PRINTF_COLUMNS)
        room -= len(escape(clipped).encode("utf-8", "replace")) + 1
        if kept and room < 0:
            break
        kept.append(clipped)
    return kept


def run_label(record: RunRecord) -> str:
    """One sentence for screen readers, with the numbers."""
    return f"Run of {', '.join(headline(record))}"


def run_html(record: RunRecord) -> str:
    """HTML report of a run.

    Parameters
    ----------
    record : RunRecord

    Returns
    -------
    str
        At most 200 kB, whatever the arrays' sizes.

    Examples
    --------
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> from cl_magic.launch.plan import LaunchPart
    >>> plan = LaunchPlan((8,), (0,), (8,), "as you gave it", "uniform", (LaunchPart((0,), (8,), (8,)),), (1,))
    >>> html = run_html(RunRecord("k", DeviceInfo("0:0", "d", "PoCL", "1.2", ("cpu",)), plan))
    >>> html.count('class="sec"')
    5
    """
    words = conclusions(record, NARROW)
    names = [capture.label or capture.parameter for capture in record.captures]
    element, index = _element(record)
    ring = index if index is not None and math.prod(record.plan.global_size) > 1 else None
    sections = [
        section("Plan", _joined(words.plan), _plan_section(record)),
        section(
            "NDRange", _joined(words.ndrange), ndrange_body(record.plan, None, element, record.device), view="ndrange"
        ),
        section("Timeline", _joined(words.timeline), timeline_body(record), view="timeline"),
        section("Buffers", _joined(words.buffers, names), buffers_body(record.captures, ring), view="buffers"),
        section("Printf", _joined(words.printf), printf_body(record)),
    ]
    failed = record.status == "failed"
    error = f'<p class="after">{quoted(record.error)}</p>' if record.error else ""
    body = line(_facts(record), "error" if failed else "ok", "".join(sections)) + error
    return wrap(body, label=run_label(record), role="alert" if failed else "")
