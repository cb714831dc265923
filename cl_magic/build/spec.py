"""A program before it is built: text, options, headers, and where the text came from. A value, with a digest."""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass, field
from typing import Literal

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
    names : tuple of str
        Registered names: expressions that name kernels, ``axpy<float>``.
    plain : str
        `source` with templates and overloads turned into plain OpenCL C; "" where it has none.
    source_map : SourceMap
        Positions for reports; not part of the digest.
    stage : {"program", "object", "library"}
        What is made of it: kernels to run, or something to link (OpenCL 1.2, 5.6.3).
    parts : tuple of ProgramSpec
        Objects and libraries that are linked; `source` is then all their texts, and `options` are the linker's.
    form : {"source", "binary", "il", "built-in"}
        What the device gets (OpenCL 1.2, 5.6.1).
    code : str
        Base64 of a binary or of intermediate language; names of built-in kernels with ``;`` between them.
    """

    source: str
    options: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    prelude: str = ""
    included: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    plain: str = ""
    source_map: SourceMap = field(default=SourceMap(), compare=False)
    stage: Literal["program", "object", "library"] = "program"
    parts: tuple[ProgramSpec, ...] = ()
    form: Literal["source", "binary", "il", "built-in"] = "source"
    code: str = ""

    @property
    def text(self) -> str:
        """What the device's compiler gets: prelude, then source."""
        return self.prelude + (self.plain or self.source)

    @property
    def for_device(self) -> ProgramSpec:
        """The same with `plain` for its source: what an engine builds. Its digest is the same.

        Examples
        --------
        >>> spec = ProgramSpec("template<class T> kernel void f(global T *x) {}", names=("f<int>",), plain="…")
        >>> spec.for_device.source, spec.for_device.digest == spec.digest
        ('…', True)
        """
        return dataclasses.replace(self, source=self.plain, plain="") if self.plain else self

    @property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of text, options, folders, headers, included files and registered names."""
        parts = [
            self.text,
            *self.options,
            "",
            *self.include_dirs,
            "",
            *(part for pair in self.headers for part in pair),
            "",
            *(part for pair in self.included for part in pair),
            *(("", *self.names) if self.names else ()),
            *(() if self.stage == "program" else ("stage", self.stage)),
            *(() if self.form == "source" else (self.form, self.code)),
            *(("parts", *(part.digest for part in self.parts)) if self.parts else ()),
        ]
        joined = "".join(f"{len(part)}:{part}" for part in parts)
        return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()
