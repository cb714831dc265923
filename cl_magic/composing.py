"""One result from what the device's compiler said and what the front end saw. Values only."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from cl_magic.build.characters import foreign_characters
from cl_magic.build.header_notes import header_notes
from cl_magic.build.merge import merge
from cl_magic.build.parameter_rules import parameter_warnings
from cl_magic.build.result import BuildResult, KernelInfo
from cl_magic.build.rule_notes import barrier_warnings, rule_notes, version_notes
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.analysis import Analysis
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.program_scope import with_program_scope

_HALF = re.compile(r"\bhalf\b.*(not allowed|requires cl_khr_fp16)|half precision constant requires")
"""What libclang says where the pragma for half is missing; compilers of devices that have half do without it."""


def composed(result: BuildResult, seen: Analysis, device: DeviceInfo, notes: tuple[str, ...]) -> BuildResult:
    """Join what the device said with what the front end saw; the device keeps the last word."""
    source_map = result.spec.source_map
    said = [one for one in seen.diagnostics if not (result.ok and device.fp16 and _HALF.search(one.message))]
    placed = [_placed(diagnostic, source_map) for diagnostic in said]
    placed += foreign_characters(result.spec.source, source_map)
    for name, text in result.spec.headers:
        placed += (dataclasses.replace(found, file=name, fixits=()) for found in foreign_characters(text))
    placed += barrier_warnings(seen.kernels, source_map)
    if result.ok:
        placed += parameter_warnings(seen.kernels, seen.layouts, source_map)
    merged = header_notes(merge(result.diagnostics, placed, device_ok=result.ok), result.spec)
    if not seen.available:
        notes = (*notes, f"the front end did not read the source: {seen.reason}")
    variables = tuple(
        dataclasses.replace(one, line=_user_line(one.line, source_map)) for one in seen.writable_program_scope
    )
    notes = (*notes, *version_notes(result.language_version, device.opencl_c_versions, device.short_name))
    signatures = {signature.name: signature for signature in seen.kernels}
    # Drivers list kernels in an order of their own; the front end knows that of the source.
    order = {name: place for place, name in enumerate(signatures)}
    listed = sorted(result.kernels, key=lambda info: order.get(info.name, len(order)))
    whole = dataclasses.replace(
        result,
        device_id=device.id,
        diagnostics=rule_notes(merged, result.spec, f"{result.language_version} on {device.short_name}"),
        kernels=tuple(_joined(info, signatures, source_map) for info in listed),
        front_end_ns=seen.duration_ns,
        notes=(*result.notes, *notes),
        layouts=seen.layouts,
    )
    whole = with_warnings_as_errors(_without_warnings(whole), only="-W#warnings")
    return with_program_scope(whole, variables, device)


def _without_warnings(result: BuildResult) -> BuildResult:
    """With ``-w`` no warning, whoever gives it (OpenCL 1.2, 5.6.4.4): Oclgrind goes on with ``#warning``."""
    if "-w" not in result.spec.options:
        return result
    return dataclasses.replace(result, diagnostics=tuple(d for d in result.diagnostics if d.severity != "warning"))


def with_warnings_as_errors(result: BuildResult, only: str = "") -> BuildResult:
    """A build with ``-Werror`` that a driver finished in spite of warnings (R-70).

    Oclgrind takes no notice of the option, and NVIDIA says nothing of a ``#warning``.

    Parameters
    ----------
    result : BuildResult
    only : str
        Switch of the warnings that count, ``"-W#warnings"``; by default all do.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> warned = BuildResult(True, ProgramSpec("", ("-Werror",)), diagnostics=(Diagnostic("warning", "look", 1),))
    >>> with_warnings_as_errors(warned).ok
    False
    """
    options = result.spec.options
    counted = [one for one in result.diagnostics if one.severity == "warning" and only in ("", one.option)]
    if not (result.ok and "-Werror" in options and "-w" not in options and counted):
        return result
    said = tuple(dataclasses.replace(one, severity="error") if one in counted else one for one in result.diagnostics)
    return dataclasses.replace(result, ok=False, kernels=(), status="BUILD_PROGRAM_FAILURE", diagnostics=said)


def _joined(info: KernelInfo, signatures: dict[str, Any], source_map: SourceMap) -> KernelInfo:
    seen = signatures.get(info.name)
    if seen is None or len(seen.parameters) != len(info.signature.parameters):
        return info
    guards = tuple(dataclasses.replace(guard, line=source_map.line(guard.line)) for guard in seen.guards)
    barrier = seen.return_before_barrier
    placed = dataclasses.replace(
        seen,
        line=source_map.line(seen.line),
        guards=guards,
        return_before_barrier=None if barrier is None else source_map.line(barrier),
    )
    return dataclasses.replace(info, signature=placed)


def _placed(diagnostic: Diagnostic, source_map: SourceMap) -> Diagnostic:
    """Move a front-end diagnostic from lines of the source text to lines of the user."""
    if diagnostic.file or not diagnostic.line:
        return dataclasses.replace(diagnostic, notes=tuple(_placed(n, source_map) for n in diagnostic.notes))
    move = source_map.indent
    fixits = tuple(
        dataclasses.replace(
            fix, line=_user_line(fix.line, source_map), column=fix.column + move, end_column=fix.end_column + move
        )
        for fix in diagnostic.fixits
    )
    return dataclasses.replace(
        diagnostic,
        line=_user_line(diagnostic.line, source_map),
        column=diagnostic.column + move if diagnostic.column else 0,
        end_column=diagnostic.end_column + move if diagnostic.end_column else 0,
        fixits=fixits,
        notes=tuple(_placed(n, source_map) for n in diagnostic.notes),
    )


def _user_line(line: int, source_map: SourceMap) -> int:
    """The front end reads the source without the prelude."""
    return line + source_map.first_line - 1


def _done(spec: ProgramSpec) -> str:
    """What is done to make it: "built", and for what is not one whole source "linked", "compiled" or "loaded"."""
    if spec.form != "source":
        return "loaded"
    return "linked" if spec.parts else "compiled" if spec.stage == "object" else "built"


def headline(result: BuildResult) -> str:
    """First line of a failed build's error: the program's name, where, the first message, how many more.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> headline(BuildResult(False, ProgramSpec("x"), "0:0", "cpu", "PoCL", status="BUILD_PROGRAM_FAILURE"))
    'source was not built: BUILD_PROGRAM_FAILURE'
    """
    errors = [d for d in result.diagnostics if d.severity == "error"]
    first = next((d for d in errors if d.line), errors[0] if errors else None)
    name = result.spec.source_map.name
    count = len(errors)
    done = _done(result.spec)
    if first is None:
        return f"{name} was not {done}: {result.status or 'the compiler gave no reason'}"
    place = f"{first.line}:{first.column}" if first.column else f"{first.line}"
    where = f"{first.file + ':' if first.file else 'line '}{place}: " if first.line else ""
    more = f" (and {count - 1} more)" if count > 1 else ""
    return f"{name} was not {done}: {where}{first.message}{more}"
