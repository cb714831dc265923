"""A program's text and options as one driver gets them: awkward options by text, headers as files of this process."""

from __future__ import annotations

import atexit
import hashlib
import posixpath
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cl_magic.build.definitions import feature_macro
from cl_magic.build.handover import hand_over, include_options, named_as_typed
from cl_magic.build.options import Options
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.build.virtual_headers import with_places


@dataclass(frozen=True, slots=True)
class Handed:
    """What clBuildProgram gets, and how its positions lead back to the user's.

    Attributes
    ----------
    prelude : str
        All whole lines in front of the user's source.
    source_map : SourceMap
        The spec's, with `prelude` counted.
    plain : str
        `text` as every process has it: no place of a virtual header in it.
    """

    text: str
    options: str
    prelude: str
    source_map: SourceMap
    notes: tuple[str, ...] = ()
    plain: str = ""


class Handing:
    """Hands programs over; keeps headers and links in one folder of this process until :meth:`close`."""

    def __init__(self) -> None:
        self._root: Path | None = None

    @property
    def root(self) -> Path:
        """The folder, made when first needed."""
        if self._root is None:
            self._root = Path(tempfile.mkdtemp(prefix="cl_magic-"))
            atexit.register(self.close)
        return self._root

    def give(self, spec: ProgramSpec, family: str) -> Handed:
        """Text, options and map for the driver of a compiler family.

        Raises
        ------
        OptionError
            An include folder cannot be handed over.

        Examples
        --------
        >>> Handing().give(ProgramSpec("kernel void f() {}", options=("-DN=1",)), "pocl").options
        '-DCL_MAGIC=100 -DN=1 -cl-kernel-arg-info'
        """
        given = hand_over(Options(options=spec.options, include_dirs=spec.include_dirs), family)
        place = self._place(spec.headers)
        folders = (place, *given.include_dirs) if place else given.include_dirs
        includes = include_options(folders, self.root) if folders else ()
        prelude = given.prelude + spec.prelude
        lines = spec.source_map.prelude_lines + given.prelude_lines
        source_map = replace(spec.source_map, prelude_lines=lines)
        options = " ".join((*feature_macro(spec.options), *given.options, *includes))
        text = prelude + with_places(spec.source, spec.headers, place)
        return Handed(text, options, prelude, source_map, given.notes, prelude + spec.source)

    def as_typed(self, log: str) -> str:
        """A log with the user's names of folders in place of links, and of headers in place of their files."""
        if self._root is None:
            return log
        return named_as_typed(re.sub(rf"{re.escape(str(self._root))}/headers-\w+/", "", log), self._root)

    def close(self) -> None:
        """Remove the folder."""
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)
            self._root = None

    def _place(self, headers: Sequence[tuple[str, str]]) -> str:
        """Folder that holds the virtual headers; "" where there are none."""
        if not headers:
            return ""
        digest = hashlib.sha256(repr(headers).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        folder = self.root / f"headers-{digest}"
        for name, text in headers:
            path = folder / name
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                placed = with_places(text, tuple(headers), str(folder), posixpath.dirname(name))
                path.write_text(placed, encoding="utf-8", newline="\n")
        return str(folder)
