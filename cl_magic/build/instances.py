"""What was built from instantiated text, told on the lines of the user's own: diagnostics, kernels, guards.

Compilers count the lines of the text that they get; some ignore ``#line`` (Oclgrind, NVIDIA). So the map that the
instantiation leaves is applied to what they say.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cl_magic.build.logs import in_order
from cl_magic.build.result import BuildResult
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.analysis import Analysis
from cl_magic.clc.diagnostic import Diagnostic, FixIt
from cl_magic.clc.frontend import front_end
from cl_magic.clc.instantiation import Instantiation, needs_instantiation
from cl_magic.clc.signature import KernelSignature
from cl_magic.clc.text_map import TextMap

_WITHIN = "in the instance "
_QUOTED = re.compile(r"'[^']*'")
_UNRESOLVED = re.compile(r"no matching function|is ambiguous|ambiguous call")


def instantiated(spec: ProgramSpec) -> Instantiation | None:
    """The text of a specification with its templates and overloads as plain functions; None where it has none.

    Examples
    --------
    >>> instantiated(ProgramSpec("kernel void f(global int *x) {}", names=("f",))) is None
    True
    """
    texts = (spec.source, *(text for _, text in spec.headers))
    if not any(needs_instantiation(text, spec.names) for text in texts):
        return None
    return front_end().instantiate(
        spec.source,
        spec.names,
        options=spec.options,
        include_dirs=spec.include_dirs,
        headers=spec.headers,
        keep_helpers=any(option.startswith("-cl-std=CLC++") for option in spec.options),
    )


def plainly_registered(result: BuildResult) -> BuildResult:
    """A build whose registered names are plain ones: each must be a kernel's.

    Examples
    --------
    >>> failed = plainly_registered(BuildResult(ok=True, spec=ProgramSpec("", names=("blur",))))
    >>> failed.ok, failed.diagnostics[0].message
    (False, "'blur' names no kernel: the source has none")
    """
    return _with_kernels(replace(result, registered=tuple((name, name) for name in dict.fromkeys(result.spec.names))))


def _with_kernels(result: BuildResult) -> BuildResult:
    """The result; failed where a registered name leads to no kernel of the device."""
    known = [kernel.name for kernel in result.kernels]
    missing = [name for name, raw in result.registered if raw not in known]
    if not result.ok or not missing:
        return result
    said = []
    for name in missing:
        near = difflib.get_close_matches(name, known, 1)
        meant = f"did you mean {near[0]}?" if near else f"the source has {', '.join(known) or 'none'}"
        said.append(Diagnostic("error", f"{name!r} names no kernel: {meant}", origin="cl_magic"))
    return replace(result, ok=False, kernels=(), diagnostics=(*result.diagnostics, *said))


def refused(spec: ProgramSpec, made: Instantiation) -> BuildResult:
    """The failed build of a text that does not become OpenCL C; the device was not asked.

    Parameters
    ----------
    spec : ProgramSpec
        With the user's text.
    made : Instantiation
        Not available, or with refusals.

    Examples
    --------
    >>> refused(ProgramSpec("x"), Instantiation(available=False, reason="no libclang")).diagnostics[0].message
    'templates and registered names need the front end: no libclang'
    """
    if made.available:
        said: tuple[Diagnostic, ...] = (*made.refusals, *made.problems)
    else:
        text = f"templates and registered names need the front end: {made.reason}"
        said = (Diagnostic("error", text, origin="cl_magic"),)
    placed = (_placed(diagnostic, spec.source_map) for diagnostic in said)
    return BuildResult(
        ok=False, spec=spec, diagnostics=in_order(dict.fromkeys(placed)), status="CL_MAGIC_NOT_INSTANTIATED"
    )


def _placed(diagnostic: Diagnostic, positions: SourceMap) -> Diagnostic:
    """From lines of the text to lines of the user."""
    notes = tuple(_placed(note, positions) for note in diagnostic.notes)
    if not diagnostic.line or diagnostic.file:
        return replace(diagnostic, notes=notes)
    return replace(
        diagnostic,
        line=diagnostic.line + positions.first_line - 1,
        column=positions.column(diagnostic.column),
        end_column=positions.column(diagnostic.end_column),
        notes=notes,
    )


def result_on_user_lines(result: BuildResult, spec: ProgramSpec, made: Instantiation) -> BuildResult:
    r"""A build of the instantiated text as one of the user's text.

    Parameters
    ----------
    result : BuildResult
        Of ``spec.for_device``; its diagnostics have the lines of the instantiated text.
    spec : ProgramSpec
        With the user's text.
    made : Instantiation

    Examples
    --------
    >>> from cl_magic.clc.text_map import Piece, text_map
    >>> spec = ProgramSpec("template<class T>\nT f;")
    >>> made = Instantiation(line_map=text_map([Piece("T f;", 18)], spec.source))
    >>> built = BuildResult(ok=False, spec=spec, diagnostics=(Diagnostic("error", "no", 1, 3),))
    >>> result_on_user_lines(built, spec, made).diagnostics[0].line
    2
    """
    positions = spec.source_map
    moved = [_moved(diagnostic, made.line_map, positions) for diagnostic in result.diagnostics]
    names = {raw: registered for registered, raw in reversed(made.kernels)}
    as_typed = replace(
        result,
        spec=spec,
        kernels=tuple(
            replace(kernel, notes=(names[kernel.name], *kernel.notes)) if kernel.name in names else kernel
            for kernel in result.kernels
        ),
        diagnostics=_once(moved),
        registered=made.kernels,
        notes=(*result.notes, *map(_idle, made.idle)),
    )
    return _with_kernels(as_typed)


def analysis_on_user_lines(seen: Analysis, made: Instantiation, built: BuildResult) -> Analysis:
    """The front end's reading of the instantiated text as one of the user's text.

    Parameters
    ----------
    seen : Analysis
        Of ``made.source``.
    made : Instantiation
    built : BuildResult
        With the user's lines: what the device says is not said again.
    """
    moved = _once([_moved(diagnostic, made.line_map, SourceMap()) for diagnostic in seen.diagnostics])
    first_line = built.spec.source_map.first_line
    known = {d.line for d in moved if d.severity == "error"}
    known |= {d.line - first_line + 1 for d in built.diagnostics if d.severity == "error" and not d.file}
    instantiated = {segment.line for line in made.line_map.lines for segment in line if segment.instance}
    problems = (
        problem
        for problem in made.problems
        if problem.line not in known and (problem.line not in instantiated or _UNRESOLVED.search(problem.message))
    )
    return replace(
        seen,
        kernels=tuple(_signature(kernel, made.line_map) for kernel in seen.kernels),
        diagnostics=(*moved, *problems),
        writable_program_scope=tuple(
            replace(one, line=_line(one.line, made.line_map)) for one in seen.writable_program_scope
        ),
    )


def _idle(name: str) -> str:
    return f"kernel template {name} has no instance: name one, --template='{name}<float>'"


def _signature(kernel: KernelSignature, lines: TextMap) -> KernelSignature:
    barrier = kernel.return_before_barrier
    return replace(
        kernel,
        line=_line(kernel.line, lines),
        guards=tuple(replace(guard, line=_line(guard.line, lines)) for guard in kernel.guards),
        return_before_barrier=None if barrier is None else _line(barrier, lines),
    )


def _line(line: int, lines: TextMap) -> int:
    origin = lines.origin(line)
    return origin.line if origin else line


def _moved(diagnostic: Diagnostic, lines: TextMap, positions: SourceMap) -> Diagnostic:
    """From the lines of the instantiated text to those of the user's, with a note that names the instance."""
    notes = tuple(_moved(note, lines, positions) for note in diagnostic.notes)
    column = diagnostic.column - positions.indent if diagnostic.column else 0
    origin = None if diagnostic.file else lines.origin(diagnostic.line - positions.first_line + 1, column)
    if origin is None:
        return replace(diagnostic, notes=notes)
    if origin.instance and diagnostic.severity != "note":
        notes = (*notes, Diagnostic("note", f"{_WITHIN}{origin.instance}", origin="cl_magic"))
    end = _end(diagnostic, lines, positions, origin.column - column)
    return replace(
        diagnostic,
        line=origin.line + positions.first_line - 1,
        column=positions.column(origin.column),
        end_column=positions.column(end),
        fixits=tuple(
            _fix(fix, origin.line + positions.first_line - 1, origin.column - column) for fix in diagnostic.fixits
        )
        if end
        else (),
        notes=notes,
    )


def _end(diagnostic: Diagnostic, lines: TextMap, positions: SourceMap, move: int) -> int:
    """End of the marked range where it is copied as a whole, else 0."""
    line, end = diagnostic.line - positions.first_line + 1, diagnostic.end_column - positions.indent
    last = lines.origin(line, end - 1) if diagnostic.end_column else None
    return end + move if last and last.column == end - 1 + move else 0


def _fix(fix: FixIt, line: int, move: int) -> FixIt:
    return replace(fix, line=line, column=fix.column + move, end_column=fix.end_column + move)


def _once(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What is said of several instances, once, with their names; only the types that it quotes may differ."""
    found: dict[tuple[object, ...], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        message = _QUOTED.sub("", diagnostic.message) if _instance(diagnostic) else diagnostic.message
        key = (diagnostic.severity, message, diagnostic.line, diagnostic.column, diagnostic.file)
        found.setdefault(key, []).append(diagnostic)
    return in_order(_joined(same) for same in found.values())


def _instance(diagnostic: Diagnostic) -> str:
    """Instance that a diagnostic was made in, "" for none."""
    last = diagnostic.notes[-1].message if diagnostic.notes else ""
    return last.removeprefix(_WITHIN) if last.startswith(_WITHIN) else ""


def _joined(same: Sequence[Diagnostic]) -> Diagnostic:
    """One diagnostic for all that say the same: the first, its notes, and the instances."""
    first = same[0]
    if not _instance(first):
        return first
    alike = dict.fromkeys(_instance(d) for d in same if d.message == first.message)
    names = sorted(alike)
    several = (
        f"{_WITHIN.strip()}s {', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else f"{_WITHIN}{names[0]}"
    )
    others = {_instance(d): d.message for d in same if d.message != first.message}
    said = [several, *(f"{_WITHIN}{name}: {message}" for name, message in others.items())]
    return replace(first, notes=(*first.notes[:-1], *(Diagnostic("note", text, origin="cl_magic") for text in said)))
