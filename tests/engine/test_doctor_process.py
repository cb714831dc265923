"""The doctor as a program and in a notebook, here and in an environment without one driver: case 42."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from support.bare import BareEnvironment, bare_environment
from support.scripts import run_script

from cl_magic.device import devices
from cl_magic.doctor.examine import examine
from cl_magic.doctor.trial import worker_findings
from cl_magic.engine.discovery import Discovery
from cl_magic.engine.drivers import DriverSearch
from cl_magic.engine.no_platform import install_line
from cl_magic.launch.limits import DeviceInfo, DriverReport

KERNEL = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> BareEnvironment:
    return bare_environment(tmp_path_factory.mktemp("bare"))


def test_the_program_says_what_works_here() -> None:
    done = run_script("import sys; from cl_magic.__main__ import main; sys.exit(main(['doctor']))")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("kernels run on ")
    assert all(len(line) <= 100 for line in lines)
    for device in devices():
        assert device.short_name in done.stdout
    for subject in ("PyOpenCL", "Python", "worker", "processors", "memory", "front end libclang", "Jupyter"):
        assert f" {subject}" in done.stdout


def test_every_trouble_has_a_remedy_and_nothing_of_opencl_is_loaded() -> None:
    seen = examine()
    assert seen.ok
    assert all(finding.text for finding in seen.findings)
    assert all(finding.remedy for finding in seen.findings if finding.severity in ("error", "warn"))
    done = run_script(
        "import sys\nfrom cl_magic.doctor.examine import examine\nassert examine().ok\n"
        "assert not {'pyopencl', 'clang', 'matplotlib'} & set(sys.modules)\n"
        "maps = open('/proc/self/maps').read() if sys.platform == 'linux' else ''\n"
        "assert 'libOpenCL' not in maps and 'libpocl' not in maps\n"
    )
    assert done.returncode == 0, done.stderr


def test_a_worker_that_reaches_no_device_is_an_error_with_a_remedy() -> None:
    """What discovery saw may be gone: the device is tried, not believed."""
    gone = DeviceInfo("0:0", "pthread", "Portable Computing Language", "OpenCL 3.0", ("cpu",), driver="/nowhere/x.icd")
    reports = (DriverReport("/nowhere/x.icd", (gone,)),)
    (found,), usable = worker_findings(Discovery(reports, DriverSearch((), ())))
    assert usable == ()
    assert found.severity == "error"
    assert found.text
    assert found.remedy


def test_version_devices_and_a_wrong_verb() -> None:
    import cl_magic  # noqa: PLC0415 - its version only

    program = "import sys; from cl_magic.__main__ import main; sys.exit(main(sys.argv[1:] or {}))"
    done = run_script(program.format(["--version"]))
    assert (done.returncode, done.stdout.strip()) == (0, f"cl_magic {cl_magic.__version__}")
    done = run_script(program.format(["devices"]))
    assert done.returncode == 0
    assert devices()[0].id in done.stdout
    assert run_script(program.format(["docter"])).returncode == 2


def test_without_a_driver_the_program_fails_with_the_way_out(bare: BareEnvironment) -> None:
    done = bare.run("-m", "cl_magic", "doctor")
    assert done.returncode == 1, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("no kernel can run here")
    assert lines[1].startswith("error    no device")
    assert install_line() in done.stdout
    joined = done.stdout.replace("\n", "").replace(" ", "")
    assert str(bare.packages / "pyopencl/.libs") in joined
    assert bare.run("-m", "cl_magic", "devices").returncode == 1


def test_without_a_driver_plain_python_says_it_in_three_lines(bare: BareEnvironment) -> None:
    done = bare.run("-c", f"import cl_magic as clm\ntry: clm.build({KERNEL!r})\nexcept clm.ClMagicError as e: print(e)")
    assert done.returncode == 0, done.stderr
    first, searched, remedy = done.stdout.rstrip().split("\n")
    assert first == "no OpenCL device was found"
    assert str(bare.vendors) in searched
    assert install_line() in remedy


class BareKernel:
    """A real ipykernel of the environment without drivers."""

    def __init__(self, client: NotebookClient) -> None:
        self._client = client

    def run(self, source: str) -> list[dict[str, Any]]:
        """Run a cell; returns its outputs."""
        cells = self._client.nb.cells
        cells.append(nbformat.v4.new_code_cell(source))
        self._client.execute_cell(cells[-1], len(cells) - 1)
        return list(cells[-1].outputs)


@pytest.fixture
def kernel(bare: BareEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BareKernel]:
    folder = tmp_path / "kernels/bare"
    folder.mkdir(parents=True)
    argv = [bare.python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "bare", "language": "python", "env": bare.variables}
    (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    client = NotebookClient(nbformat.v4.new_notebook(), timeout=120, kernel_name="bare", allow_errors=True)
    with client.setup_kernel():
        yield BareKernel(client)


def test_case_42_no_platform_at_all_in_a_notebook(kernel: BareKernel, bare: BareEnvironment) -> None:
    """Loading works, the first cell says it in three lines, the notebook lives on."""
    assert kernel.run("%load_ext cl_magic\nx = 7") == []
    report, error = kernel.run(f"%%opencl\n{KERNEL}")
    assert report["output_type"] == "display_data"
    # Long folder names are carried over to further lines, which are indented.
    text = report["data"]["text/plain"].replace("\n  /", " /").replace("\n  no ", " no ").split("\n")
    assert len(text) == 3
    assert text[0] == "NoPlatformError: no OpenCL device was found"
    for folder in (bare.vendors, bare.packages / "pyopencl/.libs", bare.prefix / "lib"):
        assert str(folder) in text[1]
    assert install_line() in text[2]
    assert error["ename"] == "NoPlatformError"
    (again,) = kernel.run("print(x)")
    assert again["text"] == "7\n"
    (doctor,) = kernel.run("%opencl doctor")
    assert "no kernel can run here" in doctor["data"]["text/plain"]
    assert install_line() in doctor["data"]["text/html"]


def test_a_driver_installed_meanwhile_is_found_by_the_next_cell(kernel: BareKernel, bare: BareEnvironment) -> None:
    """No refresh and no restart: a new .icd file is seen (here it names a driver of the environment of the tests)."""
    pocl = next((device for device in devices() if device.family == "pocl"), None)
    if pocl is None or not pocl.driver.endswith(".icd") or sys.platform != "linux":
        pytest.skip("PoCL is absent, or is no .icd file")
    kernel.run("%load_ext cl_magic")
    assert kernel.run(f"%%opencl\n{KERNEL}")[-1]["output_type"] == "error"
    file = Path(pocl.driver)
    named = file.parent / file.read_text().strip()
    icd = bare.vendors / "pocl.icd"
    icd.write_text(f"{named if named.exists() else file.read_text().strip()}\n")
    try:
        outputs = kernel.run(f"%%opencl\n{KERNEL}")
        assert [output["output_type"] for output in outputs] == ["display_data"], outputs
    finally:
        icd.unlink()
