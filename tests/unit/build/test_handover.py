"""What each driver gets of the options (R-63, R-64, R-71, S-37; cases 6 and 7)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cl_magic.build.handover import HandOver, define_line, hand_over, include_options, named_as_typed
from cl_magic.build.options import parse_options
from cl_magic.errors import OptionError

FAMILIES = ("pocl", "nvidia", "intel", "oclgrind", "clang")


def given_to(family: str, *items: str) -> HandOver:
    return hand_over(parse_options(items), family)


@pytest.mark.parametrize("family", FAMILIES)
def test_plain_definitions_stay_options(family: str) -> None:
    found = given_to(family, "-DN=4", "-DTYPE=float", "-DX", "-DF=-1.5e-3f", "-DEMPTY=")
    assert found.prelude == ""
    assert found.prelude_lines == 0
    assert found.options[:5] == ("-DN=4", "-DTYPE=float", "-DX", "-DF=-1.5e-3f", "-DEMPTY=")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("value", ["{4, 5}", "{4,5}", '"xyz"', "a b", "'c'", "a*2", "$x", "é", "a\tb", "(1)"])
def test_values_that_a_driver_may_misread_go_by_text(family: str, value: str) -> None:
    found = given_to(family, "-DA=1", f"-DT={value}", "-DB=2")
    assert found.prelude == f"#define A 1\n#define T {value}\n#define B 2\n"
    assert found.prelude_lines == 3
    assert not any(item.startswith("-D") for item in found.options)
    assert len(found.notes) == 1


def test_function_like_macros_go_by_text() -> None:
    """R-63."""
    assert given_to("pocl", "-DF(a)=a*2").prelude == "#define F(a) a*2\n"


@pytest.mark.parametrize("by_text", [True, False])
def test_the_later_definition_wins(by_text: bool) -> None:  # noqa: FBT001
    """R-63: one definition of each name reaches the compiler, which would warn about a second one."""
    extra = ["-DT={1, 2}"] if by_text else []
    found = given_to("pocl", "-DA=1", "-DB=A", "-DA=2", *extra)
    lines = found.prelude.split("\n") if by_text else list(found.options)
    assert lines[:2] == (["#define B A", "#define A 2"] if by_text else ["-DB=A", "-DA=2"])
    assert any("A is defined more than once" in note for note in found.notes)


def test_undefining_goes_by_text() -> None:
    assert given_to("nvidia", "-DA=1", "-UA", "-DB=1").prelude == "#undef A\n#define B 1\n"


def test_a_name_without_value_is_1() -> None:
    assert define_line(("X", None)) == "#define X 1\n"
    assert define_line(("X", "")) == "#define X\n"


@pytest.mark.parametrize(("family", "added"), [("pocl", True), ("nvidia", True), ("intel", False), ("oclgrind", False)])
def test_kernel_argument_info_is_asked_for(family: str, added: bool) -> None:  # noqa: FBT001
    """R-71."""
    assert ("-cl-kernel-arg-info" in given_to(family).options) is added
    assert given_to(family, "-cl-kernel-arg-info").options == ("-cl-kernel-arg-info",)


@pytest.mark.parametrize(("family", "taken"), [("pocl", False), ("nvidia", False), ("intel", True), ("oclgrind", True)])
def test_warning_switches(family: str, taken: bool) -> None:  # noqa: FBT001
    """S-37: ``-Wall`` is refused by PoCL and NVIDIA; ``-w`` and ``-Werror`` are standard (R-70)."""
    found = given_to(family, "-Wall", "-w", "-Werror")
    assert ("-Wall" in found.options) is taken
    assert {"-w", "-Werror"} <= set(found.options)
    assert any("front end" in note for note in found.notes) is not taken


def test_options_of_one_driver_only() -> None:
    assert "-g" not in given_to("oclgrind", "-g").options
    assert "-g" in given_to("pocl", "-g").options
    assert "-Rpass=x" not in given_to("intel", "-Rpass=x").options
    assert any("-Werror" in note for note in given_to("oclgrind", "-Werror").notes)


def test_a_folder_with_a_blank_goes_through_a_link(tmp_path: Path) -> None:
    """Case 6."""
    folder = tmp_path / "my kernels"
    folder.mkdir()
    (folder / "k.h").write_text("#define K 3\n")
    found = given_to("pocl", "-I", str(folder), "-I/usr/include")
    assert found.include_dirs == (str(folder), "/usr/include")
    assert "my kernels" in found.notes[0]
    root = tmp_path / "links"
    words = include_options(found.include_dirs, root)
    assert words[1] == "-I/usr/include"
    assert not {" ", '"', "'"} & set(words[0])
    assert (Path(words[0][2:]) / "k.h").read_text() == "#define K 3\n"
    assert include_options(found.include_dirs, root) == words
    assert len(list(root.iterdir())) == 1


def test_a_log_names_the_folder_that_was_typed(tmp_path: Path) -> None:
    folder = tmp_path / "my kernels"
    folder.mkdir()
    [word] = include_options([str(folder)], tmp_path / "links")
    assert named_as_typed(f"error: {word[2:]}/k.h:1:1: no", tmp_path / "links") == f"error: {folder}/k.h:1:1: no"


def test_a_link_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError) as caught:
        include_options(["/a b"], tmp_path / "file" / "links")
    assert caught.value.folder == "/a b"
    with pytest.raises(OptionError):
        include_options(["/a b"], tmp_path / "with blank")


def test_no_folder_is_made_where_no_link_is_needed(tmp_path: Path) -> None:
    include_options(["/usr"], tmp_path / "links")
    assert not (tmp_path / "links").exists()


@settings(deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\\\r\n\0"), max_size=12), max_size=4))
def test_no_driver_ever_gets_a_blank_or_a_quote(values: list[str]) -> None:
    items = [f"-DV{i}={value}" for i, value in enumerate(values) if "/*" not in value]
    for family in FAMILIES:
        found = given_to(family, *items)
        assert all(word.isascii() and not set(" \t\"'{}()") & set(word) for word in found.options)
        assert found.prelude_lines in {0, len(items)}
