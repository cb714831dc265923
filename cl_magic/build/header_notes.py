"""Notes under messages about includes: where a missing header was looked for, and which headers include each other.

Compilers say "file not found" and "nested too deeply", and not where they looked or who includes whom.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cl_magic.build.spec import ProgramSpec
from cl_magic.build.virtual_headers import cycle_of
from cl_magic.clc.diagnostic import Diagnostic

_MISSING = re.compile(r"'(?P<name>[^']+)' file not found")
_DEEP = re.compile(r"#include nested too deeply|nested too deep")
_SUFFIXES = (".h", ".cl", ".clh", ".hpp", ".inc")
_MOST_FILES = 500


def header_notes(diagnostics: Iterable[Diagnostic], spec: ProgramSpec) -> tuple[Diagnostic, ...]:
    """Add to messages about missing headers the places that were searched, and to endless includes their circle.

    Parameters
    ----------
    diagnostics : iterable of Diagnostic
    spec : ProgramSpec
        Its headers and folders are what was searched.

    Examples
    --------
    >>> spec = ProgramSpec('#include "comon.h"', headers=(("common.h", ""),))
    >>> noted = header_notes([Diagnostic("error", "'comon.h' file not found", 1, 10)], spec)[0]
    >>> noted.notes[0].message.partition(";")[0]
    'searched: virtual headers (common.h)'
    >>> noted.notes[1].message
    "did you mean 'common.h'?"
    """
    return tuple(_noted(diagnostic, spec) for diagnostic in diagnostics)


def _noted(diagnostic: Diagnostic, spec: ProgramSpec) -> Diagnostic:
    missing = _MISSING.search(diagnostic.message)
    if missing:
        said = _searched(missing["name"], spec)
        return replace(diagnostic, notes=(*diagnostic.notes, *(_note(text) for text in said)))
    if _DEEP.search(diagnostic.message):
        circle = cycle_of(spec.headers)
        words = "headers include each other without end: begin each with #pragma once"
        text = (
            f"{' → '.join(circle)}: these {words}" if circle else f"{words}; or the chain is longer than compilers go"
        )
        first = [note for note in diagnostic.notes if note.line and not note.file][:1]
        return replace(diagnostic, notes=(*first, _note(text)))  # 200 levels of "included from" say nothing
    return diagnostic


def _note(text: str) -> Diagnostic:
    return Diagnostic("note", text, origin="cl_magic")


def _searched(name: str, spec: ProgramSpec) -> list[str]:
    virtual = ", ".join(known for known, _ in spec.headers) or "none here"
    places = [f"virtual headers ({virtual})", f"the current folder {Path.cwd()}"]
    places += [f"-I {folder}" for folder in spec.include_dirs]
    near = difflib.get_close_matches(name, [*dict(spec.headers), *_files(spec)], 1)
    said = ["searched: " + "; ".join(places)]
    return [*said, f"did you mean '{near[0]}'?"] if near else said


def _files(spec: ProgramSpec) -> list[str]:
    """Names of files that look like headers in the folders searched, not over 500 of a folder."""
    found = []
    for folder in (Path.cwd(), *map(Path, spec.include_dirs)):
        try:
            entries = [path.name for path, _ in zip(folder.iterdir(), range(_MOST_FILES), strict=False)]
        except OSError:
            continue
        found += [name for name in entries if name.endswith(_SUFFIXES)]
    return found
