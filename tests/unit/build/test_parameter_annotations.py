"""Ranges in comments and on lines: one notation, both ends included; other values without moving a line."""

from __future__ import annotations

import pytest

from cl_magic.build.parameter_annotations import annotated, argument_range, macro_text, macro_value, with_macros
from cl_magic.build.spec import ProgramSpec
from cl_magic.build.value_range import parse_range
from cl_magic.errors import OptionError


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1:4", (1, 2, 3, 4)),
        ("0:10:5", (0, 5, 10)),
        ("0:9:5", (0, 5)),
        ("4:64:x2", (4, 8, 16, 32, 64)),
        ("4:100:x2", (4, 8, 16, 32, 64)),
        ("0.5:4.0:x2", (0.5, 1.0, 2.0, 4.0)),
        ("0:0.3:0.1", (0.0, 0.1, 0.2, 0.3)),
        ("-2:2:2", (-2, 0, 2)),
        ("1,2,4", (1, 2, 4)),
        ("float,double", ("float", "double")),
        ("0x10:0x12", (16, 17, 18)),
        ("5:5", (5,)),
    ],
)
def test_a_range_holds_both_its_ends(text: str, values: tuple[float, ...]) -> None:
    assert parse_range(text).values == values


@pytest.mark.parametrize(
    "text", ["4:1", "1:2:3:4", "a:b", "1:", ":", "0:8:x2", "1:8:x1", "1:8:0", "1:8:-1", "1,,2", "word", ""]
)
def test_what_is_no_range_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_range(text)
    assert "a:b:x2" in caught.value.remedy
    assert caught.value.option == text


def test_a_range_of_all_floats_has_no_values_but_a_nearest_one() -> None:
    found = parse_range("0.0:2.0")
    assert found.continuous
    assert found.nearest(1.25) == 1.25
    assert found.nearest(9) == 2.0
    with pytest.raises(OptionError, match="no step"):
        _ = found.values


def test_too_many_values_are_refused_before_they_are_made() -> None:
    with pytest.raises(OptionError, match="more than 10,000"):
        _ = parse_range("0:1000000000").values


def test_annotations_are_comments_behind_a_define_and_nothing_else() -> None:
    source = (
        "#define TILE 16  // 4:64:x2 edge of a tile\n"
        "  # define GAIN 0.5f /* 0.0:2.0 */\n"
        "#define N 4 // the count: 4\n"
        "#define F(x) (x) // 1:2\n"
        "#define EMPTY // 1:2\n"
        "/* #define OLD 1 // 1:4\n*/\n"
        "// #define OFF 1 // 1:4\n"
        'constant char *text = "#define IN 1 // 1:4";\n'
        "#define TYPE float // float,double\n"
    )
    found = {one.name: (one.value, one.values.text, one.line) for one in annotated(source)}
    assert found == {
        "TILE": ("16", "4:64:x2", 1),
        "GAIN": ("0.5f", "0.0:2.0", 2),
        "TYPE": ("float", "float,double", 10),
    }


def test_a_parameters_comment_may_hold_its_range() -> None:
    source = "kernel void f(global float *x, // 1:2\n float gain,  // 0.0:2.0\n int n /* 1:9 */) { x[0] = gain * n; }"
    assert argument_range(source, "gain") == parse_range("0.0:2.0")
    assert argument_range(source, "n") == parse_range("1:9")
    assert argument_range(source, "missing") is None


def test_another_value_moves_no_line_and_no_comment() -> None:
    spec = ProgramSpec("#define TILE 16 // 4:64:x2\nint a[TILE];\n", options=("-DN=4", "-w"))
    made = with_macros(spec, {"TILE": "8", "N": "5", "NEW": "1"})
    assert made.source == "#define TILE 8 // 4:64:x2\nint a[TILE];\n"
    assert made.options == ("-DN=5", "-w", "-DNEW=1")
    assert macro_value(made, "TILE") == "8"
    assert macro_value(made, "N") == "5"
    assert with_macros(made, {"TILE": "16", "N": "4"}).source == spec.source


def test_a_value_keeps_the_type_that_the_macro_had() -> None:
    assert macro_text(0.25, "1.0f") == "0.25f"
    assert macro_text(2, "1.0f") == "2.0f"
    assert macro_text(8, "16u") == "8u"
    assert macro_text(0.5, "16") == "0.5"
    assert macro_text("half", "float") == "half"
