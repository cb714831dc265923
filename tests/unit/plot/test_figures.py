"""Figures are drawn from values alone, and what they show equals the record."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from support.values import capture_of, plan_of, run_record

from cl_magic.errors import ArgumentError, RecordError
from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.plot import plot_buffer, plot_ndrange, plot_timeline
from cl_magic.record.capture_arrays import Watch
from cl_magic.record.event import CommandEvent
from cl_magic.record.timeline import lay_out
from cl_magic.show import load_view, png_of


def _axes() -> Any:
    return Figure(figsize=(6, 4)).subplots()


def test_the_timeline_draws_every_command_where_its_times_say() -> None:
    run = run_record()
    ax = plot_timeline(run, ax=_axes())
    laid = lay_out(run)
    drawn = [c for c in ax.collections if isinstance(c, PolyCollection)]
    spans = sorted((c.get_paths()[0].vertices[:, 0].min(), c.get_paths()[0].vertices[:, 0].max()) for c in drawn)
    for bar in laid.bars:
        wanted = (laid.axis.place(bar.start_ns), laid.axis.place(bar.end_ns))
        assert any(np.allclose(span, wanted) for span in spans), bar
    assert run.kernel in ax.get_title(loc="left")


def test_several_runs_share_the_axis_and_have_a_lane_each() -> None:
    run = run_record()
    later = dataclasses.replace(run, kernel="sharpen", events=run.events[:3])
    ax = plot_timeline([run, later], ax=_axes())
    assert [label.get_text() for label in ax.get_yticklabels()] == [run.kernel, "sharpen"]
    alone = plot_timeline(run, ax=_axes())
    assert [tick.get_text() for tick in ax.get_xticklabels()] == [tick.get_text() for tick in alone.get_xticklabels()]
    assert len(ax.collections) > len(alone.collections)
    assert plot_timeline([], ax=_axes()).get_title(loc="left") == "0 runs"


def test_a_timeline_of_many_commands_is_drawn_as_density() -> None:
    events = tuple(CommandEvent("kernel", "k", i * 100, i * 100, i * 100 + 10, i * 100 + 60) for i in range(5000))
    ax = plot_timeline(dataclasses.replace(run_record(), events=events), ax=_axes())
    assert len(ax.collections) + len(ax.lines) < 50
    assert any(patch for patch in ax.patches)


def test_a_record_without_commands_still_gives_axes() -> None:
    ax = plot_timeline(dataclasses.replace(run_record(), events=()), ax=_axes())
    assert ax.get_xlim() == (0, 1)


@pytest.mark.parametrize("size", [(1000,), (600, 512), (100, 60, 7), (1,), (10**9,), (3, 100_000)])
def test_the_ndrange_spans_exactly_its_ids(size: tuple[int, ...]) -> None:
    local = (16, 16, 2)[: len(size)]
    plan = plan_of(size, local)
    ax = plot_ndrange(plan, ax=_axes())
    assert ax.get_xlim() == (0, size[0])
    if len(size) > 1:
        assert ax.get_ylim() == (size[1], 0)
    assert len(ax.patches) <= 8


def test_offset_and_remainder_stand_where_they_are() -> None:
    parts = (LaunchPart((100,), (96,), (16,)), LaunchPart((196,), (4,), (4,), "remainder"))
    plan = LaunchPlan((100,), (100,), (16,), "as you gave it", "split", parts, (7,))
    ax = plot_ndrange(plan, ax=_axes())
    assert ax.get_xlim() == (100, 200)
    assert [(p.get_x(), p.get_width()) for p in ax.patches] == [(196, 4)]


def test_padding_is_marked_outside_the_range() -> None:
    parts = (LaunchPart((0, 0), (112, 64), (16, 16)),)
    plan = LaunchPlan((100, 60), (0, 0), (16, 16), "", "padded", parts, (7, 4), padded_global_size=(112, 64))
    ax = plot_ndrange(plan, ax=_axes())
    boxes = {(p.get_x(), p.get_y(), p.get_width(), p.get_height()) for p in ax.patches}
    assert boxes == {(100, 0, 12, 64), (0, 60, 100, 4)}


def test_an_image_shows_the_captured_cells() -> None:
    before = np.zeros((60, 40), np.float32)
    after = np.linspace(0, 1, 2400, dtype=np.float32).reshape(60, 40)
    ax = plot_buffer(capture_of("dst", before, after), ax=_axes())
    assert np.array_equal(ax.images[0].get_array(), after)
    assert ax.get_xlim() == (-0.5, 39.5)
    assert ax.get_ylim() == (59.5, -0.5)


def test_a_line_shows_one_dimension() -> None:
    after = np.arange(100, dtype=np.int32)
    ax = plot_buffer(capture_of("y", np.zeros_like(after), after), ax=_axes())
    assert np.array_equal(ax.lines[0].get_ydata(), after)


def test_a_name_chooses_and_a_wrong_one_lists_what_there_is() -> None:
    run = run_record()
    name = run.captures[0].label
    assert name in plot_buffer(run, name, ax=_axes()).get_title(loc="left")
    with pytest.raises(ArgumentError) as caught:
        plot_buffer(run, "nothing", ax=_axes())
    assert name in caught.value.message
    bare = dataclasses.replace(run.captures[0], picture_before=None, picture_after=None, picture_difference=None)
    with pytest.raises(RecordError):
        plot_buffer(bare, ax=_axes())


@pytest.mark.parametrize(
    "array", [np.full((8, 8), np.nan, np.float32), np.zeros((8, 8)), np.ones(1), np.ones((4, 4), bool)]
)
def test_constant_and_empty_of_facts_arrays_are_drawn(array: np.ndarray[Any, Any]) -> None:
    figure = Figure()
    capture = Watch(array, "x", "x", writes=True, mode="auto").finish(array)
    plot_buffer(capture, ax=figure.subplots())
    figure.canvas.draw()


def test_a_run_has_a_small_png() -> None:
    assert load_view("plot")
    data = png_of(run_record())
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(data) < 150_000
