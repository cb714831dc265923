"""The side panel: what it shows, when it asks, what a click does (issue 8, 6; R-01)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.accessibility import serious_faults
from support.lab import LabPage

pytestmark = pytest.mark.ui

SAXPY = """%%opencl
kernel void saxpy(global const float *x, global float *y, float a)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}"""
RUN = """import numpy as np, cl_magic as clm
x = np.arange(640, dtype=np.float32); y = x.copy(); field = clm.zeros((512, 600))
saxpy(x, y, 2.0, global_size=640)"""
CHILDREN = """import os, pathlib
def children():
    found = []
    for status in pathlib.Path('/proc').glob('[0-9]*/stat'):
        try: parts = status.read_text().rsplit(')', 1)[1].split()
        except OSError: continue
        if int(parts[1]) == os.getpid(): found.append(status)
    return found
print('children', len(children()))"""
PANEL = "#cl-magic-panel"
SHOW = "() => window.jupyterapp.commands.execute('cl-magic:show-panel')"


def _show(lab: LabPage) -> None:
    lab.page.evaluate(SHOW)
    lab.page.wait_for_selector(f"{PANEL} > *")


def test_the_panel_asks_nothing_until_it_is_open_and_starts_nothing(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells(
        "quiet", "import cl_magic, sys", CHILDREN + "\nprint('panel', 'cl_magic.lab.panel' in sys.modules)"
    )
    lab.run(0)
    assert "panel False" in lab.run(1).inner_text()
    _show(lab)
    lab.page.wait_for_function(f"() => document.querySelector('{PANEL}').innerText.includes('No search was made')")
    after = lab.run(1).inner_text()
    assert "panel True" in after
    assert "children 0" in after
    assert lab.faults == []


def test_a_kernel_without_cl_magic_gets_a_hint(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("without", "x = 1")
    lab.run(0)
    _show(lab)
    lab.page.wait_for_function(f"() => document.querySelector('{PANEL}').innerText.includes('%load_ext cl_magic')")
    assert lab.faults == []


def test_devices_programs_arrays_and_runs_also_while_a_cell_runs(
    open_cells: Callable[..., LabPage],
    picture: Callable[[LabPage, str], Path],
) -> None:
    lab = open_cells("busy", "%load_ext cl_magic", SAXPY, RUN, "import time\ntime.sleep(20)")
    for index in range(3):
        lab.run(index)
    lab.cell(3).locator(".cm-content").click()
    lab.page.keyboard.press("Control+Enter")
    lab.page.wait_for_timeout(300)
    start = time.monotonic()
    _show(lab)
    panel = lab.page.locator(PANEL)
    panel.locator("input[type=radio]").first.wait_for()
    text = panel.inner_text()
    for words in ("saxpy", "cell [2]", "field", "float32 (512, 600)", "1.17\u202fMiB", "640"):
        assert words in text
    panel.locator("input[type=radio]").last.click()
    panel.locator(".cl-chosen", has_text="simulator").wait_for()
    assert time.monotonic() - start < 15  # the cell still sleeps
    assert "[*]" in lab.cell(3).locator(".jp-InputPrompt").first.inner_text()
    picture(lab, "labextension_panel")
    assert serious_faults(lab.page, PANEL) == []
    panel.get_by_role("button", name="Show the run of saxpy").click()
    lab.page.locator(".cl-run-tab .clm").first.wait_for()
    panel.get_by_role("button", name="Go to the cell of saxpy").click()
    lab.page.wait_for_timeout(300)
    active = "() => [...window.jupyterapp.shell.widgets('main')].find(w => w.sessionContext).content.activeCellIndex"
    assert lab.page.evaluate(active) == 1
    assert lab.faults == []


def test_a_restart_of_the_kernel_and_a_pickers_choice_are_followed(open_cells: Callable[..., LabPage]) -> None:
    picker = "from cl_magic.widgets import DevicePicker\nDevicePicker()"
    lab = open_cells("follow", "%load_ext cl_magic", "%opencl devices", picker)
    for index in range(3):
        lab.run(index)
    _show(lab)
    panel = lab.page.locator(PANEL)
    panel.locator("input[type=radio]").first.wait_for()
    panel.locator("input[type=radio]").last.click()
    panel.locator(".cl-chosen", has_text="simulator").wait_for()
    choose = lab.cell(2).locator(".jp-Cell-outputWrapper").get_by_role("radio")
    choose.first.wait_for()
    lab.cell(2).locator(".jp-Cell-outputWrapper").get_by_role("radio", checked=True).last.wait_for()
    for _ in range(100):  # the widget hears of the choice by a message of its own
        if choose.last.is_checked():
            break
        lab.page.wait_for_timeout(50)
    assert choose.last.is_checked()
    choose.first.click()
    panel.locator(".cl-chosen", has_text="PoCL").wait_for()
    session = "[...window.jupyterapp.shell.widgets('main')].find(w => w.sessionContext).sessionContext"
    lab.page.evaluate(f"() => {session}.session.kernel.restart().then(() => null)")
    lab.page.wait_for_function(f"() => document.querySelector('{PANEL}').innerText.includes('%load_ext cl_magic')")
    assert lab.faults == []
