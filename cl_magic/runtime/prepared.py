"""A launch that is set once and enqueued many times: a call costs the enqueue and little more.

It has a kernel object of its own, so that no other launch sets its arguments (OpenCL 1.2, 5.7.2: argument values stick
to the kernel). Times are read, and records made, only when somebody asks.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from cl_magic.errors import ArgumentError
from cl_magic.launch.request import ArrayArgument
from cl_magic.runtime.enqueue import make_slots, parts_of, set_arguments
from cl_magic.runtime.launcher import Launching
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.queued import Completion, QueuedRun
from cl_magic.runtime.resident import ResidentArray, resident


class PreparedLaunch:
    """The callable of ``Executor.prepare``.

    NumPy arrays are uploaded once, here, and brought back by ``result()``; on a CPU device they are used in place.
    `repeat`, `warmup` and captures do not apply. What the kernel prints is not caught. A ``cl.array.Array`` is read by
    PyOpenCL safely after ``result()`` only, as the launch goes to a queue of its own.
    """

    def __init__(self, launching: Launching, arrays: Sequence[Any]) -> None:
        request = launching.request
        self._launching = launching
        self._kernel = launching.program.new_kernel(request.kernel)
        self._lock = launching.where.new_lock()
        self._changed: dict[int, ResidentArray] = {}  # kept alive: a kernel does not retain its arguments
        self._parts = parts_of(request)
        self._scalars = {scalar.index: scalar for scalar in request.scalars}
        self._array_arguments = {array.index: array for array in request.arrays}
        self._enqueue = opencl().enqueue_nd_range_kernel
        self._queue = launching.where.queue
        try:
            slots = make_slots(launching.where, request, arrays)
            set_arguments(launching.where, self._kernel, request, slots)
            self._completion = Completion(launching, slots)
            self._completion.upload()
        except opencl().Error as exc:
            raise launching.failed(exc) from exc

    def __call__(self, changed: Sequence[tuple[int, Any]] = ()) -> QueuedRun:
        """Enqueue it; `changed` sets new values first, by argument index, which then stay (R-77).

        Raises
        ------
        ArgumentError
            A changed value has another size or kind than the argument.
        LaunchError
            The runtime refused it.
        """
        enqueue, queue, kernel = self._enqueue, self._queue, self._kernel
        started_ns = time.monotonic_ns()
        try:
            with self._lock:
                for index, value in changed:
                    self._change(index, value)
                events = tuple([enqueue(queue, kernel, size, local, offset) for size, local, offset in self._parts])
        except opencl().Error as exc:
            raise self._launching.failed(exc) from exc
        return QueuedRun(self._completion, events, started_ns)

    def _change(self, index: int, value: Any) -> None:  # noqa: ANN401 - a scalar or a device object
        if index in self._scalars:
            self._kernel._set_arg_buf(index, self._scalar(index, value))  # noqa: SLF001 - set_arg takes 8 µs
            return
        memory = resident(value)
        argument = self._array_arguments.get(index)
        if argument is None or memory is None:
            kernel = self._launching.request.kernel
            message = f"{kernel}: argument {index} cannot be changed to a {type(value).__name__} in a prepared launch"
            remedy = "change scalars and device arrays; prepare again for anything else"
            raise ArgumentError(message, remedy=remedy, kernel=kernel, index=index)
        self._check_size(argument, memory.nbytes)
        self._kernel.set_arg(index, memory.argument(argument))
        self._changed[index] = memory

    def _scalar(self, index: int, value: Any) -> bytes:  # noqa: ANN401 - a NumPy scalar or bytes
        data = value if isinstance(value, bytes) else np.asarray(value).tobytes()
        known = self._scalars[index]
        if len(data) != len(known.data):
            kernel = self._launching.request.kernel
            size = len(known.data)
            message = f"{kernel}: {known.name} is a {known.type_name} of {size} bytes, and {value!r} has {len(data)}"
            remedy = f"pass a NumPy scalar of {len(known.data)} bytes"
            raise ArgumentError(message, remedy=remedy, kernel=kernel, parameter=known.name, value=value)
        return data

    def _check_size(self, argument: ArrayArgument, nbytes: int) -> None:
        if nbytes < argument.nbytes:
            kernel = self._launching.request.kernel
            message = (
                f"{kernel}: {argument.name} was prepared with {argument.nbytes} bytes, and the new array has {nbytes}"
            )
            raise ArgumentError(
                message, remedy="pass one of at least that size", kernel=kernel, parameter=argument.name
            )
