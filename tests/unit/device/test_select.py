"""Which device a selector means: R-03, K-44, K-48, cases 42 and 44."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from cl_magic.device import matching, select, selection_note, versions_text
from cl_magic.errors import DeviceNotFoundError, NoPlatformError
from cl_magic.launch.limits import DeviceInfo, DriverReport


def made(id_: str, name: str, platform: str, *types: str, simulator: bool = False) -> DeviceInfo:
    return DeviceInfo(id_, name, platform, "OpenCL 3.0", types, driver=platform, simulator=simulator)


INTEL = made("0:0", "AMD EPYC 9R14", "Intel(R) OpenCL", "cpu")
POCL = made("1:0", "pthread-AMD EPYC 9R14", "Portable Computing Language", "cpu")
H200 = made("2:0", "NVIDIA H200", "NVIDIA CUDA", "gpu")
SECOND = made("2:1", "NVIDIA H100", "NVIDIA CUDA", "gpu")
FPGA = made("3:0", "Emulation", "Some FPGA", "accelerator")
OCLGRIND = made("4:0", "Oclgrind Simulator", "Oclgrind", "cpu", "gpu", "accelerator", simulator=True)


def reports(*devices: DeviceInfo) -> tuple[DriverReport, ...]:
    return tuple(DriverReport(device.driver, (device,)) for device in devices)


ALL = reports(INTEL, POCL, H200, SECOND, FPGA, OCLGRIND)


@pytest.fixture(autouse=True)
def _no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYOPENCL_CTX", raising=False)


@pytest.mark.parametrize(
    ("selector", "wanted"),
    [
        ("gpu", H200),
        ("GPU", H200),
        ("cpu", POCL),
        ("accelerator", FPGA),
        ("pocl", POCL),
        ("intel", INTEL),
        ("nvidia", H200),
        ("oclgrind", OCLGRIND),
        ("simulator", OCLGRIND),
        ("2:1", SECOND),
        ("2", H200),
        ("4:0", OCLGRIND),
        ("h100", SECOND),
        ("portable", POCL),
        ("EPYC", POCL),
        (" gpu ", H200),
        (INTEL, INTEL),
        (None, H200),
        ("", H200),
    ],
)
def test_selectors(selector: Any, wanted: DeviceInfo) -> None:
    assert select(selector, ALL) == wanted


def test_a_simulator_is_never_chosen_by_itself_or_for_a_type() -> None:
    """R-03: Oclgrind claims every type."""
    assert select(None, reports(OCLGRIND, POCL)) == POCL
    for kind in ("gpu", "accelerator"):
        with pytest.raises(DeviceNotFoundError) as missing:
            select(kind, reports(POCL, OCLGRIND))
        assert missing.value.choices == (
            ("1:0", POCL.name, ("cpu",)),
            ("4:0", OCLGRIND.name, ("cpu", "gpu", "accelerator")),
        )
    with pytest.raises(DeviceNotFoundError) as only:
        select(None, reports(OCLGRIND))
    assert "simulator" in only.value.remedy


@pytest.mark.parametrize(
    ("devices", "wanted"),
    [
        ((INTEL, POCL), POCL),
        ((INTEL, FPGA), INTEL),
        ((FPGA, OCLGRIND), FPGA),
        ((POCL, SECOND, H200), SECOND),
        ((dataclasses.replace(H200, available=False), INTEL), INTEL),
    ],
)
def test_the_default_is_gpu_then_pocl_then_any_processor_then_accelerator(devices: Any, wanted: DeviceInfo) -> None:
    assert select(None, reports(*devices)) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"), [("1", POCL), ("0:0", INTEL), ("portable", POCL), ("NVIDIA", H200), ("4", OCLGRIND)]
)
def test_the_variable_of_pyopencl_is_honoured(monkeypatch: pytest.MonkeyPatch, value: str, wanted: DeviceInfo) -> None:
    """Case 44."""
    monkeypatch.setenv("PYOPENCL_CTX", value)
    assert select(None, ALL) == wanted
    assert select("intel", ALL) == INTEL


@pytest.mark.parametrize("selector", ["9", "9:0", "0:7", "nosuch", "gpu0"])
def test_a_bad_choice_lists_what_there_is(selector: Any) -> None:
    """Case 44, K-48: out of range names the number of devices."""
    with pytest.raises(DeviceNotFoundError) as missing:
        select(selector, ALL)
    assert missing.value.selector == selector
    assert [choice[0] for choice in missing.value.choices] == ["0:0", "1:0", "2:0", "2:1", "3:0", "4:0"]
    for device in (INTEL, POCL, H200, OCLGRIND):
        assert device.name in str(missing.value)
    if selector[0].isdigit():
        assert "6 devices" in str(missing.value)
    assert "device='2:0'" in missing.value.remedy


def test_a_bad_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYOPENCL_CTX", "9")
    with pytest.raises(DeviceNotFoundError) as missing:
        select(None, ALL)
    assert "PYOPENCL_CTX" in missing.value.message
    assert "PYOPENCL_CTX" in missing.value.remedy


def test_no_platform_at_all_is_three_lines() -> None:
    """Case 42."""
    folders = ("/etc/OpenCL/vendors", "/env/lib")
    broken = DriverReport("x.icd", (), "the process that loaded it ended with SIGABRT")
    for found in ((), (broken,)):
        with pytest.raises(NoPlatformError) as missing:
            select(None, found, folders)
        assert len(str(missing.value).split("\n")) == 3
        assert missing.value.folders == folders
        assert "pip install pocl-binary-distribution" in missing.value.remedy
        assert all(folder in str(missing.value) for folder in folders)
    assert "SIGABRT" in str(missing.value)


def test_several_that_fit_are_said() -> None:
    assert len(matching("cpu", (INTEL, POCL))) == 2
    note = selection_note("cpu", ALL)
    assert "1:0" in note
    assert "0:0" in note
    assert selection_note("h100", ALL) == ""
    assert selection_note(None, ALL) == ""


def test_the_versions_are_one_text_to_paste() -> None:
    """K-44, R-02: platform, device and language version apart."""
    device = dataclasses.replace(
        POCL, device_version="OpenCL 3.0 PoCL", opencl_c_version="OpenCL C 1.2", opencl_c_versions=("1.2", "3.0")
    )
    text = versions_text([DriverReport("pocl.icd", (device,)), DriverReport("x.icd", (), "it hangs")])
    for part in (
        "cl_magic ",
        "Python ",
        "numpy ",
        "pocl.icd",
        "OpenCL 3.0 PoCL",
        "OpenCL C 1.2",
        "1.2, 3.0",
        "it hangs",
    ):
        assert part in text
    assert "no OpenCL device" in versions_text([])
