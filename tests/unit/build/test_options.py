"""Build options in every spelling (R-60, R-61, R-63, R-64, S-36 to S-42; cases 6, 7, 52)."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cl_magic.build.option_table import LANGUAGES, STANDARD, check_spelling, language_option, refuse
from cl_magic.build.options import Options, parse_options, split_define
from cl_magic.errors import OptionError


def defines(given_options: Any) -> tuple[tuple[str, str | None], ...]:
    return parse_options(given_options).defines


@pytest.mark.parametrize("nothing", [None, "", "   ", [], ()])
def test_no_options(nothing: Any) -> None:
    assert parse_options(nothing) == Options()


@pytest.mark.parametrize(
    "spelling",
    [
        ["-D", "TBL={4,5,6}"],
        "-D TBL={4,5,6}",
        "-DTBL={4,5,6}",
        ["-DTBL={4,5,6}"],
        ["--define-macro=TBL={4,5,6}"],
        ["--define-macro", "TBL={4,5,6}"],
    ],
)
def test_table_without_blanks(spelling: Any) -> None:
    """Case 7, R-63, S-36."""
    assert defines(spelling) == (("TBL", "{4,5,6}"),)


@pytest.mark.parametrize(
    "spelling",
    [
        ["-D", "TBL={4, 5, 6}"],
        ["-D", '"TBL={4, 5, 6}"'],
        ["-DTBL={4, 5, 6}"],
        ['"-DTBL={4, 5, 6}"'],
        "-DTBL={4, 5, 6}",
        "-D TBL={4, 5, 6} -w",
        "-D 'TBL={4, 5, 6}'",
        '-DTBL="{4, 5, 6}"',
        ["-DTBL={4,", "5,", "6}", "-w"],
    ],
)
def test_table_with_blanks(spelling: Any) -> None:
    """Case 7: {4, 5, 6} in every spelling."""
    assert defines(spelling) == (("TBL", "{4, 5, 6}"),)


@pytest.mark.parametrize(
    "spelling",
    [["-D", 'NAME="xyz"'], ["-D", 'NAME=\\"xyz\\"'], ['-DNAME="xyz"'], "-DNAME='\"xyz\"'", '-DNAME=\\"xyz\\"'],
)
def test_string_literal(spelling: Any) -> None:
    """Case 7: a string literal keeps its quotes."""
    assert defines(spelling) == (("NAME", '"xyz"'),)


def test_shell_quotes_around_a_value_in_text_are_dropped_and_it_is_said() -> None:
    options = parse_options('-DTYPE="unsigned int"')
    assert options.defines == (("TYPE", "unsigned int"),)
    assert "-DTYPE='\"unsigned int\"'" in options.notes[0]


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("-DX", (("X", None),)),
        ("-DX=", (("X", ""),)),
        ("-DA=1 -DB=A+1", (("A", "1"), ("B", "A+1"))),
        ("-DA=1 -DA=2", (("A", "1"), ("A", "2"))),
        ("-DF(a)=a*2", (("F(a)", "a*2"),)),
        (["-D", "F(a, b)=a + b"], (("F(a, b)", "a + b"),)),
        ("-D F(a, b)=(a + b) -DX", (("F(a, b)", "(a + b)"), ("X", None))),
        (["-DX=-5"], (("X", "-5"),)),
        (["-DX=a=b"], (("X", "a=b"),)),
    ],
)
def test_definitions(spelling: Any, expected: Any) -> None:
    """R-63."""
    assert defines(spelling) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_value_ends_at_a_newline(end: str) -> None:
    """R-63: ``-DX=1<newline>+5`` is 1."""
    options = parse_options([f"-DX=1{end}+5"])
    assert options.defines == (("X", "1"),)
    assert len(options.notes) == 1


@pytest.mark.parametrize("bad", ["-D9=1", "-D=5", ["-D", "a b=1"], ["-D"], "-D -w", ["-DX=1 /* no end"], ["-DX=1\\"]])
def test_definitions_that_cannot_be(bad: Any) -> None:
    with pytest.raises(OptionError) as caught:
        parse_options(bad)
    assert caught.value.remedy
    assert caught.value.option.startswith("-D")


def test_two_options_in_one_item_are_noted() -> None:
    options = parse_options(["-DA=1 -DB=2", "-w -cl-mad-enable"])
    assert options.options == ("-DA=1 -DB=2", "-w", "-cl-mad-enable")
    assert "one item is one option" in options.notes[0]


def test_include_folders_in_every_spelling(tmp_path: Path) -> None:
    """R-64, S-36, case 6: glued, spaced, quoted inside, long, as a Path, with a blank in the name."""
    folder = tmp_path / "my kernels"
    folder.mkdir()
    spellings: list[Any] = [
        ["-I", str(folder)],
        ["-I" + str(folder)],
        ["-I", f'"{folder}"'],
        f'-I "{folder}"',
        f"-I {folder}",
        f"-I{folder}",
        ["-I", folder],
        [f"--include-directory={folder}"],
        ["--include-directory", folder],
    ]
    for spelling in spellings:
        assert parse_options(spelling) == Options(include_dirs=(str(folder),)), spelling


def test_include_folders_are_absolute_ordered_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b").mkdir()
    options = parse_options(["-Ib", "-I", "/usr", "-Ib", "-DX"])
    assert options.include_dirs == (str(tmp_path / "b"), "/usr")
    assert options.options == ("-DX",)


def test_a_missing_include_folder_is_noted() -> None:
    assert "/no/such/place" in parse_options("-I/no/such/place").notes[0]


def test_a_torn_word_is_an_error_that_names_it() -> None:
    with pytest.raises(OptionError) as caught:
        parse_options("-I /no/such place")
    assert caught.value.option == "place"


@pytest.mark.parametrize("spelling", ["CL1.2", "cl1.2", "1.2"])
@pytest.mark.parametrize("flag", ["-cl-std={}", "--std={}", "-std={}", "-cl-std {}", "--std {}"])
def test_language_version(spelling: str, flag: str) -> None:
    options = parse_options(flag.format(spelling))
    assert options.options == ("-cl-std=CL1.2",)
    assert options.language == "CL1.2"


def test_language_version_as_an_argument() -> None:
    assert parse_options("-w", std="cl3.0").language == "CL3.0"
    assert parse_options("--std=CL2.0", std="2.0").options == ("-cl-std=CL2.0",)
    assert parse_options("-w").language == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language(language: str) -> None:
    assert language_option(language.lower()) == f"-cl-std={language}"


def test_language_versions_that_cannot_be() -> None:
    with pytest.raises(OptionError) as caught:
        parse_options("-cl-std=CL9.9")
    assert caught.value.value == "CL9.9"
    with pytest.raises(OptionError) as caught:
        parse_options("--std=CL2.0", std="CL1.2")
    assert caught.value.versions == ("-cl-std=CL2.0", "-cl-std=CL1.2")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("-cl-no-signed-zeroes", "-cl-no-signed-zeros"),
        ("-cl-fast-relaxed-maths", "-cl-fast-relaxed-math"),
        ("-cl-mad-enabled", "-cl-mad-enable"),
        ("-cl-opt-disabled", "-cl-opt-disable"),
        ("-cl-kernel-arg-infos", "-cl-kernel-arg-info"),
    ],
)
def test_did_you_mean(typed: str, meant: str) -> None:
    """R-60."""
    with pytest.raises(OptionError) as caught:
        parse_options(typed)
    assert caught.value.suggestion == meant


@pytest.mark.parametrize("option", [*STANDARD[1:], "-w", "-Werror", "-Wall", "-g", "-create-library"])
def test_standard_options_pass(option: str) -> None:
    assert parse_options([option]).options == (option,)


@pytest.mark.parametrize(
    "option", ["-cl-nv-verbose", "-cl-no-such-option", "-cl-intel-greater-than-4GB-buffer-required"]
)
def test_vendor_options_pass(option: str) -> None:
    check_spelling(option)
    assert parse_options([option]).options == (option,)


@pytest.mark.parametrize("spelling", ["-Xs -cl-nv-verbose", "-Xs-cl-nv-verbose", ["-Xs", "-cl-nv-verbose -w"]])
def test_back_end_options_are_taken_out_of_their_wrapper(spelling: Any) -> None:
    """S-38."""
    assert parse_options(spelling).options[0] == "-cl-nv-verbose"


@pytest.mark.parametrize(
    "option",
    ["-c", "-S", "-E", "-o out.bin", "-x cl", "-xspir", "-L/usr/lib", "-L /usr", "-lm", "-fsanitize=address",
     "-target x", "--target=spir64", "-march=native", "-fsycl", "-include k.h"],
)  # fmt: skip
def test_refused_options_give_the_reason_and_the_way_out(option: str) -> None:
    """S-39, S-40, S-41, S-42."""
    with pytest.raises(OptionError) as caught:
        parse_options(option)
    assert caught.value.remedy
    assert option.startswith(caught.value.option)


def test_sanitizer_points_to_the_simulator() -> None:
    """S-41."""
    with pytest.raises(OptionError) as caught:
        refuse("-fsanitize=undefined")
    assert "oclgrind" in caught.value.remedy


@pytest.mark.parametrize("bad", ["kernels", "-", ["5,"]])
def test_words_that_are_no_options(bad: Any) -> None:
    with pytest.raises(OptionError):
        parse_options(bad)


@pytest.mark.parametrize("bad", [[b"-DX"], [4], [None]])
def test_items_that_are_no_text(bad: Any) -> None:
    with pytest.raises(OptionError) as caught:
        parse_options(bad)
    assert caught.value.option == bad[0]


def test_an_open_quote() -> None:
    with pytest.raises(OptionError) as caught:
        parse_options('-DX="1')
    assert "quote" in caught.value.remedy


names = st.from_regex(r"[A-Za-z_]\w{0,8}", fullmatch=True).filter(str.isascii)
values = st.text(
    alphabet=st.characters(codec="utf-8", exclude_characters="\n\r\0\\'\"(){}[]", exclude_categories=["Cs"]),
    max_size=20,
).filter(lambda value: "/*" not in value and value == value.strip())


@settings(deadline=None)
@given(st.lists(st.tuples(names, values), max_size=5))
def test_definitions_round_trip(pairs: list[tuple[str, str]]) -> None:
    """A list, its glued form, and its shell-quoted text all mean the same."""
    items = [f"-D{name}={value}" for name, value in pairs]
    spaced = [part for name, value in pairs for part in ("-D", f"{name}={value}")]
    expected = tuple(pairs)
    assert defines(items) == expected
    assert defines(spaced) == expected
    assert defines(shlex.join(items)) == expected
    assert tuple(split_define(item[2:]) for item in parse_options(items).options) == expected


@settings(deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=6)))
def test_any_text_gives_options_or_an_option_error(anything: Any) -> None:
    try:
        options = parse_options(anything)
    except OptionError as error:
        assert error.remedy  # noqa: PT017 - either outcome is right
    else:
        assert all(item.startswith("-") for item in options.options)
        assert parse_options(options.options).options == options.options


def test_folders_that_no_file_system_takes() -> None:
    assert len(parse_options(["-I", "x" * 9999]).notes) == 1
    assert parse_options("-I ~nobody-of-that-name/k").include_dirs[0].endswith("~nobody-of-that-name/k")
