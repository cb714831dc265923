"""An OpenCL laboratory inside JupyterLab: kernels in cells, errors on their lines, pictures of what ran.

In a notebook: ``%load_ext cl_magic``, then ``%%opencl`` above a kernel. In Python: ``import cl_magic as clm`` and
``clm.build(source)``. Importing loads no OpenCL driver and no drawing library.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

from cl_magic._version import __version__ as __version__
from cl_magic.array import array, copyto, empty, free, ones, zeros
from cl_magic.build.result import BuildResult as BuildResult
from cl_magic.device import device, devices
from cl_magic.device_array import DeviceArray as DeviceArray
from cl_magic.errors import ArgumentError as ArgumentError
from cl_magic.errors import BuildError, ClMagicError, MissingExtraError
from cl_magic.errors import NDRangeError as NDRangeError
from cl_magic.kernel import Kernel as Kernel
from cl_magic.launch.device_arrays import local
from cl_magic.launch.directions import In, InOut, Out
from cl_magic.launch.limits import DeviceInfo as DeviceInfo
from cl_magic.launch.plan import LaunchPlan as LaunchPlan
from cl_magic.program import Program as Program
from cl_magic.record.run import RunRecord as RunRecord
from cl_magic.session import Session as Session
from cl_magic.session import build, session
from cl_magic.session import functional as functional
from cl_magic.show import load_view

__all__ = [
    "BuildError",
    "ClMagicError",
    "In",
    "InOut",
    "Out",
    "array",
    "build",
    "copyto",
    "device",
    "devices",
    "empty",
    "free",
    "load_ipython_extension",
    "local",
    "ones",
    "plot_buffer",
    "plot_ndrange",
    "plot_timeline",
    "session",
    "zeros",
]

_IMAGES = {"image": "image_values", "sampler": "samplers"}
"""Functions outside `__all__`, by the module of `launch` they come from."""
_BUNDLES = {
    "source": "sources",
    "link": "objects",
    "save_binary": "binaries",
    "load_binary": "binaries",
    "load_il": "binaries",
    "built_in_kernels": "binaries",
}
"""Functions outside `__all__`, by the module of `bundle` they come from."""
_OTHERS = {"partition": "partitioning", "index_table": "partitioning", "sweep": "tuning"}
"""Functions outside `__all__`, by their module."""
_LATER = (
    {name: f"launch.{module}" for name, module in _IMAGES.items()}
    | {name: f"bundle.{module}" for name, module in _BUNDLES.items()}
    | _OTHERS
)
_PLOTS = ("plot_buffer", "plot_ndrange", "plot_timeline")


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a function
    if name in _PLOTS:
        return getattr(_view("plot", f"{name} draws with Matplotlib, which is not installed", name), name)
    if name == "widgets":
        return _view(name, "widgets are made of ipywidgets and anywidget, which are not installed", name)
    if name in ("watch", "interact"):
        message = f"what {name} shows is made of ipywidgets and anywidget, which are not installed"
        return getattr(_view("widgets", message, name), name)
    if name == "types":
        return importlib.import_module("cl_magic.clc.type_table").TYPES
    if name in _LATER:
        return getattr(importlib.import_module(f"cl_magic.{_LATER[name]}"), name)
    msg = f"module 'cl_magic' has no attribute {name!r}"
    raise AttributeError(msg)


def _view(package: str, message: str, name: str) -> ModuleType:
    """A view package, loaded; an error with the extra to install where it cannot be."""
    if not load_view(package):
        raise MissingExtraError(message, remedy="pip install 'cl_magic[notebook]'", view=name)
    return sys.modules[f"cl_magic.{package}"]


def load_ipython_extension(ipython: Any) -> None:  # noqa: ANN401 - an InteractiveShell
    """Make ``%opencl`` and ``%%opencl`` available: ``%load_ext cl_magic``."""
    from cl_magic.magics.extension import load  # noqa: PLC0415 - IPython only where it runs

    load(ipython)


def unload_ipython_extension(ipython: Any) -> None:  # noqa: ANN401 - an InteractiveShell
    """Take the magics and hooks away again: ``%unload_ext cl_magic``."""
    from cl_magic.magics.extension import unload  # noqa: PLC0415 - IPython only where it runs

    unload(ipython)


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    """Where a checkout holds what JupyterLab loads; an installed package has it under ``share/jupyter``."""
    return [{"src": "../labextension/dist", "dest": "cl-magic"}]
