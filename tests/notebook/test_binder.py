"""Following the binder files on a machine with only Python gives an environment in which notebook 01 runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_binder_files_make_notebook_01_run(tmp_path: Path) -> None:
    environment = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    python = environment / "bin" / "python"
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "OCL_", "PYOPENCL"))}
    clean["PATH"] = path
    pip = [str(python), "-m", "pip", "install", "-q", "-r", "binder/requirements.txt"]
    subprocess.run(pip, cwd=ROOT, env=clean, check=True, capture_output=True)
    subprocess.run(["bash", "binder/postBuild"], cwd=ROOT, env=clean, check=True, capture_output=True)  # noqa: S607
    command = [str(python), "notebooks/execute.py", "notebooks/01_first_light.ipynb", "--output", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=ROOT, env=clean, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "blur and sobel equal the NumPy reference" in done.stdout
