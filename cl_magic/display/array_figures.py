"""The figures of one captured array: images, heat maps, colour images, curves and difference maps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.display.colour import CIVIDIS
from cl_magic.display.components import component_figures, vector_width
from cl_magic.display.curve import curves, gradient, histogram
from cl_magic.display.escape import escape
from cl_magic.display.parts import bold, mono
from cl_magic.display.png import Indexed, data_uri
from cl_magic.display.quantity import count, value
from cl_magic.display.svg import number
from cl_magic.display.thumbnail import (
    Range,
    cells_of,
    colour_pixels,
    difference_limit,
    difference_pixels,
    plane_of,
    value_pixels,
)
from cl_magic.record.array_pictures import is_colour
from cl_magic.record.captures import Capture, Picture, Statistics

_SIDE = 200.0
_TALLEST = 260.0
_SMOOTH_FROM = 100

Pixels = NDArray[np.uint8] | Indexed


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its HTML, a sentence for the note below, and whether the ring is in it."""

    html: str
    note: str = ""
    ring: bool = False


def gradients() -> str:
    """Gradients of the colour bars, in an svg of no size that is never hidden by itself."""
    gray = gradient("gray", [(0, "#000"), (1, "#fff")])
    last = len(CIVIDIS) - 1
    heat = gradient("cividis", [(i / last, f"rgb({r},{g},{b})") for i, (r, g, b) in enumerate(CIVIDIS)])
    signs = gradient("div", [(0, "var(--clm-neg)"), (0.5, "var(--clm-paper)"), (1, "var(--clm-pos)")])
    return (
        '<svg width="0" height="0" aria-hidden="true" style="width:0px;height:0px;position:absolute">'
        f"<defs>{gray}{heat}{signs}</defs></svg>"
    )


def _range(capture: Capture) -> Range:
    """One range for before and after, so that their colours compare."""
    taken = [s for s in (capture.before, capture.after) if s is not None and s.minimum is not None]
    low = min((s.minimum for s in taken if s.minimum is not None), default=0.0)
    high = max((s.maximum for s in taken if s.maximum is not None), default=0.0)
    kind = np.dtype(capture.dtype).kind
    if kind == "b" or (kind == "u" and np.dtype(capture.dtype).itemsize == 1):
        return Range(0.0, 1.0 if kind == "b" else 255.0, image=True)
    if kind == "f" and low >= 0 and high <= 1:
        return Range(0.0, 1.0, image=True)
    return Range(low, high)


def _ring(index: tuple[int, ...] | None, shape: tuple[int, ...], size: tuple[float, float]) -> str:
    """Ring around an element of a two-dimensional array."""
    if index is None or len(index) != 2 or len(shape) != 2:  # noqa: PLR2004 - rows and columns
        return ""
    x, y = (index[1] + 0.5) / shape[1] * size[0], (index[0] + 0.5) / shape[0] * size[1]
    width, height = number(size[0]), number(size[1])
    centre = f'cx="{number(x)}" cy="{number(y)}" r="4"'
    return (
        f'<svg class="mk" aria-hidden="true" style="width:{width}px;height:{height}px">'
        f'<circle {centre} style="fill:none;stroke:#000;stroke-width:3.5"/>'
        f'<circle {centre} style="fill:none;stroke:var(--clm-select);stroke-width:1.5"/></svg>'
    )


def _shape(pixels: Pixels) -> tuple[int, int]:
    height, width = (pixels.cells if isinstance(pixels, Indexed) else pixels).shape[:2]
    return height, width


def _size(pixels: Pixels) -> tuple[float, float]:
    """Width and height on the screen: 200 px wide, in proportion, never taller than 260 px nor thinner than 12."""
    height, width = _shape(pixels)
    scale = min(_SIDE / width, _TALLEST / height)
    return max(12.0, width * scale), max(12.0, height * scale)


def _caption(name: str, remark: str) -> str:
    return f'<figcaption>{bold(mono(name))}<br><span class="dim sm">{escape(remark) or "&nbsp;"}</span></figcaption>'


def _image(pixels: Pixels, alt: str, ring: str) -> str:
    width, height = (number(n) for n in _size(pixels))
    fine = ' class="fine"' if _shape(pixels)[1] >= _SMOOTH_FROM else ""
    style = f'style="width:{width}px;height:{height}px"'
    return f'<div class="im" {style}><img{fine} alt="{escape(alt)}" {style} src="{data_uri(pixels)}">{ring}</div>'


def _words(statistics: Statistics | None) -> str:
    if statistics is None or statistics.minimum is None:
        return "no finite element"
    facts = [("minimum", statistics.minimum), ("mean", statistics.mean), ("maximum", statistics.maximum)]
    words = [f"{name} {value(n)}" for name, n in facts]
    words += [f"{count(n)} {name}" for name, n in (("NaN", statistics.nan), ("Inf", statistics.inf)) if n]
    return ", ".join(words)


def _bad(statistics: Statistics | None) -> str:
    """``12 NaN, 1 Inf in red``, where there are any."""
    found = statistics and [f"{count(n)} {w}" for n, w in ((statistics.nan, "NaN"), (statistics.inf, "Inf")) if n]
    return f"{', '.join(found)} in red" if found else ""


def _picture_figure(capture: Capture, name: str, side: tuple[Picture, Statistics | None], index: Any) -> Figure:  # noqa: ANN401
    picture, statistics = side
    cells, plane = plane_of(cells_of(picture))
    role = "read, not written" if capture.after is None else ""
    remark = ", ".join(filter(None, [role, plane, _bad(statistics)]))
    if is_colour(picture.shape):
        image = _image(colour_pixels(cells), f"{name}: colour image, {_words(statistics)}", "")
        return Figure(f'<figure class="th">{_caption(name, remark)}{image}</figure>')
    scale = _range(capture)
    pixels = value_pixels(cells, scale)
    ring = _ring(index, capture.shape, _size(pixels))
    kind = "grayscale image" if scale.image else "heat map"
    image = _image(pixels, f"{name}: {kind}, {_words(statistics)}", ring)
    whole = np.dtype(capture.dtype).kind in "biu" or scale.image
    ends = (_end(scale.low, whole=whole), _end(scale.high, whole=whole))
    bars = (
        histogram(statistics, scale.low, scale.high, "gray" if scale.image else "cividis", ends) if statistics else ""
    )
    return Figure(f'<figure class="th">{_caption(name, remark)}{image}{bars}</figure>', ring=bool(ring))


def _end(number_: float, *, whole: bool) -> str:
    return value(int(number_)) if whole and number_ == int(number_) else value(number_)


def _difference_figure(capture: Capture, name: str, index: Any) -> Figure:  # noqa: ANN401 - a NumPy index
    picture, statistics = capture.picture_difference, capture.difference
    if picture is None or statistics is None or is_colour(picture.shape):
        return Figure("")
    cells, plane = plane_of(cells_of(picture))
    most = max(abs(statistics.minimum or 0.0), abs(statistics.maximum or 0.0))
    if not most and not statistics.nan + statistics.inf:
        words = '<p class="dim sm">0 everywhere</p>'
        return Figure(f'<figure class="th">{_caption(name, plane)}{words}</figure>')
    limit, beyond = difference_limit(cells, most)
    pixels = difference_pixels(cells, limit)
    ring = _ring(index, capture.shape, _size(pixels))
    alt = f"{name}: difference map, blue below zero, orange above, {_words(statistics)}"
    low, high = (_end(n, whole=np.dtype(capture.dtype).kind in "biu") for n in (-limit, limit))
    ends = (f"{'≤ ' if beyond else ''}{low}", f"{'≥ ' if beyond else ''}{high}")
    remark = ", ".join(filter(None, [plane, _bad(statistics)]))
    body = _image(pixels, alt, ring) + histogram(statistics, -limit, limit, "div", ends)
    note = f"The difference map of {capture.label} saturates at ±{high}." if beyond else ""
    return Figure(f'<figure class="th">{_caption(name, remark)}{body}</figure>', note, bool(ring))


def _curve_figures(capture: Capture) -> list[Figure]:
    """Before and after in one plot, their difference in another."""
    label = capture.label or capture.parameter
    sides = [(capture.picture_before, "s-q off"), (capture.picture_after, "s-run")]
    lines = [(cells_of(picture).reshape(-1), css) for picture, css in sides if picture is not None]
    if len(lines) == 1:
        lines = [(lines[0][0], "s-run")]
    scale = _range(capture)
    last = count(max(0, math.prod(capture.shape) - 1))
    written = capture.after is not None
    name = f"{label} before, after" if written else label
    remark = "before dashed, after blue" if written else "read, not written"
    bad = _bad(capture.after or capture.before).replace(" in red", ", left out")
    caption = _caption(name, ", ".join(filter(None, [remark, bad])))
    words = f"{name}: curve over {count(math.prod(capture.shape))} elements, {_words(capture.after or capture.before)}"
    low, high = _wide(scale.low, scale.high) if not scale.image else _wide(*_ends(capture))
    plot = curves(lines, low, high, words, (value(low), value(high)), last)
    found = [Figure(f'<figure class="th wide">{caption}{plot}</figure>')]
    if capture.picture_difference is not None and capture.difference is not None:
        found.append(_difference_curve(capture, cells_of(capture.picture_difference).reshape(-1), last))
    return found


def _difference_curve(capture: Capture, cells: NDArray[Any], last: str) -> Figure:
    name = f"{capture.label or capture.parameter} after − before"
    statistics = capture.difference
    low = min(0.0, (statistics.minimum if statistics else 0.0) or 0.0)
    high = max(0.0, (statistics.maximum if statistics else 0.0) or 0.0)
    low, high = _wide(low, high)
    words = f"{name}: curve, {_words(statistics)}"
    plot = curves([(cells, "s-ink")], low, high, words, (value(low), value(high)), last)
    return Figure(f'<figure class="th wide">{_caption(name, "")}{plot}</figure>')


def _ends(capture: Capture) -> tuple[float, float]:
    taken = [s for s in (capture.before, capture.after) if s is not None and s.minimum is not None]
    low = min((s.minimum for s in taken if s.minimum is not None), default=0.0)
    return low, max((s.maximum for s in taken if s.maximum is not None), default=0.0)


def _wide(low: float, high: float) -> tuple[float, float]:
    """The range itself, or one around a single value."""
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def figures_of(capture: Capture, index: tuple[int, ...] | None = None) -> list[Figure]:
    """Figures of an array in order: before, after, difference.

    Parameters
    ----------
    capture : Capture
    index : tuple of int, optional
        NumPy index of the element to ring.

    Examples
    --------
    >>> figures_of(Capture("x", "x", (4,), "<c8"))
    []
    """
    label = capture.label or capture.parameter
    if capture.picture_before is None or np.dtype(capture.dtype).kind == "c":
        return []
    if vector_width(capture):
        return [Figure(html) for html in component_figures(capture)]
    if len(capture.picture_before.shape) == 1:
        return _curve_figures(capture)
    if capture.picture_after is None:
        return [_picture_figure(capture, label, (capture.picture_before, capture.before), index)]
    found = [
        _picture_figure(capture, f"{label} before", (capture.picture_before, capture.before), index),
        _picture_figure(capture, f"{label} after", (capture.picture_after, capture.after), index),
        _difference_figure(capture, f"{label} after − before", index),
    ]
    return [figure for figure in found if figure.html]
