"""A ``%%opencl`` cell from its two strings to kernels in the notebook, a report, and the record of a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from cl_magic.build.build_log import BuildLog
from cl_magic.build.result import BuildResult
from cl_magic.call import PendingRun
from cl_magic.errors import BuildError, KernelNotFoundError
from cl_magic.kernel import Kernel
from cl_magic.magics.binding_notes import kept_notes, removed_notes
from cl_magic.magics.cell_text import CellIdentity, CellSource, cell_source, current_cell
from cl_magic.magics.eval_verb import eval_cell
from cl_magic.magics.header_cell import header_cell, header_notes
from cl_magic.magics.kernel_names import kernel_names
from cl_magic.magics.line import parse_cell_words
from cl_magic.magics.link_cells import compile_cell
from cl_magic.magics.namespace import Binding, cell_key
from cl_magic.magics.notebook import Notebook
from cl_magic.magics.panel_cell import show_panel
from cl_magic.magics.publish import build_bundle, bundle_of
from cl_magic.magics.request import CellRequest
from cl_magic.magics.request_check import check_request, file_path, folders_of
from cl_magic.magics.run_call import RunCall, check_kernel, evaluate_arguments, parse_run_call
from cl_magic.magics.words import split_words
from cl_magic.program import Program
from cl_magic.record.run import RunRecord
from cl_magic.session import session


@dataclass(frozen=True, slots=True)
class _Job:
    """What is known of a cell before it is built."""

    notebook: Notebook
    request: CellRequest
    cell: CellIdentity
    source: CellSource

    @property
    def document(self) -> str:
        """Text that an editor may mark: a file's diagnostics are not on the lines of the cell."""
        return "" if self.request.file else self.source.document

    @property
    def notes(self) -> tuple[str, ...]:
        """What the report must say of the source."""
        return (self.source.note,) if self.source.note and not self.request.file else ()

    def key(self, kernels: Collection[str]) -> str:
        """What the cell is recognised by when it runs again.

        Its id only where the whole cell is the %%opencl cell: several builds of one Python cell (``%opencl build``
        lines, a loop over ``run_cell_magic``) must not take each other's kernels for renamed ones.
        """
        cell_id = self.cell.cell_id if self.source.document else ""
        return cell_key(cell_id, self.request.as_name, kernels)

    def save_log(self, result: BuildResult) -> None:
        """Bind the log where the line asks for it, on success and on failure."""
        if self.request.save_log:
            self.notebook.names[self.request.save_log] = BuildLog(result)


def run_cell(notebook: Notebook, line: str, body: str) -> RunRecord | PendingRun | None:
    """Build a cell, bind its kernels, show the report, and run what ``--run`` asks for.

    Parameters
    ----------
    notebook : Notebook
    line, body : str
        As IPython hands them to a cell magic.

    Returns
    -------
    RunRecord, PendingRun or None
        What ``--run`` gave, for the notebook to show; None without it, and with ``--quiet``.

    Raises
    ------
    MagicLineError
        The line cannot be read; nothing was built, no variable changed.
    BuildError
        With ``result`` and ``document``; what the cell had bound is unbound.
    KernelNotFoundError
        The source builds but has no kernel.
    """
    return run_request(notebook, parse_cell_words(line, split_words(line, insert=notebook.insert)), body)


def run_request(notebook: Notebook, request: CellRequest, body: str) -> RunRecord | PendingRun | None:
    """Do what a parsed line asks for with a body, as :func:`run_cell` does."""
    call = parse_run_call(request.run) if request.run else None
    cell = current_cell(notebook.shell)
    job = _Job(notebook, request, cell, cell_source(body, cell))
    check_request(request, job.source.text)
    if request.header:
        header_cell(notebook, request, job.source)
        return None
    if request.compile:
        compile_cell(notebook, request, job.source, job.document)
        return None
    if request.eval:
        eval_cell(notebook, request, job.source, job.document)
        return None
    program, result = _built(job)
    kernels = {name: _with_sizes(kernel, request) for name, kernel in program.items()}
    _show(job, result, _bind(job, kernels, program))
    if not kernels:
        raise _no_kernel(result)
    _emit(job, program, result)
    if request.panel or request.interact:
        show_panel(notebook, request, call, kernels)
        return None
    record = _run(job, call, kernels) if call else None
    return None if request.quiet else record


def _built(job: _Job) -> tuple[Program, BuildResult]:
    """Build; the result says what the report shows: it carries this cell's name also when the program was known."""
    known = {id(program) for program in session().programs}
    try:
        program = _build(job)
    except BuildError as error:
        raise _failed(job, error) from None
    result = program.result
    if not job.request.file:
        spec = dataclasses.replace(result.spec, source_map=job.source.source_map)
        result = dataclasses.replace(result, spec=spec)
    result = dataclasses.replace(result, from_cache=result.from_cache or id(program) in known)
    job.save_log(result)
    return program, result


def _build(job: _Job) -> Program:
    request, source = job.request, job.source
    text = file_path(request).read_text("utf-8", "replace") if request.file else source.text
    words: dict[str, Any] = {
        "options": request.options,
        "device": request.device or None,
        "std": request.std or None,
        "timeout": request.timeout,
        "names": request.templates,
        "headers": job.notebook.headers.used_by(text, folders_of(request)),
    }
    if request.file:
        return session().build_file(file_path(request), **words)
    return session().build(source.text, source_map=source.source_map, **words)


def _failed(job: _Job, error: BuildError) -> BuildError:
    """Unbind what would be stale now, keep the log, and complete the error with the notes and the cell's text."""
    result: BuildResult = error.result
    job.save_log(result)
    names = kernel_names(result.spec.plain or result.spec.source)
    binding = job.notebook.kernels.unbind(job.key(names), names)
    used = header_notes(job.notebook.headers, result.spec.headers)
    notes = (*removed_notes(binding, failed=True), *job.notes, *used, *result.notes)
    facts = {"result": dataclasses.replace(result, notes=notes), "document": job.document}
    return BuildError(error.message, remedy=error.remedy, **{**error.facts, **facts})


def _with_sizes(kernel: Kernel, request: CellRequest) -> Kernel:
    local_size = None if request.local_size == "auto" else request.local_size
    if request.global_size is None and local_size is None and request.global_offset is None:
        return kernel
    return kernel.with_sizes(request.global_size, local_size, request.global_offset)


def _bind(job: _Job, kernels: Mapping[str, Kernel], program: Program) -> Binding:
    key, as_name, namespace = job.key(kernels), job.request.as_name, job.notebook.kernels
    values = {name: kernel for name, kernel in kernels.items() if name != as_name}
    named = {as_name: program} if as_name else {}
    return namespace.bind(key, job.cell.name, values, force=job.request.force, assigned=named)


def _show(job: _Job, result: BuildResult, binding: Binding) -> None:
    kept = kept_notes(binding, job.request.as_name)
    silent = job.request.quiet or not result.kernels  # without a kernel an error follows
    if silent and not (result.count("error") or result.count("warning") or kept):
        return
    used = header_notes(job.notebook.headers, result.spec.headers)
    notes = (*kept, *removed_notes(binding, failed=False), *job.notes, *used, *result.notes)
    job.notebook.publish(build_bundle(dataclasses.replace(result, notes=notes), job.document))


def _emit(job: _Job, program: Program, result: BuildResult) -> None:
    """Show the forms of the code that the line asks for; the kernels are bound by then."""
    for kind in job.request.emit:
        listing = program.listing(kind)
        job.notebook.publish(bundle_of(dataclasses.replace(listing, source_map=result.spec.source_map)))


def _no_kernel(result: BuildResult) -> KernelNotFoundError:
    name = result.spec.source_map.name
    message = f"{name} has no kernel: it builds, but there is nothing to call"
    remedy = (
        "write kernel void name(…) { … }; helper functions and types do not reach other cells: "
        "put them into the cell of the kernels that use them, or into a header found with -I"
    )
    idle = next((note for note in result.notes if "has no instance" in note), "")
    return KernelNotFoundError(message, remedy=idle or remedy, kernels=())


def _run(job: _Job, call: RunCall, kernels: Mapping[str, Kernel]) -> RunRecord | PendingRun:
    check_kernel(call, kernels)
    values = evaluate_arguments(call, job.notebook.names)
    kernel = kernels[call.kernel] if values.sizes is None else kernels[call.kernel][values.sizes]
    timeout = job.request.timeout
    limit = {} if timeout is None else {"timeout": timeout}
    return kernel(*values.args, **{**limit, **values.keywords})
