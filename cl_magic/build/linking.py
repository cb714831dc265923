"""Linking, as far as it can be judged before it: options, and names that are missing or defined twice.

Drivers fail badly here: Oclgrind ends the process on a name that is defined twice and takes a missing one until the
kernel is made; PoCL says nothing at all. So the front end's facts are compared first.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from cl_magic.build.result import BuildResult
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.link_symbol import Symbol
from cl_magic.errors import OptionError

FLOATING = (
    "-cl-denorms-are-zero",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
)
"""The options of a compiler that a linker takes too (OpenCL 1.2, 5.6.5.2)."""
_LIBRARY, _ENABLE = "-create-library", "-enable-link-options"


@dataclass(frozen=True, slots=True)
class _Where:
    symbol: Symbol
    part: str

    @property
    def words(self) -> str:
        return f"{self.part}, line {self.symbol.line}" if self.symbol.line else self.part


def checked_link_options(options: Iterable[str], *, library: bool) -> tuple[str, ...]:
    """Options of a linker; ``-create-library`` among them where a library is made.

    Parameters
    ----------
    options : iterable of str
    library : bool

    Raises
    ------
    OptionError
        One that only a compiler takes, or ``-enable-link-options`` without a library (OpenCL 1.2, 5.6.5).

    Examples
    --------
    >>> checked_link_options(["-cl-fast-relaxed-math"], library=True)
    ('-create-library', '-cl-fast-relaxed-math')
    """
    given = tuple(dict.fromkeys(options))
    library = library or _LIBRARY in given
    for option in given:
        if option not in (*FLOATING, _LIBRARY, _ENABLE):
            near = difflib.get_close_matches(option, FLOATING, 1)
            remedy = f"did you mean {near[0]}?" if near else "give it where the objects are compiled"
            message = f"{option} is no option of a linker; it takes {', '.join(FLOATING)}"
            raise OptionError(message, remedy=remedy, option=option)
    if _ENABLE in given and not library:
        message = f"{_ENABLE} is for libraries: it lets the options of a later link apply to what is in them"
        raise OptionError(message, remedy=f"add {_LIBRARY} (library=True)", option=_ENABLE)
    rest = tuple(option for option in given if option != _LIBRARY)
    return (_LIBRARY, *rest) if library else rest


def link_spec(parts: Sequence[ProgramSpec], options: tuple[str, ...], name: str = "") -> ProgramSpec:
    """Specification of a program or library linked of parts; the same part twice counts once.

    Examples
    --------
    >>> part = ProgramSpec("int f(int x) { return x; }", stage="object")
    >>> linked = link_spec([part, part], ("-create-library",))
    >>> len(linked.parts), linked.stage
    (1, 'library')
    """
    once = tuple({part.digest: part.for_device for part in parts}.values())
    title = name or " + ".join(dict.fromkeys(part.source_map.name for part in parts))
    stage: Literal["program", "library"] = "library" if _LIBRARY in options else "program"
    text = "\n".join(part.source for part in once)
    return ProgramSpec(text, options, parts=once, stage=stage, source_map=SourceMap(title))


def link_faults(parts: Sequence[BuildResult], *, library: bool) -> tuple[Diagnostic, ...]:
    """Errors of a link that would fail: names defined twice, and, but for a library, names that nobody defines.

    Parameters
    ----------
    parts : sequence of BuildResult
        Of objects and libraries, each once.
    library : bool
        A library may need what a later link brings.

    Examples
    --------
    >>> part = BuildResult(True, ProgramSpec(""), needs=(Symbol("twice", 3),))
    >>> link_faults([part], library=False)[0].message
    "'twice' is used in source, line 3, and defined in no part"
    """
    defined: dict[str, list[_Where]] = {}
    for part in parts:
        for symbol in part.defines:
            defined.setdefault(symbol.name, []).append(_Where(symbol, part.spec.source_map.name))
    found = [_twice(name, where) for name, where in defined.items() if len(where) > 1]
    needed = [_Where(symbol, part.spec.source_map.name) for part in parts for symbol in part.needs]
    missing = [] if library else [one for one in needed if one.symbol.name not in defined]
    return (*found, *(_missing(one, tuple(defined)) for one in missing))


def open_needs(parts: Sequence[BuildResult]) -> tuple[Symbol, ...]:
    """What a library of these parts still needs of others.

    Examples
    --------
    >>> open_needs([BuildResult(True, ProgramSpec(""), needs=(Symbol("f"),), defines=(Symbol("g"),))])
    (Symbol(name='f', line=0, kind='function'),)
    """
    known = {symbol.name for part in parts for symbol in part.defines}
    return tuple(symbol for part in parts for symbol in part.needs if symbol.name not in known)


def _twice(name: str, where: Sequence[_Where]) -> Diagnostic:
    places = " and ".join(one.words for one in where)
    note = Diagnostic("note", "keep one definition, or make helpers of one cell static", origin="cl_magic")
    return Diagnostic("error", f"'{name}' is defined in {places}", origin="cl_magic", notes=(note,))


def _missing(one: _Where, known: Sequence[str]) -> Diagnostic:
    near = difflib.get_close_matches(one.symbol.name, known, 1)
    text = f"did you mean '{near[0]}'?" if near else "link an object or library that defines it too"
    note = Diagnostic("note", text, origin="cl_magic")
    message = f"'{one.symbol.name}' is used in {one.words}, and defined in no part"
    return Diagnostic("error", message, origin="cl_magic", notes=(note,))
