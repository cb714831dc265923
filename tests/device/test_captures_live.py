"""Loops under a live view, and exact elements asked of arrays: true values, whoever launches and however."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cl_magic as clm
from cl_magic.engine import following
from cl_magic.errors import ArgumentError
from cl_magic.views.buffer import buffer_payload
from cl_magic.widgets.live_answers import answer
from cl_magic.widgets.live_pace import Pace
from cl_magic.widgets.live_run import LiveRun, watch

SOURCE = """
kernel void step(global const float *src, global float *dst) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    dst[i] = src[i] + 1.0f;
}
"""
SHAPE = (300, 400)
STEPS = 60


@pytest.fixture(scope="module")
def step() -> Any:
    return clm.build(SOURCE).step


@pytest.fixture
def view(step: Any) -> Iterator[LiveRun]:
    view = watch(step)
    yield view
    view.stop()


def blocking(step: Any, a: Any, b: Any) -> Any:
    for _ in range(STEPS):
        step(a, b, global_size=(400, 300), capture="none")
        a, b = b, a
    return a


def captured(step: Any, a: Any, b: Any) -> Any:
    for _ in range(STEPS):
        step(a, b, global_size=(400, 300))
        a, b = b, a
    return a


def unwaited(step: Any, a: Any, b: Any) -> Any:
    for _ in range(STEPS):
        run = step(a, b, global_size=(400, 300), wait=False)
        a, b = b, a
    run.wait()
    return a


def prepared(step: Any, a: Any, b: Any) -> Any:
    pair = [step.prepare(a, b, global_size=(400, 300)), step.prepare(b, a, global_size=(400, 300))]
    for i in range(STEPS):
        run = pair[i % 2]()
    run.wait()
    return a


def shown(view: LiveRun) -> NDArray[Any]:
    """Cells of the frame that the view holds, as numbers."""
    payload = view.payload
    array = payload["head"]["arrays"][-1]
    column = payload["columns"][f"{len(payload['head']['arrays']) - 1}.after"]
    picture = array["pictures"]["after"]
    cells = np.frombuffer(column["data"], column["dtype"]).reshape(column["shape"])
    if picture["quantised"] is None:
        return cells
    low, high = picture["quantised"]["low"], picture["quantised"]["high"]
    return low + cells.astype(np.float64) / 252 * (high - low)


def eventually(what: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("loop", [blocking, captured, unwaited, prepared], ids=lambda loop: loop.__name__)
@pytest.mark.parametrize("where", ["numpy", "device"])
def test_the_last_frame_of_a_loop_is_its_last_state(step: Any, view: LiveRun, loop: Any, where: str) -> None:
    start = np.random.default_rng(1).random(SHAPE, np.float32)
    a, b = (start.copy(), np.zeros_like(start)) if where == "numpy" else (clm.array(start), clm.zeros(SHAPE))
    loop(step, a, b)
    assert view.launches == STEPS
    assert view.frames >= 1
    wanted = start + STEPS

    def last() -> bool:
        arrays = view.payload["head"].get("arrays")
        return bool(arrays) and np.abs(shown(view) - wanted.reshape(SHAPE)).max() < 0.01

    assert shown(view).shape == SHAPE
    assert eventually(last)
    assert view.payload["head"]["ndrange"]["global_size"] == [400, 300]
    assert f"launch {STEPS}" in view.payload["head"]["live"]["text"]


@pytest.mark.parametrize("loop", [blocking, unwaited, prepared], ids=lambda loop: loop.__name__)
def test_loops_of_the_inline_engine_are_followed_too(loop: Any) -> None:
    step = clm.build(SOURCE, engine="inline").step
    view = watch(step)
    try:
        start = np.random.default_rng(1).random(SHAPE, np.float32)
        a, b = clm.array(start, engine="inline"), clm.zeros(SHAPE, engine="inline")
        loop(step, a, b)
        assert view.launches == STEPS
        assert eventually(lambda: view.frames > 0 and bool(np.abs(shown(view) - (start + STEPS)).max() < 0.01))
    finally:
        view.stop()


def test_frames_show_whole_launches_only(step: Any, view: LiveRun) -> None:
    """All elements of a frame come of the same launch: their spread is that of the start."""
    a, b = clm.zeros(SHAPE), clm.zeros(SHAPE)
    spreads: list[float] = []
    view.observe(lambda _: spreads.append(float(np.ptp(shown(view)))), "payload")
    for loop in (blocking, unwaited):
        loop(step, a, b)
        clm.copyto(a, np.zeros(SHAPE, np.float32))
    assert eventually(lambda: len(spreads) >= 3)
    assert max(spreads) == 0


def test_other_kernels_and_errors_leave_the_view_alone(view: LiveRun) -> None:
    other = clm.build("kernel void other(global float *x) { x[get_global_id(0)] = 1; }").other
    other(np.zeros(8, np.float32), global_size=8)
    assert view.launches == 0

    class Failing:
        def launched(self, *_: Any) -> None:
            message = "a view that fails"
            raise RuntimeError(message)

    stop = following.follow(Failing())
    try:
        x = np.zeros(8, np.float32)
        other(x, global_size=8)
        assert x.sum() == 8
    finally:
        stop()


def test_a_new_view_of_a_kernel_takes_over(step: Any) -> None:
    first, second = watch(step), watch(step)
    step(np.zeros(SHAPE, np.float32), np.zeros(SHAPE, np.float32), global_size=(400, 300))
    assert (first.launches, second.launches) == (0, 1)
    second.stop()
    step(np.zeros(SHAPE, np.float32), np.zeros(SHAPE, np.float32), global_size=(400, 300))
    assert second.launches == 1


@pytest.mark.parametrize("shared", [True, False], ids=["in the host's pages", "by copies"])
def test_a_large_array_of_a_device_is_sampled(step: Any, view: LiveRun, *, shared: bool) -> None:
    rows = 4096
    a = clm.array(np.repeat(np.arange(rows, dtype=np.float32)[:, None], 2048, axis=1))
    b = clm.zeros(a.shape)
    b.base_data.shared = shared
    step(a, b, global_size=(2048, rows))
    assert eventually(lambda: bool(view.payload["head"]["arrays"]))
    array = view.payload["head"]["arrays"][0]
    assert array["sampled"]
    assert array["shape"] == [rows, 2048]
    picture = array["pictures"]["after"]
    cells = shown(view)[:, 0]
    assert np.abs(cells - (np.arange(len(cells)) * picture["step"][0] + 1)).max() < rows / 250


def test_the_pace_follows_how_fast_launches_end() -> None:
    pace = Pace(interval_s=0.04)
    looks, now, count = 0, 0.0, 0
    for _ in range(20_000):  # 0.1 ms each
        now += 1e-4
        if pace.launched(now):
            looks += 1
            count = pace.taken(now)
            pace.ended(now, count, 0.001)
    assert 20 <= looks / now <= 40
    slow = Pace(interval_s=0.04)
    costly = 0
    for i in range(1000):  # 10 ms each, a look takes 20 ms
        if slow.launched(i * 0.01):
            costly += 1
            slow.ended(i * 0.01, slow.taken(i * 0.01), 0.02)
    assert costly * 0.02 / 10 < 0.16


def request(start: list[int], stop: list[int], step: list[int] | None = None) -> dict[str, Any]:
    return {"part": "elements", "array": "dst", "start": start, "stop": stop, "step": step or [1] * len(start)}


@pytest.mark.parametrize("where", ["numpy", "strided", "device", "slice"])
def test_exact_elements_are_the_arrays(step: Any, where: str) -> None:
    start = np.random.default_rng(2).random((1024, 600), np.float32)
    a: Any = start.copy()
    b: Any = {
        "numpy": lambda: np.zeros_like(start),
        "strided": lambda: np.zeros((1024, 1200), np.float32)[:, ::2],
        "device": lambda: clm.zeros(start.shape),
        "slice": lambda: clm.zeros((2048, 600))[1024:],
    }[where]()
    if where in ("device", "slice"):
        a = clm.array(start)
    run = step(a, b, global_size=(600, 1024))
    capture = next((one for one in run.captures if one.parameter == "dst"), None)
    facts, (data,) = answer("step", capture, request([100, 50], [130, 90]))
    got = np.frombuffer(data, facts["dtype"]).reshape(facts["shape"])
    np.testing.assert_array_equal(got, (start + 1)[100:130, 50:90])
    facts, (data,) = answer("step", capture, request([0, 0], [1024, 600], [100, 7]))
    np.testing.assert_array_equal(np.frombuffer(data, "<f4").reshape(facts["shape"]), (start + 1)[::100, ::7])
    facts, (data,) = answer("step", capture, {"part": "bytes", "array": "dst", "start": 4002, "count": 70})
    assert facts["start"] == 4002
    assert data == (start + 1).tobytes()[4002:4072]


def test_elements_that_changed_since_are_not_given(step: Any) -> None:
    a = np.zeros((1024, 600), np.float32)
    b = np.zeros_like(a)
    run = step(a, b, global_size=(600, 1024))
    capture = run.capture("dst")
    b[100:140] = 7
    facts, data = answer("step", capture, request([100, 0], [140, 60]))
    assert "written again" in facts["changed"]
    assert data == []
    facts, data = answer("step", capture, request([200, 0], [240, 60]))
    assert len(data) == 1


def test_questions_that_cannot_be_answered_say_why(step: Any) -> None:
    b = np.zeros(SHAPE, np.float32)
    step(np.zeros(SHAPE, np.float32), b, global_size=(400, 300))
    for start, stop in (([-1, 0], [2, 2]), ([0, 0], [301, 2]), ([5, 5], [5, 6]), ([0] * 3, [1] * 3)):
        with pytest.raises(ArgumentError, match="no part"):
            answer("step", None, request(start, stop))
    del b
    gc.collect()
    with pytest.raises(ArgumentError, match="no longer there"):
        answer("step", None, request([0, 0], [1, 1]))


def test_a_runs_view_answers_for_its_arrays(step: Any) -> None:
    a, b = np.ones((600, 1024), np.float32), np.zeros((600, 1024), np.float32)
    run = step(a, b, global_size=(1024, 600))
    view = run.live()
    try:
        assert view.payload["kind"] == "run"
        assert view.payload["head"]["buffers"]["arrays"][1]["changed"] == a.size
        facts, data = view._answer(request([0, 0], [2, 3]))
        assert np.frombuffer(data[0], facts["dtype"]).tolist() == [2.0] * 6
        facts, _ = view._answer({"part": "elements", "array": "<b>", "start": [], "stop": [], "step": []})
        assert "no capture" in facts["error"]
    finally:
        view.stop()


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
def test_a_run_that_captured_nothing_shows_its_arrays_as_they_are(step: Any, *, large: bool) -> None:
    shape = (4096, 2048) if large else SHAPE
    a, b = clm.ones(shape), clm.zeros(shape)
    run = step(a, b, global_size=(shape[1], shape[0]), capture="none")
    view = run.live()
    try:
        arrays = view.payload["head"]["arrays"]
        assert [array["label"] for array in arrays] == ["src", "dst"]
        assert arrays[1]["statistics"]["after"]["max"] == 2.0
        assert "captured nothing" in view.payload["head"]["live"]["text"]
        assert arrays[1]["sampled"] == large
        step(a, b, global_size=(shape[1], shape[0]), capture="none")
        assert view.launches == 1
    finally:
        view.stop()


@pytest.mark.parametrize("where", ["numpy", "device"])
def test_a_large_buffer_opens_at_once(step: Any, where: str) -> None:
    """Issue of size: 256 MiB here; only what the picture needs is looked at (design 1.6)."""
    shape = (8192, 8192)
    a, b = (
        (np.ones(shape, np.float32), np.zeros(shape, np.float32))
        if where == "numpy"
        else (clm.ones(shape), clm.zeros(shape))
    )
    run = step(a, b, global_size=shape)
    begin = time.perf_counter()
    payload = buffer_payload(run)
    assert time.perf_counter() - begin < 0.3
    if where == "device":  # reading it would be a transfer of its own: the capture says that it was not
        assert all(not capture.before and "not captured" in capture.note for capture in run.captures)
    else:
        assert payload.head["arrays"][1]["sampled"]
        assert sum(column.nbytes for column in payload.columns.values()) < 2_000_000
