"""Small pictures of numbers: histogram over a colour bar, and curves of one-dimensional arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.display.escape import escape
from cl_magic.display.page import ID
from cl_magic.display.svg import number, path, picture, rect, stretched, text
from cl_magic.record.captures import Statistics

_WIDTH, _HISTOGRAM, _BASE = 200.0, 28.0, 30.0
_COLUMNS = 400
_HEIGHT = 72.0


def histogram(statistics: Statistics, low: float, high: float, bar: str, ends: tuple[str, str]) -> str:
    """Histogram and colour bar on one axis from `low` to `high`; `bar` is the id of its gradient.

    Bins outside the axis pile up at its ends.
    """
    counts = np.asarray(statistics.histogram, np.float64)
    shape = ""
    if counts.any() and statistics.histogram_range is not None and high > low:
        edges = np.linspace(*statistics.histogram_range, len(counts) + 1)
        middles = np.clip((edges[:-1] + edges[1:]) / 2, low, high)
        columns = np.minimum(((middles - low) / (high - low) * len(counts)).astype(int), len(counts) - 1)
        heights = np.bincount(columns, counts, minlength=len(counts))
        width = number(_WIDTH / len(counts))
        tops = _BASE - np.where(heights > 0, np.maximum(1.0, _HISTOGRAM * heights / heights.max()), 0)
        steps = "".join(f"V{top:.1f}h{width}" for top in tops)
        shape = path("f-q", f"M0 {number(_BASE)}{steps}V{number(_BASE)}z")
    body = shape + rect("cb", (0, 31, _WIDTH, 7), bar) + text(ends[0], 0, 52) + text(ends[1], _WIDTH, 52, "end")
    return f'<svg class="hs" width="200" height="54" aria-hidden="true" style="width:200px;height:54px">{body}</svg>'


def gradient(name: str, stops: list[tuple[float, str]]) -> str:
    """Gradient of a colour bar: share and CSS colour of each stop."""
    points = "".join(f'<stop offset="{number(at)}" style="stop-color:{colour}"/>' for at, colour in stops)
    return f'<linearGradient id="{ID}{name}">{points}</linearGradient>'


def _envelope(values: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Positions (0 to 1), least and greatest value of at most 400 stretches of the array."""
    finite = np.where(np.isfinite(values), values, np.nan).astype(np.float64)
    size = len(finite)
    edges = np.linspace(0, size, min(size, _COLUMNS) + 1).astype(int)
    starts = edges[:-1]
    low, high = np.fmin.reduceat(finite, starts), np.fmax.reduceat(finite, starts)
    return (starts + np.diff(edges) / 2) / size, low, high


def curve(values: NDArray[Any], low: float, high: float, css: str) -> str:
    """Path of a curve in a view of 1000 × 100; gaps where a stretch has no finite value.

    Examples
    --------
    >>> curve(np.array([0.0, 1.0]), 0, 1, "s-run")
    '<path class="s-run" d="M250 100L750 0"/>'
    """
    if not len(values):
        return ""
    at, least, most = _envelope(values)
    width = (high - low) or 1.0
    data, pen = [], "M"
    for x, a, b in zip(at * 1000, least, most, strict=True):
        if np.isnan(a):
            pen = "M"
            continue
        top, bottom = 100 - (b - low) / width * 100, 100 - (a - low) / width * 100
        data.append(f"{pen}{x:.0f} {top:.0f}" + (f"V{bottom:.0f}" if bottom - top >= 1 else ""))
        pen = "L"
    return path(css, "".join(data))


def curves(
    lines: list[tuple[NDArray[Any], str]], low: float, high: float, label: str, ends: tuple[str, str], last: str
) -> str:
    """Curves of arrays over their indices, one axis for all; `ends` and `last` are the axes' numbers."""
    drawn = "".join(curve(values, low, high, css) for values, css in lines)
    inner = stretched(drawn, (2, _HEIGHT), (1000, 100))
    frame = f'<rect class="s-rule" x="0" y="1.5" width="100%" height="{number(_HEIGHT + 1)}"/>'
    words = text("0", 0, _HEIGHT + 16, "", "%") + text(last, 100, _HEIGHT + 16, "end", "%")
    words += text("element", 50, _HEIGHT + 16, "mid", "%")
    drawn = picture(frame + inner + words, label, "100%", 92)
    numbers = f'<span style="top:0">{escape(ends[1])}</span><span style="top:60px">{escape(ends[0])}</span>'
    return f'<div class="tl cv"><div class="lanes sm">{numbers}</div>{drawn}</div>'
