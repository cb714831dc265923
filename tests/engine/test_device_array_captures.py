"""Arrays of a device are captured as NumPy arrays are: in a launch that is waited for and runs once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cl_magic as clm

SOURCE = """kernel void add(global float *y, global const float *x)
{ int i = get_global_id(0); y[i] += x[i]; }"""


@pytest.fixture(scope="module", params=["worker", "inline"])
def engine(request: pytest.FixtureRequest) -> Any:
    return request.param


def launched(engine: str, **words: Any) -> Any:
    program = clm.Session(engine=engine).build(SOURCE)
    y, x = clm.zeros(64, engine=engine), clm.array(np.arange(64, dtype=np.float32), engine=engine)
    found = program.add(y, x, global_size=64, **words)
    return found if words.get("wait", True) else found.wait()


def test_statistics_and_pictures_are_those_of_the_values(engine: str) -> None:
    run = launched(engine)
    written, read = run.capture("y"), run.capture("x")
    assert written.changed == 63
    assert (written.before.maximum, written.after.maximum, written.difference.maximum) == (0, 63, 63)
    after = np.frombuffer(written.picture_after.data, "<f4")
    np.testing.assert_array_equal(after, np.arange(64))
    assert (read.before.maximum, read.after, read.changed) == (63, None, None)
    assert "read from the device before and after the run" in written.note


def test_nothing_is_read_where_nobody_looks(engine: str) -> None:
    assert launched(engine, capture="none").captures == ()
    assert launched(engine, repeat=3).captures == ()
    assert launched(engine, wait=False).captures == ()


def test_a_slice_is_captured_as_the_part_it_is(engine: str) -> None:
    program = clm.Session(engine=engine).build(SOURCE)
    y, x = clm.zeros(2048, engine=engine), clm.ones(64, engine=engine)
    capture = program.add(y[1024:1088], x, global_size=64).capture("y")
    assert (capture.shape, capture.changed, capture.after.minimum) == ((64,), 64, 1)


def test_a_large_array_is_read_only_when_asked(engine: str) -> None:
    program = clm.Session(engine=engine).build(SOURCE)
    y, x = clm.zeros((1 << 24) + 64, engine=engine), clm.ones(64, engine=engine)
    auto = program.add(y, x, global_size=64).capture("y")
    assert (auto.before, auto.after) == (None, None)
    assert "not captured: over 64 MiB" in auto.note
    assert program.add(y, x, global_size=64, capture="full").capture("y").changed == 64


def test_the_steps_of_a_loop_are_not_captured(engine: str) -> None:
    """Arrays that a kernel ran with before: looking at them would take longer than the launch."""
    add = clm.Session(engine=engine).build(SOURCE).add
    a, b = clm.zeros(64, engine=engine), clm.ones(64, engine=engine)
    assert len(add(a, b, global_size=64).captures) == 2
    for given in ((a, b), (b, a), (a, b)):
        assert not add(*given, global_size=64).captures
    assert len(add(a, b, global_size=64, capture="auto").captures) == 2
    assert len(add(a, clm.ones(64, engine=engine), global_size=64).captures) == 2
    np.testing.assert_array_equal(a.numpy()[:1], [9])
