"""Copies by several threads give what one gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cl_magic.engine.copying import PART_BYTES, copy_array

N = PART_BYTES
Array = np.ndarray[Any, Any]


def filled(shape: tuple[int, ...], order: Any = "C") -> Array:
    return np.asarray(np.random.default_rng(3).integers(0, 255, shape), dtype="u1", order=order)


@pytest.mark.parametrize("threads", [None, 1, 2, 3, 8])
@pytest.mark.parametrize("size", [0, 1, N - 1, 2 * N, 3 * N + 17])
def test_every_byte_is_copied(size: int, threads: int | None) -> None:
    source, target = filled((size,)), np.zeros(size + 8, "u1")
    copy_array(target[4:-4], source, threads)
    assert np.array_equal(target[4:-4], source)
    assert not target[:4].any()
    assert not target[-4:].any()


@pytest.mark.parametrize(("to", "given"), [("C", "C"), ("F", "F"), ("C", "F"), ("F", "C")])
def test_orders_types_and_strides(to: Any, given: Any) -> None:
    source = filled((1024, 3 * N // 1024), given)
    target: Array = np.zeros(source.shape, "u1", order=to)
    copy_array(target, source, 4)
    assert np.array_equal(target, source)
    wider: Array = np.zeros(source.shape, np.float32, order=to)
    copy_array(wider, source, 4)
    assert np.array_equal(wider, source)
    copy_array(target[::-1, ::2], source[:, ::2], 4)
    assert np.array_equal(target[::-1, ::2], source[:, ::2])


def test_a_target_that_cannot_be_written_is_refused() -> None:
    source, target = filled((3 * N,)), np.zeros(3 * N, "u1")
    target.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        copy_array(target, source, 2)
