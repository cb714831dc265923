"""Facts of one captured array as JSON: type, shape, numbers of its elements, members of records, how it was reduced."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from cl_magic.clc.types import type_of
from cl_magic.launch.request import Member
from cl_magic.record.array_pictures import is_colour
from cl_magic.record.captures import Capture, MemberCapture, Statistics
from cl_magic.views.buffer_columns import Drawn

_BYTE = 255.0


def array_facts(capture: Capture, drawn: Mapping[str, Drawn]) -> dict[str, Any]:
    """Facts of an array that the view draws from, besides the columns.

    Parameters
    ----------
    capture : Capture
    drawn : mapping of str to Drawn
        Its columns by their name in the view.

    Examples
    --------
    >>> array_facts(Capture("x", "src", (4,), "<f4"), {})["dtype"]
    'float32'
    """
    dtype = np.dtype(capture.dtype)
    shape = [int(n) for n in capture.shape]
    return {
        "name": capture.parameter,
        "label": capture.label or capture.parameter,
        "shape": shape,
        "size": math.prod(shape),
        "code": dtype.newbyteorder("<").str if dtype.kind != "V" else f"|V{dtype.itemsize}",
        "swapped": dtype.byteorder == ">",
        "dtype": f"record of {dtype.itemsize} B" if dtype.kind == "V" else dtype.name,
        "kind": dtype.kind,
        "item_bytes": dtype.itemsize,
        "element_type": capture.element_type,
        "written": capture.after is not None,
        "form": form_of(capture),
        "components": components_of(capture),
        "range": range_of(capture),
        "statistics": {side: _statistics(getattr(capture, side)) for side in ("before", "after", "difference")},
        "changed": capture.changed,
        "sampled": capture.sampled,
        "note": capture.note,
        "members": [_member(member) for member in (capture.excerpt.members if capture.excerpt else ())],
        "member_numbers": [_member_numbers(member) for member in capture.members],
        "bytes_start": capture.excerpt.start * dtype.itemsize if capture.excerpt else 0,
        "pictures": {side: found.facts for side, found in drawn.items() if found.is_picture},
    }


def form_of(capture: Capture) -> str:
    """What an array is first drawn as: ``line``, ``plane``, ``colour``, ``records``, ``value`` or ``nothing``.

    Examples
    --------
    >>> form_of(Capture("x", "x", (4, 4), "<f4")), form_of(Capture("x", "x", (), "<f4"))
    ('plane', 'value')
    """
    dtype = np.dtype(capture.dtype)
    if not math.prod(capture.shape):
        return "nothing"
    if dtype.kind == "V":
        return "records"
    if not capture.shape:
        return "value"
    axes = len(capture.shape) - (1 if components_of(capture) and dtype.kind != "c" else 0)
    if is_colour(capture.shape) and range_of(capture)["gray"]:
        return "colour"
    return "line" if axes <= 1 else "plane"


def components_of(capture: Capture) -> list[str]:
    """Names of the components that the last axis holds: of vectors x, y, z, w; of colour images; of complex numbers.

    Examples
    --------
    >>> components_of(Capture("v", "v", (100, 4), "<f4", element_type="float4"))
    ['x', 'y', 'z', 'w']
    >>> components_of(Capture("c", "c", (8, 8), "<c8")), components_of(Capture("i", "i", (8, 8, 3), "|u1"))
    (['re', 'im'], ['R', 'G', 'B'])
    """
    if np.dtype(capture.dtype).kind == "c":
        return ["re", "im"]
    ctype = type_of(capture.element_type) if capture.element_type else None
    width = ctype.width if ctype is not None else 1
    last = capture.shape[-1] if len(capture.shape) > 1 else 0
    if width > 1 and last in {width, 4 if width == 3 else width}:  # noqa: PLR2004 - three are stored as four
        return list("xyzw")[:last] if width <= 4 else [f"s{i:x}" for i in range(last)]  # noqa: PLR2004 - s0 to sf
    return list("RGBA")[:last] if is_colour(capture.shape) else []


def range_of(capture: Capture) -> dict[str, Any]:
    """One range of colours for before and after, so that they compare; grayscale where it is an image's.

    Examples
    --------
    >>> range_of(Capture("x", "x", (4, 4), "|u1"))
    {'low': 0.0, 'high': 255.0, 'gray': True}
    """
    dtype = np.dtype(capture.dtype)
    taken = [s for s in (capture.before, capture.after) if s is not None and s.minimum is not None]
    low = min((float(s.minimum) for s in taken if s.minimum is not None), default=0.0)
    high = max((float(s.maximum) for s in taken if s.maximum is not None), default=0.0)
    if dtype.kind == "b" or (dtype.kind == "u" and dtype.itemsize == 1):
        return {"low": 0.0, "high": 1.0 if dtype.kind == "b" else _BYTE, "gray": True}
    if taken and dtype.kind == "f" and low >= 0 and high <= 1:
        return {"low": 0.0, "high": 1.0, "gray": True}
    return {"low": low, "high": high, "gray": False}


def _statistics(found: Statistics | None) -> dict[str, Any] | None:
    if found is None:
        return None
    ends = found.histogram_range
    return {
        "count": found.count,
        "min": _number(found.minimum),
        "max": _number(found.maximum),
        "mean": _number(found.mean),
        "exact": _texts(found),
        "nan": found.nan,
        "inf": found.inf,
        "denormal": found.denormal,
        "histogram": list(found.histogram),
        "ends": None if ends is None else [float(ends[0]), float(ends[1])],
    }


def _number(value: float | None) -> float | None:
    """A number of JSON: infinite ones have no place there."""
    return float(value) if value is not None and math.isfinite(value) else None


def _texts(found: Statistics) -> list[str] | None:
    """Least and greatest as text where a double would not tell their last digits."""
    ends = (found.minimum, found.maximum)
    if any(end is not None and float(end) != end for end in ends):
        return [str(end) for end in ends]
    return None


def _member_numbers(member: MemberCapture) -> dict[str, Any]:
    return {
        "name": member.name,
        "dtype": np.dtype(member.dtype).name,
        "shape": list(member.shape),
        "before": _statistics(member.before),
        "after": _statistics(member.after),
        "changed": member.changed,
    }


def _member(member: Member) -> dict[str, Any]:
    dtype = np.dtype(member.dtype)
    return {
        "name": member.name,
        "code": dtype.newbyteorder("<").str,
        "swapped": dtype.byteorder == ">",
        "dtype": dtype.name,
        "offset": member.offset_bytes,
        "shape": list(member.shape),
    }
