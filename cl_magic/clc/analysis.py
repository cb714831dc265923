"""What the front end answers for one source text, and what it is asked. Values that cross a pipe as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.link_symbol import Symbol
from cl_magic.clc.signature import KernelSignature
from cl_magic.clc.structs import Layout


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """One question to the front end's process.

    Attributes
    ----------
    source : str
        OpenCL C text.
    options : tuple of str
        Build options as the user means them, values unquoted.
    include_dirs : tuple of str
        Absolute folders.
    headers : tuple of (str, str)
        Virtual headers: name and text.
    language_version : str
        ``CL1.2``, ``CL3.0`` …: what counts when the options hold no ``-cl-std``; "" for OpenCL C 1.2.
    lacking : tuple of str
        Extensions and features that the device does not have: ``cl_khr_fp64``, ``cl_khr_fp16``.
    """

    source: str
    options: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    language_version: str = ""
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramScopeVariable:
    """A variable at program scope that kernels may write, and its line."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the front end knows of a source text.

    Attributes
    ----------
    available : bool
        False when there is no front end, or when it crashed or took too long; everything else is then empty.
    reason : str
        Why it is not available, one sentence.
    kernels : tuple of KernelSignature
        In the order of the text; also those of a text with errors, as far as they could be read.
    diagnostics : tuple of Diagnostic
        Origin ``front end`` (libclang) or ``cl_magic`` (our own checks). Line 1 is the first line of the given text.
    functions : tuple of str
        Names of the functions defined in the text that are no kernels.
    includes : tuple of str
        Files that the text includes, directly or through others, as named in reports.
    writable_program_scope : tuple of ProgramScopeVariable
        Variables at program scope outside ``constant`` (OpenCL C 3.0, 6.7.1): devices may lack them.
    layouts : tuple of Layout
        Structures and unions that the text and its headers define.
    duration_ns : int
        Wall time of the front end's process for this text.
    """

    available: bool
    reason: str = ""
    kernels: tuple[KernelSignature, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    functions: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    writable_program_scope: tuple[ProgramScopeVariable, ...] = ()
    layouts: tuple[Layout, ...] = ()
    duration_ns: int = 0

    defines: tuple[Symbol, ...] = ()
    """What other texts can link to."""
    needs: tuple[Symbol, ...] = ()
    """What must come from other texts."""

    def kernel(self, name: str) -> KernelSignature | None:
        """The kernel of that name, or None.

        Examples
        --------
        >>> Analysis(available=True, kernels=(KernelSignature("scale"),)).kernel("scale").name
        'scale'
        """
        return next((kernel for kernel in self.kernels if kernel.name == name), None)
