"""Build options known by name: the standard ones, those that no device can take, and what to write instead."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from cl_magic.errors import OptionError

LANGUAGES = ("CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CLC++", "CLC++1.0", "CLC++2021")
"""Values of ``-cl-std`` (OpenCL 3.0, 5.8.6.5; CLC++ from cl_ext_cxx_for_opencl)."""

STANDARD = (
    "-cl-std",
    "-cl-single-precision-constant",
    "-cl-denorms-are-zero",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-opt-disable",
    "-cl-strict-aliasing",
    "-cl-uniform-work-group-size",
    "-cl-no-subgroup-ifp",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-cl-kernel-arg-info",
)
"""OpenCL 1.2, 5.6.4, to 3.0, 5.8.6."""

_ACTION = "the driver compiles and links in memory, so no other action can be chosen"
_TARGET = "the device is the target"
_LINK = "a device program has no host libraries"
_REFUSED: dict[str, tuple[str, str]] = {
    "-c": (_ACTION, "remove it; --compile stops before linking"),
    "-S": (_ACTION, "remove it; --emit=asm shows what was built"),
    "-E": (_ACTION, "remove it"),
    "-o": ("a build writes no file", "remove it; clm.save_binary(program) gives the bytes"),
    "-x": (_TARGET, "remove it; --std=CLC++2021 chooses C++ for OpenCL"),
    "-L": (_LINK, "remove it"),
    "-l": (_LINK, "remove it"),
    "-target": (_TARGET, "remove it; --device= chooses the device"),
    "-march": (_TARGET, "remove it; --device= chooses the device"),
    "-arch": (_TARGET, "remove it; --device= chooses the device"),
    "-fsanitize": ("no OpenCL driver has sanitizers", 'run on the simulator: device="oclgrind" finds such faults'),
    "-fsycl": ("a cell is OpenCL C, not SYCL", "remove it"),
    "-include": ("drivers do not know it", 'write #include "…" in the source'),
}
_GLUED = ("-x", "-L", "-l", "-fsanitize", "-fsycl", "-march", "-target", "-arch")


def refuse(item: str) -> None:
    """Raise OptionError for an option that no device could take.

    Examples
    --------
    >>> refuse("-cl-mad-enable")
    >>> refuse("-fsanitize=address")
    Traceback (most recent call last):
    ...
    cl_magic.errors.OptionError: -fsanitize=address cannot be used: no OpenCL driver has sanitizers
    → run on the simulator: device="oclgrind" finds such faults
    """
    name = item.lstrip("-").partition("=")[0]
    key = next((known for known in _GLUED if item.startswith((known, "-" + known)) and len(known) > 2), "")  # noqa: PLR2004 - two characters: dash and letter
    key = key or (item if item in _REFUSED else item[:2] if item[:2] in _GLUED else "")
    if key in _REFUSED:
        reason, remedy = _REFUSED[key]
        msg = f"{item} cannot be used: {reason}"
        raise OptionError(msg, remedy=remedy, option=item, name=name)


def refuse_all(items: Iterable[str]) -> None:
    """Raise one OptionError that names every option which no device could take; `options` lists them (S-42).

    Examples
    --------
    >>> refuse_all(["-w", "-c", "-o", "-cl-mad-enable"])
    Traceback (most recent call last):
    ...
    cl_magic.errors.OptionError: -c cannot be used: the driver compiles and links in memory, so no other action can be \
chosen; -o cannot be used: a build writes no file
    → -c: remove it; --compile stops before linking; -o: remove it; clm.save_binary(program) gives the bytes
    """
    errors = []
    for item in items:
        try:
            refuse(item)
        except OptionError as error:
            errors.append(error)
    if len(errors) > 1:
        remedy = "; ".join(f"{error.option}: {error.remedy}" for error in errors)
        options = tuple(error.option for error in errors)
        raise OptionError(
            "; ".join(error.message for error in errors), remedy=remedy, options=options, option=options[0]
        )
    if errors:
        raise errors[0]


def check_spelling(item: str) -> None:
    """Raise OptionError for a ``-cl-…`` option that is nearly, but not quite, a standard one (R-60).

    What is far from every standard name may be a vendor's (``-cl-nv-verbose``): the driver judges it.

    Examples
    --------
    >>> check_spelling("-cl-nv-verbose")
    >>> check_spelling("-cl-no-signed-zeroes")
    Traceback (most recent call last):
    ...
    cl_magic.errors.OptionError: unknown build option -cl-no-signed-zeroes
    → did you mean -cl-no-signed-zeros?
    """
    name, _, value = item.partition("=")
    if not name.startswith("-cl-") or name in STANDARD:
        return
    close = difflib.get_close_matches(name, STANDARD, n=1, cutoff=0.85)
    if close:
        meant = close[0] + (f"={value}" if value else "")
        msg = f"unknown build option {name}"
        raise OptionError(msg, remedy=f"did you mean {meant}?", option=item, suggestion=meant)


def language_option(value: str) -> str:
    """``-cl-std=`` option of a language version in any spelling.

    Raises
    ------
    OptionError
        For a version that there is not.

    Examples
    --------
    >>> language_option("cl1.2"), language_option("3.0"), language_option("clc++2021")
    ('-cl-std=CL1.2', '-cl-std=CL3.0', '-cl-std=CLC++2021')
    """
    text = value.strip().strip("\"'")
    for language in LANGUAGES:
        if text.upper() in {language.upper(), language[2:].upper()}:
            return f"-cl-std={language}"
    msg = f"there is no OpenCL C version {value!r}"
    raise OptionError(msg, remedy=f"choose one of {', '.join(LANGUAGES)}", option=f"-cl-std={value}", value=value)
