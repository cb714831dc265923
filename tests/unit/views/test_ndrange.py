"""Payloads of the NDRange view: few numbers whatever the range, exact sizes, colours by item."""

from __future__ import annotations

import dataclasses
import json
import time
from typing import Any

import numpy as np
import pytest
from support.values import blur_signature, capture_of, plan_of, pocl_device, run_record

from cl_magic.build.result import WorkGroupInfo
from cl_magic.errors import ArgumentError, RecordError
from cl_magic.launch.controls import KernelFacts
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.partition import partition_of
from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.record.capture_arrays import Watch
from cl_magic.record.event import CommandEvent
from cl_magic.views.ndrange import ndrange_payload
from cl_magic.views.payload import SAVED_BYTES


def _size(payload: Any) -> int:
    return len(json.dumps(payload.saved()))


@pytest.mark.parametrize("items", [10**3, 10**6, 10**9, 10**18])
def test_a_range_of_any_size_is_the_same_few_bytes(items: int) -> None:
    """Computed, never enumerated."""
    start = time.perf_counter()
    payload = ndrange_payload(plan_of((items,), (64,)), device=pocl_device())
    assert _size(payload) < 2000
    assert time.perf_counter() - start < 0.1
    assert payload.head["global_size"] == [str(items)]
    assert not payload.columns


def test_the_facts_of_a_plan_are_there() -> None:
    """R-19: sizes, offset, launches, reasons."""
    plan = plan_of((603, 515), (16, 16), offset=(100, 40))
    head = ndrange_payload(partition_of(plan, "blur")).head
    assert (head["global_size"], head["global_offset"]) == (["603", "515"], ["100", "40"])
    assert head["groups"] == ["38", "33"]
    assert [part["role"] for part in head["parts"]] == ["main", "remainder", "remainder", "remainder"]
    assert head["parts"][3] == {
        "offset": ["692", "552"], "size": ["11", "3"], "local": ["11", "3"], "role": "remainder", "command": None,
    }  # fmt: skip
    assert (head["kernel"], head["status"], head["padded"]) == ("blur", "planned", None)
    assert ndrange_payload(plan_of((600, 512), (16, 16), "padded")).head["padded"] == ["608", "512"]


def test_a_run_links_launches_and_commands() -> None:
    run = run_record()
    payload = ndrange_payload(run)
    for number, part in enumerate(payload.head["parts"]):
        event = run.events[part["command"]]
        assert (event.kind, event.part, event.run) == ("kernel", number, 1)
    parts = payload.columns["command_part"]
    assert [int(p) for p in parts] == [e.part if e.kind == "kernel" else -1 for e in run.events]
    assert [a["name"] for a in payload.head["arrays"]] == ["src", "dst"]
    assert payload.record == ndrange_payload(run).record != ""


def test_many_commands_take_no_time() -> None:
    events = tuple(CommandEvent("kernel", "k", i, i, i, i + 1, run=i // 2 + 1, part=i % 2) for i in range(200_000))
    run = run_record(events=events)
    start = time.perf_counter()
    payload = ndrange_payload(run, saved=True)
    assert time.perf_counter() - start < 1
    assert [part["command"] for part in payload.head["parts"]] == [0, 1]
    assert _size(payload) < SAVED_BYTES / 4


def test_limits_are_those_of_device_and_kernel() -> None:
    """R-06: group size, local memory, groups per compute unit, preferred multiple."""
    device = dataclasses.replace(pocl_device(), compute_units=4, local_mem_bytes=65_536)
    facts = KernelFacts(dataclasses.replace(blur_signature(), static_local_bytes=2048), WorkGroupInfo(256, 8), device)
    rows = {row["name"]: row for row in ndrange_payload(plan_of((600, 3), (20, 1)), facts=facts).head["limits"]}
    assert (rows["items in a group"]["here"], rows["items in a group"]["most"]) == (20, 256)
    assert rows["items in a group"]["note"] == "limit of this kernel"
    assert (rows["local memory"]["here"], rows["local memory"]["most"]) == (2048, 65_536)
    assert (rows["compute units used"]["here"], rows["compute units used"]["each"]) == (4, "23")
    assert (rows["preferred multiple of 8"]["here"], rows["preferred multiple of 8"]["most"]) == (20, 24)
    few = {row["name"]: row for row in ndrange_payload(plan_of((64,), (64,)), device=device).head["limits"]}
    assert (few["compute units used"]["here"], few["compute units used"]["most"]) == (1, 4)


def test_a_sub_group_is_told_where_it_is_known() -> None:
    gpu = DeviceInfo(
        "0:0", "H200", "NVIDIA CUDA", "", ("gpu",), max_work_group_size=1024, max_work_item_sizes=(1024,) * 3
    )
    facts = KernelFacts(blur_signature(), WorkGroupInfo(1024, 32), gpu)
    assert ndrange_payload(plan_of((600, 512), (16, 16)), facts=facts).head["sub_group"]["size"] == 32
    assert ndrange_payload(run_record()).head["sub_group"] is None


def test_colours_are_one_number_an_item() -> None:
    plan = plan_of((600, 512), (16, 16))
    values = np.arange(512 * 600, dtype=np.float64).reshape(512, 600)
    payload = ndrange_payload(plan, color_by=values)
    colour, cells = payload.head["colour"], payload.columns["colour"]
    assert cells.size <= 65_536
    assert (colour["step"], colour["method"], tuple(colour["shape"])) == ([3, 3], "mean", cells.shape)
    assert cells[10, 20] == values[30:33, 60:63].mean()
    assert np.array_equal(ndrange_payload(plan, color_by=values.ravel()).columns["colour"], cells)
    exact = ndrange_payload(plan_of((5, 7, 3), (2, 2, 2)), color_by=np.arange(105, dtype=np.int64).reshape(3, 7, 5))
    assert (exact.head["colour"]["method"], exact.columns["colour"][2, 6, 4]) == ("exact", 104)
    line = ndrange_payload(plan_of((10**6,), (64,)), color_by=np.arange(10**6, dtype=np.float32))
    assert (line.head["colour"]["method"], line.columns["colour"].size <= 65_536) == ("mean", True)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "f2", ">f4", ">i8", "u8", "f8"])
def test_every_real_type_colours(dtype: str) -> None:
    values = np.arange(12).astype(dtype)
    payload = ndrange_payload(plan_of((12,), (4,)), color_by=values)
    assert np.array_equal(payload.columns["colour"].astype(np.float64), values.astype(np.float64))
    payload.message()
    payload.saved()


def test_what_an_item_wrote_colours_it() -> None:
    payload = ndrange_payload(run_record())
    assert payload.head["written"]["name"] == "dst"
    assert payload.head["colour"] is None
    named = ndrange_payload(run_record(), color_by="src", written="dst")
    assert (named.head["colour"]["name"], named.head["written"]["name"]) == ("src", "dst")
    line = np.arange(200_000, dtype=np.float32)
    watch = Watch(line, "y", writes=True)
    line += 1
    run = run_record(plan=plan_of((200_000,), (64,)), captures=(watch.finish(line),))
    found = ndrange_payload(run)
    step = found.head["written"]["step"][0]
    assert found.head["written"]["method"] == "middle"
    assert found.columns["written"][3] == pytest.approx(line[3 * step : 4 * step].mean(), abs=1)


def test_a_flat_array_colours_a_plane() -> None:
    values = np.arange(600 * 512, dtype=np.float32)
    run = run_record(captures=(capture_of("dst", values, values + 1),))
    written = ndrange_payload(run).head["written"]
    assert (written["flat"], written["shape"]) == (True, [512, 600])
    small = np.arange(8, dtype=np.float32)
    run = run_record(plan=plan_of((4, 2), (2, 2)), captures=(capture_of("dst", small, small + 1),))
    payload = ndrange_payload(run)
    assert (payload.head["written"]["flat"], payload.columns["written"].shape) == (False, (2, 4))


def test_bad_colours_are_errors_with_the_shape() -> None:
    plan = plan_of((600, 512), (16, 16))
    with pytest.raises(ArgumentError, match=r"has shape \(600, 512\).*\(512, 600\) \(rows first\)") as caught:
        ndrange_payload(plan, color_by=np.zeros((600, 512)))
    assert caught.value.remedy
    with pytest.raises(ArgumentError, match="complex128"):
        ndrange_payload(plan, color_by=np.zeros((512, 600), complex))
    with pytest.raises(ArgumentError, match="a plan holds none"):
        ndrange_payload(plan, color_by="dst")
    with pytest.raises(RecordError):
        ndrange_payload(run_record(), color_by="nothing")
    with pytest.raises(ArgumentError, match="not of int"):
        ndrange_payload(3)


def test_a_saved_view_is_small_whatever_the_colours() -> None:
    noise = np.random.default_rng(1).random((1024, 1024))
    noise[0, 0] = np.nan
    payload = ndrange_payload(plan_of((1024, 1024), (16, 16)), color_by=noise, saved=True)
    assert _size(payload) < SAVED_BYTES / 4
    assert payload.columns["colour"].dtype == np.uint8
    assert payload.columns["colour"].flat[0] == 255
    facts = payload.head["colour"]
    low, high = facts["quantised"]["low"], facts["quantised"]["high"]
    cell = payload.columns["colour"][5, 7] / 252 * (high - low) + low
    whole = ndrange_payload(plan_of((1024, 1024), (16, 16)), color_by=noise)
    ratio = facts["step"][0] // whole.head["colour"]["step"][0]
    assert cell == pytest.approx(whole.columns["colour"][5 * ratio, 7 * ratio], abs=(high - low) / 252)
    run = ndrange_payload(run_record(), saved=True)
    assert run.head["written"]["quantised"]
    assert run.columns["written"].size <= 16_384


def test_the_drivers_choice_and_a_crash_are_drawn() -> None:
    driver = LaunchPlan((64, 7), (0, 0), None, "", "driver", (LaunchPart((0, 0), (64, 7), None),), ())
    head = ndrange_payload(driver, device=pocl_device()).head
    assert (head["local_size"], head["groups"], head["limits"]) == (None, [], [])
    failed = run_record(status="failed", error="SIGSEGV", captures=())
    head = ndrange_payload(failed).head
    assert (head["status"], head["error"], head["arrays"], head["written"]) == ("failed", "SIGSEGV", [], None)
    nothing = dataclasses.replace(failed, events=())
    assert [part["command"] for part in ndrange_payload(nothing).head["parts"]] == [None, None]
