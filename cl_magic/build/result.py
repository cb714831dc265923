"""What a build gave: log, diagnostics, kernels with their work-group information. A value."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.analysis import ProgramScopeVariable
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.link_symbol import Symbol
from cl_magic.clc.signature import KernelSignature
from cl_magic.clc.structs import Layout
from cl_magic.show import Shown


@dataclass(frozen=True, slots=True)
class WorkGroupInfo:
    """clGetKernelWorkGroupInfo of one kernel on one device (OpenCL 1.2, 5.7.3).

    Attributes
    ----------
    max_work_group_size : int
        Work-items.
    preferred_multiple : int
        Work-items; the local size is best a multiple of it.
    compile_work_group_size : tuple of int
        What ``reqd_work_group_size`` says, (0, 0, 0) without it.
    local_mem_bytes, private_mem_bytes : int
        As the device reports them. PoCL and Intel report 0 for static local arrays.
    """

    max_work_group_size: int
    preferred_multiple: int
    compile_work_group_size: tuple[int, int, int] = (0, 0, 0)
    local_mem_bytes: int = 0
    private_mem_bytes: int = 0


@dataclass(frozen=True, slots=True)
class KernelInfo:
    """A kernel of a built program: its signature and what the device says of it."""

    signature: KernelSignature
    work_group: WorkGroupInfo
    notes: tuple[str, ...] = ()
    """Remarks of the compiler worth a word in the kernels table: ``vectorised 16``."""

    @property
    def name(self) -> str:
        """Name in the source."""
        return self.signature.name


@dataclass(frozen=True, slots=True)
class BuildResult(Shown):
    """One build of one program on one device, successful or not.

    Attributes
    ----------
    ok : bool
    spec : ProgramSpec
    device_id : str
        ``"platform:device"`` indices of the device (see :class:`cl_magic.launch.limits.DeviceInfo`).
    device_name, platform_name : str
    log : str
        The compiler's text, complete, as it came (compiler line numbers).
    log_extra : str
        What the compiler wrote to the process's file descriptors 1 and 2 during the build.
    diagnostics : tuple of Diagnostic
        In order of user lines; positions are the user's.
    unparsed : tuple of str
        Lines of the log that no grammar knows and that are no known chatter. They are always shown.
    kernels : tuple of KernelInfo
        Empty when the build failed.
    language_version : str
        ``__OPENCL_C_VERSION__`` that the compiler really used, as ``"OpenCL C 1.2"``; "" when unknown.
    duration_ns : int
        Wall time of the build command in the engine.
    status : str
        OpenCL's name of the error (``BUILD_PROGRAM_FAILURE``), "" when it succeeded.
    options_used : str
        The option string that the driver got.
    front_end_ns : int
        Time of the front end, 0 when it did not run.
    notes : tuple of str
        What cl_magic did or could not do, one sentence each.
    layouts : tuple of Layout
        Structures and unions that the program defines, as the front end lays them out.
    """

    ok: bool
    spec: ProgramSpec
    device_id: str = ""
    device_name: str = ""
    platform_name: str = ""
    log: str = ""
    log_extra: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    unparsed: tuple[str, ...] = ()
    kernels: tuple[KernelInfo, ...] = ()
    language_version: str = ""
    duration_ns: int = 0
    status: str = ""
    options_used: str = ""
    from_cache: bool = False
    front_end_ns: int = 0
    notes: tuple[str, ...] = ()
    layouts: tuple[Layout, ...] = ()

    variables: tuple[ProgramScopeVariable, ...] = ()
    """Variables at program scope that kernels may write; they are kept between launches."""
    variable_bytes: int = 0
    """Bytes of variables at program scope, as the device says; 0 where it does not."""

    defines: tuple[Symbol, ...] = ()
    """Of an object or library: what can be linked to it."""
    needs: tuple[Symbol, ...] = ()
    """Of an object or library: what others must define."""

    registered: tuple[tuple[str, str], ...] = ()
    """Registered name, exactly as given, and the name of its kernel."""

    def count(self, severity: str) -> int:
        """Diagnostics of a severity (notes inside another diagnostic do not count)."""
        return sum(d.severity == severity for d in self.diagnostics)

    def kernel(self, name: str) -> KernelInfo:
        """The kernel of that name; KeyError where there is none."""
        return next((k for k in self.kernels if k.name == name), None) or _no(name)


def _no(name: str) -> KernelInfo:
    raise KeyError(name)
