"""One number a work-item as cells of a column: from an array that the user gives, or from one that was captured."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.errors import ArgumentError
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.wording import count, size_text
from cl_magic.record.array_pictures import picture_of
from cl_magic.record.captures import Capture, Picture
from cl_magic.views.payload import Column

SAVED_CELLS = 16_384
_CODES = 253
"""Codes of finite numbers in eight bits; above: −Inf, Inf, NaN."""
_WIDEST = 4
Cells = NDArray[Any]
Coloured = tuple[dict[str, Any], Column]


def colour_of(values: Any, plan: LaunchPlan, name: str = "color_by", *, saved: bool = False) -> Coloured:  # noqa: ANN401
    """Facts and cells of an array that holds one number a work-item.

    Parameters
    ----------
    values : array_like
        Of the range's shape in NumPy order, or flat.
    plan : LaunchPlan
    name : str
        What the picture calls it.
    saved : bool
        At most 16 384 cells of 8 bits, for a notebook's file.

    Raises
    ------
    ArgumentError
        Another shape, or no real numbers.

    Examples
    --------
    >>> plan = LaunchPlan((4, 2), (0, 0), (2, 2), "", "uniform", (), (2, 1))
    >>> facts, cells = colour_of(np.arange(8.0).reshape(2, 4), plan)
    >>> facts["step"], facts["method"], cells.shape
    ([1, 1], 'exact', (2, 4))
    """
    array = np.asarray(values)
    shape = plan.global_size[::-1]
    if array.shape not in (shape, (math.prod(shape),)):
        message = (
            f"{name} has shape {array.shape}, and the range of {size_text(plan.global_size)} work-items needs "
            f"{shape} (rows first) or {count(math.prod(shape))} in a row"
        )
        raise ArgumentError(message, remedy=f"{name}.reshape({shape})", parameter=name, shape=array.shape)
    if array.dtype.kind not in "biuf":
        message = f"{name} is of {array.dtype}, and a colour stands for a real number"
        raise ArgumentError(message, remedy=f"{name}.real, or one field of it", parameter=name, dtype=array.dtype.str)
    # One axis more, so that (h, w, 3) is no colour image and one dimension is reduced to means.
    picture = picture_of(array.reshape(1, *shape))
    if picture is None:
        message = f"{name} holds no number"
        raise ArgumentError(message, parameter=name, shape=array.shape)
    return _coloured(_cells(picture)[0], picture.step[1:], picture.method, name, saved=saved)


def maps_to_items(capture: Capture, plan: LaunchPlan) -> bool:
    """Whether a captured array has one real element a work-item, and a picture.

    Examples
    --------
    >>> maps_to_items(Capture("x", "x", (2, 4), "<f4"), LaunchPlan((4, 2), (0, 0), (2, 2), "", "uniform", (), (2, 1)))
    False
    """
    shape = plan.global_size[::-1]
    fits = capture.shape in (shape, (math.prod(shape),)) and np.dtype(capture.dtype).kind in "biuf"
    return fits and _latest(capture) is not None


def captured_colour(capture: Capture, plan: LaunchPlan, *, saved: bool = False) -> Coloured:
    """Facts and cells of a captured array that has one element a work-item.

    Raises
    ------
    ArgumentError
        It has another shape, or nothing was kept of it.
    """
    picture = _latest(capture)
    if picture is None or not maps_to_items(capture, plan):
        message = (
            f"{capture.parameter} has shape {capture.shape}, and not one real element for each of "
            f"{size_text(plan.global_size)} work-items"
        )
        raise ArgumentError(message, parameter=capture.parameter, shape=capture.shape)
    cells, step, method = _cells(picture), picture.step, str(picture.method)
    if method == "range":
        # Of a line, each two cells are the least and greatest of a block: a colour is their middle.
        cells, step, method = (cells[0::2] / 2.0 + cells[1::2] / 2.0), (2 * step[0],), "middle"
    shape = plan.global_size[::-1]
    if capture.shape != shape:
        if max(step) > 1:
            return _flat(cells, step[0], shape, capture.parameter, method, saved=saved)
        cells, step = cells.reshape(shape), (1,) * len(shape)
    return _coloured(cells, step, method, capture.parameter, saved=saved)


def _flat(
    cells: Cells,
    step: int,
    shape: tuple[int, ...],
    name: str,
    method: str,
    *,
    saved: bool,
) -> Coloured:
    """A reduced line for a range of more dimensions: the view finds an item's cell by its linear id."""
    facts, column = _coloured(cells, (step,), method, name, saved=saved)
    return facts | {"flat": True, "shape": [int(n) for n in shape]}, column


def _latest(capture: Capture) -> Picture | None:
    picture = capture.picture_after or capture.picture_before
    return picture if picture is not None and picture.data else None


def _cells(picture: Picture) -> Cells:
    return np.frombuffer(picture.data, picture.dtype).reshape(picture.shape)


def _coloured(cells: Cells, step: tuple[int, ...], method: str, name: str, *, saved: bool) -> Coloured:
    kind = cells.dtype.kind
    if kind == "f":
        cells = cells.astype(np.float32 if cells.dtype.itemsize <= _WIDEST else np.float64)
    elif cells.dtype.itemsize > _WIDEST:
        cells = cells.astype(np.float64)
    if saved:
        cells, step, method = _thinned(cells, step, method)
    finite = cells[np.isfinite(cells)] if cells.dtype.kind == "f" else cells.ravel()
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    facts: dict[str, Any] = {
        "name": name, "kind": kind, "step": [int(n) for n in step], "method": method, "low": low, "high": high,
        "shape": [int(n) for n in cells.shape], "flat": False, "quantised": None,
        "nan": int(np.isnan(cells).sum()) if cells.dtype.kind == "f" else 0,
    }  # fmt: skip
    if saved and cells.dtype.itemsize > 1:
        facts["quantised"] = {"low": low, "high": high}
        return facts, _quantised(cells.astype(np.float64), low, high)
    return facts, cells


def _thinned(cells: Cells, step: tuple[int, ...], method: str) -> tuple[Cells, tuple[int, ...], str]:
    """Every n-th cell of each axis."""
    factor = 1
    while math.prod(-(-n // factor) for n in cells.shape) > SAVED_CELLS:
        factor += 1
    if factor == 1:
        return cells, step, method
    factors = [min(factor, n) for n in cells.shape]
    thin = cells[tuple(slice(None, None, n) for n in factors)]
    return thin, tuple(a * b for a, b in zip(step, factors, strict=True)), "sample"


def _quantised(cells: Cells, low: float, high: float) -> Column:
    with np.errstate(invalid="ignore", over="ignore"):
        spread = (high - low) or 1.0
        shares = np.clip(np.nan_to_num((cells - low) / spread), 0, 1)
    codes = np.round(shares * (_CODES - 1)).astype(np.uint8)
    for code, where in ((_CODES, np.isneginf(cells)), (_CODES + 1, np.isposinf(cells)), (_CODES + 2, np.isnan(cells))):
        codes[where] = code
    return codes
