"""What the front end is asked of a text to evaluate, and what it answers: kind, type and variables of items. Values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.structs import Layout

EXAMINE = b"e"
"""First byte of a request of this kind to the front end's process."""

ItemKind = Literal["expression", "declaration", "statement", "empty"]


@dataclass(frozen=True, slots=True)
class ExaminationRequest:
    """A text with one kernel, and the byte ranges of the items in that kernel's body."""

    text: AnalysisRequest
    kernel: str
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """The type of a value.

    Attributes
    ----------
    name : str
        In OpenCL C's words, of one element of an array: ``int4``, ``size_t``, ``struct P``, ``float*``, ``void``.
    shape : tuple of int
        Lengths of an array, outermost first; () for others.
    layout : Layout or None
        Of a structure or union.
    """

    name: str
    shape: tuple[int, ...] = ()
    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the text that an item gives a value."""

    name: str
    type: TypeFacts


@dataclass(frozen=True, slots=True)
class Division:
    """An integer division or remainder: its type and the text of both operands, which have no side effects."""

    type_name: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """One item.

    Attributes
    ----------
    kind : {"expression", "declaration", "statement", "empty"}
    type : TypeFacts
        Of an expression; ``void`` for others.
    variables : tuple of Variable
        That a declaration initialises or a statement sets, in order.
    divisions : tuple of Division
        That are always evaluated with the item.
    notes : tuple of str
        Rules of the language that explain the value.
    """

    kind: ItemKind = "empty"
    type: TypeFacts = TypeFacts("void")
    variables: tuple[Variable, ...] = ()
    divisions: tuple[Division, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Examined:
    """What the front end knows of the items; `available` is False, with the reason, where it could not be asked."""

    available: bool
    reason: str = ""
    items: tuple[ItemFacts, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
