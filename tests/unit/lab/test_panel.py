"""What the side panel is told, from a session that has built and run, and from one that has done nothing (R-01)."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.lab.panel import choose_device, facts_json, find_devices, run_record

SOURCE = "kernel void panel_{}(global float *x) {{ x[get_global_id(0)] *= 2; }}"


def _facts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(repr(facts_json()))
    return found


def test_asking_loads_no_driver_and_finds_nothing() -> None:
    code = (
        "import json, sys; from cl_magic.lab.panel import facts_json; found = json.loads(repr(facts_json()));"
        "loaded = [m for m in ('pyopencl', 'IPython', 'matplotlib') if m in sys.modules];"
        "print(found['searched'], found['devices'], loaded)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False [] []"


def test_devices_are_listed_after_a_search_and_one_choice_counts_everywhere() -> None:
    find_devices()
    facts = _facts()
    assert facts["searched"]
    assert [one["id"] for one in facts["devices"]] == [device.id for device in clm.devices()]
    before = clm.session().device
    last = clm.devices()[-1]
    try:
        chosen = json.loads(choose_device(last.id))
        assert clm.session().device == last
        assert [one["id"] for one in chosen["devices"] if one["chosen"]] == [last.id]
    finally:
        clm.session().select(before)


def test_a_device_that_is_not_there_is_told_and_changes_nothing() -> None:
    find_devices()
    before = clm.session().device
    assert "99:0" in json.loads(choose_device("99:0"))["trouble"]
    assert clm.session().device == before


def test_programs_arrays_and_runs_of_the_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    program = clm.build(SOURCE.format("one"))
    array = clm.zeros((3, 5))
    monkeypatch.setattr(sys.modules["__main__"], "twice", program["panel_one"], raising=False)
    monkeypatch.setattr(sys.modules["__main__"], "field", array, raising=False)
    record = program["panel_one"](np.ones(64, np.float32), global_size=64)
    facts = _facts()
    mine = facts["programs"][0]
    assert mine["kernels"] == [{"name": "panel_one", "variables": ["twice"]}]
    assert not mine["outdated"]
    told = {"name": "field", "shape": [3, 5], "dtype": "float32", "bytes": 60, "device": array.device.short_name}
    assert {**told, "state": ""} in facts["arrays"]
    run = facts["runs"][0]
    assert (run["kernel"], run["global"], run["duration"]) == ("panel_one", [64], record.duration_ns)
    assert run_record(run["id"]) is record
    clm.free(array)
    assert next(one for one in _facts()["arrays"] if one["name"] == "field")["state"] == "freed"


def test_a_run_that_is_gone_is_none() -> None:
    assert run_record("gone") is None
