"""The build options of OpenCL with one line each, for ``%opencl options`` (OpenCL 1.2, 5.6.4, to 3.0, 5.8.6)."""

from __future__ import annotations

from cl_magic.errors import OptionError
from cl_magic.launch.languages import check_options, takes_language
from cl_magic.launch.limits import DeviceInfo

LANGUAGES = ("CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CLC++2021")

OPTION_MEANINGS: tuple[tuple[str, str], ...] = (
    ("-D NAME", "define a macro as 1"),
    ("-D NAME=VALUE", "define a macro; -DT={1,2} and -DF(a)=a*2 work too"),
    ("-I FOLDER", "search a folder for #include"),
    (
        "-cl-std=CL1.2",
        "OpenCL C version, as --std=CL1.2; else the device decides",
    ),
    ("-cl-single-precision-constant", "1.0 is a float, not a double"),
    ("-cl-denorms-are-zero", "the smallest numbers may become zero"),
    (
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "exact rounding of x / y and sqrt(x), where the device can",
    ),
    ("-cl-opt-disable", "no optimisation"),
    ("-cl-strict-aliasing", "OpenCL 1.0 only: pointers of different types never meet"),
    ("-cl-uniform-work-group-size", "CL2.0 on: global sizes are multiples of local sizes"),
    ("-cl-no-subgroup-ifp", "CL2.0 on: sub-groups need not progress independently"),
    ("-cl-mad-enable", "a * b + c may be computed with less precision"),
    ("-cl-no-signed-zeros", "-0.0 and +0.0 are the same"),
    ("-cl-unsafe-math-optimizations", "sums may be reordered; implies the two above"),
    ("-cl-finite-math-only", "no NaN and no infinity ever occur"),
    ("-cl-fast-relaxed-math", "all of the above; defines __FAST_RELAXED_MATH__"),
    ("-cl-kernel-arg-info", "keep argument names; added where a device needs it"),
    ("-w", "no warnings"),
    ("-Werror", "warnings are errors"),
    ("-g", "debug information, where the compiler has it"),
)


def option_notes(device: DeviceInfo) -> tuple[str, ...]:
    """What a device makes of the options: the languages that it takes, those without effect, those it cannot have.

    Examples
    --------
    >>> option_notes(DeviceInfo("0:0", "cpu", "Intel", "3.0", ("cpu",), opencl_c_versions=("1.2",)))
    ('Intel cpu takes -cl-std=CL1.2, CLC++2021.',)
    """
    taken = [language for language in LANGUAGES if takes_language(device, language)]
    notes = [f"{device.short_name} takes -cl-std={', '.join(taken)}."]
    for name, _ in OPTION_MEANINGS:
        if name.startswith("-cl-") and "=" not in name:
            try:
                notes += check_options([name], device)
            except OptionError as error:
                notes.append(error.message)
    return tuple(note if note.endswith(".") else f"{note}." for note in notes)
