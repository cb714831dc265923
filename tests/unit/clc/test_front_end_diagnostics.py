"""Diagnostics of the front end: places, fix-its, notes, hints; the recorded sources."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cl_magic.clc.analysis import Analysis
from cl_magic.clc.builtins import builtin_names, builtin_signature, did_you_mean
from cl_magic.clc.diagnostic import Diagnostic, FixIt
from cl_magic.clc.spelling import undeclared_name, with_hint, with_hints

Ask = Callable[..., Analysis]

SOURCES = Path(__file__).parents[1] / "build" / "cases"

# Errors by line; a source that is not named has none.
ERROR_LINES = {
    "02_undeclared": [3],
    "03_missing_semicolon": [3],
    "04_two_errors": [3, 7],
    "07_address_space": [3],
    "08_missing_include": [1],
    "11_macro_expansion": [4],
    "12_line_directive": [4],
    "13_error_directive": [2, 4],
    "16_utf8_comment": [4],
    "17_crlf": [3],
    "18_reqd_size_bad": [1],
    "20_kernel_returns": [1],
    "22_twenty_errors": list(range(1, 26)),
    "24_bool_arg": [1],
    "25_implicit_function": [3],
    "26_note": [4],
}


@pytest.mark.parametrize("path", sorted(SOURCES.glob("*.cl")), ids=lambda path: path.stem)
def test_recorded_sources_have_their_errors_on_the_lines_of_the_compilers(analyse: Ask, path: Path) -> None:
    options = path.with_suffix(".opt")
    words = options.read_text().split() if options.exists() else []
    answer = analyse(path.read_bytes().decode(), *words)
    if path.stem == "21_template":
        assert any(d.severity == "error" for d in answer.diagnostics)  # a kernel cannot be a template
        return
    lines = [d.line for d in answer.diagnostics if d.severity == "error"]
    assert lines == ERROR_LINES.get(path.stem, [])


def test_columns_count_characters(analyse: Ask) -> None:
    (error,) = analyse("kernel void k(global int *x) {\n  /* é係 */ x[0] = missing;\n}").diagnostics
    assert (error.line, error.column, error.end_column) == (2, 19, 0)


def test_a_marked_range_has_an_end(analyse: Ask) -> None:
    (error,) = analyse("kernel void k(global int *x) { local int *l = x + 1; }").diagnostics
    assert error.end_column == 0 or error.end_column > error.column


def test_fixits_of_libclang_are_kept(analyse: Ask) -> None:
    found = analyse("kernel void k(global int *x) {\n  x[0] = 1\n}").diagnostics[0]
    assert found.fixits == (FixIt(2, 11, 11, ";"),)


def test_errors_in_headers_name_the_header(front) -> None:  # noqa: ANN001 - the session's front end
    answer = front.analyse('#include "bad.h"\n', headers=[("bad.h", "\nint f( { }\n")])
    assert (answer.diagnostics[0].file, answer.diagnostics[0].line) == ("bad.h", 2)


def test_lines_are_physical_whatever_the_line_directive_says(analyse: Ask) -> None:
    (error,) = analyse('#line 100 "elsewhere.cl"\nkernel void k(global int *x) {\n x[0] = missing; }').diagnostics
    assert (error.line, error.file) == (3, "")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("get_globl_id(0)", "get_global_id"),
        ("get_gobal_size(0)", "get_global_size"),
        ("widht", "width"),
        ("barier(1)", "barrier"),
        ("convert_int4_sta(v)", "convert_int4_sat"),
        ("INFINTY", "INFINITY"),
        ("Helper(1)", "helper"),
    ],
)
def test_an_undeclared_name_gets_the_likely_one(analyse: Ask, written: str, meant: str) -> None:
    text = (
        "int helper(int a) { return a; }\n"
        f"kernel void k(global float *x, int width) {{\n  x[0] = width + helper(2);\n  {written};\n}}"
    )
    error = analyse(text).diagnostics[0]
    assert error.line == 4
    assert [fix.text for fix in error.fixits] == [meant]
    name = written.partition("(")[0]
    assert (error.fixits[0].column, error.fixits[0].end_column) == (3, 3 + len(name))


def test_the_hint_tells_the_signature(analyse: Ask) -> None:
    error = analyse("kernel void k(global int *x) { x[get_globl_id(0)] = 1; }").diagnostics[0]
    assert error.notes[-1].message == "built-in: size_t get_global_id(uint dimension)"
    assert error.notes[-1].origin == "cl_magic"


def test_a_misspelt_type(analyse: Ask) -> None:
    error = analyse("kernel void k(global flaot4 *x) {}").diagnostics[0]
    assert [fix.text for fix in error.fixits] == ["float4"]


def test_a_call_that_fits_no_overload_tells_the_signature(analyse: Ask) -> None:
    error = analyse("kernel void k(global float *x) { x[0] = clamp(x[1]); }").diagnostics[0]
    assert f"built-in: {builtin_signature('clamp')}" in [note.message for note in error.notes]


@pytest.mark.parametrize(("written", "instead"), [("size_t", "ulong"), ("bool", "uchar or int"), ("ptrdiff_t", "long")])
def test_a_refused_parameter_type_names_its_substitute(analyse: Ask, written: str, instead: str) -> None:
    error = analyse(f"kernel void k({written} n) {{}}").diagnostics[0]
    assert error.severity == "error"
    assert instead in error.notes[-1].message


def test_no_hint_for_a_name_like_no_other(analyse: Ask) -> None:
    error = analyse("kernel void k(global int *x) { x[0] = zqxjkv; }").diagnostics[0]
    assert error.fixits == ()


@pytest.mark.parametrize(
    "message",
    [
        "use of undeclared identifier 'brarier'",
        "implicit declaration of function 'brarier' is invalid in OpenCL",
        "call to undeclared function 'brarier'; ISO C99 and later do not support implicit function declarations",
        "unknown type name 'brarier'",
    ],
)
def test_messages_that_mean_an_undeclared_name(message: str) -> None:
    assert undeclared_name(message) == "brarier"
    assert with_hint(Diagnostic("error", message, 1, 1), ()).fixits[0].text == "barrier"


def test_a_fixit_of_the_compiler_stands() -> None:
    fix = FixIt(1, 1, 6, "width")
    told = Diagnostic("error", "use of undeclared identifier 'widht'; did you mean 'width'?", 1, 1, fixits=(fix,))
    assert with_hint(told, ["widths"]).fixits == (fix,)


def test_many_names_are_not_all_looked_up() -> None:
    many = [Diagnostic("error", f"use of undeclared identifier 'barrie{i}'", i, 1) for i in range(60)]
    assert sum(bool(d.fixits) for d in with_hints(many, ())) <= 21


def test_odd_characters_are_left_to_the_check_of_characters(analyse: Ask) -> None:
    assert analyse("kernel void k(global int *x) {\n\u00a0 x[0] = 3;\n}").diagnostics == ()
    minus = analyse("kernel void k(global int *x) {\n  x[0] = 3 − 1;\n}").diagnostics
    assert any((d.severity, d.line, d.column) == ("error", 2, 12) for d in minus)


def test_the_table_of_builtins_is_libclangs(analyse: Ask) -> None:
    """Each name of the table is declared by libclang (some only with extensions or later versions)."""
    names = sorted(name for name in builtin_names() if not name.startswith("as_"))
    unknown = set()
    for start in range(0, len(names), 100):  # libclang stops after 200 errors
        body = "".join(f"(void){name};\n" for name in names[start : start + 100])
        answer = analyse(f"kernel void k(void) {{\n{body}}}", "-cl-std=CL2.0")
        unknown |= {undeclared_name(d.message) for d in answer.diagnostics}
    assert unknown == {""}


def test_own_names_come_before_builtins() -> None:
    assert did_you_mean("lenght", ["lengths", "length_of"]) in {"lengths", "length"}
    assert did_you_mean("stp", ["steps"]) in {"steps", "step"}


@pytest.mark.parametrize("value", ['"xyz"', '"x yz"', '"a" "b"', r'"\n"'])
def test_a_string_literal_as_a_definition_keeps_its_quotes(analyse: Ask, value: str) -> None:
    text = "kernel void f(global int *a) { constant char *s = NAME; a[0] = s[1]; }"
    assert analyse(text, f"-DNAME={value}").diagnostics == ()
