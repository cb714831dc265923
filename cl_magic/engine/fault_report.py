"""What a worker noted before it ended: where its arrays were mapped, and which address it could not touch.

The notes are a file that both processes hold. The worker writes where it maps each segment; its trap
(:mod:`cl_magic.engine.fault_trap`) writes the fault. The notebook reads it when the worker is gone.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import struct
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from cl_magic.engine.fault_trap import INFO_BYTES, RECORD_BYTES, TAG
from cl_magic.record.fault import FaultReport

_MAP = struct.Struct("<8sQQQ")
_MAP_TAG = b"clm-map "
_SIGNAL_CODE, _ADDRESS = struct.Struct("<ixxxxi"), struct.Struct("<Q")
_REGISTERS_AT = 40  # of the context: flags, link and stack come first
_STACK_REGISTER, _ERROR_REGISTER = 15, 19
_STACK_REACH_BYTES = 64 * 1024 * 1024
"""A fault this near to the stack pointer is one of the stack, where no array is nearer."""
_PAGE_FAULT, _WRITE_BIT = 14, 2
_FROM_OUTSIDE = 0
"""Signal codes up to this were sent by a process (kill), others by the processor."""
_NO_ADDRESS = 128
"""SI_KERNEL: the address was none that a program can have."""


@dataclass(frozen=True, slots=True)
class Trapped:
    """A fault as the system told it: signal, whether a process sent it, address, read or write, stack pointer."""

    signal: str
    sent: bool
    address: int | None
    kind: Literal["read", "write", ""]
    stack: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """An array of a launch: its label and parameter, and the bytes of its segment that it is."""

    label: str
    parameter: str
    segment: int
    begin: int
    nbytes: int
    written: bool


class FaultNotes:
    """The file, as the notebook holds it."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the worker

    def fileno(self) -> int:
        """The descriptor to hand to the worker."""
        return self._file.fileno()

    def read(self) -> tuple[dict[int, tuple[int, int]], Trapped | None]:
        """Address and size of each mapped segment, by number, and the first fault; empty after `close`."""
        if self._file.closed:
            return {}, None
        return parse_notes(os.pread(self.fileno(), os.fstat(self.fileno()).st_size, 0))

    def close(self) -> None:
        """Let go of it."""
        self._file.close()


def note_map(fd: int, number: int, address: int, nbytes: int) -> None:
    """In the worker: note where a segment was mapped."""
    with contextlib.suppress(OSError):  # a full disk must not stop the work
        os.write(fd, _MAP.pack(_MAP_TAG, number, address, nbytes))


def parse_notes(notes: bytes) -> tuple[dict[int, tuple[int, int]], Trapped | None]:
    """Read the notes; what is damaged ends them.

    Examples
    --------
    >>> parse_notes(_MAP.pack(_MAP_TAG, 3, 0x7F0000000000, 4096))
    ({3: (139637976727552, 4096)}, None)
    """
    maps: dict[int, tuple[int, int]] = {}
    trapped, place = None, 0
    while place < len(notes):
        entry = notes[place:]
        if entry.startswith(_MAP_TAG) and len(entry) >= _MAP.size:
            _, number, address, nbytes = _MAP.unpack_from(entry)
            maps[number] = (address, nbytes)
            place += _MAP.size
        elif entry.startswith(TAG) and len(entry) >= RECORD_BYTES:
            trapped = trapped or _trapped(entry)
            place += RECORD_BYTES
        else:
            break
    return maps, trapped


def _trapped(entry: bytes) -> Trapped:
    info, context = entry[len(TAG) : len(TAG) + INFO_BYTES], entry[len(TAG) + INFO_BYTES : RECORD_BYTES]
    number, code = _SIGNAL_CODE.unpack_from(info)
    stack, _, _, _, error, trap = struct.unpack_from("<6Q", context, _REGISTERS_AT + 8 * _STACK_REGISTER)
    name = signal.Signals(number).name
    sent = code <= _FROM_OUTSIDE
    if sent or code == _NO_ADDRESS or name not in ("SIGSEGV", "SIGBUS"):
        return Trapped(name, sent, None, "")
    kind: Literal["read", "write", ""] = ""
    if trap == _PAGE_FAULT:
        kind = "write" if error & _WRITE_BIT else "read"
    return Trapped(name, sent, _ADDRESS.unpack_from(info, 16)[0], kind, stack)


def fault_report(trapped: Trapped, maps: Mapping[int, tuple[int, int]], arrays: Sequence[Span]) -> FaultReport | None:
    """Name the array that a fault is nearest to.

    Parameters
    ----------
    trapped : Trapped
    maps : mapping of int to (int, int)
        Address and size of each segment in the worker.
    arrays : sequence of Span
        The arrays of the launch.

    Returns
    -------
    FaultReport or None
        None where a process sent the signal, or it was no access.

    Examples
    --------
    >>> array = Span("x", "x", 1, 4032, 64, True)
    >>> found = fault_report(Trapped("SIGSEGV", False, 0x10000 + 4096, "write"), {1: (0x10000, 4096)}, [array])
    >>> found.where, found.array, found.distance_bytes, found.side
    ('guard page', 'x', 0, 'after')
    """
    if trapped.sent or trapped.signal not in ("SIGSEGV", "SIGBUS"):
        return None
    if trapped.address is None:
        return FaultReport()
    if _segment_at(trapped.stack, maps) is not None:  # a large private array moved it past the stack's own end
        return FaultReport(trapped.address, trapped.kind, "stack")
    number = _segment_at(trapped.address, maps)
    if number is None:
        return _far(trapped, maps, arrays)
    offset = trapped.address - maps[number][0]
    array = next((array for array in arrays if array.segment == number), None)
    if array is not None:
        return _at(trapped, array, offset)
    return FaultReport(trapped.address, trapped.kind, "closed array", distance_bytes=max(0, offset))


def _segment_at(address: int, maps: Mapping[int, tuple[int, int]]) -> int | None:
    """The segment that an address is in, or at the guard pages of."""
    for number, (begin, nbytes) in maps.items():
        if begin - mmap.PAGESIZE <= address < begin + nbytes + mmap.PAGESIZE:
            return number
    return None


def _at(trapped: Trapped, array: Span, offset: int) -> FaultReport:
    """A fault in the mapping of an array of the launch, or at its guards."""
    side, distance = _distance(array, offset)
    where: Literal["guard page", "read-only array", "unknown"] = "guard page"
    if side == "inside":
        where = "unknown" if array.written else "read-only array"
    return FaultReport(trapped.address, trapped.kind, where, array.label, array.parameter, array.nbytes, distance, side)


def _distance(array: Span, offset: int) -> tuple[Literal["before", "after", "inside"], int]:
    if offset < array.begin:
        return "before", array.begin - offset
    end = array.begin + array.nbytes
    return ("after", offset - end) if offset >= end else ("inside", offset - array.begin)


def _far(trapped: Trapped, maps: Mapping[int, tuple[int, int]], arrays: Sequence[Span]) -> FaultReport:
    """A fault away from all arrays: the nearest one of the launch, as the wrong index most likely was meant for it."""
    assert trapped.address is not None  # noqa: S101 - the caller looked
    if abs(trapped.address - trapped.stack) < _STACK_REACH_BYTES:
        return FaultReport(trapped.address, trapped.kind, "stack")
    known = [(array, trapped.address - maps[array.segment][0]) for array in arrays if array.segment in maps]
    if not known:
        return FaultReport(trapped.address, trapped.kind, "no array")
    array, offset = min(known, key=lambda pair: _distance(*pair)[1])
    side, distance = _distance(array, offset)
    return FaultReport(
        trapped.address, trapped.kind, "no array", array.label, array.parameter, array.nbytes, distance, side
    )
