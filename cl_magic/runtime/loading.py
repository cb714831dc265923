"""Programs from binaries, from intermediate language and of built-in kernels (OpenCL 1.2, 5.6.1; OpenCL 2.1, 5.8.1)."""

from __future__ import annotations

import base64
import time
from typing import Any

from cl_magic.build.spec import ProgramSpec
from cl_magic.errors import KernelNotFoundError
from cl_magic.runtime.codes import code_of
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.linker import Attempt, build_log
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.printf import captured_output


def attempt_load(spec: ProgramSpec, where: DeviceContext) -> Attempt:
    """Make the program and build it, and take the log whatever the driver says.

    Raises
    ------
    KernelNotFoundError
        The device has no built-in kernel of that name: asking Intel for one aborts the process, so its list counts.
    """
    cl = opencl()
    if spec.form == "built-in":
        _check_names(spec.code.split(";"), where)
    raw, status, log = None, "", ""
    started_ns = time.monotonic_ns()
    with captured_output() as caught:
        try:
            raw = _made(spec, where)
            if spec.form != "built-in":
                raw._build(" ".join(spec.options).encode(), [where.handle])  # noqa: SLF001 - the public class caches
        except cl.Error as exc:
            status = code_of(int(exc.code)).name
        duration_ns = time.monotonic_ns() - started_ns
        log = build_log(raw, where) if raw is not None else ""
    return Attempt(raw, status, log, caught.text, duration_ns)


def _made(spec: ProgramSpec, where: DeviceContext) -> Any:  # noqa: ANN401 - PyOpenCL's program
    inner = opencl()._cl  # noqa: SLF001 - the public class caches
    if spec.form == "built-in":
        return inner._Program.create_with_built_in_kernels(where.context, [where.handle], spec.code)  # noqa: SLF001
    data = base64.b64decode(spec.code)
    if spec.form == "il":
        return inner._create_program_with_il(where.context, data)  # noqa: SLF001
    return inner._Program(where.context, [where.handle], [data])  # noqa: SLF001


def _check_names(names: list[str], where: DeviceContext) -> None:
    cl = opencl()
    known = [
        name for name in str(where.handle.get_info(cl.device_info.BUILT_IN_KERNELS)).strip("\0").split(";") if name
    ]
    missing = next((name for name in names if name not in known), None)
    if missing is not None:
        message = f"{where.info.short_name} has no built-in kernel {missing!r}; it has {', '.join(known) or 'none'}"
        remedy = "use one of these names" if known else "write the kernel in OpenCL C"
        raise KernelNotFoundError(message, remedy=remedy, name=missing, kernels=tuple(known))
