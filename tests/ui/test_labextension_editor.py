"""OpenCL C in JupyterLab's editor: its colours, the marks of a build, its fix-its (issue 8, 1 and 2)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from support.lab import LabPage

pytestmark = pytest.mark.ui

SETUP = "%load_ext cl_magic\nimport numpy as np"
HEADER = "\n\n  %%opencl --header=common.h\n  int twice(int x) { return 2 * z; }"
WRONG = """%%opencl -DN=4 --global=64 -cl-mad-enable
#include "common.h"
kernel void saxpy(global const float *x, global float *y, float a)
{
    size_t i = get_globl_id(0);
    y[i] = a * x[i] + y[i];
}"""
WARNED = """%%opencl
kernel void f(global int *x)
{
    int unused = 3;
    x[get_global_id(0)] = 1
}"""
MIME = "application/vnd.cl-magic.diagnostics.v1+json"
CURSOR = (
    "() => { const w = [...window.jupyterapp.shell.widgets('main')].find(w => w.sessionContext);"
    " const p = w.content.activeCell.editor.getCursorPosition();"
    " return [w.content.activeCellIndex, p.line + 1, p.column + 1, w.content.mode]; }"
)


def _marks(cell: Any) -> list[str]:
    return [str(mark) for mark in cell.locator(".cm-lintRange").all_inner_texts()]


def _colour(lab: LabPage, cell: int, text: str) -> str:
    span = lab.cell(cell).locator(".cm-content span", has_text=text).last
    return str(span.evaluate("el => getComputedStyle(el).color"))


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_words_of_opencl_c_have_their_colours_in_both_themes(open_cells: Callable[..., LabPage], theme: str) -> None:
    lab = open_cells("colours", "x = 1", WRONG)
    lab.theme(theme)
    plain = lab.cell(1).locator(".cm-content").evaluate("el => getComputedStyle(el).color")
    shown = {word: _colour(lab, 1, word) for word in ("%%opencl", "--global", "kernel", "float", "0")}
    assert len(set(shown.values())) >= 4
    assert plain not in shown.values()
    assert lab.cell(1).locator(".cl-editor").count() == 1
    assert lab.cell(0).locator(".cl-editor").count() == 0
    assert lab.faults == []


def test_the_language_switches_as_one_types(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("switch", "", "")
    lab.cell(0).locator(".cm-content").click()
    lab.page.keyboard.type("\n  %%opencl\nkernel")
    assert lab.cell(0).locator(".cl-editor").count() == 1
    for _ in range(len("\nkernel") + 1):
        lab.page.keyboard.press("Backspace")
    assert lab.cell(0).locator(".cl-editor").count() == 0
    assert lab.faults == []


def test_a_builds_messages_are_marks_in_the_cell_and_in_the_header_cell(
    open_cells: Callable[..., LabPage],
    picture: Callable[[LabPage, str], Path],
) -> None:
    lab = open_cells("marks", SETUP, HEADER, WRONG)
    for index in range(3):
        lab.run(index)
    lab.page.wait_for_selector(".cm-lintRange")
    assert _marks(lab.cell(2)) == ["common.h", "get_globl_id"]  # a header's fault is told where the cell includes it
    assert _marks(lab.cell(1)) == ["z"]
    assert lab.cell(2).locator(".cm-lint-marker-error").count() == 2
    picture(lab, "labextension_marks")
    lab.cell(2).locator(".cm-lintRange").last.hover()
    tooltip = lab.page.locator(".cm-tooltip-lint")
    tooltip.wait_for()
    assert "get_globl_id" in tooltip.inner_text()
    tooltip.get_by_role("button", name="Replace by get_global_id").click()
    assert "get_global_id(0)" in lab.cell(2).locator(".cm-content").inner_text()
    assert lab.cell(2).locator(".cm-lintRange, .cm-lintPoint").count() == 0
    assert _marks(lab.cell(1)) == ["z"]  # its text is still what was built
    assert lab.faults == []


def test_a_change_takes_marks_away_and_undoing_it_brings_them_back(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("undo", SETUP, WARNED)
    lab.run(0)
    lab.run(1)
    lab.page.wait_for_selector(".cm-lintPoint, .cm-lintRange", state="attached")
    lab.cell(1).locator(".cm-content").click()
    lab.page.keyboard.press("Control+End")
    lab.page.keyboard.type(" ")
    assert lab.cell(1).locator(".cm-lintRange, .cm-lintPoint").count() == 0
    lab.page.keyboard.press("Control+z")
    lab.page.wait_for_selector(".cm-lintPoint, .cm-lintRange", state="attached")
    assert lab.faults == []


def test_marks_come_back_after_opening_again_and_in_a_second_view(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("again", SETUP, WRONG.replace('#include "common.h"\n', ""))
    lab.run(0)
    lab.run(1)
    lab.save()
    lab.page.reload()
    lab.page.wait_for_selector(".cm-lintRange", timeout=30_000)
    lab.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:clone')")
    lab.page.wait_for_function("() => document.querySelectorAll('.cm-lintRange').length === 2", timeout=30_000)
    lab.page.locator(".jp-NotebookPanel").last.locator(".cm-content").nth(1).click()
    lab.page.keyboard.press("Control+End")
    lab.page.keyboard.type(" ")
    lab.page.wait_for_function("() => document.querySelectorAll('.cm-lintRange').length === 0")
    assert lab.faults == []


def test_a_position_of_the_report_leads_to_its_line(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("jump", SETUP, HEADER, WRONG)
    for index in range(3):
        lab.run(index)
    places = lab.cell(2).locator(".cl-jump")
    places.filter(has_text="5:").first.click()
    lab.page.wait_for_timeout(300)
    assert lab.page.evaluate(CURSOR) == [2, 5, 16, "edit"]
    header = places.filter(has_text="common.h").first
    header.focus()
    lab.page.keyboard.press("Enter")
    lab.page.wait_for_timeout(300)
    assert lab.page.evaluate(CURSOR)[:2] == [1, 4]
    assert lab.faults == []


def _saved(root: Path, name: str, source: str, *payloads: object) -> None:
    kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    outputs = [
        new_output("display_data", data={MIME: payload, "text/plain": "the report", "text/html": "<p>the report</p>"})
        for payload in payloads
    ]
    cell = new_code_cell(source, outputs=outputs, execution_count=1)
    nbformat.write(new_notebook(cells=[cell], metadata={"kernelspec": kernelspec}), root / f"{name}.ipynb")


def test_a_hostile_or_foreign_payload_shows_the_report_and_runs_nothing(
    browser: Any, lab_root: Path, lab_address: str
) -> None:
    script = "<img src=x onerror='window.hacked = 1'>"
    hostile = {"severity": script, "message": script, "line": 1, "column": 3, "endColumn": 5, "option": script}
    payloads = (
        {"version": 1, "source": "%%opencl\nint x;", "diagnostics": [hostile | {"fixits": [{"text": script}]}]},
        {"version": 99, "diagnostics": "new"},
        {"version": 0},
        [1, 2],
        "text",
        {"version": 1, "diagnostics": [None, 5, {"message": None}], "headers": [1]},
    )
    _saved(lab_root, "hostile", "%%opencl\nint x;", *payloads)
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    lab = LabPage(page, lab_address, "hostile.ipynb")
    page.wait_for_selector(".cm-lintRange-error")
    page.locator(".cm-lintRange-error").hover()
    page.wait_for_selector(".cm-tooltip-lint")
    assert script in page.locator(".cm-tooltip-lint").inner_text()
    assert page.evaluate("() => window.hacked") is None
    assert page.locator(".jp-OutputArea-output", has_text="the report").count() == len(payloads)
    assert lab.faults == []
    page.context.close()


def test_a_file_of_opencl_c_is_coloured(open_cells: Callable[..., LabPage], lab_root: Path) -> None:
    (lab_root / "blur.cl").write_text("kernel void f(global float4 *x) { x[get_global_id(0)] = 1.0f; }\n")
    lab = open_cells("files", "1")
    lab.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:open', {path: 'blur.cl'})")
    lab.page.wait_for_selector(".jp-FileEditor .cl-type")
    assert lab.page.locator("#jp-main-statusbar").inner_text().count("OpenCL C") == 1
    assert lab.faults == []


def test_a_cell_of_two_megabytes_stays_usable(open_cells: Callable[..., LabPage]) -> None:
    body = "    x[0] += 1; // some words to fill the line\n" * 45_000
    lab = open_cells("large", f"%%opencl\nkernel void f(global int *x) {{\n{body}}}")
    lab.cell(0).locator(".cm-content").click()
    start = time.monotonic()
    lab.page.keyboard.type("// abc")
    lab.page.wait_for_timeout(10)
    assert time.monotonic() - start < 5
    assert lab.faults == []
