"""R-01, R-02, case 44: what the devices say of themselves."""

from __future__ import annotations

import pyopencl as cl
import pytest

from cl_magic.errors import DeviceNotFoundError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.codes import code_of
from cl_magic.runtime.context import Contexts
from cl_magic.runtime.devices import _asked, enumerate_devices, version_of


def test_there_is_a_device() -> None:
    assert enumerate_devices()


def test_every_fact_is_plausible(each_device: DeviceInfo) -> None:
    assert each_device.local_id == each_device.id
    assert each_device.name
    assert each_device.available
    assert each_device.compiler_available
    assert each_device.compute_units >= 1
    assert each_device.global_mem_bytes >= each_device.max_alloc_bytes > 2**20
    assert each_device.local_mem_bytes >= 32_768
    assert each_device.max_work_group_size >= 1
    assert len(each_device.max_work_item_sizes) == 3
    assert each_device.fp64
    assert each_device.mem_base_addr_align_bits >= 1024
    assert each_device.address_bits in {32, 64}
    assert all(" " not in extension for extension in each_device.extensions)


def test_platform_device_and_language_versions_stand_apart(each_device: DeviceInfo) -> None:
    assert each_device.platform_version.startswith("OpenCL ")
    assert each_device.device_version.startswith("OpenCL ")
    assert each_device.opencl_c_version.startswith("OpenCL C ")
    assert "1.2" in each_device.opencl_c_versions
    if version_of(each_device.device_version) < (3, 0):
        assert "3.0" not in each_device.opencl_c_versions


def test_the_simulator_is_no_gpu() -> None:
    simulators = [device for device in enumerate_devices() if device.family == "oclgrind"]
    if not simulators:
        pytest.skip("Oclgrind is not installed")
    assert all(device.simulator and device.type == ("cpu",) for device in simulators)
    assert all(device.non_uniform_work_groups for device in simulators)


def test_pocl_says_what_was_measured() -> None:
    found = [device for device in enumerate_devices() if device.family == "pocl"]
    if not found:
        pytest.skip("PoCL is not installed")
    assert found[0].type == ("cpu",)
    assert not found[0].simulator
    assert found[0].max_global_variable_bytes == 0
    assert found[0].non_uniform_work_groups is False
    assert "coarse_grain_buffer" in found[0].svm


def test_a_query_that_fails_leaves_its_default() -> None:
    def fails() -> None:
        msg = "driver"
        raise RuntimeError(msg)

    assert _asked(fails, 7) == 7


def test_an_id_that_is_not_there_names_the_choices() -> None:
    contexts = Contexts()
    with pytest.raises(DeviceNotFoundError) as caught:
        contexts.of("9:9")
    assert caught.value.device == "9:9"
    assert contexts.devices[0].local_id in str(caught.value)


def test_a_context_is_made_once_and_its_clock_is_measured(each_device: DeviceInfo) -> None:
    contexts = Contexts()
    where = contexts.of(each_device.local_id)
    assert contexts.of(each_device.local_id) is where
    offset_ns = where.clock_offset_ns
    assert where.clock_offset_ns == offset_ns
    if each_device.simulator:  # its clock is the wall clock
        assert abs(offset_ns) > 10**12
    contexts.close()


def test_every_code_that_pyopencl_knows_has_words() -> None:
    known = {name: int(getattr(cl.status_code, name)) for name in dir(cl.status_code) if name.isupper()}
    for name, number in known.items():
        if number:
            assert code_of(number).name == name
            assert code_of(number).meaning
