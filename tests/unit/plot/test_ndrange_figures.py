"""Figures of NDRanges: colours by item, a selected work-item, slices, and ranges of any size."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from support.values import capture_of, plan_of, run_record

from cl_magic.errors import ArgumentError, NDRangeError
from cl_magic.launch.partition import partition_of
from cl_magic.plot import plot_ndrange


def _axes() -> Any:
    return Figure(figsize=(6, 4), layout="constrained").subplots()


def _words(ax: Any) -> str:
    return "\n".join(text.get_text() for text in ax.texts)


def test_an_array_colours_each_item_at_its_place() -> None:
    values = np.arange(12 * 5, dtype=np.float32).reshape(5, 12)
    ax = plot_ndrange(plan_of((12, 5), (4, 2), offset=(100, 40)), ax=_axes(), color_by=values)
    (image,) = ax.images
    assert np.array_equal(image.get_array(), values)
    assert tuple(image.get_extent()) == (100, 112, 45, 40)
    assert ax.get_xlim() == (100, 112)
    assert ax.get_ylim() == (45, 40)
    assert ax.figure.axes[-1].get_ylabel() == "color_by"


def test_a_reduced_array_covers_its_blocks() -> None:
    values = np.arange(512 * 601, dtype=np.float64).reshape(512, 601)
    ax = plot_ndrange(plan_of((601, 512), (16, 16)), ax=_axes(), color_by=values)
    (image,) = ax.images
    rows, columns = image.get_array().shape
    left, right, bottom, top = image.get_extent()
    assert (left, right, bottom, top) == (0, columns * 3, rows * 3, 0)
    assert ax.get_xlim() == (0, 601)


def test_a_captured_array_colours_by_name() -> None:
    run = run_record()
    ax = plot_ndrange(run, ax=_axes(), color_by="dst")
    assert ax.images
    assert run.plot_ndrange(ax=_axes(), color_by="dst").images
    flat = np.arange(600 * 512, dtype=np.float32)
    ax = plot_ndrange(run_record(captures=(capture_of("dst", flat, flat),)), ax=_axes(), color_by="dst")
    shown = np.asarray(ax.images[0].get_array())
    assert np.all(np.diff(shown[:, 0]) > 0)
    with pytest.raises(ArgumentError, match="a plan holds none"):
        plot_ndrange(run.plan, ax=_axes(), color_by="dst")
    with pytest.raises(ArgumentError, match=r"\(512, 600\)"):
        plot_ndrange(run, ax=_axes(), color_by=np.zeros((600, 512)))


def test_a_selected_item_is_marked_with_all_ids() -> None:
    """R-19, K-09."""
    ax = plot_ndrange(partition_of(plan_of((603, 515), (16, 16), offset=(100, 40))), ax=_axes(), select=(700, 552))
    assert "item (700, 552)\ngroup (37, 32), local (8, 0)" in _words(ax)
    group = ax.patches[-1]
    assert (group.get_x(), group.get_y(), group.get_width(), group.get_height()) == (692, 552, 11, 3)
    assert [tuple(line.get_xydata()[0]) for line in ax.lines] == [(700.5, 552.5)]
    assert "item 983" in _words(plot_ndrange(plan_of((1000,), (64,)), ax=_axes(), select=983))
    with pytest.raises(NDRangeError, match="no work-item"):
        plot_ndrange(plan_of((1000,), (64,)), ax=_axes(), select=1000)


def test_the_slice_of_the_selected_item_is_drawn() -> None:
    plan = plan_of((6, 5, 35), (2, 2, 4))
    values = np.arange(6 * 5 * 35).reshape(35, 5, 6)
    ax = plot_ndrange(plan, ax=_axes(), select=(1, 2, 33), color_by=values)
    assert np.array_equal(ax.images[0].get_array(), values[33])
    assert "slice 34 of 35" in _words(ax).replace("\n", " ")
    hatched = [p for p in plot_ndrange(plan, ax=_axes()).patches if p.get_hatch() == "////"]
    assert len(hatched) == 1
    assert len([p for p in ax.patches if p.get_hatch() == "////"]) == 2


@pytest.mark.parametrize("items", [10**3, 10**6, 10**9, 10**18])
def test_a_range_of_any_size_is_drawn_at_once(items: int) -> None:
    start = time.perf_counter()
    ax = plot_ndrange(plan_of((items,), (64,)), ax=_axes())
    assert time.perf_counter() - start < 2
    assert ax.collections[0].get_array().size <= 200
    if items > 10**6:
        assert "a field is" in _words(ax).replace("\n", " ")
