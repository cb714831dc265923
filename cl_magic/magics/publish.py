"""What a report is sent as: one MIME bundle with HTML, text, a PNG where one is drawn, and an editor's diagnostics."""

from __future__ import annotations

from typing import Any

from cl_magic.build.result import BuildResult
from cl_magic.clc.diagnostic import Diagnostic, FixIt
from cl_magic.show import html_of, load_view, png_of, text_of

DIAGNOSTICS_MIME = "application/vnd.cl-magic.diagnostics.v1+json"
MARKED = 500
"""Diagnostics that an editor gets."""
MARKED_DOCUMENT = 256 * 1024
"""Characters of a cell that is marked."""
MARKED_HEADER = 64 * 1024
"""Characters of a header cell above which an output does not keep its text, and the cell gets no marks."""


def bundle_of(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any value with views
    """Return the views of a value by MIME type; one that nothing loaded so far draws is left out.

    Matplotlib is not loaded for it: that takes longer than a build.

    Parameters
    ----------
    value : object
        A value for which `display` and `plot` have views.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> sorted(bundle_of(BuildResult(True, ProgramSpec(""))))
    ['text/html', 'text/plain']
    """
    load_view("display")
    bundle: dict[str, Any] = {"text/plain": text_of(value)}
    if _is_filled(html_of, value):
        bundle["text/html"] = html_of(value)
    if _is_filled(png_of, value):
        bundle["image/png"] = png_of(value)
    return bundle


def _is_filled(view: Any, value: object) -> bool:  # noqa: ANN401 - a singledispatch function
    return bool(view.dispatch(type(value)) is not view.dispatch(object))


def build_bundle(result: BuildResult, document: str = "") -> dict[str, Any]:
    """Return the report of a build.

    Parameters
    ----------
    result : BuildResult
    document : str
        Text of the whole cell as the editor holds it: an editor marks lines only where it shows this very text.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> result = BuildResult(True, ProgramSpec(""), diagnostics=(Diagnostic("warning", "unused", 2, 5),))
    >>> build_bundle(result, "%%opencl ...")[DIAGNOSTICS_MIME]["diagnostics"]
    [{'severity': 'warning', 'message': 'unused', 'line': 2, 'column': 5}]
    """
    return bundle_of(result) | diagnostics_of(result, document)


def diagnostics_of(result: BuildResult, document: str) -> dict[str, Any]:
    """Return what an editor marks, by MIME type; nothing for a build without diagnostics.

    Nor for a cell over 256 KiB, whose text would be in the notebook twice: its report stands below it all the same.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> diagnostics_of(BuildResult(True, ProgramSpec("")), "")
    {}
    """
    if (result.ok and not result.diagnostics) or len(document) > MARKED_DOCUMENT:
        return {}
    found = [_diagnostic(diagnostic) for diagnostic in result.diagnostics[:MARKED]]
    payload: dict[str, Any] = {"version": 1, "source": document, "diagnostics": found}
    headers = _marked_headers(result)
    return {DIAGNOSTICS_MIME: payload | ({"headers": headers} if headers else {})}


def _marked_headers(result: BuildResult) -> dict[str, str]:
    """Texts of the header cells that messages are in: an editor marks such a cell while it holds this very text."""
    shown = result.diagnostics[:MARKED]
    files = {one.file for one in shown} | {note.file for one in shown for note in one.notes}
    return {name: text for name, text in result.spec.headers if name in files and len(text) <= MARKED_HEADER}


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "endColumn": diagnostic.end_column,
        "file": diagnostic.file,
        "option": diagnostic.option,
        "fixits": [_fixit(fix) for fix in diagnostic.fixits],
        "notes": [_diagnostic(note) for note in diagnostic.notes],
    }
    return {name: value for name, value in facts.items() if value or name in ("line", "column")}


def _fixit(fix: FixIt) -> dict[str, Any]:
    facts = {"line": fix.line, "column": fix.column, "endColumn": fix.end_column, "text": fix.text}
    return facts | ({"why": fix.why} if fix.why else {})
