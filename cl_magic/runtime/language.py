"""Which OpenCL C version a compiler really uses: ``__OPENCL_C_VERSION__`` asked, not believed.

PoCL says 1.2 and compiles 3.0, Intel says 3.1 and compiles 1.2 (OpenCL C 3.0, 6.12.10, predefined macros).
"""

from __future__ import annotations

import struct
from typing import Any

from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.printf import captured_output

# The attribute carries the number through the build, so that nothing has to be launched.
_BY_ATTRIBUTE = """
__kernel __attribute__((reqd_work_group_size(__OPENCL_C_VERSION__, 1, 1))) void version(__global int *v)
{ v[0] = __OPENCL_C_VERSION__; }
"""
_BY_LAUNCH = "__kernel void version(__global int *v) { v[0] = __OPENCL_C_VERSION__; }\n"


class LanguageProbe:
    """Answers once a device and ``-cl-std`` option, then from memory."""

    def __init__(self) -> None:
        self._known: dict[tuple[DeviceContext, str], str] = {}

    def version(self, where: DeviceContext, options: str) -> str:
        """``"OpenCL C 3.0"`` for an option string on a device; "" where it cannot be told."""
        words = [word for word in options.split() if word.startswith("-cl-std=")]
        standard = words[-1] if words else ""
        if (where, standard) not in self._known:
            self._known[where, standard] = _probe(where, standard)
        return self._known[where, standard]


def _probe(where: DeviceContext, standard: str) -> str:
    for ask in (_ask_attribute, _ask_launch):
        try:
            number = ask(where, standard)
        except opencl().Error:
            continue
        if number >= 100:  # noqa: PLR2004 - the first version, 1.0, is 100
            return f"OpenCL C {number // 100}.{number % 100 // 10}"
    return ""


def _kernel(where: DeviceContext, standard: str, source: str) -> Any:  # noqa: ANN401 - PyOpenCL's kernel
    cl = opencl()
    program = cl._cl._Program(where.context, source)  # noqa: SLF001 - the public one caches and glues logs
    with captured_output():
        program._build(standard.encode(), [where.handle])  # noqa: SLF001 - as above
    return cl.Kernel(program, "version")


def _ask_attribute(where: DeviceContext, standard: str) -> int:
    kernel = _kernel(where, standard, _BY_ATTRIBUTE)
    query = opencl().kernel_work_group_info.COMPILE_WORK_GROUP_SIZE
    return int(kernel.get_work_group_info(query, where.handle)[0])


def _ask_launch(where: DeviceContext, standard: str) -> int:
    cl = opencl()
    kernel = _kernel(where, standard, _BY_LAUNCH)
    cell = bytearray(4)
    buffer = cl.Buffer(where.context, cl.mem_flags.READ_WRITE, len(cell))
    kernel.set_arg(0, buffer)
    cl.enqueue_nd_range_kernel(where.queue, kernel, (1,), (1,))
    cl.enqueue_copy(where.queue, cell, buffer)
    return int(struct.unpack("<i", cell)[0])
