"""The shape of the project: sizes, layers, public names, versions, what an import loads."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import cl_magic

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / "cl_magic").rglob("*.py"))
MOST_LINES = 350
MOST_FUNCTION_LINES = 40
MOST_MAGIC_LINES = 25
PUBLIC = [
    "BuildError",
    "ClMagicError",
    "In",
    "InOut",
    "Out",
    "array",
    "build",
    "copyto",
    "device",
    "devices",
    "empty",
    "free",
    "load_ipython_extension",
    "local",
    "ones",
    "plot_buffer",
    "plot_ndrange",
    "plot_timeline",
    "session",
    "zeros",
]
CLASSES = [
    "ArgumentError",
    "BuildResult",
    "DeviceArray",
    "DeviceInfo",
    "Kernel",
    "LaunchPlan",
    "NDRangeError",
    "Program",
    "RunRecord",
    "Session",
    "functional",
]
"""What the public functions give and raise, and less used: reachable from the package, not a part of its `__all__`."""


def _functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    doc = ast.get_docstring(node, clean=False)
    return (node.end_lineno or 0) - node.lineno + 1 - (doc.count("\n") + 1 if doc else 0)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_keeps_the_size_aims(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= MOST_LINES
    in_magics = "magics" in path.parts
    for node in _functions(path):
        magic = in_magics and any("magic" in ast.unparse(d) for d in node.decorator_list)
        assert _lines(node) <= (MOST_MAGIC_LINES if magic else MOST_FUNCTION_LINES), f"{node.name} at {node.lineno}"


def test_the_public_names_are_these() -> None:
    assert sorted(cl_magic.__all__) == sorted(PUBLIC)
    assert len(PUBLIC) <= 20
    for name in (*PUBLIC, *CLASSES):
        assert callable(getattr(cl_magic, name)), name


def test_every_public_name_has_a_docstring_with_an_example() -> None:
    exempt = {"load_ipython_extension"}
    for name in PUBLIC:
        doc = getattr(cl_magic, name).__doc__ or ""
        assert doc, name
        if name[0].islower() and name not in exempt:
            assert ">>>" in doc, name


def test_there_is_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == cl_magic.__version__ == version("cl_magic")


def test_import_loads_no_driver_no_views_and_no_notebook() -> None:
    code = (
        "import sys, cl_magic; "
        "print([m for m in ('pyopencl', 'IPython', 'matplotlib', 'ipywidgets', 'clang') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_layers_hold() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_no_file_names_this_machine_or_is_a_build_output() -> None:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    tracked = [Path(name) for name in done.stdout.splitlines()]
    assert not [path for path in tracked if {"node_modules", "__pycache__", ".venv"} & set(path.parts)]
    here = [f"{place}/" for place in (ROOT, Path.home()) if len(str(place)) > 1]
    for path in tracked:
        whole = ROOT / path
        if whole.suffix in {".py", ".md", ".toml", ".ipynb", ".cl", ".log", ".json", ".yml"} and whole.exists():
            text = whole.read_text(encoding="utf-8", errors="replace")
            assert not [place for place in here if place in text], path
