"""Sizes as people write them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cl_magic.errors import NDRangeError
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.sizes import (
    missing_global_size,
    normalise_sizes,
    numpy_order_note,
    parse_subscript,
    propose_global_size,
)


@pytest.mark.parametrize(
    ("global_size", "local_size", "expected"),
    [
        (1000, None, NDRange((1000,))),
        ((600, 512), (16, 16), NDRange((600, 512), (16, 16))),
        ([600, 512], [16, 16], NDRange((600, 512), (16, 16))),
        (np.int32(8), np.uint8(4), NDRange((8,), (4,))),
        ((np.int64(8), 4), None, NDRange((8, 4))),
        (np.zeros((512, 600)), (16, 16), NDRange((600, 512), (16, 16))),
        (np.zeros(7), None, NDRange((7,))),
        ((128, 128), 64, NDRange((128, 128), (64, 1))),
        ((8, 8, 8), 4, NDRange((8, 8, 8), (4, 1, 1))),
    ],
)
def test_forms(global_size: Any, local_size: Any, expected: NDRange) -> None:
    """K-01, K-05."""
    assert normalise_sizes(global_size, local_size) == expected


def test_offsets() -> None:
    """K-06, R-18."""
    assert normalise_sizes(4, 2, 10).offset == (10,)
    assert normalise_sizes((4, 4)).offset == (0, 0)
    with pytest.raises(NDRangeError):
        normalise_sizes((4, 4), None, 10)


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ((0,), "global_size"),  # R-21
        (((4, 0),), "global_size"),
        ((np.zeros((0, 3)),), "global_size"),
        ((8, 0), "local_size"),  # R-22
        (((8, 8), (4, 0)), "local_size"),
        (((1, 2, 3, 4),), "global_size"),  # R-18
        ((np.zeros((2, 2, 2, 2)),), "global_size"),
        (((),), "global_size"),
        ((-1,), "global_size"),
        ((8, -4), "local_size"),
        ((8, None, -1), "global_offset"),
        ((2**64,), "global_size"),
        (((2**40, 2**40),), "global_size"),
        ((2**63,), "global_size"),
        (((2**32, 2**16, 2**16),), "global_size"),
        ((True,), "global_size"),
        ((8.0,), "global_size"),
        (("8",), "global_size"),
        (((8, None),), "global_size"),
        (((8, 8), (4,)), "local_size"),
        ((8, (4, 4)), "local_size"),
        ((8, np.zeros(4)), "local_size"),
        ((None,), "global_size"),
    ],
)
def test_refusals_name_the_argument(arguments: tuple[Any, ...], argument: str) -> None:
    """R-18, R-21, R-22."""
    with pytest.raises(NDRangeError) as caught:
        normalise_sizes(*arguments, kernel="blur")
    assert caught.value.argument == argument
    assert caught.value.kernel == "blur"


def test_four_dimensions_propose_one() -> None:
    with pytest.raises(NDRangeError) as caught:
        normalise_sizes((2, 3, 4, 5))
    assert "120" in caught.value.remedy


def test_subscripts() -> None:
    """K-01: two bare integers are 1-D."""
    assert parse_subscript((1000, 64)) == (1000, 64)
    assert parse_subscript(((600, 512), None)) == ((600, 512), None)


@pytest.mark.parametrize(
    "key", [1000, (), (1,), (4, 4, 4), slice(3), (slice(2), 4), (..., 4), (None, 4), "x", [600, 512]]
)
def test_subscripts_that_show_the_right_form(key: Any) -> None:
    with pytest.raises(NDRangeError) as caught:
        parse_subscript(key, kernel="blur")
    assert "blur[" in caught.value.remedy


def test_proposals() -> None:
    x, image = np.zeros(1000), np.zeros((512, 600))
    assert propose_global_size({"x": x, "y": x}) == "x and y have 1 000 elements: global_size=1000"
    assert propose_global_size({"image": image}).endswith("global_size=(600, 512)")
    assert propose_global_size({"x": np.zeros(1)}) == "x has 1 element: global_size=1"
    assert propose_global_size({"v": np.zeros((2, 3, 4, 5))}).endswith("global_size=120")
    assert propose_global_size({"empty": np.zeros(0)}) == ""
    assert missing_global_size("f", {"x": x}).remedy.startswith("x has 1 000")


def test_the_note_about_numpy_order() -> None:
    shape = {"dst": (512, 600)}
    note = numpy_order_note((512, 600), normalise_sizes((512, 600)), shape)
    assert "(600, 512)" in note
    assert "x runs to 512" in note
    assert numpy_order_note((600, 512), normalise_sizes((600, 512)), shape) == ""
    assert numpy_order_note((512, 512), normalise_sizes((512, 512)), {"dst": (512, 512)}) == ""
    array = np.zeros((600, 512))
    assert numpy_order_note(array, normalise_sizes(array), shape) == ""
