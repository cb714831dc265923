"""What a program knows of itself (OpenCL 1.2, 5.6.7: clGetProgramInfo and clGetProgramBuildInfo), as one value."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.build.result import BuildResult
from cl_magic.show import Shown


@dataclass(frozen=True, slots=True)
class ProgramInfo(Shown):
    """Facts of a built program; a notebook shows them as a table.

    Attributes
    ----------
    device, platform : str
        The one device that it was built for, in a context of its own. A call on another device builds it there.
    made_from : str
        ``"source"``, ``"objects"``, ``"binary"``, ``"SPIR-V"`` or ``"built-in kernels"``.
    source_length : int
        Characters of the source; 0 for a program that came without it.
    headers : tuple of str
        Names of its virtual headers.
    options : str
        The option string that the driver got.
    language_version : str
        As the compiler says, ``"OpenCL C 1.2"``; "" when unknown.
    binary_type : str
        ``"EXECUTABLE"``: objects and libraries are no programs here.
    kernel_names : tuple of str
        In the order of the source.
    log : str
        The compiler's text.
    duration_ns : int
        Time of the build.
    from_cache : bool
        Whether a build of another process was taken.
    """

    device: str
    platform: str
    made_from: str
    source_length: int
    headers: tuple[str, ...]
    options: str
    language_version: str
    binary_type: str
    kernel_names: tuple[str, ...]
    log: str
    duration_ns: int
    from_cache: bool

    @property
    def num_kernels(self) -> int:
        """Number of kernels."""
        return len(self.kernel_names)


_FORMS = {"source": "source", "binary": "binary", "il": "SPIR-V", "built-in": "built-in kernels"}


def program_info(result: BuildResult) -> ProgramInfo:
    """The facts of a successful build.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> info = program_info(BuildResult(True, ProgramSpec("int x;"), options_used="-cl-std=CL1.2"))
    >>> info.made_from, info.source_length, info.options, info.num_kernels
    ('source', 6, '-cl-std=CL1.2', 0)
    """
    spec = result.spec
    return ProgramInfo(
        device=result.device_name,
        platform=result.platform_name,
        made_from="objects" if spec.parts else _FORMS[spec.form],
        source_length=len(spec.source),
        headers=tuple(name for name, _ in spec.headers),
        options=result.options_used,
        language_version=result.language_version,
        binary_type="EXECUTABLE",
        kernel_names=tuple(info.name for info in result.kernels),
        log=result.log,
        duration_ns=result.duration_ns,
        from_cache=result.from_cache,
    )
