"""Source excerpts for reports: marks, tabs, proposed changes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cl_magic.build.excerpt import ExcerptLine, excerpt_of, expand_tabs, expanded_offset
from cl_magic.build.source_map import SourceMap
from cl_magic.clc.diagnostic import Diagnostic, FixIt

SOURCE = "float scaled(float a);\n\n\tuint step = get_global_sise(0);\n    y[i] += scaled(a, x, i)\n}\n"
MAP = SourceMap("cell [3]", first_line=3, indent=2, prelude_lines=4)


def test_marks_and_fix_with_tabs_and_indent() -> None:
    fix = FixIt(5, 16, 31, "get_global_size", "did you mean 'get_global_size'?")
    found = excerpt_of(Diagnostic("error", "undeclared", 5, 16, 31, fixits=(fix,)), SOURCE, MAP)
    assert found is not None
    [line] = found.lines
    assert line.number == 5
    assert line.text == "    uint step = get_global_sise(0);"
    assert line.text[line.start : line.end] == "get_global_sise"
    [change] = found.fixes
    assert line.text[change.start : change.end] == "get_global_sise"
    assert (change.text, change.why) == ("get_global_size", fix.why)


def test_something_missing_at_the_end_of_a_line() -> None:
    fix = FixIt(6, 30, 30, ";", "insert ';'")
    found = excerpt_of(Diagnostic("error", "expected ';'", 6, 30, fixits=(fix,)), SOURCE, MAP)
    assert found is not None
    assert (found.lines[0].start, found.lines[0].end) == (27, 28)
    assert found.lines[0].start == len(found.lines[0].text)
    assert (found.fixes[0].start, found.fixes[0].end) == (27, 27)


def test_context_lines_are_not_marked() -> None:
    found = excerpt_of(Diagnostic("warning", "w", 3, 3, 8), SOURCE, MAP, context=1)
    assert found is not None
    assert [(line.number, line.start, line.end) for line in found.lines] == [(3, 0, 5), (4, 0, 0)]


def test_a_line_without_a_column() -> None:
    found = excerpt_of(Diagnostic("note", "included from here", 3), SOURCE, MAP)
    assert found is not None
    assert found.lines == (ExcerptLine(3, "float scaled(float a);"),)


@pytest.mark.parametrize(
    "diagnostic",
    [Diagnostic("error", "link"), Diagnostic("error", "x", 3, 1, file="k.h"), Diagnostic("error", "x", 99, 1),
     Diagnostic("error", "x", 1, 1)],
)  # fmt: skip
def test_no_excerpt_where_there_is_no_line(diagnostic: Diagnostic) -> None:
    assert excerpt_of(diagnostic, SOURCE, MAP) is None


def test_fixes_of_other_lines_are_left_out() -> None:
    found = excerpt_of(Diagnostic("error", "x", 3, 3, 8, fixits=(FixIt(4, 3, 3, "x"),)), SOURCE, MAP)
    assert found is not None
    assert found.fixes == ()


def test_a_column_far_outside_is_held_at_the_end_of_the_line() -> None:
    found = excerpt_of(Diagnostic("error", "x", 1, 500), "ab\n")
    assert found is not None
    assert (found.lines[0].start, found.lines[0].end) == (2, 3)


@settings(deadline=None)
@given(st.text(alphabet="a\té", max_size=12), st.integers(1, 14))
def test_offsets_agree_with_expanded_text(text: str, column: int) -> None:
    expected = len(expand_tabs(text[: column - 1])) + max(column - 1 - len(text), 0)
    assert expanded_offset(text, column) == expected
    assert "\t" not in expand_tabs(text)
