"""The kernel panel by its traits: wishes, runs, errors, stop, arrays, macros, what outlives it."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cl_magic.errors import ArgumentError, BuildError, ClMagicError
from cl_magic.session import Session
from cl_magic.widgets.arguments import NEW, choice_of
from cl_magic.widgets.controls import SessionControls
from cl_magic.widgets.panel import KernelPanel

FILL = """#define TILE 16  // 4:64:x2
kernel void fill(global const float *src, global float *dst, float gain, int n) {
    int i = get_global_id(0);
    if (i < n) dst[i] = gain * src[i] + TILE;
}"""
ENDLESS = "kernel void endless(global int *x, int go) { while (go) x[0] += 1; }"
WILD = "kernel void wild(global int *x, int far) { x[get_global_id(0) + far * 1000000] = 7; }"


@pytest.fixture
def names() -> dict[str, Any]:
    return {"src": np.arange(64, dtype=np.float32), "dst": np.zeros(64, np.float32), "wrong": np.zeros(64), "n": 64}


@pytest.fixture
def controls(names: dict[str, Any]) -> SessionControls:
    return SessionControls(Session(), names=lambda: names)


@pytest.fixture
def panel_of(controls: SessionControls) -> Iterator[Callable[..., KernelPanel]]:
    made: list[KernelPanel] = []

    def make(source: str, *args: Any, **words: Any) -> KernelPanel:
        kernel = next(iter(controls.session.build(source).values()))
        made.append(KernelPanel(kernel, args, words, controls=controls))
        return made[-1]

    yield make
    for panel in made:
        panel.close()


def _until(condition: Callable[[], bool], timeout_s: float = 30) -> None:
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.005)


def test_arguments_start_with_what_fits(panel_of: Callable[..., KernelPanel], names: dict[str, Any]) -> None:
    panel = panel_of(FILL)
    assert panel.wish["arguments"] == {"src": "name:src", "dst": "name:dst", "gain": 1.0, "n": 64}
    assert panel.wish["macros"] == {"TILE": 16}
    src = next(one for one in panel.form["arguments"] if one["name"] == "src")
    assert [choice["id"] for choice in src["choices"]] == ["name:src", "name:dst", NEW]  # `wrong` is float64
    assert panel.run(60).kernel == "fill"
    np.testing.assert_array_equal(names["dst"], names["src"] + 16)


def test_a_change_runs_again_and_returns_at_once(panel_of: Callable[..., KernelPanel], names: dict[str, Any]) -> None:
    panel = panel_of(FILL)
    panel.run(60)
    begin = time.perf_counter()
    panel.set(gain=3.0)
    assert time.perf_counter() - begin < 0.1
    _until(lambda: names["dst"][1] == 19)
    _until(lambda: panel.status["state"] == "complete")
    assert panel.status["run"] == panel.status["shown"] == 2


def test_the_latest_wish_wins(panel_of: Callable[..., KernelPanel], names: dict[str, Any]) -> None:
    panel = panel_of(FILL)
    panel.run(60)
    for step in range(100):
        panel.set(gain=float(step))
    _until(lambda: not panel._queue.busy)
    assert names["dst"][1] == 99 + 16
    assert panel.status["run"] < 100, "wishes that wait are dropped for the latest"


def test_without_auto_only_run_runs(panel_of: Callable[..., KernelPanel], names: dict[str, Any]) -> None:
    panel = panel_of(FILL)
    panel.set(auto=False)
    panel.set(gain=5.0)
    time.sleep(0.1)
    assert panel.status["run"] == 0
    panel.run(60)
    assert names["dst"][1] == 21


def test_another_macro_builds_another_program(panel_of: Callable[..., KernelPanel], names: dict[str, Any]) -> None:
    panel = panel_of(FILL)
    before = panel.kernel.program.result.spec.digest
    panel.set(TILE=64)
    panel.run(60)
    assert names["dst"][0] == 64
    assert panel.kernel.program.result.spec.digest != before
    panel.set(TILE=16)
    panel.run(60)
    assert panel.kernel.program.result.spec.digest == before


def test_an_error_leaves_the_last_good_picture(panel_of: Callable[..., KernelPanel], names: dict[str, Any]) -> None:
    panel = panel_of(FILL)
    panel.run(60)
    view = panel.view
    del names["src"]
    with pytest.raises(ArgumentError, match="src, chosen for src, is no longer there"):
        panel.run(60)
    assert panel.status["state"] == "failed"
    assert panel.status["run"] == 2
    assert panel.status["shown"] == 1
    assert "no longer there" in panel.status["error"]["title"]
    assert panel.view == view
    src = next(one for one in panel.form["arguments"] if one["name"] == "src")
    assert src["choices"][0]["text"] == "src, no longer there"
    names["src"] = np.ones(64, np.float32)
    assert panel.run(60)
    assert "error" not in panel.status


def test_a_build_error_is_shown_with_its_line(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of(
        "#define N 4 // 0:8\nkernel void f(global int *x) { int a[N - 1]; a[0] = 1; x[0] = a[0] + 1 / N; }"
    )
    panel.run(60)
    panel.set(N=0)
    with pytest.raises(BuildError):
        panel.run(60)
    assert panel.status["state"] == "failed"
    assert "2:" in panel.status["error"]["title"] + panel.status["error"]["text"]
    panel.set(N=4)
    assert panel.run(60)


def test_an_endless_kernel_is_stopped_within_a_second(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of(ENDLESS, global_size=1, go=0)
    panel.run(60)
    panel.set(go=1)
    _until(lambda: panel.status["state"] == "running" and panel._queue._running is not None)
    time.sleep(0.3)
    panel.set(go=0)  # waits behind it
    panel.set(go=1)
    begin = time.monotonic()
    assert panel.stop()
    _until(lambda: panel.status["state"] == "stopped")
    assert time.monotonic() - begin < 1
    assert panel.status["shown"] == 1
    panel.set(go=0)
    _until(lambda: panel.status["state"] == "complete")


def test_a_kernel_that_crashes_leaves_the_panel_usable(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of(WILD, global_size=64, far=0)
    panel.run(60)
    panel.set(far=1000)
    with pytest.raises(ClMagicError):
        panel.run(60)
    assert panel.status["state"] == "failed"
    panel.set(far=0)
    assert panel.run(60).status == "complete"
    assert panel.arrays["x"].max() == 7


def test_where_nothing_fits_zeros_of_the_global_size_are_made(controls: SessionControls) -> None:
    bare = SessionControls(controls.session, names=dict)
    kernel = controls.session.build("kernel void f(global float4 *v, global uchar *b) { v[0] = 1; b[1] = 2; }").f
    panel = KernelPanel(kernel, words={"global_size": (6, 4)}, controls=bare)
    assert panel.form["arguments"][0]["note"] == "No variable fits."
    assert panel.form["arguments"][0]["choices"] == [{"id": NEW, "text": "new zeros, 4 × 6 × 4 float32"}]
    panel.run(60)
    assert panel.arrays["v"].shape == (4, 6, 4)
    assert panel.arrays["b"].shape == (4, 6)
    panel.close()


def test_sizes_that_cannot_be_launched_are_said_and_nothing_runs(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of(FILL)
    panel.run(60)
    panel.wish = panel.wish | {"sizes": {"global": ["64"], "local": ["100000"], "offset": ["0"], "serial": 1}}
    assert panel.status["state"] == "refused"
    assert panel.sizes["fault"]["message"]
    assert panel.status["run"] == 1
    panel.wish = panel.wish | {"sizes": {"global": ["64"], "local": ["8"], "offset": ["0"], "serial": 2}}
    assert panel.run(60).plan.local_size == (8,)


def test_a_kernel_with_twenty_arguments_has_twenty_controls(panel_of: Callable[..., KernelPanel]) -> None:
    numbers = ", ".join(f"float a{i}" for i in range(19))
    total = " + ".join(f"a{i}" for i in range(19))
    panel = panel_of(f"kernel void many(global float *dst, {numbers}) {{ dst[get_global_id(0)] = {total}; }}")
    assert len(panel.form["arguments"]) == 20
    panel.set(**{f"a{i}": float(i) for i in range(19)})
    panel.run(60)
    assert panel.controls.names()["dst"][3] == sum(range(19))


def test_values_outlive_the_panel_where_the_cell_says_the_same(panel_of: Callable[..., KernelPanel]) -> None:
    first = panel_of(FILL)
    first.set(gain=0.5, TILE=8, tab="ndrange")
    again = panel_of(FILL)
    assert again.wish["arguments"]["gain"] == 0.5
    assert again.wish["macros"]["TILE"] == 8
    assert again.wish["tab"] == "ndrange"
    assert first.comm is not None, "outside a cell no panel takes another one's place"
    other = panel_of(FILL.replace("TILE 16", "TILE 32"), gain=2.0)
    assert other.wish["arguments"]["gain"] == 2.0
    assert other.wish["macros"]["TILE"] == 32


def test_a_device_chosen_anywhere_is_the_panels(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of(FILL)
    panel.run(60)
    other = next(d for d in panel.choice.devices if d.id != panel.wish["device"] and not d.simulator)
    panel.controls.select(other.id)
    assert panel.wish["device"] == other.id
    _until(lambda: not panel._queue.busy and panel.record.device.id == other.id)


def test_a_device_that_vanished_is_said_and_the_panel_goes_on(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of(FILL)
    panel.run(60)
    before = panel.wish["device"]
    panel.wish = panel.wish | {"device": "9:9"}
    assert panel.status["state"] == "refused"
    assert panel.wish["device"] == before
    assert panel.run(60)


def test_all_tabs_have_something_to_show(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of('kernel void f(global int *x) { x[get_global_id(0)] = 1; printf("one\\n"); }', global_size=4)
    panel.run(60)
    seen = {}
    for tab in ("picture", "ndrange", "timeline", "buffers", "printf", "log"):
        panel.set(tab=tab)
        seen[tab] = panel.view
        assert panel.view["tab"] == tab
    assert seen["printf"]["text"].split() == ["one"] * 4
    assert "f" in seen["log"]["text"]
    kinds = [seen[tab]["payload"]["kind"] for tab in ("picture", "ndrange", "timeline", "buffers")]
    assert kinds == ["buffer", "ndrange", "timeline", "buffer"]
    assert len({seen[tab]["payload"]["record"] for tab in ("picture", "ndrange", "buffers")}) == 1


def test_the_picture_is_of_the_array_itself(panel_of: Callable[..., KernelPanel], names: dict[str, Any]) -> None:
    names["dst"] = np.zeros((400, 500), np.float32)
    source = "kernel void f(global float *dst) { dst[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1; }"
    panel = panel_of(source)
    panel.run(60)
    columns = panel.view["payload"]["columns"]
    assert columns["0.after"]["shape"] == [400, 500]
    assert "0.before" not in columns


def test_without_a_browser_the_summary_has_the_values_and_the_run(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of(FILL)
    bundle = panel._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    for words in ("panel of fill", "src, 64 float32", "1.0 (0.0 to 2.0)", "16", "of 4, 8, 16, 32, 64", "64 items in"):
        assert words in bundle["text/plain"], words
    assert "last run" in bundle["text/html"]


def test_a_hostile_name_is_text(panel_of: Callable[..., KernelPanel], names: dict[str, Any]) -> None:
    names["<img src=x>"] = np.zeros(64, np.float32)
    panel = panel_of(FILL)
    panel.set(src=choice_of("<img src=x>"))
    assert "<img" not in panel._repr_mimebundle_()["text/html"]


def test_an_unknown_control_is_an_error_that_names_those_there_are(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of(FILL)
    with pytest.raises(ArgumentError, match="no control 'gian'") as caught:
        panel.set(gian=1)
    assert "gain" in caught.value.remedy
    with pytest.raises(ArgumentError, match="uses no macro") as caught:
        panel_of(FILL, TILES="1:2")
    assert caught.value.remedy == "did you mean TILE?"


def test_memory_stays_flat_over_a_thousand_moves(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of(FILL)
    panel.run(60)

    def moved(count: int) -> int:
        for step in range(count):
            panel.set(gain=step / count)
            if step % 10 == 0:
                panel._queue.join(30)
        panel._queue.join(30)
        gc.collect()
        return _resident_bytes()

    first = moved(500)  # fills what is bounded: a hundred records
    second = moved(1000)
    assert second - first < 8 * 2**20


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


def test_a_stale_trait_message_does_no_harm(panel_of: Callable[..., KernelPanel]) -> None:
    panel = panel_of(FILL)
    panel.wish = replace_part(panel.wish, "arguments", {"gain": "not a number"})
    with pytest.raises(ClMagicError):
        panel.run(60)
    assert panel.status["state"] == "failed"


def replace_part(wish: dict[str, Any], name: str, part: dict[str, Any]) -> dict[str, Any]:
    return wish | {name: wish[name] | part}


def test_a_panel_is_made_in_time(panel_of: Callable[..., KernelPanel]) -> None:
    """Widget creation: at most 300 ms, its message included."""
    panel_of(FILL)
    begin = time.perf_counter()
    panel_of(FILL)
    assert time.perf_counter() - begin < 0.3


def test_the_picture_is_of_an_array_of_the_notebook_before_one_that_was_made(
    panel_of: Callable[..., KernelPanel],
) -> None:
    source = "kernel void f(global float *dst, global uint *aux) { dst[0] = 1; aux[0] = 2; }"
    panel = panel_of(source, global_size=4)
    panel.run(60)
    assert panel.status["pictures"] == ["dst", "aux"]
    assert panel.view["payload"]["head"]["arrays"][0]["name"] == "dst"
    panel.set(picture="aux")
    assert panel.view["payload"]["head"]["arrays"][0]["name"] == "aux"
