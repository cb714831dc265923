"""What widgets act through: selections told, launches that can be stopped, sizes set, what is remembered."""

from __future__ import annotations

import time

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.errors import DeviceNotFoundError, NDRangeError, WorkerDiedError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.set_sizes import Sizes
from cl_magic.session import Session
from cl_magic.widgets.controls import SessionControls, controls_of

ENDLESS = (
    "kernel void endless(global volatile int *x) { while (x[0] == 0) { } } kernel void one(global int *x) { x[0] = 1; }"
)


@pytest.fixture
def controls() -> SessionControls:
    return SessionControls(Session("pocl"))


def test_every_selection_is_told_until_one_stops_listening(controls: SessionControls) -> None:
    told: list[DeviceInfo] = []
    stop = controls.listen(told.append)
    other = clm.devices()[-1]
    controls.session.select(other)
    controls.select("pocl")
    with pytest.raises(DeviceNotFoundError):
        controls.select("no such device")
    stop()
    controls.select(other)
    assert [device.id for device in told] == [other.id, clm.device("pocl").id]
    assert controls.device == other


def test_none_selects_the_default(controls: SessionControls) -> None:
    controls.select(clm.devices()[-1])
    assert controls.select(None) == clm.device(None)
    assert controls.device == clm.device(None)


def test_a_launch_is_on_its_way_at_once_and_gives_its_record(controls: SessionControls) -> None:
    kernel = controls.session.build(ENDLESS).one
    x = np.zeros(4, np.int32)
    launched = controls.submit(kernel, (x,), {"global_size": 4, "capture": "auto"})
    record = launched.wait(30)
    assert launched.done
    assert x[0] == 1
    assert record.captures
    assert not launched.stop()
    with pytest.raises(NDRangeError):
        controls.submit(kernel, (x,), {})


def test_an_endless_launch_is_stopped_and_the_next_one_runs(controls: SessionControls) -> None:
    program = controls.session.build(ENDLESS)
    x = np.zeros(4, np.int32)
    launched = controls.submit(program.endless, (x,), {"global_size": 1})
    time.sleep(0.2)
    assert not launched.done
    begin = time.perf_counter()
    assert launched.stop()
    with pytest.raises(WorkerDiedError, match="you stopped it"):
        launched.wait(10)
    assert time.perf_counter() - begin < 5
    assert launched.done
    controls.submit(program.one, (x,), {"global_size": 4}).wait(30)
    assert x[0] == 1


def test_sizes_that_are_set_are_those_of_the_facts(controls: SessionControls) -> None:
    kernel = controls.session.build(ENDLESS).one
    controls.set_sizes(kernel, Sizes(64, 8))
    facts = controls.facts(kernel)
    assert facts.sizes == Sizes(64, 8)
    assert controls.plan(facts, 64, 8) == kernel.plan()
    assert facts.name == "one"
    assert facts.required is None


def test_a_build_is_the_sessions(controls: SessionControls) -> None:
    program = controls.session.build(ENDLESS)
    assert controls.build(program.result.spec) is program
    assert controls.programs() == controls.session.programs == (program,)


def test_state_is_kept_by_session() -> None:
    controls = controls_of()
    controls.remember("a key", 1)
    assert controls_of(clm.session()).recall("a key") == 1
    assert controls_of(Session()).recall("a key") is None


def test_names_are_read_at_each_question() -> None:
    names = {"x": 1}
    controls = SessionControls(Session(), lambda: names)
    names["y"] = 2
    assert dict(controls.names()) == {"x": 1, "y": 2}
    assert "__name__" in SessionControls(Session()).names()
