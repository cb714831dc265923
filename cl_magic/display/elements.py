"""Elements as they are: a table of records with their members, and bytes in hexadecimal, changed ones marked."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cl_magic.display.escape import escape
from cl_magic.display.parts import bold, mono, small, table
from cl_magic.display.quantity import count
from cl_magic.launch.members import record_dtype
from cl_magic.record.captures import Capture, Excerpt

_MOST_COLUMNS = 12
_MOST_NUMBERS = 4
_BYTES = 16
_ROWS, _SHOWN_BYTES = 6, 64


def elements_of(capture: Capture) -> str:
    """Table of a few elements of an array of records or bytes; "" for other arrays.

    Examples
    --------
    >>> "00 07" in elements_of(Capture("b", "b", (2,), "|u1", excerpt=Excerpt(0, bytes([0, 7]))))
    True
    """
    dtype = np.dtype(capture.dtype)
    is_bytes = dtype.itemsize == 1 and dtype.kind in "iu" and len(capture.shape) == 1
    if capture.excerpt is None or not (is_bytes or dtype.kind == "V"):
        return ""
    excerpt = _shortened(capture.excerpt, dtype.itemsize)
    body = _records(capture, excerpt) if excerpt.members else _dump(capture, excerpt)
    return f'<div style="margin-top:8px">{body}</div>'


def _shortened(excerpt: Excerpt, size: int) -> Excerpt:
    """The elements that fit a report, from the line of the first that changed on."""
    old, new = excerpt.before, excerpt.after if excerpt.after is not None else excerpt.before
    first = next((i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b), 0) // size
    count = _ROWS if excerpt.members else max(1, _SHOWN_BYTES // size)
    line = 1 if excerpt.members else max(1, _BYTES // size)
    begin = max(0, min((first - 1 if excerpt.members else first) // line * line, len(old) // size - count))
    begin = begin // line * line
    part = slice(begin * size, (begin + count) * size)
    after = None if excerpt.after is None else excerpt.after[part]
    return Excerpt(excerpt.start + begin, old[part], after, excerpt.members)


def _records(capture: Capture, excerpt: Excerpt) -> str:
    label = capture.label or capture.parameter
    old, new = _rows(capture, excerpt.before), _rows(capture, excerpt.after or excerpt.before)
    names = [member.name for member in excerpt.members][:_MOST_COLUMNS]
    cells = [
        [mono(f"{label}[{count(excerpt.start + i)}]"), *(_member(old[i][name], new[i][name]) for name in names)]
        for i in range(len(new))
    ]
    found = table([escape(_kind(capture)), *(f"#{escape(name)}" for name in names)], cells, f"elements of {label}")
    left = len(excerpt.members) - len(names)
    words = "after the run; changed members are bold" if excerpt.after is not None else "read, not written"
    return found + small(escape(words + (f"; {left} more members" if left else "") + "."))


def _rows(capture: Capture, data: bytes) -> Any:  # noqa: ANN401 - an array of records
    members = capture.excerpt.members if capture.excerpt else ()
    dtype = record_dtype(members, np.dtype(capture.dtype).itemsize)
    return np.frombuffer(data, dtype)


def _kind(capture: Capture) -> str:
    return capture.element_type or "record"


def _member(old: Any, new: Any) -> str:  # noqa: ANN401 - a value of any member
    text = mono(_numbers(new))
    return bold(text) if np.asarray(old).tobytes() != np.asarray(new).tobytes() else text


def _numbers(value: Any) -> str:  # noqa: ANN401 - a NumPy scalar or array
    parts = np.asarray(value).reshape(-1)
    texts = [str(part) for part in parts[:_MOST_NUMBERS]]
    if np.ndim(value) == 0:
        return texts[0]
    return f"({', '.join(texts)}{', …' if parts.size > _MOST_NUMBERS else ''})"


def _dump(capture: Capture, excerpt: Excerpt) -> str:
    """Bytes, sixteen a line with their offset; changed ones are bold."""
    label = capture.label or capture.parameter
    size = np.dtype(capture.dtype).itemsize
    rows = [
        [mono(f"{offset + excerpt.start * size:#06x}"), f'<span class="mono">{line}</span>']
        for offset, line in _lines(excerpt)
    ]
    of = count(math.prod(capture.shape) * size)
    words = f"bytes after the run, of {of}; changed ones are bold" if excerpt.after is not None else f"bytes, of {of}"
    return table([mono(label), "bytes"], rows, f"bytes of {label}") + small(f"{escape(words)}.")


def _lines(excerpt: Excerpt) -> Iterator[tuple[int, str]]:
    old, new = excerpt.before, excerpt.after or excerpt.before
    for start in range(0, len(new), _BYTES):
        pairs = zip(old[start : start + _BYTES], new[start : start + _BYTES], strict=True)
        yield start, " ".join(f"<b>{b:02x}</b>" if a != b else f"{b:02x}" for a, b in pairs)
