"""From a request to commands on a queue: arguments set by index, and every part of the plan in order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from cl_magic.build.result import BuildResult
from cl_magic.errors import ArgumentError
from cl_magic.launch.images import image_text
from cl_magic.launch.request import (
    ArrayArgument,
    ImageArgument,
    LaunchRequest,
    LocalArgument,
    NullArgument,
    ScalarArgument,
)
from cl_magic.launch.samplers import sampler_text
from cl_magic.record.run import ArgumentFact
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.events import EventLog
from cl_magic.runtime.images import host_image
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.resident import ResidentArray, residents
from cl_magic.runtime.transfer import HostArray, check_room

_Argument = ScalarArgument | LocalArgument | NullArgument | ArrayArgument
Slots = dict[int, HostArray | ResidentArray]
Part = tuple[tuple[int, ...], tuple[int, ...] | None, tuple[int, ...] | None]


def by_slot(request: LaunchRequest) -> dict[int, list[ArrayArgument]]:
    """Array and image arguments of each slot, in order of the slots' first use."""
    found: dict[int, list[ArrayArgument]] = {}
    for argument in (*request.arrays, *request.images):
        found.setdefault(argument.slot, []).append(argument)
    return found


def make_slots(where: DeviceContext, request: LaunchRequest, arrays: Sequence[Any]) -> Slots:
    """Buffers for the arrays of a request; device-resident ones as they are.

    Raises
    ------
    ArgumentError
        An array is missing, is none, or does not fit the device.
    """
    slots = resident_slots(request, residents(arrays))
    groups = by_slot(request)
    _check_hosts(where, request, arrays, [slot for slot in groups if slot not in slots])
    for slot, arguments in groups.items():
        if slot not in slots:
            slots[slot] = _host(where, arrays[slot], arguments)
    return slots


def _host(where: DeviceContext, array: Any, arguments: Sequence[ArrayArgument]) -> HostArray:  # noqa: ANN401
    if where.apart:
        where.locked.lock(array)
    first = arguments[0]
    return host_image(where, array, first) if isinstance(first, ImageArgument) else HostArray(where, array, arguments)


def resident_slots(request: LaunchRequest, known: Sequence[ResidentArray | None]) -> Slots:
    """The slots whose arrays are on the device already.

    Raises
    ------
    ArgumentError
        A slot has no array.
    """
    slots: Slots = {}
    for argument in (*request.arrays, *request.images):
        if argument.slot >= len(known):
            message = f"{request.kernel}: no array came for {argument.name} (slot {argument.slot} of {len(known)})"
            raise ArgumentError(message, remedy="pass one array a slot", kernel=request.kernel, parameter=argument.name)
        memory = known[argument.slot]
        if memory is not None:
            memory.settle()
            slots[argument.slot] = memory
    return slots


def _check_hosts(where: DeviceContext, request: LaunchRequest, arrays: Sequence[Any], hosts: Sequence[int]) -> None:
    groups = by_slot(request)
    for slot in hosts:
        array, first = arrays[slot], groups[slot][0]
        if not isinstance(array, np.ndarray):
            message = (
                f"{request.kernel}: {first.name} is a {type(array).__name__}, neither a NumPy array nor device memory"
            )
            remedy = "pass numpy.asarray(…) of it"
            raise ArgumentError(message, remedy=remedy, kernel=request.kernel, parameter=first.name)
        if not array.flags.writeable and any(a.direction != "in" for a in groups[slot]):
            message = f"{request.kernel}: the kernel writes {first.name}, and the array is read-only"
            remedy = "pass a writeable copy"
            raise ArgumentError(message, remedy=remedy, kernel=request.kernel, parameter=first.name)
    check_room(where, [groups[slot][0] for slot in hosts], [arrays[slot].nbytes for slot in hosts])


def set_arguments(
    where: DeviceContext,
    kernel: Any,  # noqa: ANN401 - PyOpenCL's kernel
    request: LaunchRequest,
    slots: Slots,
) -> None:
    """Set every argument by index (OpenCL 1.2, 5.7.2)."""
    cl = opencl()
    for scalar in request.scalars:
        kernel._set_arg_buf(scalar.index, scalar.data)  # noqa: SLF001 - set_arg tries all kinds first: 8 µs
    for local in request.locals:
        kernel.set_arg(local.index, cl.LocalMemory(local.nbytes))
    for null in request.nulls:
        kernel._set_arg_null(null.index)  # noqa: SLF001 - as above
    for array in request.arrays:
        kernel.set_arg(array.index, slots[array.slot].argument(array))
    for image in request.images:
        kernel.set_arg(image.index, slots[image.slot].argument(image))
    for sampler in request.samplers:
        kernel.set_arg(sampler.index, where.sampler(sampler))


def parts_of(request: LaunchRequest) -> tuple[Part, ...]:
    """Global size, local size and offset of each launch; no offset is None, which is quicker."""
    return tuple(
        (part.global_size, part.local_size, part.global_offset if any(part.global_offset) else None)
        for part in request.plan.parts
    )


def enqueue_parts(where: DeviceContext, kernel: Any, request: LaunchRequest, log: EventLog) -> None:  # noqa: ANN401
    """Queue all parts of the plan, in order; one in-order queue makes them follow each other."""
    enqueue = opencl().enqueue_nd_range_kernel
    for index, (global_size, local_size, offset) in enumerate(parts_of(request)):
        log.add("kernel", request.kernel, enqueue(where.queue, kernel, global_size, local_size, offset), part=index)


@lru_cache(maxsize=256)
def _array_text(dtype: str, shape: tuple[int, ...]) -> str:
    """Array in short; NumPy takes 5 µs to name a type."""
    return f"{np.dtype(dtype).name} {shape}"


def argument_facts(request: LaunchRequest, result: BuildResult) -> tuple[ArgumentFact, ...]:
    """Arguments as the record tells them, by index."""
    parameters = result.kernel(request.kernel).signature.parameters
    values = {one.index: (one.text, "") for one in request.scalars}
    values |= {one.index: (f"{one.nbytes} bytes of local memory", "") for one in request.locals}
    values |= {one.index: ("NULL", "") for one in request.nulls}
    values |= {one.index: (_array_text(one.dtype, one.shape), one.direction) for one in request.arrays}
    values |= {one.index: (image_text(one), one.direction) for one in request.images}
    values |= {one.index: (sampler_text(one), "") for one in request.samplers}
    given: tuple[_Argument, ...] = (*request.scalars, *request.locals, *request.nulls, *request.arrays, *request.images)
    written = {one.index: f"{one.type_name} {one.name}" for one in given}
    written |= {one.index: f"sampler_t {one.name}" for one in request.samplers}
    written |= {parameter.index: parameter.declaration for parameter in parameters if parameter.type_name}
    return tuple(ArgumentFact(index, written[index], *values[index]) for index in sorted(values))
