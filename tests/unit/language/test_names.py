"""Completions and explanations of a cell's own names, by the real front end (C-01, C-07)."""

from __future__ import annotations

import pytest

from cl_magic.build.options import parse_options
from cl_magic.language.checking import CellText
from cl_magic.language.completion import completions
from cl_magic.language.hover import explain

_HEAD = """struct P { float4 pos; int mass; };
/** Twice
 *  as much. */
float twice(float a) { return 2 * a; }
#define SQ(x) ((x) * (x))
kernel void f(global struct P *p, float4 v, local float *tmp, global float4 *q) {
  float4 w = v;
"""


def _offered(statement: str, options: str = "", **headers: str) -> dict[str, str]:
    source = _HEAD + statement
    virtual = {name.replace("_", "."): text for name, text in headers.items()}
    cell = CellText(source + "\n}\n", parse_options(options), virtual)
    return {one.text: one.signature for one in completions(cell, len(source)).items}


@pytest.mark.parametrize(
    ("statement", "vector"),
    [
        ("v.", "float4"), ("float u = w.", "float4"), ("p->pos.", "float4"), ("if (v.", "float4"), ("v.xy.", "float2"),
        ("(v + w).", "float4"), ("vload4(0, tmp).", "float4"), ("convert_int2(v.xy).", "int2"), ("q[3].", "float4"),
        ("float c = dot(p[0].pos, q[2].", "float4"), ("int n; float3 t; t.", "float3"),
    ],
)  # fmt: skip
def test_components_of_a_vector(statement: str, vector: str) -> None:
    found = _offered(statement)
    count = 3 if vector.endswith("3") else int(vector[-1])
    assert f"s{count - 1}" in found
    assert f"s{count}" not in found
    assert found["x"] == vector[:-1]


@pytest.mark.parametrize("statement", ["p->", "p[0].", "(*p)."])
def test_members_of_a_structure(statement: str) -> None:
    assert _offered(statement) == {"pos": "float4", "mass": "int"}


def test_names_of_the_scope_macros_definitions_and_headers() -> None:
    found = _offered("  ", "-DTILE=16 -DF(a)=a", a_h="float from_header(float x);")
    assert {"p", "v", "tmp", "w", "twice", "SQ", "TILE", "f"} <= set(found)
    assert found["twice"] == "float twice(float a)"
    assert not any(name.startswith(("__builtin", "__clang", "cl_khr_int64")) for name in found)
    assert "from_header" in dict.fromkeys(
        one.text
        for one in completions(
            CellText('#include "a.h"\nvoid g() { from', headers={"a.h": "float from_header(float x);"}), 30
        ).items
    )


def test_functions_of_the_language_come_with_their_signatures() -> None:
    assert _offered("get_global_s") == {"get_global_size": "size_t get_global_size(uint dimension)"}
    assert "kernel" in _offered("ker")


@pytest.mark.parametrize("statement", ["// get_", '"get_', "1.", "/* v.", "5.0f"])
def test_comments_literals_and_numbers_offer_nothing(statement: str) -> None:
    assert _offered(statement) == {}


def _explained(word: str, statement: str = "  p->mass = SQ(2); twice(w.x);") -> str:
    source = _HEAD + statement + "\n}\n"
    found = explain(CellText(source), source.rindex(word) + 1)
    return "" if found is None else found.plain()


def test_own_functions_have_their_comment_and_types_their_size() -> None:
    assert _explained("twice(").startswith("float twice(float a)\nfunction\n\nTwice as much.")
    assert "size: 16 bytes, aligned to 16" in _explained("w.x")
    assert "#define SQ(x) ((x) * (x))" in _explained("SQ(2")
    assert _explained("mass").startswith("int mass\nfield")
    assert "not built yet" in _explained("f(global")
    assert "Component of a float4." in _explained("x)")


def test_words_of_comments_mean_nothing() -> None:
    assert _explained("barrier", "// barrier") == ""
