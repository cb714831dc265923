"""A store of values on disk: one file an entry, JSON and raw bytes under a SHA-256 digest. Nothing is ever pickled.

Files are written under another name and renamed, so that any number of processes may read and write at once: the last
writer of a key wins, and each reader sees a whole entry. What is damaged, or another user's, counts as absent.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import stat
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cl_magic.cache.folder import private_folder
from cl_magic.errors import RecordError
from cl_magic.record.codec import from_json, to_json

LIMIT_BYTES = 256 * 1024 * 1024
MAX_ENTRIES = 4096
FORMAT_VERSION = 1

_MAGIC = b"cl_magic cache %d\n" % FORMAT_VERSION
_DIGEST_BYTES = 32
_NAME = re.compile(r"[0-9a-f]{64}\.entry")
_LEFT_OVER = re.compile(r"[0-9a-f]{64}\.entry\.[0-9a-f]{16}\.new")
_LENGTH = struct.Struct("<Q")
_KEPT_SHARE = 0.9
"""A store over its limit is cut to this share of it, so that not every new entry has to cut again."""


@dataclass(frozen=True, slots=True)
class StoreSize:
    """Number of entries of a store and their bytes."""

    entries: int = 0
    nbytes: int = 0


NOTHING = StoreSize()


class Store:
    """Values by key in one folder.

    Parameters
    ----------
    folder : Path
        Made (mode 0700) with the first entry; its parent must exist and be trusted.
    limit_bytes, max_entries : int
        The entries that were unused for the longest time go when there is more.

    Attributes
    ----------
    trouble : str
        Why the last entry could not be written, "" where it could.

    Examples
    --------
    >>> import tempfile
    >>> from cl_magic.launch.ndrange import NDRange
    >>> store = Store(Path(tempfile.mkdtemp()) / "entries")
    >>> store.put("0" * 64, NDRange((8,)))
    >>> store.get("0" * 64, NDRange)
    NDRange(global_size=(8,), local_size=None, global_offset=None)
    """

    def __init__(self, folder: Path, *, limit_bytes: int = LIMIT_BYTES, max_entries: int = MAX_ENTRIES) -> None:
        self.folder = folder
        self.limit_bytes, self.max_entries = limit_bytes, max_entries
        self.trouble = ""

    def get(self, key: str, type_: type) -> Any:  # noqa: ANN401 - a value of that type
        """The value of a key; None where there is none, or one that is not whole, not ours or too old."""
        path = self._path(key)
        data = _read(path, self.limit_bytes)
        if data is None:
            return None
        try:
            value = from_json(type_, *_opened(data))
        except (RecordError, ValueError, struct.error):
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # when it was used last
        return value

    def put(self, key: str, value: object) -> None:
        """Keep a value, in place of what was there; where the disk does not take it, `trouble` says why."""
        path = self._path(key)
        new = path.with_name(f"{path.name}.{secrets.token_hex(8)}.new")
        try:
            data = _closed(*to_json(value))
            if len(data) > self.limit_bytes // 4:
                return
            private_folder(self.folder)
            _write(new, data)
            new.replace(path)
            self.trouble = ""
            self._cut()
        except RecordError as error:
            self.trouble = error.message
        except OSError as error:
            self.trouble = error.strerror or str(error)
            with contextlib.suppress(OSError):
                new.unlink()

    def forget(self, key: str) -> None:
        """Remove the value of a key, where there is one."""
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def size(self) -> StoreSize:
        """Entries and bytes."""
        sizes = [facts.st_size for path, facts in self._files() if _NAME.fullmatch(path.name)]
        return StoreSize(len(sizes), sum(sizes))

    def clear(self) -> StoreSize:
        """Remove all entries; files that are not ours stay. What was there is returned."""
        before = self.size()
        for path, _ in self._files():
            with contextlib.suppress(OSError):
                path.unlink()
        with contextlib.suppress(OSError):
            self.folder.rmdir()
        return before

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.entry"

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Our files, those that a writer which was ended left behind too."""
        try:
            found = list(os.scandir(self.folder))
        except OSError:
            return
        for entry in found:
            if _NAME.fullmatch(entry.name) or _LEFT_OVER.fullmatch(entry.name):
                with contextlib.suppress(OSError):  # another process removed it meanwhile
                    yield Path(entry.path), entry.stat(follow_symlinks=False)

    def _cut(self) -> None:
        """Remove what was unused for the longest time until the store is well within its limits."""
        files = sorted(self._files(), key=lambda file: file[1].st_mtime_ns)
        total, count = sum(facts.st_size for _, facts in files), len(files)
        if total <= self.limit_bytes and count <= self.max_entries:
            return
        for path, facts in files:
            if total <= self.limit_bytes * _KEPT_SHARE and count <= self.max_entries * _KEPT_SHARE:
                return
            with contextlib.suppress(OSError):
                path.unlink()
            total, count = total - facts.st_size, count - 1


def _read(path: Path, limit_bytes: int) -> bytes | None:
    """Bytes of a plain file of this user; None for anything else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    facts = os.fstat(descriptor)
    strange = hasattr(os, "geteuid") and facts.st_uid != os.geteuid()
    if strange or not stat.S_ISREG(facts.st_mode) or facts.st_size > limit_bytes:
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as file:
        try:
            return file.read()
        except OSError:
            return None


def _write(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def _closed(header: bytes, columns: Sequence[bytes]) -> bytes:
    """Magic, digest of the rest, number of parts, their lengths, the parts."""
    parts = [header, *columns]
    lengths = b"".join(_LENGTH.pack(len(part)) for part in parts)
    body = b"".join([_LENGTH.pack(len(parts)), lengths, *parts])
    return b"".join([_MAGIC, hashlib.sha256(body).digest(), body])


def _opened(data: bytes) -> tuple[bytes, list[bytes]]:
    """Header and columns of an entry; ValueError or struct.error where it is not one."""
    start = len(_MAGIC) + _DIGEST_BYTES
    body = memoryview(data)[start:]
    if data[: len(_MAGIC)] != _MAGIC or hashlib.sha256(body).digest() != data[len(_MAGIC) : start]:
        msg = "no entry of this format, or a damaged one"
        raise ValueError(msg)
    (count,) = _LENGTH.unpack_from(body, 0)
    place = _LENGTH.size * (count + 1)
    parts = []
    for index in range(count):
        (length,) = _LENGTH.unpack_from(body, _LENGTH.size * (index + 1))
        parts.append(bytes(body[place : place + length]))
        place += length
    return parts[0], parts[1:]
