"""Arrays of vectors: one curve a component, in the order x, y, z, w (OpenCL C 1.2, 6.1.7)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.clc.types import type_of
from cl_magic.display.curve import curves
from cl_magic.display.escape import escape
from cl_magic.display.parts import bold, key, mono
from cl_magic.display.quantity import count, value
from cl_magic.record.captures import Capture, Picture

_LINES = ("s-run", "s-dep", "s-rem", "s-ink")
_NAMES = "xyzw"


def vector_width(capture: Capture) -> int:
    """Components of an array (n, 2 to 4) whose elements are vectors of so many; 0 for others.

    Examples
    --------
    >>> vector_width(Capture("v", "v", (100, 4), "<f4", element_type="float4"))
    4
    """
    ctype = type_of(capture.element_type) if capture.element_type else None
    picture = capture.picture_before
    if ctype is None or len(capture.shape) != 2 or not 1 < capture.shape[1] <= len(_LINES):  # noqa: PLR2004 - n × width
        return 0
    is_whole = picture is None or picture.shape[1:] == capture.shape[1:]
    return ctype.width if ctype.width == capture.shape[1] and is_whole else 0


def component_figures(capture: Capture) -> list[str]:
    """Figures of an array of vectors before and after the run, one axis for both.

    Parameters
    ----------
    capture : Capture
        With a :func:`vector_width` over 0.
    """
    label = capture.label or capture.parameter
    written = capture.after is not None
    sides = [(f"{label} before" if written else label, capture.picture_before)]
    sides += [(f"{label} after", capture.picture_after)] if written else []
    cells = [(name, _cells(picture)) for name, picture in sides if picture is not None]
    low, high = _ends([values for _, values in cells])
    return [_figure(capture, name, values, (low, high)) for name, values in cells]


def _cells(picture: Picture) -> NDArray[Any]:
    return np.frombuffer(picture.data, np.dtype(picture.dtype)).reshape(picture.shape)


def _ends(arrays: list[NDArray[Any]]) -> tuple[float, float]:
    finite = [values[np.isfinite(values)].astype(np.float64) for values in arrays]
    low = min((float(values.min()) for values in finite if values.size), default=0.0)
    high = max((float(values.max()) for values in finite if values.size), default=0.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _figure(capture: Capture, name: str, cells: NDArray[Any], ends: tuple[float, float]) -> str:
    lines = [(cells[:, i], css) for i, css in zip(range(cells.shape[1]), _LINES, strict=False)]
    low, high = ends
    last = count(max(0, capture.shape[0] - 1))
    words = f"{name}: {cells.shape[1]} components of {count(capture.shape[0])} vectors, {value(low)} to {value(high)}"
    plot = curves(lines, low, high, words, (value(low), value(high)), last)
    swatches = key((f'<path class="{css}" d="M0 6H20"/>', mono(_NAMES[i])) for i, (_, css) in enumerate(lines))
    remark = escape(capture.element_type) + ("" if capture.after is not None else ", read, not written")
    caption = f'<figcaption>{bold(mono(name))}<br><span class="dim sm">{remark}</span></figcaption>'
    return f'<figure class="th wide">{caption}{plot}{swatches}</figure>'
