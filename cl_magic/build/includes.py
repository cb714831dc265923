"""The files that a source includes, as facts: a build must not be taken from a cache when one of them has changed."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable
from pathlib import Path

INCLUDE = re.compile(
    r'^[ \t]*#[ \t]*include\b[ \t]*(?:"(?P<quoted>[^"\n]+)"|<(?P<angled>[^>\n]+)>|(?P<other>\S))', re.MULTILINE
)
"""An ``#include`` line up to the end of the name: groups ``quoted``, ``angled``, ``other`` (a macro)."""
_UNKNOWN = "a name that only the compiler knows"


def included_files(source: str, folders: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Find what `source` includes, and what that includes in turn (OpenCL C 1.2, 6.10; C99, 6.10.2).

    Parameters
    ----------
    source : str
        OpenCL C text.
    folders : iterable of str
        Folders of ``-I``; the current folder is searched too.

    Returns
    -------
    tuple of (str, str)
        Path and SHA-256 of every file that may be meant: all that fit a name, as another one would be taken if the
        first went away. An ``#include`` of a macro gives an entry that never occurs again.

    Examples
    --------
    >>> included_files("kernel void f() { }", ["."])
    ()
    >>> included_files("#include MACRO", [])[0][0]
    'a name that only the compiler knows'
    """
    searched = [Path(folder) for folder in (*folders, ".")]
    found: dict[str, str] = {}
    waiting = [(source, searched)]
    while waiting:
        text, places = waiting.pop()
        for match in INCLUDE.finditer(text):
            if match["other"]:
                found[_UNKNOWN] = str(time.time_ns())
                continue
            for path in candidates(match["quoted"] or match["angled"], places):
                if str(path) not in found:
                    data = path.read_bytes()
                    found[str(path)] = hashlib.sha256(data).hexdigest()
                    waiting.append((data.decode("utf-8", "replace"), [path.parent, *searched]))
    return tuple(sorted(found.items()))


def candidates(name: str, places: Iterable[Path]) -> list[Path]:
    """Files that an ``#include`` of a name may mean, in the order of the folders searched.

    Examples
    --------
    >>> candidates("no such file.h", [Path(".")])
    []
    """
    paths = dict.fromkeys((place / name).absolute() for place in places)
    return [path for path in paths if _is_file(path)]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long for the system
        return False
