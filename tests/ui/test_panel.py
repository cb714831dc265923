"""The kernel panel in JupyterLab: a change is a picture, Stop stops, an error leaves the picture, both themes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.lab import LabPage

pytestmark = pytest.mark.ui

WAVES = """%%opencl -i
#define BANDS 1  // 1,2,4
kernel void waves(global float *out,
                  float f)  // 0.0:1.0
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] = sin(f * x * BANDS) * cos(f * y);
}"""
ENDLESS = """%%opencl -i --run='endless(global_size=1, go=0)'
kernel void endless(global int *x, int go)  // 0,1
{ x[0] += 1; while (go) x[0] += 1; }"""
WILD = """%%opencl -i --run='wild(global_size=64, far="0,1000")'
kernel void wild(global int *x, int far) { x[get_global_id(0) + far * 1000000] = 7; }"""
LATENCY_MS = 120
_MOVES = """async ([moves, label]) => {
  const slider = document.querySelector(`input[type=range][aria-label="${label}"]`);
  const put = CanvasRenderingContext2D.prototype.putImageData;
  let painted = null;
  CanvasRenderingContext2D.prototype.putImageData = function (...all) {
    put.apply(this, all);
    if (this.canvas.width > 255) painted?.();
  };
  const times = [];
  for (let move = 0; move < moves; move += 1) {
    slider.value = String(0.05 + 0.9 * ((move * 37) % moves) / moves);
    const begin = performance.now();
    const seen = new Promise((resolve) => { painted = resolve; });
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const late = new Promise((resolve, reject) => setTimeout(() => reject(new Error("no picture")), 5000));
    await Promise.race([seen, late]);
    times.push(performance.now() - begin);
    painted = null;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  CanvasRenderingContext2D.prototype.putImageData = put;
  return times;
}"""


def _panel(lab: LabPage, index: int) -> Any:
    lab.run(index)
    panel = lab.cell(index).locator(".clm-live:has(.kp)")
    panel.wait_for(timeout=20_000)
    return panel


def _state(panel: Any, state: str, timeout: float = 30_000) -> None:
    panel.page.wait_for_function(
        "([element, state]) => element.dataset.run.startsWith(state)",
        arg=[panel.element_handle(), state],
        timeout=timeout,
    )


def _run(panel: Any, number: int) -> None:
    panel.page.wait_for_function(
        "([element, run]) => element.dataset.run === run",
        arg=[panel.element_handle(), f"complete {number}"],
        timeout=60_000,
    )


def test_a_slider_is_a_new_picture_in_time(open_cells: Callable[..., LabPage], picture: Callable[..., Path]) -> None:
    """From the input event to the painted canvas, a kernel of 512 × 512 on PoCL: p95 at most 120 ms."""
    lab = open_cells("panel-latency", "%load_ext cl_magic", WAVES)
    lab.run(0)
    panel = _panel(lab, 1)
    _state(panel, "complete")
    lab.page.evaluate(_MOVES, [5, "f"])
    times = sorted(lab.page.evaluate(_MOVES, [60, "f"]))
    found = {"median_ms": times[30], "p95_ms": times[56], "least_ms": times[0], "most_ms": times[-1]}
    path = picture(lab, "panel")
    path.with_name("panel.latency.json").write_text(json.dumps(found))
    others = os.getloadavg()[0] > 2 * (os.cpu_count() or 1)  # a machine that others keep busy measures them
    assert found["median_ms"] <= LATENCY_MS, found
    assert found["p95_ms"] <= LATENCY_MS * (3 if others else 1), found
    assert lab.faults == []


def test_every_tab_shows_its_view_and_keys_move_between_them(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("panel-tabs", "%load_ext cl_magic", WAVES)
    lab.run(0)
    panel = _panel(lab, 1)
    _state(panel, "complete")
    words = {
        "ndrange": "NDRange of",
        "timeline": "",
        "buffers": "out after",
        "printf": "printed nothing",
        "log": "waves",
    }
    for tab, text in words.items():
        panel.locator(f"[data-tab={tab}]").click()
        panel.locator(f"[role=tabpanel]:has-text('{text}')").wait_for(timeout=10_000)
        assert panel.locator("[role=tab][aria-selected=true]").get_attribute("data-tab") == tab
    panel.locator("[data-tab=log]").press("ArrowRight")
    assert panel.locator("[role=tab][aria-selected=true]").get_attribute("data-tab") == "picture"
    panel.locator("[role=tabpanel] canvas").first.wait_for()
    assert lab.faults == []


def test_sizes_device_and_macros_are_what_runs(open_cells: Callable[..., LabPage]) -> None:
    check = "p = cl_magic.session().records[-1]; print(p.plan.local_size, p.plan.global_size, p.device.short_name)"
    lab = open_cells("panel-sizes", "%load_ext cl_magic\nimport cl_magic", WAVES, check)
    lab.run(0)
    panel = _panel(lab, 1)
    _state(panel, "complete")
    device = panel.locator("select[aria-label=device]")
    options = device.locator("option").all_inner_texts()
    other = next(text for text in options if "PoCL" not in text and "simulator" not in text)
    device.select_option(label=other)
    _run(panel, 2)
    panel.locator("input[aria-label='global size x']").fill("256")
    _run(panel, 3)
    panel.locator("input[aria-label='BANDS 4']").check(force=True)
    _run(panel, 4)
    slider = panel.locator("input[type=range][aria-label='local size x']")
    slider.focus()
    slider.press("ArrowLeft")
    _run(panel, 5)
    lab.run(2)
    words = lab.cell(2).locator(".jp-OutputArea-output").inner_text()
    assert "(256, 512)" in words
    assert other.split(",")[0] in words
    assert lab.faults == []


def test_a_cell_that_runs_again_shows_the_values_that_were_set(open_cells: Callable[..., LabPage]) -> None:
    count = """from ipywidgets.widgets.widget import _instances
print(sum(type(one).__name__ == "KernelPanel" for one in _instances.values()), "panel")"""
    lab = open_cells("panel-again", "%load_ext cl_magic", WAVES, count)
    lab.run(0)
    panel = _panel(lab, 1)
    _run(panel, 1)
    panel.locator("input[aria-label='BANDS 4']").check(force=True)
    _run(panel, 2)
    panel.locator("input[aria-label='global size x']").fill("256")
    _run(panel, 3)
    panel.locator("input[aria-label='global size x']").fill("abc")
    panel.locator(".oops:has-text('abc')").wait_for()
    assert panel.locator("[role=tabpanel].old").count() == 1
    lab.run(1)
    again = _panel(lab, 1)
    _state(again, "complete")
    assert again.locator("input[aria-label='global size x']").input_value() == "256"
    assert again.locator(".pick input:checked").get_attribute("aria-label") == "BANDS 4"
    lab.run(2)
    lab.cell(2).locator("text=1 panel").last.wait_for()  # the one of before is closed
    assert lab.faults == []


def test_an_endless_kernel_is_said_and_stopped(
    open_cells: Callable[..., LabPage], picture: Callable[..., Path]
) -> None:
    lab = open_cells("panel-endless", "%load_ext cl_magic", ENDLESS, "print('a cell runs')")
    lab.run(0)
    panel = _panel(lab, 1)
    _state(panel, "complete")
    panel.locator("input[aria-label='go 1']").check(force=True)
    panel.locator(".said:has-text('running')").wait_for(timeout=10_000)
    picture(lab, "panel_running")
    lab.run(2)  # the notebook is not held up
    lab.cell(2).locator("text=a cell runs").last.wait_for()
    begin = time.monotonic()
    panel.locator(".said button.halt").click()
    _state(panel, "stopped")
    assert time.monotonic() - begin < 1
    panel.locator(".oops:has-text('was stopped after')").wait_for()
    panel.locator("input[aria-label='go 0']").check(force=True)
    _state(panel, "complete")
    assert lab.faults == []


def test_a_crash_leaves_the_last_picture_and_a_usable_panel(
    open_cells: Callable[..., LabPage], picture: Callable[..., Path]
) -> None:
    lab = open_cells("panel-crash", "%load_ext cl_magic", WILD)
    lab.run(0)
    panel = _panel(lab, 1)
    _state(panel, "complete")
    panel.locator("input[aria-label='far 1000']").check(force=True)
    _state(panel, "failed")
    assert "wild" in panel.locator(".oops").inner_text()
    assert panel.locator("[role=tabpanel].old").evaluate("e => getComputedStyle(e).opacity") == "0.45"
    assert panel.locator(".was").inner_text() == "run 1"
    picture(lab, "panel_crash")
    panel.locator("input[aria-label='far 0']").check(force=True)
    _state(panel, "complete")
    assert not panel.locator(".oops").is_visible()
    assert lab.faults == []


def test_interact_shows_sliders_and_the_picture_only(
    open_cells: Callable[..., LabPage], picture: Callable[..., Path]
) -> None:
    cell = WAVES.replace("%%opencl -i", "%%opencl --interact f=0.1:0.5:0.1 BANDS=1:3")
    lab = open_cells("panel-interact", "%load_ext cl_magic", cell)
    lab.run(0)
    panel = _panel(lab, 1)
    _state(panel, "complete")
    assert panel.locator(".kp.compact").count() == 1
    assert panel.locator("[role=tab]").count() == 0
    assert panel.locator("select[aria-label=device]").count() == 0
    panel.locator("input[aria-label='BANDS 3']").check(force=True)
    _run(panel, 2)
    picture(lab, "panel_interact")
    assert lab.faults == []
