"""Messages with their length in front, over a pipe."""

from __future__ import annotations

from typing import BinaryIO

LENGTH_BYTES = 4
MAX_FRAME_BYTES = 64 * 1024 * 1024
"""Longer messages are refused: a length from a damaged peer must not allocate gigabytes."""


def framed(payload: bytes) -> bytes:
    r"""A message as it goes over the pipe.

    Examples
    --------
    >>> framed(b"{}")
    b'\x00\x00\x00\x02{}'
    """
    return len(payload).to_bytes(LENGTH_BYTES, "big") + payload


def frame_length(header: bytes) -> int:
    r"""Length, in bytes, of the message behind a header.

    Raises
    ------
    ValueError
        When it is over :data:`MAX_FRAME_BYTES`.

    Examples
    --------
    >>> frame_length(b"\x00\x00\x00\x02")
    2
    """
    length = int.from_bytes(header, "big")
    if length > MAX_FRAME_BYTES:
        msg = f"a message of {length} bytes is over the limit {MAX_FRAME_BYTES}"
        raise ValueError(msg)
    return length


def read_frame(stream: BinaryIO) -> bytes | None:
    """Next message of a blocking stream, None at its end."""
    header = stream.read(LENGTH_BYTES)
    if len(header) < LENGTH_BYTES:
        return None
    length = frame_length(header)
    payload = stream.read(length)
    return payload if len(payload) == length else None


def write_frame(stream: BinaryIO, payload: bytes) -> None:
    """Write a message and flush it."""
    stream.write(framed(payload))
    stream.flush()
