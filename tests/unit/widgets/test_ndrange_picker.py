"""The NDRange picker by its traits: legal steps, what is typed, the planner's reasons, what a call then uses."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cl_magic as clm
from cl_magic.errors import NDRangeError
from cl_magic.launch.controls import KernelFacts, planned
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.set_sizes import Sizes
from cl_magic.session import Session
from cl_magic.widgets import NDRangePicker
from cl_magic.widgets.controls import SessionControls
from cl_magic.widgets.ndrange_steps import steps_of, ways_out, whole_number

SOURCE = """
kernel void blur(global int *x, int w) {
    int i = get_global_id(0), j = get_global_id(1);
    if (i < w && j < w) x[j * w + i] += get_num_groups(0);
}
kernel void line(global int *x) { x[get_global_id(0)] = get_local_size(0); }
__attribute__((reqd_work_group_size(16, 4, 1)))
kernel void fixed(global int *x) { x[get_global_id(0) + 64 * get_global_id(1)] = 1; }
kernel void tiled(global float *x, local float *tile) { local float own[64]; own[0] = tile[0]; x[0] = own[0]; }
"""
AXIS = {"serial": 7, "global": ["64"], "local": None, "offset": ["0"]}


@pytest.fixture(scope="module")
def program() -> clm.Program:
    return clm.build(SOURCE, device="pocl")


@pytest.fixture
def controls() -> SessionControls:
    return SessionControls(Session())


@pytest.fixture(scope="module")
def all_facts(program: clm.Program) -> dict[str, KernelFacts]:
    return {name: SessionControls(Session()).facts(program[name]) for name in program}


@pytest.fixture(autouse=True)
def _as_they_were(program: clm.Program) -> Iterator[None]:
    yield
    for name in program.kernel_names:
        program[name].set_sizes(Sizes())


def ask(picker: NDRangePicker, **wish: Any) -> dict[str, Any]:
    """What the browser sends when a field changes; returns what it gets to draw."""
    picker.asked = {**AXIS, "serial": picker.asked["serial"] + 1, **wish}
    picture: dict[str, Any] = picker.picture
    json.dumps(picture)
    assert picture["serial"] == picker.asked["serial"]
    return picture


def test_a_dragged_size_is_planned_and_used_by_the_next_call(program: clm.Program, controls: SessionControls) -> None:
    """K-19."""
    picker = NDRangePicker(program.line, 1000, 250, controls=controls)
    assert picker.value == NDRange((1000,), (250,))
    seen: list[NDRange] = []
    picker.observe(lambda change: seen.append(change["new"]), "value")
    picture = ask(picker, **{"global": ["1000"], "local": ["125"]})
    assert seen == [picker.value] == [NDRange((1000,), (125,))]
    assert picker.plan.groups == (8,)
    assert picture["plan"]["groups"] == [8]
    x = np.zeros(1000, np.int32)
    run = program.line(x)
    assert run.plan == picker.plan
    assert set(x) == {125}


def test_a_call_on_the_device_follows_a_size_that_changes_between_two_calls(
    program: clm.Program, controls: SessionControls
) -> None:
    picker = NDRangePicker(program.line, 64, 8, controls=controls)
    x = clm.array(np.zeros(64, np.int32), device="pocl")
    for _ in range(3):
        program.line(x)
    assert set(x.numpy()) == {8}
    ask(picker, **{"global": ["64"], "local": ["32"]})
    program.line(x)
    assert set(x.numpy()) == {32}


def test_a_picker_may_leave_the_kernel_alone(program: clm.Program, controls: SessionControls) -> None:
    NDRangePicker(program.line, 1000, controls=controls, sets_kernel=False)
    with pytest.raises(NDRangeError, match="needs a global_size"):
        program.line(np.zeros(1000, np.int32))


def test_automatic_leaves_the_group_to_the_planner(program: clm.Program, controls: SessionControls) -> None:
    picker = NDRangePicker(program.line, 1000, controls=controls)
    assert picker.value.local_size is None
    assert picker.plan == program.line.plan(1000)
    assert picker.picture["local"] == list(picker.plan.local_size or ())
    assert any(name == "local size" and "chosen:" in text for name, text in picker.picture["reasons"])


def test_what_is_offered_can_be_launched_and_nothing_is_left_out(
    program: clm.Program, controls: SessionControls
) -> None:
    """K-19: divisors, and the preferred multiple doubled; over a limit is shown and not offered."""
    picker = NDRangePicker(program.blur, (600, 512), (16, 16), controls=controls)
    facts = picker.facts
    along_x = steps_of(facts, picker.value, (16, 16), 0)
    assert [s.size for s in along_x if s.divides] == [n for n in range(1, 601) if 600 % n == 0]
    assert {8, 16, 32, 64, 128, 256, 512} <= {s.size for s in along_x}
    assert all(s.preferred == (s.size * 16 % facts.work_group.preferred_multiple == 0) for s in along_x)
    for axis in (0, 1):
        for step in steps_of(facts, picker.value, (16, 16), axis):
            group = [16, 16]
            group[axis] = step.size
            assert step.legal == _plans(facts, (600, 512), tuple(group)), step
    assert not all(step.legal for step in along_x)
    for size, divides, _, legal in picker.picture["steps"][0]:
        assert (600 % size == 0) == divides
        assert isinstance(legal, bool)


def _plans(facts: KernelFacts, sizes: tuple[int, ...], group: tuple[int, ...]) -> bool:
    try:
        planned(facts, sizes, group)
    except NDRangeError:
        return False
    return True


def test_steps_that_leave_a_remainder_are_not_offered_where_it_cannot_be_launched() -> None:
    found = [device for device in clm.devices() if device.sub_groups and device.type == ("cpu",)]
    if not found:
        pytest.skip("no device with sub-groups")
    source = "kernel void f(global int *x) { x[get_global_id(0)] = get_sub_group_id(); }"
    kernel = clm.build(source, options="-cl-std=CL3.0 -cl-uniform-work-group-size", device=found[0]).f
    picker = NDRangePicker(kernel, 1000, controls=SessionControls(Session()))
    steps = picker.picture["steps"][0]
    assert {size for size, _, _, legal in steps if legal} == {n for n in range(1, 1001) if 1000 % n == 0}
    assert any(not divides for _, divides, _, _ in steps)


def test_a_required_size_is_fixed_and_ways_out_are_offered(program: clm.Program, controls: SessionControls) -> None:
    picker = NDRangePicker(program.fixed, controls=controls)
    assert picker.fault == ""
    assert picker.value.dimensions == 2
    assert picker.picture["fixed"] == "fixed by reqd_work_group_size(16, 4, 1)"
    assert [[row[0] for row in steps] for steps in picker.picture["steps"]] == [[16], [4]]
    before = picker.value, picker.plan
    picture = ask(picker, **{"global": ["100", "7"], "offset": ["0", "0"]})
    assert "x: 100 = 6 × 16 + 4, y: 7 = 1 × 4 + 3" in picker.fault
    assert (picker.value, picker.plan) == before
    ways = {way["words"]: way["wish"] for way in picture["fault"]["ways"]}
    assert list(ways) == ["Global 112 × 8", "Global 96 × 4"]
    ask(picker, **ways["Global 96 × 4"])
    assert picker.fault == ""
    assert picker.value.global_size == (96, 4)
    picture = ask(picker, **{"global": ["100"]})
    assert "needs 2 dimensions" in picker.fault
    assert all(len(way["wish"]["global"]) == 2 for way in picture["fault"]["ways"])


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"global": ["0"]}, "has nothing to do"),
        ({"global": ["-5"]}, "holds -5; sizes and offsets are not negative"),
        ({"global": ["abc"]}, "global x is 'abc', which is no whole number"),
        ({"global": ["1e9"]}, "no whole number"),
        ({"global": [""]}, "global x is empty"),
        ({"global": ["1<<70"]}, f"holds {1 << 70}, which is over 64 bits"),
        ({"global": ["9" * 30]}, "over 64 bits"),
        ({"global": ["9" * 9000]}, "over 64 bits"),
        ({"global": ["2**62", "2**62"], "offset": ["0", "0"]}, "drivers count up to 2^63 - 1"),
        ({"global": ["9"] * 4}, "has 4 dimensions"),
        ({"global": None}, "has 0 dimensions"),
        ({"global": {"a": 1}}, "has 0 dimensions"),
        ({"global": [None]}, "no whole number"),
        ({"global": [[]]}, "no whole number"),
        ({"local": ["0"]}, "at least one work-item"),
        ({"local": ["8192"]}, "over the limit"),
        ({"local": ["8", "8"]}, "has 2 dimensions"),
        ({"offset": ["-1"]}, "not negative"),
        ({"offset": ["2**64-1"]}, "no whole number"),
        ({"offset": ["18446744073709551615"]}, "does not fit"),
    ],
)
def test_what_cannot_be_is_explained_and_the_last_range_stays(
    program: clm.Program, controls: SessionControls, wish: dict[str, Any], words: str
) -> None:
    picker = NDRangePicker(program.line, 64, 8, controls=controls)
    before = picker.value, picker.plan, program.line.sizes
    picture = ask(picker, **wish)
    assert words in picker.fault
    assert picture["fault"]["message"]
    assert not picture["fault"]["message"].startswith("line:")
    assert (picker.value, picker.plan, program.line.sizes) == before
    assert picture["plan"]["global"] == [64]
    ask(picker)
    assert picker.fault == ""


def test_a_picker_may_begin_with_what_cannot_be(program: clm.Program, controls: SessionControls) -> None:
    picker = NDRangePicker(program.fixed, 100, controls=controls)
    assert "needs 2 dimensions" in picker.fault
    assert picker.value is None
    assert picker.picture["plan"] is None
    assert "needs 2 dimensions" in picker._repr_mimebundle_()["text/plain"]
    picker.value = NDRange((32, 8))
    assert picker.fault == ""
    assert picker.plan.groups == (2, 2)


def test_a_cell_that_runs_again_shows_what_was_picked(program: clm.Program, controls: SessionControls) -> None:
    first = NDRangePicker(program.line, 1000, 250, controls=controls)
    ask(first, **{"global": ["2000"], "local": ["100"], "offset": ["10"]})
    again = NDRangePicker(program.line, 1000, 250, controls=controls)
    assert again.value == NDRange((2000,), (100,), (10,))
    assert NDRangePicker(program.line, controls=controls).value == again.value
    assert NDRangePicker(program.line, 1000, 125, controls=controls).value == NDRange((1000,), (125,))
    assert NDRangePicker(program.blur, controls=controls).value == NDRange((512, 512))


def test_another_kernel_takes_over_the_fields(program: clm.Program, controls: SessionControls) -> None:
    picker = NDRangePicker(program.line, 1024, 4096 // 8, controls=controls)
    simulator = [device for device in clm.devices() if device.simulator]
    picker.kernel = program.blur
    assert picker.picture["kernel"] == "blur"
    assert picker.value == NDRange((1024,), (512,))
    if simulator:
        picker.kernel = clm.build(SOURCE, device=simulator[0]).line
        assert picker.facts.device == simulator[0]
        assert picker.picture["device"] == simulator[0].short_name


def test_a_specialised_kernel_keeps_its_sizes(program: clm.Program, controls: SessionControls) -> None:
    kernel = program.line.specialize(local_size=32)
    picker = NDRangePicker(kernel, 64, controls=controls)
    assert picker.picture["fixed"] == "fixed: the kernel was specialised for it"
    assert kernel.sizes.fixed
    whole = program.line.specialize(global_size=128)
    picker = NDRangePicker(whole, controls=controls)
    assert picker.picture["fixedGlobal"]
    ask(picker, **{"global": ["64"]})
    assert "specialised for global_size 128" in picker.fault


def test_limits_are_bars_with_numbers(program: clm.Program, controls: SessionControls) -> None:
    picker = NDRangePicker(program.tiled, 64, 64, controls=controls)
    device = program.device
    bars = {bar["name"]: bar for bar in picker.picture["bars"]}
    assert bars["items in a group"]["share"] == 64 / device.max_work_group_size
    assert bars["local memory"]["value"].startswith("256")
    assert bars["local memory"]["note"] == "without tile, which the call gives"
    assert bars["units with a group"]["share"] == min(1, 1 / device.compute_units)
    picker.call_bytes = 1024
    bars = {bar["name"]: bar for bar in picker.picture["bars"]}
    assert bars["local memory"]["share"] == (256 + 1024) / device.local_mem_bytes
    assert bars["local memory"]["note"] == ""


def test_without_a_front_end_the_picker_is_its_plan(program: clm.Program, controls: SessionControls) -> None:
    bundle = NDRangePicker(program.blur, (600, 512), (16, 16), controls=controls)._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"].startswith("NDRange: 600 × 512 items in 16 × 16 groups")
    assert "<svg role=" in bundle["text/html"]


def test_planning_a_drag_is_fast(program: clm.Program, controls: SessionControls) -> None:
    begin = time.perf_counter()
    picker = NDRangePicker(program.blur, (600, 512), (16, 16), controls=controls)
    assert time.perf_counter() - begin < 0.3
    taken = []
    for turn in range(200):
        local = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24)[turn % 12]
        begin = time.perf_counter()
        ask(picker, **{"global": [str(600 + turn), "512"], "local": [str(local), "16"], "offset": ["0", "0"]})
        taken.append(1000 * (time.perf_counter() - begin))
    assert statistics.median(taken) < 15
    assert statistics.quantiles(taken, n=20)[-1] < 40


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1024", 1024),
        (" 1 024 ", 1024),
        ("1\u202f024", 1024),
        ("1_000_000", 10**6),
        ("0x400", 1024),
        ("1<<20", 1 << 20),
        ("2**20", 1 << 20),
        ("16*40", 640),
        ("16 × 40", 640),
        ("600+8", 608),
        ("600-8", 592),
        ("-5", -5),
        ("9**9999999", 9**127),
    ],
)
def test_numbers_as_people_type_them(text: str, value: int) -> None:
    assert whole_number(text, "global x", "f") == value


@given(st.text(max_size=30))
@settings(deadline=None, max_examples=300)
def test_any_text_is_a_number_or_said_not_to_be(text: str) -> None:
    try:
        assert isinstance(whole_number(text, "global x", "f"), int)
    except NDRangeError as error:
        assert "global x" in error.message  # noqa: PT017 - either is right


@given(
    sizes=st.lists(st.integers(1, 5000), min_size=1, max_size=3),
    local=st.none() | st.lists(st.integers(1, 5000), min_size=1, max_size=3),
    name=st.sampled_from(["line", "fixed", "blur"]),
)
@settings(deadline=None, max_examples=100)
def test_every_way_out_works(
    all_facts: dict[str, KernelFacts], sizes: list[int], local: list[int] | None, name: str
) -> None:
    facts = all_facts[name]
    group = None if local is None else tuple([*local, 1, 1][: len(sizes)])
    for words, way in ways_out(facts, NDRange(tuple(sizes), group)):
        assert words
        planned(facts, way.global_size, way.local_size, way.global_offset)
