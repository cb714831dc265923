"""What an editor gets to mark: positions, fix-its, and the texts of header cells that messages are in."""

from __future__ import annotations

import dataclasses
import json

from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.diagnostic import Diagnostic, FixIt
from cl_magic.magics.publish import DIAGNOSTICS_MIME, MARKED_DOCUMENT, MARKED_HEADER, diagnostics_of

FIX = FixIt(4, 16, 28, "get_global_id", "did you mean get_global_id?")


def _failed(*found: Diagnostic, headers: tuple[tuple[str, str], ...] = ()) -> BuildResult:
    spec = dataclasses.replace(ProgramSpec("int x;"), headers=headers)
    return BuildResult(ok=False, spec=spec, diagnostics=found)


def test_a_fixit_travels_with_its_message() -> None:
    found = Diagnostic("error", "implicit declaration", 4, 16, 28, fixits=(FIX,))
    payload = diagnostics_of(_failed(found), "the cell")[DIAGNOSTICS_MIME]
    assert payload["source"] == "the cell"
    assert payload["diagnostics"][0]["fixits"] == [
        {"line": 4, "column": 16, "endColumn": 28, "text": "get_global_id", "why": "did you mean get_global_id?"}
    ]
    assert json.loads(json.dumps(payload)) == payload


def test_a_fixit_that_deletes_keeps_its_empty_text() -> None:
    found = Diagnostic("warning", "extra ;", 1, 2, fixits=(FixIt(1, 2, 3, ""),))
    assert diagnostics_of(_failed(found), "")[DIAGNOSTICS_MIME]["diagnostics"][0]["fixits"][0]["text"] == ""


def test_only_header_cells_that_messages_are_in_bring_their_text() -> None:
    note = Diagnostic("note", "declared here", 1, 1, file="b.h")
    found = Diagnostic("error", "no", 1, 1, file="a.h", notes=(note,))
    headers = (("a.h", "one"), ("b.h", "two"), ("c.h", "three"))
    assert diagnostics_of(_failed(found, headers=headers), "")[DIAGNOSTICS_MIME]["headers"] == {
        "a.h": "one",
        "b.h": "two",
    }
    large = (("a.h", " " * (MARKED_HEADER + 1)),)
    assert "headers" not in diagnostics_of(_failed(found, headers=large), "")[DIAGNOSTICS_MIME]


def test_a_monstrous_cell_is_not_in_the_notebook_twice() -> None:
    result = BuildResult(ok=False, spec=ProgramSpec(""), diagnostics=(Diagnostic("error", "no", 1, 1),))
    assert DIAGNOSTICS_MIME in diagnostics_of(result, "x" * MARKED_DOCUMENT)
    assert diagnostics_of(result, "x" * (MARKED_DOCUMENT + 1)) == {}
