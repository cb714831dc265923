"""A run's saved payload: the three views' parts under their names, small, and the same numbers as the record's."""

from __future__ import annotations

import json

import numpy as np
import pytest
from support.records import run_with

from cl_magic.record.run import RunRecord
from cl_magic.views.payload import SAVED_BYTES, mime_of
from cl_magic.views.run import live_run, run_payload

RECORDS = {
    "whole": run_with(),
    "repeated": run_with(repeat=50, warmup=2),
    "many": run_with(repeat=20_000),
    "crashed": run_with(status="failed", error="the worker ended", events=(), captures=(), transfers=()),
    "bare": run_with(events=(), captures=()),
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_every_record_has_a_payload_of_plain_json(record: RunRecord) -> None:
    saved = live_run(record)[mime_of("run")]
    text = json.dumps(saved, allow_nan=False)
    assert len(text) < SAVED_BYTES
    assert saved["version"] == 1
    assert {"ndrange"} <= set(saved["head"]) <= {"kernel", "status", "ndrange", "timeline", "buffers"}
    assert all(key.split(".")[0] in saved["head"] for key in saved["columns"])


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_views_of_a_run_share_its_identity(record: RunRecord) -> None:
    assert run_payload(record).record == run_payload(record, saved=True).record != ""


def test_bundle_holds_it_beside_the_static_report() -> None:
    run = RECORDS["whole"]
    bundle = run._repr_mimebundle_()
    assert {"text/plain", "text/html", mime_of("run")} <= set(bundle)
    assert 'data-clm-view="timeline"' in bundle["text/html"]
    assert mime_of("run") not in run._repr_mimebundle_(exclude=[mime_of("run")])


def test_durations_are_the_events() -> None:
    run = RECORDS["repeated"]
    payload = run_payload(run)
    np.testing.assert_array_equal(payload.columns["timeline.duration"], [event.duration_ns for event in run.events])
