"""The buffers' section by type: components of vectors, members of records, bytes in hexadecimal."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from cl_magic.display.array_figures import figures_of
from cl_magic.display.arrays import buffers_body, statistics_rows
from cl_magic.display.components import vector_width
from cl_magic.record.capture_arrays import Watch
from cl_magic.record.captures import Capture


def captured(array: np.ndarray, element_type: str = "", *, writes: bool = True) -> Capture:
    watch = Watch(array, "a", writes=writes)
    flat = array.reshape(-1)
    flat[1] = 1 if array.dtype.names is None else (1,) * len(array.dtype.names)
    return dataclasses.replace(watch.finish(array), element_type=element_type)


@pytest.mark.parametrize(
    ("shape", "element_type", "width"),
    [
        ((100, 4), "float4", 4),
        ((100, 3), "float3", 3),
        ((100, 4), "float3", 0),
        ((100, 2), "float2", 2),
        ((100, 4), "float", 0),
        ((100, 4), "float2", 0),
        ((100,), "float4", 0),
        ((8, 8, 4), "float4", 0),
    ],
)
def test_vectors_are_drawn_by_component(shape: tuple[int, ...], element_type: str, width: int) -> None:
    capture = captured(np.zeros(shape, np.float32), element_type)
    assert vector_width(capture) == width
    if width:
        html = figures_of(capture)[-1].html
        assert html.count("<path") >= 2 * width
        assert element_type in html


def test_an_array_of_many_vectors_keeps_its_components() -> None:
    capture = captured(np.random.default_rng(1).random((100_000, 4), np.float32), "float4")
    assert vector_width(capture) == 4


def test_rgba_of_two_dimensions_is_an_image() -> None:
    capture = captured(np.zeros((8, 8, 4), np.uint8), "uchar4")
    assert "<img" in figures_of(capture)[0].html


def test_records_are_a_table_of_members() -> None:
    dtype = np.dtype([("id", "i4"), ("<b>", "f2")])
    capture = captured(np.zeros(10, dtype), "struct P")
    names = [row[0] for row in statistics_rows([capture])]
    assert names == ["a.id before", "a.id after", "a.<b> before", "a.<b> after"]
    html = buffers_body([capture])
    assert "struct P" in html
    assert "a[1]" in html
    assert "&lt;b&gt;" in html


def test_bytes_are_a_dump() -> None:
    html = buffers_body([captured(np.zeros(100, np.uint8), "uchar")])
    assert "00 <b>01</b> 00" in html
    assert "0x0000" in html


def test_half_is_drawn_as_numbers() -> None:
    capture = captured(np.zeros(50, np.float16), "half")
    assert statistics_rows([capture])[0][2] == "float16"
    assert figures_of(capture)
