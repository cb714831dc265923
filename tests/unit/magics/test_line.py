"""The ``%%opencl`` line, alone: flags, options, errors with their places (issue 2, item 6; case 52)."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cl_magic.errors import ClMagicError, MagicLineError, OptionError
from cl_magic.magics.flags import FLAGS
from cl_magic.magics.line import parse_cell_line
from cl_magic.magics.request import CellRequest
from cl_magic.magics.words import split_words


def _error(line: str, **names: Any) -> MagicLineError:
    with pytest.raises(MagicLineError) as caught:
        parse_cell_line(line, names)
    return caught.value


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("", ()),
        ("-DN=4 -D M=5 -I include -Isrc", ("-DN=4", "-DM=5", "-Iinclude", "-Isrc")),
        ("-DT={1,2}", ("-DT={1,2}",)),
        ("'-DF(a)=a*2' -DX", ("-DF(a)=a*2", "-DX")),
        ('-D "TEXT=a b"', ("-DTEXT=a b",)),
        (r"-DS=\"abc\"", ('-DS="abc"',)),
        ("-cl-fast-relaxed-math -w -Werror -g", ("-cl-fast-relaxed-math", "-w", "-Werror", "-g")),
        (
            "-cl-std=CL2.0 -create-library -enable-link-options",
            ("-cl-std=CL2.0", "-create-library", "-enable-link-options"),
        ),
        ("-cl-nv-maxrregcount 32", ("-cl-nv-maxrregcount=32",)),
        ("--options='-w -D N=4 --vendor' -g", ("-w", "-DN=4", "--vendor", "-g")),
        ("--options -DN=4", ("-DN=4",)),
        ("-D A=1 -DA=2", ("-DA=1", "-DA=2")),
    ],
)
def test_build_options_keep_their_meaning_when_bare(line: str, options: tuple[str, ...]) -> None:
    """R-63, R-64."""
    assert parse_cell_line(line).options == options


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("--global=640,480", "global_size", (640, 480)),
        ("--global 640,480", "global_size", (640, 480)),
        ("--global='640, 480'", "global_size", (640, 480)),
        ("--global=(64,)", "global_size", (64,)),
        ("--global=0", "global_size", (0,)),
        ("--local=16,16", "local_size", (16, 16)),
        ("--local=auto", "local_size", "auto"),
        ("--offset=1,2,3", "global_offset", (1, 2, 3)),
        ("--device=gpu", "device", "gpu"),
        ("--device 'Intel(R) Xeon(R)'", "device", "Intel(R) Xeon(R)"),
        ("--std=CL2.0", "std", "CL2.0"),
        ("--run='blur(src, dst, w, h)'", "run", "blur(src, dst, w, h)"),
        ("--save-log=log", "save_log", "log"),
        ("--template='f<float, 4>' --template f<>", "templates", ("f<float, 4>", "f<>")),
        ("--as=prog", "as_name", "prog"),
        ("--file=kernels/blur.cl", "file", "kernels/blur.cl"),
        ("--emit=asm", "emit", ("asm",)),
        ("--emit 'llvm, asm,llvm'", "emit", ("llvm", "asm")),
        ("--timeout=2.5", "timeout", 2.5),
        ("--quiet", "quiet", True),
        ("--force", "force", True),
    ],
)
def test_our_flags_are_long(line: str, field: str, value: object) -> None:
    request = parse_cell_line(line)
    assert getattr(request, field) == value
    assert request.options == ()


def test_every_flag_of_the_help_is_known() -> None:
    values = {"--global": "1", "--local": "1", "--offset": "1", "--timeout": "1", "--run": "f()", "--emit": "asm"}
    values["--interact"] = "n=1:4"
    line = " ".join(f"{f.name}={values.get(f.name, 'x')}" if f.value else f.name for f in FLAGS)
    assert parse_cell_line(line) != CellRequest()


@pytest.mark.parametrize(
    ("line", "token", "suggestion"),
    [
        ("-DN=4 --glbal=3", "--glbal=3", "--global"),
        ("--save_log=x", "--save_log=x", "--save-log"),
        ("-quiet", "-quiet", "--quiet"),
        ("-force", "-force", "--force"),
        ("--Werror", "--Werror", "-Werror"),
        ("--panel=a.h", "--panel=a.h", ""),
    ],
)
def test_an_unknown_flag_is_named_with_its_place(line: str, token: str, suggestion: str) -> None:
    error = _error(line)
    assert error.token == token
    assert error.position == line.index(token) + 1
    assert error.suggestion == suggestion
    assert error.remedy


@pytest.mark.parametrize(
    "line",
    [
        "--global=a",
        "--global=1,,2",
        "--global=1,2,3,4",
        "--global=-1",
        "--global=",
        "--global",
        "--device --quiet",
        "--local=16x16",
        "--save-log=1x",
        "--as=lambda",
        "--emit=elf",
        "--emit=asm,",
        "--timeout=soon",
        "--timeout=0",
        "--timeout=nan",
        "--quiet=1",
        "--quiet --quiet",
        "--global=1 --global=2",
        "--std=CL2.0 -cl-std=CL1.2",
        "-cl-std=CL1.2 --std=CL2.0",
        "-D",
        "--options='-DX=\"'",
        "'--run=blur(x)",
        "blur.cl",
        "-",
        "-DX \\",
        "--run=f( x)",
    ],
)
def test_a_wrong_value_is_refused_with_a_remedy(line: str) -> None:
    error = _error(line)
    assert error.remedy
    assert line[error.position - 1 :].startswith(error.token)


def test_an_option_that_no_device_can_take_is_refused_with_the_reason() -> None:
    with pytest.raises(OptionError) as caught:
        parse_cell_line("-DN=4 -c")
    assert caught.value.option == "-c"


def test_the_message_marks_the_place() -> None:
    text = str(_error("-DN=4 --glbal=3 -w")).split("\n")
    assert text[1] == "  -DN=4 --glbal=3 -w"
    assert text[2] == "        ^~~~~~~~~"


def test_only_dollar_names_and_expressions_are_expanded() -> None:
    """Case 52: braces stay, a missing name is an error, $$ is a dollar."""
    names = {"w": 640, "h": 480, "t": "float", "r": np.float32(0.1), "flag": True, "size": (3, 4), "a b": 1}
    line = "-DT={1,2} --global=$w,${h // 2} -DREAL=$t -DR=$r -DON=$flag -DS={$size} -DP=$$w -DQ='$$' -DE=5$"
    request = parse_cell_line(line, names)
    assert request.global_size == (640, 240)
    assert request.options == (
        *("-DT={1,2}", "-DREAL=float", "-DR=0.1f", "-DON=1", "-DS={3,4}", "-DP=$w", "-DQ=$", "-DE=5$"),
    )


def test_an_expression_may_hold_quotes_braces_and_blanks() -> None:
    names = {"sizes": {"w": 640, "h": 480}}
    request = parse_cell_line("--global=${sizes['w']},${ {'a': sizes[\"h\"]}['a'] } -DX=\"${len('} $')}\"", names)
    assert request.global_size == (640, 480)
    assert request.options == ("-DX=3",)


def test_a_value_with_a_blank_stays_one_word(tmp_path: Path) -> None:
    folder = tmp_path / "my headers"
    assert parse_cell_line("-I $folder", {"folder": folder}).options == (f"-I{folder}",)
    assert parse_cell_line("--run=f($text)", {"text": "'a b'"}).run == "f('a b')"


@pytest.mark.parametrize(
    ("line", "names", "token"),
    [
        ("-DN=$missing -w", {}, "$missing"),
        ("-DN=${missing + 1}", {}, "${missing + 1}"),
        ("-DN=${1 / 0}", {}, "${1 / 0}"),
        ("-DN=${1 +}", {}, "${1 +}"),
        ("-DN=${w", {"w": 1}, "${"),
        ("-DN=$array", {"array": np.zeros(5000)}, "$array"),
        ("-DN=$thing", {"thing": object()}, "$thing"),
    ],
)
def test_what_cannot_be_expanded_is_an_error_at_its_place(line: str, names: dict[str, Any], token: str) -> None:
    error = _error(line, **names)
    assert error.position == line.index(token) + 1
    assert error.token.startswith(token)
    assert error.remedy


def test_a_misspelt_name_gets_a_proposal() -> None:
    assert "width" in _error("-DN=$widht", width=3).remedy


def test_the_line_may_begin_with_any_blanks_and_end_in_tabs() -> None:
    assert parse_cell_line("\t -w \t\t-g\t").options == ("-w", "-g")


@given(st.text(alphabet="ab-=,'\"\\ \t{}()", max_size=20))
def test_words_are_those_of_a_shell(line: str) -> None:
    try:
        expected = shlex.split(line)
    except ValueError:
        with pytest.raises(MagicLineError):
            split_words(line)
    else:
        assert [word.text for word in split_words(line)] == expected


@given(st.text(max_size=30))
def test_any_text_is_a_request_or_a_clear_error(line: str) -> None:
    error = _refusal(line)
    assert error is None or (error.message and error.remedy)


def _refusal(line: str) -> ClMagicError | None:
    try:
        parse_cell_line(line, {"a": 1})
    except (MagicLineError, OptionError) as error:
        return error
    return None


def test_interact_takes_all_ranges_that_follow_it() -> None:
    request = parse_cell_line("--interact tile=8:64:x2 gain=0.0:2.0 -DN=4 --interact=n=1,2 -i")
    assert request.interact == (("tile", "8:64:x2"), ("gain", "0.0:2.0"), ("n", "1,2"))
    assert request.options == ("-DN=4",)
    assert request.panel


@pytest.mark.parametrize("line", ["--interact tile", "--interact tile=8:4", "--interact 3=1:2", "--interact=", "-i=3"])
def test_what_interact_cannot_read_is_an_error_with_an_example(line: str) -> None:
    with pytest.raises(MagicLineError) as caught:
        parse_cell_line(line)
    assert caught.value.remedy
