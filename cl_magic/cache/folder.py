"""Where the cache is, and whether it may be trusted: a folder that others can write to could hand us any program."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

VARIABLE = "CL_MAGIC_CACHE_DIR"
_OFF = ("", "0", "off", "none")
_REFUSED_BITS = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class CacheFolder:
    """The cache's folder.

    Attributes
    ----------
    path : Path or None
        None where nothing is kept.
    reason : str
        Why nothing is kept, one sentence.
    named : str
        The folder that was meant, also where it is refused.
    """

    path: Path | None
    reason: str = ""
    named: str = ""


def cache_folder(environment: Mapping[str, str] | None = None) -> CacheFolder:
    """Find the cache's folder and make it where it is missing (mode 0700).

    Parameters
    ----------
    environment : mapping of str to str, optional
        By default the process's. ``CL_MAGIC_CACHE_DIR`` names the folder, or says "off"; by default it is
        ``cl_magic`` in the user's cache folder.

    Returns
    -------
    CacheFolder
        Without a path where the cache is off, cannot be made, belongs to another user, or may be written by others.

    Examples
    --------
    >>> cache_folder({"CL_MAGIC_CACHE_DIR": "off"})
    CacheFolder(path=None, reason='it is switched off by CL_MAGIC_CACHE_DIR', named='')
    """
    told = (os.environ if environment is None else environment).get(VARIABLE)
    if told is not None and told.strip().lower() in _OFF:
        return CacheFolder(None, f"it is switched off by {VARIABLE}")
    named = told or platformdirs.user_cache_dir("cl_magic", appauthor=False)
    try:
        folder = Path(named).expanduser().resolve()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        reason = _distrust(folder)
        if not reason and os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) != 0o700:  # noqa: PLR2004 - a mode
            folder.chmod(0o700)
    except (OSError, RuntimeError) as error:  # RuntimeError: a `~name` that nobody has
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return CacheFolder(None, f"the folder {named} cannot be used: {why}", named)
    return CacheFolder(None if reason else folder, reason, str(folder))


def private_folder(path: Path) -> Path:
    """Make a folder inside the cache (mode 0700) and return it.

    Raises
    ------
    OSError
        It cannot be made.

    Examples
    --------
    >>> import tempfile
    >>> oct(private_folder(Path(tempfile.mkdtemp()) / "entries").stat().st_mode & 0o777)
    '0o700'
    """
    path.mkdir(mode=0o700, exist_ok=True)
    return path


def _distrust(folder: Path) -> str:
    """Why a folder cannot be trusted, "" where it can."""
    if os.name != "posix":
        return ""
    facts = folder.stat()
    if not stat.S_ISDIR(facts.st_mode):
        return f"{folder} is no folder"
    if facts.st_uid != os.geteuid():
        return f"the folder {folder} belongs to another user (uid {facts.st_uid})"
    if facts.st_mode & _REFUSED_BITS:
        mode = f"{stat.S_IMODE(facts.st_mode):04o}"
        return f"others may write to the folder {folder} (mode {mode}); chmod 700 makes it usable"
    return ""
