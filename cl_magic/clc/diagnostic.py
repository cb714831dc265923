"""A diagnostic of a compiler or of the front end, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note", "remark"]


@dataclass(frozen=True, slots=True)
class FixIt:
    """A replacement the compiler proposes: the columns [column, end_column) of `line` become `text`."""

    line: int
    column: int
    end_column: int
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of a compiler or of the front end.

    Attributes
    ----------
    severity : {"error", "warning", "note", "remark"}
    message : str
        Without severity, position and option.
    line, column : int
        From 1, of the cell (magic line = 1) or of `file`; 0 where the compiler gives none. Columns count characters.
    end_column : int
        One past the marked range, 0 where only a point is known.
    file : str
        "" for the cell itself, else the header's or the ``.cl`` file's name.
    option : str
        The warning's switch (``-Wunused-variable``), if any.
    origin : {"device", "front end", "cl_magic"}
    notes : tuple of Diagnostic
        Notes that belong to this message, in order.
    """

    severity: Severity
    message: str
    line: int = 0
    column: int = 0
    end_column: int = 0
    file: str = ""
    option: str = ""
    origin: Literal["device", "front end", "cl_magic"] = "device"
    fixits: tuple[FixIt, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
