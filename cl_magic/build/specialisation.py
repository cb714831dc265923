"""A program's text and options for one kernel with its sizes known to the compiler."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from cl_magic.build.lexical import blank_comments
from cl_magic.build.spec import ProgramSpec
from cl_magic.errors import SourceError

_KERNEL = r"\b(?:__)?kernel\b"
_MACRO_STEM = "CL_MAGIC_"


def specialised(
    spec: ProgramSpec, kernel: str, required: tuple[int, int, int] | None, macros: Mapping[str, int]
) -> ProgramSpec:
    """The specification of the same program with a required work-group size for one kernel, and macros for sizes.

    The lines of the text stay. Macros that the program does not use are left out, so that they cost no other build.

    Parameters
    ----------
    spec : ProgramSpec
        As it was built: where `plain` is set, that is what becomes the source.
    kernel : str
        Name of the kernel in what the compiler gets.
    required : tuple of int or None
        Work-items of a group, for ``reqd_work_group_size`` (OpenCL C 1.2, 6.7.2); None leaves the text as it is.
    macros : mapping of str to int

    Raises
    ------
    SourceError
        The text has no such kernel: a macro or a header makes it.

    Examples
    --------
    >>> spec = ProgramSpec("kernel void f(global int *x) {}")
    >>> made = specialised(spec, "f", (64, 1, 1), {"CL_MAGIC_LOCAL_SIZE_X": 64})
    >>> made.source, made.options
    ('kernel __attribute__((reqd_work_group_size(64, 1, 1))) void f(global int *x) {}', ())
    """
    require_source(spec)
    text = spec.plain or spec.source
    everything = "".join([text, *spec.options, *(header for _, header in spec.headers)])
    used = {name: n for name, n in macros.items() if spec.included or name in everything or _pasted(everything)}
    names = () if spec.plain else spec.names
    options = (*spec.options, *(f"-D{name}={number}" for name, number in used.items()))
    made = _with_attribute(text, kernel, required) if required else text
    return replace(spec, source=made, plain="", names=names, options=options)


def require_source(spec: ProgramSpec) -> None:
    """Refuse to build another text of a program that is linked, or that has no text.

    Raises
    ------
    SourceError

    Examples
    --------
    >>> require_source(ProgramSpec("kernel void f() {}"))
    """
    if spec.form != "source":
        message = f"{spec.source_map.name} has no source that could be built with other text in front"
        remedy = "give a local size that divides the global size, or build the program from its source"
        raise SourceError(message, remedy=remedy, form=spec.form)
    if spec.parts:
        message = f"{spec.source_map.name} is linked: its objects are compiled already"
        raise SourceError(message, remedy="build the cells as one source", parts=len(spec.parts))


def _pasted(text: str) -> bool:
    """Whether the names of macros may be made by ``##``."""
    return "##" in text and _MACRO_STEM in text


def _with_attribute(text: str, kernel: str, required: tuple[int, int, int]) -> str:
    """The text with the attribute behind the word ``kernel`` of the definition, and of declarations, of a kernel."""
    bare = blank_comments(text, literals=True)
    ends = []
    for match in re.finditer(rf"\b{re.escape(kernel)}\s*\(", bare):
        # Between the word and the name are a type and attributes, no end of another declaration.
        start = max(bare.rfind(char, 0, match.start()) for char in ";{}") + 1
        words = list(re.finditer(_KERNEL, bare[start : match.start()]))
        if words:
            ends.append(start + words[-1].end())
    if not ends:
        msg = f"the source does not spell the definition of kernel {kernel}: a macro or a header makes it"
        remedy = "write __attribute__((reqd_work_group_size(X, Y, Z))) there, with macros: -DX=64"
        raise SourceError(msg, remedy=remedy, kernel=kernel)
    sizes = ", ".join(map(str, required))
    for end in reversed(dict.fromkeys(ends)):
        text = f"{text[:end]} __attribute__((reqd_work_group_size({sizes}))){text[end:]}"
    return text
