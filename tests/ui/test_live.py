"""A loop under a live view in a real JupyterLab: the picture moves while the cell runs, and stops at the last state."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.lab import LabPage

pytestmark = pytest.mark.ui

SETUP = """%load_ext cl_magic
import numpy as np, time, cl_magic as clm"""
CELL = """%%opencl
kernel void diffuse(global const float *src, global float *dst) {
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    float c = src[y * w + x];
    float s = src[y * w + (x + 1) % w] + src[y * w + (x + w - 1) % w]
            + src[((y + 1) % h) * w + x] + src[((y + h - 1) % h) * w + x];
    dst[y * w + x] = c + 0.2f * (s - 4.0f * c);
}"""
LOOP = """n = 1024
a = clm.array(np.random.default_rng(1).random((n, n), np.float32)); b = clm.zeros((n, n))
start, steps = time.perf_counter(), 0
while time.perf_counter() - start < 4:
    diffuse(a, b, global_size=(n, n), capture="none"); a, b = b, a
    steps += 1
print(steps)"""
COUNT = """() => {
    window.clmSeen = new Set();
    window.clmTimer = setInterval(() => {
        const canvas = document.querySelector('canvas.buf-canvas');
        if (!canvas) return;
        const data = canvas.getContext('2d').getImageData(100, 100, 24, 1).data;
        window.clmSeen.add([...data].join());
    }, 8);
}"""


def test_a_loop_is_a_moving_picture(
    open_cells: Callable[..., LabPage], picture: Callable[[LabPage, str], Path]
) -> None:
    lab = open_cells("live_loop", SETUP, CELL, "%opencl watch diffuse", LOOP, "print(float(np.ptp(a.numpy())))")
    for index in range(3):
        lab.run(index)
    lab.page.wait_for_timeout(500)
    assert "Waiting for the next launch of diffuse" in lab.cell(2).inner_text()
    lab.page.evaluate(COUNT)
    lab.run(3)
    seen = lab.page.evaluate("() => { clearInterval(window.clmTimer); return window.clmSeen.size; }")
    assert (
        seen >= 4 * 8
    )  # different pictures in four seconds; on a machine with nothing else to do there are 20 a second
    steps = int(lab.cell(3).locator(".jp-OutputArea-output").first.inner_text())
    lab.page.wait_for_timeout(1500)
    told = lab.cell(2).inner_text().replace("\u202f", "").replace(" ", "")
    assert re.search(rf"launch{steps}\b", told), told[:200]
    spread = float(lab.run(4).inner_text())
    assert spread > 0
    picture(lab, "live_loop")
    assert lab.faults == []
