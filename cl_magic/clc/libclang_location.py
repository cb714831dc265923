"""Where libclang is: the library inside the distribution ``libclang``, version 18, or a reason why there is none.

PyPI's ``clang`` owns the same import name ``clang`` but carries no library; the library is therefore found by the path
in the distribution that has it, never by the system's search. Only the front end's own process loads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

REQUIRED_MAJOR = 18
"""LLVM version whose command line, cursor kinds and diagnostics the front end was written and tested for."""

_LIBRARY_NAMES = ("libclang.so", "libclang.dylib", "libclang.dll")


@dataclass(frozen=True, slots=True)
class LibclangLocation:
    """A library file, or why there is none.

    Attributes
    ----------
    path : str
        The library; "" when it is absent.
    version : str
        Of the distribution.
    reason : str
        Why the front end is absent, one sentence; "" when `path` is usable.
    """

    path: str = ""
    version: str = ""
    reason: str = ""


def locate_libclang() -> LibclangLocation:
    """Find the library file of the distribution ``libclang`` without loading it.

    Returns
    -------
    LibclangLocation
        With `path`, or with `reason`.

    Examples
    --------
    >>> found = locate_libclang()
    >>> bool(found.path) != bool(found.reason)
    True
    """
    try:
        distribution = metadata.distribution("libclang")
    except metadata.PackageNotFoundError:
        return LibclangLocation(reason="the package libclang is not installed")
    version = distribution.version
    if version.partition(".")[0] != str(REQUIRED_MAJOR):
        return LibclangLocation(version=version, reason=f"libclang is version {version}, {REQUIRED_MAJOR} is needed")
    files = [str(file.locate()) for file in distribution.files or () if file.name in _LIBRARY_NAMES]
    path = next((file for file in files if Path(file).is_file()), "")
    return LibclangLocation(path, version, "" if path else f"libclang {version} has no library file")


def load_cindex(location: LibclangLocation) -> Any:  # noqa: ANN401 - an untyped module
    """Import ``clang.cindex`` bound to the located library; in the front end's process only.

    Raises
    ------
    ImportError, OSError
        When the module or the library cannot be loaded.
    """
    from clang import cindex  # noqa: PLC0415 - never in the notebook's process

    cindex.Config.set_library_file(location.path)
    cindex.conf.lib  # noqa: B018 - loads the library now, so that its failure has one place
    return cindex
