"""Programs from binaries, SPIR-V and built-in kernels on every device (R-53, R-72)."""

from __future__ import annotations

import numpy as np
import pytest
from support import spirv

import cl_magic as clm
from cl_magic.bundle.binaries import SavedProgram, _read
from cl_magic.errors import ArgumentError, BuildError, KernelNotFoundError, SourceError
from cl_magic.launch.limits import DeviceInfo

SOURCE = """typedef struct { int a; char b; } Pair;
kernel void put(global int *x, int n, Pair pair) { x[get_global_id(0)] = n + pair.a; }
"""


def saved(device: DeviceInfo) -> tuple[bytes, SavedProgram]:
    data = clm.save_binary(clm.build(SOURCE, device=device))
    return data, _read(data)


def check(program: clm.Program) -> None:
    x = np.zeros(4, dtype=np.int32)
    program.put(x, 5, (2, 1), global_size=4)
    assert x.tolist() == [7] * 4


def test_r_53_r_72_a_saved_binary_runs_with_its_signatures(device: DeviceInfo) -> None:
    data, _ = saved(device)
    program = clm.load_binary(data, device)
    check(program)
    assert [parameter.name for parameter in program.put.signature.parameters] == ["x", "n", "pair"]
    assert program.put.signature.parameters[0].reads is False


def test_r_72_a_drivers_own_binary_runs_with_the_source_it_was_made_of(device: DeviceInfo) -> None:
    _, inside = saved(device)
    check(clm.load_binary(inside.binary, device, source=SOURCE))
    bare = clm.load_binary(inside.binary, device)
    assert bare.kernel_names == ("put",)
    told = all(parameter.type_name for parameter in bare.put.signature.parameters)
    assert any("nothing is known of the arguments" in note for note in bare.result.notes) is not told


@pytest.mark.parametrize("cut", [0, 1, 9, 2000])
def test_r_53_damaged_binaries_are_errors_and_the_worker_lives(device: DeviceInfo, cut: int) -> None:
    data, inside = saved(device)
    for bad in (data[:cut], inside.binary[:cut], b"garbage " * cut, data[:-1], data[:-1] + bytes([data[-1] ^ 1])):
        with pytest.raises((ArgumentError, BuildError)):
            clm.load_binary(bad, device)
    check(clm.load_binary(data, device))


def test_a_binary_of_another_device_is_refused_with_its_name() -> None:
    devices = clm.devices()
    if len(devices) < 2:
        pytest.skip("one device only")
    data, inside = saved(devices[0])
    with pytest.raises(ArgumentError) as caught:
        clm.load_binary(data, devices[1])
    assert caught.value.made_for[1] == inside.device_name


def test_r_53_spir_v_runs_where_the_device_takes_it(device: DeviceInfo) -> None:
    if not device.il_versions:
        with pytest.raises(ArgumentError):
            clm.load_il(spirv.module(), device)
        return
    x = np.zeros(1, dtype=np.int32)
    clm.load_il(spirv.module(), device, source=spirv.SOURCE).seven(x, global_size=1)
    assert x.tolist() == [7]
    with pytest.raises(BuildError):
        clm.load_il(spirv.module()[:20], device)


def test_r_53_a_built_in_kernel_is_looked_up_in_the_devices_list_first(device: DeviceInfo) -> None:
    with pytest.raises(KernelNotFoundError) as caught:
        clm.built_in_kernels("no_such_kernel", device)
    assert "no_such_kernel" not in caught.value.kernels
    assert clm.build(SOURCE, device=device).kernel_names == ("put",)


def test_a_binary_that_asks_for_the_whole_range_is_not_split_in_silence(device: DeviceInfo) -> None:
    source = "kernel void put(global int *x) { x[get_global_id(0)] = get_global_size(0); }"
    program = clm.load_binary(clm.save_binary(clm.build(source, device=device)), device)
    x = np.zeros(5, dtype=np.int32)
    try:
        program.put(x, global_size=5, local_size=2)
    except SourceError as error:
        assert error.form == "binary"  # noqa: PT017 - devices with non-uniform groups run it
    else:
        assert x.tolist() == [5] * 5
