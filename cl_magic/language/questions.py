"""What the process that reads cells while they are typed is asked beside an analysis, and what it answers. Values."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.clc.analysis import AnalysisRequest

COMPLETE = b"c"
"""First byte of a question for completions."""
DESCRIBE = b"d"
"""First byte of a question for what a name means."""


@dataclass(frozen=True, slots=True)
class PlaceRequest:
    """A place in a text.

    Attributes
    ----------
    text : AnalysisRequest
    line, column : int
        From 1; columns count bytes of UTF-8, as libclang's do.
    """

    text: AnalysisRequest
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name that fits at a place.

    Attributes
    ----------
    name : str
    kind : str
        ``function``, ``variable``, ``parameter``, ``field``, ``type``, ``macro`` or ``constant``.
    signature : str
        Type or declaration, "" where there is none.
    """

    name: str
    kind: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Candidates:
    """All names that fit; not available, with the reason, as an analysis may be.

    Attributes
    ----------
    vector : str
        Type of the vector before the dot (``float4``), "" where there is none.
    """

    available: bool
    reason: str = ""
    items: tuple[Candidate, ...] = ()
    vector: str = ""


@dataclass(frozen=True, slots=True)
class Description:
    """What a name of the text means.

    Attributes
    ----------
    available : bool
        False when the process could not be asked; a name that means nothing has an empty `name`.
    reason : str
    name, kind : str
        As of a :class:`Candidate`; `kind` may be ``kernel`` too.
    declaration : str
        As it stands in the text, attributes computed, without a body.
    comment : str
        The comment above the declaration, without its marks.
    type_name : str
        Of a variable, parameter or field.
    size_bytes, alignment : int
        Of that type, 0 where it has none.
    line : int
        Where it is declared, 0 outside the text.
    """

    available: bool
    reason: str = ""
    name: str = ""
    kind: str = ""
    declaration: str = ""
    comment: str = ""
    type_name: str = ""
    size_bytes: int = 0
    alignment: int = 0
    line: int = 0
