"""A sweep as HTML and text: the best setting, a heat map of the medians, a row for each setting."""

from __future__ import annotations

import math
from collections.abc import Iterable

from cl_magic.display.colour import CIVIDIS
from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import columns, sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, dim, head, mono, section, small, table
from cl_magic.display.quantity import counted, duration
from cl_magic.record.sweep import SweepResult, SweepRow, grid_of, value_words

_DARK = 0.5
_MOST_ROWS = 200


def _facts(result: SweepResult) -> list[str]:
    """Parts of the first line: kernel, best setting, its time, the gain, how many, the device."""
    best = result.best
    parts = [result.kernel]
    if best is None:
        parts.append("no setting ran with the right result")
    else:
        parts += [f"best {_setting_words(best)}", duration(best.median_ns)]
        if result.baseline_ns and best.median_ns:
            parts.append(_gain(result.baseline_ns / best.median_ns))
    tried = counted(len(result.rows), "setting")
    parts.append(f"interrupted after {tried} of {result.total}" if result.interrupted else tried)
    return [*parts, result.device]


def _gain(ratio: float) -> str:
    if ratio >= 1.005:  # noqa: PLR2004 - what rounds to 1.00 is no gain
        return f"{ratio:.2f} times as fast as before"
    return "as fast as before" if ratio > 0.995 else f"slower than before by {100 * (1 / ratio - 1):.0f} %"  # noqa: PLR2004


def _setting_words(row: SweepRow) -> str:
    return ", ".join(f"{name} {value_words(value)}" for name, value in row.setting.items())


def _notes(result: SweepResult) -> list[str]:
    runs = f"Medians of {counted(result.repeat, 'run')} after {counted(result.warmup, 'warm-up')}"
    before = f"; before, with nothing changed: {duration(result.baseline_ns)}" if result.baseline_ns else ""
    names = ", ".join(result.compared)
    compared = f"{names} gave the same result" if names else "The kernel writes no array: no result was compared"
    ran = sum(row.outcome == "ran" for row in result.rows)
    where = f" in {ran} of {len(result.rows)} settings, and" if names else "."
    same = f" {'is' if len(result.compared) == 1 else 'are'} as before the sweep." if names else ""
    return [f"{runs}{before}.", f"{compared}{where}{same}"]


def _cells(row: SweepRow, result: SweepResult) -> tuple[list[str], str, str, str]:
    """Values, median, share of the best and what else is to say of a row."""
    values = [value_words(row.setting[name]) for name in result.names]
    best = result.best
    ran = row.outcome == "ran"
    median = duration(row.median_ns) if row.durations_ns else ""
    times = f"{row.median_ns / best.median_ns:.2f}" if ran and best is not None and best.median_ns else ""
    why = "best" if row is best else "" if ran else f"{row.outcome}: {row.why}"
    return values, median, times, why


def sweep_html(result: SweepResult) -> str:
    """HTML report of a sweep."""
    first, *rest = _facts(result)
    line = head([bold(mono(first)), *map(escape, rest)], "ok" if result.best is not None else "warn")
    picture = _heat(result)
    rows = section("Settings", escape(_conclusion(result)), _table(result), opened=picture == "")
    return wrap(line + picture + rows + small(escape(" ".join(_notes(result)))), label=f"sweep of {result.kernel}")


def _conclusion(result: SweepResult) -> str:
    counts: dict[str, int] = {}
    for row in result.rows:
        counts[row.outcome] = counts.get(row.outcome, 0) + 1
    return ", ".join(
        f"{number} {'with another result' if name == 'differs' else name}" for name, number in counts.items()
    )


def _table(result: SweepResult) -> str:
    heads = [*(mono(name) for name in result.names), "#median", "#of the best", ""]
    rows = []
    for row in _by_time(result)[:_MOST_ROWS]:
        values, median, times, why = _cells(row, result)
        rows.append(
            [*map(escape, values), escape(median), escape(times), bold(why) if row is result.best else escape(why)]
        )
    more = len(result.rows) - _MOST_ROWS
    note = small(f"the first {_MOST_ROWS} of {len(result.rows)}; rows has all") if more > 0 else ""
    return table(heads, rows, f"settings of {result.kernel}") + note


def _by_time(result: SweepResult) -> list[SweepRow]:
    return sorted(result.rows, key=lambda row: (row.outcome != "ran", row.median_ns))


def _heat(result: SweepResult) -> str:
    """Heat map of two names: cells with their medians, the fastest lightest; "" where fewer were varied."""
    grid = grid_of(result)
    if grid is None:
        return ""
    across, down, cells = grid
    times = [row.median_ns for row in cells.values() if row.outcome == "ran"]
    ends = (min(times, default=1), max(times, default=1))
    heads = [f"{mono(down)} {dim('down')}, {mono(across)} {dim('across')}"]
    heads += [f"#{escape(value_words(value))}" for value in result.values[across]]
    rows = [
        [escape(value_words(value)), *(_cell(cells.get((at, to)), result, ends) for to in range(len(heads) - 1))]
        for at, value in enumerate(result.values[down])
    ]
    return table(heads, rows, f"medians of {result.kernel} by {down} and {across}", css="heat")


def _cell(row: SweepRow | None, result: SweepResult, ends: tuple[int, int]) -> str:
    if row is None:
        return ""
    if row.outcome != "ran":
        return dim(escape(row.outcome))
    colour = _colour(row.median_ns, ends)
    ink = "#000" if sum(c * w for c, w in zip(colour, (0.299, 0.587, 0.114), strict=True)) > 255 * _DARK else "#fff"
    css = f"display:block;padding:0 6px;background:rgb{colour};color:{ink}"
    words = escape(duration(row.median_ns))
    best = row is result.best
    mark = ";outline:2px solid var(--clm-ink)" if best else ""
    return f'<span style="{css}{mark}">{bold(words) if best else words}</span>'


def _colour(duration_ns: int, ends: tuple[int, int]) -> tuple[int, int, int]:
    """Colour of a time, logarithmic between the ends; the fastest is the lightest."""
    low, high = (math.log(max(1, end)) for end in ends)
    share = (math.log(max(1, duration_ns)) - low) / (high - low) if high > low else 0.0
    return CIVIDIS[round((1 - share) * (len(CIVIDIS) - 1))]


def sweep_text(result: SweepResult) -> str:
    """Text report of a sweep, at most 100 columns."""
    lines = [sentence(" · ".join(_facts(result)), "", "  ")]
    rows: list[Iterable[str]] = [(*result.names, "median", "of the best", "")]
    for row in _by_time(result)[:_MOST_ROWS]:
        values, median, times, why = _cells(row, result)
        rows.append((*values, median, times, why))
    many = len(result.names)
    lines += columns([tuple(row) for row in rows], (many, many + 1), "  ")
    lines += [sentence(note, "  ") for note in _notes(result)]
    return plain("\n".join(lines))
