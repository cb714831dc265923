"""The pickers in JupyterLab with a real kernel: choose a device, drag a size, type one that cannot be, both themes."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.accessibility import serious_faults
from support.lab import LabPage

pytestmark = pytest.mark.ui

SETUP = "%load_ext cl_magic\nimport numpy as np, cl_magic as clm"
KERNELS = """%%opencl --device=pocl
kernel void blur(global int *x, int w, int h) {
    int i = get_global_id(0), j = get_global_id(1);
    if (i < w && j < h) x[j * w + i] = get_local_size(0) * 1000 + get_local_size(1);
}
__attribute__((reqd_work_group_size(16, 4, 1)))
kernel void fixed(global int *x) { x[get_global_id(0)] = 1; }"""
ECHO = """
import anywidget
class Echo(anywidget.AnyWidget):
    _esm = '''export default { render({ model, el }) {
      el.dataset.echo = "1";
      el.measure = async (turns) => {
        const times = [];
        for (let turn = 0; turn < turns; turn += 1) {
          const begin = performance.now();
          await new Promise((resolve) => {
            const heard = () => { model.off("msg:custom", heard); resolve(); };
            model.on("msg:custom", heard);
            model.send({ turn });
          });
          times.push(performance.now() - begin);
        }
        return times;
      };
    } };'''
    def __init__(self):
        super().__init__()
        self.on_msg(lambda widget, message, buffers: self.send(message))
Echo()"""
TARGETS = "button, label:has(input), summary, input:is([type=text], [type=search], [type=range])"
SMALL = """(targets) => [...document.querySelectorAll(`.clm-live :is(${targets})`)]
  .filter((e) => e.offsetParent !== null && e.getBoundingClientRect().height < 21.5)
  .map((e) => e.outerHTML.slice(0, 120))"""
MOVES = """async (moves) => {
  const root = document.querySelector(".clm-live:has(.nd)");
  const range = root.querySelector("input[type=range]");
  const times = { layout: [], plan: [] };
  const changed = (name) => new Promise((resolve) => {
    const seen = new MutationObserver(() => { seen.disconnect(); resolve(performance.now()); });
    seen.observe(root, { attributes: true, attributeFilter: [name] });
  });
  for (let turn = 0; turn < moves; turn += 1) {
    const layout = changed("data-previewed");
    const plan = changed("data-drawn");
    const begin = performance.now();
    range.value = String(1 + (turn % 6));
    range.dispatchEvent(new Event("input", { bubbles: true }));
    times.layout.push((await layout) - begin);
    times.plan.push((await plan) - begin);
  }
  return times;
}"""


def _picker(lab: LabPage, index: int, has: str) -> Any:
    found = lab.cell(index).locator(f".clm-live:has({has})")
    found.wait_for(timeout=30_000)
    return found


def _settled(lab: LabPage, index: int, text: str) -> None:
    lab.cell(index).locator(f".clm-live:has-text('{text}')").wait_for(timeout=10_000)


def _ran(lab: LabPage, index: int, text: str) -> str:
    """Run a cell and wait for an output with a text: it is drawn a moment after the cell's end."""
    lab.run(index)
    output = lab.cell(index).locator(f".jp-Cell-outputWrapper:has-text({text!r})")
    output.wait_for(timeout=10_000)
    return str(output.inner_text())


def test_the_device_that_is_clicked_is_used_by_the_next_cell(
    open_cells: Callable[..., LabPage], picture: Callable[[LabPage, str], Path]
) -> None:
    """R-01."""
    say = "clm.build('kernel void f(global int *x) { x[0] = 1; }').device.short_name"
    lab = open_cells("devices", SETUP, "%opencl devices", "clm.widgets.DevicePicker()", say, "%opencl device pocl", say)
    lab.run(0)
    lab.run(1)
    lab.run(2)
    first, second = _picker(lab, 1, ".dev"), _picker(lab, 2, ".dev")
    assert lab.cell(1).locator(".jp-OutputArea-output").count() == 2
    assert lab.cell(1).locator("details.line:not([open])").count() == 1
    first.locator("tr:has-text('Oclgrind') .sim").click()
    _settled(lab, 2, "chosen: Oclgrind simulator")
    assert second.locator("tr.on").inner_text().startswith("Oclgrind simulator")
    _ran(lab, 3, "Oclgrind simulator")
    picture(lab, "device_picker")
    lab.run(4)
    _settled(lab, 1, "chosen: PoCL cpu")
    first.locator("tr.on input").focus()
    lab.page.keyboard.press("ArrowDown")
    lab.page.wait_for_function("() => !document.querySelector('.clm-live .dev tr.on').innerText.startsWith('PoCL')")
    chosen = first.locator("tr.on b").inner_text()
    assert first.locator("tr.on input:focus").count() == 1
    _ran(lab, 5, chosen)
    assert lab.faults == []


def test_a_filter_hides_rows_and_a_search_goes_on_beside_it(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("filter", SETUP, "clm.widgets.DevicePicker()")
    lab.run(0)
    lab.run(1)
    picker = _picker(lab, 1, ".dev")
    every = picker.locator("tbody tr").count()
    picker.locator("input[type=search]").fill("simulator")
    assert picker.locator("tbody tr:visible").count() == 1
    assert f"1 of {every} shown" in picker.inner_text()
    picker.locator("input[type=search]").fill("no such thing")
    assert "No device has “no such thing”" in picker.inner_text()
    picker.locator("button:has-text('Clear the filter')").click()
    assert picker.locator("tbody tr:visible").count() == every
    picker.locator("button:has-text('Refresh')").click()
    picker.locator("button:has-text('Searching')").wait_for(timeout=5_000)
    picker.locator("button:has-text('Refresh')").wait_for(timeout=30_000)
    picker.locator("summary").click()
    assert "largest group" in picker.inner_text()
    lab.run(1)
    assert _picker(lab, 1, ".dev").locator("tbody tr:visible").count() == every
    assert lab.faults == []


def test_a_size_that_is_dragged_is_planned_at_once_and_used_by_the_next_call(
    open_cells: Callable[..., LabPage], picture: Callable[[LabPage, str], Path]
) -> None:
    """K-19."""
    make = "picker = clm.widgets.NDRangePicker(blur, (600, 512), (16, 16)); picker"
    call = "x = np.zeros((512, 600), np.int32); run = blur(x, 600, 512); x.max(), picker.value, run.plan == picker.plan"
    lab = open_cells("ndrange", SETUP, KERNELS, make, call)
    for index in range(3):
        lab.run(index)
    picker = _picker(lab, 2, ".nd")
    _settled(lab, 2, "600 × 512 items in 16 × 16 groups")
    slider = picker.locator("input[type=range]").first
    box = slider.bounding_box()
    lab.page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 16)
    lab.page.mouse.down()
    for step in range(1, 11):
        lab.page.mouse.move(box["x"] + box["width"] * (0.4 - 0.03 * step), box["y"] + 16)
    lab.page.mouse.up()
    dragged = picker.locator("[aria-label='local size x'][type=text]").input_value()
    assert dragged != "16"
    _settled(lab, 2, f"items in {dragged} × 16 groups")
    said = _ran(lab, 3, "(600, 512)")
    assert f"({int(dragged) * 1000 + 16}" in said.replace("np.int32(", "(")
    assert "True" in said
    assert lab.faults == []
    picture(lab, "ndrange_picker")


def test_a_drag_is_answered_in_50_ms_and_keys_drag_too(
    open_cells: Callable[..., LabPage], record_property: Callable[[str, object], None]
) -> None:
    lab = open_cells("drag", SETUP, KERNELS, "clm.widgets.NDRangePicker(blur, (600, 512), (16, 16))", ECHO)
    for index in range(4):
        lab.run(index)
    lab.page.locator("[data-echo]").wait_for(state="attached")
    slider = _picker(lab, 2, ".nd").locator("input[type=range]").first
    slider.focus()
    lab.page.keyboard.press("ArrowDown")
    _settled(lab, 2, "items in 15 × 16 groups")
    lab.page.keyboard.press("End")
    _settled(lab, 2, "items in 256 × 16 groups")
    lab.page.keyboard.press("Home")
    _settled(lab, 2, "items in 1 × 16 groups")
    echo = lab.page.evaluate("() => document.querySelector('[data-echo]').measure(60)")
    times = lab.page.evaluate(MOVES, 60)
    found = {name: (statistics.median(t), statistics.quantiles(t, n=20)[-1]) for name, t in times.items()}
    bare = statistics.median(echo)
    words = [f"{name}: median {median:.1f} ms, p95 {p95:.1f} ms" for name, (median, p95) in found.items()]
    measured = "; ".join([*words, f"a bare message there and back: median {bare:.1f} ms"])
    record_property("measured", measured)
    sys.stderr.write(f"{measured}\n")
    assert found["layout"][0] <= 50, measured
    # What the way to a kernel and back takes is the machine's; on an idle one it is a few milliseconds.
    assert found["plan"][0] - bare <= 50, measured
    assert lab.faults == []


def test_what_is_typed_is_explained_and_a_way_out_is_one_click(
    open_cells: Callable[..., LabPage], picture: Callable[[LabPage, str], Path]
) -> None:
    lab = open_cells(
        "typed", SETUP, KERNELS, "p = clm.widgets.NDRangePicker(fixed, (96, 8)); p", "p.value, p.fault", "fixed.sizes"
    )
    for index in range(3):
        lab.run(index)
    picker = _picker(lab, 2, ".nd")
    _settled(lab, 2, "fixed by reqd_work_group_size")
    assert picker.locator("input[type=range]:enabled").count() == 0
    field = picker.locator("[aria-label='global size x']")
    field.press("ArrowUp")
    _settled(lab, 2, "112 × 8 items in 16 × 4 groups")
    field.fill("100")
    _settled(lab, 2, "allows no smaller group")
    assert picker.locator("[role=alert]").inner_text().startswith("x: 100 = 6 × 16 + 4")
    assert field.input_value() == "100"
    _ran(lab, 3, "(112, 8)")
    picture(lab, "ndrange_picker_fault")
    picker.locator("button:has-text('Global 96 × 8')").click()
    _settled(lab, 2, "96 × 8 items in 16 × 4 groups")
    assert field.input_value() == "96"
    for text, words in (
        ("0", "has nothing to do"),
        ("-3", "not negative"),
        ("1<<70", "over 64 bits"),
        ("x", "no whole number"),
    ):
        field.fill(text)
        _settled(lab, 2, words)
    field.fill("64")
    picker.locator("label:has-text('1D')").click()
    _settled(lab, 2, "needs 2 dimensions")
    picker.locator("button:has-text('Global')").first.click()
    picker.locator("[role=alert]").wait_for(state="detached")
    assert picker.locator("[aria-label='global size y']").input_value() == "4"
    lab.run(2)
    assert _picker(lab, 2, ".nd").locator("[aria-label='global size y']").count() == 1
    assert lab.faults == []


def test_fields_stay_usable_while_the_kernel_is_busy(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells(
        "busy", SETUP, KERNELS, "p = clm.widgets.NDRangePicker(blur, (600, 512)); p", "import time; time.sleep(4)"
    )
    for index in range(3):
        lab.run(index)
    picker = _picker(lab, 2, ".nd")
    _settled(lab, 2, "600 × 512 items")
    lab.cell(3).locator(".cm-content").click()
    lab.page.keyboard.press("Control+Enter")
    field = picker.locator("[aria-label='global size x']")
    for text in ("700", "800", "900"):
        field.fill(text)
    _settled(lab, 2, "busy with a cell")
    _settled(lab, 2, "900 × 512 items")
    assert "busy with a cell" not in picker.inner_text()
    assert field.input_value() == "900"
    assert lab.faults == []


def test_the_side_panel_and_a_picker_show_the_same_choice(open_cells: Callable[..., LabPage]) -> None:
    """R-01."""
    lab = open_cells("beside", SETUP, "clm.widgets.DevicePicker()")
    lab.run(0)
    lab.run(1)
    picker = _picker(lab, 1, ".dev")
    lab.page.evaluate("() => window.jupyterapp.commands.execute('cl-magic:show-panel')")
    radios = lab.page.locator("#cl-magic-panel input[type=radio]")
    radios.nth(1).wait_for(timeout=20_000)
    radios.nth(1).click()
    _settled(lab, 1, f"chosen: {picker.locator('tbody b').nth(1).inner_text()}")
    picker.locator("tbody tr").first.locator("b").click()
    lab.page.wait_for_function(
        "() => document.querySelector('#cl-magic-panel input[type=radio]').checked", timeout=20_000
    )
    assert lab.faults == []


def test_the_pickers_have_no_serious_fault_of_accessibility(open_cells: Callable[..., LabPage]) -> None:
    show = "clm.widgets.NDRangePicker(blur, (600, 512), (16, 16))"
    fixed = "clm.widgets.NDRangePicker(fixed, 100)"
    lab = open_cells("access", SETUP, KERNELS, "clm.widgets.DevicePicker()", show, fixed)
    for index in range(5):
        lab.run(index)
    _picker(lab, 2, ".dev")
    _picker(lab, 3, ".lay")
    _settled(lab, 4, "needs 2 dimensions")
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        lab.theme(theme)
        assert serious_faults(lab.page, ".clm-live") == []
    assert lab.page.evaluate(SMALL, TARGETS) == []
