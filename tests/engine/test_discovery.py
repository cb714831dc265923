"""Drivers that abort, hang or are not there are one row each: R-01, case 42."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from support.scripts import run_script

from cl_magic.engine.discovery import discover, known_discovery, probe
from cl_magic.engine.drivers import Driver, DriverSearch, driver_environment, find_drivers, usable_processors

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="no gcc to compile a bad driver with")


def bad_driver(folder: Path, body: str, name: str = "bad") -> Path:
    """An .icd file whose library runs `body` when it is loaded."""
    source, library, icd = folder / f"{name}.c", folder / f"lib{name}.so", folder / f"{name}.icd"
    head = "#include <stdlib.h>\n#include <stdio.h>\n#include <unistd.h>\n"
    source.write_text(f"{head}__attribute__((constructor)) static void load(void) {{ {body} }}\n")
    subprocess.run([GCC, "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    icd.write_text(f"{library}\n")
    return icd


def search(*icds: Path) -> DriverSearch:
    drivers = tuple(find_drivers({"OCL_ICD_VENDORS": str(icd)}).drivers[0] for icd in icds)
    return DriverSearch(drivers, ())


def test_every_driver_of_this_machine_answers() -> None:
    found = known_discovery()
    assert found.devices
    assert len({device.id for device in found.devices}) == len(found.devices)
    simulators = [device.simulator for device in found.devices]
    assert simulators == sorted(simulators)
    for report in found.reports:
        assert report.devices or (report.trouble and report.remedy)
        assert all(device.driver == report.driver for device in report.devices)


def test_each_process_loads_one_driver_only() -> None:
    """A folder does not narrow the wheel's loader, one file does (design 7)."""
    for report in known_discovery().reports:
        assert len({device.platform_name for device in report.devices}) <= 1


def test_a_library_that_does_not_exist(tmp_path: Path) -> None:
    icd = tmp_path / "ghost.icd"
    icd.write_text("/nowhere/libghost.so\n")
    report = discover(search(icd)).reports[0]
    assert report.devices == ()
    assert "/nowhere/libghost.so" in report.trouble
    assert report.remedy


def test_a_library_by_name_that_the_loader_does_not_find(tmp_path: Path) -> None:
    icd = tmp_path / "ghost.icd"
    icd.write_text("libghost-of-opencl.so\n")
    report = discover(search(icd)).reports[0]
    assert "libghost-of-opencl.so" in report.trouble
    assert "cannot be opened" in report.trouble


@needs_gcc
def test_a_driver_that_aborts_or_hangs_is_one_row_beside_good_ones(tmp_path: Path) -> None:
    aborting = bad_driver(tmp_path, 'fprintf(stderr, "no firmware\\n"); abort();')
    hanging = bad_driver(tmp_path, "for (;;) pause();", "slow")
    leaving = bad_driver(tmp_path, "_exit(3);", "leaving")
    good = known_discovery().search.drivers
    begin = time.monotonic()
    found = discover(DriverSearch((*search(aborting, hanging, leaving).drivers, *good), ()), timeout_s=4.0)
    assert time.monotonic() - begin < 8
    troubles = {report.driver: report.trouble for report in found.reports}
    assert "SIGABRT" in troubles[str(aborting)]
    assert "no firmware" in troubles[str(aborting)]
    assert "within 4 s" in troubles[str(hanging)]
    assert "exit code 3" in troubles[str(leaving)]
    assert [device.id for device in found.devices] == [device.id for device in known_discovery().devices]
    assert all(report.remedy for report in found.reports if report.trouble)


@needs_gcc
def test_a_library_that_is_no_driver(tmp_path: Path) -> None:
    report = probe(search(bad_driver(tmp_path, "")).drivers[0])
    assert "no device" in report.trouble


@needs_gcc
def test_what_a_driver_prints_does_not_disturb(tmp_path: Path) -> None:
    noisy = bad_driver(tmp_path, 'puts("{}"); fflush(stdout);')
    assert "no device" in probe(search(noisy).drivers[0]).trouble


def test_one_file_in_the_variable_is_the_only_driver(tmp_path: Path) -> None:
    found = find_drivers({"OCL_ICD_VENDORS": str(tmp_path / "one.icd")})
    assert [driver.name for driver in found.drivers] == [str(tmp_path / "one.icd")]


def test_folders_are_searched_and_named(tmp_path: Path) -> None:
    """Case 42: the error names the folders."""
    vendors, wheel, prefix = tmp_path / "vendors", tmp_path / "wheel", tmp_path / "prefix"
    for folder in (vendors, wheel, prefix / "lib", prefix / "etc/OpenCL/vendors"):
        folder.mkdir(parents=True)
    (vendors / "b.icd").write_text("libb.so\n")
    (vendors / "a.icd").write_text("liba.so.1\n")
    (wheel / "w.icd").write_text("libw.so\n")
    (wheel / "libw.so").touch()
    (prefix / "lib/libintelocl.so").touch()
    placeholder = "/opt/anaconda1anaconda2anaconda3/lib/"
    (prefix / "etc/OpenCL/vendors/intel-cpu.icd").write_text(f"{placeholder}libintelocl.so\n")
    (prefix / "etc/OpenCL/vendors/intel-fpga.icd").write_text(f"{placeholder}libintelocl_emu.so\n")
    found = find_drivers({"OPENCL_VENDOR_PATH": str(vendors)}, str(prefix), str(wheel))
    assert [driver.library for driver in found.drivers] == [
        "liba.so.1",
        "libb.so",
        str(wheel / "libw.so"),
        str(prefix / "lib/libintelocl.so"),
    ]
    assert found.drivers[-1].library_folders == (str(prefix / "lib"),)
    assert found.folders[:2] == (str(vendors), str(wheel))
    assert driver_environment(found.drivers[-1], {"LD_LIBRARY_PATH": "/x"})["LD_LIBRARY_PATH"] == f"{prefix}/lib:/x"


def test_no_driver_anywhere(tmp_path: Path) -> None:
    found = find_drivers({"OCL_ICD_VENDORS": str(tmp_path)}, str(tmp_path), "")
    assert found.drivers == ()
    assert str(tmp_path) in found.folders
    assert discover(found).reports == ()


def test_a_machine_without_a_driver_from_the_import_to_the_error() -> None:
    """Case 42: nothing fails before a device is asked for; then the fix is one line, here the variable."""
    done = run_script(
        """
import cl_magic
from cl_magic.device import device, devices, reports, versions_text
from cl_magic.errors import NoPlatformError
assert devices() == ()
assert reports()[0].trouble
assert "no OpenCL device" in versions_text()
try:
    device(None)
except NoPlatformError as error:
    print(error)
""",
        OCL_ICD_VENDORS="/nowhere/none.icd",
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.rstrip().split("\n")
    assert len(lines) == 3
    assert "/nowhere/none.icd" in lines[1]
    assert "OCL_ICD_VENDORS" in lines[2]


def test_the_environment_of_a_driver_is_its_own() -> None:
    given = {"OPENCL_VENDOR_PATH": "/v", "PYTEST_CURRENT_TEST": "x", "POCL_CACHE_DIR": "/c", "HOME": "/h"}
    made = driver_environment(Driver("/d/pocl.icd", "libpocl.so"), given)
    assert made["OCL_ICD_VENDORS"] == "/d/pocl.icd"
    assert made["OCL_ICD_FILENAMES"] == "libpocl.so"
    assert made["POCL_CACHE_DIR"] == "/c"
    assert not {"OPENCL_VENDOR_PATH", "PYTEST_CURRENT_TEST"} & set(made)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_pocl_gets_as_many_threads_as_this_process_may_use() -> None:
    before = os.sched_getaffinity(0)
    if len(before) < 2:
        pytest.skip("one processor only")
    try:
        os.sched_setaffinity(0, {min(before)})
        assert usable_processors() == 1
        made = driver_environment(Driver("x.icd"), {})
        assert made["POCL_MAX_PTHREAD_COUNT"] == "1"
        assert driver_environment(Driver("x.icd"), {"POCL_MAX_PTHREAD_COUNT": "7"})["POCL_MAX_PTHREAD_COUNT"] == "7"
    finally:
        os.sched_setaffinity(0, before)
