"""The cache as a whole: its two stores, the drivers' own caches in its folder, how large it is, how it is cleared."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cl_magic.cache.folder import VARIABLE, CacheFolder, cache_folder, private_folder
from cl_magic.cache.store import LIMIT_BYTES, NOTHING, Store, StoreSize

DRIVER_VARIABLES = {"POCL_CACHE_DIR": "pocl", "CUDA_CACHE_PATH": "nvidia"}
"""Where drivers that keep builds of their own are told to keep them, and the name of that folder in ours."""
_ALWAYS = {"PYOPENCL_NO_CACHE": "1"}
"""PyOpenCL pickles generated code into a data base of its own, and no kernel can be made where that is damaged."""
_ROOM_BYTES = 32 * 1024 * 1024
_UNUSED_S = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class CacheState:
    """What the cache holds.

    Attributes
    ----------
    folder : CacheFolder
    builds, analyses : StoreSize
    drivers : tuple of (str, int)
        Folder of a driver's own cache, and its bytes.
    outside : tuple of str
        Variables of the user's that put a driver's cache elsewhere, as ``NAME=VALUE``.
    limit_bytes : int
    """

    folder: CacheFolder
    builds: StoreSize = NOTHING
    analyses: StoreSize = NOTHING
    drivers: tuple[tuple[str, int], ...] = ()
    outside: tuple[str, ...] = ()
    limit_bytes: int = LIMIT_BYTES

    @property
    def nbytes(self) -> int:
        """All of it."""
        return self.builds.nbytes + self.analyses.nbytes + sum(nbytes for _, nbytes in self.drivers)


def store_of(kind: str) -> Store | None:
    """The store of ``"builds"`` or ``"analyses"``; None where nothing is kept.

    Examples
    --------
    >>> store = store_of("builds")
    >>> store is None or store.folder.name
    'builds'
    """
    folder = cache_folder().path
    return None if folder is None else Store(folder / kind, limit_bytes=LIMIT_BYTES // 2)


def driver_cache_environment(temporary: str, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Variables that put the drivers' own caches into ours.

    Parameters
    ----------
    temporary : str
        Folder for them where ours cannot be written or the disk is full: PoCL does not build without one.
    environment : mapping of str to str, optional
        By default the process's. What the user has set stays.

    Examples
    --------
    >>> driver_cache_environment("/tmp/x", {"CL_MAGIC_CACHE_DIR": "off", "POCL_CACHE_DIR": "/tmp/y"})
    {'PYOPENCL_NO_CACHE': '1'}
    """
    given = os.environ if environment is None else environment
    folder = cache_folder(given)
    if folder.path is None and not folder.named:
        return dict(_ALWAYS)  # switched off: the drivers do as they always do
    wanted = {variable: name for variable, name in DRIVER_VARIABLES.items() if variable not in given}
    try:
        assert folder.path is not None  # noqa: S101 - refused folders are named
        _check_room(folder.path)
        root = private_folder(folder.path / "drivers")
        _cut(root)
        return _ALWAYS | {variable: str(private_folder(root / name)) for variable, name in wanted.items()}
    except (OSError, AssertionError):
        return _ALWAYS | {variable: str(Path(temporary) / name) for variable, name in wanted.items()}


def cache_state() -> CacheState:
    """What the cache holds now.

    Examples
    --------
    >>> cache_state().nbytes >= 0
    True
    """
    folder = cache_folder()
    outside = tuple(f"{name}={os.environ[name]}" for name in DRIVER_VARIABLES if name in os.environ)
    if folder.path is None:
        return CacheState(folder, outside=outside)
    places = [folder.path / "drivers" / name for name in DRIVER_VARIABLES.values()]
    drivers = tuple((str(place), _bytes_in(place)) for place in places if place.is_dir())
    builds, analyses = (Store(folder.path / kind).size() for kind in ("builds", "analyses"))
    return CacheState(folder, builds, analyses, drivers, outside)


def clear_cache() -> CacheState:
    """Remove everything that is kept, the drivers' caches too; what was there is returned.

    Examples
    --------
    >>> isinstance(clear_cache(), CacheState)
    True
    """
    before = cache_state()
    if before.folder.path is not None:
        for kind in ("builds", "analyses"):
            Store(before.folder.path / kind).clear()
        for place, _ in before.drivers:
            _empty(Path(place))
    return before


def _check_room(folder: Path) -> None:
    """OSError where the folder cannot be written or nearly no room is left."""
    if shutil.disk_usage(folder).free < _ROOM_BYTES:
        msg = "the disk is nearly full"
        raise OSError(msg)
    probe = folder / f".probe-{os.getpid()}-{time.monotonic_ns()}"
    probe.touch(mode=0o600)
    probe.unlink()


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_size
    return total


def _empty(folder: Path) -> None:
    """Remove what is in a folder; drivers that run make what they need anew."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                path.unlink()


def _cut(root: Path) -> None:
    """Empty each driver's cache that is over the limit and that nobody has used for a day (PoCL has no bound)."""
    for name in DRIVER_VARIABLES.values():
        place = root / name
        if not place.is_dir() or _bytes_in(place) <= LIMIT_BYTES:
            continue
        for path in place.iterdir():
            with contextlib.suppress(OSError):
                if time.time() - path.lstat().st_mtime > _UNUSED_S:
                    shutil.rmtree(path, ignore_errors=True)


__all__ = [
    "VARIABLE",
    "CacheState",
    "cache_state",
    "clear_cache",
    "driver_cache_environment",
    "store_of",
]
