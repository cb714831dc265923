"""What is said where there is no device at all: where was looked, what ailed each driver, and the one-line fix."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence

from cl_magic.errors import NoPlatformError
from cl_magic.launch.limits import DriverReport


def install_line(system: str = sys.platform, machine: str = "") -> str:
    """Return the command that brings a device to any machine: PoCL. Its wheel is for Linux x86-64 only.

    Parameters
    ----------
    system : str
        As ``sys.platform``.
    machine : str
        As ``platform.machine()``, which is the default.

    Examples
    --------
    >>> install_line("linux", "x86_64"), install_line("darwin", "arm64")
    ('pip install pocl-binary-distribution', 'conda install -c conda-forge pocl pyopencl')
    """
    if system.startswith("linux") and (machine or platform.machine()) in ("x86_64", "AMD64"):
        return "pip install pocl-binary-distribution"
    return "conda install -c conda-forge pocl pyopencl"


def way_out(folders: Sequence[str]) -> str:
    """Return what to do where there is no device: a variable that hides all drivers goes first.

    Parameters
    ----------
    folders : sequence of str
        Where drivers were searched.

    Examples
    --------
    >>> way_out(["/etc/OpenCL/vendors", "/env/lib"]) == install_line()
    True
    """
    told = os.environ.get("OCL_ICD_VENDORS", "")
    if (told,) == tuple(folders):
        return f"unset OCL_ICD_VENDORS and start Jupyter again; where there is no driver then, {install_line()}"
    return install_line()


def no_platform(reports: Sequence[DriverReport], folders: Sequence[str]) -> NoPlatformError:
    """Return the error for a machine without any device: where drivers were searched, what ailed each, and the fix.

    Three lines: that there is none, where was looked and why nothing there works, what to type.

    Examples
    --------
    >>> print(no_platform([], ["/etc/OpenCL/vendors"]))
    no OpenCL device was found
    searched: /etc/OpenCL/vendors; no driver there
    → ...install ...; %opencl doctor says more
    """
    searched = ", ".join(folders) or "the system's OpenCL loader"
    troubles = [f"{report.driver or 'the loader'}: {report.trouble}" for report in reports if report.trouble]
    ailing = " | ".join(" ".join(trouble.split()) for trouble in troubles) or "no driver there"
    message = f"no OpenCL device was found\nsearched: {searched}; {ailing}"
    remedy = f"{way_out(folders)}; %opencl doctor says more"
    return NoPlatformError(message, remedy=remedy, folders=tuple(folders), troubles=tuple(troubles))
