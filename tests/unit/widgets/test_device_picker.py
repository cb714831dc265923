"""The device picker by its traits: one choice for pickers and session, devices that vanish, no device at all."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.bare import BareEnvironment, bare_environment
from support.scripts import run_script

import cl_magic as clm
from cl_magic.launch.limits import DeviceInfo, DriverReport
from cl_magic.session import Session
from cl_magic.widgets import DevicePicker
from cl_magic.widgets.controls import SessionControls
from cl_magic.widgets.device_rows import facts_of, picture_of


@pytest.fixture
def controls() -> SessionControls:
    return SessionControls(Session())


def _other(picker: DevicePicker) -> DeviceInfo:
    return next(device for device in picker.choice.devices if device != picker.value)


def test_a_picker_shows_the_current_device_of_its_session(controls: SessionControls) -> None:
    """R-01."""
    picker = DevicePicker(controls)
    assert picker.value == controls.session.device
    assert picker.chosen == picker.value.id
    assert [row["id"] for row in picker.picture["rows"]] == [device.id for device in clm.devices()]
    assert picker.trouble == picker.notice == ""


def test_a_row_that_is_clicked_is_the_sessions_device_and_every_pickers(controls: SessionControls) -> None:
    first, second = DevicePicker(controls), DevicePicker(controls)
    other = _other(first)
    told: list[Any] = []
    second.observe(lambda change: told.append(change["new"]), "value")
    first.chosen = other.id
    assert controls.session.device == other
    assert second.value == other
    assert second.chosen == other.id
    assert told == [other]
    assert second.picture["current"] == other.short_name
    built = controls.session.build("kernel void f(global int *x) { x[0] = 1; }")
    assert built.device == other


def test_a_selection_anywhere_is_seen_in_the_picker(controls: SessionControls) -> None:
    picker = DevicePicker(controls)
    other = _other(picker)
    controls.session.select(other.id)
    assert picker.value == other
    picker.value = next(device for device in picker.choice.devices if device != other)
    assert controls.session.device == picker.value
    assert picker.chosen == picker.value.id


def test_sessions_do_not_share_their_choice(controls: SessionControls) -> None:
    mine, theirs = DevicePicker(controls), DevicePicker(SessionControls(Session()))
    before = theirs.value
    mine.value = _other(mine)
    assert theirs.value == before


def test_a_row_that_is_no_longer_there_is_said_and_the_mark_goes_back(controls: SessionControls) -> None:
    picker = DevicePicker(controls)
    before = picker.value
    picker.chosen = "9:9"
    assert "9:9" in picker.trouble
    assert picker.value == before
    assert picker.chosen == before.id
    picker.value = _other(picker)
    assert picker.trouble == ""


def test_a_closed_picker_is_told_nothing(controls: SessionControls) -> None:
    picker, open_ = DevicePicker(controls), DevicePicker(controls)
    before = picker.value
    picker.close()
    open_.value = _other(open_)
    assert picker.value == before


def test_the_filter_is_kept_for_the_cell_that_runs_again(controls: SessionControls) -> None:
    DevicePicker(controls).filter = "fp16"
    assert DevicePicker(controls).filter == "fp16"
    assert DevicePicker(controls, filter="cpu").filter == "cpu"


def test_a_new_search_asked_for_by_the_browser_does_not_block(controls: SessionControls) -> None:
    picker = DevicePicker(controls)
    begin = time.perf_counter()
    picker._heard(picker, {"type": "refresh"}, [])
    assert time.perf_counter() - begin < 0.1
    assert picker.searching
    while picker.searching:
        time.sleep(0.05)
    assert picker.value == controls.session.device
    picker._heard(picker, {"type": "nonsense"}, [])
    assert not picker.searching


def test_badges_that_all_have_are_said_once() -> None:
    one = DeviceInfo("0:0", "a", "PoCL", "OpenCL 3.0", ("cpu",), fp64=True, images=True)
    two = replace(one, id="1:0", fp16=True)
    picture = picture_of([DriverReport("x.icd", (one, two))], [], one)
    assert picture["shared"] == ["fp64", "images"]
    assert [row["badges"] for row in picture["rows"]] == [[], ["fp16"]]
    alone = picture_of([DriverReport("x.icd", (one,))], [], one)
    assert alone["shared"] == []
    assert alone["rows"][0]["badges"] == ["fp64", "images"]


def test_what_ails_a_device_stands_in_its_row_and_one_that_cannot_be_used_cannot_be_chosen() -> None:
    device = DeviceInfo("0:0", "a", "PoCL", "OpenCL 3.0", ("cpu",), available=False)
    simulator = replace(device, id="1:0", available=True, compiler_available=False, simulator=True)
    rows = picture_of([DriverReport("x.icd", (device, simulator))], [], None)["rows"]
    assert [row["usable"] for row in rows] == [False, True]
    assert "not available" in rows[0]["trouble"]
    assert "no compiler" in rows[1]["trouble"]
    assert rows[1]["kind"] == "simulator"
    assert "never chosen by itself" in rows[1]["remark"]


def test_facts_leave_out_what_is_not_reported() -> None:
    bare = DeviceInfo("0:0", "a", "PoCL", "OpenCL 3.0", ("cpu",))
    assert not {"clock", "cache", "SVM", "local memory"} & set(dict(facts_of(bare)))
    for device in clm.devices():
        facts = dict(facts_of(device))
        assert all(isinstance(value, str) and value for value in facts.values())
        assert device.driver_version in facts["driver version"]


def test_without_a_front_end_the_picker_is_the_table(controls: SessionControls) -> None:
    picker = DevicePicker(controls)
    bundle = picker._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert picker.value.short_name in bundle["text/plain"]
    assert "<details" not in bundle["text/html"]
    assert max(map(len, bundle["text/plain"].splitlines())) <= 100


def test_a_picker_is_made_in_less_than_300_ms(controls: SessionControls) -> None:
    controls.reports()
    begin = time.perf_counter()
    DevicePicker(controls)
    assert time.perf_counter() - begin < 0.3


VANISHES = """
import os, pathlib
import cl_magic as clm
from cl_magic.widgets import DevicePicker

icd = pathlib.Path(os.environ["OCL_ICD_VENDORS"])
picker = DevicePicker()
clm.session().select(picker.value)
text = icd.read_text()
icd.unlink()
picker.refresh()
assert picker.value is None and picker.chosen == "", picker.value
assert "no longer there" in picker.notice, picker.notice
assert "no OpenCL device was found" in picker.trouble, picker.trouble
(ailing,) = picker.picture["troubles"]
assert "does not exist" in ailing["trouble"] and "install the driver again" in ailing["remedy"], ailing
try:
    clm.build("kernel void f(global int *x) { x[0] = 1; }")
except clm.ClMagicError as error:
    assert "no OpenCL device" in str(error)
else:
    raise AssertionError("built on nothing")
icd.write_text(text)
picker.refresh()
assert picker.value.driver == str(icd) and picker.trouble == picker.notice == "", picker.trouble
print(clm.build("kernel void f(global int *x) { x[0] = 1; }").device.short_name)
"""


def test_a_device_that_vanishes_between_two_searches(tmp_path: Path) -> None:
    driver = clm.device("pocl").driver
    own = tmp_path / "own.icd"
    library = Path(driver).read_text(encoding="utf-8").strip() if driver.endswith(".icd") else driver
    beside = Path(driver).parent / library
    own.write_text(f"{beside if beside.exists() else library}\n")
    done = run_script(VANISHES, OCL_ICD_VENDORS=str(own))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "PoCL cpu"


REPLACED = """
import os
import cl_magic as clm
from cl_magic.widgets import DevicePicker

picker = DevicePicker()
picker.value = clm.device("pocl")
os.environ["OCL_ICD_VENDORS"] = INTEL
picker.refresh()
print(picker.notice)
print(clm.session().device.short_name, picker.chosen == clm.session().device.id, picker.trouble == "")
"""


def test_a_chosen_device_that_is_gone_gives_way_to_the_default_and_it_is_said() -> None:
    found = [device for device in clm.devices() if device.family == "intel"]
    if not found:
        pytest.skip("one driver only")
    driver = clm.device("pocl").driver
    done = run_script(REPLACED.replace("INTEL", repr(found[0].driver)), OCL_ICD_VENDORS=driver)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["PoCL cpu is no longer there; Intel cpu is used now", "Intel cpu True True"]


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> BareEnvironment:
    return bare_environment(tmp_path_factory.mktemp("bare"))


NOTHING = """
from cl_magic.widgets import DevicePicker

picker = DevicePicker()
print(picker.value, picker.picture["rows"])
print(picker.trouble)
print(picker)
"""


def test_no_device_at_all(bare: BareEnvironment) -> None:
    done = bare.run("-c", NOTHING)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "None []"
    assert lines[1] == "no OpenCL device was found"
    assert "install" in lines[3]
    assert "0 devices" in done.stdout
