"""What may be typed at a place of a cell: names of the text by libclang, names of the language by the table."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.clc.types import type_of
from cl_magic.language.checking import CellText
from cl_magic.language.client import LiveFrontEnd, live_front_end
from cl_magic.language.facts import fact, names, plain_names
from cl_magic.language.limits import MAX_TEXT_BYTES
from cl_magic.language.place import Place, line_and_column, place_at
from cl_magic.language.questions import Candidate, Candidates

_DIRECTIVES = "define undef include if ifdef ifndef elif else endif error pragma line".split()  # noqa: SIM905
_LETTERS = "xyzw"
_HALVES = ("lo", "hi", "even", "odd")
_SIXTEEN = "0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Completion:
    """One thing to type.

    Attributes
    ----------
    text : str
    kind : str
        As of :class:`cl_magic.language.questions.Candidate`, or ``keyword``, ``header``, ``flag``, ``value``.
    signature : str
        A declaration, type or meaning in a few words.
    """

    text: str
    kind: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Completions:
    """What fits behind the word that begins at `start`."""

    start: int
    items: tuple[Completion, ...] = ()


def completions(cell: CellText, offset: int, *, whole: bool = True, live: LiveFrontEnd | None = None) -> Completions:
    """What may be typed at an offset of a cell's text.

    Parameters
    ----------
    cell : CellText
    offset : int
        In ``cell.source``.
    whole : bool, optional
        Whether the language's own names are given too; an editor may have them already.
    live : LiveFrontEnd, optional
        By default the one of this process.

    Examples
    --------
    >>> [one.text for one in completions(CellText("void f() { get_global_s"), 23).items]
    ['get_global_size']
    >>> found = completions(CellText('#include "co', headers={"common.h": ""}), 12)
    >>> found.start, found.items[0].text
    (10, 'common.h')
    """
    place = place_at(cell.source, offset)
    if place.kind == "none":
        return Completions(place.start)
    if place.kind in ("include", "directive"):
        kind, all_names = ("header", sorted(cell.headers)) if place.kind == "include" else ("keyword", _DIRECTIVES)
        return Completions(place.start, tuple(Completion(name, kind) for name in all_names if _fits(name, place)))
    found = _ask(cell, place, live or live_front_end())
    if place.kind == "member":
        items = _own(found.items, place) if found.items else swizzles(found.vector, place.word)
        return Completions(place.start, tuple(items))
    own = tuple(one for one in _own(found.items, place) if fact(one.text) is None)
    seen = {one.text for one in own}
    others = (one for one in _language(place) if one.text not in seen) if whole else ()
    return Completions(place.start, (*own, *others))


def _fits(name: str, place: Place) -> bool:
    return name.lower().startswith(place.word.lower())


def _ask(cell: CellText, place: Place, live: LiveFrontEnd) -> Candidates:
    if len(cell.source.encode("utf-8", "replace")) > MAX_TEXT_BYTES:
        return Candidates(available=False)
    headers = cell.visible().headers
    text = AnalysisRequest(cell.source, cell.options.options, (), headers)
    return live.complete(text, *line_and_column(cell.source, place.start))


def _own(items: Iterable[Candidate], place: Place) -> Iterator[Completion]:
    seen = set()
    for one in items:
        if _fits(one.name, place) and one.name not in seen:
            seen.add(one.name)
            yield Completion(one.name, one.kind, one.signature)


def _language(place: Place) -> Iterator[Completion]:
    for name in names() if place.word else plain_names():
        if name[0] not in "#-" and _fits(name, place):
            known = fact(name)
            if known is not None:
                yield Completion(name, known.kind, known.signature)


def swizzles(vector: str, word: str = "") -> tuple[Completion, ...]:
    """Components of a vector type that begin with a word; "" names no vector.

    Examples
    --------
    >>> [one.text for one in swizzles("float2")]
    ['x', 'y', 'xy', 's0', 's1', 'lo', 'hi', 'even', 'odd']
    >>> [one.text for one in swizzles("int4", "xy")]
    ['xy', 'xyx', 'xyy', 'xyz', 'xyw', 'xyzw']
    """
    ctype = type_of(vector) if vector else None
    if ctype is None or ctype.width == 1:
        return ()
    letters = _LETTERS[: min(ctype.width, 4)]
    found = [*letters, *(letters[:n] for n in range(2, len(letters) + 1))]
    if word and set(word) <= set(letters):
        found = [word, *(word + letter for letter in letters), letters]
    found += [f"s{digit}" for digit in itertools.islice(_SIXTEEN, ctype.width)]
    found += _HALVES
    return tuple(
        Completion(name, "field", _swizzle_type(ctype.scalar, ctype.width, name))
        for name in dict.fromkeys(found)
        if name.startswith(word) and _swizzle_type(ctype.scalar, ctype.width, name)
    )


def _swizzle_type(scalar: str, width: int, name: str) -> str:
    """Type of some components; "" where no vector has as many."""
    slots = 4 if width == 3 else width  # noqa: PLR2004 - the one odd width
    count = slots // 2 if name in _HALVES else 1 if name.startswith("s") else len(name)
    return scalar if count == 1 else f"{scalar}{count}" if type_of(f"{scalar}{count}") else ""
