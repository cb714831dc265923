"""The headers that a text may see while it is typed: virtual ones, and plain files of the notebook's own folders.

A file is read only when it is a regular one, at most 1 MB, and lies, with all links followed, under the notebook's
folder or one of ``-I``; the root of the file system and the system's own folders are no such folder.
"""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cl_magic.build.includes import INCLUDE
from cl_magic.build.virtual_headers import found_as
from cl_magic.clc.libclang_arguments import SOURCE_PATH
from cl_magic.language.sealed import first_tried

MAX_FILE_BYTES = 1_000_000
MAX_FILES = 200
MAX_TOTAL_BYTES = 4_000_000
_SYSTEM = ("/dev", "/proc", "/sys")


@dataclass(frozen=True, slots=True)
class VisibleFiles:
    """What a text may see.

    Attributes
    ----------
    headers : tuple of (str, str)
        Path that the compiler tries first, and text.
    names : dict of str to str
        The name to tell for each such path.
    refused : dict of str to str
        Path that is tried, and why the file that it would be is not read.
    """

    headers: tuple[tuple[str, str], ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text to look through: its path for the compiler, its virtual folder or its real one."""

    text: str
    path: str
    base: str = ""
    folder: str = ""


def visible_files(
    source: str, virtual: Mapping[str, str], *, home: str, folders: Sequence[str] = (), forced: Sequence[str] = ()
) -> VisibleFiles:
    """Find what a text includes, itself or through others, as far as it may be read.

    Parameters
    ----------
    source : str
    virtual : mapping of str to str
        Virtual headers: name to text.
    home : str
        The notebook's folder.
    folders : sequence of str
        Absolute folders of ``-I``.
    forced : sequence of str
        Names of ``-include``.

    Examples
    --------
    >>> seen = visible_files('#include "a.h"', {"a.h": "#define A 1"}, home="/nowhere")
    >>> seen.headers
    (('/cl_magic/a.h', '#define A 1'),)
    """
    search = _Search(virtual, home, tuple(folders))
    search.take("".join(f'#include "{name}"\n' for name in forced), "")
    search.take(source, SOURCE_PATH)
    return VisibleFiles(tuple(search.found.items()), search.names, search.refused)


class _Search:
    def __init__(self, virtual: Mapping[str, str], home: str, folders: tuple[str, ...]) -> None:
        self.virtual = virtual
        self.home = home
        self.folders = folders
        self.roots = tuple(root for root in map(os.path.realpath, (home, *folders)) if not is_system(root))
        self.found: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.refused: dict[str, str] = {}
        self.first: dict[str, str] = {}
        self.bytes = 0

    def take(self, source: str, path: str) -> None:
        waiting = [_Text(source, path)]
        while waiting:
            text = waiting.pop()
            for match in INCLUDE.finditer(text.text):
                written = match["quoted"] or match["angled"]
                if not written or "\0" in written:
                    continue
                tried = first_tried(written, text.path, angled=match["angled"] is not None)
                if tried in self.found or tried in self.refused:
                    continue
                inner = self._resolved(written, tried, text)
                waiting += [inner] if inner else []

    def _resolved(self, written: str, tried: str, text: _Text) -> _Text | None:
        name = "" if text.folder else found_as(written, text.base, self.virtual)
        if name or (name := found_as(written, "", self.virtual)):
            inner = _Text(self.virtual[name], tried, base=posixpath.dirname(name))
        else:
            real = self._real(written, text.folder)
            if real is None:
                return None
            contents, why = self._read(real)
            if contents is None:
                self.refused[tried] = why
                return None
            name, inner = written, _Text(contents, tried, folder=str(real.parent))
        if len(self.found) >= MAX_FILES or self.bytes + len(inner.text) > MAX_TOTAL_BYTES:
            self.refused[tried] = f"more than {MAX_FILES} headers, or {MAX_TOTAL_BYTES // 1_000_000} MB of them"
            return None
        self.bytes += len(inner.text)
        # One text under two paths would be two files for #pragma once.
        key = f"{inner.folder}:{name}"
        first = self.first.setdefault(key, tried)
        self.found[tried], self.names[tried] = (inner.text if first == tried else f'#include "{first}"'), name
        return inner if first == tried else None

    def _real(self, written: str, folder: str) -> Path | None:
        """The file that a compiler would take, which may be anything; None where there is none."""
        places = [folder] if folder else []
        for place in dict.fromkeys((*places, self.home, *self.folders)):
            path = Path(place, written)
            try:
                if path.exists():
                    return path
            except (OSError, ValueError):  # a name that the system does not take
                return None
        return None

    def _read(self, path: Path) -> tuple[str | None, str]:
        real = os.path.realpath(path)
        if not any(real == root or real.startswith(f"{root}/") for root in self.roots) or is_system(real):
            return None, "it is neither under the notebook's folder nor under one of -I"
        try:
            return _regular_text(real)
        except OSError as error:
            return None, str(error.strerror)


def is_system(path: str) -> bool:
    """Whether a path is the root of the file system, or inside folders whose files are the system itself."""
    return path == "/" or any(path == folder or path.startswith(f"{folder}/") for folder in _SYSTEM)


def _regular_text(path: str) -> tuple[str | None, str]:
    # Not blocking: between the check and the opening a pipe may take the file's place.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(descriptor, "rb") as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            return None, "it is no regular file"
        if state.st_size > MAX_FILE_BYTES:
            return None, "it has more than 1 MB"
        return file.read(MAX_FILE_BYTES).decode("utf-8", "replace"), ""
