"""A ``%%opencl`` cell as it stands in the editor, before anybody ran it: its line read, nothing evaluated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cl_magic.build.includes import INCLUDE
from cl_magic.build.options import Options, parse_options
from cl_magic.build.source_map import SourceMap
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.spelling import undeclared_name
from cl_magic.errors import ClMagicError
from cl_magic.language.checking import CellText, Checked, check
from cl_magic.magics.cell_text import MAGIC_LINE
from cl_magic.magics.line import parse_cell_words
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.request import CellRequest
from cl_magic.magics.words import split_words
from cl_magic.program import Program
from cl_magic.session import session

PLACEHOLDER = "1"
"""For a ``$name`` that no build has put in yet: it stands for a number wherever a line takes one."""
_DEFINED = re.compile(r"-D\s*['\"]?([A-Za-z_]\w*)[^\s=]*=\S*\$")


@dataclass(frozen=True, slots=True)
class TypedCell:
    """A cell's parts.

    Attributes
    ----------
    line : str
        What follows ``%%opencl``.
    line_number, line_column : int
        Where that begins, from 1.
    body : str
        The lines below.
    request : CellRequest or None
        None where the line cannot be read.
    text : CellText or None
        What there is to read in the body; None where it is no program: a file, expressions.
    faults : tuple of Diagnostic
        What is wrong with the line, on its own place.
    """

    line: str
    line_number: int
    line_column: int
    body: str
    request: CellRequest | None = None
    text: CellText | None = None
    faults: tuple[Diagnostic, ...] = ()


def typed_cell(notebook: Notebook, document: str) -> TypedCell | None:
    r"""Read a cell's text; None where it is no ``%%opencl`` cell.

    Parameters
    ----------
    notebook : Notebook
    document : str
        As the editor holds it.

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> cell = typed_cell(Notebook(InteractiveShell()), "%%opencl -DN=4 --glbal=8\nint x;")
    >>> cell.faults[0].line, cell.faults[0].column, cell.faults[0].message
    (1, 16, 'unknown flag --glbal: did you mean --global?')
    """
    lines = document.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    index = next((number for number, line in enumerate(lines) if line.strip()), None)
    match = MAGIC_LINE.match(lines[index]) if index is not None else None
    if index is None or match is None:
        return None
    cell = TypedCell(lines[index][match.end() :], index + 1, match.end() + 1, "\n".join(lines[index + 1 :]))
    return _read(notebook, cell)


def _read(notebook: Notebook, cell: TypedCell) -> TypedCell:
    known, unknown = notebook.inserted, list[str]()

    def last(expression: str) -> str:
        text = known.get(expression.strip())
        if text is None:
            unknown.append(expression)
        return PLACEHOLDER if text is None else text

    facts = (cell.line, cell.line_number, cell.line_column, cell.body)
    try:
        request = parse_cell_words(cell.line, split_words(cell.line, insert=last))
        options = parse_options(request.options, std=request.std or None)
    except ClMagicError as error:
        headers = {one.name: one.text for one in notebook.headers.headers}
        vague = CellText(cell.body, _defines(cell.line), headers, str(Path.cwd()), source_map=_map(cell))
        return TypedCell(*facts, text=vague, faults=(_fault(cell, error),))
    return TypedCell(*facts, request, _text(notebook, cell, request, options, unknown=bool(unknown)))


def _text(
    notebook: Notebook, cell: TypedCell, request: CellRequest, options: Options, *, unknown: bool
) -> CellText | None:
    if request.file or request.eval or (unknown and request.templates) or not cell.body.strip():
        return None
    return CellText(
        cell.body,
        options,
        {one.name: one.text for one in notebook.headers.headers if one.name != request.header},
        str(Path.cwd()),
        request.templates,
        _map(cell),
        frozenset(_DEFINED.findall(cell.line)) if unknown else frozenset(),
        next((_version(program) for program in reversed(session().programs)), ""),
    )


def _version(program: Program) -> str:
    return program.result.language_version.replace("OpenCL C ", "CL")


def _map(cell: TypedCell) -> SourceMap:
    return SourceMap("cell", first_line=cell.line_number + 1)


def _defines(line: str) -> Options:
    """The plain definitions of a line that cannot be read, so that one typo does not make all names unknown."""
    words = re.findall(r"(?<!\S)-D\s*([A-Za-z_]\w*(?:=[\w.+-]*)?)(?!\S)", line)
    return Options(tuple(f"-D{word}" for word in words))


def _fault(cell: TypedCell, error: ClMagicError) -> Diagnostic:
    """The error of a line as a mark on it."""
    facts: Mapping[str, object] = error.facts
    token = str(facts.get("token") or facts.get("option") or "")
    position = facts.get("position")
    start = position - 1 if isinstance(position, int) else max(cell.line.find(token), 0) if token else 0
    length = len(token) or len(cell.line.strip())
    message = error.message.partition("\n")[0]
    text = f"{message}: {error.remedy}" if error.remedy else message
    column = cell.line_column + start
    return Diagnostic("error", text, cell.line_number, column, column + max(length, 1), origin="cl_magic")


def check_cell(notebook: Notebook, document: str) -> Checked:
    """Every diagnostic of a cell that is known without running it.

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> check_cell(Notebook(InteractiveShell()), "print(1)")
    Checked(diagnostics=(), reason='')
    """
    cell = typed_cell(notebook, document)
    if cell is None:
        return Checked()
    if cell.text is None:
        return Checked(cell.faults)
    found = check(cell.text)
    is_header = cell.request is not None and cell.request.header
    told = _of_header(found.diagnostics) if is_header else found.diagnostics
    return Checked((*cell.faults, *(_at_include(cell, one) for one in told)), found.reason)


def _at_include(cell: TypedCell, one: Diagnostic) -> Diagnostic:
    """What is wrong in a header, told at the line of the cell that includes it; as it is where no line does."""
    if not one.file:
        return one
    for number, line in enumerate(cell.body.split("\n"), cell.line_number + 1):
        match = INCLUDE.match(line)
        group = "quoted" if match and match["quoted"] else "angled"
        if match and match[group] == one.file:
            place = {"line": number, "column": match.start(group) + 1, "end_column": match.end(group) + 1}
            where = f"{one.file}:{one.line}:{one.column}"
            return replace(one, file="", message=f"{where}: {one.message}", fixits=(), **place)  # type: ignore[arg-type]  # ints
    return one


def _of_header(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """A header may count on names of the cells that include it: unknown ones are remarks, what follows is not told."""
    unknown = [one for one in diagnostics if undeclared_name(one.message) or "unknown type name" in one.message]
    note = "unless the cells that include this header declare it"
    return tuple(replace(one, severity="remark", message=f"{one.message}, {note}") for one in unknown) or diagnostics
