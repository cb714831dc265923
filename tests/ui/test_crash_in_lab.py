"""A crash and a stopped run as a user sees them in JupyterLab, in both themes (issue 3, 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from support.lab import LabPage

pytestmark = pytest.mark.ui

SETUP = (
    "%load_ext cl_magic\nimport numpy as np\nsrc = np.arange(1000, dtype=np.float32)\n"
    "dst = np.zeros(1000, np.float32)\ny = np.zeros(4, np.int32)"
)
KERNELS = """%%opencl
kernel void far(global const float *src, global float *dst)
{
    size_t i = get_global_id(0);
    dst[i << 20] = src[i];
}
kernel void spin(global volatile int *y) { while (y[0] == 0) { y[1]++; } }"""
AFTER = "print('still here', src.sum(), y.tolist())"


def _outputs(lab: LabPage, index: int) -> Any:
    return lab.cell(index).locator(".jp-Cell-outputWrapper .jp-OutputArea-output")


def test_a_crash_says_what_is_safe_and_what_next(
    open_cells: Callable[..., LabPage],
    picture: Callable[[LabPage, str], Path],
) -> None:
    lab = open_cells("crash", SETUP, KERNELS, "far(src, dst, global_size=1000, local_size=64)", AFTER)
    for index in range(2):
        lab.run(index)
    lab.run(2)
    report = lab.cell(2).locator("section.clm[role=alert]")
    text = report.inner_text()
    for words in ("The kernel far", "Your variables are kept", "What happened", "Arrays", "unchanged", "Next"):
        assert words in text
    assert "Traceback" not in _outputs(lab, 2).last.inner_text()
    for svg in report.locator("svg[role=img]").all():
        assert svg.get_attribute("aria-label")
        assert svg.bounding_box()["height"] == 58
    picture(lab, "crash")
    assert "still here 499500" in lab.run(3).inner_text()
    lab.page.set_viewport_size({"width": 700, "height": 1600})
    picture(lab, "crash_narrow")
    assert lab.faults == []


def test_a_run_that_is_stopped_leaves_one_line(
    open_cells: Callable[..., LabPage],
    picture: Callable[[LabPage, str], Path],
    lab_root: Path,
) -> None:
    lab = open_cells("stopped", SETUP, KERNELS, "spin(y, global_size=1)", AFTER)
    for index in range(2):
        lab.run(index)
    cell = lab.cell(2)
    cell.locator(".cm-content").click()
    lab.page.keyboard.press("Control+Enter")
    line = cell.locator("section.clm[role=status]")
    line.wait_for(timeout=30_000)
    assert "interrupt the kernel" in line.inner_text()
    assert line.locator("[aria-live=polite]").count() == 1
    picture(lab, "running")
    lab.page.evaluate("() => window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
    stopped = cell.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']")
    stopped.wait_for(timeout=10_000)
    assert stopped.inner_text().strip().startswith("KeyboardInterrupt: kernel spin was stopped after")
    assert line.count() == 0
    assert "still here 499500.0 [0, 0, 0, 0]" in lab.run(3).inner_text()
    picture(lab, "stopped")
    lab.save()
    saved = nbformat.read(lab_root / "stopped.ipynb", as_version=4)
    shown = [output for output in saved.cells[2].outputs if output["output_type"] == "display_data"]
    assert not any(any(output["data"].values()) for output in shown)
    assert lab.faults == []
