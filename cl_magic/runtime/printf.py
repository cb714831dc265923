"""What a driver or a kernel writes to the process's file descriptors 1 and 2, caught for the command it belongs to.

A file and not a pipe: it needs no reader, so a million lines of printf cannot dead-lock. The descriptors belong to the
process, so one lock holds them; whoever catches must finish the queue before the block ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import sys
import tempfile
import threading
from collections.abc import Iterator

from cl_magic.launch.limits import DeviceInfo

_LOCK = threading.RLock()
_DESCRIPTORS = (1, 2)
_POCL_BYTES = 16 * 1024 * 1024
"""PoCL 3.0 and 5.0: PRINTF_BUFFER_SIZE, set when it is built; measured: the text ends after exactly so many bytes."""


class Captured:
    """Text of a finished :func:`captured_output` block; "" inside the block, or where nothing could be caught."""

    def __init__(self) -> None:
        self.text = ""


@contextlib.contextmanager
def captured_output() -> Iterator[Captured]:
    """Send descriptors 1 and 2 to a temporary file inside the block; the text is there after it, in order.

    Bytes that are no UTF-8 become U+FFFD. Where the descriptors do not exist or cannot be duplicated (Windows'
    graphical programs, closed descriptors) nothing is caught and nothing fails.

    Examples
    --------
    >>> with captured_output() as caught:
    ...     _ = os.write(1, b"from C")
    >>> caught.text
    'from C'
    """
    caught = Captured()
    with _LOCK:
        _flush()
        way = _from_own_file if _is_own_file() else _through_temporary_file
        with way(caught):
            yield caught


def cut_notes(text: str, device: DeviceInfo) -> tuple[str, ...]:
    """Say that a launch may have printed more than its device keeps; PoCL drops it without a word.

    Examples
    --------
    >>> cut_notes("x", DeviceInfo("0:0", "d", "Portable Computing Language", "1.2", ("cpu",)))
    ()
    """
    if device.family != "pocl" or len(text) < _POCL_BYTES // 4 or len(text.encode()) < _POCL_BYTES:
        return ()
    return ("PoCL keeps 16 MiB of printf a launch; what one prints beyond that is lost: print less in one launch",)


def _is_own_file() -> bool:
    """Whether both descriptors are one file that can be read back: a worker's. Then its parent can read it too."""
    try:
        os.pread(1, 0, 0)
        one, two = os.fstat(1), os.fstat(2)
    except (OSError, AttributeError):
        return False
    return stat.S_ISREG(one.st_mode) and (one.st_dev, one.st_ino) == (two.st_dev, two.st_ino)


@contextlib.contextmanager
def _from_own_file(caught: Captured) -> Iterator[None]:
    """Read back what was written, and cut it off; a process that dies inside leaves its last words in the file."""
    begin = os.lseek(1, 0, os.SEEK_END)
    try:
        yield
    finally:
        _flush_c()
        caught.text = os.pread(1, os.fstat(1).st_size - begin, begin).decode("utf-8", "replace")
        os.ftruncate(1, begin)
        os.lseek(1, begin, os.SEEK_SET)


@contextlib.contextmanager
def _through_temporary_file(caught: Captured) -> Iterator[None]:
    saved = _saved()
    if saved is None:
        yield
        return
    with tempfile.TemporaryFile() as file:
        for descriptor in _DESCRIPTORS:
            os.dup2(file.fileno(), descriptor)
        try:
            yield
        finally:
            _flush_c()
            for descriptor, copy in zip(_DESCRIPTORS, saved, strict=True):
                os.dup2(copy, descriptor)
                os.close(copy)
            file.seek(0)
            caught.text = file.read().decode("utf-8", "replace")


def _saved() -> list[int] | None:
    """Copies of both descriptors, or None where one is closed or the system has no such thing."""
    try:
        for descriptor in _DESCRIPTORS:
            os.fstat(descriptor)  # both first: a copy of the one would take the place of the other, closed one
        return [os.dup(descriptor) for descriptor in _DESCRIPTORS]
    except OSError:
        return None


def _flush() -> None:
    """Python's own text goes where it was meant to, not into the capture."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(Exception):  # a stream may be closed, None, or a notebook's own object
            if stream is not None:
                stream.flush()
    _flush_c()


def _flush_c() -> None:
    if _C_LIBRARY is not None:
        _C_LIBRARY.fflush(None)


def _c_library() -> ctypes.CDLL | None:
    """The C library whose buffers printf fills; None where the process's own symbols cannot be opened (Windows)."""
    try:
        library = ctypes.CDLL(None)
        library.fflush.argtypes = [ctypes.c_void_p]
    except (OSError, TypeError, AttributeError):
        return None
    return library


_C_LIBRARY = _c_library()
