"""Templates and overloads as plain OpenCL C: what is written, what is refused, and where each line came from."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from support.template_inputs import MALFORMED, REFUSED, WORKS

from cl_magic.clc.frontend import FrontEnd
from cl_magic.clc.instantiation import needs_instantiation
from cl_magic.clc.registered_names import malformed
from cl_magic.clc.text_map import Piece, edited, text_map, text_of

KERNEL = "template<class T, int N = 2> kernel void f(global T *x) { x[0] = N; }\n"


@pytest.mark.parametrize("case", WORKS)
def test_what_is_written_is_opencl_c_without_a_word_from_the_front_end(front: FrontEnd, case: str) -> None:
    names = [launch.name for launch in WORKS[case].launches]
    made = front.instantiate(WORKS[case].text, names)
    assert (made.reason, made.refusals, made.problems) == ("", (), ())
    seen = front.analyse(made.source)
    assert [d for d in seen.diagnostics if d.severity == "error"] == []
    kernels = {kernel.name for kernel in seen.kernels}
    assert {raw for _, raw in made.kernels} <= kernels
    assert [name for name, _ in made.kernels] == names


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_subset_leaves_out_is_refused_on_its_line(front: FrontEnd, case: str) -> None:
    made = front.instantiate(REFUSED[case].text, REFUSED[case].names)
    assert made.available
    assert made.source == ""
    said = [(d.line, d.message) for d in made.refusals]
    missing = [
        (line, words) for line, words in REFUSED[case].said if not any(line == at and words in m for at, m in said)
    ]
    assert missing == [], said


@pytest.mark.parametrize("name", MALFORMED)
def test_s_29_a_malformed_expression_is_refused_in_our_words(front: FrontEnd, name: str) -> None:
    made = front.instantiate(KERNEL, [name, "f<int>"])
    assert len(made.refusals) == 1
    assert "is no name of a kernel" in made.refusals[0].message
    assert MALFORMED[name] in made.refusals[0].message


def test_s_24_duplicates_are_one_instance_and_s_28_the_raw_name_is_known(front: FrontEnd) -> None:
    made = front.instantiate(KERNEL, ["f<int>", "f<int>", "f< int,2 >"])
    assert made.kernels == (("f<int>", "f__int_2"), ("f< int,2 >", "f__int_2"))
    assert made.source.count("kernel void") == 1
    assert made.raw_name("f< int,2 >") == "f__int_2"


def test_a_raw_name_that_the_text_already_has_is_avoided(front: FrontEnd) -> None:
    made = front.instantiate(f"{KERNEL}kernel void f__int_2(global int *x) {{ x[0] = 9; }}\n", ["f<int>"])
    assert made.raw_name("f<int>") == "f__int_2_2"


def test_kernel_templates_without_an_instance_are_named(front: FrontEnd) -> None:
    made = front.instantiate(f"{KERNEL}kernel void g(global int *x) {{ x[0] = 9; }}\n", ["g"])
    assert made.idle == ("f",)
    assert "template" not in made.source


def test_c_80_attributes_and_comment_come_with_each_instance(front: FrontEnd) -> None:
    text = (
        "// Fills.\ntemplate<class T>\n__attribute__((reqd_work_group_size(8, 2, 1)))\n"
        "__attribute__((vec_type_hint(float4))) kernel void f(global T *x) { x[0] = 1; }\n"
    )
    made = front.instantiate(text, ["f<int>", "f<float>"])
    seen = front.analyse(made.source)
    assert [kernel.reqd_work_group_size for kernel in seen.kernels] == [(8, 2, 1)] * 2
    assert [kernel.doc for kernel in seen.kernels] == ["Fills."] * 2
    assert [kernel.parameters[0].type_name for kernel in seen.kernels] == ["int*", "float*"]


def test_an_undeclared_name_in_a_template_is_found_without_an_instance(front: FrontEnd) -> None:
    text = "\ntemplate<class T>\nkernel void f(global T *x)\n{ x[0] = oops; }\nkernel void g(global int *x) {}\n"
    made = front.instantiate(text, ["g"])
    assert [(d.line, d.column, d.message) for d in made.problems] == [(4, 10, "use of undeclared identifier 'oops'")]


def test_an_error_that_depends_on_the_argument_names_the_instance(front: FrontEnd) -> None:
    text = "template<class T> kernel void f(global T *x)\n{\n  x[0].q = 1;\n}\n"
    made = front.instantiate(text, ["f<int>"])
    assert [(d.line, d.column) for d in made.problems] == [(3, 7)]
    assert any("f<int>" in note.message for note in made.problems[0].notes)


def test_each_line_is_mapped_to_the_users(front: FrontEnd) -> None:
    text = (
        "// a\ntemplate<class T>\nkernel void f(global T *x)\n{\n  T aa = 1;\n  x[0] = aa;\n}\n"
        "kernel void g(global int *x) {}\n"
    )
    made = front.instantiate(text, ["f<float>", "f<int4>"])
    lines = text.splitlines()
    for number, line in enumerate(made.source.splitlines(), 1):
        for match in re.finditer(r"aa|void|x\[0\]", line):
            origin = made.line_map.origin(number, match.start() + 1)
            assert origin is not None
            assert lines[origin.line - 1][origin.column - 1 :].startswith(match.group())
    instances = {segment.instance for line in made.line_map.lines for segment in line}
    assert instances == {"", "f<float>", "f<int4>"}


def test_definitions_and_headers_count(front: FrontEnd) -> None:
    made = front.instantiate(
        '#include "h.h"\ntemplate<class T> kernel void f(global T *x) { x[0] = SIZE * two; }\n',
        ["f<WANTED>"],
        options=("-DWANTED=int4", "-DSIZE=4"),
        headers=(("h.h", "constant int two = 2;\n"),),
    )
    assert made.kernels == (("f<WANTED>", "f__int4"),)
    assert made.problems == ()


def test_characters_outside_ascii_move_no_column(front: FrontEnd) -> None:
    text = "/* é€😀 */ template<class T> kernel void f(global T *x) { /* ü */ x[0] = T(1); }\n"
    made = front.instantiate(text, ["f<int>"])
    assert made.source == "/* é€😀 */ kernel void f__int(global int *x) { /* ü */ x[0] = ((int)(1)); }\n"


def test_where_the_device_takes_cpp_only_kernels_are_instantiated(front: FrontEnd) -> None:
    text = (
        "struct S { int a; int get() const { return a; } };\ntemplate<class T> T sq(const T &x) { return x * x; }\n"
        "template<class T> kernel void f(global T *x) { S s; s.a = 1; x[0] = sq<T>(T(s.get())); }\n"
    )
    made = front.instantiate(text, ["f<int>"], keep_helpers=True)
    assert made.refusals == ()
    head, kernel = made.source.rsplit("kernel", 1)
    assert text.startswith(head)
    assert kernel == " void f__int(global int *x) { S s; s.a = 1; x[0] = sq<int>(int(s.get())); }\n"


def test_a_text_without_templates_is_not_touched() -> None:
    assert not needs_instantiation("kernel void f(global int *x) { int template_size = 1; }", ["f"])
    assert needs_instantiation("", ["ns::f"])


BLANKS = st.text(" ", max_size=3)


@hypothesis_settings(max_examples=30, deadline=None)
@given(blanks=st.tuples(BLANKS, BLANKS, BLANKS, BLANKS), number=st.integers(0, 2**31 - 1), form=st.sampled_from("dxo"))
def test_s_23_every_spelling_of_a_name_is_kept_and_means_the_same(
    front: FrontEnd, blanks: tuple[str, str, str, str], number: int, form: str
) -> None:
    spelled = {"d": str(number), "x": hex(number), "o": f"0{number:o}"}[form]
    name = "f{}<{}int{},{}".format(*blanks) + f"{spelled}>"
    made = front.instantiate(KERNEL, [name])
    assert made.kernels == ((name, f"f__int_{number}"),)


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_no_name_breaks_the_front_end(front: FrontEnd, name: str) -> None:
    made = front.instantiate(KERNEL, [name])
    assert made.available
    assert len(made.refusals) == 1
    if not malformed(name):
        assert repr(name)[1:-1] in made.refusals[0].message or name in made.refusals[0].message


@given(
    st.text("ab\n", max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 4), st.text("XY\n", max_size=3))),
)
def test_the_map_of_an_edited_text_finds_each_copied_character(text: str, wishes: list[tuple[int, int, str]]) -> None:
    edits = {(start, min(start + size, len(text))): new for start, size, new in wishes if start < len(text)}
    pieces = edited((Piece(text, 0),), edits)
    made, lines = text_of(pieces), text.split("\n")
    places = text_map(pieces, text)
    assert len(places.lines) == made.count("\n") + 1
    for number, line in enumerate(made.split("\n"), 1):
        for column, char in enumerate(line, 1):
            origin = places.origin(number, column)
            assert origin is not None
            if char in "ab":
                assert lines[origin.line - 1][origin.column - 1] == char


def test_a_template_in_a_header_is_refused_with_the_headers_line(front: FrontEnd) -> None:
    header = ("sq.h", "\ntemplate<class T> T sq(T x) { return x * x; }\n")
    made = front.instantiate('#include "sq.h"\nkernel void f(global int *x) { x[0] = sq(2); }\n', headers=(header,))
    assert [(d.file, d.line) for d in made.refusals] == [("sq.h", 2)]
