"""One context and one in-order profiling queue a device, made when first needed, and the offset of its clock."""

from __future__ import annotations

import threading
import time
from typing import Any

from cl_magic.errors import DeviceNotFoundError, EngineError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.request import SamplerArgument
from cl_magic.runtime.devices import LiveDevice, live_devices
from cl_magic.runtime.locked_pages import LockedPages
from cl_magic.runtime.opencl import opencl

_TRIES = 5
_SIMULATOR_LOCK = threading.RLock()
_OFFSET_VALID_NS = 30_000_000_000


class DeviceContext:
    """A context with one device and one queue. `foreign` and `queue` are the user's, instead of ours."""

    def __init__(self, live: LiveDevice, foreign: Any = None, queue: Any = None) -> None:  # noqa: ANN401 - PyOpenCL's
        cl = opencl()
        self.info: DeviceInfo = live.info
        self.handle = live.handle
        self.context = foreign if foreign is not None else cl.Context([live.handle])
        profiling = cl.command_queue_properties.PROFILING_ENABLE
        self.queue = cl.CommandQueue(self.context, live.handle, properties=profiling) if queue is None else queue
        self.profiling = bool(int(self.queue.properties) & int(profiling))
        self.apart = "cpu" not in self.info.type
        """Whether the device has memory of its own, which arrays are copied to."""
        self.locked = LockedPages(self.context, self.queue)
        self._offset_ns = 0
        self._measured_ns = 0
        self._samplers: dict[tuple[bool, str, str], Any] = {}

    def new_lock(self) -> threading.RLock:
        """A lock for one launch's kernel and commands; the same one for all where the driver is not thread-safe.

        Oclgrind crashes when two threads use it at once.
        """
        return _SIMULATOR_LOCK if self.info.simulator else threading.RLock()

    @property
    def in_place(self) -> bool:
        """Whether kernels can work on the host's memory itself, without a copy."""
        return not self.apart and not self.info.simulator

    def sampler(self, argument: SamplerArgument) -> Any:  # noqa: ANN401 - PyOpenCL's sampler
        """The sampler of that kind, made once and kept: it must outlive the commands that use it (OpenCL 1.2, 5.5)."""
        key = (argument.normalized, argument.addressing, argument.filter)
        if key not in self._samplers:
            cl = opencl()
            addressing = getattr(cl.addressing_mode, argument.addressing.upper())
            kind = getattr(cl.filter_mode, argument.filter.upper())
            self._samplers[key] = cl.Sampler(self.context, argument.normalized, addressing, kind)
        return self._samplers[key]

    @property
    def clock_offset_ns(self) -> int:
        """Host monotonic time minus device time; measured again when older than 30 seconds.

        PoCL's clock is near CLOCK_MONOTONIC, Oclgrind's is the wall clock: only a measured offset puts two devices on
        one axis.
        """
        now = time.monotonic_ns()
        if not self._measured_ns or now - self._measured_ns > _OFFSET_VALID_NS:
            self._offset_ns = _measure_offset(self.context, self.queue)
            self._measured_ns = now
        return self._offset_ns


class Contexts:
    """The devices of this process and their contexts.

    Parameters
    ----------
    foreign : pyopencl.Context or pyopencl.CommandQueue, optional
        What the user made: then its device is the only one.
    """

    def __init__(self, foreign: Any = None) -> None:  # noqa: ANN401 - PyOpenCL's
        self._place = foreign if foreign is None else _ForeignPlace(foreign)
        self._live: dict[str, LiveDevice] | None = None
        self._own: dict[str, DeviceContext] = {}
        self._foreign: dict[int, DeviceContext] = {}

    @property
    def devices(self) -> tuple[DeviceInfo, ...]:
        """Facts of all devices; the drivers are loaded at the first call."""
        return tuple(live.info for live in self._found().values())

    def of(self, local_id: str) -> DeviceContext:
        """The context of a device by its local id.

        Raises
        ------
        DeviceNotFoundError
            No device has that id here.
        """
        if local_id not in self._own:
            live, place = self._device(local_id), self._place
            made = DeviceContext(live) if place is None else DeviceContext(live, place.context, place.queue)
            self._own[local_id] = made
        return self._own[local_id]

    def of_context(self, context: Any, local_id: str) -> DeviceContext:  # noqa: ANN401 - PyOpenCL's context
        """A queue in a context: ours, or one of the user's, for the device of that id or else its first one."""
        own = self._own.get(local_id)
        if own is not None and own.context == context:
            return own
        known = self._foreign.get(context.int_ptr)
        if known is None:
            handles = list(context.devices)
            wanted = self._device(local_id)
            live = next((one for one in self._found().values() if one.handle in handles), wanted)
            chosen = wanted if wanted.handle in handles else live
            known = self._foreign[context.int_ptr] = DeviceContext(chosen, foreign=context)
        return known

    def forget_pages(self, address: int) -> None:
        """Let go of locked pages of a mapping that ends, or that is locked otherwise from here on."""
        for where in (*self._own.values(), *self._foreign.values()):
            where.locked.ended(address)

    def finish(self) -> None:
        """Wait for all queues."""
        for where in (*self._own.values(), *self._foreign.values()):
            where.queue.finish()

    def close(self) -> None:
        """Let go of contexts and queues; their memory is the drivers' to free."""
        self._own.clear()
        self._foreign.clear()

    def _found(self) -> dict[str, LiveDevice]:
        if self._live is None:
            handles = None if self._place is None else self._place.devices
            self._live = {
                live.info.local_id: live for live in live_devices() if handles is None or live.handle in handles
            }
        return self._live

    def _device(self, local_id: str) -> LiveDevice:
        found = self._found()
        if local_id in found:
            return found[local_id]
        names = ", ".join(f"{key} ({live.info.short_name})" for key, live in found.items()) or "none"
        message = f"this engine has no device {local_id!r}; it has {names}"
        raise DeviceNotFoundError(message, remedy="see %opencl devices", device=local_id)


class _ForeignPlace:
    """A context or queue of the user's: context, queue (None: make one), devices."""

    def __init__(self, given: Any) -> None:  # noqa: ANN401 - PyOpenCL's
        cl = opencl()
        self.queue = given if isinstance(given, cl.CommandQueue) else None
        self.context = given if self.queue is None else given.context
        self.devices = list(given.devices) if self.queue is None else [given.device]
        out_of_order = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
        if self.queue is not None and int(self.queue.properties) & int(out_of_order):
            message = "the queue executes out of order, and launches follow each other by their order in it"
            raise EngineError(message, remedy="pass its context, or a queue made without OUT_OF_ORDER_EXEC_MODE_ENABLE")


def _measure_offset(context: Any, queue: Any) -> int:  # noqa: ANN401 - PyOpenCL's objects
    """Smallest difference of a few tries: each is the true offset plus the delay until the host noticed the end."""
    cl = opencl()
    cell = bytearray(4)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, len(cell))
    differences = []
    for _ in range(_TRIES):
        event = cl.enqueue_copy(queue, buffer, cell, is_blocking=False)
        event.wait()
        seen_ns = time.monotonic_ns()
        try:
            differences.append(seen_ns - int(event.profile.end))
        except cl.Error:
            return 0
    return min(differences)
