"""Notes on the rules of OpenCL C under compilers' messages.

C-02, C-11, C-15, C-16, C-23, C-28, C-33, C-41, C-53, C-54.
"""

from __future__ import annotations

import pytest

from cl_magic.build.rule_notes import barrier_warnings, rule_notes, version_notes
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.signature import KernelSignature

RANK = "scalar operand type has greater rank than the type of the vector element. ({} and {})"
MIXED = "implicit conversions between vector types ({} and {}) are not permitted"
SPACE = "passing '{}' to parameter of type '{}' changes address space of pointer"
BINARY = "invalid operands to binary expression ('{}' and '{}')"


def notes_of(message: str, source: str = "", column: int = 1) -> list[str]:
    (noted,) = rule_notes([Diagnostic("error", message, 1, column)], ProgramSpec(source), "OpenCL C 1.2 on PoCL cpu")
    return [note.message for note in noted.notes]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (RANK.format("'long'", "'int4' (vector of 4 'int' values)"), ("(int)x", "convert_long4(v)")),
        (RANK.format("'float8' (vector of 8 'float' values)", "'double'"), ("(float)x", "convert_double8(v)", "2.0f")),
        (MIXED.format("'int4'", "'float4'"), ("convert_int4", "as_int4")),
        ("can't convert between vector values of different size ('int4' and 'double4')", ("convert_int4(v)",)),
        (MIXED.format("'int4'", "'float2'"), ("v.xy",)),
        ("assigning to '__private int4' from incompatible type '__private float4'", ("convert_int4", "as_int4")),
        (SPACE.format("__global int *", "int *"), ("generic", "OpenCL C 1.2 on PoCL cpu")),
        (SPACE.format("__constant char *", "__private char *__private"), ("constant pointers",)),
        ("unknown type name 'float5'", ("2, 3, 4, 8 or 16",)),
        ("use of undeclared identifier 'uchar32'; did you mean 'uchar2'?", ("2, 3, 4, 8 or 16",)),
        ("type '__private __read_only image2d_t' can only be used as a function parameter in OpenCL", ("6.9.b",)),
        ("the '__read_only image2d_t' type cannot be used to declare a structure or union field", ("6.9.b",)),
        ("parameter may not be qualified with an address space", ("6.5",)),
        ("requested shift is a vector of type 'int2' but the first operand is not a vector ('int')", ("(int2)(x)",)),
    ],
)
def test_a_message_gets_its_way_out(message: str, words: tuple[str, ...]) -> None:
    (note,) = notes_of(message)
    assert [word for word in words if word not in note] == []


def test_conversion_between_sizes_offers_no_reinterpretation() -> None:
    (note,) = notes_of(MIXED.format("'int4'", "'double4'"))
    assert "as_" not in note


@pytest.mark.parametrize(
    ("source", "types", "word"),
    [
        ("a & b;", ("float4", "__global float4"), "as_int4"),
        ("a ^ b;", ("double", "double"), "as_long"),
        ("a % b;", ("float", "float"), "fmod"),
        ("a >> b;", ("float", "int"), "ldexp"),
    ],
)
def test_the_operator_of_the_source_decides(source: str, types: tuple[str, str], word: str) -> None:
    (note,) = notes_of(BINARY.format(*types), source, 3)
    assert word in note


@pytest.mark.parametrize(
    "message",
    [
        "use of undeclared identifier 'x'",
        BINARY.format("struct S", "int"),
        BINARY.format("float", "struct S"),
        "assigning to 'struct S' from incompatible type 'int'",
        SPACE.format("__global int *", "__local int *"),
        "scalar operand type has greater rank than the type of the vector element. ()",
    ],
)
def test_other_messages_stay_as_they_are(message: str) -> None:
    assert notes_of(message, "a + b;", 3) == []


def test_the_note_stands_at_its_message_under_indent_and_magic_line() -> None:
    spec = ProgramSpec("int f;\na & b;", source_map=SourceMap(first_line=5, indent=4))
    (noted,) = rule_notes([Diagnostic("error", BINARY.format("float", "float"), 6, 7)], spec)
    (note,) = noted.notes
    assert (note.severity, note.line, note.column, note.origin) == ("note", 6, 7, "cl_magic")
    assert "as_int" in note.message


def test_the_same_words_are_said_once() -> None:
    message = "variable length arrays are not supported in OpenCL"
    found = rule_notes([Diagnostic("error", message, line, 5) for line in (1, 2, 3)], ProgramSpec(""))
    assert [len(diagnostic.notes) for diagnostic in found] == [1, 0, 0]


def test_messages_in_headers_and_past_the_end_are_judged_without_their_text() -> None:
    spec = ProgramSpec("a & b;")
    header = Diagnostic("error", BINARY.format("float", "float"), 1, 3, file="k.h")
    beyond = Diagnostic("error", BINARY.format("float", "float"), 9, 3)
    assert rule_notes([header, beyond], spec) == (header, beyond)


def test_k_15_a_return_before_a_barrier_is_a_warning_on_its_line() -> None:
    kernels = [KernelSignature("f", return_before_barrier=3), KernelSignature("g")]
    (warning,) = barrier_warnings(kernels, SourceMap(first_line=4, prelude_lines=2))
    assert (warning.severity, warning.line, len(warning.notes)) == ("warning", 6, 1)
    assert "6.12.8" in warning.notes[0].message


@pytest.mark.parametrize(("version", "offered"), [("", ("1.2",)), ("OpenCL C 2.0", ()), ("OpenCL C 3.0", ("3.0",))])
def test_a_version_that_is_offered_or_not_known_needs_no_note(version: str, offered: tuple[str, ...]) -> None:
    assert version_notes(version, offered, "PoCL cpu") == ()


def test_a_depth_image_that_a_device_lacks_gets_the_way_out() -> None:
    said = Diagnostic(
        "error", "Cannot find symbol _Z11read_imagef20ocl_image2d_depth_ro11ocl_sampler in kernel library"
    )
    (noted,) = rule_notes([said], ProgramSpec(""))
    assert "cl_khr_depth_images" in noted.notes[0].message


def test_a_cast_to_half_gets_the_way_out() -> None:
    (noted,) = rule_notes(
        [Diagnostic("error", "casting to type 'half' is not allowed", 1, 3)], ProgramSpec("h = (half)1;")
    )
    assert "vload_half" in noted.notes[0].message
