"""Variables at program scope that kernels may write: refused where a device gets them wrong, told where it has them.

They live as long as the program, and all its kernels share them (OpenCL C 2.0, 6.5.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cl_magic.build.result import BuildResult
from cl_magic.clc.analysis import ProgramScopeVariable
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.errors import NDRangeError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.wording import listed

STATUS = "CL_MAGIC_NO_PROGRAM_SCOPE_VARIABLES"
RESET_NOTE = "the variables at program scope have their first values again: the program was built anew"


def with_program_scope(
    result: BuildResult, variables: Sequence[ProgramScopeVariable], device: DeviceInfo
) -> BuildResult:
    """A build whose source has such variables: a failure where the device lacks them, else with a note.

    Parameters
    ----------
    result : BuildResult
    variables : sequence of ProgramScopeVariable
        With the user's lines.
    device : DeviceInfo
        `max_global_variable_bytes` 0 means that it lacks them: PoCL 3.0 then gives each kernel a copy of its own and
        keeps old values across builds, without a word.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> device = DeviceInfo("0:0", "cpu", "Portable Computing Language", "3.0", ("cpu",))
    >>> made = with_program_scope(BuildResult(True, ProgramSpec("")), [ProgramScopeVariable("n", 3)], device)
    >>> made.ok, made.diagnostics[0].line
    (False, 3)
    """
    if not variables or not result.ok:
        return result
    if device.max_global_variable_bytes == 0:
        said = tuple(_refusal(variable, device) for variable in variables)
        diagnostics = (*result.diagnostics, *said)
        return replace(result, ok=False, kernels=(), status=STATUS, diagnostics=diagnostics)
    names = listed([f"{one.name} (line {one.line})" for one in variables])
    total = f", {result.variable_bytes} B in all as the device says" if result.variable_bytes else ""
    note = (
        f"at program scope, kept between launches and shared by the kernels: {names}{total}; "
        "building the program again or restarting the worker resets them"
    )
    return replace(result, variables=tuple(variables), notes=(*result.notes, note))


def check_one_program(result: BuildResult, kernel: str) -> None:
    """Refuse a launch that would run in another program than the one whose variables the user means.

    Raises
    ------
    NDRangeError

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> check_one_program(BuildResult(True, ProgramSpec("")), "f")
    """
    if result.variables:
        names = listed([one.name for one in result.variables])
        msg = f"{kernel} would be launched in parts by a program of its own, which does not share {names}"
        remedy = "give a local size that divides the global size"
        raise NDRangeError(msg, remedy=remedy, kernel=kernel, variables=result.variables)


def _refusal(variable: ProgramScopeVariable, device: DeviceInfo) -> Diagnostic:
    message = (
        f"{variable.name} can be written and lives at program scope, which {device.short_name} does not have "
        "(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE is 0): each kernel would see a copy of its own"
    )
    note = "pass an array of one element as an argument, or make it constant; other devices: %opencl devices"
    notes = (Diagnostic("note", note, variable.line, origin="cl_magic"),)
    return Diagnostic("error", message, variable.line, origin="cl_magic", notes=notes)
