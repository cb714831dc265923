"""The payload of the buffer view: true numbers, exact or honestly reduced pictures, every kind of array."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps
from numpy.typing import NDArray
from support import values

from cl_magic.errors import RecordError
from cl_magic.record.array_statistics import statistics_of
from cl_magic.record.capture_arrays import Watch
from cl_magic.record.captures import Capture, Picture
from cl_magic.views.buffer import BUDGET, buffer_payload, buffers_part
from cl_magic.views.buffer_columns import RESERVED, drawn_at
from cl_magic.views.buffer_frame import Look, frame_payload
from cl_magic.views.payload import Payload

Array = NDArray[Any]
RNG = np.random.default_rng(5)
PARTICLE = np.dtype([("id", "i4"), ("pos", "f4", 3), ("mass", ">f8")], align=True)


def captured(before: Array, after: Array | None = None, element_type: str = "") -> Capture:
    watch = Watch(before, "dst", writes=after is not None)
    return replace(watch.finish(after), element_type=element_type)


def facts(payload: Payload) -> dict[str, Any]:
    found: dict[str, Any] = payload.head["arrays"][0]
    return found


ODD: dict[str, Array] = {
    "all NaN": np.full((8, 9), np.nan, np.float32),
    "constant": np.full((8, 9), 7.5),
    "empty": np.zeros((0, 4), np.float32),
    "single element": np.array([3], np.int16),
    "0-d": np.array(2.5, np.float32),
    "bool": np.array([True, False, True]),
    "int64 extremes": np.array([np.iinfo(np.int64).min, 0, np.iinfo(np.int64).max]),
    "uint64 extremes": np.array([[0, np.iinfo(np.uint64).max]], np.uint64),
    "float16": RNG.normal(size=(5, 6)).astype(np.float16),
    "complex": (RNG.normal(size=(5, 6)) + 1j).astype(np.complex64),
    "records": np.zeros(5, PARTICLE),
    "void": np.zeros(5, "V3"),
    "byte-swapped": np.arange(12, dtype=">i4").reshape(3, 4),
    "strided": np.arange(48, dtype=np.float32).reshape(6, 8)[::2, 1::3],
    "5-D": RNG.normal(size=(2, 3, 4, 5, 6)).astype(np.float32),
    "large 5-D": np.zeros((4, 16, 16, 16, 16), np.uint8),
    "float64 ends": np.array([-1.7e308, 1.7e308, np.inf, -np.inf, np.nan, 5e-324]),
    "one row": np.arange(100_000, dtype=np.float32).reshape(1, -1),
    "one column": np.arange(100_000, dtype=np.float32).reshape(-1, 1),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("saved", [False, True], ids=["live", "saved"])
def test_every_array_has_a_payload_that_is_json(name: str, *, saved: bool) -> None:
    array = ODD[name]
    payload = buffer_payload(captured(array, array.copy()), saved=saved)
    text = json.dumps(payload.saved(), allow_nan=False)
    assert not saved or len(text) < BUDGET + 20_000
    assert facts(payload)["shape"] == list(array.shape)
    for side, picture in facts(payload)["pictures"].items():
        assert math.prod(picture["shape"]) == payload.columns[f"0.{side}"].size
    payload.message()


def test_statistics_are_numpys() -> None:
    array = RNG.normal(size=(300, 400)).astype(np.float32)
    array[0, :3] = np.nan, np.inf, 1e-40
    after = array * 2
    found = facts(buffer_payload(captured(array, after)))["statistics"]
    finite = after[np.isfinite(after)].astype(np.float64)
    assert found["after"]["min"] == finite.min()
    assert found["after"]["max"] == finite.max()
    assert found["after"]["mean"] == pytest.approx(finite.mean(), rel=1e-12)
    assert (found["after"]["nan"], found["after"]["inf"], found["after"]["denormal"]) == (1, 1, 1)
    assert sum(found["after"]["histogram"]) == finite.size
    assert found["difference"]["count"] == array.size


def test_ends_beyond_a_doubles_digits_are_texts() -> None:
    ends = facts(buffer_payload(captured(ODD["int64 extremes"])))["statistics"]["before"]["exact"]
    assert ends == [str(np.iinfo(np.int64).min), str(np.iinfo(np.int64).max)]
    assert facts(buffer_payload(captured(np.arange(3))))["statistics"]["before"]["exact"] is None


@pytest.mark.parametrize("name", ["float16", "byte-swapped", "strided", "complex", "bool"])
def test_exact_cells_are_the_arrays_elements(name: str) -> None:
    array = ODD[name]
    payload = buffer_payload(captured(array))
    cells = payload.columns["0.before"]
    picture = facts(payload)["pictures"]["before"]
    values_ = cells.view(picture["code"]).reshape(picture["shape"])
    expected = np.stack([array.real, array.imag], axis=-1) if array.dtype.kind == "c" else array
    np.testing.assert_array_equal(values_, expected)


def test_forms_and_components() -> None:
    image = RNG.random((20, 30, 3), np.float32)
    assert facts(buffer_payload(captured(image)))["form"] == "colour"
    assert facts(buffer_payload(captured(image * 5 - 1)))["form"] == "plane"
    vectors = facts(buffer_payload(captured(RNG.normal(size=(50, 4)).astype("f4"), element_type="float4")))
    assert (vectors["form"], vectors["components"]) == ("line", ["x", "y", "z", "w"])
    wide = facts(buffer_payload(captured(np.zeros((9, 16), np.float32), element_type="float16")))
    assert wide["components"][-1] == "sf"
    assert facts(buffer_payload(captured(ODD["records"])))["form"] == "records"
    assert facts(buffer_payload(captured(ODD["0-d"])))["form"] == "value"
    assert facts(buffer_payload(captured(ODD["empty"])))["form"] == "nothing"
    assert facts(buffer_payload(captured(ODD["complex"])))["components"] == ["re", "im"]


def test_members_of_records_say_where_and_how_they_lie() -> None:
    records = np.zeros(5, PARTICLE)
    after = records.copy()
    after["mass"][3] = 2
    payload = buffer_payload(captured(records, after))
    members = {member["name"]: member for member in facts(payload)["members"]}
    assert members["mass"] == {
        "name": "mass",
        "code": "<f8",
        "swapped": True,
        "dtype": "float64",
        "offset": 16,
        "shape": [],
    }
    assert members["pos"]["shape"] == [3]
    assert bytes(payload.columns["0.bytes_after"]) == after.tobytes()
    assert facts(payload)["changed"] == 1


@settings(max_examples=60, deadline=None)
@given(nps.arrays(np.float32, nps.array_shapes(min_dims=1, max_dims=3, max_side=8), elements=st.floats(width=32)))
def test_quantised_cells_are_within_half_a_step(array: Array) -> None:
    picture = Picture(array.shape, "<f4", array.tobytes(), (1,) * array.ndim)
    drawn = drawn_at(picture, 2)
    codes, ends = drawn.column.astype(np.int64), drawn.facts["quantised"]
    top = 256 - RESERVED
    finite = np.isfinite(array)
    share = codes[finite] / (top - 1)
    back = ends["low"] * (1 - share) + ends["high"] * share
    half = (ends["high"] / 2 - ends["low"] / 2) / (top - 1)
    assert np.all(np.abs(back - array[finite].astype(np.float64)) <= half * (1 + 1e-6) + 1e-300)
    assert (codes[np.isnan(array)] == top + 2).all()
    assert (codes[np.isposinf(array)] == top + 1).all()
    assert (codes[np.isneginf(array)] == top).all()


def test_a_saved_payload_keeps_to_its_budget_and_its_peaks() -> None:
    captures = [captured(RNG.random((1024, 1024), np.float32), RNG.random((1024, 1024), np.float32)) for _ in range(4)]
    line = np.zeros(1_000_000, np.float32)
    line[777_777] = 9
    captures.append(captured(RNG.random(1_000_000, np.float32), line))
    run = values.run_record(captures=tuple(replace(one, parameter=f"p{i}") for i, one in enumerate(captures)))
    head, columns = buffers_part(run, saved=True)
    payload = Payload("buffer", "r", head, columns)
    assert sum(len(column["deflate"]) for column in payload.saved()["columns"].values()) <= BUDGET
    picture = head["arrays"][4]["pictures"]["after"]
    assert picture["method"] == "range"
    assert picture["quantised"] is None or picture["quantised"]["high"] == 9
    assert head["arrays"][0]["statistics"]["after"]["count"] == 1 << 20
    whole, live = buffers_part(run)
    assert live["0.after"].dtype == np.float32
    assert whole["arrays"][0]["pictures"]["after"]["quantised"] is None


def test_a_runs_arrays_know_the_range_and_are_found_by_name() -> None:
    run = values.run_record()
    payload = buffer_payload(run)
    assert payload.head["ndrange"]["global_size"] == list(run.plan.global_size)
    assert payload.record == buffer_payload(run, run.captures[0].parameter).record != ""
    with pytest.raises(RecordError):
        buffer_payload(run, "nothing of that name")


def test_a_run_without_captures_and_one_that_failed() -> None:
    bare = values.run_record(captures=())
    assert buffer_payload(bare).head["arrays"] == []
    watch = Watch(np.zeros(4, np.float32), "dst", writes=True)
    half = replace(bare, captures=(watch.finish(),), status="failed")
    payload = buffer_payload(half)
    assert payload.head["status"] == "failed"
    assert facts(payload)["statistics"]["after"] is None
    assert not facts(payload)["written"]


@pytest.mark.parametrize("size", [100, 2_000_000])
def test_a_sample_of_a_large_array_is_said(size: int) -> None:
    array = np.zeros((size, 16), np.float32)
    found = facts(buffer_payload(captured(array, array)))
    assert found["sampled"] == (size > 100)
    assert ("statistics are of" in found["note"]) == found["sampled"]


def test_frames_are_the_array_in_codes() -> None:
    array = RNG.random((1024, 1024), np.float32)
    known: dict[str, Any] = {}
    payload = frame_payload([Look(array, "dst", shape=array.shape)], "loop", None, "launch 7", known)
    picture = facts(payload)["pictures"]["after"]
    step = picture["step"][0]
    rows = 1024 // step
    means = array[: rows * step, : rows * step].reshape(rows, step, rows, step).mean(axis=(1, 3), dtype=np.float64)
    low, high = picture["quantised"]["low"], picture["quantised"]["high"]
    back = low + payload.columns["0.after"][:rows, :rows] / (256 - RESERVED - 1) * (high - low)
    assert np.abs(back - means).max() <= (high - low) / 252 * 0.51
    assert facts(payload)["statistics"]["after"]["max"] == float(array.max())
    assert known["dst"] == statistics_of(array)
    assert payload.head["live"]["text"] == "launch 7"


@pytest.mark.parametrize("name", ODD)
def test_frames_of_odd_arrays(name: str) -> None:
    array = np.ascontiguousarray(
        ODD[name], ODD[name].dtype.newbyteorder("=") if ODD[name].dtype.kind in "iufc" else None
    )
    payload = frame_payload([Look(array.reshape(ODD[name].shape), "dst", shape=ODD[name].shape)], "loop", None, "")
    json.dumps(payload.saved(), allow_nan=False)
