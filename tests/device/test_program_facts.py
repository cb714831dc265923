"""What a program knows of itself, the device it is for, and what it can be made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.errors import ArgumentError, ProgramStateError
from cl_magic.launch.limits import DeviceInfo

SOURCE = '#include "n.h"\nkernel void b(global int *x) { x[0] = N + M; }\nkernel void a(global int *x) { x[0] = 1; }\n'


def test_r_54_a_program_tells_its_facts(device: DeviceInfo) -> None:
    program = clm.build(SOURCE, device=device, options="-DM=3", headers={"n.h": "#define N 1\n"})
    info = program.info
    assert (info.kernel_names, info.num_kernels, info.binary_type) == (("b", "a"), 2, "EXECUTABLE")
    assert (info.device, info.platform) == (device.name, device.platform_name)
    assert (info.made_from, info.source_length, info.headers) == ("source", len(SOURCE), ("n.h",))
    assert "-DM=3" in info.options
    assert info.log == program.log
    assert "b, a" in str(info)
    assert "-DM=3" in info._repr_mimebundle_()["text/html"]


def test_r_54_a_program_without_source_says_so(device: DeviceInfo) -> None:
    program = clm.build("kernel void a(global int *x) { x[0] = 1; }", device=device)
    loaded = clm.load_binary(clm.save_binary(program), device)
    assert (loaded.info.made_from, loaded.info.kernel_names) == ("binary", ("a",))
    part = clm.source("kernel void a(global int *x) { x[0] = 1; }").compile(device=device)
    assert clm.link([part]).info.made_from == "objects"


def test_r_55_a_program_is_for_one_device_and_a_call_on_another_builds_it_there() -> None:
    devices = clm.devices()
    if len(devices) < 2:
        pytest.skip("one device only")
    here, there = devices[:2]
    program = clm.build("kernel void a(global int *x) { x[get_global_id(0)] = 2; }", device=here)
    x = np.zeros(4, dtype=np.int32)
    run = program.a(x, global_size=4, device=there)
    assert (run.device.id, x.tolist()) == (there.id, [2] * 4)
    assert program.device.id == here.id
    with pytest.raises(ArgumentError):  # memory of another device's context
        program.a(clm.zeros(4, dtype=np.int32, device=there), global_size=4)


def test_s_06_a_program_is_built_of_one_text_or_of_several(device: DeviceInfo) -> None:
    texts = ["#define N 5\n", "kernel void a(global int *x) { x[0] = N; }"]
    x = np.zeros(1, dtype=np.int32)
    for given in (texts, "".join(texts), "".join(texts).encode()):
        x[:] = 0
        clm.build(given, device=device).a(x, global_size=1)
        assert x.tolist() == [5]


def test_s_35_a_link_takes_objects_as_they_were_compiled(device: DeviceInfo, tmp_path: Path) -> None:
    header = tmp_path / "n.h"
    header.write_text("#define N 5\n")
    user = clm.source('#include "n.h"\nint half_of(int x);\nkernel void a(global int *x) { x[0] = half_of(N * 2); }')
    used = user.compile(device=device, options=["-I", str(tmp_path)])
    header.unlink()  # to compile it again would fail
    for text in ("int half_of(int x) { return x / 2; }", "int half_of(int x) { return x >> 1; }"):
        x = np.zeros(1, dtype=np.int32)
        clm.link([used, clm.source(text).compile(device=device)]).a(x, global_size=1)
        assert x.tolist() == [5]


def test_s_03_names_of_kernels_are_no_question_before_a_build() -> None:
    bundle = clm.source("kernel void a(global int *x) { }")
    for ask in (lambda: bundle.kernel_names, lambda: bundle.get_kernel("a")):
        with pytest.raises(ProgramStateError) as caught:
            ask()
        assert caught.value.state == "source"
