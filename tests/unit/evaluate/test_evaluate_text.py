"""Items of a text to evaluate, Python's numbers as variables, the kernel's text and the values' text: no device."""

from __future__ import annotations

import numpy as np
import pytest

from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.evaluation import Division, ItemFacts, TypeFacts
from cl_magic.clc.structs import Field, Layout
from cl_magic.evaluate.decoding import parts_of, type_text, value_text
from cl_magic.evaluate.items import items_of
from cl_magic.evaluate.names import given_names, not_given
from cl_magic.evaluate.program_text import evaluating, probe


def texts(source: str) -> list[str]:
    return [item.text for item in items_of(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("3 > 2", ["3 > 2"]),
        ("3 > 2;", ["3 > 2"]),
        ("a\n-b", ["a", "-b"]),
        ("a -\nb", ["a -\nb"]),
        ("a\n  ? b\n  : c", ["a\n  ? b\n  : c"]),
        ("i++\nj", ["i++", "j"]),
        ("f(1,\n  2)\ng()", ["f(1,\n  2)", "g()"]),
        ("int4 v = (int4)(1); v.x", ["int4 v = (int4)(1)", "v.x"]),
        ("if (a) b; else c;\nd", ["if (a) b; else c;", "d"]),
        ("if (a) { b; }\nelse { c; }\nd", ["if (a) { b; }\nelse { c; }", "d"]),
        ("do { a; } while (b); c", ["do { a; } while (b);", "c"]),
        ("for (;;)\n  a++;\nb", ["for (;;)\n  a++;", "b"]),
        ("{ int a = 1; b += a; }\nb", ["{ int a = 1; b += a; }", "b"]),
        ("int a[2] = {1, 2}\na[0]", ["int a[2] = {1, 2}", "a[0]"]),
        ("// nothing\n\n/* here */", []),
        ("';' + '\\n' // ;", ["';' + '\\n'"]),
        ("(", ["("]),
        (") a", [") a"]),
    ],
)
def test_items(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


@pytest.mark.parametrize(
    ("source", "outside"),
    [
        ("int f(int n) { return n; }", True),
        ("struct P { int a; };", True),
        ("struct P { int a; } p = {1};", False),
        ("struct P p = {1}", False),
        ("typedef int number;", True),
        ("#define N 4", True),
        ("(int4){1, 2, 3, 4}", False),
        ("while (a) { a--; }", False),
        ("int a = 1", False),
    ],
)
def test_what_belongs_to_program_scope(source: str, *, outside: bool) -> None:
    assert [item.outside for item in items_of(source)] == [outside]


def test_items_know_their_place() -> None:
    item = items_of("a;\n\n  b + c")[1]
    assert (item.line, item.column, item.start) == (3, 3, 6)


def test_names_of_python_are_typed_variables() -> None:
    names = {"i": 3, "big": 1 << 40, "huge": 1 << 63, "over": 1 << 70, "d": 0.5, "f": np.float32(2), "c": np.int8(-1),
             "h": np.float16(0.5), "t": True, "a": np.zeros(3), "s": "x"}  # fmt: skip
    found = {one.name: one.type_name for one in given_names(" + ".join(names), names)}
    assert found == {
        "i": "int", "big": "long", "huge": "ulong", "d": "double", "f": "float", "c": "char", "h": "float", "t": "int"
    }  # fmt: skip
    assert [one.type_name for one in given_names("d", names, fp64=False)] == ["float"]


def test_a_variable_of_python_that_is_no_number_is_told() -> None:
    names = {"x": np.zeros(2), "big": 2**70, "word": "abc"}
    told = {name: not_given(f"use of undeclared identifier '{name}'", names) for name in (*names, "other")}
    assert "x[0]" in told["x"]
    assert "64 bits" in told["big"]
    assert "type str" in told["word"]
    assert told["other"] == not_given("expected ';'", names) == ""


def test_a_name_that_is_no_variable_of_the_text_is_left_out() -> None:
    names = {"x": 1, "dot": 2, "N": 3, "m": 4}
    assert [one.name for one in given_names("v.x + dot(a, b) + N", names)] == ["N"]
    assert given_names("#define N 4\nN", names) == ()
    assert given_names("m", names, without={"m"}) == ()


def test_positions_of_items_are_the_users() -> None:
    written, ranges = probe(items_of("1;  2 +\n  x"), ())
    assert written.source[slice(*ranges[1])] == "2 +\n  x"
    line = written.lines.index("  x") + 1
    moved = written.on_user_lines(Diagnostic("error", "undeclared", line, 3, 4), 2)
    assert (moved.line, moved.column, moved.end_column) == (3, 3, 4)
    first = written.on_user_lines(Diagnostic("error", "undeclared", line - 1, 1, 2), 1)
    assert (first.line, first.column) == (1, 5)
    assert written.on_user_lines(Diagnostic("error", "ours", 1, 9), 1).line == 0
    end = written.on_user_lines(Diagnostic("error", "expected ')'", line + 1, 1), 1)
    assert (end.line, end.column) == (2, 4)


def test_checks_of_divisions_come_before_the_item() -> None:
    """C-24."""
    facts = [ItemFacts("expression", TypeFacts("int2"), (), (Division("int2", "a", "b"),))]
    lines = evaluating(items_of("a / b"), facts, ()).lines
    at = next(i for i, line in enumerate(lines) if "any(" in line)
    assert "INT_MIN" in lines[at]
    assert lines.index("a / b") > at


def test_slots_are_aligned_for_the_largest_type() -> None:
    facts = [ItemFacts("expression", TypeFacts(name)) for name in ("char", "double16", "int")]
    slots = evaluating(items_of("a\nb\nc"), facts, ()).slots
    assert [slot.nbytes for slot in slots] == [1, 128, 4]
    assert all(slot.offset % 128 == 0 for slot in slots)


@pytest.mark.parametrize(
    ("value", "facts", "text"),
    [
        (np.float32(0.1), TypeFacts("float"), "0.1"),
        (np.float32("nan"), TypeFacts("float"), "nan"),
        (np.float64(-np.inf), TypeFacts("double"), "-inf"),
        (np.float16(0.1), TypeFacts("half"), "0.1"),
        (np.uint64(1 << 63), TypeFacts("size_t"), "9223372036854775808"),
        (np.bool_(1), TypeFacts("bool"), "true"),
        (np.array([1, 2, 3, 9], np.int8), TypeFacts("char3"), "{1, 2, 3}"),
        (np.arange(4, dtype=np.int16), TypeFacts("short2", (2,)), "{{0, 1}, {2, 3}}"),
    ],
)
def test_values_as_text(value: np.generic, facts: TypeFacts, text: str) -> None:
    assert value_text(value.tobytes(), facts) == text


def test_every_float_comes_back_from_its_text() -> None:
    values = np.random.default_rng(3).integers(0, 1 << 32, 500, dtype=np.uint32).view(np.float32)
    for value in values[np.isfinite(values)]:
        assert np.float32(value_text(value.tobytes(), TypeFacts("float"))) == value


def test_structures_and_bits() -> None:
    layout = Layout("struct P", "struct", 8, 4, (Field("c", "char", 0, 1), Field("v", "short", 4, 4, (2,))))
    data = bytes([7, 0, 0, 0, 1, 0, 2, 0])
    assert value_text(data, TypeFacts("struct P", (), layout)) == "{.c = 7, .v = {1, 2}}"
    assert len(parts_of(bytes(16), TypeFacts("float3"))) == 3
    assert type_text(TypeFacts("int", (7,))) == "int[7]"
