"""libclang in a process that can open no file: what it sees is given by value, under the path that it tries first.

Where a path that is tried is not there, the system says "too many open files" and not "no such file", so that the
compiler does not go on searching. That is why a text is read before (`files`) and each ``#include`` gets the one path.
"""

from __future__ import annotations

from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.clc.libclang import BASE_HEADER_PATH, Libclang
from cl_magic.clc.libclang_arguments import BASE_DIR, HEADER_DIR, SOURCE_PATH, libclang_arguments

SOURCE_DIR = SOURCE_PATH.rpartition("/")[0]
_FOLDERS = frozenset({"-iquote", HEADER_DIR, ".", f"-I{HEADER_DIR}"})


class SealedLibclang(Libclang):
    """libclang whose requests name their headers by the paths that are tried (see :func:`first_tried`)."""

    def arguments(self, request: AnalysisRequest, language: str) -> list[str]:
        """Command line for a request, without any folder of the system."""
        alone = AnalysisRequest(request.source, request.options, (), (), request.language_version, request.lacking)
        given = libclang_arguments(alone, language=language)
        kept = [word for word in given if word not in _FOLDERS]
        # The default header is searched for in the current folder first; named by its path it is not searched for.
        at = kept.index("-finclude-default-header")
        return [*kept[: at - 1], "-cl-no-stdinc", "-include", BASE_HEADER_PATH, *kept[at + 1 :]]

    def files(self, request: AnalysisRequest) -> list[tuple[str, bytes]]:
        """The text, the base header, and the headers under their own paths."""
        plain = AnalysisRequest(request.source)
        return [*super().files(plain), *((path, text.encode("utf-8", "replace")) for path, text in request.headers)]


def first_tried(written: str, includer: str, *, angled: bool) -> str:
    """Path under which the compiler looks first for what an ``#include`` names.

    Parameters
    ----------
    written : str
        Between the quotes or angle brackets.
    includer : str
        Path of the text that the line stands in; "" for ``-include``.
    angled : bool

    Examples
    --------
    >>> first_tried("a.h", SOURCE_PATH, angled=False), first_tried("a.h", SOURCE_PATH, angled=True)
    ('/cl_magic/a.h', '/cl_magic/base/a.h')
    """
    if written.startswith("/"):
        return written
    folder = BASE_DIR if angled else includer.rpartition("/")[0] if includer else "."
    return f"{folder}/{written}"
