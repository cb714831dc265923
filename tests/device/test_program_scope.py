"""Variables at program scope: their lifetime where a device has them, refused where it has not (C-48, C-49)."""

from __future__ import annotations

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.build.source_map import SourceMap
from cl_magic.device import restart_engine
from cl_magic.errors import BuildError, NDRangeError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.session import Session

SOURCE = """constant int table[3] = {1, 2, 3};
global int n = 0;
kernel void a(global int *x) { n += table[0]; x[get_global_id(0)] = n; }
kernel void b(global int *x) { n += 10; x[get_global_id(0)] = n; }
"""


def build(device: DeviceInfo, session: Session | None = None, text: str = SOURCE) -> clm.Program:
    where = SourceMap("cell [2]", first_line=2)
    return (session or Session()).build(text, std=newer(device), device=device, source_map=where)


def newer(device: DeviceInfo) -> str:
    """A language version with such variables; PoCL 5.0 has them in 3.0 only."""
    return "CL2.0" if Session().can_build("CL2.0", device) else "CL3.0"


def refused(device: DeviceInfo) -> bool:
    """Whether the device has no such variables, so that the build fails."""
    if device.max_global_variable_bytes:
        return False
    with pytest.raises(BuildError):
        build(device)
    return True


def value(kernel: clm.Kernel) -> int:
    x = np.zeros(1, np.int32)
    kernel(x, global_size=1)
    return int(x[0])


def test_c_48_refused_with_the_line_where_the_device_has_none(device: DeviceInfo) -> None:
    if device.max_global_variable_bytes:
        assert build(device).result.ok
        return
    with pytest.raises(BuildError) as caught:
        build(device)
    (error,) = [d for d in caught.value.result.diagnostics if d.severity == "error"]
    assert error.line == 3
    assert error.message.startswith("n can be written") or newer(device) == "CL3.0"
    assert caught.value.result.kernels == ()


def test_c_48_tables_are_fine_everywhere(device: DeviceInfo) -> None:
    text = "constant int t[2] = {4, 5};\nkernel void f(global int *x) { x[0] = t[1]; }"
    assert value(clm.build(text, device=device)["f"]) == 5
    if newer(device) == "CL2.0":
        const = text.replace("constant int", "const global int")
        assert value(clm.build(const, std="CL2.0", device=device)["f"]) == 5


def test_c_48_the_language_version_decides(device: DeviceInfo) -> None:
    with pytest.raises(BuildError):
        clm.build(SOURCE, std="CL1.2", device=device)


def test_c_49_they_last_are_shared_and_another_build_resets_them(device: DeviceInfo) -> None:
    if refused(device):
        return
    session = Session()
    program = build(device, session)
    assert [value(program[name]) for name in "aaba"] == [1, 2, 12, 13]
    assert [(one.name, one.line) for one in program.result.variables] == [("n", 3)]
    assert any("kept between launches" in note and "n (line 3)" in note for note in program.result.notes)
    again = build(device, session)
    assert again is not program
    assert value(again["a"]) == 1
    assert value(build(device)["a"]) == 1


def test_c_49_a_restarted_worker_resets_them_and_the_record_says_so(device: DeviceInfo) -> None:
    if refused(device):
        return
    program = build(device)
    assert value(program["a"]) == 1
    restart_engine(device)
    x = np.zeros(1, np.int32)
    record = program["a"](x, global_size=1)
    assert x[0] == 1
    assert any("first values again" in note for note in record.notes)


def test_a_launch_that_needs_a_program_of_its_own_is_refused(device: DeviceInfo) -> None:
    if refused(device):
        return
    text = SOURCE + "kernel void c(global int *x) { x[get_global_id(0)] = n + get_global_size(0); }\n"
    program = build(device, text=text)
    if program["c"].plan(8, 4).mode == "uniform" and device.non_uniform_work_groups:
        return  # the device takes any range in one launch
    with pytest.raises(NDRangeError) as caught:
        program["c"](np.zeros(10, np.int32), global_size=10, local_size=4)
    assert caught.value.variables[0].name == "n"
