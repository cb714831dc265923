"""Notebooks run by a program: no front end shows widgets, so none is left in the file."""

from __future__ import annotations

from pathlib import Path

import nbclient
import nbformat
from nbformat.v4 import new_code_cell, new_notebook

KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
CELLS = [
    "%load_ext cl_magic\nimport cl_magic as clm",
    "%opencl devices",
    "clm.widgets.DevicePicker()",
    "f = clm.build('kernel void f(global int *x) { x[get_global_id(0)] = 1; }').f",
    "clm.widgets.NDRangePicker(f, 1000, 100)",
]


def test_a_notebook_run_by_a_program_holds_tables_and_pictures_instead(tmp_path: Path) -> None:
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in CELLS], metadata={"kernelspec": KERNELSPEC})
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    text = nbformat.writes(notebook)
    assert "application/vnd.jupyter.widget-view+json" not in text
    for index in (1, 2):
        (output,) = notebook.cells[index].outputs
        assert "chosen" in output.data["text/plain"]
        assert "<table" in output.data["text/html"]
        assert "<details" not in output.data["text/html"]
    (output,) = notebook.cells[4].outputs
    assert output.data["text/plain"].startswith("NDRange: 1 000 items in groups of 100")
    assert "<svg" in output.data["text/html"]
