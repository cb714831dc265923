"""Every notebook runs from start to end in a real kernel, as `make demo` runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.name)
def test_a_notebook_is_committed_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not [cell.id for cell in notebook.cells if cell.get("outputs")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.name)
def test_a_notebook_runs_and_says_what_ran(path: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "notebooks" / "execute.py"), str(path), "--output", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ), check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert str(tmp_path / path.name) in done.stdout
    executed = nbformat.read(tmp_path / path.name, as_version=4)
    failed = [c for c in executed.cells if any(o.output_type == "error" for o in c.get("outputs", ()))]
    assert all("raises-exception" in cell.metadata.get("tags", ()) for cell in failed)


def test_the_quickstart_equals_numpy_and_shows_its_parts(tmp_path: Path) -> None:
    path = ROOT / "notebooks" / "01_first_light.ipynb"
    command = [sys.executable, str(ROOT / "notebooks" / "execute.py"), str(path), "--output", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert "blur and sobel equal the NumPy reference" in done.stdout
    assert "saxpy" in done.stdout
    executed = nbformat.read(tmp_path / path.name, as_version=4)
    errors = [o for c in executed.cells for o in c.get("outputs", ()) if o.output_type == "error"]
    assert [error.ename for error in errors] == ["BuildError"]
    data = [o.data for c in executed.cells for o in c.get("outputs", ()) if "data" in o]
    assert any("application/vnd.cl-magic.diagnostics.v1+json" in bundle for bundle in data)
    assert all(len(str(bundle)) < 400_000 for bundle in data)
