"""Pictures of arrays: PNG bytes, colours, NaN, curves, budgets."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from support import values
from support.markup import read

from cl_magic.display.arrays import buffers_body, element_value
from cl_magic.display.colour import BAD, LEVELS, cividis, diverging, grayscale
from cl_magic.display.png import Indexed, data_uri, encode, encode_indexed
from cl_magic.display.run_report import run_html
from cl_magic.display.thumbnail import difference_limit, nice_above
from cl_magic.record.captures import Capture, Statistics


def _decoded(data: bytes) -> dict[bytes, bytes]:
    """Chunks of a PNG, checksums checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        chunks[kind] = body
        at += 12 + length
    return chunks


def _rows(chunks: dict[bytes, bytes], height: int) -> np.ndarray[Any, Any]:
    raw = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    filtered = raw[:, 1:].copy()
    return np.cumsum(filtered, axis=0, dtype=np.uint8) if raw[0, 0] == 2 else filtered


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_png_holds_the_pixels(channels: int) -> None:
    image = np.random.default_rng(channels).integers(0, 256, (5, 7, channels)).astype(np.uint8)
    chunks = _decoded(encode(image))
    assert struct.unpack(">II", chunks[b"IHDR"][:8]) == (7, 5)
    assert np.array_equal(_rows(chunks, 5), image.reshape(5, -1))
    assert encode(image) == encode(image.copy())


def test_png_with_a_palette() -> None:
    cells = np.arange(6, dtype=np.uint8).reshape(2, 3)
    palette = np.arange(24, dtype=np.uint8).reshape(6, 4)
    chunks = _decoded(encode_indexed(Indexed(cells, palette)))
    assert np.array_equal(_rows(chunks, 2), cells)
    assert chunks[b"tRNS"] == palette[:, 3].tobytes()
    assert chunks[b"PLTE"] == palette[:, :3].tobytes()


@pytest.mark.parametrize("shape", [(0, 3), (2, 2, 2), (1, 2, 3, 4)])
def test_png_refuses_what_is_no_image(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shape"):
        encode(np.zeros(shape, np.uint8))


def test_nan_and_inf_are_red_in_every_map() -> None:
    cells = np.array([[0.0, np.nan, np.inf]])
    for image in (grayscale(cells, 0, 1), cividis(cells, 0, 1), diverging(cells, 1)):
        colours = image.palette[image.cells][0]
        assert [tuple(c) == (*BAD, 255) for c in colours] == [False, True, True]


def test_zero_difference_is_the_paper() -> None:
    image = diverging(np.array([[0.0, 2.0, -2.0]]), 1.0)
    assert image.palette[image.cells][0][:, 3].tolist() == [0, 255, 255]


def test_colours_of_the_whole_range_of_float64() -> None:
    ends = np.array([[-1.7e308, 1.7e308]])
    assert grayscale(ends, -1.7e308, 1.7e308).cells.tolist() == [[0, LEVELS - 1]]


def test_outliers_do_not_hide_a_difference() -> None:
    cells = np.full(1000, 0.04)
    cells[0] = 50.0
    assert difference_limit(cells, 50.0) == (0.05, True)
    assert nice_above(1e300) == 1e300


def test_images_of_a_written_array_with_ring_and_table() -> None:
    image = values.cells_image(64, 80)
    body = buffers_body([values.capture_of("src", image), values.capture_of("dst", image, 1 - image)], (10, 20))
    root = read(body)
    names = [f.all("b")[0].words() for f in root.all("figure")]
    assert names == ["src", "dst before", "dst after", "dst after − before"]
    assert len(root.all("svg", "mk")) == 4
    rows = [[c.words() for c in row.children] for row in root.all("tbody")[0].all("tr")]
    assert rows[0][:3] == ["src", "64 × 80", "float32"]
    assert rows[0][6:] == ["0", "0"]
    assert all("minimum" in i.attributes["alt"] for i in root.all("img"))


def test_nan_is_counted_and_marked() -> None:
    image = values.cells_image(20, 30)
    broken = image.copy()
    broken[2, 3:6] = np.nan
    broken[4, 4] = np.inf
    root = read(buffers_body([values.capture_of("dst", image, broken)]))
    assert "3 NaN, 1 Inf in red" in root.words()
    after = root.all("tbody")[0].all("tr")[1]
    assert [c.words() for c in after.children][-2:] == ["3", "1"]


@pytest.mark.parametrize(
    "array",
    [
        np.linspace(0, 1, 5000, dtype=np.float32),
        np.arange(3, dtype=np.int64),
        np.array([np.nan, 1, np.inf, 2], np.float64),
        np.zeros(1, np.uint8),
        np.full(10, np.nan, np.float32),
    ],
    ids=["long", "short", "gaps", "one", "all nan"],
)
def test_one_dimension_is_a_curve(array: np.ndarray[Any, Any]) -> None:
    html = buffers_body([values.capture_of("x", array)])
    (figure,) = read(html).all("figure")
    assert figure.all("path")
    assert "nan" not in "".join(p.attributes["d"] for p in figure.all("path"))
    assert len(html) < 20_000


@pytest.mark.parametrize(
    ("array", "count"),
    [
        (np.zeros((9, 20, 30), np.float32), 1),
        (np.zeros((20, 30, 3), np.uint8), 1),
        (np.zeros((2, 3, 4, 5), np.int32), 1),
        (np.zeros((5, 5), bool), 1),
    ],
    ids=["volume", "colour", "four axes", "bool"],
)
def test_other_shapes_are_drawn(array: np.ndarray[Any, Any], count: int) -> None:
    assert len(read(buffers_body([values.capture_of("a", array)])).all("img")) == count


def test_arrays_without_numbers_have_a_row_only() -> None:
    capture = Capture("z", "z", (4,), "<c8", before=Statistics(4, nan=1))
    root = read(buffers_body([capture]))
    assert not root.all("figure")
    assert "complex64" in root.words()


def test_an_unchanged_array_says_so() -> None:
    image = values.cells_image(8, 8)
    assert "0 everywhere" in read(buffers_body([values.capture_of("dst", image, image.copy())])).words()


def test_sampled_arrays_say_it() -> None:
    body = buffers_body([values.capture_of("x", np.zeros(10), sampled=True, note="statistics are of 5 of 10 elements")])
    assert "5 of 10" in body
    assert "of all elements" not in body


def test_element_value_only_where_the_picture_is_exact() -> None:
    assert element_value(values.capture_of("x", np.arange(5, dtype=np.int32)), (3,)) == "3"
    assert element_value(values.capture_of("x", np.zeros((512, 600), np.float32)), (3, 3)) == ""


def _noise(count: int) -> tuple[Capture, ...]:
    rng = np.random.default_rng(0)
    before, after = (rng.random((1024, 1024)).astype(np.float32) for _ in range(2))
    return tuple(values.capture_of(f"a{i}", before, after) for i in range(count))


def test_a_run_report_stays_under_200_kb() -> None:
    printf = "x" * 100_000 + "\n" + "line of a kernel\n" * 100_000
    html = run_html(values.run_record(captures=_noise(6), printf=printf, repeat=60))
    assert len(html.encode()) <= 200_000
    assert "left out to keep this report small" in html


def test_a_run_report_of_images_draws_them_all() -> None:
    html = run_html(values.run_record())
    assert len(html.encode()) <= 200_000
    assert len(read(html).all("img")) == 4


def test_data_address_decodes_to_a_png() -> None:
    uri = data_uri(np.zeros((2, 2), np.uint8))
    assert b"IHDR" in _decoded(base64.b64decode(uri.split(",")[1]))
