"""Timelines as numbers: bars from the first queued command on, one cut, ticks, busy shares, density (R-98)."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.records import run_with

from cl_magic.record.axis import Cut, TimeAxis, find_cuts, nice_step
from cl_magic.record.command_columns import CommandColumns
from cl_magic.record.event import CommandEvent
from cl_magic.record.timeline import DENSITY_BINS, busy_share, lay_out


def test_bars_are_relative_to_the_first_queued_command() -> None:
    timeline = lay_out(run_with())
    assert min(bar.queued_ns for bar in timeline.bars) == 0
    assert all(bar.queued_ns <= bar.submit_ns <= bar.start_ns <= bar.end_ns for bar in timeline.bars)
    assert timeline.axis.end_ns == max(bar.end_ns for bar in timeline.bars)
    upload = timeline.bars[0]
    assert (upload.label, upload.duration_ns, upload.nbytes) == ("↑", 210_000, 1_228_800)
    assert upload.bytes_per_second == pytest.approx(5.85e9, rel=0.01)
    assert {bar.remainder for bar in timeline.bars if bar.kind == "kernel"} == {True, False}
    assert {bar.label for bar in timeline.bars if bar.warmup} == {"warm-up"}


def test_a_warm_up_that_would_fill_the_axis_is_cut() -> None:
    timeline = lay_out(run_with())
    assert [cut.reason for cut in timeline.axis.cuts] == ["warm-up"]
    runs = [bar for bar in timeline.bars if bar.label == "run 1"]
    assert timeline.axis.place(runs[0].end_ns) - timeline.axis.place(runs[0].start_ns) > 0.05
    assert lay_out(run_with(warmup=0)).axis.cuts == ()


def test_a_long_idle_time_is_cut() -> None:
    events = [CommandEvent("write", "x", 0, 1, 2, 10), CommandEvent("kernel", "k", 1000, 1001, 1002, 1010)]
    assert find_cuts([CommandColumns.of_events(events)], [0], 1010) == (Cut(10, 1000, "idle"),)


def test_several_long_waits_are_cut_and_even_ones_are_not() -> None:
    starts = [0, 1000, 2000, 9000]
    events = [CommandEvent("kernel", "k", at, at, at, at + 50, run=i + 1) for i, at in enumerate(starts)]
    axis = lay_out(run_with(events=tuple(events))).axis
    assert [(cut.start_ns, cut.end_ns) for cut in axis.cuts] == [(50, 1000), (1050, 2000), (2050, 9000)]
    assert axis.place(1050) - axis.place(1000) > 0.1
    even = [CommandEvent("kernel", "k", at, at, at, at + 5) for at in range(0, 100_000, 1000)]
    assert lay_out(run_with(events=tuple(even))).axis.cuts == ()


def test_a_command_without_times_does_not_stretch_the_axis() -> None:
    lost = CommandEvent("kernel", "k", 0, 0, 0, 0, clamped=True)
    timeline = lay_out(run_with(events=(CommandEvent("kernel", "k", 10**15, 10**15, 10**15, 10**15 + 50), lost)))
    assert (timeline.axis.end_ns, len(timeline.bars), timeline.commands) == (50, 1, 2)


@given(st.integers(1, 10**12), st.floats(0, 1), st.floats(0, 1))
def test_places_keep_the_order_of_times(end: int, first: float, second: float) -> None:
    cut = Cut(int(end * 0.2), int(end * 0.9), "warm-up")
    for axis in (TimeAxis(end), TimeAxis(end, (cut,))):
        early, late = sorted((first * end, second * end))
        assert 0 <= axis.place(early) <= axis.place(late) <= 1
        assert axis.place(0) == 0


@given(st.integers(1, 10**13))
def test_ticks_are_few_round_and_inside(end: int) -> None:
    for axis in (TimeAxis(end), TimeAxis(end, (Cut(int(end * 0.1), int(end * 0.95), "idle"),))):
        ticks = axis.ticks()
        assert 1 <= len(ticks) <= 20
        assert all(0 <= tick.position <= 1 and tick.at_ns <= end for tick in ticks)
        texts = [tick.text for tick in ticks]
        assert len(set(texts)) == len(texts)


def test_steps_are_one_two_or_five() -> None:
    assert {int(str(int(nice_step(about)))[0]) for about in range(1, 5000, 7)} == {1, 2, 5}


def test_the_busy_share_leaves_the_warm_up_out() -> None:
    share = busy_share(run_with().events)
    assert share is not None
    assert 0.5 < share < 1
    kernel = CommandEvent("kernel", "k", 0, 0, 0, 100)
    overlapping = dataclasses.replace(kernel, start_ns=50, end_ns=150, queue=1)
    assert busy_share([kernel, overlapping]) == 1
    assert busy_share([]) is None
    assert busy_share([dataclasses.replace(kernel, end_ns=0)]) is None


def test_many_commands_become_density() -> None:
    events = tuple(CommandEvent("kernel", "k", 10 * i, 10 * i, 10 * i, 10 * i + 5, queue=i % 2) for i in range(1000))
    timeline = lay_out(run_with(events=events))
    assert (timeline.reduced, timeline.bars, timeline.commands) == (True, (), 1000)
    assert [lane.commands for lane in timeline.lanes] == [500, 500]
    assert len(timeline.lanes[0].density) == DENSITY_BINS
    mean = sum(timeline.lanes[0].density) / DENSITY_BINS
    assert mean == pytest.approx(timeline.lanes[0].busy, abs=0.01)


def test_the_host_is_there_only_where_the_clocks_are_aligned() -> None:
    assert lay_out(run_with(clock_offset_ns=0)).host is None
    record = run_with(clock_offset_ns=250_000)
    assert lay_out(record).host is not None
    begin, end = lay_out(record).host or (0, 0)
    assert begin == record.host_start_ns - 250_000 - record.events[0].queued_ns
    assert end - begin == record.host_end_ns - record.host_start_ns


def test_clamped_events_are_marked_and_counted() -> None:
    event = CommandEvent("kernel", "k", 0, 0, 0, 0, clamped=True)
    timeline = lay_out(run_with(events=(event,)))
    assert timeline.clamped == 1
    assert timeline.bars[0].clamped
    assert timeline.axis.ticks()[0].position == 0


def test_a_record_without_events_has_an_empty_timeline() -> None:
    record = dataclasses.replace(run_with(), events=())
    assert (lay_out(record).bars, lay_out(record).axis.end_ns) == ((), 0)
