"""A program before it is built: text, options, headers, and where the text came from. A value, with a digest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from cl_magic.build.source_map import SourceMap


@dataclass(frozen=True, slots=True)
class ProgramSpec:
    r"""Everything that decides what a build gives, but for the device.

    Attributes
    ----------
    source : str
        OpenCL C text, line ends normalised to ``\n``, byte-order mark removed.
    options : tuple of str
        One option an item, ``-D NAME=VALUE`` glued (``-DNAME=VALUE``), values unquoted, as the user means them.
    include_dirs : tuple of str
        Absolute folders of ``-I``, in order.
    headers : tuple of (str, str)
        Virtual headers: name and text.
    included : tuple of (str, str)
        Files that the source includes: path and SHA-256 of their text.
    prelude : str
        Text that cl_magic puts in front of `source` (whole lines); ``source_map.prelude_lines`` counts it.
    source_map : SourceMap
        Positions for reports; not part of the digest.
    """

    source: str
    options: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    prelude: str = ""
    included: tuple[tuple[str, str], ...] = ()
    source_map: SourceMap = field(default=SourceMap(), compare=False)

    @property
    def text(self) -> str:
        """What the device's compiler gets: prelude, then source."""
        return self.prelude + self.source

    @property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of text, options, folders, headers and included files."""
        parts = [
            self.text,
            *self.options,
            "",
            *self.include_dirs,
            "",
            *(part for pair in self.headers for part in pair),
            "",
            *(part for pair in self.included for part in pair),
        ]
        joined = "".join(f"{len(part)}:{part}" for part in parts)
        return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()
