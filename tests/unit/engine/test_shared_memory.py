"""Segments: sealed, reused by size, given back."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from cl_magic.engine.fences import FencedMaps
from cl_magic.engine.shared_memory import Overrun, SegmentPool, alignment_of, available, segment_bytes
from cl_magic.errors import MemoryShortError

pytestmark = pytest.mark.skipif(not available(), reason="no sealed memory files on this system")


@pytest.fixture
def pool() -> Iterator[SegmentPool]:
    made = SegmentPool(limit_bytes=64 * 1024)
    yield made
    made.close()


def test_a_segment_is_seen_by_the_other_side_and_cannot_change_its_size(pool: SegmentPool) -> None:
    segment = pool.take(5000)
    maps = FencedMaps()
    maps.add(segment.number, os.dup(segment.fd), segment.nbytes)
    maps.open_for({segment.number: (0, True)})
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


@pytest.mark.parametrize(("nbytes", "slack"), [(64, 0), (40, 24), (4096, 0), (4000, 32), (4100, 60), (0, 0), (1, 63)])
def test_an_array_ends_where_its_segment_ends_as_near_as_its_alignment_allows(
    pool: SegmentPool, nbytes: int, slack: int
) -> None:
    segment = pool.take(nbytes)
    assert segment.begin % 64 == 0
    assert segment.nbytes - segment.begin - nbytes == slack
    assert len(segment.memory) == nbytes
    segment.memory[:] = b"x" * nbytes
    assert segment.overrun() is None
    pool.give(segment)


@pytest.mark.parametrize(
    ("place", "changed", "expected"),
    [
        (40, 4, Overrun("after", 0, 4)),
        (48, 8, Overrun("after", 8, 8)),
        (-4, 4, Overrun("before", 0, 4)),
        (-40, 4, Overrun("before", 36, 4)),
    ],
)
def test_what_is_written_around_an_array_is_found(
    pool: SegmentPool, place: int, changed: int, expected: Overrun
) -> None:
    segment = pool.take(40)
    begin = segment.begin + place
    segment.map[begin : begin + changed] = bytes(changed)
    assert segment.overrun() == expected
    segment.mend()
    assert segment.overrun() is None
    pool.give(segment)


def test_zeros_and_small_numbers_are_never_the_canary(pool: SegmentPool) -> None:
    segment = pool.take(40)
    around = set(segment.map[segment.begin + 40 :]) | set(segment.map[segment.begin - 4000 : segment.begin])
    assert not around & {0, 1, 2, 42, 0x3F, 0x40, 0x7F, 0x80, 0xFF}
    pool.give(segment)


@pytest.mark.parametrize(
    ("names", "expected"),
    [(["float*", "uchar4*"], 64), (["double8*"], 64), (["long16*"], 128), (["float*", "struct p*"], 128), ([], 64)],
)
def test_alignments(names: list[str], expected: int) -> None:
    assert alignment_of(names) == expected


def test_memory_that_is_not_there_is_refused_with_numbers(pool: SegmentPool) -> None:
    with pytest.raises(MemoryShortError) as refused:
        pool.take(1 << 50)
    assert refused.value.nbytes == 1 << 50
    assert 0 < refused.value.available_bytes < 1 << 50
    assert refused.value.limit in ("the machine", "the container")
