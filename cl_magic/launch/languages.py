"""Which source languages a device takes, which options it cannot honour: said before the compiler is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cl_magic.errors import OptionError
from cl_magic.launch.limits import DeviceInfo

_VERSION = re.compile(r"(?:opencl ?c?|clc?)? ?(\d)\.(\d)")
_PLAIN = ("opencl", "opencl c", "openclc", "cl", "clc", "c")
_CPP = ("c++", "cpp", "clc++", "c++ for opencl", "cxx")
_IL = ("il", "spirv", "spir-v")
_RELAXED = ("-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations")
_OPTIMISING = (*_RELAXED, "-cl-mad-enable")
_LINKING = ("-create-library", "-enable-link-options")
_ROUNDED = "-cl-fp32-correctly-rounded-divide-sqrt"
_CONFLICTS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("-cl-opt-disable", _OPTIMISING, "one asks for no optimisation, the other for one"),
    (_ROUNDED, _RELAXED, "one asks for exact division, the other gives it up"),
)
_UNNOTICED = {
    "oclgrind": (
        "-cl-single-precision-constant",
        "-cl-denorms-are-zero",
        "-cl-fast-relaxed-math",
        "-cl-finite-math-only",
        "-cl-no-signed-zeros",
        "-cl-unsafe-math-optimizations",
    ),
}
"""Options that a driver takes without any effect (measured by tests/device/test_options_table.py)."""


def takes_language(device: DeviceInfo, language: str) -> bool:
    """Whether a device builds programs in a language: OpenCL C, a version of it, C++ for OpenCL, SPIR-V (S-07).

    Parameters
    ----------
    device : DeviceInfo
    language : str
        ``"OpenCL C"``, ``"CL2.0"``, ``"CLC++2021"``, ``"SPIR-V"``, in any case. An unknown one is taken by no device.

    Examples
    --------
    >>> cpu = DeviceInfo("0:0", "cpu", "PoCL", "3.0", ("cpu",), opencl_c_versions=("1.2", "3.0"))
    >>> [takes_language(cpu, name) for name in ("OpenCL C", "CL3.0", "CL3.1", "CLC++2021", "SPIR-V", "Fortran")]
    [True, True, False, False, False, False]
    """
    name = language.strip().lower().removeprefix("-cl-std=")
    if name in _IL:
        return bool(device.il_versions)
    if not device.compiler_available:
        return False
    if name.startswith(_CPP):
        return device.family == "intel" or "cl_ext_cxx_for_opencl" in device.extensions
    match = _VERSION.fullmatch(name)
    return f"{match[1]}.{match[2]}" in _versions(device) if match else name in _PLAIN


def check_options(options: Sequence[str], device: DeviceInfo) -> tuple[str, ...]:
    """Refuse build options that contradict each other or that a device cannot honour; notes on those without effect.

    Parameters
    ----------
    options : sequence of str
        One option an item, of :func:`cl_magic.build.options.parse_options`.
    device : DeviceInfo

    Raises
    ------
    OptionError
        With `option`; the remedy says what the device has (OpenCL 1.2, 5.6.4).

    Examples
    --------
    >>> cpu = DeviceInfo("0:0", "cpu", "PoCL", "3.0", ("cpu",), opencl_c_versions=("1.2", "3.0"))
    >>> check_options(["-cl-std=CL9.9"], cpu)
    Traceback (most recent call last):
    ...
    cl_magic.errors.OptionError: -cl-std=CL9.9: PoCL cpu does not have this OpenCL C
    → it takes CL1.2, CL3.0
    """
    _check_language(options, device)
    _check_conflicts(options)
    given = set(options)
    config = device.single_fp_config
    if _ROUNDED in given and config and "correctly_rounded_divide_sqrt" not in config:
        msg = f"{_ROUNDED}: {device.short_name} does not round division and square roots exactly"
        raise OptionError(msg, remedy="remove it (OpenCL 1.2, 5.6.4.2: such a build must fail)", option=_ROUNDED)
    notes = []
    if "-cl-denorms-are-zero" in given and config and "denorm" not in config:
        notes.append(f"-cl-denorms-are-zero changes nothing: {device.short_name} has no denormal floats anyway")
    if {"-w", "-Werror"} <= given:
        notes.append("-w leaves no warning that -Werror could make an error")
    unnoticed = [option for option in options if option in _UNNOTICED.get(device.family, ())]
    notes += [f"{option} has no effect: {device.short_name} takes no notice of it" for option in unnoticed]
    return tuple(notes)


def _versions(device: DeviceInfo) -> tuple[str, ...]:
    """Versions of OpenCL C that a device takes as ``-cl-std``: those it lists, but for what was measured otherwise."""
    listed = device.opencl_c_versions or ("1.0", "1.1", "1.2")
    if device.simulator or (device.family == "pocl" and device.driver_version.startswith("3.")):
        # Both list no 2.0 and take it: Oclgrind with its non-uniform groups, PoCL 3.0 without generic pointers.
        listed = tuple(sorted({*listed, "2.0"}))
    # PoCL and NVIDIA list 1.0 and refuse the option: it is none of OpenCL 1.2, 5.6.4.5.
    return tuple(version for version in listed if device.family not in ("pocl", "nvidia") or version != "1.0")


def _check_language(options: Sequence[str], device: DeviceInfo) -> None:
    option = next((one for one in options if one.startswith("-cl-std=")), "")
    language = option[8:]
    if not option or takes_language(device, language):
        return
    versions = _versions(device)
    listed = ", ".join(f"CL{version}" for version in versions)
    if language.upper().startswith("CLC++"):
        msg = f"{option}: {device.short_name} does not take C++ for OpenCL"
        remedy = "without it templates and overloads are built everywhere (names=…); " if listed else ""
        raise OptionError(msg, remedy=f"{remedy}it takes {listed}", option=option, versions=versions)
    msg = f"{option}: {device.short_name} does not have this OpenCL C"
    raise OptionError(msg, remedy=f"it takes {listed}", option=option, versions=versions)


def _check_conflicts(options: Sequence[str]) -> None:
    for first, others, why in _CONFLICTS:
        other = next((option for option in options if option in others), "") if first in options else ""
        if other:
            msg = f"{first} and {other} contradict each other: {why}"
            raise OptionError(msg, remedy="keep one of them", option=other, options=(first, other))
    link = next((option for option in options if option in _LINKING), "")
    if link:
        msg = f"{link} cannot be used in a build: it selects what linking makes (OpenCL 1.2, 5.6.5.1)"
        raise OptionError(msg, remedy="remove it", option=link)
