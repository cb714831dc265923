"""Memory that stays on a device between launches, by number: made over memory of the host, mapped, copied, freed.

CL_MEM_USE_HOST_PTR (OpenCL 1.2, 5.2.1) on memory that notebook and worker share: on a processor kernels work in it
itself. On a graphics card kernels work in a buffer of the card's own, and the shared pages are registered by a second
one, so that the driver locks them and copies at the full speed of the bus.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from cl_magic.errors import EngineError, LaunchError
from cl_magic.runtime.codes import code_of
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.resident import ResidentArray


class DeviceMemories:
    """The memories of one engine.

    Parameters
    ----------
    apart : bool, optional
        Whether the device's buffer and the host's pages are two; by default where the device is no processor.

    Examples
    --------
    >>> 7 in DeviceMemories()
    False
    """

    def __init__(self, *, apart: bool | None = None) -> None:
        self._apart = apart
        self._known: dict[int, ResidentArray] = {}
        self._maps: dict[tuple[int, int, int], list[Any]] = {}
        self._locked: dict[int, Any] = {}
        """Maps of the buffers that lock the host's pages, by memory."""

    def __contains__(self, number: object) -> bool:
        return number in self._known

    def __getitem__(self, number: int) -> ResidentArray:
        try:
            return self._known[number]
        except KeyError:
            message = f"this engine has no device memory {number}"
            raise EngineError(message, remedy="make the array again: clm.array(…)", memory=number) from None

    def execute(self, command: Any, where: DeviceContext, arrays: Sequence[Any]) -> bool:  # noqa: ANN401 - a command
        """Execute an Allocate, Free, Transfer or Copy.

        Raises
        ------
        LaunchError
            The driver refused it.
        EngineError
            There is no such memory.
        """
        try:
            with where.new_lock():
                getattr(self, f"_{command.work}")(command, where, arrays)
        except opencl().Error as exc:
            code = code_of(int(exc.code))
            message = f"{where.info.short_name} refused to {command.work} device memory: {code.name}"
            raise LaunchError(message, remedy=code.remedy, code=int(exc.code), code_name=code.name) from exc
        return True

    def close(self) -> None:
        """Let go of all."""
        self._maps.clear()
        self._locked.clear()
        self._known.clear()

    def _allocate(self, command: Any, where: DeviceContext, arrays: Sequence[Any]) -> None:  # noqa: ANN401
        flags = opencl().mem_flags
        host = np.asarray(arrays[0]).reshape(-1).view(np.uint8)[: command.nbytes]
        if self._in_two(where):
            buffer = opencl().Buffer(where.context, flags.READ_WRITE, command.nbytes)
            self._lock_pages(command.memory, where, host)
            if command.filled:
                opencl().enqueue_copy(where.queue, buffer, host, is_blocking=True)
        else:
            buffer = opencl().Buffer(where.context, flags.READ_WRITE | flags.USE_HOST_PTR, hostbuf=host)
        self._known[command.memory] = ResidentArray(buffer, 0, command.nbytes, where=where, host=host)

    def _in_two(self, where: DeviceContext) -> bool:
        return "cpu" not in where.info.type if self._apart is None else self._apart

    def _lock_pages(self, number: int, where: DeviceContext, host: Any) -> None:  # noqa: ANN401 - a NumPy array
        """Register the host's pages for as long as the memory lives; a driver that refuses copies more slowly."""
        cl = opencl()
        with contextlib.suppress(cl.Error):
            flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
            pages = cl.Buffer(where.context, flags, hostbuf=host)
            kinds = cl.map_flags.READ | cl.map_flags.WRITE
            self._locked[number] = cl.enqueue_map_buffer(where.queue, pages, kinds, 0, host.shape, np.uint8)[0]

    def _free(self, command: Any, where: DeviceContext, _: Sequence[Any]) -> None:  # noqa: ANN401
        known = self._known.pop(command.memory, None)
        if known is not None:
            where.queue.finish()  # a command may still use the host's memory, which is given away after this
            known.release()
        pages = self._locked.pop(command.memory, None)
        if pages is not None:
            pages.base.release(where.queue).wait()

    def _transfer(self, command: Any, where: DeviceContext, _: Sequence[Any]) -> None:  # noqa: ANN401
        if self._in_two(where):
            self._copy_part(command, where)
            return
        key = (command.memory, command.offset_bytes, command.nbytes)
        if command.action == "map":
            self._maps.setdefault(key, []).append(self._mapped(command, where))
        elif self._maps.get(key):
            self._maps[key].pop().base.release(where.queue).wait()
            if not self._maps[key]:
                del self._maps[key]

    def _copy_part(self, command: Any, where: DeviceContext) -> None:  # noqa: ANN401
        """What a map and an unmap of a part mean where buffer and pages are two."""
        cl, memory, begin = opencl(), self[command.memory], command.offset_bytes
        part = memory.host[begin : begin + command.nbytes]
        if command.action == "map" and command.access != "w":
            cl.enqueue_copy(where.queue, part, memory.buffer, src_offset=begin, is_blocking=True)
        elif command.action == "unmap" and command.access != "r":
            cl.enqueue_copy(where.queue, memory.buffer, part, dst_offset=begin, is_blocking=True)
        else:
            where.queue.finish()

    def _mapped(self, command: Any, where: DeviceContext) -> Any:  # noqa: ANN401 - a NumPy array over the map
        cl = opencl()
        kinds = cl.map_flags
        flags = {"r": kinds.READ, "w": _overwrite(where), "rw": kinds.READ | kinds.WRITE}[command.access]
        buffer, shape = self[command.memory].buffer, (command.nbytes,)
        return cl.enqueue_map_buffer(
            where.queue, buffer, flags, command.offset_bytes, shape, np.uint8, is_blocking=True
        )[0]

    def _copy(self, command: Any, where: DeviceContext, _: Sequence[Any]) -> None:  # noqa: ANN401
        opencl().enqueue_copy(
            where.queue,
            self[command.target].buffer,
            self[command.source].buffer,
            byte_count=command.nbytes,
            src_offset=command.source_offset_bytes,
            dst_offset=command.target_offset_bytes,
        ).wait()


def _overwrite(where: DeviceContext) -> Any:  # noqa: ANN401 - PyOpenCL's flag
    """Flag of a map that brings nothing over; OpenCL 1.1 knows WRITE only."""
    kinds = opencl().map_flags
    old = where.info.platform_version.startswith(("OpenCL 1.0", "OpenCL 1.1"))
    return kinds.WRITE if old else kinds.WRITE_INVALIDATE_REGION
