"""A ``%%opencl --header=common.h`` cell: keeps a virtual header for the notebook, and marks what uses an older one.

Nothing is built here: a program of an edited header is built again at the next launch of one of its kernels.
"""

from __future__ import annotations

from typing import Any

from cl_magic.build.header_registry import HeaderRegistry, RegisteredHeader
from cl_magic.bundle.objects import ProgramObject
from cl_magic.display.quantity import counted
from cl_magic.errors import MagicLineError
from cl_magic.kernel import Kernel
from cl_magic.magics.cell_text import CellSource
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.publish import bundle_of
from cl_magic.magics.request import CellRequest
from cl_magic.magics.table import Table
from cl_magic.program import Program
from cl_magic.session import session


def header_cell(notebook: Notebook, request: CellRequest, source: CellSource) -> None:
    """Register the cell's text as a header and say in one line what follows from it.

    Parameters
    ----------
    notebook : Notebook
    request : CellRequest
        With `header`.
    source : CellSource
        Lines in front of the text are made up for, so that messages name the cell's own lines.

    Raises
    ------
    MagicLineError
        Other flags stand on the line: a header is not built.
    SourceError
        The name or the text cannot be used.
    """
    _check_alone(request)
    above = "\n" * (source.source_map.first_line - 1)
    made = notebook.headers.register(request.header, above + source.text, source.source_map.name)
    outdated = mark_outdated(notebook)
    if not request.quiet:
        notebook.publish(bundle_of(_said(made, source.text, outdated, _outdated_objects(notebook))))


def mark_outdated(notebook: Notebook) -> tuple[str, ...]:
    """Let programs of older headers be built again at their next launch; names of the variables that hold them."""
    registry = notebook.headers
    names: list[str] = []
    for program in session().programs:
        program.newer_spec = registry.newer(program.result.spec)
    for name, value in notebook.names.items():
        held = _program_of(value)
        if held is not None:
            held.newer_spec = registry.newer(held.result.spec)
            names += [name] if held.newer_spec is not None and not name.startswith("_") else []
    return tuple(names)


def _outdated_objects(notebook: Notebook) -> tuple[str, ...]:
    """Variables that hold objects of older headers; ``%opencl link`` compiles them again."""
    objects = [(name, one) for name, one in notebook.names.items() if isinstance(one, ProgramObject)]
    registry = notebook.headers
    return tuple(name for name, one in objects if not name.startswith("_") and registry.newer(one.result.spec))


def header_notes(registry: HeaderRegistry, used: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """One sentence on the header cells that a build used.

    Examples
    --------
    >>> registry = HeaderRegistry()
    >>> _ = registry.register("a.h", "", "cell [1]")
    >>> header_notes(registry, (("a.h", ""),)), header_notes(registry, ())
    (('Header: a.h (cell [1]).',), ())
    """
    cells = {one.name: f" ({one.cell})" for one in registry.headers if one.cell}
    words = ", ".join(name + cells.get(name, "") for name, _ in used)
    return (f"Header{'s' if len(used) > 1 else ''}: {words}.",) if used else ()


def _program_of(value: Any) -> Program | None:  # noqa: ANN401 - any variable
    program = value.program if isinstance(value, Kernel) else value
    return program if isinstance(program, Program) else None


def _check_alone(request: CellRequest) -> None:
    allowed = CellRequest(header=request.header, quiet=request.quiet)
    if request != allowed:
        message = f"--header={request.header} keeps the cell as a header: it is not built, so other flags mean nothing"
        remedy = "leave them out; options belong to the cells that include the header"
        raise MagicLineError(message, remedy=remedy, header=request.header)


def _said(made: RegisteredHeader, text: str, outdated: tuple[str, ...], objects: tuple[str, ...]) -> Table:
    lines = counted(len(text.rstrip("\n").split("\n")), "line")
    use = f'#include "{made.name}" in any cell'
    again = [f"built again at the next run: {', '.join(outdated)}"] if outdated else []
    again += [f"compiled again at the next link: {', '.join(objects)}"] if objects else []
    return Table((f"header {made.name}", lines, *(again or [use])))
