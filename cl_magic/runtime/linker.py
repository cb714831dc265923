"""clCompileProgram and clLinkProgram, with the log whatever happens (OpenCL 1.2, 5.6.3).

PyOpenCL's own link gives no log of a failure, and its exception crashes the process on Intel when it is freed. The same
function of the loader that PyOpenCL uses is therefore called directly.
"""

from __future__ import annotations

import ctypes
import functools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cl_magic.build.linking import FLOATING
from cl_magic.errors import EngineError
from cl_magic.runtime.codes import code_of
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.handing import Handed
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.printf import captured_output

_MAPS = Path("/proc/self/maps")


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one call of a compiler or linker left."""

    raw: Any
    status: str
    log: str
    extra: str
    duration_ns: int


def build_log(raw: Any, where: DeviceContext) -> str:  # noqa: ANN401 - PyOpenCL's program
    """The log of a program on a device, "" where the driver has none."""
    cl = opencl()
    try:
        return str(raw.get_build_info(where.handle, cl.program_build_info.LOG)).rstrip("\0")
    except cl.Error:  # refused options leave no log on some drivers
        return ""


def attempt_build(handed: Handed, where: DeviceContext, *, compile_only: bool = False) -> Attempt:
    """Call the compiler, and take its log whatever it says."""
    cl = opencl()
    raw = cl._cl._Program(where.context, handed.text)  # noqa: SLF001 - the public class caches and rewrites logs
    status = ""
    started_ns = time.monotonic_ns()
    with captured_output() as caught:
        try:
            if compile_only:
                raw.compile(handed.options.encode(), [where.handle], [])
            else:
                raw._build(handed.options.encode(), [where.handle])  # noqa: SLF001 - as above
        except cl.Error as exc:
            status = code_of(int(exc.code)).name
        duration_ns = time.monotonic_ns() - started_ns
        log = build_log(raw, where)
    return Attempt(raw, status, log, caught.text, duration_ns)


def link_options(options: Sequence[str], family: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Options that a driver's linker takes, and a note for each that it does not.

    Examples
    --------
    >>> link_options(("-create-library", "-cl-finite-math-only"), "pocl")[0]
    ('-create-library',)
    """
    refused = [option for option in options if family == "pocl" and option in FLOATING]
    notes = tuple(
        f"{option} is not handed to PoCL's linker, which refuses it: compile the parts with it" for option in refused
    )
    return tuple(option for option in options if option not in refused), notes


def attempt_link(raws: Sequence[Any], options: Sequence[str], where: DeviceContext) -> Attempt:
    """Call the linker, and take its log where there is one.

    Parameters
    ----------
    raws : sequence of pyopencl._cl._Program
        Compiled objects and libraries of this context.
    options : sequence of str
    where : DeviceContext
    """
    cl = opencl()
    count, code = len(raws), ctypes.c_int()
    programs = (ctypes.c_void_p * count)(*[raw.int_ptr for raw in raws])
    devices = (ctypes.c_void_p * 1)(where.handle.int_ptr)
    words = " ".join(options).encode()
    started_ns = time.monotonic_ns()
    with captured_output() as caught:
        handle = _link_function()(
            where.context.int_ptr, 1, devices, words, count, programs, None, None, ctypes.byref(code)
        )
        duration_ns = time.monotonic_ns() - started_ns
        raw = cl._cl._Program.from_int_ptr(handle, False) if handle else None  # noqa: FBT003, SLF001 - positional only
        log = build_log(raw, where) if raw is not None else ""
    status = code_of(code.value).name if code.value or raw is None else ""
    return Attempt(raw, status, log, caught.text, duration_ns)


@functools.cache
def _link_function() -> Any:  # noqa: ANN401 - a function of a C library
    pointer = ctypes.c_void_p
    function = ctypes.CDLL(_loader_path()).clLinkProgram
    function.restype = pointer
    function.argtypes = [
        pointer, ctypes.c_uint, ctypes.POINTER(pointer), ctypes.c_char_p, ctypes.c_uint, ctypes.POINTER(pointer),
        pointer, pointer, ctypes.POINTER(ctypes.c_int),
    ]  # fmt: skip
    return function


def _loader_path() -> str:
    """The OpenCL loader that this process has loaded already."""
    opencl()
    lines = _MAPS.read_text("utf-8", "replace").splitlines() if _MAPS.exists() else []
    paths = (line.split(maxsplit=5)[5] for line in lines if "libOpenCL" in line)
    found = next((path for path in paths if Path(path).name.startswith("libOpenCL")), "")
    if not found:
        message = "the OpenCL loader of this process cannot be found, so programs cannot be linked"
        raise EngineError(message, remedy="build the parts as one source")
    return found
