"""What a panel shows of a run on each of its tabs."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.build.result import BuildResult
from cl_magic.device_array import DeviceArray
from cl_magic.errors import BuildError, ClMagicError
from cl_magic.launch.controls import KernelFacts
from cl_magic.record.array_pictures import picture_of
from cl_magic.record.captures import Capture
from cl_magic.record.run import RunRecord
from cl_magic.record.summary import headline, printf_lines
from cl_magic.show import load_view, text_of
from cl_magic.views.buffer import buffer_payload, range_facts
from cl_magic.views.buffer_array import array_facts
from cl_magic.views.buffer_columns import RESERVED, Drawn, drawn_at, drawn_of
from cl_magic.views.ndrange import ndrange_payload
from cl_magic.views.payload import Payload
from cl_magic.views.timeline import timeline_payload
from cl_magic.widgets.run_queue import Outcome

TABS = (
    ("picture", "Picture"),
    ("ndrange", "NDRange"),
    ("timeline", "Timeline"),
    ("buffers", "Buffers"),
    ("printf", "Printf"),
    ("log", "Build log"),
)
_NARROW = "\u202f"
_LIVE_BYTES = 16 * 1024 * 1024
_CELLS = 1 << 18
"""Cells of the picture: 512 × 512."""
_EXACT_BYTES = 1 << 17
"""A picture of at most this much travels as it is."""
_CONTINUED = re.compile(r"\n {8,}(?=\S)")
_CODES = 256 - RESERVED
_EIGHT_BITS = 2
"""Level of a picture whose cells are of 8 bits."""


def head_words(record: RunRecord) -> list[str]:
    """Parts of the line above the picture; the first is the kernel's name."""
    return list(headline(record, _NARROW))


def picture_names(record: RunRecord, made: Container[str] = ()) -> list[str]:
    """Arrays that a picture can show: the written ones, the last first, those that the panel made behind the others."""
    written = [capture.parameter for capture in record.captures if capture.after is not None]
    names = written[::-1] or [capture.parameter for capture in record.captures]
    return sorted(names, key=lambda name: name in made)


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run and what its pictures need besides.

    Attributes
    ----------
    record : RunRecord
    used : mapping of str to object
        Arguments of the run, by parameter: the picture is of the array itself.
    result : BuildResult
        Of the program that ran.
    facts : KernelFacts or None
    made : container of str
        Parameters whose arrays the panel made.
    """

    record: RunRecord
    used: Mapping[str, Any]
    result: BuildResult
    facts: KernelFacts | None = None
    made: Container[str] = ()


def view_of(tab: str, run: ShownRun, *, identity: str, picture: str = "") -> dict[str, Any]:
    """Message of one tab.

    Parameters
    ----------
    tab : str
        One of :data:`TABS`.
    run : ShownRun
    identity : str
        What all pictures of the panel share: a selection outlives a run.
    picture : str, optional
        Parameter whose array the picture shows; by default the last one that was written.

    Returns
    -------
    dict
        ``{"tab", "payload"}`` or ``{"tab", "text", "note"}``.
    """
    record = run.record
    if tab == "printf":
        return {"tab": tab} | printf_view(record)
    if tab == "log":
        return {"tab": tab} | log_view(run.result)
    if tab == "ndrange":
        payload = ndrange_payload(record, facts=run.facts)
    elif tab == "timeline":
        payload = timeline_payload(record)
    elif tab == "buffers":
        payload = buffer_payload(record)
    else:
        names = picture_names(record, run.made)
        if not names:
            return {"tab": tab, "text": "", "note": "The kernel writes no array: there is nothing to draw."}
        name = picture if picture in names else names[0]
        payload = _picture(record, name, run.used.get(name))
    return {"tab": tab, "payload": replace(payload, record=identity).message()}


def _picture(record: RunRecord, name: str, value: Any) -> Payload:  # noqa: ANN401 - an argument
    """The array after the run, alone: in as many cells as a screen has where it can be read, else as captured.

    Cells are 8 bits each, so that a picture follows a slider; a view asks for exact elements where it is zoomed.
    """
    capture = record.capture(name)
    if capture.after is not None:
        capture = replace(capture, before=None, picture_before=None, difference=None, picture_difference=None)
        values = _values(value, capture)
        if values is not None and (finer := picture_of(values, cells=_CELLS)) is not None:
            capture = replace(capture, picture_after=finer)
    drawn = drawn_of(capture)
    for side, found in drawn.items():
        if found.picture is not None and found.column.itemsize > 1 and found.column.nbytes > _EXACT_BYTES:
            drawn[side] = _coded(found) or drawn_at(found.picture, _EIGHT_BITS)
    head = {"arrays": [array_facts(capture, drawn)], "ndrange": range_facts(record.plan), "kernel": record.kernel}
    columns = {f"0.{side}": found.column for side, found in drawn.items()}
    return Payload("buffer", "", head | {"status": record.status}, columns)


def _coded(drawn: Drawn) -> Drawn | None:
    """A picture of finite cells in 8 bits, quickly; None where some are not finite or too far apart."""
    if drawn.picture is None or drawn.column.dtype.kind not in "iuf" or drawn.facts["quantised"] is not None:
        return None
    cells = np.frombuffer(drawn.picture.data, drawn.picture.dtype).reshape(drawn.picture.shape)
    low, high = float(cells.min()), float(cells.max())
    width = high - low
    if not math.isfinite(width) or (0 < width <= np.finfo(np.float32).tiny):
        return None
    exact = np.float32 if cells.dtype.itemsize <= 4 and cells.dtype.kind == "f" else np.float64  # noqa: PLR2004 - bytes
    scaled: NDArray[Any] = cells.astype(exact)
    scaled -= exact(low)
    scaled *= exact((_CODES - 1) / width if width else 0)
    scaled += exact(0.5)
    column = np.minimum(scaled, exact(_CODES - 1)).astype(np.uint8)
    return replace(drawn, column=column, facts=drawn.facts | {"quantised": {"low": low, "high": high}})


def _values(value: Any, capture: Capture) -> np.ndarray[Any, Any] | None:  # noqa: ANN401 - an argument
    """Elements of an argument; None where they are not of the captured form, or cannot be read."""
    if isinstance(value, DeviceArray):
        try:
            value = value.numpy()
        except ClMagicError:
            return None
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iufb" or value.nbytes > _LIVE_BYTES:
        return None
    return value if value.ndim and value.size and tuple(value.shape) == tuple(capture.shape) else None


def printf_view(record: RunRecord) -> dict[str, Any]:
    """Text that the kernel printed, its first lines, and how much it is."""
    found = printf_lines(record)
    if not found.total:
        return {"text": "", "note": "The kernel printed nothing."}
    shown = len(found.lines)
    words = f"{found.total:,}".replace(",", _NARROW) + (" line" if found.total == 1 else " lines")
    note = words if shown == found.total else f"the first {shown} of {words}"
    return {"text": "\n".join(found.lines), "note": note}


def log_view(result: BuildResult) -> dict[str, Any]:
    """Report of the build and the compiler's own text."""
    load_view("display")
    log = result.log.strip()
    own = "\n\n" + log if log else ""
    return {"text": text_of(result) + own, "note": "" if log else "The compiler wrote no log."}


def ending_words(outcome: Outcome) -> str:
    """How a run ended, in one line."""
    if outcome.record is not None:
        return " · ".join(head_words(outcome.record))
    return "stopped" if outcome.stopped or outcome.error is None else error_words(outcome.error)["title"]


def error_words(error: Exception) -> dict[str, Any]:
    """First line and the rest of an error, as it is shown above the last good picture."""
    load_view("display")
    if isinstance(error, BuildError) and "result" in error.facts:
        text = text_of(error.facts["result"])
    elif isinstance(error, ClMagicError):
        text = str(error)
    else:
        text = f"{type(error).__name__}: {error}"
    title, _, rest = text.strip().partition("\n")
    if not isinstance(error, BuildError):
        rest = _CONTINUED.sub(" ", rest)
    return {"title": title, "text": rest.rstrip(), "code": isinstance(error, BuildError)}
