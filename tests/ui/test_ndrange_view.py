"""The NDRange view as a user works with it: zoom, keys, ids by hover, click and typing, one selection for all views."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.lab import LabPage

pytestmark = pytest.mark.ui

SETUP = """import numpy as np
import cl_magic as clm
from cl_magic.widgets.live_view import LiveView
from cl_magic.views.ndrange import ndrange_payload
program = clm.build(\"\"\"kernel void place(global int *out, int w) {
    size_t x = get_global_id(0), y = get_global_id(1);
    out[(y - 40) * w + x - 100] = (int)(get_group_id(1) * 1000 + get_group_id(0));
}\"\"\")
out = np.zeros((53, 70), np.int32)
run = program.place(out, 70, global_size=(70, 53), local_size=(16, 16), global_offset=(100, 40))
view = LiveView(ndrange_payload(run)); view"""
OTHER = """view.show(ndrange_payload(clm.partition(program.place, (70, 53), (8, 4), global_offset=(100, 40))))"""
AGAIN = "LiveView(ndrange_payload(run))"
BIG = "LiveView(ndrange_payload(clm.partition(program.place, (10**9, 10**8), (16, 16))))"
SIZES = """from IPython.display import display
for n in (10**3, 10**6, 10**9):
    display(LiveView(ndrange_payload(clm.partition(program.place, (n, 1), (64, 1)))))"""
MOST_MS = 120
"""For one drawing; a few milliseconds where the machine is idle."""


def _view(lab: LabPage, index: int) -> Any:
    found = lab.cell(index).locator(".ndr").first
    found.wait_for(timeout=20_000)
    found.locator("td").first.wait_for(timeout=20_000)
    return found


def _ids(view: Any) -> dict[str, list[str]]:
    rows = view.locator(".ndr-side table").first.locator("tbody tr").all()
    cells = [[cell.inner_text().replace("\u202f", "") for cell in row.locator("td").all()] for row in rows]
    return {row[0]: row[1:] for row in cells}


def test_ids_by_typing_and_keys(open_cells: Callable[..., LabPage]) -> None:
    """R-19, K-09, K-22: every kind of id, and the element in NumPy's order."""
    lab = open_cells("ndrange_ids", SETUP)
    lab.run(0)
    view = _view(lab, 0)
    field = view.locator(".ndr-jump input")
    field.fill("169 92")
    field.press("Enter")
    lab.page.wait_for_timeout(100)
    assert _ids(view) == {
        "global id": ["169", "92", str(52 * 70 + 69)],
        "group id": ["4", "3", "19"],
        "local id": ["5", "4", str(4 * 6 + 5)],
        "size of its group": ["6", "5", "30"],
    }
    said = view.locator(".ndr-pairs").first.inner_text()
    assert re.search(r"out\[52, 69\] = 3\s004", said), said
    assert "4 of 4, remainder" in said
    canvas = view.locator(".ndr-pane canvas")
    canvas.focus()
    lab.page.keyboard.press("ArrowLeft")
    lab.page.keyboard.press("Shift+ArrowUp")
    lab.page.wait_for_timeout(100)
    assert _ids(view)["global id"][:2] == ["168", "76"]
    assert "Work-item (168, 76) is selected: group (4, 2), local (4, 4)" in canvas.get_attribute("aria-label")
    field.fill("99 1")
    field.press("Enter")
    assert "no such work-item: x 100 to 169" in view.locator("[role=alert]").inner_text()
    assert not lab.faults


def test_click_and_hover_tell_the_same_in_all_views(
    open_cells: Callable[..., LabPage], picture: Callable[..., Path]
) -> None:
    """R-19: one selection for all views of a run."""
    lab = open_cells("ndrange_click", SETUP, AGAIN)
    lab.run(0)
    lab.run(1)
    view, other = _view(lab, 0), _view(lab, 1)
    canvas = view.locator(".ndr-pane canvas")
    canvas.scroll_into_view_if_needed()
    canvas.click(position={"x": 160, "y": 170})
    lab.page.wait_for_timeout(100)
    clicked = _ids(view)["global id"]
    box = canvas.bounding_box()
    lab.page.mouse.move(box["x"] + 161, box["y"] + 170)
    lab.page.wait_for_timeout(100)
    tip = view.locator(".tip").inner_text()
    assert f"global ({clicked[0]}, {clicked[1]})" in tip
    assert "local (" in tip
    assert _ids(other) == _ids(view)
    picture(lab, "ndrange_ids")
    assert not lab.faults


def test_zoom_from_the_whole_range_to_one_item(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("ndrange_zoom", SETUP, BIG)
    lab.run(0)
    lab.run(1)
    view = _view(lab, 1)
    canvas = view.locator(".ndr-pane canvas")
    canvas.click(position={"x": 200, "y": 50})
    lab.page.wait_for_timeout(100)
    chosen = _ids(view)["global id"]
    overview = view.locator(".ndr-side canvas").last
    assert not overview.is_visible()
    box = canvas.bounding_box()
    lab.page.mouse.move(box["x"] + 200, box["y"] + 50)
    for _ in range(60):
        lab.page.mouse.wheel(0, -240)
    lab.page.wait_for_timeout(300)
    assert overview.is_visible()
    assert _ids(view)["global id"] == chosen
    lab.page.mouse.move(box["x"] + 201, box["y"] + 51)
    lab.page.wait_for_timeout(100)
    near = [int(n) for n in re.findall(r"\d+", view.locator(".tip").inner_text().replace("\u202f", ""))[:2]]
    assert abs(near[0] - int(chosen[0])) < 1e7
    lab.page.keyboard.press("Home")
    lab.page.wait_for_timeout(100)
    assert not overview.is_visible()
    assert not lab.faults


def test_dragging_moves_what_is_seen_and_selects_nothing(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("ndrange_drag", SETUP, BIG)
    lab.run(0)
    lab.run(1)
    view = _view(lab, 1)
    canvas = view.locator(".ndr-pane canvas")
    canvas.focus()
    lab.page.keyboard.press("Enter")
    lab.page.wait_for_timeout(200)
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    before = _ids(view)["global id"]
    lab.page.mouse.move(box["x"] + 350, box["y"] + 200)
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 150, box["y"] + 200, steps=4)
    lab.page.mouse.up()
    lab.page.wait_for_timeout(100)
    assert _ids(view)["global id"] == before
    lab.page.mouse.click(box["x"] + 350, box["y"] + 200)
    lab.page.wait_for_timeout(100)
    moved = int(_ids(view)["global id"][0]) - int(before[0])
    assert 0 < moved < 5
    assert not lab.faults


def test_other_groups_of_the_same_range_keep_what_is_seen(open_cells: Callable[..., LabPage]) -> None:
    lab = open_cells("ndrange_groups", SETUP, OTHER)
    lab.run(0)
    view = _view(lab, 0)
    view.locator(".ndr-jump input").fill("169 92")
    view.locator(".ndr-jump input").press("Enter")
    lab.page.wait_for_timeout(200)
    lab.run(1)
    lab.page.wait_for_timeout(500)
    found = _ids(view)
    assert (found["global id"][:2], found["group id"][:2]) == (["169", "92"], ["8", "13"])
    assert (found["local id"][:2], found["size of its group"][:2]) == (["5", "0"], ["6", "1"])
    assert view.locator(".ndr-side canvas").last.is_visible()
    assert "8 × 4 groups" in view.locator(".ndr-key").inner_text()
    assert not lab.faults


def test_a_billion_items_cost_what_a_thousand_do(open_cells: Callable[..., LabPage]) -> None:
    """Computed, never enumerated: the work of a drawing is bounded by its pixels."""
    lab = open_cells("ndrange_sizes", SETUP, SIZES)
    lab.run(0)
    lab.run(1)
    lab.page.wait_for_timeout(500)
    views = lab.cell(1).locator(".ndr")
    assert views.count() == 3
    for index in range(3):
        view = views.nth(index)
        view.locator(".ndr-pane canvas").focus()
        costs = []
        for _ in range(12):
            lab.page.keyboard.press("+")
            lab.page.wait_for_timeout(40)
            costs.append(float(view.get_attribute("data-draw-ms")))
        assert sorted(costs)[len(costs) // 2] < MOST_MS, costs
    assert not lab.faults
