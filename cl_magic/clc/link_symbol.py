"""A name that a linker sees, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name that a linker sees; `line` is 0 where it stands in a header."""

    name: str
    line: int = 0
    kind: Literal["kernel", "function", "variable"] = "function"
