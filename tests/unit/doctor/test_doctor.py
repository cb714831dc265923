"""What the doctor says of folders, variables, limits and packages, in made-up machines. No device."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cl_magic.clc.libclang_location import LibclangLocation
from cl_magic.display.doctor_report import doctor_html, doctor_text
from cl_magic.doctor.container import GroupLimits, container_findings, group_limits
from cl_magic.doctor.driver_files import driver_findings
from cl_magic.doctor.finding import Examination, Finding, Severity
from cl_magic.doctor.hardware import hardware_findings
from cl_magic.doctor.linking import absent
from cl_magic.doctor.loader import loader_finding
from cl_magic.doctor.packages import runtime_findings
from cl_magic.doctor.trial import front_end_finding
from cl_magic.doctor.variables import variable_findings
from cl_magic.engine.discovery import Discovery, discover
from cl_magic.engine.drivers import DriverSearch, find_drivers
from cl_magic.engine.loader_main import LoaderReport
from cl_magic.engine.no_platform import install_line, no_platform
from cl_magic.launch.limits import DeviceInfo, DriverReport

POCL = DeviceInfo("0:0", "pthread", "Portable Computing Language", "OpenCL 3.0", ("cpu",), driver="/v/pocl.icd")
NVIDIA = DeviceInfo("1:0", "H200", "NVIDIA CUDA", "OpenCL 3.0", ("gpu",))
GCC = shutil.which("gcc")
PLACEHOLDER = "/opt/anaconda1anaconda2anaconda3/lib"


def searched(folder: Path, prefix: Path) -> Discovery:
    """Drivers of a folder and of a Python environment, each probed for real."""
    return discover(find_drivers({"OCL_ICD_VENDORS": str(folder)}, str(prefix), ""))


def about(findings: tuple[Finding, ...], subject: str) -> Finding:
    return next(finding for finding in findings if finding.subject == subject)


def test_an_icd_that_names_a_missing_library(tmp_path: Path) -> None:
    (tmp_path / "ghost.icd").write_text("/nowhere/libghost.so\n")
    found = about(driver_findings(searched(tmp_path, tmp_path / "prefix")), "driver ghost.icd")
    assert found.severity == "error"
    assert "/nowhere/libghost.so" in found.text
    assert "skipped" in found.text
    assert str(tmp_path / "ghost.icd") in found.remedy


def test_an_empty_icd(tmp_path: Path) -> None:
    (tmp_path / "hollow.icd").touch()
    found = about(driver_findings(searched(tmp_path, tmp_path / "prefix")), "driver hollow.icd")
    assert found.severity == "error"
    assert "empty" in found.text
    assert found.remedy == f"rm {tmp_path / 'hollow.icd'}"


def test_an_icd_that_is_a_folder_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "odd.icd").mkdir()
    search = DriverSearch((), (str(tmp_path),))
    found = about(driver_findings(Discovery((), search)), "driver odd.icd")
    assert found.severity == "error"
    assert "cannot be read" in found.text


def compile_library(target: Path, text: str, *needs: str) -> None:
    source = target.with_suffix(".c")
    source.write_text(text)
    subprocess.run([GCC or "", "-shared", "-fPIC", "-o", str(target), str(source), *needs], check=True)


@pytest.mark.skipif(GCC is None or shutil.which("ldd") is None, reason="no gcc and ldd to try it with")
def test_a_library_that_needs_another_one_names_it(tmp_path: Path) -> None:
    needed, driver = tmp_path / "libneeded_by_it.so", tmp_path / "libdriver.so"
    compile_library(needed, "int f(void) { return 1; }")
    compile_library(driver, "int f(void); int g(void) { return f(); }", str(needed))
    needed.unlink()
    (tmp_path / "lame.icd").write_text(f"{driver}\n")
    found = about(driver_findings(searched(tmp_path, tmp_path / "prefix")), "driver lame.icd")
    assert found.severity == "error"
    assert "libneeded_by_it.so" in found.text
    assert "libneeded_by_it.so" in found.remedy


def test_only_absent_libraries_are_listed() -> None:
    lines = (
        "linux-vdso.so.1 (0x1)",
        "libz.so.1 => /lib/libz.so.1 (0x2)",
        "liba.so => not found",
        "liba.so => not found",
    )
    assert absent("\n".join(f"\t{line}" for line in lines)) == ("liba.so",)


def test_folders_are_listed_with_what_they_hold(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/a.icd").write_text("liba.so\n")
    search = DriverSearch((), (str(tmp_path / "none"), str(tmp_path / "full")))
    findings = driver_findings(Discovery((), search))
    folders = [finding for finding in findings if finding.subject == "searched"]
    assert [finding.text for finding in folders] == [
        f"{tmp_path}/none: does not exist",
        f"{tmp_path}/full: 1 .icd file",
    ]
    assert {finding.severity for finding in folders} == {"note"}


def test_icds_that_are_passed_over_say_why(tmp_path: Path) -> None:
    """Intel's wheel names a folder that only conda fills in; two files may name one library."""
    prefix, vendors = tmp_path / "prefix", tmp_path / "prefix/etc/OpenCL/vendors"
    vendors.mkdir(parents=True)
    (prefix / "lib").mkdir()
    (prefix / "lib/libintelocl.so").touch()
    (vendors / "intel.icd").write_text(f"{PLACEHOLDER}/libintelocl.so\n")
    (vendors / "fpga.icd").write_text(f"{PLACEHOLDER}/libintelocl_emu.so\n")
    (tmp_path / "v").mkdir()
    for name in ("a", "b"):
        (tmp_path / f"v/{name}.icd").write_text("libsame-of-two.so\n")
    search = find_drivers({"OCL_ICD_VENDORS": str(tmp_path / "v")}, str(prefix), "")
    reports = tuple(DriverReport(driver.name, (POCL,)) for driver in search.drivers)
    findings = driver_findings(Discovery(reports, search))
    assert str(prefix / "lib/libintelocl.so") in about(findings, "driver intel.icd").text
    assert "no libintelocl_emu.so" in about(findings, "driver fpga.icd").text
    assert "a.icd names the same library" in about(findings, "driver b.icd").text
    intel = about(findings, "driver libintelocl.so")
    assert intel.severity == "ok"
    assert f"libraries in {prefix / 'lib'}" in intel.text


@pytest.mark.parametrize(
    ("name", "value", "severity"),
    [
        ("OCL_ICD_VENDORS", "/nowhere/some.icd", "error"),
        ("OCL_ICD_VENDORS", "", "note"),
        ("OCL_ICD_VENDORS", "libpocl.so", "note"),
        ("OPENCL_VENDOR_PATH", "/nowhere", "warn"),
        ("PYOPENCL_CTX", "0:0", "note"),
        ("PYOPENCL_CTX", "7", "warn"),
        ("POCL_MAX_PTHREAD_COUNT", "3", "note"),
        ("POCL_SOMETHING_NEW", "1", "note"),
        ("POCL_CACHE_DIR", "/dev/null/cache", "warn"),
        ("LD_LIBRARY_PATH", "/x", "note"),
    ],
)
def test_each_variable_has_its_effect(name: str, value: str, severity: Severity) -> None:
    (found,) = variable_findings({name: value, "HOME": "/h", "PATH": "/p"}, (POCL,))
    assert found.subject == name
    assert found.severity == severity
    assert value in found.text
    assert bool(found.remedy) or severity == "note"


def test_a_folder_in_a_variable_takes_the_place_of_the_systems(tmp_path: Path) -> None:
    for name in ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"):
        (found,) = variable_findings({name: str(tmp_path)})
        assert found.severity == "note"
        assert "in place of" in found.text
    both = variable_findings({"OCL_ICD_VENDORS": str(tmp_path), "OPENCL_VENDOR_PATH": "/nowhere"})
    assert [found.severity for found in both] == ["note", "note"]


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize(
    ("files", "limits"),
    [
        (
            {
                "proc/self/cgroup": "0::/\n",
                "sys/fs/cgroup/cpu.max": "150000 100000\n",
                "sys/fs/cgroup/memory.max": "max\n",
            },
            GroupLimits(1.5, None),
        ),
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                "sys/fs/cgroup/a/memory.max": "1000000\n",
                "sys/fs/cgroup/a/b/memory.max": "2000000\n",
                "sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
            },
            GroupLimits(None, 1_000_000),
        ),
        (
            {
                "proc/self/cgroup": "4:memory:/x\n1:cpu,cpuacct:/\n0::/\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
                "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "536870912\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            },
            GroupLimits(None, 512 << 20),
        ),
    ],
)
def test_limits_of_control_groups(tmp_path: Path, files: dict[str, str], limits: GroupLimits) -> None:
    assert group_limits(write(tmp_path, files)) == limits


def test_little_memory_is_warned(tmp_path: Path) -> None:
    files = {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": str(256 << 20), "dev/shm/x": ""}
    findings = container_findings(write(tmp_path, files))
    memory = about(findings, "memory")
    assert memory.severity == "warn"
    assert "256 MiB" in memory.text
    assert "--memory" in memory.remedy
    assert about(findings, str(Path("/dev") / "shm")).severity == "note"


def test_a_card_without_a_driver_gets_the_line_that_makes_the_icd(tmp_path: Path) -> None:
    root = write(tmp_path, {"dev/nvidia0": "", "dev/nvidiactl": ""})
    (found,) = hardware_findings((POCL,), root)
    assert found.severity == "warn"
    assert "nvidia0" in found.text
    assert "/etc/OpenCL/vendors/nvidia.icd" in found.remedy
    assert hardware_findings((NVIDIA,), root) == ()
    other = write(tmp_path / "other", {"dev/dri/renderD128": ""})
    assert [found.severity for found in hardware_findings((POCL,), other)] == ["note"]


@pytest.mark.parametrize(
    ("loader", "whose"),
    [
        ("/v/lib/pyopencl/.libs/libOpenCL-1.so", "wheel's own"),
        ("/v/lib/libOpenCL.so.1", "environment's"),
        ("/usr/lib/libOpenCL.so.1", "system's"),
        ("", "system's"),
    ],
)
def test_the_loader_in_use(loader: str, whose: str) -> None:
    found = loader_finding(LoaderReport("2026.1", loader, "/v/lib/pyopencl"), "/v")
    assert found.severity == "ok"
    assert whose in found.text
    assert loader in found.text


def test_pyopencl_that_cannot_be_imported() -> None:
    found = loader_finding(LoaderReport(trouble="PyOpenCL cannot be imported: libOpenCL.so.1: no such file"))
    assert found.severity == "error"
    assert found.remedy


def test_elsewhere_than_linux_on_x86_64_conda_forge_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert install_line("linux", "x86_64").startswith("pip ")
    for system, machine in (("linux", "aarch64"), ("darwin", "arm64"), ("win32", "AMD64")):
        assert install_line(system, machine) == "conda install -c conda-forge pocl pyopencl"
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    (found,) = runtime_findings()
    assert "conda-forge" in found.remedy
    assert "conda-forge" in no_platform((), ()).remedy


def test_a_variable_that_hides_all_drivers_is_the_first_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCL_ICD_VENDORS", "/nowhere/none.icd")
    assert no_platform((), ("/nowhere/none.icd",)).remedy.startswith("unset OCL_ICD_VENDORS")
    assert "unset" not in no_platform((), ("/etc/OpenCL/vendors", "/env/lib")).remedy


def test_an_absent_front_end_says_why() -> None:
    found = front_end_finding(LibclangLocation(reason="libclang is version 14.0.6, 18 is needed"))
    assert found.severity == "warn"
    assert "14.0.6" in found.text
    assert "libclang>=18.1.1,<19" in found.remedy


SEEN = Examination(
    (
        Finding("ok", "Python", "3.11"),
        Finding("error", "driver <x>.icd", "skipped: " + "long words " * 30, "rm <x>.icd"),
        Finding("note", "memory", "no limit"),
        Finding("warn", "PYOPENCL_CTX", "7 fits no device", "unset PYOPENCL_CTX"),
    ),
    ("0:0 PoCL cpu",),
)


def test_troubles_come_first_each_with_mark_word_and_remedy() -> None:
    text = doctor_text(SEEN)
    lines = text.split("\n")
    assert lines[0] == "kernels run on 0:0 PoCL cpu · 1 error, 1 warning".replace(",", " ·")
    assert all(len(line) <= 100 for line in lines)
    assert text.index("warning  PYOPENCL_CTX") < text.index("ok       Python")
    assert "→ rm <x>.icd" in text
    html = doctor_html(SEEN)
    assert "<x>" not in html
    assert html.count('class="fd"') == len(SEEN.findings)
    assert html.count(">remedy<") == 2
    assert html.count("<code") == 2
    for word in ("error", "warning", "ok", "note"):
        assert f"</svg> {word}</span>" in html
    assert SEEN._repr_mimebundle_()["text/html"].startswith("<style>")
    assert str(SEEN) == text


def test_the_answer_follows_from_what_ran() -> None:
    assert Examination((), ("0:0 PoCL cpu",)).ok
    assert not Examination((Finding("ok", "Python", ""),)).ok
    assert "no kernel can run here" in doctor_text(Examination(()))
