"""``%%opencl --compile --as=part`` cells, which make objects, and ``%opencl link a b --as=prog``, which links them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from cl_magic.build.build_log import BuildLog
from cl_magic.build.options import parse_options
from cl_magic.bundle.objects import ProgramObject, compiled_again, link
from cl_magic.bundle.sources import source
from cl_magic.errors import BuildError, MagicLineError
from cl_magic.magics.cell_text import CellSource, current_cell
from cl_magic.magics.header_cell import header_notes
from cl_magic.magics.line import parse_cell_words
from cl_magic.magics.line_error import Place, line_error
from cl_magic.magics.namespace import cell_key
from cl_magic.magics.nearest import nearest
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.publish import build_bundle, bundle_of
from cl_magic.magics.request import CellRequest
from cl_magic.magics.request_check import folders_of
from cl_magic.magics.table import Table
from cl_magic.magics.words import Word
from cl_magic.program import Program


def compile_cell(notebook: Notebook, request: CellRequest, given: CellSource, document: str) -> None:
    """Compile a cell to an object and bind it to the name of ``--as``; a failure unbinds what it held.

    Raises
    ------
    MagicLineError
        No ``--as``, or flags of a launch.
    BuildError
    """
    _check_compile(request)
    bundle = source(
        given.text, headers=notebook.headers.used_by(given.text, folders_of(request)), names=request.templates
    )
    words: dict[str, Any] = {
        "options": request.options,
        "device": request.device or None,
        "std": request.std or None,
        "timeout": request.timeout,
        "source_map": given.source_map,
    }
    try:
        made = bundle.compile(save_log=True, **words)
    except BuildError as error:
        if isinstance(notebook.names.get(request.as_name), ProgramObject):
            del notebook.names[request.as_name]  # no later cell links stale code
        _save_log(notebook, request, bundle.log)
        raise BuildError(error.message, remedy=error.remedy, **{**error.facts, "document": document}) from None
    _save_log(notebook, request, bundle.log)
    notebook.names[request.as_name] = made
    notes = (*header_notes(notebook.headers, made.result.spec.headers), *made.result.notes)
    if made.result.diagnostics and (not request.quiet or made.result.count("warning")):
        notebook.publish(build_bundle(dataclasses.replace(made.result, notes=notes), document))
    if not request.quiet:
        notebook.publish(bundle_of(_object_table(request.as_name, made, notes)))


def link_line(notebook: Notebook, text: str, words: Sequence[Word]) -> None:
    """Link the objects that variables hold, and bind the program and its kernels.

    Parameters
    ----------
    notebook : Notebook
    text : str
        The whole line, for errors.
    words : sequence of Word
        Names of variables, then flags: ``--as=NAME``, link options, ``--timeout=``, ``--save-log=``, ``--quiet``.

    Objects of headers that were edited since are compiled again.

    Raises
    ------
    MagicLineError
        A name that holds no object, or a flag that linking does not take.
    BuildError
    """
    names = [word for word in words if not word.text.startswith("-")]
    request = parse_cell_words(text, [word for word in words if word.text.startswith("-")])
    _check_link(request, names, text)
    parts = [_part(notebook, word, text) for word in names]
    try:
        made = link(parts, options=parse_options(request.options).options, timeout=request.timeout)
    except BuildError as error:
        _save_log(notebook, request, BuildLog(error.result))
        notebook.kernels.unbind(cell_key("", request.as_name, ()), ())
        raise
    _save_log(notebook, request, BuildLog(made.result))
    if isinstance(made, ProgramObject):
        notebook.names[request.as_name] = made
        notebook.publish(bundle_of(_object_table(request.as_name, made, made.result.notes)))
        return
    _bind(notebook, request, made)


def _bind(notebook: Notebook, request: CellRequest, program: Program) -> None:
    values = {name: kernel for name, kernel in program.items() if name != request.as_name}
    cell = current_cell(notebook.shell).name
    assigned = {request.as_name: program} if request.as_name else {}
    key = cell_key("", request.as_name, tuple(program))
    notebook.kernels.bind(key, cell, values, force=request.force, assigned=assigned)
    if not request.quiet or program.result.diagnostics:
        notebook.publish(build_bundle(program.result))


def _save_log(notebook: Notebook, request: CellRequest, log: BuildLog | None) -> None:
    if request.save_log:
        notebook.names[request.save_log] = log


def _object_table(name: str, made: ProgramObject, notes: tuple[str, ...]) -> Table:
    result = made.result
    kind = "library" if made.is_library else "object"
    defines = ", ".join(symbol.name for symbol in result.defines) or "nothing"
    needs = ", ".join(symbol.name for symbol in result.needs)
    words = [f"{kind} {name}", f"defines {defines}", f"needs {needs}" if needs else "", made.device.short_name]
    return Table(tuple(filter(None, words)), notes=notes)


def _check_compile(request: CellRequest) -> None:
    if not request.as_name:
        message = "--compile makes an object that another line links: it needs a name"
        raise MagicLineError(message, remedy="add --as=part, then %opencl link part … --as=prog")
    said = {
        "--run": request.run,
        "--emit": request.emit,
        "--file": request.file,
        "--global": request.global_size,
        "--local": request.local_size,
        "--offset": request.global_offset,
    }
    wrong = next((flag for flag, value in said.items() if value), "")
    if wrong:
        message = f"{wrong} and --compile: an object has no kernels to run yet"
        raise MagicLineError(message, remedy=f"remove {wrong}, and use it where the objects are linked", flag=wrong)


def _check_link(request: CellRequest, names: Sequence[Word], text: str) -> None:
    end = Place(text, len(text), len(text))
    if not names:
        message = "which objects?"
        raise line_error(message, end, "for example %opencl link part helpers --as=prog")
    allowed = CellRequest(
        options=request.options,
        save_log=request.save_log,
        as_name=request.as_name,
        timeout=request.timeout,
        quiet=request.quiet,
        force=request.force,
    )
    if request != allowed:
        remedy = "it takes --as, link options, --save-log, --timeout, --quiet and --force"
        message = "%opencl link does not take all of these flags"
        raise line_error(message, end, remedy)
    if "-create-library" in request.options and not request.as_name:
        message = "a library needs a name"
        raise line_error(message, end, "add --as=NAME")


def _part(notebook: Notebook, word: Word, text: str) -> ProgramObject:
    value = notebook.names.get(word.text)
    if isinstance(value, ProgramObject):
        newer = notebook.headers.newer(value.result.spec)
        if newer is not None:
            value = notebook.names[word.text] = compiled_again(value, newer)
        return value
    objects = (name for name, one in notebook.names.items() if isinstance(one, ProgramObject))
    known = [name for name in objects if not name.startswith("_")]
    near = nearest(word.text, known)
    remedy = f"did you mean {near}?" if near else f"objects: {', '.join(known) or 'none yet; make one with --compile'}"
    what = "there is no variable" if word.text not in notebook.names else "no compiled object is in the variable"
    message = f"{what} {word.text}"
    raise line_error(message, Place(text, word.start, word.end), remedy)
