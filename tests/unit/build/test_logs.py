"""Build logs of five real compilers, each against expectations written by hand (R-61 to R-71, S-10, S-12, S-13)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cl_magic.build.logs import DIALECTS, ParsedLog, in_order, parse_log
from cl_magic.build.source import prepare_source
from cl_magic.build.source_map import SourceMap
from cl_magic.clc.diagnostic import Diagnostic

HERE = Path(__file__).parent
LOGS = sorted((HERE / "logs").glob("*/*.log"))
IDS = [f"{path.parent.name}/{path.stem}" for path in LOGS]


def family_of(path: Path) -> str:
    return path.parent.name.partition("-")[0]


def source_of(path: Path) -> str:
    return prepare_source((HERE / "cases" / f"{path.stem}.cl").read_bytes())[0]


def log_of(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n")[2]


def parsed(path: Path, source_map: SourceMap | None = None) -> ParsedLog:
    return parse_log(log_of(path), family_of(path), source_of(path), source_map)


def check(found: Diagnostic, expected: dict[str, Any]) -> None:
    names = ("severity", "line", "column", "end_column")
    assert [getattr(found, name) for name in names] == [expected[name] for name in names]
    assert found.message.startswith(expected["message"])
    assert found.file == expected.get("file", "")
    fixits = [[f.line, f.column, f.end_column, f.text] for f in found.fixits]
    assert fixits == ([expected["fixit"]] if "fixit" in expected else [])
    notes = expected.get("notes", [])
    assert len(found.notes) == len(notes)
    for note, wanted in zip(found.notes, notes, strict=True):
        check(note, wanted)


def test_all_logs_are_here() -> None:
    assert len(LOGS) == 26 * 5
    assert {family_of(path) for path in LOGS} == {"pocl", "nvidia", "oclgrind", "intel"}


@pytest.mark.parametrize("path", LOGS, ids=IDS)
def test_every_diagnostic_of_a_log(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    found = parsed(path)
    assert len(found.diagnostics) == len(expected["diagnostics"])
    for diagnostic, wanted in zip(found.diagnostics, expected["diagnostics"], strict=True):
        check(diagnostic, wanted)
    assert {name: list(words) for name, words in found.remarks} == expected["remarks"]
    assert list(found.unparsed) == expected["unparsed"]


@pytest.mark.parametrize("path", LOGS, ids=IDS)
def test_positions_move_with_the_cell(path: Path) -> None:
    """Under a magic line, two blank lines and an indent of 4, every line is 3 further and every column 4."""
    plain = parsed(path)
    moved = parsed(path, SourceMap("cell [1]", first_line=4, indent=4))
    for before, after in zip(plain.diagnostics, moved.diagnostics, strict=True):
        pairs = [(before, after), *zip(before.notes, after.notes, strict=True)]
        for one, other in pairs:
            if one.file or not one.line:
                assert (other.line, other.column) == (one.line, one.column)
            else:
                assert (other.line, other.column) == (one.line + 3, one.column + 4)
                assert other.end_column == (one.end_column + 4 if one.end_column else 0)


@pytest.mark.parametrize("path", LOGS, ids=IDS)
def test_count_of_messages_equals_a_count_by_hand(path: Path) -> None:
    """A crude count of the words, which knows nothing of the grammars."""
    log = log_of(path).replace("remark: <unknown>:0:0:", "").replace("Error in processing command line:", "")
    words = len(re.findall(r"(?<![\w(])(?:fatal error|error|warning|note): ", log))
    others = len(
        re.findall(
            r"^(?:Invalid build|Cannot find symbol|ptxas (?:fatal|error)|Don't understand|Error parsing|Unrecognized"
            r"|CompilerException|Failed to materialize| Don't understand)",
            log,
            re.MULTILINE,
        )
    )
    spelled = log.count("<Spelling=") + len(re.findall(r"Unresolved|Cannot find symbol|Symbols not found", log))
    found = parsed(path)
    assert sum(1 + len(d.notes) for d in found.diagnostics) == words + others + spelled


@pytest.mark.parametrize("path", [p for p in LOGS if p.parent.name == "intel-2026"], ids=lambda p: p.stem)
def test_intel_progress_is_chatter(path: Path) -> None:
    assert any(line.startswith("Compilation ") for line in parsed(path).chatter)


def test_nvidia_inlining_notice_is_chatter() -> None:
    clean = HERE / "logs" / "nvidia-580" / "01_clean.log"
    assert parsed(clean).diagnostics == ()
    assert "overriding noinline attribute" in parsed(clean).chatter[0]


def test_remarks_of_a_kernel() -> None:
    found = parsed(HERE / "logs" / "intel-2026" / "01_clean.log")
    assert found.remarks_of("scale") == ("vectorised 16",)
    assert found.remarks_of("other") == ()


@pytest.mark.parametrize("family", [*DIALECTS, "never heard of"])
def test_unknown_lines_stay_visible(family: str) -> None:
    found = parse_log("SPIR-V module rejected\n\n   at offset 12\n", family, "")
    assert found.unparsed == ("SPIR-V module rejected", "   at offset 12")
    assert found.diagnostics == ()


PRELUDE = "#define A 1\n#define TBL {4, 5\n#define C 3\n"
USER = "__kernel void f(__global float *a)\n{\n    a[0] = oops;\n}\n"


@pytest.mark.parametrize(
    ("family", "header"),
    [
        ("pocl", "error: /x/tempfile_a.cl:{}:{}: {}"),
        ("oclgrind", "input.cl:{}:{}: error: {}"),
        ("nvidia", "<kernel>:{}:{}: error: {}"),
        ("intel", "1:{}:{}: error: {}"),
    ],
)
def test_prelude_lines_are_not_counted(family: str, header: str) -> None:
    """Case 11: line 3 of the text is line 3 for the user, though the compiler says 6."""
    source_map = SourceMap("cell", first_line=2, prelude_lines=3)
    log = header.format(6, 12, "use of undeclared identifier 'oops'") + "\n" + header.format(2, 13, "expected '}'")
    inside, user = reversed(parse_log(log, family, USER, source_map, prelude=PRELUDE).diagnostics)
    assert (user.line, user.column, user.end_column) == (4, 12, 16)
    assert (inside.line, inside.column) == (0, 0)
    assert "-DTBL={4, 5" in inside.message


def test_a_note_in_the_prelude_names_its_definition() -> None:
    log = "input.cl:4:3: error: bad\ninput.cl:2:13: note: expanded from macro 'TBL'\n"
    [error] = parse_log(log, "oclgrind", "x TBL;\n", SourceMap(prelude_lines=3), prelude=PRELUDE).diagnostics
    assert (error.line, error.notes[0].line) == (1, 0)
    assert error.notes[0].message.endswith("(in -DTBL={4, 5)")


def test_macro_in_the_prelude_as_pocl_tells_it() -> None:
    log = "error: /a/tempfile_1.cl:4:1 <Spelling=/a/tempfile_1.cl:1:11>: bad\n"
    [error] = parse_log(log, "pocl", "A;\n", SourceMap(prelude_lines=3), prelude=PRELUDE).diagnostics
    assert error.notes[0].message == "expanded from macro 'A' (in -DA=1)"


@pytest.mark.parametrize(("family", "line"), [("pocl", 101), ("intel", 101), ("oclgrind", 4), ("nvidia", 4)])
def test_line_directive_with_a_prelude(family: str, line: int) -> None:
    """PoCL and Intel report what ``#line`` says, Oclgrind and NVIDIA count the lines of the file: one cell line."""
    source = '// first\n#line 100 "gen.cl"\nfloat a = no;\nfloat b = no;\n'
    name = {"pocl": "gen.cl", "intel": "gen.cl", "oclgrind": "input.cl", "nvidia": "<kernel>"}[family]
    physical = line + 1 if line < 100 else line
    header = f"error: {name}:{physical}:11: no" if family == "pocl" else f"{name}:{physical}:11: error: no"
    source_map = SourceMap(first_line=2, prelude_lines=1)
    [error] = parse_log(header, family, source, source_map, prelude="#define A 1\n").diagnostics
    assert (error.line, error.column, error.file) == (5, 11, "")


def test_header_messages_keep_their_file_and_name_the_include() -> None:
    log = (
        "In file included from input.cl:2:\nIn file included from ./a.h:1:\n"
        "./b.h:3:5: error: unknown type name 'flaot'\n    flaot x;\n    ^~~~~\n"
        "input.cl:5:1: error: expected ';'\n"
    )
    source = '// \n#include "a.h"\n\n\nx\n'
    header, own = parse_log(log, "oclgrind", source, SourceMap(first_line=2)).diagnostics
    assert (header.file, header.line, header.column, header.end_column) == ("./b.h", 3, 5, 10)
    assert [(n.file, n.line) for n in header.notes] == [("./a.h", 1), ("", 3)]
    assert own.line == 6


def test_warning_option_is_taken_off() -> None:
    log = "input.cl:1:5: error: unused [-Werror,-Wunused]\ninput.cl:1:5: warning: a[b] [-Wx]\n"
    assert [d.option for d in parse_log(log, "clang", "int a;").diagnostics] == ["-Wunused", "-Wx"]
    assert parse_log(log, "clang", "int a;").diagnostics[0].message == "unused"


def test_columns_count_characters_not_bytes() -> None:
    """Clang's column is a byte: é has two, 日 three."""
    source = "/* é日 */ x = oops;\n"
    log = "error: /a/tempfile_1.cl:1:17: use of undeclared identifier 'oops'\n"
    [error] = parse_log(log, "pocl", source).diagnostics
    assert source[error.column - 1 : error.end_column - 1] == "oops"


def test_tab_and_wide_characters_in_the_excerpt() -> None:
    source = '\tf("日本", oops + 1);\n'
    byte = len(source[: source.index("oops")].encode()) + 1
    shown = '        f("日本", oops + 1);'
    marks = " " * (8 + 10) + "^~~~ ~ ~"
    log = f"input.cl:1:{byte}: error: bad\n{shown}\n{marks}\n"
    [error] = parse_log(log, "oclgrind", source).diagnostics
    assert source[error.column - 1 : error.end_column - 1] == "oops"


def test_suggestion_in_words_becomes_a_fixit_where_no_text_is_proposed() -> None:
    log = "error: /a/tempfile_1.cl:1:5: use of undeclared identifier 'fo'; did you mean 'foo'?\n"
    [error] = parse_log(log, "pocl", "x = fo;").diagnostics
    assert [(f.column, f.end_column, f.text) for f in error.fixits] == [(5, 7, "foo")]


def test_assignment_hint_replaces_the_sign() -> None:
    log = "1:1:7: note: use '=='\n    1 | if (x = y) {}\n      |       ^\n      |       ==\n"
    [note] = parse_log(log, "intel", "if (x = y) {}").diagnostics
    assert [(f.column, f.end_column, f.text) for f in note.fixits] == [(7, 8, "==")]


def test_doubled_messages_and_order() -> None:
    """PoCL puts errors before warnings; the user gets them in line order (case 3)."""
    log = "error: /a/tempfile_1.cl:3:1: e\nwarning: /a/tempfile_1.cl:1:1: w\nerror: link\n"
    found = parse_log(log, "pocl", "a\nb\nc\n").diagnostics
    assert [(d.severity, d.line) for d in found] == [("warning", 1), ("error", 3), ("error", 0)]


def test_empty_log() -> None:
    assert parse_log("", "pocl", "") == ParsedLog()


def test_hostile_log_is_only_text() -> None:
    log = "input.cl:1:1: error: <script>alert(1)</script>\ninput.cl:999999:7: error: far\n\x00\n"
    found = parse_log(log, "oclgrind", "x")
    assert found.diagnostics[0].message == "<script>alert(1)</script>"
    assert found.diagnostics[1].line == 999999


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300), st.sampled_from([*DIALECTS]))
def test_no_log_breaks_the_parser_and_no_line_is_lost(text: str, family: str) -> None:
    found = parse_log(text, family, "int a;\n")
    shown = sum(1 for line in text.split("\n") if line.strip("\r\0").strip())
    kept = len(found.unparsed) + len(found.chatter) + sum(1 + len(d.notes) for d in found.diagnostics)
    assert kept <= shown
    if not found.diagnostics:
        assert kept == shown


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_order_is_stable_and_complete(positions: list[tuple[int, int]]) -> None:
    given_ones = [Diagnostic("error", str(i), line, column) for i, (line, column) in enumerate(positions)]
    ordered = in_order(given_ones)
    assert sorted(map(id, ordered)) == sorted(map(id, given_ones))
    placed = [(d.line, d.column, int(d.message)) for d in ordered if d.line]
    assert placed == sorted(placed)


def test_missing_function_is_shown_where_it_is_called() -> None:
    """A linker gives no line; the calls are found in the text, the declarations and comments left out."""
    source = "float twice(float v);\n// twice(1)\nkernel void f(global float *x) { x[0] = twice(twice(1)); }\n"
    [error] = parse_log(
        "Cannot find symbol twice in kernel library", "pocl", source, SourceMap(first_line=2)
    ).diagnostics
    assert error.line == 0
    assert [(n.line, n.column, n.end_column) for n in error.notes] == [(4, 41, 46), (4, 47, 52)]
    assert parse_log("Symbols not found: [ a, b ]", "intel", "b();").unparsed == ("Symbols not found: [ a, b ]",)


def test_a_word_in_a_comment_is_no_line_directive() -> None:
    source = "/*\n#line 50\n*/\nfloat a = no;\n"
    [error] = parse_log("error: /a/tempfile_1.cl:4:11: no", "pocl", source).diagnostics
    assert error.line == 4


@pytest.mark.parametrize("name", ["input.cl", "<kernel>", "<program source>", "1", "/x/tempfile_x.cl", "<stdin>"])
def test_names_of_the_source_in_an_unknown_driver(name: str) -> None:
    [error] = parse_log(f"{name}:1:5: error: no", "clang", "int a;", SourceMap(first_line=2)).diagnostics
    assert (error.file, error.line, error.end_column) == ("", 2, 6)


@pytest.mark.parametrize("name", ["k.h", "C:\\kernels\\k.h", "/a b/k.h", "./1.h"])
def test_names_of_headers(name: str) -> None:
    [error] = parse_log(f"{name}:7:5: error: no", "clang", "int a;", SourceMap(first_line=2)).diagnostics
    assert (error.file, error.line, error.column) == (name, 7, 5)


def test_position_without_a_column() -> None:
    [error] = parse_log("input.cl:1: error: no", "oclgrind", "int a;").diagnostics
    assert (error.line, error.column, error.end_column) == (1, 0, 0)


def test_colours_are_no_part_of_a_message() -> None:
    log = "\x1b[1minput.cl:1:5: \x1b[0m\x1b[0;1;31merror: \x1b[0mno\x1b[0m\nint a;\n\x1b[0;1;32m    ^\x1b[0m\n"
    [error] = parse_log(log, "oclgrind", "int a;").diagnostics
    assert (error.message, error.column, error.end_column) == ("no", 5, 6)


def test_command_line_positions_are_nobodys_lines() -> None:
    [error] = parse_log("<command line>:1:9: error: macro names must be identifiers", "oclgrind", "int a;").diagnostics
    assert (error.line, error.column, error.file) == (0, 0, "")
    assert "-D option" in error.message


def test_several_quoted_lines_with_marks() -> None:
    """Newer clang quotes the whole range; the line with the caret counts."""
    log = (
        "1:2:5: warning: unused result\n    1 |     f(a,\n      |     ~~~~\n    2 |     b + c);\n"
        "      |     ^~~~~\n    3 | }\nCompilation done\n"
    )
    found = parse_log(log, "intel", "    f(a,\n    b + c);\n}\n")
    assert (found.diagnostics[0].column, found.diagnostics[0].end_column) == (5, 10)
    assert found.chatter == ("Compilation done",)
    assert found.unparsed == ()


def test_warning_of_a_build_that_succeeds() -> None:
    """S-12, case 1: ``#warning hi`` builds; PoCL says it twice, the user reads it once."""
    line = "warning: /home/user/.cache/pocl/kcache/tempfile_xHDXJl.cl:2:2: hi\n"
    [warning] = parse_log(line * 2, "pocl", "int f();\n#warning hi\n", SourceMap(first_line=2)).diagnostics
    assert (warning.severity, warning.line, warning.message) == ("warning", 3, "hi")


def test_failed_build_has_line_and_column() -> None:
    """S-10, S-13, case 3: every family gives a position for the undeclared name."""
    for path in LOGS:
        if path.stem == "02_undeclared":
            [error] = parsed(path, SourceMap(first_line=2)).diagnostics
            assert (error.severity, error.line, error.column) == ("error", 4, 27)
