"""``%opencl`` and ``%%opencl`` with a device, in a fresh shell: build, bind, run, report, fail (issue 2, 4, 6, 7)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.shell import Lab, Outcome, fresh_lab

from cl_magic.errors import BuildError, DeviceNotFoundError, KernelNotFoundError, MagicLineError, NDRangeError
from cl_magic.kernel import Kernel
from cl_magic.magics.publish import DIAGNOSTICS_MIME
from cl_magic.program import Program
from cl_magic.record.run import RunRecord
from cl_magic.session import session

TWICE = "kernel void twice(global float *x)\n{\n    x[get_global_id(0)] *= 2;\n}\n"
BROKEN = TWICE.replace("get_global_id", "get_globl_id")


@pytest.fixture
def lab() -> Iterator[Lab]:
    with fresh_lab() as made:
        made.run("import numpy as np\nx = np.arange(4, dtype=np.float32)")
        yield made
    session().select(None)


def _fails(outcome: Outcome, kind: type[BaseException]) -> BaseException:
    assert isinstance(outcome.error, kind)
    assert outcome.error_lines[-1].startswith(kind.__name__)
    return outcome.error


def test_a_cell_becomes_a_kernel_that_runs(lab: Lab) -> None:
    """S-22."""
    outcome = lab.run(f"%%opencl\n{TWICE}")
    assert outcome.error is None
    assert outcome.value is None
    assert len(outcome.displays) == 1
    assert "twice" in outcome.text
    record = lab.run("twice(x, global_size=x.size)").value
    assert isinstance(record, RunRecord)
    assert lab.names["x"].tolist() == [0, 2, 4, 6]


def test_a_report_names_the_cell_as_the_notebook_does(lab: Lab) -> None:
    lab.run("following = len(In)")  # In[0] is empty, so this cell's number is one less
    assert f"cell [{lab.names['following']}]" in lab.run(f"%%opencl\n{TWICE}").text


def test_a_failed_build_fails_the_cell_and_unbinds_its_kernel(lab: Lab) -> None:
    """S-10, case 54: nothing stale is left to run."""
    lab.run(f"%%opencl\n{TWICE}")
    outcome = lab.run(f"%%opencl\n{BROKEN}")
    error = _fails(outcome, BuildError)
    assert isinstance(error, BuildError)
    assert len(outcome.displays) == 1
    assert {"text/plain", DIAGNOSTICS_MIME} <= set(outcome.displays[0])
    assert any("twice" in note and "no longer bound" in note for note in error.result.notes)
    assert isinstance(lab.run("twice(x, global_size=4)").error, NameError)
    assert lab.run(f"%%opencl\n{TWICE}").error is None
    assert lab.run("twice(x, global_size=4)").error is None


@pytest.mark.parametrize("above", ["", "\n\n", "%%time\n"])
def test_diagnostics_stand_on_the_editors_lines(lab: Lab, above: str) -> None:
    cell = f"{above}%%opencl\n{BROKEN}"
    outcome = lab.run(cell)
    _fails(outcome, BuildError)
    first = outcome.diagnostics[0]
    rows = cell.split("\n")
    assert rows[first["line"] - 1][first["column"] - 1 :].startswith("get_globl_id")
    # The history keeps a cell without the end of its last line.
    assert outcome.displays[0][DIAGNOSTICS_MIME]["source"].rstrip("\n") == cell.rstrip("\n")


@pytest.mark.parametrize("indent", ["    ", "\t"])
def test_an_indented_cell_has_the_editors_columns(lab: Lab, indent: str) -> None:
    cell = "".join(f"{indent}{line}\n" for line in ["%%opencl", *BROKEN.split("\n")[:-1]])
    first = lab.run(cell).diagnostics[0]
    assert cell.split("\n")[first["line"] - 1][first["column"] - 1 :].startswith("get_globl_id")


def test_a_magic_line_indented_alone_works(lab: Lab) -> None:
    assert lab.run(f"  %%opencl\n{TWICE}").error is None


def test_a_warning_is_shown_on_success(lab: Lab) -> None:
    source = TWICE.replace("{\n", "{\n#warning look here\n")
    outcome = lab.run(f"%%opencl\n{source}")
    assert outcome.error is None
    assert [(d["severity"], d["line"]) for d in outcome.diagnostics] == [("warning", 4)]


def test_quiet_shows_warnings_only(lab: Lab) -> None:
    assert lab.run(f"%%opencl --quiet\n{TWICE}").displays == []
    assert "twice" in lab.names
    outcome = lab.run(f"%%opencl --quiet\n#warning look here\n{TWICE}")
    assert outcome.diagnostics[0]["severity"] == "warning"
    assert lab.run(f"%%opencl --quiet\n{BROKEN}").displays


def test_the_log_is_saved_on_success_and_on_failure(lab: Lab) -> None:
    """S-12, S-13."""
    lab.run(f"%%opencl --save-log=log\n#warning look here\n{TWICE}")
    assert "look here" in lab.names["log"]
    lab.run(f"%%opencl --save-log=log\n{BROKEN}")
    assert "get_globl_id" in lab.names["log"]
    lab.run(f"%%opencl --save-log=log\n{TWICE}")
    assert lab.names["log"] == ""


def test_a_run_in_the_cell_returns_its_record(lab: Lab) -> None:
    lab.run("n = 4")
    outcome = lab.run(f"%%opencl --run='twice(x)' --global=$n --local=2\n{TWICE}")
    assert isinstance(outcome.value, RunRecord)
    assert outcome.value.plan.global_size == (4,)
    assert outcome.value.plan.local_size == (2,)
    assert lab.names["x"].tolist() == [0, 2, 4, 6]
    assert lab.run("twice(x)").value.plan.local_size == (2,)
    assert lab.run(f"%%opencl --quiet --global=4 --run='twice(x)'\n{TWICE}").value is None
    assert lab.names["x"].tolist() == [0, 8, 16, 24]


def test_run_takes_sizes_keywords_and_offsets(lab: Lab) -> None:
    record = lab.run(f"%%opencl --run='twice[4, 2](x=x)'\n{TWICE}").value
    assert record.plan.local_size == (2,)
    record = lab.run(f"%%opencl --run='twice(x, repeat=3)' --global=2 --offset=1 --local=auto\n{TWICE}").value
    assert (record.plan.global_offset, record.plan.global_size, record.repeat) == ((1,), (2,), 3)
    assert lab.names["x"].tolist() == [0, 4, 8, 6]


def test_an_unknown_kernel_or_variable_in_run_changes_nothing(lab: Lab) -> None:
    error = _fails(lab.run(f"%%opencl --run='twce(x)' --global=4\n{TWICE}"), MagicLineError)
    assert isinstance(error, MagicLineError)
    assert error.suggestion == "twice"
    error = _fails(lab.run(f"%%opencl --run='twice(y)' --global=4\n{TWICE}"), MagicLineError)
    assert isinstance(error, MagicLineError)
    assert error.name == "y"
    assert lab.names["x"].tolist() == [0, 1, 2, 3]


def test_a_missing_global_size_is_proposed(lab: Lab) -> None:
    error = _fails(lab.run(f"%%opencl --run='twice(x)'\n{TWICE}"), NDRangeError)
    assert isinstance(error, NDRangeError)
    assert "4" in error.remedy


def test_options_and_definitions_reach_the_compiler(lab: Lab) -> None:
    """R-63, case 52."""
    lab.run("factor = 3\nout = np.zeros(2, np.int32)")
    source = "kernel void f(global int *out) { int t[] = T; out[0] = t[1] * FACTOR; out[1] = F(5); }"
    line = "-DT={1,2} -D FACTOR=$factor '-DF(a)=a*2' --global=1 --run='f(out)'"
    assert lab.run(f"%%opencl {line}\n{source}").error is None
    assert lab.names["out"].tolist() == [6, 10]


def test_the_program_is_bound_where_asked(lab: Lab) -> None:
    lab.run(f"%%opencl --as=program\n{TWICE}")
    program = lab.names["program"]
    assert isinstance(program, Program)
    assert "twice" in program
    lab.run(f"%%opencl --as=program\n{BROKEN}")
    assert "program" not in lab.names
    assert "twice" not in lab.names


@pytest.mark.parametrize("name", ["print", "build", "sum", "result"])
def test_any_kernel_name_is_reachable(lab: Lab, name: str) -> None:
    """Case 16."""
    outcome = lab.run(f"%%opencl --as=program\n{TWICE.replace('twice', name)}")
    assert outcome.error is None
    assert isinstance(lab.names["program"][name], Kernel)
    if name in {"print", "sum"}:
        assert name not in lab.names
        assert f'program["{name}"]' in outcome.text


def test_a_users_variable_is_not_overwritten_but_with_force(lab: Lab) -> None:
    lab.run("twice = 7")
    outcome = lab.run(f"%%opencl\n{TWICE}")
    assert lab.names["twice"] == 7
    assert "--force" in outcome.text
    assert lab.run(f"%%opencl --force\n{TWICE}").error is None
    assert isinstance(lab.names["twice"], Kernel)


def test_a_cell_without_a_kernel_is_an_error(lab: Lab) -> None:
    lab.run(f"%%opencl\n{TWICE}")
    outcome = lab.run("%%opencl\nint twice(int v) { return 2 * v; }")
    error = _fails(outcome, KernelNotFoundError)
    assert isinstance(error, KernelNotFoundError)
    assert error.remedy
    assert len(outcome.displays) == 1
    assert max(map(len, outcome.text.split("\n"))) <= 100


def test_two_kernels_of_one_name_are_a_build_error(lab: Lab) -> None:
    error = _fails(lab.run(f"%%opencl\n{TWICE}{TWICE}"), BuildError)
    assert isinstance(error, BuildError)
    assert error.result.count("error")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_file_has_diagnostics_on_its_lines(lab: Lab, tmp_path: Path, end: str, mark: str) -> None:
    text = f"{mark}// Grüße, 世界\n\n{BROKEN}".replace("    x[", "\tx[").replace("\n", end)
    (tmp_path / "twice.cl").write_bytes(text.encode())
    lab.names["folder"] = tmp_path
    outcome = lab.run("%%opencl --file=$folder/twice.cl")
    error = _fails(outcome, BuildError)
    assert isinstance(error, BuildError)
    first = outcome.diagnostics[0]
    assert (first["line"], first["column"]) == (5, 4)
    assert error.result.spec.source_map.name == "twice.cl"
    assert outcome.displays[0][DIAGNOSTICS_MIME]["source"] == ""


@pytest.mark.parametrize("cell", ["%%opencl --file=$folder/a file.cl", "%opencl build '$folder/a file.cl'"])
def test_a_file_builds_in_a_cell_and_on_a_line(lab: Lab, tmp_path: Path, cell: str) -> None:
    (tmp_path / "a file.cl").write_bytes(TWICE.replace("\n", "\r\n").encode())
    lab.names["folder"] = tmp_path
    path = cell if "build" in cell else "%%opencl '--file=$folder/a file.cl'"
    outcome = lab.run(f"{path} --global=4 --run='twice(x)'")
    assert outcome.error is None
    assert isinstance(outcome.value, RunRecord)
    assert "a file.cl" in outcome.text
    assert lab.names["x"].tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize(
    "source",
    [
        TWICE.replace("{\n", "{  // Grüße, 世界 −\n"),
        TWICE.replace("\n", "\r\n"),
        TWICE.replace("    ", "\t"),
        f"\n\n{TWICE}",
    ],
    ids=["utf-8", "crlf", "tabs", "blank lines"],
)
def test_odd_but_right_sources_build(lab: Lab, source: str) -> None:
    assert lab.run(f"%%opencl\n{source}").error is None
    assert lab.run("twice(x, global_size=4)").error is None


def test_an_unchanged_cell_comes_from_the_cache(lab: Lab) -> None:
    lab.run(f"%%opencl\n{TWICE}")
    known = lab.names["twice"].program
    outcome = lab.run(f"%%opencl\n{TWICE}")
    assert lab.names["twice"].program is known
    assert "from the cache" in outcome.text


def test_a_kernel_that_is_held_outlives_a_new_build(lab: Lab) -> None:
    """R-56: building again makes a new program and binds its kernels; the old one stays what it was."""
    lab.run(f"%%opencl --global=4\n{TWICE}")
    lab.run("held = twice")
    lab.run(f"%%opencl --global=4\n{TWICE.replace('*= 2', '+= 1')}")
    lab.run("twice(x)\nheld(x)")
    assert lab.names["x"].tolist() == [2, 4, 6, 8]


def test_a_changed_header_is_never_a_wrong_hit(lab: Lab, tmp_path: Path) -> None:
    """S-45, for a cell and for a file."""
    source = '#include "n.h"\nkernel void f(global float *x) { x[0] = N; }\n'
    (tmp_path / "f.cl").write_text(source)
    lab.names["folder"] = tmp_path
    for number in (5, 6):
        (tmp_path / "n.h").write_text(f"#define N {number}\n")
        assert lab.run("%%opencl --file=$folder/f.cl --global=1 --run='f(x)'").error is None
        assert lab.names["x"][0] == number
        lab.names["x"][0] = 0
        assert lab.run(f"%%opencl -I $folder --global=1 --run='f(x)'\n{source}").error is None
        assert lab.names["x"][0] == number


def test_devices_are_listed_and_chosen(lab: Lab) -> None:
    """R-01, R-02, K-44."""
    current = session().device
    text = lab.run("%opencl devices").text
    assert all(device.short_name in text for report in session().reports() for device in report.devices)
    assert f"* {current.id}" in text
    assert max(map(len, text.split("\n"))) <= 100
    assert "driver" in lab.run("%opencl devices -v").text
    assert current.short_name in lab.run("%opencl device").text
    assert lab.run("%opencl device cpu").error is None
    assert "cpu" in session().device.type


def test_an_unknown_device_lists_what_there_is(lab: Lab) -> None:
    current = session().device
    for cell in ("%opencl device abacus", f"%%opencl --device=abacus\n{TWICE}"):
        error = _fails(lab.run(cell), DeviceNotFoundError)
        assert isinstance(error, DeviceNotFoundError)
        assert error.choices
    assert session().device == current
    assert "twice" not in lab.names


def test_programs_are_listed(lab: Lab) -> None:
    lab.run(f"%%opencl --as=mine\n{TWICE}")
    text = lab.run("%opencl programs").text
    assert "twice" in text
    assert "mine" in text
    assert session().device.short_name in lab.run("%opencl").text


def test_hostile_sources_are_escaped(lab: Lab) -> None:
    outcome = lab.run("%%opencl\n#error </pre><script>alert(1)</script>\nkernel void f() { }")
    _fails(outcome, BuildError)
    assert "<script>" not in outcome.displays[0].get("text/html", "")
