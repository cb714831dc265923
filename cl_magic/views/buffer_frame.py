"""One frame of a live view: the arrays of a running loop, reduced to what a picture needs in a few milliseconds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.launch.plan import LaunchPlan
from cl_magic.record.array_pictures import picture_of
from cl_magic.record.array_statistics import statistics_of
from cl_magic.record.captures import Capture, Statistics
from cl_magic.views.buffer import range_facts
from cl_magic.views.buffer_array import array_facts
from cl_magic.views.buffer_columns import RESERVED, Column, Drawn, drawn_at
from cl_magic.views.payload import Payload

FRAME_CELLS = 1 << 17
"""Cells of all arrays of a frame together: 362 × 362, about the pixels that a picture has in a notebook."""
_CODES = 256 - RESERVED


@dataclass(frozen=True, slots=True)
class Look:
    """An array at one moment.

    Attributes
    ----------
    values : ndarray
        A copy that nobody writes any more.
    parameter, label, element_type : str
    shape : tuple of int
        Of the whole array, where `values` are a sample of it.
    steps : tuple of int or None
        Steps of the sample; None where `values` are all.
    """

    values: NDArray[Any]
    parameter: str
    label: str = ""
    element_type: str = ""
    shape: tuple[int, ...] = ()
    steps: tuple[int, ...] | None = None


def frame_payload(
    looks: Sequence[Look],
    record: str,
    plan: LaunchPlan | None,
    text: str,
    known: dict[str, Statistics] | None = None,
) -> Payload:
    """Payload of the buffer view for one frame.

    Parameters
    ----------
    looks : sequence of Look
    record : str
        Identity that the frames of one loop share.
    plan : LaunchPlan or None
    text : str
        Line above the picture: how many launches, how many frames a second.
    known : dict, optional
        Statistics by parameter that are new enough; else they are taken, and put in.

    Examples
    --------
    >>> look = Look(np.arange(6.0).reshape(2, 3), "dst", shape=(2, 3))
    >>> frame_payload([look], "r", None, "1 launch").columns["0.after"].tolist()
    [[0, 50, 101], [151, 202, 252]]
    """
    statistics = {} if known is None else known
    arrays: list[dict[str, Any]] = []
    columns: dict[str, Column] = {}
    for index, look in enumerate(looks):
        numbers = statistics.get(look.parameter)
        if numbers is None:
            numbers = statistics[look.parameter] = statistics_of(look.values)
        drawn = _drawn(look, FRAME_CELLS // max(1, len(looks)))
        capture = Capture(
            look.parameter,
            look.label or look.parameter,
            look.shape,
            look.values.dtype.str,
            after=numbers,
            picture_after=None if drawn is None else drawn.picture,
            element_type=look.element_type,
            sampled=look.steps is not None,
        )
        found = {} if drawn is None else {"after": drawn}
        arrays.append(array_facts(capture, found))
        columns |= {f"{index}.{side}": one.column for side, one in found.items()}
    head = {"arrays": arrays, "ndrange": range_facts(plan), "kernel": "", "status": "complete", "live": {"text": text}}
    return Payload("buffer", record, head, columns)


def _drawn(look: Look, cells: int) -> Drawn | None:
    picture = picture_of(look.values, look.steps, cells=cells)
    if picture is None:
        return None
    drawn = drawn_at(picture, 0)
    values = np.frombuffer(picture.data, picture.dtype).reshape(picture.shape)
    quick = _quick_codes(values)
    if quick is None:
        return drawn if values.dtype.itemsize == 1 else drawn_at(picture, 2)
    column, low, high = quick
    return replace(drawn, column=column, facts=drawn.facts | {"quantised": {"low": low, "high": high}})


def _quick_codes(values: NDArray[Any]) -> tuple[Column, float, float] | None:
    """Codes of finite single-precision cells; None for all others."""
    if values.dtype != np.float32:
        return None
    low, high = float(values.min()), float(values.max())
    width = high - low
    if not math.isfinite(width) or width <= np.finfo(np.float32).tiny:
        return None
    scaled = (values - np.float32(low)) * np.float32((_CODES - 1) / width)
    scaled += np.float32(0.5)
    return np.minimum(scaled, np.float32(_CODES - 1)).astype(np.uint8), low, high
