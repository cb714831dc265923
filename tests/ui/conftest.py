"""One JupyterLab and one browser for all tests in tests/ui."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from support.lab import CHROMIUM_FLAGS, LabPage, chromium, lab_server

OUTPUT = Path(__file__).resolve().parents[2] / "test-output"


@pytest.fixture(scope="session")
def lab_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("notebooks")


@pytest.fixture(scope="session")
def lab_address(lab_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with lab_server(lab_root, tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - a browser only where one is wanted

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def open_cells(lab_root: Path, lab_address: str, browser: Any) -> Iterator[Callable[..., LabPage]]:
    contexts = []

    def open_(name: str, *sources: str) -> LabPage:
        kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
        notebook = new_notebook(cells=[new_code_cell(s) for s in sources], metadata={"kernelspec": kernelspec})
        nbformat.write(notebook, lab_root / f"{name}.ipynb")
        context = browser.new_context(viewport={"width": 1280, "height": 1600})
        contexts.append(context)
        return LabPage(context.new_page(), lab_address, f"{name}.ipynb")

    yield open_
    for context in contexts:
        context.close()


@pytest.fixture
def picture() -> Callable[[LabPage, str], Path]:
    def take(lab: LabPage, name: str) -> Path:
        OUTPUT.mkdir(exist_ok=True)
        for theme in ("Light", "Dark"):
            lab.theme(f"JupyterLab {theme}")
            lab.page.screenshot(path=str(OUTPUT / f"{name}.{theme.lower()}.png"))
        lab.theme("JupyterLab Light")
        return OUTPUT / f"{name}.light.png"

    return take
