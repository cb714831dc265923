"""The timeline's payload holds the events' own numbers, and what the view makes of it is what NumPy makes of them."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.records import run_with

from cl_magic.record.command_columns import CommandColumns
from cl_magic.record.command_statistics import command_statistics
from cl_magic.record.event import CommandEvent
from cl_magic.record.run import RunRecord
from cl_magic.record.trace_export import trace_events
from cl_magic.views.payload import SAVED_BYTES, Payload
from cl_magic.views.timeline import CLAMPED, UNTIMED, timeline_part, timeline_payload

TESTS = Path(__file__).resolve().parents[2]
NODE = shutil.which("node")
ALL = [(-1e18, 1e18)]
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def many(count: int, seed: int = 3, queues: int = 3) -> CommandColumns:
    """Commands of in-order queues that overlap each other, as a busy program has them."""
    draw = np.random.default_rng(seed)
    durations, gaps, queue = (
        draw.integers(0, 6000, count),
        draw.integers(0, 900, count),
        draw.integers(0, queues, count),
    )
    start = np.zeros(count, np.int64)
    for number in range(queues):
        own = queue == number
        start[own] = np.cumsum(durations[own] + gaps[own]) - durations[own]
    order = np.argsort(start, kind="stable")
    start, durations, queue = start[order] + 10**15, durations[order], queue[order]
    submit = start - draw.integers(0, 20_000, count)
    kind = draw.choice([0, 0, 0, 1, 2], count)
    return CommandColumns.of_arrays(
        start,
        start + durations,
        queued_ns=submit - draw.integers(0, 4000, count),
        submit_ns=submit,
        kind=kind,
        name=np.where(kind == 0, draw.integers(0, 5, count), draw.integers(5, 8, count)),
        names=["advect", "project", "blur", "sum", "tiny", "u", "v", "w"],
        nbytes=np.where(kind > 0, draw.integers(1, 1 << 40, count), 0),
        queue=queue,
        run=draw.integers(-2, 1000, count),
        label="synthetic",
    )


def seen(tmp_path: Path, payload: Payload, brushes: Any = ALL, *, clock: bool = False) -> Any:
    """What the view's own modules say about a payload."""
    assert NODE is not None
    file = tmp_path / "case.json"
    file.write_text(json.dumps({"payload": payload.saved(), "brushes": brushes, "clock": clock}))
    script = str(TESTS / "js" / "timeline_truth.mjs")
    done = subprocess.run([NODE, script, str(file)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def expected_rows(columns: CommandColumns, begin: float, end: float) -> list[tuple[Any, ...]]:
    """Statistics by NumPy: kind, name, warm-up, count, total, median, p95, bytes."""
    ends = columns.end_ns - columns.origin_ns
    inside = (ends > begin) & (ends <= end)
    rows = []
    keys = np.stack([columns.kind, columns.name, columns.run < 0], axis=1)[inside].astype(int)
    for kind, name, warm in sorted({tuple(key) for key in keys.tolist()}):
        own = inside & (columns.kind == kind) & (columns.name == name) & ((columns.run < 0) == warm)
        times = (columns.end_ns - columns.start_ns)[own]
        p95 = np.percentile(times, 95, method="inverted_cdf")
        facts = (int(own.sum()), int(times.sum()), float(np.median(times)), int(p95), int(columns.nbytes[own].sum()))
        rows.append((("kernel", "write", "read")[kind], columns.names[name], bool(warm), *facts))
    return sorted(rows)


def found_rows(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    names = ("kind", "name", "warmup", "count", "total", "median", "p95", "bytes")
    return sorted(tuple(row[name] for name in names) for row in rows)


@needs_node
def test_the_view_has_the_events_own_times_and_bytes(tmp_path: Path) -> None:
    record = run_with()
    got = seen(tmp_path, timeline_payload(record))
    origin = min(event.queued_ns for event in record.events)
    expected = [
        [e.kind, e.name, e.queue, e.run, e.part, e.nbytes]
        + [at - origin for at in (e.queued_ns, e.submit_ns, e.start_ns, e.end_ns)]
        for e in record.events
    ]
    assert [row[:10] for row in got["commands"]] == expected
    assert [row[12] for row in got["commands"]] == list(range(len(record.events)))
    assert got["back"]


@needs_node
@pytest.mark.parametrize("queues", [1, 3])
def test_statistics_of_any_interval_are_numpys(tmp_path: Path, queues: int) -> None:
    columns = many(3001, queues=queues)
    end = int(columns.end_ns.max()) - columns.origin_ns
    draw = np.random.default_rng(5)
    brushes = [sorted(draw.integers(0, end, 2).tolist()) for _ in range(40)] + [
        [0, 0],
        [0, end],
        [end // 2, end // 2 + 9000],
    ]
    got = seen(tmp_path, timeline_payload(columns), brushes)
    for brush, rows in zip(brushes, got["rows"], strict=True):
        assert found_rows(rows) == expected_rows(columns, *brush)
    assert found_rows(got["rows"][-2])[0][0] == "kernel"
    for (begin, stop), busy in zip(brushes, got["busy"], strict=True):
        for queue, share in enumerate(busy):
            own = columns.queue == queue
            spans = [columns.start_ns[own] - columns.origin_ns, columns.end_ns[own] - columns.origin_ns]
            inside = np.minimum(spans[1], stop) - np.maximum(spans[0], begin)
            assert share == pytest.approx(np.maximum(inside, 0).sum(), abs=1e-3)


@needs_node
def test_launches_of_a_split_run_stand_apart_and_together(tmp_path: Path) -> None:
    record = run_with()
    [rows] = seen(tmp_path, timeline_payload(record))["rows"]
    whole = next(row for row in rows if row["launch"] == "all" and not row["warmup"])
    assert record.statistics is not None
    assert (whole["count"], whole["median"]) == (record.statistics.n, record.statistics.median_ns)
    assert whole["p95"] == record.statistics.p95_ns
    parts = [row for row in rows if row["name"] == record.kernel and row["launch"] in {0, 1} and not row["warmup"]]
    assert sum(row["total"] for row in parts) == whole["total"] == sum(record.durations_ns)
    assert whole["rate"] * whole["median"] == pytest.approx(whole["moved"] / whole["count"])


@needs_node
def test_downloads_equal_what_python_writes(tmp_path: Path) -> None:
    record = run_with(clock_offset_ns=50, host_start_ns=100, host_end_ns=80_000_000)
    got = seen(tmp_path, timeline_payload(record))
    assert got["trace"] == json.loads(json.dumps(record.trace()))
    path = record.save_csv(tmp_path / "run.csv")
    assert got["csv"] == path.read_bytes().decode()
    rows = list(csv.DictReader(io.StringIO(got["csv"])))
    assert [int(row["start_ns"]) for row in rows] == record.commands()["start_ns"]
    assert record.save_trace(tmp_path / "run.json").stat().st_size > 1000


@needs_node
def test_several_runs_share_an_axis_or_the_hosts_clock(tmp_path: Path) -> None:
    first = run_with(clock_offset_ns=1000, host_start_ns=1000, host_end_ns=90_000_000)
    shifted = tuple(_later(event, 7_000_000) for event in first.events)
    second = dataclasses.replace(first, events=shifted, created="later", clock_offset_ns=500)
    payload = timeline_payload([first, second])
    assert [run["label"] for run in payload.head["runs"]] == ["blur 1", "blur 2"]
    assert payload.head["axes"]["clock"]["shifts_ns"] == [0, 7_000_000 - 500]
    assert payload.head["axes"]["start"]["end_ns"] == timeline_payload(first).head["axes"]["start"]["end_ns"]
    got = seen(tmp_path, payload, clock=True)
    assert got["trace"] == json.loads(json.dumps(trace_events(first, second)))
    assert got["csv"].startswith("record,kind,")
    assert {row[11] for row in got["commands"]} == {0, 1}
    assert got["back"]
    alone = timeline_payload([first, run_with()])
    assert "clock" not in alone.head["axes"]


def _later(event: CommandEvent, by: int) -> CommandEvent:
    times = {name: getattr(event, name) + by for name in ("queued_ns", "submit_ns", "start_ns", "end_ns")}
    return dataclasses.replace(event, **times)


@needs_node
def test_backward_and_missing_times_are_clamped_and_said(tmp_path: Path) -> None:
    events = (
        CommandEvent("kernel", "k", 1000, 1100, 1050, 1040),
        CommandEvent("kernel", "k", 0, 0, 0, 0, clamped=True),
        CommandEvent("kernel", "k", 1200, 1200, 1200, 1200),
    )
    payload = timeline_payload(run_with(events=events))
    assert (payload.head["clamped"], payload.head["untimed"]) == (2, 1)
    got = seen(tmp_path, payload)
    assert got["commands"][0][6:11] == [0, 100, 100, 100, CLAMPED]
    assert got["commands"][1][10] == CLAMPED | UNTIMED
    assert sum(row["count"] for row in got["rows"][0] if row["launch"] != "all") == 2
    assert payload.head["axes"]["start"]["end_ns"] == 200


@needs_node
def test_no_events_and_a_failed_run_have_a_timeline(tmp_path: Path) -> None:
    record = run_with(events=(), status="failed", error="the worker ended")
    payload = timeline_payload(record)
    assert (payload.head["commands"], payload.head["runs"][0]["status"]) == (0, "failed")
    assert seen(tmp_path, payload)["rows"] == [[]]
    assert timeline_payload([]).head["runs"] == []


def test_arrows_are_what_the_record_says() -> None:
    record = run_with()
    kinds = [event.kind for event in record.events]
    pairs = timeline_payload(record).columns["edges"].tolist()
    assert pairs == [[kinds.index("kernel"), 0], [len(kinds) - 1, len(kinds) - 2]]
    assert "edges" not in timeline_payload(dataclasses.replace(record, transfers=())).columns


@needs_node
def test_a_large_saved_timeline_is_reduced_and_keeps_exact_statistics(tmp_path: Path) -> None:
    columns = many(60_000)
    payload = timeline_payload(columns, saved=True)
    assert len(json.dumps(payload.saved())) < SAVED_BYTES
    reduced = payload.head["reduced"]
    assert reduced["of"] == 60_000
    assert 1000 < reduced["kept"] < 60_000
    rows = sorted(tuple(row[1:]) for row in json.loads(json.dumps(payload.head["whole"])))
    assert rows == expected_rows(columns, -1, 1e18)
    got = seen(tmp_path, payload)
    assert got["back"]
    times = columns.end_ns - columns.start_ns
    kept = [row[12] for row in got["commands"]]
    assert min(times[kept]) >= np.sort(times)[-reduced["kept"]]
    assert [row[8] for row in got["commands"]] == (columns.start_ns[kept] - columns.origin_ns).tolist()
    density = payload.columns["density"].sum(axis=1) / 255
    busy = times[columns.queue == 0].sum() / payload.head["axes"]["start"]["end_ns"]
    assert density[0].mean() == pytest.approx(busy, abs=0.02)
    assert timeline_payload(columns).head["reduced"] is None


def test_python_s_statistics_are_numpys() -> None:
    columns = many(5000, seed=9)
    rows = command_statistics(columns)
    found = [(r.kind, r.name, r.warmup, r.count, r.total_ns, r.median_ns, r.p95_ns, r.nbytes) for r in rows]
    assert sorted(found) == expected_rows(columns, -1, 1e18)


def test_the_part_of_a_run_is_the_same_payload() -> None:
    head, columns = timeline_part(run_with(), saved=True, budget=40_000)
    assert head == timeline_payload(run_with()).head
    assert set(columns) == set(timeline_payload(run_with()).columns)


@needs_node
def test_the_axis_of_the_view_is_the_records(tmp_path: Path) -> None:
    from cl_magic.record.timeline import lay_out  # noqa: PLC0415 - of this test only

    record = run_with()
    axis = lay_out(record).axis
    moments = [0, 300_000, 5_000_000, axis.end_ns // 2, axis.end_ns]
    got = seen(tmp_path, timeline_payload(record), [[at, at] for at in moments])
    assert len(axis.cuts) == 1
    for at, (place, back) in zip(moments, got["places"], strict=True):
        assert place == pytest.approx(axis.place(at), abs=1e-9)
        assert back == pytest.approx(at, abs=1)


def test_a_million_commands_take_under_a_second() -> None:
    columns = many(1_000_000)
    began = time.perf_counter()
    payload = timeline_payload(columns)
    assert time.perf_counter() - began < 3  # 0.4 s on an idle machine
    assert len(payload.columns["duration"]) == 1_000_000


def test_columns_that_do_not_fit_are_refused() -> None:
    from cl_magic.errors import RecordError  # noqa: PLC0415 - of this test only

    with pytest.raises(RecordError, match="nbytes has shape"):
        CommandColumns.of_arrays([1, 2], [2, 3], name=0, names=["k"], nbytes=[1, 2, 3])
    with pytest.raises(RecordError, match="holds codes from 1 to 1"):
        CommandColumns.of_arrays([1], [2], name=1, names=["k"])
    with pytest.raises(RecordError, match="waits holds codes"):
        CommandColumns.of_arrays([1], [2], name=0, names=["k"], waits=[(0, 1)])
    assert isinstance(run_with(), RunRecord)
