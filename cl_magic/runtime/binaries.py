"""Takes the code out of a built program: binaries and intermediate language, as the driver gives them."""

from __future__ import annotations

from typing import Any

from cl_magic.reflect.listing import Extracted
from cl_magic.runtime.compiler import Compiler
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.printf import captured_output


def extract_code(compiler: Compiler, digest: str, where: DeviceContext) -> Extracted:
    """The code of a program, and the text that it was made of (OpenCL 1.2, 5.6.7: CL_PROGRAM_BINARIES).

    PoCL compiles every kernel for it, and may end the process where the program was built with ``-g``.

    Raises
    ------
    EngineError
        The program was not built on this device.
    """
    built = compiler.built(digest, where)
    handed = compiler.handed(built.result.spec, where)
    with captured_output():  # PoCL warns of debug information on the process's descriptors
        binary = _binary(built.raw)
        il = _il(built.raw)
    return Extracted(binary, il, handed.text, handed.source_map.prelude_lines, handed.options)


def _binary(raw: Any) -> bytes:  # noqa: ANN401 - PyOpenCL's program
    cl = opencl()
    try:
        found = raw.get_info(cl.program_info.BINARIES)
    except cl.Error:
        return b""
    return bytes(found[0]) if found and found[0] else b""


def _il(raw: Any) -> bytes:  # noqa: ANN401 - PyOpenCL's program
    """Intermediate language that the program was made from; drivers before OpenCL 2.1 do not know the question."""
    cl = opencl()
    try:
        return bytes(raw.get_info(cl.program_info.IL) or b"")
    except (cl.Error, AttributeError, TypeError):
        return b""
