"""Names that a program does not have."""

from __future__ import annotations

import pytest

from cl_magic.build.not_found import no_type
from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec

SOURCE = "enum Colour { RED, BLUE }; kernel void f(global int *x) { x[0] = RED; }"


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("Colour", "an enum is an int to the host: numpy.int32"),
        ("enum Colour", "an enum is an int to the host: numpy.int32"),
        ("float4", "its dtype is that of NumPy: clm.types['float4'].dtype"),
        ("Colou", "define it in the source, or in a header of it"),
    ],
)
def test_what_is_no_structure_is_told_with_its_way_out(name: str, remedy: str) -> None:
    assert no_type(name, BuildResult(ok=True, spec=ProgramSpec(SOURCE))).remedy == remedy
