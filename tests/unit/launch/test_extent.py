"""Arrays too short, where the kernel's text leaves no doubt."""

from __future__ import annotations

import numpy as np
import pytest

from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import bind
from cl_magic.launch.extent import certain_accesses, check_extent
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.whole_range import ProgramFacts

SIGNATURE = KernelSignature("f", (Parameter(0, "x", "float*", "global"), Parameter(1, "v", "float4*", "global")))
HEAD = "kernel void f(global float *x, global float4 *v)\n{\n"


def check(body: str, size: int, *, elements: int = 8, offset: int = 0, options: tuple[str, ...] = ()) -> None:
    bound = bind(SIGNATURE, (np.zeros(elements, np.float32), np.zeros((8, 4), np.float32)))
    plan = LaunchPlan((size,), (offset,), (1,), "", "uniform", (), (size,))
    check_extent(bound, plan, ProgramFacts("", options, HEAD + body + "\n}\n"))


@pytest.mark.parametrize(
    "body",
    [
        "int i = get_global_id(0); x[i] = 1;",
        "const size_t i = (int)get_global_id(0);\n x[ i ] += 2;",
        "x[get_global_id(0)] = 1;",
        "uint i = get_global_id(0); float y = x[i] & 1; /* if */",
        "uint i = get_global_id(0); v[i] = 0;",
    ],
)
def test_too_short_is_refused(body: str) -> None:
    """C-58."""
    check(body, 8)
    with pytest.raises(ArgumentError) as caught:
        check(body, 9)
    assert (caught.value.elements, caught.value.needed) == (8, 9)
    with pytest.raises(ArgumentError):
        check(body, 8, offset=1)


@pytest.mark.parametrize(
    "body",
    [
        "int i = get_global_id(0); if (i < 8) x[i] = 1;",
        "int i = get_global_id(0); if (i >= 8) return; x[i] = 1;",
        "int i = get_global_id(0); i /= 2; x[i] = 1;",
        "int i = get_global_id(0); --i; x[i] = 1;",
        "int i = get_global_id(0); g(&i); x[i] = 1;",
        "int i = get_global_id(0) / 2; x[i] = 1;",
        "int i = get_global_id(0); x[i / 2] = 1;",
        "int i = get_global_id(0); x -= 4; x[i] = 1;",
        "int i = get_global_id(0); i < 8 && (x[i] = 1);",
        "int i = get_global_id(0); float y = i < 8 ? x[i] : 0;",
        "int i = get_global_id(0); DO(x[i]);\n#define DO(a)",
        "int i = get_global_id(0); s.x[i] = 1;",
        "int i = get_global_id(1); x[i] = 1;",
        "int i = get_global_id(0); // x[i]",
    ],
)
def test_any_doubt_passes(body: str) -> None:
    check(body, 100)


def test_macros_and_headers_are_doubt() -> None:
    body = "int i = get_global_id(0); x[i] = N;"
    check(body, 100, options=("-DN=4",))
    with pytest.raises(ArgumentError):
        check(body, 100, options=("-DM=4",))
    text = '#include "a.h"\n' + HEAD + body + "}"
    assert certain_accesses(ProgramFacts(source=text), "f", ("x",)) == ()
    assert certain_accesses(ProgramFacts(source="/* no kernel */"), "f", ("x",)) == ()


def test_the_line_is_the_sources() -> None:
    text = HEAD + "/* two\nlines */ int i = get_global_id(0);\nx[i] = 1;\n}"
    assert [access.line for access in certain_accesses(ProgramFacts(source=text), "f", ("x",))] == [5]
