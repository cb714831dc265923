"""Which shared libraries a library needs and the dynamic loader does not find, as ``ldd`` says. Linux only."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping

_TIMEOUT_S = 10.0
_ABSENT = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)


def missing_libraries(library: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the libraries that are not found.

    Parameters
    ----------
    library : str
        Path of an existing file.
    environment : mapping of str to str
        That of the process that would load it (``LD_LIBRARY_PATH`` counts).

    Returns
    -------
    tuple of str
        Empty also where ``ldd`` is absent or does not answer.

    Examples
    --------
    >>> missing_libraries("/nowhere/libghost.so", {})
    ()
    """
    ldd = shutil.which("ldd")
    if ldd is None:
        return ()
    try:
        done = subprocess.run(
            [ldd, library],
            capture_output=True,
            text=True,
            errors="replace",
            env={**environment, "LC_ALL": "C"},
            timeout=_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return absent(done.stdout)


def absent(listing: str) -> tuple[str, ...]:
    """Return the libraries that a listing of ``ldd`` calls not found, each once.

    Examples
    --------
    >>> absent("libz.so.1 => /lib/libz.so.1 (0x7f)" + chr(10) + "libtbb.so.12 => not found")
    ('libtbb.so.12',)
    """
    return tuple(dict.fromkeys(_ABSENT.findall(listing)))
