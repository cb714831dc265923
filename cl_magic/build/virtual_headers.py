"""Virtual headers: names with texts that ``#include`` finds before any file, on every device alike.

Compilers differ in where they look first (Oclgrind prefers the current folder to a program's header). So the place
where a header lies in this process is written into the ``#include`` itself: the line stays, and nothing is searched.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from cl_magic.build.includes import INCLUDE, candidates
from cl_magic.build.source import prepare_source
from cl_magic.errors import SourceError

Headers = tuple[tuple[str, str], ...]
"""Names and texts, in the order they were given."""

HeadersLike = Mapping[str, str | bytes] | Iterable[tuple[str, str | bytes]]

_CHARACTERS = re.compile(r"[\x00-\x1f\x7f\"<>\\:*?|]")
_MOST_NAME_BYTES = 200
_COMPILERS_OWN = ("opencl-c.h", "opencl-c-base.h")
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)
_GUARD = re.compile(r"^[ \t]*#[ \t]*if(?:ndef\b|[ \t]*![ \t]*defined\b)", re.MULTILINE)


def header_name(name: str) -> str:
    """Name of a virtual header as it is kept: relative, ``/`` between its parts.

    Raises
    ------
    SourceError
        It is a path of the system, leads out of its folder, or could not stand in an ``#include``.

    Examples
    --------
    >>> header_name("./math/vec.h")
    'math/vec.h'
    """
    if not name.strip() or name != name.strip() or name.endswith(("/", "/.")) or name == ".":
        _refuse(name, "is no name of a file", "for example common.h")
    if name.startswith(("/", "~")) or re.match(r"[A-Za-z]:", name):
        _refuse(name, "is a path of the system", "give the name that stands in the #include, such as common.h")
    if ".." in name.split("/"):
        _refuse(name, "leads out of its folder with ../", "give a name without ../")
    longest = max(len(part.encode("utf-8", "replace")) for part in name.split("/"))
    if longest > _MOST_NAME_BYTES:
        _refuse(
            name[:40] + "…", f"has a part of {longest} bytes", f"at most {_MOST_NAME_BYTES} bytes: files have no more"
        )
    bad = _CHARACTERS.search(name)
    if bad:
        _refuse(name, f"holds the character {bad[0]!r}", "use letters, digits, -, _, . and / between folders")
    plain = posixpath.normpath(name)
    if plain in _COMPILERS_OWN:
        _refuse(name, "is a header of the compiler's own", "choose another name")
    return plain


def _refuse(name: str, why: str, remedy: str) -> NoReturn:
    message = f"the header name {name!r} {why}"
    raise SourceError(message, remedy=remedy, name=name)


def checked_headers(headers: HeadersLike) -> Headers:
    r"""Headers with names and texts fit for every compiler (SYCL's `include_files`).

    Parameters
    ----------
    headers : mapping or iterable of (str, str)
        By name, as it stands in the ``#include``.

    Raises
    ------
    SourceError
        A name that cannot be used, the same name twice, a name that is another one's folder, or a text that
        :func:`cl_magic.build.source.prepare_source` refuses; `name` is an attribute.

    Examples
    --------
    >>> checked_headers({"a.h": "#define A 1\r\n"})
    (('a.h', '#define A 1\n'),)
    """
    found: dict[str, str] = {}
    for name, text in headers.items() if isinstance(headers, Mapping) else headers:
        plain = header_name(name)
        if plain in found:
            _refuse(name, "is given twice", "give each header once")
        if not isinstance(text, str | bytes):
            _refuse(name, f"has no text but {type(text).__name__}", "give its text: {name: text}")
        try:
            found[plain] = prepare_source(text)[0]
        except SourceError as error:
            message = f"{plain}: {error.message}"
            raise SourceError(message, remedy=error.remedy, **{**error.facts, "name": plain}) from None
    for name in found:
        inner = next((other for other in found if other.startswith(f"{name}/")), None)
        if inner:
            _refuse(name, f"is a file and the folder of {inner}", "rename one of them")
    return tuple(found.items())


def found_as(written: str, base: str, names: Iterable[str]) -> str:
    """Virtual header that an ``#include`` means: beside the header that includes it first, then by its whole name.

    Parameters
    ----------
    written : str
        Between the quotes or angle brackets.
    base : str
        Folder of the virtual header that it stands in, "" for the source.
    names : container of str

    Returns
    -------
    str
        "" where it means none.

    Examples
    --------
    >>> found_as("b.h", "sub", ["b.h", "sub/b.h"]), found_as("./b.h", "", ["b.h"]), found_as("/b.h", "", ["b.h"])
    ('sub/b.h', 'b.h', '')
    """
    if written.startswith("/"):
        return ""
    tried = (posixpath.normpath(posixpath.join(base, written)), posixpath.normpath(written))
    return next((name for name in tried if name in names), "")


def with_places(text: str, headers: Headers, folder: str, base: str = "") -> str:
    r"""The text with each ``#include`` of a virtual header naming the file that it lies in; lines stay as they are.

    Examples
    --------
    >>> with_places('#include <a.h>\n#include "b.h"', (("a.h", ""),), "/tmp/h")
    '#include "/tmp/h/a.h"\n#include "b.h"'
    """
    names = dict(headers)

    def placed(match: re.Match[str]) -> str:
        written = match["quoted"] or match["angled"]
        name = found_as(written, base, names) if written else ""
        if not name:
            return match[0]
        lead = match[0][: match[0].index("include") + len("include")]
        return f'{lead} "{folder}/{name}"'

    return INCLUDE.sub(placed, text) if headers else text


def used_headers(source: str, headers: Headers, folders: Sequence[str] = ()) -> Headers:
    r"""Of `headers` those that a source includes, itself or through others; all where a macro names one.

    Parameters
    ----------
    source : str
    headers : tuple of (str, str)
    folders : sequence of str
        Of ``-I``: files in them may include virtual headers too.

    Examples
    --------
    >>> used_headers('#include "a.h"', (("a.h", '#include "b.h"'), ("b.h", ""), ("c.h", "")))
    (('a.h', '#include "b.h"'), ('b.h', ''))
    """
    texts, used = dict(headers), set()
    searched = [Path(folder) for folder in (".", *folders)]
    seen: set[Path] = set()
    waiting = [(source, "", searched)]
    while waiting and headers:
        text, base, places = waiting.pop()
        for match in INCLUDE.finditer(text):
            written = match["quoted"] or match["angled"]
            if not written:
                return headers
            name = found_as(written, base, texts)
            if name and name not in used:
                used.add(name)
                waiting.append((texts[name], posixpath.dirname(name), searched))
            for path in [] if name else candidates(written, places):
                if path not in seen:
                    seen.add(path)
                    waiting.append((path.read_text("utf-8", "replace"), "", [path.parent, *searched]))
    return tuple((name, text) for name, text in headers if name in used)


def cycle_of(headers: Headers) -> tuple[str, ...]:
    r"""Names of headers that include each other and have no guard, the first one again at the end; () for none.

    Examples
    --------
    >>> cycle_of((("a.h", '#include "b.h"'), ("b.h", '#include "a.h"')))
    ('a.h', 'b.h', 'a.h')
    >>> cycle_of((("a.h", '#pragma once\n#include "a.h"'),))
    ()
    """
    texts = {name: text for name, text in headers if not _is_guarded(text)}
    leads = {
        name: [
            found
            for match in INCLUDE.finditer(text)
            if (found := found_as(match["quoted"] or match["angled"] or "/", posixpath.dirname(name), texts))
        ]
        for name, text in texts.items()
    }
    done: set[str] = set()
    for name in leads:
        circle = _walk(name, leads, done)
        if circle:
            return circle
    return ()


def _walk(name: str, leads: Mapping[str, list[str]], done: set[str]) -> tuple[str, ...]:
    """The first cycle on the ways from `name`, without recursion: headers may nest deeply."""
    path, ways = [name], [iter(leads[name])]
    while path:
        following = next(ways[-1], None)
        if following is None:
            done.add(path.pop())
            ways.pop()
        elif following in path:
            return (*path[path.index(following) :], following)
        elif following not in done:
            path.append(following)
            ways.append(iter(leads[following]))
    return ()


def _is_guarded(text: str) -> bool:
    first = INCLUDE.search(text)
    above = text[: first.start()] if first else text
    return bool(_ONCE.search(text) or _GUARD.search(above))
