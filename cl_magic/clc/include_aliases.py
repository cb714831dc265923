"""Virtual headers under the unusual spellings that a text includes them by: libclang knows a path by its letters.

Compilers of devices see ``#include "a//b.h"``, ``"a/./b.h"`` and ``"../b.h"`` on the disk, where they all name a file.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include\b[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)
_MOST = 1000
"""Headers that include each other by ``../`` have spellings without end."""


def include_aliases(source: str, headers: Sequence[tuple[str, str]]) -> dict[str, str]:
    r"""Headers by paths, relative to their common folder, that are spelled in an ``#include`` and not normal.

    Examples
    --------
    >>> include_aliases('#include "a//b.h"', [("a/b.h", "#define B 1")])
    {'a//b.h': '#define B 1'}
    >>> include_aliases('#include "a/b.h"', [("a/b.h", '#include "../c.h"'), ("c.h", "")])
    {'a/../c.h': ''}
    """
    texts, found = dict(headers), dict[str, str]()
    waiting = [("", source), *((posixpath.dirname(name), text) for name, text in headers)]
    while waiting and len(found) < _MOST:
        base, text = waiting.pop()
        for path in _spelled(base, text):
            plain = posixpath.normpath(path)
            if path != plain and plain in texts and path not in found:
                found[path] = texts[plain]
                waiting.append((posixpath.dirname(path), texts[plain]))  # its own includes begin at that spelling
    return found


def _spelled(base: str, text: str) -> Iterator[str]:
    """Paths that the names of a text's includes make beside it and from the common folder."""
    for match in _INCLUDE.finditer(text):
        written = match[1] or match[2]
        if not written.startswith("/"):
            yield written
            yield posixpath.join(base, written)
