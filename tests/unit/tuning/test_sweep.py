"""Sweeps: every setting timed and compared, reasons instead of failures, the best one applicable (K-19)."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.engine.waiting import observe_waits
from cl_magic.errors import ArgumentError, OptionError
from cl_magic.launch.set_sizes import Sizes
from cl_magic.record.waiting import Waiting

SCALE = """#define STEP 1  // 1:4:x2
kernel void scale(global float *x, float a) {
    int i = get_global_id(0);
    x[i] = a * x[i] + STEP - STEP;
}"""


@pytest.fixture
def scale() -> clm.Kernel:
    kernel = clm.build(SCALE).scale  # one object for all tests
    kernel.set_sizes(Sizes())
    return kernel


def test_every_setting_is_a_row_with_its_times(scale: clm.Kernel) -> None:
    x = np.ones(1024, np.float32)
    found = clm.sweep(scale, x, 2.0, global_size=1024, local_size=[8, 64, None], STEP=[1, 2], repeat=3, warmup=1)
    assert [dict(row.setting) for row in found.rows[:3]] == [
        {"local_size": 8, "STEP": 1},
        {"local_size": 8, "STEP": 2},
        {"local_size": 64, "STEP": 1},
    ]
    assert len(found.rows) == found.total == 6
    assert {row.outcome for row in found.rows} == {"ran"}
    assert all(len(row.durations_ns) == 3 and row.median_ns > 0 for row in found.rows)
    assert found.best is min(found.rows, key=lambda row: row.median_ns)
    assert found.baseline_ns > 0
    np.testing.assert_array_equal(x, 1)  # as before the sweep


def test_other_sizes_run_the_same_compiled_kernel(scale: clm.Kernel) -> None:
    """K-19: a retuned size does not change the compiled kernel."""
    digest = scale.program.result.spec.digest
    found = clm.sweep(scale, np.ones(1024, np.float32), 2.0, global_size=1024, local_size="8:64:x2", repeat=1)
    assert {row.program for row in found.rows} == {digest}
    applied = found.apply()
    assert applied is scale
    assert scale.local_size == found.best.setting["local_size"]
    record = scale(np.ones(1024, np.float32), 2.0, global_size=1024)
    assert record.program == digest
    assert record.plan.local_size == (scale.local_size,)


def test_the_best_macros_are_another_kernel_with_its_sizes(scale: clm.Kernel) -> None:
    found = clm.sweep(scale, np.ones(64, np.float32), 2.0, global_size=64, local_size=[8], STEP=[2, 4], repeat=1)
    applied = found.apply()
    assert applied is not scale
    assert f"#define STEP {found.best.setting['STEP']}" in applied.program.result.spec.source
    assert applied.local_size == 8
    assert scale.local_size is None
    assert applied(np.ones(64, np.float32), 2.0, global_size=64).plan.local_size == (8,)


def test_what_cannot_run_is_a_row_with_the_reason() -> None:
    kernel = clm.build(
        "#define N 1\nkernel void f(global int *x) { int a[N]; a[0] = 1; x[get_global_id(0)] = a[0]; }"
    ).f
    found = clm.sweep(kernel, np.zeros(64, np.int32), global_size=64, local_size=[8, 100_000], N=[1, -1], repeat=1)
    outcomes = {(row.setting["local_size"], row.setting["N"]): row for row in found.rows}
    assert outcomes[8, 1].outcome == "ran"
    assert outcomes[100_000, 1].outcome == "refused"
    assert "100 000" in outcomes[100_000, 1].why
    assert outcomes[8, -1].outcome == "not built"
    assert outcomes[8, -1].why.startswith("2:")
    assert found.best is outcomes[8, 1]


def test_another_result_is_said_and_never_the_best() -> None:
    kernel = clm.build("#define N 1\nkernel void f(global int *x) { x[get_global_id(0)] = N > 2; }").f
    found = clm.sweep(kernel, np.zeros(64, np.int32), global_size=64, N=[1, 2, 3], repeat=1)
    assert [row.outcome for row in found.rows] == ["ran", "ran", "differs"]
    assert found.rows[2].why == "x differs in 64 of 64 elements"
    assert found.best.setting["N"] in (1, 2)


def test_floats_may_differ_by_rounding_only() -> None:
    source = "#define E 0.0f\nkernel void f(global float *x) { x[get_global_id(0)] = 1.0f + E; }"
    kernel = clm.build(source).f
    found = clm.sweep(kernel, np.zeros(8, np.float32), global_size=8, E=[0.0, 1e-7, 1e-3], repeat=1)
    assert [row.outcome for row in found.rows] == ["ran", "ran", "differs"]
    loose = clm.sweep(kernel, np.zeros(8, np.float32), global_size=8, E=[0.0, 1e-3], repeat=1, rtol=0.1)
    assert [row.outcome for row in loose.rows] == ["ran", "ran"]


def test_a_setting_that_crashes_is_a_row_and_the_sweep_goes_on() -> None:
    source = "#define FAR 0\nkernel void f(global int *x) { x[get_global_id(0) + FAR * 100000000] = 1; }"
    kernel = clm.build(source).f
    x = np.zeros(64, np.int32)
    found = clm.sweep(kernel, x, global_size=64, FAR=[10, 0], repeat=1)
    assert [row.outcome for row in found.rows] == ["failed", "ran"]
    assert found.rows[0].why
    np.testing.assert_array_equal(x, 0)


def test_device_arrays_are_put_back_and_compared(scale: clm.Kernel) -> None:
    x = clm.ones(64)
    found = clm.sweep(scale, x, 2.0, global_size=64, local_size=[8, 16], repeat=1)
    assert [row.outcome for row in found.rows] == ["ran", "ran"]
    np.testing.assert_array_equal(x.numpy(), 1)


def test_wrong_arguments_end_the_sweep_at_once(scale: clm.Kernel) -> None:
    with pytest.raises(ArgumentError, match="float64"):
        clm.sweep(scale, np.ones(64), 2.0, global_size=64, local_size=[8, 16])
    with pytest.raises(ArgumentError, match="missing"):
        clm.sweep(scale, np.ones(64, np.float32), global_size=64, local_size=[8, 16])


@pytest.mark.parametrize(
    ("words", "error", "text"),
    [
        ({}, ArgumentError, "nothing is varied"),
        ({"local_size": 8}, ArgumentError, "nothing is varied"),
        ({"local_size": []}, ArgumentError, "no values"),
        ({"STEPS": [1, 2]}, ArgumentError, "did you mean STEP"),
        ({"STEP": "4:1"}, OptionError, "below its begin"),
        ({"STEP": "1:5000", "local_size": [1, 2, 4]}, ArgumentError, "15,000 settings"),
    ],
)
def test_what_makes_no_sweep_is_an_error(scale: clm.Kernel, words: dict[str, Any], error: type, text: str) -> None:
    with pytest.raises(error) as caught:
        clm.sweep(scale, np.ones(64, np.float32), 2.0, global_size=64, **words)
    assert text in str(caught.value)


def test_an_interrupt_keeps_what_was_found(scale: clm.Kernel) -> None:
    endless = clm.build("#define GO 0\nkernel void f(global int *x) { x[0] = 1; while (GO) x[0] += 1; }").f
    x = np.zeros(1, np.int32)
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    found = clm.sweep(endless, x, global_size=1, GO=[0, 1, 2], repeat=1)
    timer.join()
    assert found.interrupted
    assert [row.outcome for row in found.rows] == ["ran"]
    assert "interrupted after 1 setting of 3" in str(found)
    assert x[0] == 0
    assert clm.sweep(scale, np.ones(64, np.float32), 2.0, global_size=64, local_size=[8], repeat=1).best


def test_a_setting_may_have_a_time_limit() -> None:
    endless = clm.build("#define GO 0\nkernel void f(global int *x) { x[0] = 1; while (GO) x[0] += 1; }").f
    found = clm.sweep(endless, np.zeros(1, np.int32), global_size=1, GO=[1, 0], repeat=1, timeout=0.5)
    assert [row.outcome for row in found.rows] == ["failed", "ran"]


def test_progress_is_told_while_it_lasts_and_taken_back() -> None:
    told: list[Waiting] = []
    ended: list[Waiting] = []

    class Observer:
        def waiting(self, state: Waiting) -> None:
            told.append(state)

        def ended(self, state: Waiting) -> None:
            ended.append(state)

    source = "kernel void f(global int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[0] * i; x[0] = s; }"
    kernel = clm.build(source).f
    before = observe_waits(Observer())
    try:
        clm.sweep(kernel, np.zeros(64, np.int32), 2_000_000, global_size=64, local_size=[1, 2, 4, 8], repeat=3)
    finally:
        assert isinstance(observe_waits(before), Observer)
    assert len(ended) == 1
    assert all(state.what.startswith("sweep of f, ") for state in told)


def test_the_report_names_the_best_and_stays_in_100_columns(scale: clm.Kernel) -> None:
    words = {"global_size": 1024, "local_size": [8, 16, 100_000], "STEP": "1:4:x2", "repeat": 2}
    found = clm.sweep(scale, np.ones(1024, np.float32), 2.0, **words)
    text = str(found)
    assert max(map(len, text.split("\n"))) <= 100
    assert text.startswith("scale · best local_size ")
    assert "Medians of 2 runs after 1 warm-up" in text
    html = found._repr_mimebundle_()["text/html"]
    assert html.count('<th scope="col"') >= 4
    assert "refused" in html


def test_the_plot_is_a_heat_map_of_two_names_and_bars_of_one(scale: clm.Kernel, tmp_path: Path) -> None:
    x = np.ones(1024, np.float32)
    two = clm.sweep(scale, x, 2.0, global_size=1024, local_size=[8, 100_000], STEP=[1, 2], repeat=1).plot()
    assert [label.get_text() for label in two.get_xticklabels()] == ["8", "100000"]
    assert len(two.images) == 1
    one = clm.sweep(scale, x, 2.0, global_size=1024, local_size=[8, 16], repeat=1).plot()
    assert len(one.patches) == 2
    one.figure.savefig(tmp_path / "bars.png")
