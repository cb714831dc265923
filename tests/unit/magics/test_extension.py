"""Loading, unloading and reloading; error reports; verbs that need no device. In a fresh shell, without a device."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from support.shell import Lab, fresh_lab

from cl_magic.build.option_table import STANDARD
from cl_magic.errors import ArgumentError, ClMagicError, MagicLineError
from cl_magic.magics.extension import load, unload
from cl_magic.magics.first_line import transform
from cl_magic.magics.flags import FLAGS
from cl_magic.magics.option_meanings import OPTION_MEANINGS
from cl_magic.magics.verbs import VERBS


@pytest.fixture
def lab() -> Iterator[Lab]:
    with fresh_lab() as made:
        yield made


def test_loading_starts_nothing() -> None:
    """Neither pyopencl nor a process, outside a notebook's kernel; there a thread starts what the first cell needs."""
    program = (
        "import sys, os\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "shell.extension_manager.load_extension('cl_magic')\n"
        "heavy = [n for n in ('pyopencl', 'matplotlib', 'clang', 'ipywidgets') if n in sys.modules]\n"
        "children = open(f'/proc/self/task/{os.getpid()}/children').read().split()\n"
        "print(heavy, children)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] []"


def test_unloading_restores_everything(lab: Lab) -> None:
    shell = lab.shell
    unload(shell)
    before = (shell.custom_exceptions, shell.CustomTB, list(shell.input_transformers_cleanup))
    magics = {kind: set(table) for kind, table in shell.magics_manager.magics.items()}
    load(shell)
    load(shell)
    assert shell.input_transformers_cleanup.count(transform) == 1
    assert ClMagicError in shell.custom_exceptions
    unload(shell)
    unload(shell)
    assert (shell.custom_exceptions, shell.CustomTB, list(shell.input_transformers_cleanup)) == before
    assert {kind: set(table) for kind, table in shell.magics_manager.magics.items()} == magics
    load(shell)


def test_a_magic_of_the_same_name_comes_back(lab: Lab) -> None:
    unload(lab.shell)
    lab.shell.register_magic_function(lambda _line: "theirs", "line", "opencl")
    load(lab.shell)
    assert lab.run("%opencl options").value is None
    unload(lab.shell)
    assert lab.run("%opencl options").value == "theirs"


def test_reloading_works(lab: Lab) -> None:
    assert lab.run("%reload_ext cl_magic").error is None
    assert lab.run("%opencl options").displays


def test_an_error_is_one_report_and_one_line(lab: Lab) -> None:
    outcome = lab.run("%%opencl --glbal=4\nkernel void f() { }")
    assert isinstance(outcome.error, MagicLineError)
    assert len(outcome.displays) == 1
    assert {"text/plain", "text/html"} <= set(outcome.displays[0])
    assert "→ did you mean --global?" in outcome.text
    assert outcome.error_lines == ["unknown flag --glbal", "MagicLineError: unknown flag --glbal"]


def test_an_error_in_an_ordinary_cell_names_the_users_lines(lab: Lab) -> None:
    lab.run(
        "from cl_magic import ArgumentError\ndef scale(x):\n    raise ArgumentError('x is too short', remedy='use 8')"
    )
    outcome = lab.run("y = 1\n\nscale(y)")
    assert isinstance(outcome.error, ArgumentError)
    assert outcome.text.split("\n") == [
        "ArgumentError: x is too short",
        "  at cell [2], line 3: scale(y)",
        "  at cell [1], line 3: raise ArgumentError('x is too short', remedy='use 8')",
        "→ use 8",
    ]


def test_other_errors_are_ipythons(lab: Lab) -> None:
    outcome = lab.run("1 / 0")
    assert isinstance(outcome.error, ZeroDivisionError)
    assert outcome.displays == []
    assert any("ZeroDivisionError" in line for line in outcome.error_lines)


def test_the_traceback_stays_available(lab: Lab) -> None:
    lab.run("from cl_magic.errors import ArgumentError\nraise ArgumentError('no')")
    assert isinstance(sys.last_value, ArgumentError)


def test_a_handler_that_was_there_before_still_gets_its_errors(lab: Lab) -> None:
    seen: list[str] = []

    def theirs(_shell: object, _etype: object, value: BaseException, _tb: object, tb_offset: object = None) -> None:  # noqa: ARG001 - IPython's signature
        seen.append(str(value))

    unload(lab.shell)
    lab.shell.set_custom_exc((KeyError,), theirs)
    load(lab.shell)
    lab.run("{}['theirs']")
    outcome = lab.run("%opencl nothing")
    assert seen == ["'theirs'"]
    assert isinstance(outcome.error, MagicLineError)
    assert outcome.displays
    unload(lab.shell)
    assert lab.shell.custom_exceptions == (KeyError,)


def test_a_handler_that_came_later_is_left_in_place(lab: Lab) -> None:
    lab.shell.set_custom_exc((KeyError,), lambda *_args, **_words: None)
    theirs = lab.shell.CustomTB
    unload(lab.shell)
    assert lab.shell.CustomTB is theirs
    load(lab.shell)


@pytest.mark.parametrize("above", ["# a note\n", "x = 1\n"])
def test_opencl_below_another_line_fails_with_the_reason(lab: Lab, above: str) -> None:
    """Case 51."""
    outcome = lab.run(f"{above}%%opencl\nkernel void f() {{ }}")
    assert isinstance(outcome.error, MagicLineError)
    assert outcome.error.line_number == 2
    assert outcome.displays
    assert "x" not in lab.names


@pytest.mark.parametrize(
    "cell",
    [
        "%%opencl",
        "%%opencl --quiet\n\n  \n",
        "%%opencl --file=nowhere.cl",
        "%%opencl --file=nowhere.cl\nkernel void f() { }",
        "%%opencl --run='f('\nkernel void f() { }",
        "%%opencl -DN=$missing\nkernel void f() { }",
        "%opencl build",
        "%opencl devices --fast",
        "%opencl --global=3",
        "%opencl hlp",
        "%opencl 'options",
    ],
)
def test_bad_lines_are_refused_before_anything_is_built(lab: Lab, cell: str) -> None:
    before = set(lab.names)
    outcome = lab.run(cell)
    assert isinstance(outcome.error, MagicLineError)
    assert outcome.error.remedy
    assert {name for name in set(lab.names) - before if not name.startswith("_")} == set()


def test_a_file_of_nearly_that_name_is_proposed(lab: Lab, tmp_path: object) -> None:
    (tmp_path / "blur.cl").write_text("")  # type: ignore[operator]
    lab.names["folder"] = tmp_path
    error = lab.run("%%opencl --file=$folder/blurr.cl").error
    assert isinstance(error, MagicLineError)
    assert error.suggestion == "blur.cl"


def test_a_misspelt_verb_gets_a_proposal(lab: Lab) -> None:
    outcome = lab.run("%opencl optoins")
    assert isinstance(outcome.error, MagicLineError)
    assert "%opencl options" in outcome.error.remedy


def test_help_lists_every_verb_and_flag(lab: Lab) -> None:
    text = lab.run("%opencl help").text
    assert all(f"%opencl {verb.name}" in text for verb in VERBS)
    assert all(flag.name in text for flag in FLAGS)


def test_options_explain_every_standard_option(lab: Lab) -> None:
    explained = [name.partition("=")[0] for name, _meaning in OPTION_MEANINGS]
    assert set(STANDARD) <= set(explained)
    text = lab.run("%opencl options").text
    assert all(name in text for name in explained)


def test_lines_of_text_keep_100_columns(lab: Lab) -> None:
    for line in ("%opencl help", "%opencl options"):
        rows = lab.run(line).text.split("\n")
        assert max(map(len, rows)) <= 100
        assert [row for row in rows if row.endswith("…")] == []


def test_hostile_text_is_escaped_in_the_report(lab: Lab) -> None:
    outcome = lab.run("%opencl '<script>alert(1)</script>'")
    html = outcome.displays[0]["text/html"]
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
