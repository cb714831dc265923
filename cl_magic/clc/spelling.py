"""Hints that a compiler does not give: the name that was meant, a built-in's signature, the type to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from cl_magic.clc.builtins import builtin_signature, did_you_mean
from cl_magic.clc.diagnostic import Diagnostic, FixIt

_UNDECLARED = re.compile(
    r"use of undeclared identifier '(\w+)'"
    r"|(?:implicit declaration of|call to undeclared) function '(\w+)'"
    r"|unknown type name '(\w+)'"
)
_NO_MATCH = re.compile(r"(?:no matching function for )?call to '(\w+)'(?: is ambiguous)?$")
_PARAMETER_TYPE = re.compile(r"'(?:__private )?(?:const )?(\w+)' .*?cannot be used as the type of a kernel parameter")
_SUBSTITUTES = {
    "bool": "uchar or int: a bool has no fixed size",
    "size_t": "ulong: the width of size_t is the device's",
    "ptrdiff_t": "long: the width of ptrdiff_t is the device's",
    "intptr_t": "long: the width of intptr_t is the device's",
    "uintptr_t": "ulong: the width of uintptr_t is the device's",
    "half": "float, or a pointer to half: by value it needs the extension cl_khr_fp16",
}
"""Types that a kernel parameter may not have (OpenCL C 1.2, 6.9.k), and what to write."""
_MOST_HINTS = 20
"""Names looked up for one text: the first errors are those that are read."""


def undeclared_name(message: str) -> str:
    """Name that a compiler's message says is not declared, "" for other messages.

    Examples
    --------
    >>> undeclared_name("use of undeclared identifier 'get_globl_id'")
    'get_globl_id'
    >>> undeclared_name("expected ';' after expression")
    ''
    """
    match = _UNDECLARED.search(message)
    return next(filter(None, match.groups()), "") if match else ""


def with_hint(diagnostic: Diagnostic, own_names: Iterable[str]) -> Diagnostic:
    """The diagnostic with a spelling hint and a signature, where there is one to give.

    Parameters
    ----------
    diagnostic : Diagnostic
        Of any compiler.
    own_names : iterable of str
        Names that the program declares.

    Returns
    -------
    Diagnostic
        The same one for messages of other kinds, and where the compiler proposes a fix-it itself.

    Examples
    --------
    >>> hinted = with_hint(Diagnostic("error", "use of undeclared identifier 'brarier'", 3, 5), ())
    >>> hinted.fixits[0].text, hinted.notes[0].message
    ('barrier', 'built-in: void barrier(cl_mem_fence_flags flags)')
    """
    name = undeclared_name(diagnostic.message)
    if not name:
        return _with_note(diagnostic)
    meant = diagnostic.fixits[0].text if diagnostic.fixits else did_you_mean(name, own_names) or ""
    if not meant:
        return diagnostic
    fixits = diagnostic.fixits
    if not fixits and diagnostic.line and diagnostic.column and not diagnostic.file:
        end = diagnostic.column + len(name)
        fixits = (FixIt(diagnostic.line, diagnostic.column, end, meant, f"did you mean {meant}?"),)
    return replace(
        diagnostic,
        end_column=diagnostic.end_column or (diagnostic.column + len(name) if diagnostic.column else 0),
        fixits=fixits,
        notes=(*diagnostic.notes, *_signature_note(meant)),
    )


def with_hints(diagnostics: Iterable[Diagnostic], own_names: Iterable[str]) -> tuple[Diagnostic, ...]:
    """All diagnostics of one text with their hints, see :func:`with_hint`; the first 20 names are looked up.

    Examples
    --------
    >>> with_hints([Diagnostic("error", "unknown type name 'flaot4'", 1, 1)], ())[0].fixits[0].text
    'float4'
    """
    names = tuple(dict.fromkeys(own_names))
    seen: set[str] = set()
    result = []
    for diagnostic in diagnostics:
        seen.add(undeclared_name(diagnostic.message))
        result.append(with_hint(diagnostic, names) if len(seen) <= _MOST_HINTS else diagnostic)
    return tuple(result)


def _with_note(diagnostic: Diagnostic) -> Diagnostic:
    """A call that fits no overload gets the function's signature, a refused parameter type its substitute."""
    call, kind = _NO_MATCH.search(diagnostic.message), _PARAMETER_TYPE.search(diagnostic.message)
    if call:
        return replace(diagnostic, notes=(*_signature_note(call.group(1)), *diagnostic.notes))
    if kind and kind.group(1) in _SUBSTITUTES:
        text = f"a kernel parameter cannot be {kind.group(1)} (OpenCL C 1.2, 6.9.k); use {_SUBSTITUTES[kind.group(1)]}"
        place = (diagnostic.line, diagnostic.column)
        note = Diagnostic("note", text, *place, file=diagnostic.file, origin="cl_magic")
        return replace(diagnostic, notes=(*diagnostic.notes, note))
    return diagnostic


def _signature_note(name: str) -> tuple[Diagnostic, ...]:
    signature = builtin_signature(name)
    if not signature:
        return ()
    return (Diagnostic("note", f"built-in: {signature}", origin="cl_magic"),)
