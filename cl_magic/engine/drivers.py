"""Which OpenCL drivers this machine has, and the environment in which a process loads one of them and no other.

Drivers come from the folders that the loaders read (``/etc/OpenCL/vendors``, the Python environment's own,
``OCL_ICD_VENDORS``, ``OPENCL_VENDOR_PATH``), from PyOpenCL's wheel (PoCL and Oclgrind wheels put theirs beside its
loader), and from Intel's wheel (a bare library in the environment's ``lib``). Nothing is loaded here.
"""

from __future__ import annotations

import importlib.util
import math
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

VENDOR_FOLDER = "/etc/OpenCL/vendors"
PLACEHOLDER = "/opt/anaconda1anaconda2anaconda3"
"""Prefix in conda's and Intel's packages that an installer replaces; pip does not."""
INTEL_LIBRARY = "libintelocl.so"
_DROPPED = ("PYTEST_CURRENT_TEST", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH", "PYTHONSTARTUP")


@dataclass(frozen=True, slots=True)
class Driver:
    """One OpenCL driver.

    Attributes
    ----------
    name : str
        What the loader is told: path of an ``.icd`` file or of a library; "" for the system's own loader, which cannot
        be narrowed (Windows, macOS).
    library : str
        The library itself: the first line of the ``.icd`` file.
    library_folders : tuple of str
        Folders its libraries are in, for ``LD_LIBRARY_PATH``.
    """

    name: str
    library: str = ""
    library_folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DriverSearch:
    """What was found, and where: `folders` are those that were looked at, existing or not."""

    drivers: tuple[Driver, ...]
    folders: tuple[str, ...]


def find_drivers(
    environment: Mapping[str, str] | None = None,
    prefix: str | None = None,
    wheel_folder: str | None = None,
) -> DriverSearch:
    """Look for drivers; none is loaded.

    Parameters
    ----------
    environment : mapping of str to str, optional
        Environment variables; by default those of the process.
    prefix : str, optional
        Python environment whose ``etc/OpenCL/vendors`` and ``lib`` are searched; by default ``sys.prefix``.
    wheel_folder : str, optional
        Folder beside PyOpenCL's own loader; by default that of the installed wheel, "" for none.

    Examples
    --------
    >>> find_drivers({"OCL_ICD_VENDORS": "/nowhere/some.icd"}).drivers[0].name
    '/nowhere/some.icd'
    """
    variables = os.environ if environment is None else environment
    if not sys.platform.startswith("linux"):
        return DriverSearch((Driver(""),), ())
    root = Path(sys.prefix if prefix is None else prefix)
    beside = _wheel_folder() if wheel_folder is None else wheel_folder
    told = variables.get("OCL_ICD_VENDORS", "")
    if told and not Path(told).is_dir():
        return DriverSearch((_driver(told, root),), (told,))
    vendor_folder = told or variables.get("OPENCL_VENDOR_PATH", "") or VENDOR_FOLDER
    folders = [vendor_folder, *([beside] if beside else []), str(root / "etc/OpenCL/vendors")]
    named = [_driver(str(path), root) for folder in folders for path in sorted(Path(folder).glob("*.icd"))]
    intel = root / "lib" / INTEL_LIBRARY
    if intel.exists():
        named.append(_driver(str(intel), root))
    return DriverSearch(tuple(_distinct(named)), (*folders, str(root / "lib")))


def _wheel_folder() -> str:
    """Folder of the drivers in PyOpenCL's wheel, found without importing it; "" where there is none."""
    try:
        spec = importlib.util.find_spec("pyopencl")
    except (ImportError, ValueError):
        return ""
    if spec is None or not spec.origin:
        return ""
    folder = Path(spec.origin).parent / ".libs"
    return str(folder) if folder.is_dir() else ""


def _driver(name: str, root: Path) -> Driver:
    library = _library_of(name)
    moved = root / "lib" / Path(library).name
    if library.startswith(PLACEHOLDER) and moved.exists():
        name = library = str(moved)
    folder = Path(library).parent
    own = (str(folder),) if folder.is_absolute() and folder == root / "lib" else ()
    return Driver(name, library, own)


def _library_of(name: str) -> str:
    """First line of an ``.icd`` file, which names the library; a bare name is looked up beside the file first."""
    path = Path(name)
    if path.suffix != ".icd":
        return name
    try:
        line = (path.read_text(encoding="utf-8", errors="replace").split("\n") or [""])[0].strip()
    except OSError:
        return ""
    beside = path.parent / line
    return str(beside) if line and "/" not in line and beside.exists() else line


def _distinct(drivers: Iterable[Driver]) -> Iterable[Driver]:
    """One driver a library, without those whose package was never put in place."""
    seen: set[str] = set()
    for driver in drivers:
        library = os.path.realpath(driver.library) if "/" in driver.library else driver.library or driver.name
        if library in seen or driver.library.startswith(PLACEHOLDER):
            continue
        seen.add(library)
        yield driver


def driver_environment(driver: Driver, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Environment of a process that loads this driver only.

    Parameters
    ----------
    driver : Driver
    environment : mapping of str to str, optional
        What it starts from; by default the environment of this process.

    Returns
    -------
    dict of str to str
        With ``OCL_ICD_VENDORS`` naming the one ``.icd`` file or library (a folder does not narrow the wheel's loader),
        ``OCL_ICD_FILENAMES`` for the Khronos loader (which takes folders only in the other variable), the driver's
        library folders, as many PoCL threads as processors may be used, and this package's folder for Python.

    Examples
    --------
    >>> driver_environment(Driver("/etc/OpenCL/vendors/pocl.icd", "libpocl.so"))["OCL_ICD_VENDORS"]
    '/etc/OpenCL/vendors/pocl.icd'
    """
    given = os.environ if environment is None else environment
    result = {name: value for name, value in given.items() if name not in _DROPPED}
    if driver.name:
        result["OCL_ICD_VENDORS"] = driver.name
        result["OCL_ICD_FILENAMES"] = driver.library or driver.name
    if driver.library_folders:
        result["LD_LIBRARY_PATH"] = _joined(*driver.library_folders, result.get("LD_LIBRARY_PATH", ""))
    result["PYTHONPATH"] = _joined(result.get("PYTHONPATH", ""), str(Path(__file__).resolve().parents[2]))
    result.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy is there for its arrays; its threads cost start time
    # PoCL's own handler swallows an integer division by zero and leaves any value; without it the kernel is stopped
    # and named. Floating-point divisions do not trap, and a user's own setting stays.
    result.setdefault("POCL_SIGFPE_HANDLER", "0")
    usable = usable_processors()
    if usable < (os.cpu_count() or 1):
        result.setdefault("POCL_MAX_PTHREAD_COUNT", str(usable))
    return result


def _joined(*folders: str) -> str:
    return os.pathsep.join(folder for folder in folders if folder)


def usable_processors() -> int:
    """Processors that this process may use: its affinity, cut to the cgroup's quota. PoCL counts the machine's.

    Examples
    --------
    >>> usable_processors() >= 1
    True
    """
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _cgroup_processors()
    return max(1, min(affinity, quota) if quota else affinity)


def _cgroup_processors() -> int:
    """Quota of the control group in whole processors, rounded up; 0 where there is none."""
    try:  # version 2: "max 100000" or "quota period"
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        try:  # version 1: -1 or the quota
            quota = Path("/sys/fs/cgroup/cpu/cpu.cfs_quota_us").read_text(encoding="ascii").strip()
            period = Path("/sys/fs/cgroup/cpu/cpu.cfs_period_us").read_text(encoding="ascii").strip()
        except OSError:
            return 0
    return math.ceil(int(quota) / int(period)) if quota.isdigit() and int(period) > 0 else 0
