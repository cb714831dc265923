"""The cells that JupyterLab's menu inserts run as they are, in a new notebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

FILE = Path(__file__).resolve().parents[2] / "labextension" / "src" / "templates.json"
TEMPLATES: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
CHECKS = {
    "saxpy": "np.allclose(y, 2 * x + 1)",
    "image": "blurred[100, 100].tolist() == [0, 114, 178, 255] and 0 < blurred[60, 160, 2] < 178",
    "reduction": "abs(sums.sum() - x.sum()) < 0.1 and sums.size == 512",
    "matrix": "abs(c - a @ b).max() < 1e-3",
}


def test_the_four_templates_are_there() -> None:
    assert [one["id"] for one in TEMPLATES] == list(CHECKS)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda one: str(one["id"]))
def test_a_template_runs_as_it_is(template: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    sources = ["%load_ext cl_magic", *template["cells"], f"print('right:', {CHECKS[template['id']]})"]
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    cells = notebook.cells
    assert "right: True" in cells[-1].outputs[0].text
    built, ran = cells[1].outputs, cells[2].outputs
    assert [one.output_type for one in built] == ["display_data"]
    assert "warning" not in built[0].data["text/plain"]
    assert any("text/html" in one.get("data", {}) for one in ran)
