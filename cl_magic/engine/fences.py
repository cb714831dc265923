"""Fenced mappings of shared memory in the worker: guard pages around each, closed to every launch that is not given it.

A mapping lies between two guards that nobody may touch: 32 GiB of addresses on each side, which cost no memory, so
that no 32-bit index of an element of 8 bytes leads anywhere else; less where addresses run short. An array ends where
its mapping ends (as near as its alignment allows), so that the first byte behind that is a guard's; the pages in front
of its first one are closed with it. Before a command, :meth:`FencedMaps.open_for` opens what the command was given,
read-only where it only reads, and closes the rest. Protections are changed only where they differ: the same launch
again costs no system call.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import os
from collections.abc import Mapping
from typing import Any

_NONE, _READ, _WRITE = 0, 1, 2
_SHARED, _PRIVATE, _FIXED = 0x01, 0x02, 0x10
_ANONYMOUS, _NO_RESERVE = 0x20, 0x4000
_FAILED = ctypes.c_void_p(-1).value
_GUARDS = (32 << 30, 1 << 30, 1 << 24, mmap.PAGESIZE)
"""Bytes of a guard: the first of these for which there are addresses (`ulimit -v` may leave few)."""
_MOST_RESERVED = 32 << 40
"""Bytes of addresses for all guards above the smallest: a quarter of what a process has, the rest is the driver's."""
_SHARES = 256
"""No array's guards take more than this part of what is left: the first 256 get the largest, thousands the next."""
_reserved = [0]


@functools.cache
def _library() -> Any:  # noqa: ANN401 - the C library
    """The C library with the types of what is called; Linux only, as memory files are."""
    library = ctypes.CDLL(None, use_errno=True)
    size = ctypes.c_size_t
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, size, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    library.munmap.argtypes = [ctypes.c_void_p, size]
    library.mprotect.argtypes = [ctypes.c_void_p, size, ctypes.c_int]
    return library


def _failed_to(nbytes: int, *, to: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"cannot {to} ({nbytes} bytes): {os.strerror(number)}")


class FencedMap:
    """One memory file mapped between two guards, closed; it is unmapped when the last array on it is gone.

    Parameters
    ----------
    fd : int
        Descriptor of the file; it may be closed afterwards.
    nbytes : int
        A whole number of pages.

    Attributes
    ----------
    address : int
        Where the mapping begins; the pages in front of it and the pages behind it are guards.
    """

    __slots__ = ("_first", "_guard", "_protection", "address", "nbytes")

    def __init__(self, fd: int, nbytes: int) -> None:
        self.address, self.nbytes = 0, nbytes
        self._protection, self._first = _NONE, nbytes
        library = _library()
        self.address = self._reserve()
        if library.mmap(self.address, nbytes, _NONE, _SHARED | _FIXED, fd, 0) == _FAILED:
            failure = _failed_to(nbytes, to="map a memory file")
            self.unmap()
            raise failure

    def _reserve(self) -> int:
        """Take addresses with the largest guards that there is room for; where the mapping itself begins."""
        for self._guard in _GUARDS:
            whole = self.nbytes + 2 * self._guard
            if 2 * self._guard > (_MOST_RESERVED - _reserved[0]) // _SHARES and self._guard != _GUARDS[-1]:
                continue
            begin = _library().mmap(None, whole, _NONE, _PRIVATE | _ANONYMOUS | _NO_RESERVE, -1, 0)
            if begin != _FAILED:
                _reserved[0] += whole
                return int(begin) + self._guard
        raise _failed_to(self.nbytes + 2 * _GUARDS[-1], to="reserve addresses")

    def memory(self) -> Any:  # noqa: ANN401 - a ctypes array, which NumPy takes as a buffer
        """The mapping as a buffer that keeps it mapped. The caller sees to it that it is open."""
        block: Any = (ctypes.c_char * self.nbytes).from_address(self.address)
        block.fenced_map = self
        return block

    @property
    def writable(self) -> bool:
        """Whether its array may be written."""
        return self._protection == _READ | _WRITE

    def open(self, begin: int, *, writes: bool) -> None:
        """Allow access from the page that holds byte `begin` on, and close what is in front of it."""
        protection = _READ | _WRITE if writes else _READ
        first = begin // mmap.PAGESIZE * mmap.PAGESIZE
        if (protection, first) == (self._protection, self._first):
            return
        if self._first < first:
            self._set(self._first, first - self._first, _NONE)
        if first < self.nbytes:
            self._set(first, self.nbytes - first, protection)
        self._protection, self._first = protection, first

    def close(self) -> None:
        """Allow nothing."""
        if self._first < self.nbytes:
            self._set(self._first, self.nbytes - self._first, _NONE)
        self._protection, self._first = _NONE, self.nbytes

    def _set(self, begin: int, nbytes: int, protection: int) -> None:
        if _library().mprotect(self.address + begin, nbytes, protection):
            raise _failed_to(nbytes, to="protect memory")

    def unmap(self) -> None:
        """Give the addresses back, at once."""
        if self.address:
            whole = self.nbytes + 2 * self._guard
            _library().munmap(self.address - self._guard, whole)
            _reserved[0] -= whole
            self.address = 0

    def __del__(self) -> None:
        self.unmap()


class FencedMaps:
    """The worker's mappings of the notebook's segments, by number.

    Examples
    --------
    >>> import os
    >>> fd = os.memfd_create("example")
    >>> os.ftruncate(fd, mmap.PAGESIZE)
    >>> maps = FencedMaps()
    >>> address = maps.add(1, fd, mmap.PAGESIZE)
    >>> maps.open_for({1: (4000, True)})
    >>> memory = maps[1]
    >>> memory[4000] = b"x"
    >>> maps.open_for({})
    """

    def __init__(self) -> None:
        self._maps: dict[int, FencedMap] = {}
        self._open: set[int] = set()

    def add(self, number: int, fd: int, nbytes: int) -> int:
        """Map a segment, closed, and close its descriptor: the mapping keeps the memory. The address it is at."""
        try:
            self._maps[number] = FencedMap(fd, nbytes)
        finally:
            os.close(fd)
        return self._maps[number].address

    def drop(self, number: int) -> None:
        """Forget a segment; it is unmapped when no array is on it any more."""
        self._open.discard(number)
        self._maps.pop(number, None)

    def open_for(self, wanted: Mapping[int, tuple[int, bool]], *, keep: bool = False) -> None:
        """Open what a command was given and close what it was not.

        Parameters
        ----------
        wanted : mapping of int to (int, bool)
            By segment: the byte its array begins at, and whether the command writes it.
        keep : bool
            Close nothing that is open: commands are in flight, or the device reaches memory past its pages.
        """
        if not keep:
            for number in [number for number in self._open if number not in wanted]:
                self._maps[number].close()
                self._open.discard(number)
        for number, (begin, writes) in wanted.items():
            found = self._maps[number]
            found.open(begin, writes=writes or (keep and found.writable))
            self._open.add(number)

    def __getitem__(self, number: int) -> Any:  # noqa: ANN401 - a ctypes array
        return self._maps[number].memory()
