"""The flags of a ``%%opencl`` line that are ours, and the shapes of OpenCL's own build options."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flag:
    """One of our flags.

    Attributes
    ----------
    name : str
        With its two dashes.
    value : str
        What to write after the ``=``, for help; "" for a switch.
    meaning : str
        One line.
    """

    name: str
    value: str
    meaning: str


FLAGS: tuple[Flag, ...] = (
    Flag("--global", "640,480", "global size of the cell's kernels, work-items in x, y, z order"),
    Flag("--local", "16,16", "work-group size of the cell's kernels; auto lets cl_magic choose"),
    Flag("--offset", "8,0", "global offset of the cell's kernels"),
    Flag("--device", "gpu", "device for this cell: gpu, cpu, pocl, 0:1 or part of a name"),
    Flag("--std", "CL2.0", "OpenCL C version, as -cl-std"),
    Flag("--options", "'-w -DN=4'", "build options in one text, also those of your driver only"),
    Flag("--run", "'blur(src, dst)'", "call a kernel of the cell after the build; the cell's value is its record"),
    Flag("-i", "", "show the kernel's panel: its arguments, sizes and macros as controls"),
    Flag("--interact", "n=1:8", "sliders for arguments or macros: tile=8:64:x2 gain=0.0:2.0 n=1,2,4"),
    Flag("--template", "'f<int>'", "a kernel template's instance or an overload; as often as needed"),
    Flag("--eval", "", "evaluate the cell's expressions and statements, one a line"),
    Flag("--bits", "", "with --eval: show the bits of the values too"),
    Flag("--save-log", "NAME", "bind the build log to the variable NAME, whether the build succeeds or not"),
    Flag("--as", "NAME", "bind the program to the variable NAME"),
    Flag("--file", "blur.cl", "build a file; the cell has no source of its own"),
    Flag("--compile", "", "compile the cell to an object, bound by --as, for %opencl link"),
    Flag("--header", "common.h", "keep the cell as a virtual header of this notebook; nothing is built"),
    Flag("--emit", "asm", "show the code: llvm, asm, ptx, spirv, binary or source"),
    Flag("--timeout", "10", "seconds that the build may take, and then the run"),
    Flag("--quiet", "", "show errors and warnings only"),
    Flag("--force", "", "bind kernels also to names that your variables or builtins hold"),
)

#: Build options that take the next word where nothing is glued to them (OpenCL 1.2, 5.6.4; the cl_nv_compiler_options
#: extension for the last two).
WITH_VALUE = ("-D", "-I", "-U", "-cl-nv-maxrregcount", "-cl-nv-opt-level")

#: How the options that OpenCL or its usual compilers know begin (OpenCL 3.0, 5.8.6 and 5.8.7).
OPTION_STARTS = ("-D", "-I", "-U", "-cl-", "-W", "-R", "-f", "-m", "-O", "-spir-std=", "-create-library")

#: Options that are one whole word.
OPTION_WORDS = ("-w", "-g", "-Werror", "-create-library", "-enable-link-options")
