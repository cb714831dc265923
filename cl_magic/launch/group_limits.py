"""Whether a work-group size can be launched: limits of device and kernel, and ``reqd_work_group_size``.

OpenCL 1.2, 5.8 (CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE); OpenCL C 1.2, 6.7.2.
"""

from __future__ import annotations

import math

from cl_magic.build.result import WorkGroupInfo
from cl_magic.errors import NDRangeError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.wording import AXES, code_text, count, size_text


def group_limit(device: DeviceInfo, work_group: WorkGroupInfo) -> int:
    """Most work-items in a group of this kernel on this device.

    Examples
    --------
    >>> device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), max_work_group_size=4096)
    >>> group_limit(device, WorkGroupInfo(256, 8))
    256
    """
    known = [limit for limit in (device.max_work_group_size, work_group.max_work_group_size) if limit > 0]
    return min(known, default=1)


def is_legal(local_size: tuple[int, ...], device: DeviceInfo, work_group: WorkGroupInfo) -> bool:
    """Whether a group of that size is within all limits.

    Examples
    --------
    >>> limits = {"max_work_item_sizes": (64, 64, 64), "max_work_group_size": 64}
    >>> device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), **limits)
    >>> is_legal((8, 8), device, WorkGroupInfo(64, 8)), is_legal((16, 8), device, WorkGroupInfo(64, 8))
    (True, False)
    """
    within = all(size <= limit for size, limit in zip(local_size, device.max_work_item_sizes, strict=False))
    return within and math.prod(local_size) <= group_limit(device, work_group)


def check_limits(local_size: tuple[int, ...], device: DeviceInfo, work_group: WorkGroupInfo, kernel: str) -> None:
    """Refuse a group over a limit, with the limit and whose it is.

    Raises
    ------
    NDRangeError
        ``local_size``, ``limit`` and ``limit_of`` ("dimension", "device" or "kernel") are attributes.

    Examples
    --------
    >>> device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), max_work_item_sizes=(64,), max_work_group_size=64)
    >>> check_limits((64,), device, WorkGroupInfo(64, 8), "blur")
    """
    for axis, size, limit in zip(AXES, local_size, device.max_work_item_sizes, strict=False):
        if size > limit:
            message = (
                f"{kernel}: local size {count(size)} in {axis} is over the limit of {device.short_name}, {count(limit)}"
            )
            raise _over(message, local_size, limit, "dimension", kernel)
    items, product = math.prod(local_size), f"{size_text(local_size)} = " if len(local_size) > 1 else ""
    if items > device.max_work_group_size > 0:
        limit = device.max_work_group_size
        message = (
            f"{kernel}: local size {product}{count(items)} work-items is over the limit of {device.short_name}, "
            f"{count(limit)}"
        )
        raise _over(message, local_size, limit, "device", kernel)
    if items > (limit := group_limit(device, work_group)):
        message = (
            f"{kernel}: local size {product}{count(items)} work-items is over the limit of this kernel on "
            f"{device.short_name}, {count(limit)} (the device allows {count(device.max_work_group_size)})"
        )
        raise _over(message, local_size, limit, "kernel", kernel)


def check_range(ndrange: NDRange, device: DeviceInfo, kernel: str) -> None:
    """Refuse ids that the device's ``size_t`` cannot hold (OpenCL 1.2, 5.8, CL_INVALID_GLOBAL_WORK_SIZE).

    Examples
    --------
    >>> check_range(NDRange((1000,)), DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",)), "saxpy")
    """
    limit = 1 << device.address_bits
    for axis, size, offset in zip(AXES, ndrange.global_size, ndrange.offset, strict=False):
        if size + offset >= limit:
            message = (
                f"{kernel}: global size {count(size)} in {axis} with offset {count(offset)} does not fit the "
                f"{device.address_bits} address bits of {device.short_name}"
            )
            remedy = "launch parts, each with its own global_offset"
            raise NDRangeError(message, remedy=remedy, kernel=kernel, limit=limit, value=size)


def required_size(
    ndrange: NDRange, required: tuple[int, int, int], device: DeviceInfo, work_group: WorkGroupInfo, kernel: str
) -> tuple[int, ...]:
    """Local size that ``reqd_work_group_size`` gives this range, after checking the user's against it.

    Raises
    ------
    NDRangeError
        The range has too few dimensions, the attribute is over a limit, or another local size was given.
        ``required`` is an attribute.

    Examples
    --------
    >>> limits = {"max_work_item_sizes": (64, 64, 64), "max_work_group_size": 64}
    >>> device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), **limits)
    >>> required_size(NDRange((64, 2)), (8, 1, 1), device, WorkGroupInfo(64, 8), "blur")
    (8, 1)
    """
    attribute = f"reqd_work_group_size{required}"
    dimensions = ndrange.dimensions
    if any(size != 1 for size in required[dimensions:]):
        least = 3 if required[2] != 1 else 2
        message = f"{kernel} has {attribute}, which needs {least} dimensions; global_size has {dimensions}"
        fitted = code_text(ndrange.global_size + required[dimensions:least])
        raise NDRangeError(message, remedy=f"global_size={fitted}", kernel=kernel, required=required)
    local = required[:dimensions]
    if not is_legal(required, device, work_group):
        limit = group_limit(device, work_group)
        message = (
            f"{kernel} has {attribute}, {count(math.prod(required))} work-items; {device.short_name} allows "
            f"{count(limit)}, at most {size_text(device.max_work_item_sizes)}"
        )
        remedy = "a smaller size in the attribute, or another device"
        raise NDRangeError(message, remedy=remedy, kernel=kernel, required=required, limit=limit)
    if ndrange.local_size not in {None, local}:
        given = ndrange.local_size or ()
        message = f"{kernel} has {attribute} in its source; local_size={code_text(given)} is not that"
        remedy = f"local_size={code_text(local)}, or leave it out"
        raise NDRangeError(message, remedy=remedy, kernel=kernel, required=required, local_size=given)
    return local


def _over(message: str, local_size: tuple[int, ...], limit: int, limit_of: str, kernel: str) -> NDRangeError:
    remedy = f"at most {count(limit)}, or local_size=None to have one chosen"
    return NDRangeError(message, remedy=remedy, kernel=kernel, local_size=local_size, limit=limit, limit_of=limit_of)
