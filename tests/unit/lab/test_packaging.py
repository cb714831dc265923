"""What JupyterLab loads is in the repository, small, and found where it is installed (issue 8, 9)."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import cl_magic

ROOT = Path(__file__).resolve().parents[3]
DIST = ROOT / "labextension" / "dist"
AT_START = 250_000
"""Bytes that JupyterLab loads of it when it starts; the views come with the first picture."""


def _scripts() -> dict[str, int]:
    return {path.name: path.stat().st_size for path in (DIST / "static").glob("*.js")}


def test_what_is_loaded_at_the_start_is_small() -> None:
    scripts = _scripts()
    at_start = {name: size for name, size in scripts.items() if not name.startswith("cl_magic_views")}
    assert sum(at_start.values()) <= AT_START, at_start
    packed = sum(len(gzip.compress((DIST / "static" / name).read_bytes())) for name in scripts)
    assert packed <= AT_START


def test_the_bundle_names_no_folder_of_the_machine_that_built_it() -> None:
    for path in DIST.rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert str(ROOT) not in text, path
            assert "node_modules/.cache" not in text, path


def test_the_versions_agree() -> None:
    package = json.loads((ROOT / "labextension" / "package.json").read_text(encoding="utf-8"))
    built = json.loads((DIST / "package.json").read_text(encoding="utf-8"))
    assert package["version"] == built["version"] == cl_magic.__version__
    assert (DIST / built["jupyterlab"]["_build"]["load"]).is_file()


def test_jupyterlab_finds_it_enabled_and_sound() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jupyter", "labextension", "list"], capture_output=True, text=True, check=True
    )
    lines = [line for line in (done.stdout + done.stderr).splitlines() if "cl-magic" in line]
    assert len(lines) == 1, done.stderr
    assert "enabled" in lines[0]
    assert "OK" in lines[0]


def test_a_checkout_says_where_its_bundle_is() -> None:
    (place,) = cl_magic._jupyter_labextension_paths()
    assert place["dest"] == "cl-magic"
    assert (Path(cl_magic.__file__).parent / place["src"]).resolve() == DIST
