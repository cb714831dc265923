"""A record shows itself, finds its captures, and is exported to other tools."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.records import run_with

from cl_magic import show
from cl_magic.errors import MissingExtraError, RecordError
from cl_magic.record import numbers
from cl_magic.record.trace_export import columns, save_trace, trace_events


class Fact(show.Shown):
    __slots__ = ()

    def __repr__(self) -> str:
        return "a fact"


def test_a_value_without_a_view_shows_as_text() -> None:
    assert Fact()._repr_mimebundle_() == {"text/plain": "a fact"}
    assert Fact()._repr_mimebundle_(exclude=["text/plain"]) == {}


def test_a_view_is_used_once_it_is_registered() -> None:
    class Seen(Fact):
        __slots__ = ()

    show.html_of.register(Seen)(lambda value: f"<b>{value!r}</b>")
    assert Seen()._repr_mimebundle_() == {"text/plain": "a fact", "text/html": "<b>a fact</b>"}


def test_a_plot_that_is_not_filled_names_the_extra() -> None:
    with pytest.raises(MissingExtraError) as caught:
        show.plot_of(Fact(), "timeline")
    assert caught.value.view == "timeline"
    assert "notebook" in caught.value.remedy


def test_a_capture_is_found_by_parameter_or_label() -> None:
    record = run_with()
    assert record.capture("dst") is record.captures[1]
    with pytest.raises(RecordError) as caught:
        record.capture("dts")
    assert caught.value.captured == ("src", "dst")
    with pytest.raises(RecordError):
        record.plot_buffer("dts")


def test_the_trace_is_what_perfetto_reads(tmp_path: Path) -> None:
    record = run_with(clock_offset_ns=1)
    path = save_trace(record, tmp_path / "run.json")
    trace = json.loads(path.read_text())
    assert trace == json.loads(json.dumps(trace_events(record)))
    bars = [e for e in trace["traceEvents"] if e["ph"] == "X" and e["cat"] != "host"]
    assert len(bars) == len(record.events)
    for bar, event in zip(bars, record.events, strict=True):
        assert {"name", "ts", "dur", "pid", "tid"} <= bar.keys()
        assert bar["dur"] == event.duration_ns / 1000
    waits = [e["ph"] for e in trace["traceEvents"] if e.get("cat") == "waiting"]
    assert waits.count("b") == waits.count("e") == len(record.events)
    assert any(e["ph"] == "M" and e["args"]["name"] == "queue 0" for e in trace["traceEvents"])
    assert any(e.get("cat") == "host" for e in trace["traceEvents"])
    with pytest.raises(RecordError):
        save_trace(record, tmp_path / "no" / "run.json")


def test_columns_are_of_equal_length() -> None:
    record = run_with()
    table = columns(record)
    assert {len(column) for column in table.values()} == {len(record.events)}
    assert min(table["queued_ns"]) == 0
    assert table["duration_ns"] == [event.duration_ns for event in record.events]


@pytest.mark.parametrize("exponent", range(13))
@pytest.mark.parametrize("mantissa", [1, 1.0049, 5.5, 9.994, 9.9951])
def test_measured_numbers_have_three_significant_digits(exponent: int, mantissa: float) -> None:
    number = mantissa * 10**exponent
    for text in (numbers.duration(number), numbers.traffic(number)):
        digits = re.sub(r"[^\d]", "", text.split(" ")[0])
        assert re.fullmatch(r"[\d ]+(\.\d+)? \S+", text)
        assert len(digits.lstrip("0")) <= 3
        assert "1 000" not in text or text.endswith((" s", " TB"))


def test_numbers_use_the_true_minus_and_the_given_space() -> None:
    assert numbers.count(-1234567, numbers.NARROW) == "−1\u202f234\u202f567"
    assert numbers.significant(float("nan")) == "nan"
    assert numbers.value(float("-inf")) == "−Inf"
    assert numbers.capacity(0) == "0 B"
    assert numbers.decimals_for([]) == 0


def test_a_record_prints_as_its_report() -> None:
    record = run_with()
    assert str(record) == f"{record}" == record._repr_mimebundle_()["text/plain"]
    assert str(record).startswith(record.kernel)
    assert repr(record).startswith("RunRecord(")


def test_plans_and_devices_show_themselves_too() -> None:
    record = run_with()
    for value in (record.plan, record.device):
        bundle = value._repr_mimebundle_()
        assert set(bundle) == {"text/plain", "text/html"}
        assert bundle["text/plain"] == str(value)
    assert record.device.short_name in str(record.device)
