"""From source, options and headers to a specification, with the facts of what it includes."""

from __future__ import annotations

from cl_magic.build.includes import included_files
from cl_magic.build.options import Options
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.build.virtual_headers import Headers


def program_spec(
    text: str, parsed: Options, source_map: SourceMap, *, names: tuple[str, ...] = (), headers: Headers = ()
) -> ProgramSpec:
    """Specification of a source text.

    Parameters
    ----------
    text : str
        As :func:`cl_magic.build.source.prepare_source` gives it.
    parsed : Options
    source_map : SourceMap
    names : tuple of str
        Registered names.
    headers : tuple of (str, str)
        Virtual headers, as :func:`cl_magic.build.virtual_headers.checked_headers` gives them.

    Examples
    --------
    >>> program_spec("int x;", Options(), SourceMap(), headers=(("a.h", ""),)).headers
    (('a.h', ''),)
    """
    folders = parsed.include_dirs
    included = included_files("\n".join((text, *(header for _, header in headers))), folders)
    return ProgramSpec(text, parsed.options, folders, headers, included=included, names=names, source_map=source_map)
