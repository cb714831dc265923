"""Views of layouts, of the table of types, and of explained arguments; and of an error that compares members."""

from __future__ import annotations

import pytest
from support.markup import read

from cl_magic.clc.structs import Field, Layout
from cl_magic.clc.type_table import TYPES
from cl_magic.display.error_report import error_html, error_text
from cl_magic.display.explanation import explanation_html, explanation_text
from cl_magic.display.struct_layout import layout_html, layout_text
from cl_magic.display.types_table import types_html, types_text
from cl_magic.errors import ArgumentError
from cl_magic.launch.explanation import Explained, Explanation
from cl_magic.show import load_view

INNER = Layout("I", "struct", 8, 4, (Field("x", "int", 0, 4), Field("c", "char", 4, 1)))
FIELDS = (Field("tag", "char", 0, 1), Field("pos", "float3", 16, 16), Field("i", "I", 32, 8, layout=INNER))
OUTER = Layout("struct <b>P</b>", "struct", 48, 16, FIELDS)
UNION = Layout("U", "union", 8, 4, (Field("i", "int", 0, 4), Field("f", "float", 0, 8, (2,))))
HUGE = Layout("H", "struct", 1 << 20, 4, (Field("a", "int", 0, 1 << 20, (1 << 18,)),))
BITS = Layout("B", "struct", 4, 4, bit_field="b", bit_field_line=3)


@pytest.mark.parametrize("layout", [OUTER, UNION, HUGE, BITS, Layout("E", "struct", 1, 1, (Field("c", "char", 0, 1),))])
def test_c_05_c_07_layouts_are_drawn_and_listed(layout: Layout) -> None:
    html, text = layout_html(layout), layout_text(layout)
    read(html)
    assert "<b>P</b>" not in html
    assert len(html) < 60_000
    assert all(len(line) <= 100 for line in text.splitlines())
    for field in layout.fields:
        assert field.name in text


def test_padding_is_told_with_its_place() -> None:
    assert OUTER.gaps == ((1, 15), (40, 8))
    rows = [line.split() for line in layout_text(OUTER).splitlines()]
    assert ["(padding)", "1", "15"] in rows
    assert ["(padding)", "37", "3"] in rows  # inside the nested one
    assert ["i.c", "36", "1", "char"] in rows
    assert "23 B of padding" in layout_text(OUTER).replace("\u202f", " ")


def test_c_01_c_08_the_table_of_types_in_both_forms() -> None:
    html, text = types_html(TYPES), types_text(TYPES)
    read(html)
    assert all(len(line) <= 100 for line in text.splitlines())
    for name in ("uchar16", "double3", "image2d_t", "sampler_t"):
        assert f">{name}<" in html
    load_view("display")
    assert set(TYPES._repr_mimebundle_()) == {"text/plain", "text/html"}


def test_k_47_explained_arguments_in_both_forms() -> None:
    rows = (
        Explained("global float *x", "ndarray <x>", "buffer of 4 B", "in", "const in the source"),
        Explained("int n", "float 2.5", fault="is 2.5, a Python float", remedy="int(n)"),
    )
    told = Explanation("f", rows)
    read(explanation_html(told))
    assert "<x>" not in explanation_html(told)
    assert "1 cannot be bound" in explanation_text(told)
    assert "→ int(n)" in explanation_text(told)


def test_an_error_that_compares_members_keeps_its_columns() -> None:
    table = "  member  kernel      array\n  v       int32 at 4  float32 at 4  another type"
    error = ArgumentError(f"f: argument v has other members:\n{table}", remedy="another dtype")
    assert table in error_text(error)
    assert "int32 at 4  float32 at 4" in error_html(error)
