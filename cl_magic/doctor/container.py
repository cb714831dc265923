"""Limits of the container or control group that this process is in: processors, memory, /dev/shm."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cl_magic.doctor.finding import Finding
from cl_magic.engine import shared_memory
from cl_magic.engine.drivers import usable_processors

_NO_LIMIT_BYTES = 1 << 60
"""Version 1 says "none" by the largest number of whole pages."""
_LITTLE_BYTES = 1 << 30
_MIB = 1 << 20
_SHM = "/dev/shm"  # noqa: S108 - only its size is looked at


@dataclass(frozen=True, slots=True)
class GroupLimits:
    """Limits of a control group; None where there is none.

    Attributes
    ----------
    processors : float or None
        CPU quota divided by its period.
    memory_bytes : int or None
    """

    processors: float | None = None
    memory_bytes: int | None = None


def group_limits(root: Path = Path("/")) -> GroupLimits:
    """Read the limits of this process's control groups, versions 1 and 2, those above counted.

    Parameters
    ----------
    root : Path
        Folder that holds ``proc`` and ``sys``.

    Examples
    --------
    >>> group_limits(Path("/nowhere"))
    GroupLimits(processors=None, memory_bytes=None)
    """
    processors = [_quota(folder) for folder in _folders(root, "cpu")]
    memory = [_memory(folder) for folder in _folders(root, "memory")]
    return GroupLimits(
        min((count for count in processors if count), default=None),
        min((nbytes for nbytes in memory if nbytes), default=None),
    )


def _folders(root: Path, controller: str) -> Iterator[Path]:
    """Folders of the groups, innermost first; a container often sees its own group as the top."""
    for line in _read(root / "proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        if number != "0" and controller not in names.split(","):
            continue
        top = root / "sys/fs/cgroup" / ("" if number == "0" else names)
        group = top / path.strip("/")
        yield group
        yield from (above for above in group.parents if above.is_relative_to(top))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _quota(folder: Path) -> float | None:
    words = _read(folder / "cpu.max").split()  # version 2: "max 100000" or "quota period"
    if not words:
        words = [_read(folder / "cpu.cfs_quota_us"), _read(folder / "cpu.cfs_period_us")]  # version 1: -1 or the quota
    if len(words) == 2 and all(word.isdigit() for word in words) and int(words[1]):  # noqa: PLR2004 - quota, period
        return int(words[0]) / int(words[1])
    return None


def _memory(folder: Path) -> int | None:
    word = _read(folder / "memory.max") or _read(folder / "memory.limit_in_bytes")
    return int(word) if word.isdigit() and int(word) < _NO_LIMIT_BYTES else None


def container_findings(root: Path = Path("/")) -> tuple[Finding, ...]:
    """Return what the limits mean for kernels.

    Examples
    --------
    >>> [found.subject for found in container_findings()][:2]
    ['processors', 'memory']
    """
    limits = group_limits(root)
    return (_processors(limits), _memory_finding(limits), *_shm(root / _SHM.strip("/")))


def _processors(limits: GroupLimits) -> Finding:
    usable, there = usable_processors(), os.cpu_count() or 1
    quota = f", quota {limits.processors:.3g}" if limits.processors else ", no quota"
    means = "; PoCL gets as many threads" if usable < there else ""
    return Finding("note", "processors", f"{usable} of {there} may be used{quota}{means}")


def _memory_finding(limits: GroupLimits) -> Finding:
    if limits.memory_bytes is None:
        return Finding("note", "memory", "the container sets no limit")
    text = f"the container's limit is {_size(limits.memory_bytes)}; whoever goes beyond it is ended by the system"
    if limits.memory_bytes < _LITTLE_BYTES:
        remedy = "start the container with more memory, for example docker run --memory=4g"
        return Finding("warn", "memory", f"{text}; the driver and its compiler need some 500 MiB", remedy)
    return Finding("note", "memory", text)


def _shm(folder: Path) -> tuple[Finding, ...]:
    if not folder.is_dir():
        return ()
    total = _size(shutil.disk_usage(folder).total)
    if shared_memory.available():
        return (Finding("note", _SHM, f"{total}; not needed, arrays travel in memory files"),)
    return (Finding("note", _SHM, f"{total}; not used, the bytes of arrays are sent"),)


def _size(nbytes: int) -> str:
    return f"{nbytes / (1 << 30):.3g} GiB" if nbytes >= 1 << 30 else f"{nbytes // _MIB} MiB"
