"""How much memory is left for arrays: the machine's, and that of the control group this process is in."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cl_magic.errors import MemoryShortError

CHECKED_BYTES = 16 * 1024 * 1024
"""Smaller arrays are made without a look: it costs 100 µs."""
_SPARE_BYTES = 64 * 1024 * 1024
"""Left for the process itself."""
_NO_LIMIT = 1 << 60


@dataclass(frozen=True, slots=True)
class Room:
    """Bytes that can be allocated, and who sets the limit: "the machine" or "the container"."""

    available_bytes: int
    limit: str


def check_room(nbytes: int, what: str = "an array") -> None:
    """Refuse an allocation that does not fit, before the system kills a process for it.

    Parameters
    ----------
    nbytes : int
    what : str
        What it is for.

    Raises
    ------
    MemoryShortError
        There is no room; with ``nbytes``, ``available_bytes`` and ``limit``.

    Examples
    --------
    >>> check_room(1000)
    """
    if nbytes < CHECKED_BYTES:
        return
    found = room()
    if found is None or nbytes + _SPARE_BYTES <= found.available_bytes:
        return
    message = f"{what} of {_spaced(nbytes)} bytes does not fit: {found.limit} has {_spaced(found.available_bytes)} left"
    raise MemoryShortError(
        message,
        remedy="delete arrays that you do not need, or pass a part",
        nbytes=nbytes,
        available_bytes=found.available_bytes,
        limit=found.limit,
    )


def room() -> Room | None:
    """What is left now; None where the system does not say.

    Examples
    --------
    >>> found = room()
    >>> found is None or found.available_bytes > 0
    True
    """
    found = [Room(left, "the container") for left in _container_bytes()]
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable:"))
        found.append(Room(int(line.split()[1]) * 1024, "the machine"))
    return min(found, key=lambda one: one.available_bytes, default=None)


def oom_kills() -> int:
    """How many processes of this control group the system has ended because memory ran out; 0 where it does not say.

    Examples
    --------
    >>> oom_kills() >= 0
    True
    """
    tables = [folder / name for folder in _folders() for name in ("memory.events", "memory.oom_control")]
    for path in (*tables, Path("/proc/vmstat")):  # the innermost group that counts; the last counts the machine's
        for key, number in _table(path):
            if key == "oom_kill":
                return number
    return 0


def _container_bytes() -> Iterator[int]:
    """Bytes left in each control group that has a limit; what can be dropped from its page cache counts as free."""
    for folder in _folders():
        limit = _number(folder / "memory.max") or _number(folder / "memory.limit_in_bytes")
        used = _number(folder / "memory.current") or _number(folder / "memory.usage_in_bytes")
        if limit and used and limit < _NO_LIMIT:
            kept = dict(_table(folder / "memory.stat"))
            cache = kept.get("total_inactive_file", kept.get("inactive_file", 0))
            yield max(0, limit - used + cache)


@functools.cache
def _folders() -> tuple[Path, ...]:
    """Folders of this process's memory control group, of both versions; in a container its own is the root."""
    roots = [Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory")]
    own: list[Path] = []
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers in ("", "memory"):
                own.append(roots[1 if controllers else 0] / path.lstrip("/"))
    return tuple(_existing([*own, *roots]))


def _existing(folders: Iterable[Path]) -> Iterator[Path]:
    seen: set[Path] = set()
    for folder in folders:
        if folder not in seen and folder.is_dir():
            seen.add(folder)
            yield folder


def _number(path: Path) -> int:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):  # absent, or "max"
        return 0


def _table(path: Path) -> list[tuple[str, int]]:
    """Lines of a key and a number."""
    try:
        lines = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
        return [(line[0], int(line[1])) for line in lines if len(line) > 1 and line[1].isdigit()]
    except (OSError, ValueError):
        return []


def _spaced(number: int) -> str:
    return f"{number:_}".replace("_", " ")
