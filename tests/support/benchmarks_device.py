"""PyOpenCL's object for a device, for benchmarks that compare with PyOpenCL."""

from __future__ import annotations

from typing import Any

import pyopencl as cl

from cl_magic.errors import DeviceNotFoundError
from cl_magic.launch.limits import DeviceInfo


def pyopencl_device(device: DeviceInfo) -> Any:
    """The device in this process; DeviceNotFoundError where the loader of this process does not show it."""
    for platform in cl.get_platforms():
        for one in platform.get_devices():
            if (platform.name.strip(), one.name.strip()) == (device.platform_name, device.name):
                return one
    message = f"{device.short_name} is not in the OpenCL loader of this process"
    raise DeviceNotFoundError(message, remedy="start Python with OCL_ICD_VENDORS set for its driver")
