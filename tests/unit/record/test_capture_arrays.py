"""What is kept of arrays around a run: counts, statistics, pictures and differences of every kind of array."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps
from numpy.typing import NDArray

from cl_magic.record import capture_arrays
from cl_magic.record.array_pictures import picture_of, steps_for
from cl_magic.record.array_statistics import CHUNK, statistics_of
from cl_magic.record.capture_arrays import Watch
from cl_magic.record.captures import HISTOGRAM_BINS, PICTURE_CELLS, Capture, Picture, Statistics
from cl_magic.record.codec import from_json, to_json

Array = NDArray[Any]
REAL = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]


def captured(before: Array, after: Array, **options: Any) -> Capture:
    return Watch(before, "dst", writes=True, **options).finish(after)


def cells(picture: Picture | None) -> Array:
    assert picture is not None
    return np.frombuffer(picture.data, picture.dtype).reshape(picture.shape)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(REAL).flatmap(lambda d: nps.arrays(d, nps.array_shapes(max_dims=3, max_side=7))))
def test_statistics_equal_numpys(array: Array) -> None:
    found = statistics_of(array)
    wide = array.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    assert (found.count, found.nan, found.inf) == (array.size, np.isnan(wide).sum(), np.isinf(wide).sum())
    if not finite.size:
        assert (found.minimum, found.histogram) == (None, ())
        return
    assert (found.minimum, found.maximum) == (finite.min(), finite.max())
    near = float(np.abs(finite).max()) * 1e-12 + 1e-300  # large ones may cancel
    assert found.mean == pytest.approx(math.fsum(finite / finite.size), rel=1e-9, abs=near)
    assert len(found.histogram) == HISTOGRAM_BINS
    assert sum(found.histogram) == finite.size
    assert found.histogram_range is not None
    assert found.histogram_range[0] < found.histogram_range[1]
    if array.dtype.kind == "f":
        tiny = np.finfo(array.dtype).tiny
        assert found.denormal == ((array != 0) & (np.abs(array) < tiny)).sum()


@pytest.mark.parametrize("dtype", REAL[1:])
def test_the_histogram_is_numpys_also_over_several_chunks(dtype: str) -> None:
    array = (np.random.default_rng(1).random(2 * CHUNK + 1) * 100).astype(dtype)
    expected = np.histogram(array.astype(np.float64), HISTOGRAM_BINS)[0]
    moved = np.abs(np.array(statistics_of(array).histogram) - expected).sum()
    assert moved <= 10  # float32 arithmetic may put an element on a border into the next bin


@pytest.mark.parametrize("ends", [(0, 1e-310), (-1.7e308, 1.7e308), (1e-40, 3e-40), (1e30, 1.0001e30), (5, 5 + 1e-9)])
def test_extreme_ranges_are_binned(ends: tuple[float, float]) -> None:
    found = statistics_of(np.linspace(*ends, 501) if math.isfinite(ends[1] - ends[0]) else np.array(ends))
    assert sum(found.histogram) == found.count
    assert found.histogram[0] > 0
    assert found.histogram[-1] > 0


@pytest.mark.parametrize("dtype", REAL)
def test_the_difference_does_not_overflow(dtype: str) -> None:
    low, high = (0, 1) if dtype == "?" else (-1000, 1000) if dtype[0] == "f" else tuple(_ends(dtype))
    before, after = np.array([low, high, low], dtype), np.array([high, low, low], dtype)
    found = captured(before.copy(), after)
    assert found.changed == 2
    assert found.difference is not None
    assert found.difference.maximum == float(high - low)
    assert found.difference.minimum == -float(high - low)


def _ends(dtype: str) -> tuple[int, int]:
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def test_a_small_difference_of_large_uint64_is_exact() -> None:
    before = np.array([2**63 + 5, 7], np.uint64)
    found = captured(before, np.array([2**63 + 6, 6], np.uint64))
    assert cells(found.picture_difference).tolist() == [1, -1]


def test_unchanged_nan_and_infinity_are_no_change() -> None:
    before = np.array([np.nan, np.inf, -np.inf, 1, 2], np.float32)
    after = before.copy()
    after[4] = np.nan
    found = captured(before, after)
    assert found.changed == 1
    assert cells(found.picture_difference).tolist()[:4] == [0, 0, 0, 0]
    assert found.difference is not None
    assert (found.difference.nan, found.difference.inf) == (1, 0)


def test_bytes_decide_what_changed() -> None:
    assert captured(np.zeros(3, "f4"), np.array([0, -0.0, 0], "f4")).changed == 1


def test_an_array_that_is_only_read_has_no_after() -> None:
    found = Watch(np.arange(6.0).reshape(2, 3), "src", "x", writes=False).finish()
    assert (found.parameter, found.label, found.shape, found.dtype) == ("src", "x", (2, 3), "<f8")
    assert found.before is not None
    assert (found.after, found.changed, found.picture_after) == (None, None, None)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(3, "c8"),
        np.zeros((2, 2), "c16"),
        np.zeros(4, [("x", "f4"), ("n", "i1")]),
        np.zeros(4, "V3"),
    ],
    ids=["c8", "c16", "struct", "void"],
)
def test_complex_and_structured_arrays_are_counted(array: Array) -> None:
    after = array.copy()
    after.reshape(-1).view("u1")[0] = 1
    found = captured(array, after)
    assert found.changed == 1
    assert (found.picture_after is None) == (array.dtype.kind != "c")
    assert found.after is not None
    assert (found.after.count, found.after.minimum) == (array.size, None)


def test_complex_nan_and_infinity_are_counted() -> None:
    found = statistics_of(np.array([complex(np.nan, np.inf), complex(0, np.inf), 1], np.complex64))
    assert (found.nan, found.inf) == (1, 1)


@pytest.mark.parametrize("shape", [(0,), (0, 5)])
def test_an_empty_array_is_captured(shape: tuple[int, ...]) -> None:
    found = captured(np.zeros(shape), np.zeros(shape))
    assert (found.changed, found.picture_after) == (0, None)
    assert found.after is not None
    assert found.after.count == 0


@pytest.mark.parametrize("shape", [(), (1,), (1, 1, 1)])
def test_a_single_element_is_captured(shape: tuple[int, ...]) -> None:
    found = captured(np.zeros(shape, "f4"), np.ones(shape, "f4"))
    assert found.changed == 1
    assert found.shape == shape
    assert cells(found.picture_difference).ravel().tolist() == [1]


def test_strided_and_foreign_byte_order_arrays_are_captured() -> None:
    array = np.arange(48, dtype=">f4").reshape(6, 8)[::2, ::-2]
    found = captured(array, array + 1)
    assert found.before is not None
    assert (found.changed, found.before.maximum, found.dtype) == (12, float(array.max()), ">f4")
    assert np.array_equal(cells(found.picture_before), array)


@pytest.mark.parametrize(
    ("shape", "step"),
    [
        ((256, 256), (1, 1)),
        ((512, 600), (3, 3)),
        ((100, 90, 80), (3, 3, 3)),
        ((600, 512, 3), (3, 3, 1)),
        ((2, 10**6), (1, 31)),
    ],
)
def test_pictures_are_means_of_blocks(shape: tuple[int, ...], step: tuple[int, ...]) -> None:
    array = np.random.default_rng(2).integers(0, 255, shape).astype(np.uint8)
    picture = picture_of(array)
    assert picture is not None
    assert (picture.step, picture.method) == (step, "exact" if max(step) == 1 else "mean")
    pixels = math.prod(picture.shape[:2] if len(shape) == 3 and shape[2] == 3 else picture.shape)
    assert pixels <= PICTURE_CELLS
    last = tuple(slice((n - 1) // s * s, None) for n, s in zip(shape, step, strict=True))
    assert cells(picture)[(-1,) * len(shape)] == pytest.approx(array[last].mean(), rel=1e-6)
    first = tuple(slice(0, s) for s in step)
    assert cells(picture)[(0,) * len(shape)] == pytest.approx(array[first].mean(), rel=1e-6)


def test_a_long_line_keeps_its_peaks() -> None:
    line = np.arange(1_000_007, dtype=np.int32)
    line[77_777] = -5
    picture = picture_of(line)
    assert picture is not None
    assert (picture.method, picture.step, picture.dtype) == ("range", (16,), "<i4")
    pairs = cells(picture).reshape(-1, 2)
    assert pairs[:2].tolist() == [[0, 31], [32, 63]]
    assert pairs[77_777 // 32, 0] == -5
    assert pairs[-1].tolist() == [1_000_000, 1_000_006]
    bad = np.zeros(100_000, np.float32)
    bad[5] = np.nan
    shown = cells(picture_of(bad))
    assert np.flatnonzero(np.isnan(shown)).tolist() == [2, 3]


def test_complex_numbers_are_pictured_by_their_parts() -> None:
    picture = picture_of(np.array([1 + 2j, 3 - 4j], np.complex64))
    assert picture is not None
    assert (picture.shape, picture.dtype) == ((2, 2), "<f4")
    assert cells(picture).tolist() == [[1, 2], [3, -4]]


def test_the_ends_of_64_bit_integers_are_exact() -> None:
    ends = np.iinfo(np.int64)
    found = statistics_of(np.array([ends.min + 1, 5, ends.max], np.int64))
    assert (found.minimum, found.maximum) == (ends.min + 1, ends.max)
    assert sum(found.histogram) == 3
    assert from_json(Statistics, *to_json(found)) == found
    largest = statistics_of(np.full(3, np.iinfo(np.uint64).max, np.uint64))
    assert (largest.minimum, sum(largest.histogram)) == (np.iinfo(np.uint64).max, 3)


@pytest.mark.parametrize(("dtype", "value"), [("f4", 3e38), ("f8", 1.7e308)])
def test_means_of_huge_values_stay_finite(dtype: str, value: float) -> None:
    array = np.full((1024, 1024), value, dtype)
    assert np.isfinite(cells(picture_of(array))).all()


@given(st.lists(st.integers(1, 10**7), min_size=1, max_size=4))
def test_no_shape_gives_too_many_cells(shape: list[int]) -> None:
    steps = steps_for(tuple(shape))
    shown = [-(-n // s) for n, s in zip(shape, steps, strict=True)]
    pixels = shown[:2] if len(shape) == 3 and shape[2] in (3, 4) else shown
    assert math.prod(pixels) <= PICTURE_CELLS


def test_above_the_limit_a_sample_is_taken_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture_arrays, "CAPTURE_LIMIT_BYTES", 1 << 20)
    monkeypatch.setattr(capture_arrays, "SAMPLE_ELEMENTS", 100_000)
    before = np.zeros((1000, 1000), np.float32)
    found = captured(before, before + 1)
    assert found.sampled
    assert found.note
    assert found.after is not None
    assert found.after.count == found.changed == 250 * 250  # every fourth element of both axes
    assert found.picture_after is not None
    assert found.picture_after.method == "sample"
    assert captured(before, before + 1, mode="full").changed == 1_000_000
    nothing = captured(before, before + 1, mode="none")
    assert (nothing.before, nothing.after, nothing.shape) == (None, None, (1000, 1000))
