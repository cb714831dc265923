"""Panels in notebooks that are run by a program: a summary that stands alone, no dead widget, errors as errors."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook

FILL = """%%opencl -i
#define STEP 2  // 1:4:x2
kernel void fill(global float *dst, float gain) { dst[get_global_id(0)] = gain * STEP; }"""


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)


def _run(*sources: str) -> list[list[nbformat.NotebookNode]]:
    kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = new_notebook(cells=[new_code_cell(s) for s in sources], metadata={"kernelspec": kernelspec})
    NotebookClient(notebook, timeout=120).execute()
    return [cell.outputs for cell in notebook.cells]


def test_without_a_front_end_the_cell_keeps_the_values_and_one_run() -> None:
    setup = "%load_ext cl_magic\nimport numpy as np\ndst = np.zeros(64, np.float32)\ngain = 3.0"
    _, panel, value = _run(setup, FILL, "dst[5]")
    assert all("application/vnd.jupyter.widget-view+json" not in output.get("data", {}) for output in panel)
    text = panel[-1]["data"]["text/plain"]
    assert "panel of fill" in text
    assert "dst, 64 float32" in text
    assert "of 1, 2, 4" in text
    assert "last run  fill · 64 items" in text
    assert "panel of fill" in panel[-1]["data"]["text/html"]
    assert "6." in value[0]["data"]["text/plain"]


def test_interact_and_run_give_what_the_panel_starts_with() -> None:
    cell = FILL.replace("-i", "--interact gain=0.0:2.0:0.5 STEP=1,2 --run='fill(dst, 1.5, global_size=8)'")
    _, panel, value = _run("%load_ext cl_magic\nimport numpy as np\ndst = np.zeros(64, np.float32)", cell, "dst[7:9]")
    text = panel[-1]["data"]["text/plain"]
    assert "8 items" in text
    assert "of 1, 2" in text
    assert "0." in value[0]["data"]["text/plain"]


def test_interact_with_an_unknown_name_fails_the_cell_with_a_suggestion() -> None:
    with pytest.raises(CellExecutionError, match="has no parameter 'gian'"):
        _run("%load_ext cl_magic", FILL.replace("-i", "--interact gian=0.0:2.0"))


def test_a_panel_and_sliders_are_values_of_a_cell_too() -> None:
    build = (
        "import cl_magic as clm\nk = clm.build('kernel void f(global int *x, int n) { x[get_global_id(0)] = n; }').f"
    )
    outputs = _run(build, "k.panel(n=7, global_size=16)", "clm.interact(k, n='1:3', global_size=16)")
    assert "panel of f" in outputs[1][0]["data"]["text/plain"]
    assert "7 (0 to 100)" in outputs[1][0]["data"]["text/plain"]
    assert "of 1, 2, 3" in outputs[2][0]["data"]["text/plain"]


def test_a_sweep_is_a_report() -> None:
    build = "import cl_magic as clm\nk = clm.build('kernel void f(global int *x) { x[get_global_id(0)] = 1; }').f"
    _, found = _run(
        build, "import numpy as np\nclm.sweep(k, np.zeros(64, np.int32), global_size=64, local_size=[8, 16])"
    )
    assert "f · best local_size" in found[-1]["data"]["text/plain"]
    assert "text/html" in found[-1]["data"]
