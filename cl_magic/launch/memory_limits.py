"""Whether bound arguments fit the memory of a device, checked before a launch: no driver checks all of it.

OpenCL 1.2, 4.2 (CL_DEVICE_LOCAL_MEM_SIZE, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, CL_DEVICE_MAX_CONSTANT_ARGS,
CL_DEVICE_MAX_MEM_ALLOC_SIZE). A limit of 0 is one that the device does not say.
"""

from __future__ import annotations

from cl_magic.build.result import WorkGroupInfo
from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import BoundArguments
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.wording import count, listed


def check_memory(bound: BoundArguments, device: DeviceInfo, work_group: WorkGroupInfo) -> None:
    """All three checks.

    Examples
    --------
    >>> from cl_magic.clc.signature import KernelSignature
    >>> device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), local_mem_bytes=1024)
    >>> check_memory(BoundArguments(KernelSignature("f")), device, WorkGroupInfo(64, 8))
    """
    check_local_memory(bound, device, work_group)
    check_constant_memory(bound, device)
    check_allocations(bound, device)


def check_local_memory(bound: BoundArguments, device: DeviceInfo, work_group: WorkGroupInfo) -> None:
    """Refuse more local memory than a work-group has: the arguments' and the kernel's own.

    PoCL and Intel report 0 for the kernel's own; then what the front end counted in the source stands for it.

    Raises
    ------
    ArgumentError
        ``nbytes`` and ``limit`` are attributes.

    Examples
    --------
    >>> from cl_magic.clc.signature import KernelSignature
    >>> device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), local_mem_bytes=1024)
    >>> check_local_memory(BoundArguments(KernelSignature("f")), device, WorkGroupInfo(64, 8))
    """
    asked = sum(argument.nbytes for argument in bound.locals)
    reported, counted = work_group.local_mem_bytes, bound.signature.static_local_bytes
    own = max(reported, counted)
    total, limit = asked + own, device.local_mem_bytes
    if not 0 < limit < total:
        return
    parts = [f"{argument.name} {count(argument.nbytes)} B" for argument in bound.locals]
    if own:
        ours = ", counted by cl_magic from the source" if counted > reported else ""
        parts.append(f"{count(own)} B that the kernel declares{ours}")
    message = (
        f"{bound.signature.name}: local memory of {count(total)} B ({listed(parts)}) is over the {count(limit)} B of "
        f"{device.short_name}"
    )
    room = f"at most {count(limit - own)} B, with" if bound.locals and own < limit else ""
    remedy = f"{room} a smaller work-group or tile".strip()
    parameter = bound.locals[-1].name if bound.locals else None
    raise ArgumentError(
        message, remedy=remedy, kernel=bound.signature.name, parameter=parameter, value=asked, nbytes=total, limit=limit
    )


def check_constant_memory(bound: BoundArguments, device: DeviceInfo) -> None:
    """Refuse a constant argument over the device's limit, or too many of them.

    Examples
    --------
    >>> from cl_magic.clc.signature import KernelSignature
    >>> check_constant_memory(BoundArguments(KernelSignature("f")), DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",)))
    """
    kernel, limit = bound.signature.name, device.constant_buffer_bytes
    declared = bound.signature.parameters
    constants = [array for array in bound.arrays if declared[array.index].address == "constant"]
    for array in constants:
        if array.nbytes > limit > 0:
            message = (
                f"{kernel}: argument {array.name} (constant {array.type_name}) has {count(array.nbytes)} B; "
                f"{device.short_name} allows {count(limit)} B of constant memory an argument"
            )
            remedy = f"declare {array.name} as __global const"
            raise ArgumentError(
                message, remedy=remedy, kernel=kernel, parameter=array.name, nbytes=array.nbytes, limit=limit
            )
    if len(constants) > device.max_constant_args > 0:
        names = listed(array.name for array in constants)
        message = (
            f"{kernel}: {len(constants)} constant arguments; {device.short_name} allows {device.max_constant_args}"
        )
        raise ArgumentError(message, remedy=f"declare some of {names} as __global const", kernel=kernel)


def check_allocations(bound: BoundArguments, device: DeviceInfo) -> None:
    """Refuse an array that the device cannot allocate in one piece.

    Examples
    --------
    >>> from cl_magic.clc.signature import KernelSignature
    >>> check_allocations(BoundArguments(KernelSignature("f")), DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",)))
    """
    limit = device.max_alloc_bytes
    for array in bound.arrays:
        if array.nbytes > limit > 0:
            message = (
                f"{bound.signature.name}: argument {array.name} has {count(array.nbytes)} B; {device.short_name} "
                f"allocates at most {count(limit)} B in one piece"
            )
            raise ArgumentError(
                message,
                remedy="pass it in parts, with several launches",
                kernel=bound.signature.name, parameter=array.name, nbytes=array.nbytes, limit=limit,
            )  # fmt: skip
