"""A run in sentences and rows, as the mock-ups show them; each number from the record alone."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from support.records import run_with
from support.values import capture_of, plan_of

from cl_magic.launch.plan import LaunchPlan
from cl_magic.record.command_table import bandwidth, command_rows
from cl_magic.record.run import ArgumentFact
from cl_magic.record.summary import bytes_down, bytes_up, conclusions, headline, printf_lines


def test_the_one_line() -> None:
    record = run_with()
    parts = headline(record)
    assert parts[:2] == ("blur", "600 × 512 items in 16 × 16 groups")
    assert parts[-2:] == ("↑ 1.23 MB ↓ 1.23 MB", "PoCL cpu")
    assert "1.26 ms" in parts
    assert all("\u202f" not in part for part in parts)
    assert headline(record, "\u202f")[-2] == "↑\u202f1.23\u202fMB ↓\u202f1.23\u202fMB"
    assert (bytes_up(record), bytes_down(record)) == (1_228_800, 1_228_800)


def test_a_failed_run_is_called_failed() -> None:
    record = run_with(status="failed")
    record = dataclasses.replace(record, events=())
    assert "failed" in headline(record)
    assert conclusions(record).timeline == ("no launch was completed",)
    assert (record.duration_ns, record.span_ns, record.statistics, bandwidth(record)) == (0, 0, None, None)


def test_the_conclusions() -> None:
    found = conclusions(run_with())
    assert found.plan == ("2 launches", "remainder 8 columns launched separately as 8 × 16 groups")
    assert found.ndrange == ("38 × 32 = 1 216 groups", "307 200 work-items")
    assert found.timeline[:2] == ("5 runs after 1 warm-up", "1.23 to 1.28 ms")
    assert found.timeline[2].startswith("without the warm-up the device is busy ")
    assert found.buffers == ("dst changed in 307 200 of 307 200 elements", "no NaN, no Inf")
    assert found.printf == ("1 216 lines",)


def test_one_line_a_group_is_said() -> None:
    printf = "x\n" * 1216
    once = run_with(repeat=1, warmup=0, printf=printf)
    assert conclusions(once).printf == ("1 216 lines, one a group",)
    assert conclusions(run_with(printf=printf * 6)).printf == ("7 296 lines, one a group in each of 6 runs",)
    assert conclusions(run_with(printf="")).printf == ("nothing printed",)


def _driver() -> LaunchPlan:
    return dataclasses.replace(plan_of((64,), (64,)), local_size=None, mode="driver", groups=())


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (plan_of((64,), (16,)), ("1 launch", "groups of 16, as you gave it")),
        (plan_of((70,), (16,)), ("2 launches", "remainder 6 work-items launched separately as groups of 6")),
        (
            plan_of((10, 7), (4, 4)),
            ("4 launches", "remainder 2 columns and 3 rows launched separately as groups of 4 × 3, 2 × 4 and 2 × 3"),
        ),
        (plan_of((10,), (4,), "padded"), ("1 launch", "padded to 12 work-items")),
        (plan_of((10,), (4,), "non-uniform"), ("1 launch", "groups of 4, the last ones smaller")),
        (_driver(), ("1 launch", "the driver chooses the groups")),
    ],
)
def test_every_mode_of_a_plan_has_its_sentence(plan: LaunchPlan, expected: tuple[str, ...]) -> None:
    record = run_with(plan=plan)
    assert conclusions(record).plan == expected
    assert conclusions(record).ndrange[-1].endswith("work-items")


def test_nan_and_what_was_not_captured_are_said() -> None:
    bad = np.array([np.nan, 1, np.inf], np.float32)
    captures = (capture_of("dst", np.zeros(3, np.float32), bad),)
    assert conclusions(run_with(captures=captures)).buffers[-1] == "dst holds 1 NaN, 1 Inf"
    assert conclusions(run_with(captures=())).buffers == ("no array was captured",)
    only_read = (capture_of("src", bad[1:2]),)
    assert conclusions(run_with(captures=only_read)).buffers == ("no array is written", "no NaN, no Inf")


def test_printf_is_kept_in_order_and_counted() -> None:
    record = run_with(printf="a\n\nb\nc")
    assert printf_lines(record).lines == ("a", "", "b", "c")
    assert (printf_lines(record, 2).lines, printf_lines(record, 2).total) == (("a", ""), 4)
    assert printf_lines(run_with(printf="")).total == 0


def test_durations() -> None:
    record = run_with()
    durations = [1_190_000 + 12_000 * run + 30_000 for run in range(1, 6)]
    assert record.durations_ns == tuple(durations)
    assert record.duration_ns == durations[2]
    assert record.span_ns > record.duration_ns
    statistics = record.statistics
    assert statistics is not None
    assert (statistics.n, statistics.min_ns, statistics.p95_ns) == (5, durations[0], durations[4])


def test_the_command_table() -> None:
    rows = command_rows(run_with())
    assert [(row.command, row.group, row.count) for row in rows] == [
        ("upload src", "transfer", 1),
        ("launch 1, main", "launch", 5),
        ("launch 2, remainder", "launch", 5),
        ("one run, all 2 launches", "run", 5),
        ("download dst", "transfer", 1),
        ("warm-up of launch 1, main", "warm-up", 1),
        ("warm-up of launch 2, remainder", "warm-up", 1),
    ]
    run = rows[3]
    assert run.total_ns == rows[1].total_ns + rows[2].total_ns
    assert run.least_ns <= run.median_ns <= run.most_ns
    single = command_rows(run_with(plan=plan_of((512,), (64,)), repeat=1, warmup=0))
    assert [row.command for row in single] == ["upload src", "blur", "download dst"]


def test_the_rate_counts_each_element_once_read_and_once_written() -> None:
    record = run_with()
    moved = bandwidth(record)
    assert moved is not None
    assert moved.nbytes == 3 * 1_228_800  # src read; dst read and written
    assert moved.bytes_per_second == pytest.approx(moved.nbytes * 1e9 / record.duration_ns)
    assert moved.definition
    only_text = run_with(
        arguments=(ArgumentFact(0, "global float *z", "float32 (10, 4)", "out"), ArgumentFact(1, "int n", "4")),
        captures=(),
        transfers=(),
    )
    moved = bandwidth(only_text)
    assert moved is not None
    assert moved.nbytes == 160
