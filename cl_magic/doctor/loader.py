"""PyOpenCL and the OpenCL loader that it is linked to, looked up in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec

from cl_magic.doctor.finding import Finding
from cl_magic.engine.drivers import Driver, driver_environment
from cl_magic.engine.exits import process_end
from cl_magic.engine.loader_main import LoaderReport

_TIMEOUT_S = 30.0
_SUBJECT = "PyOpenCL"


def ask_loader(timeout_s: float = _TIMEOUT_S) -> LoaderReport:
    """Import PyOpenCL in a process of its own; nothing of it comes into this one.

    Parameters
    ----------
    timeout_s : float

    Returns
    -------
    LoaderReport
        With `trouble` where it cannot be imported.

    Examples
    --------
    >>> bool(ask_loader().pyopencl)
    True
    """
    command = [sys.executable, "-P", "-m", "cl_magic.engine.loader_main"]
    environment = driver_environment(Driver(""))
    try:
        done = subprocess.run(
            command, capture_output=True, env=environment, timeout=timeout_s, stdin=subprocess.DEVNULL, check=False
        )
    except subprocess.TimeoutExpired:
        return LoaderReport(trouble=f"its import did not end within {timeout_s:g} s")
    except OSError as error:
        return LoaderReport(trouble=f"no process can be started to import it: {error}")
    return _decoded(done)


def _decoded(done: subprocess.CompletedProcess[bytes]) -> LoaderReport:
    if done.returncode == 0:
        try:
            return msgspec.json.decode(done.stdout.strip().split(b"\n")[-1], type=LoaderReport)
        except (msgspec.MsgspecError, ValueError):
            return LoaderReport(trouble="the process that imported it gave no answer")
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    last = f": {said[-1]}" if said else ""
    return LoaderReport(trouble=f"the process that imported it {process_end(done.returncode).words}{last}")


def loader_finding(report: LoaderReport, prefix: str = sys.prefix) -> Finding:
    """Say which loader is in use, and whose it is.

    Parameters
    ----------
    report : LoaderReport
    prefix : str
        The Python environment.

    Examples
    --------
    >>> loader_finding(LoaderReport("2026.1", "/usr/lib/libOpenCL.so.1", "/v/pyopencl"), "/v").text
    "2026.1 with the system's loader, /usr/lib/libOpenCL.so.1"
    """
    if report.trouble:
        return Finding("error", _SUBJECT, report.trouble, "pip install --force-reinstall pyopencl")
    if not report.loader:
        return Finding("ok", _SUBJECT, f"{report.pyopencl} with the system's loader")
    folder = Path(report.loader).parent
    if report.folder and folder.is_relative_to(report.folder):
        whose = "its wheel's own loader"
    else:
        whose = "the Python environment's loader" if folder.is_relative_to(prefix) else "the system's loader"
    return Finding("ok", _SUBJECT, f"{report.pyopencl} with {whose}, {report.loader}")
