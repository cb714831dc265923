"""What a live view is drawn from: a head of JSON and columns of numbers, as one value.

Two forms leave it. A widget gets the columns as bytes; a saved output gets them deflated, in base64. `js/base.js`
reads both.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

PAYLOAD_VERSION = 1
"""Of all kinds; a view that reads another version says so in one line and draws nothing."""
SAVED_BYTES = 200_000
"""What one saved output may hold of payload, as text; above it a payload is reduced, and says so."""

Kind = Literal["run", "ndrange", "timeline", "buffer"]
Column = npt.NDArray[Any]
_KINDS = frozenset("iufb")


def mime_of(kind: Kind) -> str:
    """MIME type of a saved payload.

    Examples
    --------
    >>> mime_of("timeline")
    'application/vnd.cl-magic.timeline.v1+json'
    """
    return f"application/vnd.cl-magic.{kind}.v{PAYLOAD_VERSION}+json"


@dataclass(frozen=True, slots=True)
class Payload:
    """One view's data.

    Attributes
    ----------
    kind : {"run", "ndrange", "timeline", "buffer"}
    record : str
        Identity of the run it was made from: views of one run share their selection. "" where there is none.
    head : mapping
        JSON values only: what is drawn from few numbers, and all words.
    columns : mapping of str to ndarray
        Numbers by name: integers, floats or booleans of any shape, in C order.
    """

    kind: Kind
    record: str
    head: Mapping[str, Any]
    columns: Mapping[str, Column] = field(default_factory=dict)

    def message(self) -> dict[str, Any]:
        """Return the form of a widget's trait: columns as bytes.

        Examples
        --------
        >>> payload = Payload("buffer", "r1", {"name": "x"}, {"cells": np.arange(3, dtype=np.float32)})
        >>> payload.message()["columns"]["cells"]["dtype"]
        '<f4'
        """
        return self._form(lambda data: {"data": data})

    def saved(self) -> dict[str, Any]:
        """Return the form of a saved output: JSON only, columns deflated and in base64.

        Examples
        --------
        >>> payload = Payload("buffer", "r1", {"name": "x"}, {"cells": np.zeros(1000, np.float32)})
        >>> len(payload.saved()["columns"]["cells"]["deflate"]) < 100
        True
        """
        return self._form(lambda data: {"deflate": base64.b64encode(zlib.compress(data, 6)).decode("ascii")})

    def _form(self, coded: Any) -> dict[str, Any]:  # noqa: ANN401 - bytes → its part of a column
        columns = {}
        for name, column in self.columns.items():
            plain = _little_end_first(column)
            columns[name] = {"dtype": plain.dtype.str, "shape": list(plain.shape)} | coded(plain.tobytes())
        return {
            "version": PAYLOAD_VERSION,
            "kind": self.kind,
            "record": self.record,
            "head": dict(self.head),
            "columns": columns,
        }


def _little_end_first(column: Column) -> Column:
    if column.dtype.kind not in _KINDS or column.dtype.itemsize > 8:  # noqa: PLR2004 - 64 bits
        msg = f"a column of {column.dtype} is not one of integers, floats of at most 64 bits, or booleans"
        raise TypeError(msg)
    swapped = column.dtype.byteorder == ">" or (column.dtype.byteorder == "=" and sys.byteorder == "big")
    return np.ascontiguousarray(column.astype(column.dtype.newbyteorder("<")) if swapped else column)


def record_id(*facts: object) -> str:
    """Short identity made of facts of a run: the same facts give the same identity, also in another process.

    Examples
    --------
    >>> record_id("saxpy", 17) == record_id("saxpy", 17)
    True
    """
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:12]
