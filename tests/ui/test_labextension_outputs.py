"""Outputs of a saved notebook, opened without a kernel: live pictures, and what cannot be drawn (issue 8, 7)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from support.accessibility import serious_faults
from support.lab import LabPage

pytestmark = pytest.mark.ui

SETUP = "%load_ext cl_magic\nimport numpy as np"
SAXPY = """%%opencl
kernel void saxpy(global const float *x, global float *y, float a)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}"""
RUN = "x = np.arange(640, dtype=np.float32); y = np.ones_like(x)\nsaxpy(x, y, 2.0, global_size=640)"
SHUT = (
    "() => [...window.jupyterapp.shell.widgets('main')].find(w => w.sessionContext).sessionContext.shutdown()"
    ".then(() => null)"
)
RUN_MIME = "application/vnd.cl-magic.run.v1+json"


def _open_all(lab: LabPage, index: int) -> Any:
    out = lab.cell(index).locator(".jp-Cell-outputWrapper")
    out.locator("summary").first.click()
    for summary in out.locator("details[data-clm-view] > summary").all():
        summary.click()
    return out


def test_a_saved_run_is_interactive_without_a_kernel(
    open_cells: Callable[..., LabPage],
    picture: Callable[[LabPage, str], Path],
) -> None:
    lab = open_cells("saved_run", SETUP, SAXPY, RUN)
    for index in range(3):
        lab.run(index)
    lab.save()
    lab.page.evaluate(SHUT)
    lab.page.reload()
    lab.page.wait_for_selector(".jp-Notebook .jp-CodeCell")
    out = _open_all(lab, 2)
    out.locator(".clm-live canvas").first.wait_for()
    out.locator(".clm-live").nth(2).wait_for()
    assert out.locator(".clm-live").count() == 3
    assert out.locator(".clm-hint").count() == 0
    canvas = out.locator(".clm-live canvas").first
    before = out.inner_text()
    canvas.focus()
    lab.page.keyboard.press("ArrowRight")
    lab.page.wait_for_timeout(300)
    assert out.inner_text() != before  # the next work-item is selected
    picture(lab, "labextension_saved_run")
    assert serious_faults(lab.page, ".jp-OutputArea") == []
    assert lab.faults == []


def _notebook(root: Path, name: str, *bundles: dict[str, Any]) -> None:
    kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    cells = [
        new_code_cell("1", execution_count=1, outputs=[new_output("display_data", data=bundle)]) for bundle in bundles
    ]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernelspec}), root / f"{name}.ipynb")


def test_what_cannot_be_drawn_is_one_line_beside_the_rest_of_the_bundle(
    browser: Any, lab_root: Path, lab_address: str
) -> None:
    script = "<img src=x onerror='window.hacked = 1'>"
    column = {"dtype": script, "shape": [script], "deflate": "####"}
    payloads: list[Any] = [
        {"version": 99, "kind": "run", "head": {}, "columns": {}},
        {"version": 0, "kind": "run"},
        {"version": 1, "kind": script, "head": {}, "columns": {}},
        {"version": 1, "kind": "run", "record": script, "head": {"ndrange": {}}, "columns": {script: column}},
        None,
        script,
        [script],
    ]
    kinds = ("run", "ndrange", "timeline", "buffer")
    bundles = [
        {f"application/vnd.cl-magic.{kind}.v1+json": payload, "text/plain": "in words", "text/html": "<p>in words</p>"}
        for kind in kinds
        for payload in payloads
    ]
    _notebook(lab_root, "foreign", *bundles)
    page = browser.new_context(viewport={"width": 1280, "height": 9000}).new_page()
    lab = LabPage(page, lab_address, "foreign.ipynb")
    page.wait_for_function(
        "count => document.querySelectorAll('.cl-hint, .clm-hint').length >= count", arg=len(bundles) - 4
    )
    page.wait_for_timeout(300)
    for index in range(len(bundles)):
        text = lab.cell(index).locator(".jp-Cell-outputWrapper").inner_text()
        assert "in words" in text or "payload" in text or "cl_magic" in text, (index, bundles[index])
    assert page.evaluate("() => window.hacked") is None
    assert lab.faults == []
    page.context.close()


def test_an_untrusted_notebook_shows_its_marks_and_runs_no_script(
    open_cells: Callable[..., LabPage], browser: Any, lab_root: Path, lab_address: str
) -> None:
    lab = open_cells("to_copy", SETUP, SAXPY.replace("get_global_id", "get_globl_id"), RUN)
    lab.run(0)
    lab.run(1)
    lab.save()
    text = (lab_root / "to_copy.ipynb").read_text(encoding="utf-8")
    foreign = json.loads(text)
    foreign["cells"][1]["outputs"][0]["data"]["text/html"] += "<script>window.hacked = 1</script>"
    foreign["cells"][1]["metadata"].pop("trusted", None)
    (lab_root / "foreign_cell.ipynb").write_text(json.dumps(foreign), encoding="utf-8")
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    other = LabPage(page, lab_address, "foreign_cell.ipynb")
    page.wait_for_selector(".cm-lintRange-error")
    assert page.evaluate("() => window.hacked") is None
    other.cell(1).locator(".cl-jump").first.click()
    assert other.faults == []
    page.context.close()
