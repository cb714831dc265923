"""The static reports as a user sees them in JupyterLab: text, folding, both themes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from support.lab import LabPage

pytestmark = pytest.mark.ui

SETUP = "%load_ext cl_magic\nimport numpy as np"
SAXPY = """%%opencl
__kernel void saxpy(__global const float *x, __global float *y, float a)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}"""
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
WRONG = SAXPY.replace("get_global_id", "get_global_ld")


def test_a_build_and_a_run_fold_to_one_line(
    open_cells: Callable[..., LabPage],
    picture: Callable[[LabPage, str], Path],
) -> None:
    run = (
        "x = np.arange(1000, dtype=np.float32); y = np.ones_like(x)\nsaxpy(x, y, 2.0, global_size=1000, local_size=64)"
    )
    lab = open_cells("saxpy", SETUP, SAXPY, run)
    lab.run(0)
    built = lab.run(1)
    assert "saxpy" in built.inner_text()
    assert built.bounding_box()["height"] < 60
    ran = lab.run(2)
    first = ran.inner_text().splitlines()[0]
    assert "saxpy" in first
    assert "PoCL" in first
    assert ran.bounding_box()["height"] < 60
    picture(lab, "saxpy_folded")
    for summary in ran.locator("details > summary").all():
        if summary.is_visible():
            summary.click()
    for section in ("Plan", "NDRange", "Timeline", "Buffers"):
        assert section in ran.inner_text()
    picture(lab, "saxpy_open")
    assert lab.faults == []


def test_the_photograph_report_is_readable_when_all_is_open(
    open_cells: Callable[..., LabPage],
    picture: Callable[[LabPage, str], Path],
) -> None:
    load = (
        "from matplotlib.cbook import get_sample_data\nfrom matplotlib.image import imread\n"
        "with get_sample_data('grace_hopper.jpg') as file:\n"
        "    src = imread(file, format='jpg').mean(axis=2, dtype=np.float32) / 255\n"
        "dst = np.zeros_like(src); h, w = src.shape"
    )
    run = "blur(src, dst, w, h, global_size=(w, h), local_size=(16, 16), warmup=1, repeat=5, capture='full')"
    lab = open_cells("photo", SETUP, BLUR, load, run)
    for index in range(3):
        lab.run(index)
    ran = lab.run(3)
    ran.evaluate("el => el.querySelectorAll('details').forEach(d => { d.open = true; })")
    lab.page.set_viewport_size({"width": 1280, "height": 2400})
    ran.locator(".clm-live").nth(2).wait_for()  # the extension's pictures in place of the static ones
    lab.page.wait_for_timeout(300)
    assert ran.locator(".clm-live [role=img]").count() >= 2
    for image in ran.locator("[role=img]").all():
        assert image.get_attribute("aria-label")
    picture(lab, "photo_open")
    assert lab.faults == []


def test_a_build_error_names_the_cells_line_and_the_kernel_is_unbound(
    open_cells: Callable[..., LabPage],
    picture: Callable[[LabPage, str], Path],
) -> None:
    lab = open_cells("wrong", SETUP, WRONG, "print('alive')")
    lab.run(0)
    failed = lab.run(1)
    text = failed.inner_text()
    assert "4:" in text
    assert "get_global_ld" in text
    assert "get_global_id" in text
    assert "Traceback" not in text
    assert "alive" in lab.run(2).inner_text()
    picture(lab, "build_error")


def test_a_saved_notebook_shows_its_reports_without_a_kernel(
    open_cells: Callable[..., LabPage],
    lab_root: Path,
) -> None:
    lab = open_cells("saved", SETUP, SAXPY)
    lab.run(0)
    lab.run(1)
    lab.save()
    saved = nbformat.read(lab_root / "saved.ipynb", as_version=4)
    data = saved.cells[1].outputs[0].data
    assert "saxpy" in data["text/plain"]
    assert "saxpy" in data["text/html"]
    assert sum(len(str(value)) for value in data.values()) < 200_000
