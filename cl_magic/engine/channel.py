"""The channel between the notebook and a worker: frames over a stream socket.

A frame is a fixed prefix (magic, protocol version, number of file descriptors, length of the header, length of the
columns), a JSON header and raw bytes; file descriptors travel beside it (SCM_RIGHTS). Every length is checked before
anything is allocated, because the memory of the sender may have been overwritten by a kernel. What the header means is
decided in :mod:`cl_magic.engine.messages`.
"""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from cl_magic.errors import EngineError

PROTOCOL_VERSION = 1
HEADER_LIMIT_BYTES = 256 * 1024 * 1024
"""A printf of many lines travels in the header."""
COLUMNS_LIMIT_BYTES = 16 * 1024 * 1024 * 1024
DESCRIPTORS_LIMIT = 200
"""Linux takes at most 253 in one message."""

_PREFIX = struct.Struct("<4sHHIQ")
_MAGIC = b"clm\x00"
_FD_BYTES = struct.calcsize("i")
_CLOEXEC = int(getattr(socket, "MSG_CMSG_CLOEXEC", 0))  # an enumeration's "or" takes longer than the call
_NO_WAIT = int(getattr(socket, "MSG_DONTWAIT", 0))
_NO_SIGNAL = getattr(socket, "MSG_NOSIGNAL", 0)

Buffer = bytes | bytearray | memoryview


@dataclass(frozen=True, slots=True)
class Frame:
    """One message as it came: JSON header, all columns in one block, file descriptors (owned by whoever receives)."""

    header: Buffer
    columns: memoryview
    descriptors: tuple[int, ...] = ()

    def split(self, lengths: Sequence[int]) -> list[memoryview]:
        """Cut the columns apart; EngineError where the lengths do not add up to what came."""
        if any(length < 0 for length in lengths) or sum(lengths) != len(self.columns):
            msg = f"the header names columns of {sum(lengths)} B and {len(self.columns)} B came"
            raise EngineError(msg, remedy="restart the worker: %opencl restart")
        parts, begin = [], 0
        for length in lengths:
            parts.append(self.columns[begin : begin + length])
            begin += length
        return parts


class ChannelClosedError(EngineError):
    """The other side is gone: end-of-file, broken pipe or reset."""


class Channel:
    """Frames over one connected stream socket.

    `send` may be called from any thread, `receive` from one at a time.

    Parameters
    ----------
    sock : socket.socket
        Blocking stream socket; owned by the channel from here on.
    descriptors : bool
        Whether file descriptors are taken from the other side. The notebook takes none from a worker.
    poll_ns : int
        Nanoseconds for which `receive` looks again and again before it sleeps. A processor that went to sleep takes
        30 to 60 µs to wake, more than the rest of a round trip.
    """

    def __init__(self, sock: socket.socket, *, descriptors: bool = False, poll_ns: int = 0) -> None:
        self._sock = sock
        self._takes_descriptors = descriptors
        self._poll_ns = poll_ns
        self._sending = threading.Lock()

    def send(self, header: bytes, columns: Sequence[Buffer] = (), descriptors: Sequence[int] = ()) -> None:
        """Send one frame.

        Parameters
        ----------
        header : bytes
            JSON text.
        columns : sequence of bytes-like
            Sent one after the other, without a copy.
        descriptors : sequence of int
            File descriptors; they stay open here.

        Raises
        ------
        ChannelClosedError
            The other side is gone.
        EngineError
            Over a limit of the protocol.
        """
        nbytes = sum([len(column) for column in columns])
        _check(len(header), nbytes, len(descriptors))
        prefix = _PREFIX.pack(_MAGIC, PROTOCOL_VERSION, len(descriptors), len(header), nbytes)
        beside = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack(f"{len(descriptors)}i", *descriptors))]
        parts: list[Buffer] = [prefix + header, *columns]
        try:
            with self._sending:
                sent = self._sock.sendmsg(parts, beside if descriptors else (), _NO_SIGNAL)
                if sent < len(prefix) + len(header) + nbytes:
                    self._send_rest(parts, sent)
        except OSError as error:
            msg = f"the worker's channel is closed: {error.strerror or error}"
            raise ChannelClosedError(msg) from None

    def send_frame(self, frame: bytes) -> None:
        """Send a short frame whose bytes the caller has: a :func:`frame_prefix` and a header.

        Raises
        ------
        ChannelClosedError
            The other side is gone.
        """
        try:
            with self._sending:
                self._sock.sendall(frame, _NO_SIGNAL)
        except OSError as error:
            msg = f"the worker's channel is closed: {error.strerror or error}"
            raise ChannelClosedError(msg) from None

    def _send_rest(self, parts: Sequence[Buffer], sent: int) -> None:
        for part in parts:
            if sent < len(part):
                self._sock.sendall(memoryview(part)[sent:], _NO_SIGNAL)
            sent = max(0, sent - len(part))

    def receive(self) -> Frame:
        """Wait for the next frame.

        Raises
        ------
        ChannelClosedError
            End-of-file, also in the middle of a frame.
        EngineError
            Another protocol version, no frame at all, or over a limit.
        """
        try:
            prefix, descriptors = self._receive_prefix()
            magic, version, count, header_bytes, columns_bytes = _PREFIX.unpack(prefix)
            _check_prefix(magic, version)
            _check(header_bytes, columns_bytes, count)
            if count != len(descriptors):
                msg = f"the frame names {count} file descriptors and {len(descriptors)} came"
                raise EngineError(msg)
            return Frame(self._exactly(header_bytes), memoryview(self._exactly(columns_bytes)), descriptors)
        except OSError as error:
            msg = f"the worker's channel is closed: {error.strerror or error}"
            raise ChannelClosedError(msg) from None

    def _receive_prefix(self) -> tuple[Buffer, tuple[int, ...]]:
        space = socket.CMSG_SPACE(DESCRIPTORS_LIMIT * _FD_BYTES) if self._takes_descriptors else 0
        begin, beside = self._first_bytes(space)
        if not begin:
            raise ChannelClosedError(_EOF)
        found: list[int] = []
        for level, kind, data in beside:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                found += struct.unpack(f"{len(data) // _FD_BYTES}i", data[: len(data) // _FD_BYTES * _FD_BYTES])
        return bytes(begin) + bytes(self._exactly(_PREFIX.size - len(begin))), tuple(found)

    def _first_bytes(self, space: int) -> tuple[bytes, list[tuple[int, int, bytes]]]:
        deadline = time.perf_counter_ns() + self._poll_ns
        receive, flags = self._sock.recvmsg, _CLOEXEC | _NO_WAIT
        while self._poll_ns and time.perf_counter_ns() < deadline:
            try:
                return receive(_PREFIX.size, space, flags)[:2]
            except BlockingIOError:
                pass
        return self._sock.recvmsg(_PREFIX.size, space, _CLOEXEC)[:2]

    def _exactly(self, nbytes: int) -> Buffer:
        """Read exactly `nbytes`; a short message comes in one call."""
        if not nbytes:
            return b""
        first = self._sock.recv(min(nbytes, 65_536))
        if len(first) == nbytes:
            return first
        whole = bytearray(nbytes)
        whole[: len(first)] = first
        filled, view = len(first), memoryview(whole)
        while filled < nbytes:
            got = self._sock.recv_into(view[filled:])
            if not got or not first:
                raise ChannelClosedError(_EOF)
            filled += got
        return whole

    def shutdown(self) -> None:
        """End the conversation: the other side and a waiting `receive` see end-of-file."""
        try:
            self._sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def close(self) -> None:
        """Close the socket of this process."""
        self._sock.close()

    def forget(self) -> None:
        """Close this process's copy of the descriptor only (in a forked child), leaving the conversation alone."""
        os.close(self._sock.detach())


def frame_prefix(header_bytes: int) -> bytes:
    """First bytes of a frame that has a header only.

    Examples
    --------
    >>> len(frame_prefix(8))
    20
    """
    return _PREFIX.pack(_MAGIC, PROTOCOL_VERSION, 0, header_bytes, 0)


_EOF = "the other side closed the channel"


def _check(header_bytes: int, columns_bytes: int, descriptors: int) -> None:
    limits = (
        ("header", header_bytes, HEADER_LIMIT_BYTES),
        ("columns", columns_bytes, COLUMNS_LIMIT_BYTES),
        ("file descriptors", descriptors, DESCRIPTORS_LIMIT),
    )
    for what, value, limit in limits:
        if value > limit:
            msg = f"a message between notebook and worker has {value} for its {what}; the limit is {limit}"
            raise EngineError(msg, remedy="print less, or use engine='inline'", what=what, value=value, limit=limit)


def _check_prefix(magic: bytes, version: int) -> None:
    if magic != _MAGIC:
        msg = f"what came from the worker is no message: it begins with {magic!r}"
        raise EngineError(msg, remedy="the next command starts a new worker")
    if version != PROTOCOL_VERSION:
        msg = f"the worker speaks protocol {version} and this process {PROTOCOL_VERSION}"
        raise EngineError(msg, remedy="restart the kernel: cl_magic was changed under it", version=version)
