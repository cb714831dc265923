"""A PNG encoder for thumbnails: 8-bit gray, RGB, RGBA or with a palette, the same bytes for the same pixels.

W3C PNG specification, third edition: 5 (chunks), 9 (filters), 11.2.1 (IHDR).
"""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOUR_TYPE = {1: 0, 3: 2, 4: 6}
_PALETTE = 3
_IMAGE_DIMENSIONS = 3


@dataclass(frozen=True, slots=True)
class Indexed:
    """An image of few colours: `cells` (height, width) are rows of `palette` (n ≤ 256, RGBA), uint8 both."""

    cells: NDArray[np.uint8]
    palette: NDArray[np.uint8]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode(pixels: NDArray[np.uint8]) -> bytes:
    r"""PNG file of an image.

    Parameters
    ----------
    pixels : ndarray of uint8, shape (height, width) or (height, width, 1 | 3 | 4)
        Gray, RGB or RGBA, one byte a channel.

    Raises
    ------
    ValueError
        For another shape, or no pixel at all.

    Examples
    --------
    >>> encode(np.zeros((2, 3), np.uint8))[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    image = pixels[..., None] if pixels.ndim < _IMAGE_DIMENSIONS else pixels
    if image.ndim != _IMAGE_DIMENSIONS or image.shape[2] not in _COLOUR_TYPE or image.size == 0:
        msg = f"an image has shape (height, width[, 1 | 3 | 4]), not {pixels.shape}"
        raise ValueError(msg)
    height, width, channels = image.shape
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOUR_TYPE[channels], 0, 0, 0)
    rows = np.ascontiguousarray(image, np.uint8).reshape(height, width * channels)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", _compressed(rows)) + _chunk(b"IEND", b"")


def _compressed(rows: NDArray[np.uint8]) -> bytes:
    """Rows of bytes, unfiltered or each less the one above: by the smaller sum of distances (PNG, 12.7)."""
    above = np.diff(rows, axis=0, prepend=np.zeros((1, rows.shape[1]), np.uint8))
    plain_sum, above_sum = (np.abs(data.view(np.int8).astype(np.int64)).sum() for data in (rows, above))
    kind, data = (2, above) if above_sum < plain_sum else (0, rows)
    filtered = np.full((rows.shape[0], rows.shape[1] + 1), kind, np.uint8)
    filtered[:, 1:] = data
    return zlib.compress(filtered.tobytes(), 6)


def encode_indexed(indexed: Indexed) -> bytes:
    """PNG file of an image with a palette.

    Examples
    --------
    >>> encode_indexed(Indexed(np.zeros((1, 1), np.uint8), np.zeros((1, 4), np.uint8)))[12:16]
    b'IHDR'
    """
    height, width = indexed.cells.shape
    header = struct.pack(">IIBBBBB", width, height, 8, _PALETTE, 0, 0, 0)
    colours = np.ascontiguousarray(indexed.palette[:, :3], np.uint8).tobytes()
    opacity = np.ascontiguousarray(indexed.palette[:, 3], np.uint8).tobytes()
    chunks = [(b"IHDR", header), (b"PLTE", colours), (b"tRNS", opacity)]
    chunks += [(b"IDAT", _compressed(np.ascontiguousarray(indexed.cells, np.uint8))), (b"IEND", b"")]
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def data_uri(pixels: NDArray[np.uint8] | Indexed) -> str:
    """The PNG as a ``data:`` address for an ``img`` element.

    Examples
    --------
    >>> data_uri(np.zeros((1, 1), np.uint8)).startswith("data:image/png;base64,")
    True
    """
    data = encode_indexed(pixels) if isinstance(pixels, Indexed) else encode(pixels)
    return "data:image/png;base64," + base64.b64encode(data).decode("ascii")
