"""The one place that imports PyOpenCL, when it is first needed: importing cl_magic must load no driver."""

from __future__ import annotations

import functools
from typing import Any

from cl_magic.errors import NoPlatformError


@functools.cache
def opencl() -> Any:  # noqa: ANN401 - the module, untyped on purpose: its stubs differ between releases
    """PyOpenCL itself.

    Raises
    ------
    NoPlatformError
        PyOpenCL, or the OpenCL loader it is linked to, cannot be imported.

    Examples
    --------
    >>> opencl().__name__
    'pyopencl'
    """
    try:
        import pyopencl  # noqa: PLC0415 - loads the OpenCL loader
    except ImportError as exc:
        message = f"PyOpenCL cannot be imported: {exc}"
        raise NoPlatformError(message, remedy="pip install 'cl_magic[pocl]'") from exc
    return pyopencl
