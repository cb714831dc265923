"""Programs of a size that nobody writes by hand: 5 MB of text, 10,000 kernels."""

from __future__ import annotations

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.launch.limits import DeviceInfo
from cl_magic.session import Session


@pytest.mark.slow
def test_a_source_of_5_mb_builds_and_points_to_its_last_line(device: DeviceInfo) -> None:
    rows = "".join(f"// row {number}: {'x' * 90}\n" for number in range(50_000))
    text = f"{rows}kernel void f(global int *x) {{ x[0] = 5; }}\n"
    assert len(text) > 4_800_000
    program = Session(device).build(text)
    x = np.zeros(1, np.int32)
    program["f"](x, global_size=1)
    assert x[0] == 5
    with pytest.raises(clm.BuildError) as caught:
        Session(device).build(text.replace("x[0] = 5", "x[0] = y"))
    assert [d.line for d in caught.value.result.diagnostics if d.severity == "error"] == [50_001]


@pytest.mark.slow
def test_ten_thousand_kernels(device: DeviceInfo) -> None:
    count = 2000 if device.family == "intel" else 10_000  # Intel's compiler takes a minute for them
    text = "".join(f"kernel void k{n}(global int *x) {{ x[0] = {n}; }}\n" for n in range(count))
    program = Session(device).build(text)
    assert len(program) == count
    x = np.zeros(1, np.int32)
    program[f"k{count - 1}"](x, global_size=1)
    assert x[0] == count - 1
