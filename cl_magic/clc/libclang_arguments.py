"""Build options of OpenCL, turned into libclang's command line.

Only what changes the meaning of the text is passed on: definitions, folders, language version, literal precision,
extensions and warning switches. Everything else (optimisation, argument info, vendor options) is the device's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cl_magic._version import FEATURE_MACRO
from cl_magic.clc.analysis import AnalysisRequest

SOURCE_PATH = "/cl_magic/source.cl"
"""Name that libclang gets for the text itself; neither file nor folder exists."""
HEADER_DIR = "/cl_magic/headers"
"""Folder, which does not exist, of the virtual headers of a request."""
BASE_DIR = "/cl_magic/base"
"""Folder, which does not exist, of our ``opencl-c-base.h``."""

DEFAULT_LANGUAGE_VERSION = "CL1.2"
"""Without ``-cl-std`` a device compiles the highest OpenCL C 1.x that it has (OpenCL 3.0, clBuildProgram)."""

_FIXED = (
    "-target", "spir64", "-Xclang", "-fdeclare-opencl-builtins", "-Xclang", "-finclude-default-header",
    "-I", BASE_DIR, "-fparse-all-comments", "-ferror-limit=200",
)  # fmt: skip

WARNINGS = (
    "-Wall",
    "-Wuninitialized",
    "-Wconditional-uninitialized",
    "-Wunreachable-code-return",
    "-Wno-unused-function",
    "-Wno-unknown-pragmas",
    "-Wno-unknown-warning-option",
    # build/characters.py names these characters, with the column and what belongs there, also without libclang.
    "-Wno-unicode-whitespace",
    "-Wno-unicode-homoglyph",
    "-Wno-unicode-zero-width",
)
"""What finds mistakes in kernels without talking about style."""

_VERSIONS = ("CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0")
"""Versions of OpenCL C that libclang 18 knows; C++ for OpenCL aside."""

_FEATURES = {"cl_khr_fp64": ("__opencl_c_fp64",)}

_WITH_VALUE = ("-D", "-U", "-I", "-include")
_PASSED = ("-D", "-U", "-I", "-include", "-cl-std=", "-cl-ext=", "-W", "-w")
_PASSED_WHOLE = (
    "-cl-single-precision-constant",
    "-cl-fast-relaxed-math",
    "-cl-finite-math-only",
    "-cl-denorms-are-zero",
)


def libclang_arguments(request: AnalysisRequest, *, language: str = "cl") -> list[str]:
    """Command line for one request.

    Parameters
    ----------
    request : AnalysisRequest
        Options of other kinds than named above are dropped.
    language : {"cl", "clcpp"}

    Returns
    -------
    list of str
        Without the name of the source.

    Examples
    --------
    >>> arguments = libclang_arguments(AnalysisRequest("", ("-DN=4", "-cl-opt-disable", "-cl-std=CL2.0")))
    >>> "-DN=4" in arguments, "-cl-opt-disable" in arguments, "-cl-std=CL2.0" in arguments
    (True, False, True)
    """
    passed = list(_passed(_glued(request.options)))
    if not any(option.startswith("-cl-std=") for option in passed):
        passed.insert(0, f"-cl-std={_known_version(request.language_version)}")
    name = FEATURE_MACRO.partition("=")[0]
    if not any(option.partition("=")[0] == name for option in passed):
        passed.insert(0, FEATURE_MACRO)
    # A warning switch of the user comes after ours and wins.
    # Drivers look for "name.h" in the current folder before those of -I; that of this process is the notebook's.
    folders = ["-iquote", HEADER_DIR, "-iquote", ".", *(f"-I{each}" for each in (HEADER_DIR, *request.include_dirs))]
    return ["-x", language, *_FIXED, *WARNINGS, *folders, *passed, *_without(request.lacking)]


def _without(lacking: Sequence[str]) -> list[str]:
    """Switch extensions off, and the feature macros that OpenCL C 3.0 has for the same."""
    names = [word for name in lacking for word in (name, *_FEATURES.get(name, ()))]
    return ["-Xclang", f"-cl-ext={','.join(f'-{name}' for name in names)}"] if names else []


def _known_version(version: str) -> str:
    """The given version if libclang knows it, else the highest below it (drivers may be newer), else the default."""
    if version.startswith("CLC++") or version in _VERSIONS:
        return version
    below = [known for known in _VERSIONS if known < version]
    return below[-1] if below and version.startswith("CL") else DEFAULT_LANGUAGE_VERSION


def _glued(options: Sequence[str]) -> Iterator[str]:
    """Options with the value of a lone ``-D``, ``-I`` … glued to it."""
    waiting = ""
    for option in options:
        if waiting:
            yield waiting + option
            waiting = ""
        elif option in _WITH_VALUE:
            waiting = option
        else:
            yield option


def _passed(options: Iterator[str]) -> Iterator[str]:
    for option in options:
        # "-Wl,x" and "-Wp,x" would reach other tools, and -Werror changes no fact about the text.
        if option.startswith(("-Wl,", "-Wp,", "-Wa,", "-Werror")):
            continue
        if option.startswith(_PASSED) or option in _PASSED_WHOLE:
            newer = option.removeprefix("-cl-std=") if option.startswith("-cl-std=CL3.") else ""
            yield f"-cl-std={_known_version(newer)}" if newer else option
