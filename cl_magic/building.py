"""One build from a specification to its result: options checked, templates instantiated, compiled, and read.

Whether it succeeded is in the result: errors are for what never reached the compiler.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from cl_magic.build.instances import (
    analysis_on_user_lines,
    instantiated,
    plainly_registered,
    refused,
    result_on_user_lines,
)
from cl_magic.build.linking import link_faults
from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec
from cl_magic.cache.analyses import kept_analysis
from cl_magic.clc.analysis import Analysis, AnalysisRequest
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.frontend import front_end
from cl_magic.clc.signature import KernelSignature
from cl_magic.composing import composed, with_warnings_as_errors
from cl_magic.engine.commands import Build
from cl_magic.engine.protocol import Engine
from cl_magic.launch.languages import check_options
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.whole_range import REPLACEABLE


def built_on(
    spec: ProgramSpec, device: DeviceInfo, runner: Engine, notes: tuple[str, ...], timeout: float | None
) -> BuildResult:
    """Check the options, instantiate where that is due, build, and read the source; the device has the last word.

    Parameters
    ----------
    spec : ProgramSpec
    device : DeviceInfo
    runner : Engine
    notes : tuple of str
        What is known before, for the result.
    timeout : float or None
        Seconds that the device's compiler may take.

    Raises
    ------
    OptionError
        The device cannot honour an option.
    BuildTimeoutError, CompilerCrashedError
    """
    if spec.parts:
        return _linked_on(spec, device, runner, notes, timeout)
    notes = (*notes, *check_options(spec.options, device))
    made = instantiated(spec)
    if made is not None and (made.refusals or not made.available):
        failed = dataclasses.replace(refused(spec, made), device_id=device.id, notes=notes)
        return dataclasses.replace(failed, device_name=device.name, platform_name=device.platform_name)
    spec = spec if made is None else dataclasses.replace(spec, plain=made.source or "\n")
    ticket = runner.submit(Build(spec.for_device, device.local_id))
    ticket.limit = timeout
    built = with_warnings_as_errors(ticket.result())
    seen = _analysis(spec, built.language_version.replace("OpenCL C ", "CL"), _lacking(device))
    if made is None:
        whole = composed(built, seen, device, notes)
        return plainly_registered(whole) if spec.stage == "program" else _with_symbols(whole, seen)
    built = result_on_user_lines(built, spec, made)
    whole = composed(built, analysis_on_user_lines(seen, made, built), device, notes)
    return whole if spec.stage == "program" else _with_symbols(whole, seen)


def _linked_on(
    spec: ProgramSpec, device: DeviceInfo, runner: Engine, notes: tuple[str, ...], timeout: float | None
) -> BuildResult:
    """Link parts; their objects are compiled again only where the engine does not have them."""
    ticket = runner.submit(Build(spec, device.local_id))
    ticket.limit = timeout
    built: BuildResult = ticket.result()
    version = built.language_version.replace("OpenCL C ", "CL")
    seen = [_analysis(part, version, _lacking(device)) for part in _leaves(spec)]
    if not built.ok:
        built = dataclasses.replace(built, diagnostics=(*built.diagnostics, *_faults(spec, seen)))
    reason = next((one.reason for one in seen if not one.available), "")
    whole = Analysis(
        available=not reason,
        reason=reason,
        kernels=tuple(_with_helpers(kernel, spec) for one in seen for kernel in one.kernels),
        layouts=tuple(dict.fromkeys(layout for one in seen for layout in one.layouts)),
        writable_program_scope=tuple(variable for one in seen for variable in one.writable_program_scope),
        duration_ns=sum(one.duration_ns for one in seen),
    )
    return composed(built, whole, device, notes)


def _faults(spec: ProgramSpec, seen: list[Analysis]) -> tuple[Diagnostic, ...]:
    """Names that are missing or double in a link that failed: PoCL says nothing of them."""
    results = [
        _with_symbols(BuildResult(ok=True, spec=leaf), one) for leaf, one in zip(_leaves(spec), seen, strict=True)
    ]
    return link_faults(results, library=spec.stage == "library")


def _with_helpers(kernel: KernelSignature, spec: ProgramSpec) -> KernelSignature:
    """A kernel with what functions of other objects may use: they are not followed, so every name in a text counts."""
    named = {name for name in REPLACEABLE if any(name in leaf.source for leaf in _leaves(spec))}
    return dataclasses.replace(kernel, builtins=frozenset({*kernel.builtins, *named}))


def _leaves(spec: ProgramSpec) -> list[ProgramSpec]:
    """The objects of a link, those inside libraries too."""
    return [leaf for part in spec.parts for leaf in _leaves(part)] if spec.parts else [spec]


def _with_symbols(result: BuildResult, seen: Analysis) -> BuildResult:
    """An object with what it gives and needs, on the user's lines; lines of an instantiated text are not told."""
    move = result.spec.source_map.first_line - 1
    moved = [
        tuple(
            dataclasses.replace(one, line=one.line + move if one.line and not result.spec.plain else 0) for one in each
        )
        for each in (seen.defines, seen.needs)
    ]
    return dataclasses.replace(result, defines=moved[0], needs=moved[1])


def _analysis(spec: ProgramSpec, version: str, lacking: tuple[str, ...]) -> Analysis:
    """What the front end sees of the text that is compiled; as kept on disk where it saw the same before."""
    words = {"options": spec.options, "include_dirs": spec.include_dirs, "headers": spec.headers}
    facts: dict[str, Any] = {**words, "language_version": version, "lacking": lacking}
    text = spec.plain or spec.source
    return kept_analysis(AnalysisRequest(text, **facts), spec.included, lambda: front_end().analyse(text, **facts))


def _lacking(device: DeviceInfo) -> tuple[str, ...]:
    """Floating-point types that a device does not have: their use is marked on its line."""
    has = {"cl_khr_fp64": device.fp64, "cl_khr_fp16": device.fp16}
    return tuple(name for name, there in has.items() if not there)
