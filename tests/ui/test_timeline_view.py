"""The timeline in JupyterLab: real runs, several, a million commands; measuring, searching, downloads, both themes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.lab import LabPage

pytestmark = pytest.mark.ui

SETUP = """%load_ext cl_magic
import cl_magic as clm, json, numpy as np
from cl_magic.views.timeline import timeline_payload
from cl_magic.widgets import LiveView"""
BLUR = """%%opencl
__kernel void blur(__global const float *src, __global float *dst, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += src[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)];
    dst[y * w + x] = sum / 9.0f;
}"""
RUN = """src = np.ones((512, 600), np.float32); dst = np.zeros_like(src)
run = blur(src, dst, 600, 512, global_size=(600, 512), local_size=(16, 16), warmup=1, repeat=5)
LiveView(timeline_payload(run))"""
MILLION = """from cl_magic.record.command_columns import CommandColumns
g = np.random.default_rng(1)
n = 1_000_000
took, queue, kind = g.integers(800, 6000, n), g.integers(0, 3, n), g.choice([0, 0, 1, 2], n)
start = np.cumsum(took // 2)
name = np.where(kind == 0, g.integers(0, 4, n), 4)
columns = CommandColumns.of_arrays(
    start, start + took // 3, queued_ns=start - 900, submit_ns=start - 400, queue=queue, kind=kind, name=name,
    names=["advect", "project", "blur", "sum", "field"], nbytes=np.where(kind > 0, 4096, 0), run=1, label="synthetic")
LiveView(timeline_payload(columns))"""
STUB = """<script>addEventListener("message", (e) => {
  if (e.data === "PING") e.source.postMessage("PONG", "*");
  else {
    document.title = e.data.perfetto.title;
    window.got = new TextDecoder().decode(e.data.perfetto.buffer);
  }
});</script>"""


def live(lab: LabPage, index: int) -> Any:
    """The live view of a cell, once it is drawn."""
    lab.run(index)
    view = lab.cell(index).locator(".clm-live").first
    view.locator(".tl-tables table").first.wait_for(timeout=30_000)
    return view


def numbers(text: str) -> list[int]:
    return [int(found.replace("\u202f", "")) for found in re.findall(r"\d[\d\u202f]*", text)]


def test_a_real_run_is_walked_measured_and_downloaded(
    open_cells: Callable[..., LabPage],
    picture: Callable[[LabPage, str], Path],
    tmp_path: Path,
) -> None:
    lab = open_cells("timeline_run", SETUP, BLUR, RUN, "print(json.dumps([run.trace(), run.commands()]))")
    asked: list[str] = []
    lab.page.context.on("request", lambda request: asked.append(request.url))
    lab.run(0)
    lab.run(1)
    view = live(lab, 2)
    trace, commands = json.loads(lab.run(3).inner_text())
    assert f"{len(commands['kind'])} commands on 1 queue" in view.locator(".head").inner_text()
    canvas = view.locator(".tl-canvas")
    assert "Timeline" in canvas.get_attribute("aria-label")
    canvas.focus()
    for _ in range(3):
        lab.page.keyboard.press("ArrowRight")
    facts = view.locator(".tl-facts").inner_text()
    assert "command 3 of" in facts
    assert commands["duration_ns"][2] in numbers(facts)
    lab.page.keyboard.press("[")
    lab.page.keyboard.press("}")
    view.get_by_text("ended in the interval").first.wait_for()
    picture(lab, "timeline_run")
    lab.page.keyboard.press("Escape")
    with lab.page.expect_download() as download:
        view.get_by_role("button", name="Trace JSON").click()
    saved = tmp_path / "trace.json"
    download.value.save_as(saved)
    assert json.loads(saved.read_text()) == trace
    with lab.page.expect_download() as download:
        view.get_by_role("button", name="CSV").click()
    assert download.value.suggested_filename == "blur.csv"
    assert not any("perfetto" in url for url in asked)
    assert lab.faults == []


def test_perfetto_is_reached_by_a_click_only(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("timeline_perfetto", SETUP, BLUR, RUN, "print(json.dumps(run.trace()))")
    context = lab.page.context
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(content_type="text/html", body=STUB)

    context.route(re.compile(r"https://ui\.perfetto\.dev/.*"), answer)
    lab.run(0)
    lab.run(1)
    view = live(lab, 2)
    trace = json.loads(lab.run(3).inner_text())
    assert asked == []
    with context.expect_page() as opened:
        view.get_by_role("button", name=re.compile("ui.perfetto.dev")).click()
    opened.value.wait_for_function("window.got")
    assert json.loads(opened.value.evaluate("window.got")) == trace
    assert opened.value.title() == "blur.trace"
    view.get_by_text("Sent to ui.perfetto.dev").wait_for()
    opened.value.close()
    assert lab.faults == []


def test_runs_stand_side_by_side(open_cells: Callable[..., LabPage], picture: Callable[[LabPage, str], Path]) -> None:
    again = "second = blur(src, dst, 600, 512, global_size=(600, 512), local_size=(8, 8), repeat=3)"
    both = "LiveView(timeline_payload([run, second]))"
    lab = open_cells("timeline_several", SETUP, BLUR, RUN, again, both)
    for index in range(4):
        lab.run(index)
    view = live(lab, 4)
    assert "2 runs" in view.locator(".head").inner_text()
    assert "blur 2" in view.locator(".tl-tables").inner_text()
    alone = lab.cell(2).locator(".tl-canvas")
    alone.focus()
    lab.page.keyboard.press("ArrowRight")
    assert "command 1 of" in view.locator(".tl-facts").inner_text()
    view.get_by_role("button", name="Host clock").click()
    view.scroll_into_view_if_needed()
    picture(lab, "timeline_several")
    assert lab.faults == []


def test_a_million_commands_are_zoomed_searched_and_measured(
    open_cells: Callable[..., LabPage],
    picture: Callable[[LabPage, str], Path],
) -> None:
    lab = open_cells("timeline_million", SETUP, MILLION)
    lab.run(0)
    view = live(lab, 1)
    assert "1\u202f000\u202f000 commands on 3 queues" in view.locator(".head").inner_text()
    canvas = view.locator(".tl-canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    canvas.focus()
    view.get_by_role("searchbox").fill("advect")
    view.get_by_text(re.compile(r"\d found$")).wait_for()
    y = box["y"] + 60
    lab.page.keyboard.down("Shift")
    lab.page.mouse.move(box["x"] + 300, y)
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 500, y, steps=8)
    lab.page.mouse.up()
    lab.page.keyboard.up("Shift")
    view.get_by_text("ended in the interval").first.wait_for()
    picture(lab, "timeline_million")
    view.get_by_role("button", name="next command found").click()
    lab.page.keyboard.press("Escape")
    canvas.focus()
    lab.page.keyboard.press("Enter")
    assert "advect" in view.locator(".tl-facts").inner_text()
    view.locator("summary").click()
    rows = view.locator(".tl-view details tbody tr")
    rows.nth(19).wait_for()
    assert rows.count() == 20
    picture(lab, "timeline_million_near")
    assert lab.faults == []


def test_an_element_selected_in_its_array_marks_the_command_of_its_work_item(
    open_cells: Callable[..., LabPage],
) -> None:
    """Linked both ways: the array's view does not know the launches, the timeline does, also the remainder's."""
    code = """%%opencl
kernel void ids(global int *out) { out[get_global_id(0)] = (int)get_group_id(0); }"""
    lab = open_cells(
        "timeline_linked", SETUP, code, "ids(np.zeros(61, np.int32), global_size=61, local_size=16).live()"
    )
    for index in range(3):
        lab.run(index)
    cell = lab.cell(2)
    for name, wanted in (("Home", "launch 1 of 2"), ("End", "launch 2 of 2")):
        cell.get_by_role("tab", name="Buffers").click()
        canvas = cell.locator("canvas.buf-canvas").first
        canvas.wait_for()
        canvas.focus()
        lab.page.keyboard.press("ArrowRight")
        for _ in range(70 if name == "End" else 0):
            lab.page.keyboard.press("ArrowRight")
        cell.get_by_role("tab", name="Timeline").click()
        facts = cell.locator(".tl-facts")
        facts.filter(has_text="selected").wait_for()
        assert wanted in facts.inner_text()
    assert lab.faults == []
