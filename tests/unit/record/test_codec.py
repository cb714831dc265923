"""Values become JSON and come back equal; anything else is refused (R-92: what was not done is not shown as done)."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cl_magic.build.result import BuildResult, KernelInfo
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.signature import KernelSignature
from cl_magic.engine.commands import Build, Inspect, Launch
from cl_magic.errors import RecordError
from cl_magic.launch.limits import DeviceInfo, DriverReport
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.launch.request import ArrayArgument, LaunchRequest, LocalArgument, NullArgument, ScalarArgument
from cl_magic.record.captures import Capture, Picture, Statistics
from cl_magic.record.codec import INLINE_BYTES, from_json, to_json
from cl_magic.record.event import CommandEvent, Transfer
from cl_magic.record.run import ArgumentFact, RunRecord

st.register_type_strategy(str, st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
st.register_type_strategy(int, st.integers(-(2**63), 2**64 - 1))
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
st.register_type_strategy(bytes, st.binary(max_size=3 * INLINE_BYTES))

VALUES = [
    SourceMap, ProgramSpec, Diagnostic, KernelSignature, KernelInfo, BuildResult, DeviceInfo, DriverReport, NDRange,
    LaunchPart, LaunchPlan, ArrayArgument, LocalArgument, NullArgument, ScalarArgument, LaunchRequest, Statistics,
    Picture, Capture, CommandEvent, Transfer, ArgumentFact, RunRecord, Inspect, Build, Launch,
]  # fmt: skip


@pytest.mark.parametrize("type_", VALUES, ids=lambda t: t.__name__)
def test_every_value_class_comes_back_equal(type_: type) -> None:
    @settings(
        max_examples=6, phases=[Phase.generate], deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    @given(st.from_type(type_))
    def check(value: Any) -> None:
        header, columns = to_json(value)
        back = from_json(type_, header, [memoryview(column) for column in columns])
        assert back == value
        assert to_json(back) == (header, columns)  # fields left out of == come back too

    check()


def test_a_tuple_of_values_comes_back() -> None:
    devices = (DeviceInfo("0:0", "a", "p", "v", ("cpu",)), DeviceInfo("0:1", "b", "p", "v", ("gpu",)))
    header, columns = to_json(devices, tuple[DeviceInfo, ...])
    assert not columns
    assert from_json(tuple[DeviceInfo, ...], header) == devices


def test_long_bytes_travel_as_columns_and_short_ones_inside() -> None:
    values = tuple(ScalarArgument(i, "a", "float", bytes(n), "") for i, n in enumerate((4, 64, 65, 1000)))
    header, columns = to_json(values, tuple[ScalarArgument, ...])
    assert [len(column) for column in columns] == [65, 1000]
    assert from_json(tuple[ScalarArgument, ...], header, columns) == values


def test_a_float_that_json_cannot_write_becomes_none() -> None:
    header, _ = to_json(Statistics(1, minimum=math.nan, maximum=math.inf))
    assert from_json(Statistics, header) == Statistics(1)


def _changed(**changes: Any) -> bytes:
    message = msgspec.json.decode(to_json(NDRange((8,)))[0])
    return msgspec.json.encode(message | changes)


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"{",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        _changed(v="1"),
        _changed(d={}),
        _changed(d={"global_size": ["8"]}),
        _changed(d={"global_size": [8.5]}),
        _changed(d={"global_size": [True]}),
        _changed(d={"global_size": None}),
        _changed(d=[8]),
    ],
    ids=range(12),
)
def test_damage_is_refused(header: bytes) -> None:
    with pytest.raises(RecordError) as caught:
        from_json(NDRange, header)
    assert caught.value.remedy


def test_another_version_and_another_type_are_named() -> None:
    with pytest.raises(RecordError) as caught:
        from_json(NDRange, _changed(v=7, d={"future": 1}))
    assert caught.value.version == 7
    with pytest.raises(RecordError) as caught:
        from_json(LaunchPart, to_json(NDRange((8,)))[0])
    assert caught.value.type_name == "NDRange"


def test_columns_that_are_missing_or_left_over_are_refused() -> None:
    header, columns = to_json(Picture((100,), "|u1", bytes(100)))
    with pytest.raises(RecordError) as caught:
        from_json(Picture, header)
    assert (caught.value.column, caught.value.columns) == (0, 0)
    with pytest.raises(RecordError) as caught:
        from_json(Picture, header, [*columns, b"more"])
    assert (caught.value.used, caught.value.columns) == (1, 2)
    with pytest.raises(RecordError):
        from_json(Picture, header.replace(b'"data":0', b'"data":-1'), columns)


def test_a_text_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(RecordError):
        to_json(SourceMap("\ud800"))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_damage_gets_past_the_checks(data: st.DataObject) -> None:
    """A flipped byte gives the value, another valid value or RecordError, and never any other exception."""
    argument = ScalarArgument(1, "a", "float", b"abcd", "1.0f")
    header = bytearray(to_json(argument)[0])
    header[data.draw(st.integers(0, len(header) - 1))] = data.draw(st.integers(0, 255))
    try:
        value = from_json(ScalarArgument, bytes(header))
    except RecordError:
        return
    assert isinstance(value, ScalarArgument)
