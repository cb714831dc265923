"""The process that imports PyOpenCL and says which OpenCL loader came with it.

Run as ``python -m cl_magic.engine.loader_main``. The import may fail or abort where the loader is damaged; whoever
started it has a time-out.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import msgspec

from cl_magic.errors import NoPlatformError
from cl_magic.runtime.opencl import opencl


@dataclass(frozen=True, slots=True)
class LoaderReport:
    """What an import of PyOpenCL gave.

    Attributes
    ----------
    pyopencl : str
        Its version; "" where it cannot be imported.
    loader : str
        Path of the OpenCL loader; "" where the system does not tell (Windows, macOS).
    folder : str
        PyOpenCL's own.
    trouble : str
        Why it cannot be imported.
    """

    pyopencl: str = ""
    loader: str = ""
    folder: str = ""
    trouble: str = ""


def _loaded(name: str) -> str:
    """Path of a library in this process's memory map, the first whose file name begins so."""
    try:
        lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    paths = (line.split(maxsplit=5)[5] for line in lines if "/" in line)
    return next((path for path in paths if Path(path).name.startswith(name)), "")


def main() -> int:
    """Write a LoaderReport as one line of JSON."""
    try:
        cl = opencl()
    except NoPlatformError as error:
        report = LoaderReport(trouble=error.message)
    else:
        report = LoaderReport(str(cl.VERSION_TEXT), _loaded("libOpenCL"), str(Path(cl.__file__).parent))
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    os._exit(main())  # a damaged loader may crash in its exit handlers; the report is out
