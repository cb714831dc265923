"""Arrays that two processes see: sealed memfd segments, pooled by size.

The notebook makes a segment, copies an array into it and hands its file descriptor to the worker once; the worker maps
it and keeps the mapping until it is told to drop it. A segment is sealed against shrinking and growing, since a
truncated one would be a SIGBUS in the notebook. Where there is no memfd (other systems than Linux) there is no pool and
the bytes travel in the message.
"""

from __future__ import annotations

import contextlib
import itertools
import mmap
import os
import threading

POOL_LIMIT_BYTES = 1024 * 1024 * 1024
"""Idle segments over this are given back to the system, the longest idle first."""


def available() -> bool:
    """Whether this system has sealed memory files.

    Examples
    --------
    >>> available() in (True, False)
    True
    """
    return hasattr(os, "memfd_create") and hasattr(os, "MFD_ALLOW_SEALING")


class Segment:
    """One shared mapping of the notebook: `number`, `nbytes` (a power of two of pages), `fd`, `map`."""

    __slots__ = ("fd", "known_to", "map", "nbytes", "number")

    def __init__(self, number: int, nbytes: int) -> None:
        self.number, self.nbytes = number, nbytes
        self.known_to = 0
        """Number of the worker (of this engine, from 1) that has mapped it."""
        self.fd = _sealed(f"cl_magic-{number}", nbytes)
        self.map = mmap.mmap(self.fd, nbytes)

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


def segment_bytes(nbytes: int) -> int:
    """Size of the segment for an array: the power of two of pages that holds it. Untouched pages cost nothing.

    Examples
    --------
    >>> segment_bytes(0), segment_bytes(4097), segment_bytes(1_000_000)
    (4096, 8192, 1048576)
    """
    return 1 << max(nbytes - 1, 4095).bit_length()


class SegmentPool:
    """Segments of the notebook, reused by size, because the first touch of a page costs more than its copy.

    Parameters
    ----------
    limit_bytes : int
        Idle segments that are kept.
    """

    def __init__(self, limit_bytes: int = POOL_LIMIT_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._idle: list[Segment] = []
        self._dropped: list[int] = []
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def take(self, nbytes: int) -> Segment:
        """Return a segment of at least `nbytes`, a used one where there is one (its contents are old)."""
        wanted = segment_bytes(nbytes)
        with self._lock:
            for index in range(len(self._idle) - 1, -1, -1):
                if self._idle[index].nbytes == wanted:
                    return self._idle.pop(index)
            number = next(self._numbers)
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


class SegmentMaps:
    """The worker's mappings of the notebook's segments, by number."""

    def __init__(self) -> None:
        self._maps: dict[int, mmap.mmap] = {}

    def add(self, number: int, fd: int, nbytes: int) -> None:
        """Map a segment and close its descriptor: the mapping keeps the memory."""
        try:
            self._maps[number] = mmap.mmap(fd, nbytes)
        finally:
            os.close(fd)

    def drop(self, number: int) -> None:
        """Unmap a segment; where an array of it is still in use, its end unmaps it."""
        dropped = self._maps.pop(number, None)
        if dropped is not None:
            with contextlib.suppress(BufferError):
                dropped.close()

    def __getitem__(self, number: int) -> mmap.mmap:
        return self._maps[number]
