"""Timelines: four times a command, warm-up cut, transfers with direction, density when many."""

from __future__ import annotations

import pytest
from support import values
from support.markup import read

from cl_magic.display.timeline import commands_table, timeline_body
from cl_magic.display.timeline_picture import timeline_svg
from cl_magic.record.event import CommandEvent


def test_lanes_bars_and_key_of_a_run() -> None:
    root = read(timeline_svg(values.run_record()))
    assert len(root.all("rect", "f-run")) == 6 + 1  # six runs and the key
    assert len(root.all("rect", "f-rem")) == 6 + 1
    labels = [t.words() for t in root.all("text")]
    assert [f"run {n}" in labels for n in range(1, 6)] == [True] * 5
    assert any(label.startswith("↑") for label in labels)
    assert any(label.startswith("↓") for label in labels)
    assert "not to scale" in labels
    assert any(label.startswith("warm-up 61") for label in labels)
    assert root.all(css="lanes")[0].words() == "msqueue 0"


def test_the_host_lane_needs_aligned_clocks() -> None:
    assert "host" not in read(timeline_svg(values.run_record())).all(css="lanes")[0].words()
    assert "host" in read(timeline_svg(values.run_record(clock_offset_ns=1))).all(css="lanes")[0].words()


def test_a_wide_transfer_says_its_rate() -> None:
    record = values.run_record(plan=values.plan_of((512, 512), (16, 16)), repeat=1, warmup=0)
    assert "5.9 GB/s" in read(timeline_svg(record)).words()


def test_positions_are_inside_the_picture() -> None:
    for bar in read(timeline_svg(values.run_record())).all("rect"):
        if bar.attributes.get("x", "").endswith("%"):
            left = float(bar.attributes["x"].rstrip("%"))
            assert 0 <= left <= 100
            assert left + float(bar.attributes["width"].rstrip("%")) <= 100.5


def test_many_commands_become_density() -> None:
    record = values.run_record(repeat=2000, warmup=0, captures=(), printf="")
    html = timeline_body(record)
    assert "drawn as density" in html
    assert len(read(html).all()) < 2000
    assert len(html) < 40_000


@pytest.mark.parametrize("commands", [1, 30, 400])
def test_a_timeline_is_bounded(commands: int) -> None:
    events = tuple(
        CommandEvent("kernel", "k", i * 1000, i * 1000 + 100, i * 1000 + 300, i * 1000 + 900, queue=i % 2, run=i + 1)
        for i in range(commands)
    )
    shapes = [
        e for e in read(timeline_svg(values.run_record(events=events))).all() if e.name in {"rect", "text", "line"}
    ]
    assert len(shapes) <= 2000


def test_without_events_it_says_so() -> None:
    record = values.run_record()
    empty = type(record)(record.kernel, record.device, record.plan)
    assert "No command was recorded" in timeline_body(empty)


def test_clamped_times_are_said() -> None:
    event = CommandEvent("kernel", "k", 0, 0, 0, 100, run=1, clamped=True)
    assert "clamped" in timeline_body(values.run_record(events=(event,)))


def test_table_holds_each_command_and_the_whole_run() -> None:
    rows = read(commands_table(values.run_record())).all("tbody")[0].all("tr")
    names = [row.children[0].words() for row in rows]
    assert names[0] == "upload src"
    assert "launch 1, main" in names
    assert "launch 2, remainder" in names
    assert any(name.startswith("one run") for name in names)
    assert "download dst" in names
