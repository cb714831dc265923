"""Segments: sealed, reused by size, given back."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from cl_magic.engine.shared_memory import SegmentMaps, SegmentPool, available, segment_bytes

pytestmark = pytest.mark.skipif(not available(), reason="no sealed memory files on this system")


@pytest.fixture
def pool() -> Iterator[SegmentPool]:
    made = SegmentPool(limit_bytes=64 * 1024)
    yield made
    made.close()


def test_a_segment_is_seen_by_the_other_side_and_cannot_change_its_size(pool: SegmentPool) -> None:
    segment = pool.take(5000)
    maps = SegmentMaps()
    maps.add(segment.number, os.dup(segment.fd), segment.nbytes)
    segment.map[:3] = b"abc"
    assert maps[segment.number][:3] == b"abc"
    maps[segment.number][4999:5000] = b"z"
    assert segment.map[4999:5000] == b"z"
    for size in (0, 1 << 20):
        with pytest.raises(OSError, match="not permitted"):
            os.ftruncate(segment.fd, size)
    maps.drop(segment.number)
    maps.drop(segment.number)
    pool.give(segment)


def test_a_segment_is_reused_for_the_same_size(pool: SegmentPool) -> None:
    first = pool.take(5000)
    pool.give(first)
    assert pool.take(8192) is first
    other = pool.take(8192)
    assert other is not first
    small = pool.take(100)
    assert small.nbytes == 4096
    for segment in (first, other, small):
        pool.give(segment)
    assert pool.dropped() == ()


def test_idle_segments_over_the_limit_are_given_back_and_named(pool: SegmentPool) -> None:
    segments = [pool.take(32 * 1024) for _ in range(3)]
    for segment in segments:
        pool.give(segment)
    assert pool.dropped() == (segments[0].number,)
    assert pool.dropped() == ()
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(segments[0].fd)


@pytest.mark.parametrize(("nbytes", "expected"), [(0, 4096), (1, 4096), (4096, 4096), (4097, 8192), (2**28, 2**28)])
def test_sizes(nbytes: int, expected: int) -> None:
    assert segment_bytes(nbytes) == expected
