"""The buffer view in a real JupyterLab: what its canvas shows are the array's values, and what is clicked is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.lab import LabPage

from cl_magic.display.colour import BAD, CIVIDIS

pytestmark = pytest.mark.ui

SETUP = """import numpy as np, cl_magic as clm
from cl_magic.widgets.live_view import LiveView
from cl_magic.views.buffer import buffer_payload
SOURCE = '''
typedef struct { int id; float pos[3]; } P;
kernel void fill(global float *dst) {
    size_t x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    dst[y * w + x] = x == 3 && y == 2 ? NAN : (float)(x * 10 + y) / 7.0f;
}
kernel void spread(global float4 *v) { size_t i = get_global_id(0); v[i] = (float4)(i, 2.0f * i, -1.0f * i, 1.0f); }
kernel void move(global P *p) { size_t i = get_global_id(0); p[i].pos[1] = 0.5f * i; }
kernel void grow(global float *vol) {
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    vol[(z * get_global_size(1) + y) * get_global_size(0) + x] = (float)(x + 10 * y + 100 * z);
}
'''
program = clm.build(SOURCE)"""
CANVAS = "canvas.buf-canvas"
PIXEL = """(canvas, places) => {
    const ratio = canvas.width / parseFloat(canvas.style.width);
    const context = canvas.getContext('2d');
    return places.map(([x, y]) => [...context.getImageData(Math.floor(x * ratio), Math.floor(y * ratio), 1, 1).data]);
}"""


def cividis(share: NDArray[Any]) -> NDArray[Any]:
    """Colours by the table of the reports, in 256 steps."""
    at = np.round(share * 255) / 255 * (len(CIVIDIS) - 1)
    return np.stack([np.interp(at, np.arange(len(CIVIDIS)), [p[c] for p in CIVIDIS]) for c in range(3)], axis=-1)


def button(lab: LabPage, group: str, name: str) -> None:
    lab.page.get_by_role("group", name=group).get_by_role("button", name=name, exact=True).click()
    lab.page.wait_for_timeout(150)


def settled(lab: LabPage, index: int) -> Any:
    lab.run(index)
    canvas = lab.cell(index).locator(CANVAS)
    canvas.first.wait_for()
    lab.page.wait_for_timeout(300)
    return canvas


def test_pixels_are_the_arrays_values(
    open_cells: Callable[..., LabPage], picture: Callable[[LabPage, str], Path]
) -> None:
    show = """dst = np.zeros((60, 80), np.float32)
run = program.fill(dst, global_size=(80, 60))
LiveView(buffer_payload(run, "dst"))"""
    lab = open_cells("buffer_pixels", SETUP, show)
    lab.run(0)
    settled(lab, 1)
    button(lab, "show", "after")
    canvas = lab.cell(1).locator(CANVAS).first
    box = canvas.bounding_box()
    y, x = np.mgrid[0:60, 0:80]
    values = ((x * 10 + y) / np.float32(7)).astype(np.float32)
    values[2, 3] = np.nan
    places = [[(c + 0.5) * box["width"] / 80, (r + 0.5) * box["height"] / 60] for r in range(60) for c in range(80)]
    seen = np.array(canvas.evaluate(PIXEL, places), float).reshape(60, 80, 4)
    low, high = np.nanmin(values), np.nanmax(values)
    expected = cividis((values - low) / (high - low))
    expected[2, 3] = BAD
    finite = np.isfinite(values)
    near = np.abs(np.mgrid[0:60, 0:80] - np.array([2, 3])[:, None, None]).max(axis=0) <= 2  # the mark around the NaN
    assert np.abs(seen[..., :3] - expected)[finite & ~near].max() <= 1
    assert np.abs(seen[2, 3, :3] - BAD).max() <= 1
    canvas.click(position={"x": box["width"] * 41.5 / 80, "y": box["height"] * 15.5 / 60})
    picked = lab.cell(1).locator(".buf-picked", has_text="dst[15, 41]")
    picked.wait_for()
    told = picked.inner_text().replace("\u202f", "")
    assert "(41, 15)" in told
    assert str(15 * 80 + 41) in told
    assert f"{values[15, 41]:.4f}" in told
    picture(lab, "buffer_heat")
    assert lab.faults == []


def test_keys_move_zoom_and_let_go(open_cells: Callable[..., LabPage]) -> None:
    show = "dst = np.zeros((60, 80), np.float32)\nrun = program.fill(dst, global_size=(80, 60))\nrun.live()"
    lab = open_cells("buffer_keys", SETUP, show)
    lab.run(0)
    canvas = settled(lab, 1).first
    canvas.focus()
    told = lab.cell(1).locator(".buf-picked")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        lab.page.keyboard.press(key)
    lab.page.wait_for_timeout(150)
    assert "dst[31, 41]" in told.inner_text()
    for _ in range(10):
        lab.page.keyboard.press("+")
    lab.page.wait_for_timeout(150)
    assert "dst[31, 41]" in told.inner_text()
    assert "Arrow keys" in (canvas.get_attribute("aria-label") or "")
    lab.page.keyboard.press("Escape")
    lab.page.wait_for_timeout(150)
    assert "Click an element" in told.inner_text()
    lab.cell(1).get_by_role("button", name="1 NaN").click()
    lab.page.wait_for_timeout(150)
    assert "dst[2, 3]" in told.inner_text()
    assert lab.faults == []


def test_exact_elements_come_where_one_zooms_in(open_cells: Callable[..., LabPage]) -> None:
    show = "dst = np.zeros((1024, 2048), np.float32)\nrun = program.fill(dst, global_size=(2048, 1024))\nrun.live()"
    lab = open_cells("buffer_exact", SETUP, show)
    lab.run(0)
    canvas = settled(lab, 1).first
    canvas.focus()
    told = lab.cell(1).locator(".buf-picked")
    lab.page.keyboard.press("ArrowRight")
    lab.page.wait_for_timeout(200)
    assert "≈" in told.inner_text()
    for _ in range(8):
        lab.page.keyboard.press("+")
    lab.page.wait_for_timeout(1500)
    after = told.inner_text().replace("\u202f", "")
    assert "dst[512, 1024]" in after
    assert f"after {(1024 * 10 + 512) / 7:.4f}" in " ".join(after.split())
    button(lab, "form", "hex")
    first = lab.cell(1).locator(".buf-hex").first
    lab.cell(1).get_by_role("button", name="next page").click()
    lab.page.wait_for_timeout(800)
    assert "as the array is now" in lab.cell(1).inner_text()
    offset = int(lab.cell(1).locator("tbody td").first.inner_text(), 16)
    flat = ((np.arange(2048) * 10) / np.float32(7)).astype(np.float32).tobytes()
    assert "".join(first.inner_text().split()) == flat[offset : offset + 16].hex()
    assert lab.faults == []


def test_components_records_volumes_and_bytes(
    open_cells: Callable[..., LabPage], picture: Callable[[LabPage, str], Path]
) -> None:
    vectors = "v = np.zeros((50, 4), np.float32)\nrun = program.spread(v, global_size=50)\nrun.live()"
    records = """p = np.zeros(30, [("id", "i4"), ("pos", "f4", 3)])
run = program.move(p, global_size=30)
run.live()"""
    volume = "vol = np.zeros((6, 8, 9), np.float32)\nrun = program.grow(vol, global_size=(9, 8, 6))\nrun.live()"
    lab = open_cells("buffer_kinds", SETUP, vectors, records, volume)
    lab.run(0)
    settled(lab, 1)
    cell = lab.cell(1)
    cell.get_by_role("group", name="component").get_by_role("button", name="y", exact=True).click()
    cell.locator(CANVAS).first.focus()
    lab.page.keyboard.press("ArrowRight")
    lab.page.wait_for_timeout(200)
    assert "(25.0000, 50.0000, −25.0000, 1.0000)" in cell.locator(".buf-picked").inner_text()
    lab.run(2)
    table = lab.cell(2).locator(".buf-tall")
    table.wait_for()
    assert "(0.0000, 0.0000, 0.0000) → (0.0000, 2.5000, 0.0000)" in table.inner_text()
    lab.cell(2).get_by_role("group", name="form").get_by_role("button", name="hex", exact=True).click()
    lab.page.wait_for_timeout(200)
    assert "0x0010" in lab.cell(2).inner_text()
    settled(lab, 3)
    lab.cell(3).locator("input[type=range]").fill("5")
    lab.cell(3).locator(CANVAS).nth(1).focus()
    lab.page.keyboard.press("ArrowRight")
    lab.page.wait_for_timeout(200)
    told = lab.cell(3).locator(".buf-picked").inner_text()
    assert "vol[5, 4, 4]" in told
    assert "(4, 4, 5)" in told
    assert "after 544.0000" in " ".join(told.split())
    picture(lab, "buffer_kinds")
    assert lab.faults == []
