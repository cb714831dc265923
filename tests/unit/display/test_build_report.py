"""Build reports: diagnostics on the cell's lines, kernels, log (R-61, R-62, S-10, S-12)."""

from __future__ import annotations

import dataclasses

from support import values
from support.markup import read

from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.display.build_report import build_html, line_rule
from cl_magic.display.build_text import build_text


def test_a_failed_build_is_open_with_its_log_folded() -> None:
    root = read(build_html(values.failed_build()))
    assert root.children[1].attributes["role"] == "alert"
    assert not root.all("details", "line")
    (log,) = root.all("details", "sec")
    assert "open" not in log.attributes
    assert "compiler line + 1 = cell line" in log.words()


def test_each_diagnostic_has_position_mark_fix_and_notes() -> None:
    first, second, third = read(build_html(values.failed_build())).all("li", "diag")
    assert [e.words() for e in first.all(css="pos")] == ["12:17", "built-in"]
    assert [e.words() for e in first.all("u")] == ["get_global_sise"]
    assert [e.words() for e in first.all("ins")] == ["get_global_size"]
    assert second.all("u")[0].words() == " "
    assert second.all("ins")[0].words() == ";"
    assert [e.words() for e in third.all(css="pos")] == ["14:27", "2:45"]
    assert [e.words() for e in third.all("u")] == ["x", "x"]
    assert "-Wincompatible-pointer-types" in third.words()


def test_a_good_build_is_one_folded_line() -> None:
    root = read(build_html(values.good_build()))
    (line,) = root.all("details", "line")
    assert "open" not in line.attributes
    summary = line.children[0].words()
    assert summary.startswith("2 kernels, 1 warning · blur.cl · Intel cpu")
    titles = [sec.all("b")[0].words() for sec in root.all("details", "sec")]
    assert titles == ["Kernels", "Memory", "Signatures", "Warnings", "Log"]


def test_kernels_table_has_limits_and_warnings_of_each() -> None:
    table = read(build_html(values.good_build())).all("table", "kt")[0]
    rows = [[cell.words() for cell in row.children] for row in table.all("tbody")[0].all("tr")]
    assert rows[0][:4] == ["blur", "8\u202f192", "128", "any"]
    assert rows[1][3] == "64"
    assert rows[1][5] == "part"
    assert [row[-1] for row in rows] == ["0", "1"]


def test_unbound_kernels_and_notes_are_said() -> None:
    unbound = ["The kernel 'saxpy' is no longer bound."]
    result = values.failed_build(notes=("The dialect is guessed.",))
    for shown in (read(build_html(result, unbound)).words(), build_text(result, unbound)):
        assert "no longer bound" in shown
        assert "The dialect is guessed." in shown


def test_unknown_log_lines_stay_visible() -> None:
    result = values.failed_build(unparsed=("ptxas fatal : 7",), diagnostics=())
    assert "ptxas fatal : 7" in read(build_html(result)).words()
    assert "ptxas fatal : 7" in build_text(result)


def test_without_diagnostics_the_text_holds_the_log() -> None:
    text = build_text(values.failed_build(diagnostics=(), log="linker: no main\nend\n"))
    assert "linker: no main" in text


def test_text_puts_marks_under_the_range() -> None:
    lines = build_text(values.failed_build()).split("\n")
    at = next(i for i, row in enumerate(lines) if row.startswith("error 12:17"))
    source, marks, fix = lines[at + 1 : at + 4]
    start = source.index("get_global_sise")
    assert marks[start:].strip() == "^" + "~" * 14
    assert fix.index("get_global_size") == start


def test_long_lines_are_cut_around_the_mark() -> None:
    source = "int a; " * 60 + "oops" + " b;" * 60
    spec = ProgramSpec(source, source_map=SourceMap("long.cl", 2))
    found = Diagnostic("error", "use of undeclared identifier 'oops'", 2, 421, 425)
    text = build_text(values.failed_build(spec=spec, diagnostics=(found,)))
    rows = text.split("\n")
    assert max(map(len, rows)) <= 100
    marked = next(i for i, row in enumerate(rows) if "^~~~" in row)
    start = rows[marked].index("^")
    assert rows[marked - 1][start : start + 4] == "oops"


def test_diagnostic_in_a_header_shows_the_headers_line() -> None:
    spec = dataclasses.replace(values.saxpy_spec(), headers=(("a.h", "int x;\nint y = z;\n"),))
    found = Diagnostic("error", "no 'z'", 2, 9, 10, file="a.h")
    shown = read(build_html(values.failed_build(spec=spec, diagnostics=(found,))))
    assert shown.all("li")[0].all(css="pos")[0].words() == "a.h:2:9"
    assert [e.words() for e in shown.all("u")] == ["z"]


def test_line_rule_counts_prelude_and_first_line() -> None:
    spec = dataclasses.replace(values.saxpy_spec(), source_map=SourceMap("s", 2, prelude_lines=5))
    assert line_rule(values.failed_build(spec=spec)) == "compiler line − 4 = cell line"
