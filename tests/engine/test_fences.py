"""Guard pages and the trap by themselves: a process that touches what is closed to it ends, and says where."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from support.scripts import environment

from cl_magic.engine import fences
from cl_magic.engine.fault_report import FaultNotes, Span, Trapped, fault_report
from cl_magic.engine.fault_trap import available as has_trap
from cl_magic.engine.fences import FencedMap
from cl_magic.engine.shared_memory import _CANARY, SegmentPool, available

pytestmark = pytest.mark.skipif(not (has_trap() and available()), reason="Linux on x86-64 only")

TOUCH = """
import ctypes, os, sys
from cl_magic.engine.fault_report import note_map
from cl_magic.engine.fault_trap import set_trap
from cl_magic.engine.fences import FencedMaps
notes, fd, nbytes, begin = map(int, sys.argv[1:5])
maps = FencedMaps()
address = maps.add(1, fd, nbytes)
note_map(notes, 1, address, nbytes)
assert set_trap(notes)
{body}
"""
PAGE = mmap.PAGESIZE
SEGMENT = 4 * PAGE
ARRAY = 2 * PAGE + 512  # bytes; begins 512 before the end of the second page


def touch(body: str, pool: SegmentPool) -> tuple[int, dict[int, tuple[int, int]], Trapped | None, Span]:
    """Run `body` where segment 1, of one array, is mapped; how the process ended, and its notes."""
    segment = pool.take(ARRAY)
    span = Span("x", "x", 1, segment.begin, ARRAY, written=True)
    notes = FaultNotes()
    values = [str(value) for value in (notes.fileno(), segment.fd, segment.nbytes, segment.begin)]
    done = subprocess.run(
        [sys.executable, "-c", TOUCH.format(body=body), *values],
        pass_fds=(notes.fileno(), segment.fd),
        env=environment(),
        check=False,
    )
    maps, trapped = notes.read()
    notes.close()
    pool.give(segment)
    return done.returncode, maps, trapped, span


@pytest.fixture
def pool() -> Iterator[SegmentPool]:
    made = SegmentPool(limit_bytes=0)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("opened", "access", "where", "side", "distance"),
    [
        ("{1: (begin, True)}", "ctypes.memset(address + nbytes, 1, 1)", "guard page", "after", 0),
        ("{1: (begin, True)}", "ctypes.memset(address + nbytes + 4000, 1, 1)", "guard page", "after", 4000),
        ("{1: (begin, True)}", "ctypes.string_at(address + 3, 1)", "guard page", "before", PAGE + 3584 - 3),
        ("{1: (begin, True)}", "ctypes.string_at(address - 8, 1)", "guard page", "before", PAGE + 3584 + 8),
        ("{1: (begin, False)}", "ctypes.memset(address + begin + 5, 1, 1)", "read-only array", "inside", 5),
    ],
)
def test_the_array_side_and_distance_are_named(
    pool: SegmentPool, opened: str, access: str, where: str, side: str, distance: int
) -> None:
    code, maps, trapped, span = touch(f"maps.open_for({opened})\n{access}", pool)
    assert code == -signal.SIGSEGV
    assert trapped is not None
    span = Span(span.label, span.parameter, 1, span.begin, span.nbytes, written="True" in opened)
    found = fault_report(trapped, maps, [span])
    assert found is not None
    assert (found.where, found.side, found.distance_bytes, found.array) == (where, side, distance, "x")
    assert found.kind == ("write" if "memset" in access else "read")
    assert found.array_bytes == ARRAY


def test_what_is_open_can_be_used_and_closed_again(pool: SegmentPool) -> None:
    code, _, trapped, _ = touch(
        "maps.open_for({1: (begin, True)})\nctypes.memset(address + begin, 7, nbytes - begin)\n"
        "maps.open_for({1: (begin, False)})\nassert ctypes.string_at(address + begin, 1) == bytes([7])\n"
        "maps.open_for({})\nctypes.string_at(address + begin, 1)",
        pool,
    )
    assert code == -signal.SIGSEGV
    assert trapped is not None
    assert trapped.kind == "read"


def test_nothing_is_closed_while_commands_are_in_flight(pool: SegmentPool) -> None:
    code, _, trapped, _ = touch(
        "maps.open_for({1: (begin, True)})\nmaps.open_for({}, keep=True)\nctypes.memset(address + begin, 1, 8)\n"
        "maps.open_for({1: (begin, False)}, keep=True)\nctypes.memset(address + begin, 1, 8)",
        pool,
    )
    assert code == 0
    assert trapped is None


def test_an_array_of_another_launch_is_closed(pool: SegmentPool) -> None:
    code, maps, trapped, _ = touch("ctypes.memset(address + begin, 1, 8)", pool)
    assert code == -signal.SIGSEGV
    assert trapped is not None
    found = fault_report(trapped, maps, [Span("other", "y", 2, 0, 64, written=True)])
    assert found is not None
    assert found.where == "closed array"


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL"])
def test_a_signal_that_a_process_sent_ends_it_and_is_no_fault_of_a_kernel(pool: SegmentPool, name: str) -> None:
    code, maps, trapped, span = touch(f"import signal\nos.kill(os.getpid(), signal.{name})", pool)
    assert code == -getattr(signal, name)
    assert trapped is not None
    assert trapped.sent
    assert fault_report(trapped, maps, [span]) is None


def test_an_address_that_no_program_can_have(pool: SegmentPool) -> None:
    code, maps, trapped, span = touch("ctypes.string_at(0x7FFF_FFFF_FFFF_0000, 1)", pool)
    assert code == -signal.SIGSEGV
    assert trapped is not None
    found = fault_report(trapped, maps, [span])
    assert found is not None
    assert (found.where, found.address) == ("unknown", None)


def test_a_far_address_names_the_nearest_array(pool: SegmentPool) -> None:
    code, maps, trapped, span = touch("ctypes.string_at(address - (1 << 38), 1)", pool)
    assert code == -signal.SIGSEGV
    assert trapped is not None
    found = fault_report(trapped, maps, [span])
    assert found is not None
    assert (found.where, found.array, found.distance_bytes, found.side) == (
        "no array",
        "x",
        (1 << 38) + span.begin,
        "before",
    )


def test_a_32_bit_index_that_wraps_ends_in_a_guard(pool: SegmentPool) -> None:
    for there in (-(1 << 31) * 8, ((1 << 32) - 1) * 8):
        code, maps, trapped, span = touch(f"ctypes.string_at(address + {there}, 1)", pool)
        assert code == -signal.SIGSEGV
        assert trapped is not None
        found = fault_report(trapped, maps, [span])
        assert found is not None
        assert (found.array, found.side) == ("x", "before" if there < 0 else "after")


def test_many_mappings_leave_addresses_to_the_driver() -> None:
    before, made = fences._reserved[0], []
    for _ in range(600):
        fd = os.memfd_create("many")
        os.ftruncate(fd, mmap.PAGESIZE)
        made.append(FencedMap(fd, mmap.PAGESIZE))
        os.close(fd)
    assert {mapping._guard for mapping in made} == {32 << 30, 1 << 30}
    assert fences._reserved[0] < 24 << 40
    for mapping in made:
        mapping.unmap()
    assert fences._reserved[0] == before


def test_a_segment_that_is_dropped_is_unmapped_when_no_array_is_on_it() -> None:
    pool = SegmentPool(limit_bytes=0)
    code, *_ = touch(
        "maps.open_for({1: (begin, True)})\nmemory = maps[1]\nmaps.drop(1)\nmemory[begin] = 1\n"
        "held = open('/proc/self/maps').read().count('memfd')\ndel memory\n"
        "assert held and 'memfd' not in open('/proc/self/maps').read()",
        pool,
    )
    pool.close()
    assert code == 0


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4", "u8"])
def test_adding_to_a_canary_changes_it(dtype: str) -> None:
    numbers = np.frombuffer(_CANARY, dtype)
    added = numbers + np.ones((), dtype)
    assert (added != numbers).all()
    assert dtype[0] != "f" or np.abs(numbers).max() < 0.01
