"""Arrays around a run: before, after and difference as pictures or curves, and the numbers of all elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.display.array_figures import Figure, figures_of, gradients
from cl_magic.display.elements import elements_of
from cl_magic.display.escape import escape
from cl_magic.display.parts import mono, small, table
from cl_magic.display.quantity import count, counted, times, value
from cl_magic.launch.wording import listed
from cl_magic.record.captures import Capture, Picture, Statistics

PICTURE_BUDGET = 120_000
"""Characters of all thumbnails of one report; a whole report stays under 200 kB."""


def _member_numbers(capture: Capture) -> list[tuple[str, str, str, Statistics]]:
    """Name, dtype in words and as code, and statistics of each member before and after."""
    label, rows = capture.label or capture.parameter, []
    for member in capture.members:
        name = f"{label}.{member.name}"
        dtype = dtype_name(member.dtype) + (f" × {times(member.shape)}" if member.shape else "")
        rows.append((f"{name} before" if member.after else name, dtype, member.dtype, member.before))
        rows += [(f"{name} after", dtype, member.dtype, member.after)] if member.after else []
    return rows


def numbers_of(capture: Capture) -> list[tuple[str, Statistics]]:
    """Statistics of the array by name: before, after, difference; only the array's name where it was only read."""
    label = capture.label or capture.parameter
    if capture.after is None:
        return [(label, capture.before)] if capture.before else []
    rows = [(f"{label} before", capture.before), (f"{label} after", capture.after)]
    rows.append((f"{label} after − before", capture.difference))
    return [(name, statistics) for name, statistics in rows if statistics is not None]


def typed(number: float | None, dtype: str, *, whole: bool = True) -> str:
    """Value in words: integers without decimals where `whole`.

    Examples
    --------
    >>> typed(3.0, "<i4"), typed(3.0, "<f4")
    ('3', '3.0000')
    """
    exact = number is not None and whole and np.dtype(dtype).kind in "biu" and math.isfinite(number)
    return value(int(number) if exact and number is not None else number)


def dtype_name(dtype: str) -> str:
    """``float32`` for ``<f4``, ``record of 48 B`` for ``|V48``."""
    found = np.dtype(dtype)
    return f"record of {count(found.itemsize)} B" if found.kind == "V" else found.name


def statistics_rows(captures: Sequence[Capture]) -> list[list[str]]:
    """Cells of the table: name, shape, dtype, least, mean, greatest, NaN, Inf, denormal."""
    rows = []
    for capture in captures:
        shape = times(capture.shape) or "one value"
        plain = [(name, dtype_name(capture.dtype), capture.dtype, s) for name, s in numbers_of(capture)]
        rows += [_row((name, shape, words), s, dtype) for name, words, dtype, s in _member_numbers(capture) or plain]
    return rows


def _row(names: tuple[str, str, str], s: Statistics, dtype: str) -> list[str]:
    numbers = typed(s.minimum, dtype), typed(s.mean, dtype, whole=False), typed(s.maximum, dtype)
    return [*names, *numbers, *(count(n) for n in (s.nan, s.inf, s.denormal))]


def _table(captures: Sequence[Capture]) -> str:
    rows = statistics_rows(captures)
    if not rows:
        return ""
    heads = ["array", "#shape", "dtype", "#min", "#mean", "#max", "#NaN", "#Inf", "#denormal"]
    cells = []
    for row in rows:
        bad = [f'<b class="is-error">{n}</b>' if n != "0" else n for n in row[6:8]]
        cells.append([mono(row[0]), row[1], escape(row[2]), *row[3:6], *bad, row[8]])
    if all(row[8] == "0" for row in rows):
        heads, cells = heads[:-1], [row[:-1] for row in cells]
    return f'<div style="margin-top:8px">{table(heads, cells, "array statistics")}</div>'


def _reduction(picture: Picture, elements: int) -> str:
    step = [n for n in picture.step if n > 1]
    if picture.method == "exact" or not step:
        return ""
    every = times(tuple(reversed(picture.step)))
    if picture.method == "mean":
        return f"each cell is the mean of {every} elements"
    if picture.method == "range":
        return f"drawn from the least and greatest of each {count(2 * picture.step[0])} elements"
    drawn = count(math.prod(picture.shape))
    return f"drawn from {drawn} of {count(elements)} elements"


def notes_of(captures: Sequence[Capture]) -> list[str]:
    """Sentences under the table: how pictures were reduced, what was sampled."""
    notes = [f"{capture.label or capture.parameter}: {capture.note}." for capture in captures if capture.note]
    reduced: dict[str, list[str]] = {}
    for capture in captures:
        picture = capture.picture_after or capture.picture_before
        words = _reduction(picture, math.prod(capture.shape)) if picture is not None else ""
        if words:
            reduced.setdefault(words, []).append(capture.label or capture.parameter)
    notes += [f"Picture of {listed(labels)}: {words}." for words, labels in reduced.items()]
    if captures and not any(c.sampled for c in captures):
        notes.append("Numbers and histograms (50 bins) are of all elements.")
    return notes


def buffers_body(captures: Sequence[Capture], ring: tuple[int, ...] | None = None) -> str:
    """Pictures, statistics and notes of all captured arrays.

    Parameters
    ----------
    captures : sequence of Capture
    ring : tuple of int, optional
        NumPy index of the selected work-item's element, marked in arrays of that many dimensions.

    Examples
    --------
    >>> "No array was captured" in buffers_body([])
    True
    """
    looked = [capture for capture in captures if capture.before is not None]
    if not looked:
        return '<p class="dim">No array was captured.</p>'
    shown, left_out, room = [], 0, PICTURE_BUDGET
    for capture in looked:
        for figure in figures_of(capture, ring):
            if len(figure.html) > room:
                left_out += 1
                continue
            room -= len(figure.html)
            shown.append(figure)
    notes = notes_of(looked) + _figure_notes(shown)
    if left_out:
        notes.append(f"{counted(left_out, 'picture')} left out to keep this report small.")
    if ring is not None and any(figure.ring for figure in shown):
        notes.append("The ring is the selected work-item’s element.")
    pictures = f'<div class="row ths">{"".join(figure.html for figure in shown)}</div>' if shown else ""
    elements = "".join(map(elements_of, looked))
    return gradients() + pictures + _table(looked) + elements + small(escape(" ".join(notes)))


def _figure_notes(figures: Sequence[Figure]) -> list[str]:
    return list(dict.fromkeys(figure.note for figure in figures if figure.note))


def element_value(capture: Capture, index: tuple[int, ...]) -> str:
    """Value after the run of one element, where the picture holds it exactly; else "".

    Examples
    --------
    >>> picture = Picture((2,), "<i4", bytes([7, 0, 0, 0, 9, 0, 0, 0]), (1,))
    >>> element_value(Capture("y", "y", (2,), "<i4", picture_before=picture), (1,))
    '9'
    """
    picture = capture.picture_after or capture.picture_before
    if picture is None or picture.method != "exact" or picture.shape != capture.shape:
        return ""
    cells: NDArray[Any] = np.frombuffer(picture.data, np.dtype(picture.dtype)).reshape(picture.shape)
    return typed(float(cells[index]), capture.dtype)
