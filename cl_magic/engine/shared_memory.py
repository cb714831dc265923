"""Arrays that two processes see: sealed memfd segments, pooled by size.

The notebook makes a segment, copies an array into it and hands its file descriptor to the worker once; the worker maps
it and keeps the mapping until it is told to drop it. A segment is sealed against shrinking and growing, since a
truncated one would be a SIGBUS in the notebook. An array lies at the end of its segment, as near as its alignment
allows; what is left behind it, and in front of it on its first page, holds a canary. Where there is no memfd (other
systems than Linux) there is no pool and the bytes travel in the message.
"""

from __future__ import annotations

import contextlib
import itertools
import mmap
import os
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from cl_magic.engine.room import check_room, room

ALIGNMENT = 64
"""Bytes: a kernel may cast its pointer to a wider vector, and processors move at most this much at once, aligned."""
_LARGEST_ALIGNMENT = 128
_SMALLER_TYPE = re.compile(r"(u?char|u?short|half|u?int|float|bool)\d*|(u?long|double|size_t)[2348]?|image.*")
_SIDES: tuple[Literal["before", "after"], ...] = ("before", "after")
_CANARY = bytes([0x81 + byte % 0x1F for byte in os.urandom(mmap.PAGESIZE)])
"""No byte of it is one that kernels write often: zeros, small numbers, all ones, or the end of a usual float. As a
float or double it is tiny (1e-19 at most), so that a number that is added to it changes it."""
_POOL_BYTES = (1 << 30, 16 << 30)
"""Least and most bytes of idle segments that are kept; between them an eighth of what the system has left. Over that
they are given back to it, the longest idle first."""


def available() -> bool:
    """Whether this system has sealed memory files.

    Examples
    --------
    >>> available() in (True, False)
    True
    """
    return hasattr(os, "memfd_create") and hasattr(os, "MFD_ALLOW_SEALING")


@dataclass(frozen=True, slots=True)
class Overrun:
    """Changed bytes outside an array: on which side, how far from its edge (0: next to it), over how many bytes."""

    side: Literal["before", "after"]
    distance_bytes: int
    changed_bytes: int


class Segment:
    """One shared mapping of the notebook: `number`, `nbytes` (a power of two of pages), `fd`, `map`.

    Its array begins at byte `begin`; what lies around it on its pages is the canary.
    """

    __slots__ = ("_array_bytes", "begin", "fd", "known_to", "map", "nbytes", "number")

    def __init__(self, number: int, nbytes: int) -> None:
        self.number, self.nbytes = number, nbytes
        self.begin, self._array_bytes = 0, nbytes
        self.known_to = 0
        """Number of the worker (of this engine, from 1) that has mapped it."""
        self.fd = _sealed(f"cl_magic-{number}", nbytes)
        self.map = mmap.mmap(self.fd, nbytes)

    @property
    def memory(self) -> memoryview:
        """The bytes of the array."""
        return memoryview(self.map)[self.begin : self.begin + self._array_bytes]

    def place(self, nbytes: int, alignment: int) -> None:
        """Put an array of `nbytes` at the end, at a multiple of `alignment`, and canaries around it."""
        self.begin, self._array_bytes = (self.nbytes - nbytes) // alignment * alignment, nbytes
        self.mend()

    def mend(self) -> None:
        """Make the canaries whole."""
        for begin, end in self._slack():
            self.map[begin:end] = _CANARY[: end - begin]

    def _slack(self) -> tuple[tuple[int, int], tuple[int, int]]:
        page = self.begin // mmap.PAGESIZE * mmap.PAGESIZE
        return (page, self.begin), (self.begin + self._array_bytes, self.nbytes)

    def overrun(self) -> Overrun | None:
        """What was written outside the array since it was placed; None where its canaries are whole."""
        for side, (begin, end) in zip(_SIDES, self._slack(), strict=True):
            found, canary = self.map[begin:end], _CANARY[: end - begin]
            if found == canary:
                continue
            changed = [place for place, (one, other) in enumerate(zip(found, canary, strict=True)) if one != other]
            first, last = changed[0], changed[-1]
            return Overrun(side, first if side == "after" else end - begin - 1 - last, last - first + 1)
        return None

    def close(self) -> None:
        """Give the memory back; the worker's mapping, if any, keeps its own reference."""
        with contextlib.suppress(BufferError):  # a view of it is still alive: its end frees the map
            self.map.close()
        os.close(self.fd)


def _sealed(name: str, nbytes: int) -> int:
    import fcntl  # noqa: PLC0415 - POSIX only

    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.ftruncate(fd, nbytes)
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    except OSError:
        os.close(fd)
        raise
    return fd


def alignment_for(library: str) -> int:
    """Bytes at which a driver takes an array in place: PoCL at any, Intel's copies what is not at a multiple of 128.

    Examples
    --------
    >>> alignment_for("/usr/lib/libpocl.so.2"), alignment_for("libintelocl.so")
    (64, 128)
    """
    return ALIGNMENT if "pocl" in library else _LARGEST_ALIGNMENT


def alignment_of(type_names: Iterable[str]) -> int:
    """Bytes at which an array begins for parameters of these types: 64, or 128 where one may be or hold a long16.

    Examples
    --------
    >>> alignment_of(["float*", "int3*"]), alignment_of(["struct particle*"])
    (64, 128)
    """
    small = all(_SMALLER_TYPE.fullmatch(name.removesuffix("*").strip()) for name in type_names)
    return ALIGNMENT if small else _LARGEST_ALIGNMENT


def segment_bytes(nbytes: int) -> int:
    """Size of the segment for an array: the power of two of pages that holds it. Untouched pages cost nothing.

    Examples
    --------
    >>> segment_bytes(0), segment_bytes(4097), segment_bytes(1_000_000)
    (4096, 8192, 1048576)
    """
    return 1 << max(nbytes - 1, 4095).bit_length()


def _pool_bytes() -> int:
    found, (least, most) = room(), _POOL_BYTES
    return least if found is None else min(most, max(least, found.available_bytes // 8))


class SegmentPool:
    """Segments of the notebook, reused by size, because the first touch of a page costs more than its copy.

    Parameters
    ----------
    limit_bytes : int, optional
        Idle segments that are kept; by default an eighth of the memory that is left now, 1 GiB at least, 16 at most.
    alignment : int
        Least alignment of arrays, in bytes.
    """

    def __init__(self, limit_bytes: int | None = None, alignment: int = ALIGNMENT) -> None:
        self._limit_bytes = _pool_bytes() if limit_bytes is None else limit_bytes
        self._alignment = alignment
        self._idle: list[Segment] = []
        self._dropped: list[int] = []
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def take(self, nbytes: int, alignment: int = ALIGNMENT) -> Segment:
        """Return a segment with room for `nbytes`, a used one where there is one (its contents are old)."""
        segment = self._taken(nbytes)
        segment.place(nbytes, max(alignment, self._alignment))
        return segment

    def _taken(self, nbytes: int) -> Segment:
        wanted = segment_bytes(nbytes)
        with self._lock:
            for index in range(len(self._idle) - 1, -1, -1):
                if self._idle[index].nbytes == wanted:
                    return self._idle.pop(index)
            number = next(self._numbers)
        check_room(nbytes)
        return Segment(number, wanted)

    def give(self, segment: Segment) -> None:
        """Take a segment back."""
        with self._lock:
            self._idle.append(segment)
            total = sum([idle.nbytes for idle in self._idle])
            while total > self._limit_bytes:
                old = self._idle.pop(0)
                total -= old.nbytes
                self._dropped.append(old.number)
                old.close()

    def dropped(self) -> tuple[int, ...]:
        """Numbers of the segments given up since the last call; the worker is told to unmap them."""
        if not self._dropped:
            return ()
        with self._lock:
            numbers, self._dropped = tuple(self._dropped), []
        return numbers

    def close(self) -> None:
        """Give all idle segments back to the system."""
        with self._lock:
            for segment in self._idle:
                segment.close()
            self._idle = []
