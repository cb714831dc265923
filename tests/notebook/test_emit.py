"""``%%opencl --emit``: the code of a cell, shown below its build report (K-67, C-79)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.shell import Lab, fresh_lab

import cl_magic as clm
from cl_magic.errors import ListingUnavailableError, MagicLineError

SQUARE = """kernel void square(global float *x)
{
    size_t i = get_global_id(0);
    x[i] *= x[i];
}
"""


@pytest.fixture
def lab() -> Iterator[Lab]:
    with fresh_lab() as made:
        yield made


def _family(family: str) -> str:
    found = [device.id for device in clm.devices() if device.family == family]
    if not found:
        pytest.skip(f"{family} is absent")
    return found[0]


def test_k_67_code_of_the_simulator_stands_beside_the_lines_of_the_cell(lab: Lab) -> None:
    outcome = lab.run(f"%%opencl --device={_family('oclgrind')} --quiet --emit=llvm,source\n{SQUARE}")
    assert outcome.error is None
    ir, source = outcome.displays
    assert "; line 5: x[i] *= x[i];" in ir["text/plain"]
    assert "LLVM IR" in ir["text/html"]
    assert "OpenCL C" in source["text/plain"]
    assert "square" in lab.names


def test_c_79_debug_information_of_the_line_gives_machine_code_its_lines(lab: Lab) -> None:
    outcome = lab.run(f"%%opencl -g -cl-opt-disable --device={_family('pocl')} --emit=asm\n{SQUARE}")
    assert outcome.error is None
    html = outcome.displays[-1]["text/html"]
    assert "x[i] *= x[i];" in html
    assert "widest vector" in outcome.text


def test_a_form_that_the_device_does_not_give_fails_the_cell_and_its_kernels_are_there(lab: Lab) -> None:
    outcome = lab.run(f"%%opencl --device={_family('oclgrind')} --emit=ptx\n{SQUARE}")
    assert isinstance(outcome.error, ListingUnavailableError)
    assert outcome.error.possible == ("source", "llvm", "binary")
    assert "square" in lab.names


def test_an_unknown_form_builds_nothing(lab: Lab) -> None:
    outcome = lab.run(f"%%opencl --emit=assembly\n{SQUARE}")
    assert isinstance(outcome.error, MagicLineError)
    assert "square" not in lab.names
