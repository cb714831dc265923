"""Environment variables that change which OpenCL devices there are or how they work, and the effect of each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from cl_magic.device import matching
from cl_magic.doctor.finding import Finding
from cl_magic.launch.limits import DeviceInfo

_PREFIXES = ("OCL_ICD_", "OPENCL_", "PYOPENCL_", "POCL_")
_EXACT = ("LD_LIBRARY_PATH",)
_EFFECTS = {
    "LD_LIBRARY_PATH": "its folders are searched for the libraries of every driver",
    "OCL_ICD_ASSUME_ICD_EXTENSION": "the loader does not ask drivers whether they may be loaded side by side",
    "OCL_ICD_DEBUG": "the loader writes a trace; a worker's is kept out of the notebook",
    "OCL_ICD_DEFAULT_PLATFORM": "no effect here: each worker loads one driver",
    "OCL_ICD_FILENAMES": "no effect here: cl_magic searches folders and gives each worker its own value",
    "OCL_ICD_PLATFORM_SORT": "no effect here: real devices come first, then simulators",
    "OPENCL_LAYERS": "the loader puts these layers before the driver, in every worker",
    "POCL_CACHE_DIR": "PoCL keeps compiled kernels there",
    "POCL_DEBUG": "PoCL writes a trace; a worker's is kept out of the notebook",
    "POCL_DEVICES": "PoCL shows these devices only",
    "POCL_KERNEL_CACHE": "0: PoCL compiles each kernel again in every process",
    "POCL_MAX_PTHREAD_COUNT": "as many threads as PoCL may use",
    "POCL_SIGFPE_HANDLER": "0: an integer division by zero ends the worker; else PoCL swallows it",
    "PYOPENCL_BUILD_OPTIONS": "PyOpenCL adds these options to its own builds",
    "PYOPENCL_COMPILER_OUTPUT": "no effect here: the build log is always shown",
    "PYOPENCL_NO_CACHE": "PyOpenCL's own cache of programs is off",
}


def variable_findings(
    environment: Mapping[str, str] | None = None, known: Sequence[DeviceInfo] = ()
) -> tuple[Finding, ...]:
    """Return a finding for each variable that is set.

    Parameters
    ----------
    environment : mapping of str to str, optional
        By default that of this process.
    known : sequence of DeviceInfo
        The devices that ``PYOPENCL_CTX`` chooses from.

    Examples
    --------
    >>> [found.severity for found in variable_findings({"OPENCL_VENDOR_PATH": "/nowhere", "HOME": "/h"})]
    ['warn']
    """
    given = os.environ if environment is None else environment
    names = [name for name in sorted(given) if name in _EXACT or name.startswith(_PREFIXES)]
    return tuple(_finding(name, given, known) for name in names)


def _finding(name: str, given: Mapping[str, str], known: Sequence[DeviceInfo]) -> Finding:
    value = given[name]
    if not value.strip():
        return Finding("note", name, "set to nothing: no effect")
    if name == "OCL_ICD_VENDORS":
        return _vendors(value)
    if name == "OPENCL_VENDOR_PATH":
        return _vendor_path(value, told=given.get("OCL_ICD_VENDORS", ""))
    if name == "PYOPENCL_CTX":
        return _context(value, known)
    if name == "POCL_CACHE_DIR" and not _writable(value):
        text = f"{value} is no folder that can be written: PoCL cannot keep compiled kernels there"
        return Finding("warn", name, text, f"mkdir -p {value}")
    return Finding("note", name, f"{value}: {_EFFECTS.get(name, 'handed on to the driver')}")


def _vendors(value: str) -> Finding:
    name, remedy = "OCL_ICD_VENDORS", "unset OCL_ICD_VENDORS"
    if Path(value).is_dir():
        return Finding("note", name, f"{value}: its .icd files are read in place of those in /etc/OpenCL/vendors")
    if Path(value).is_file() or "/" not in value:
        return Finding("note", name, f"{value}: the only driver; drivers in folders and wheels are left out", remedy)
    return Finding(
        "error",
        name,
        f"{value} does not exist, and no other driver is looked for; start Jupyter again without it",
        remedy,
    )


def _vendor_path(value: str, *, told: str) -> Finding:
    name = "OPENCL_VENDOR_PATH"
    if told:
        return Finding("note", name, f"{value}: no effect, OCL_ICD_VENDORS counts")
    if Path(value).is_dir():
        return Finding("note", name, f"{value}: its .icd files are read in place of those in /etc/OpenCL/vendors")
    text = f"{value} is no folder, and /etc/OpenCL/vendors is not read because of it; start Jupyter again without it"
    return Finding("warn", name, text, f"unset {name}")


def _context(value: str, known: Sequence[DeviceInfo]) -> Finding:
    if not known:
        return Finding("note", "PYOPENCL_CTX", f"{value}: chooses a device, and there is none to choose")
    found = matching(value, known)
    if found:
        chosen = found[0]
        return Finding("note", "PYOPENCL_CTX", f"{value}: cells that name no device use {chosen.short_name}")
    listed = ", ".join(f"{device.id} {device.short_name}" for device in known)
    text = f"{value} fits no device (there is {listed}): cells that name no device fail. Set it before Jupyter starts"
    return Finding("warn", "PYOPENCL_CTX", text, f"export PYOPENCL_CTX={known[0].id}")


def _writable(folder: str) -> bool:
    """Whether a folder, or the nearest one above it that exists, can be written: PoCL makes the rest."""
    path = Path(folder)
    while not path.exists() and path != path.parent:
        path = path.parent
    return path.is_dir() and os.access(path, os.W_OK)
