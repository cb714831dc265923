"""Memory that stays on a device between launches, by number: made over memory of the host, mapped, copied, freed.

CL_MEM_USE_HOST_PTR (OpenCL 1.2, 5.2.1) on memory that notebook and worker share: on a processor kernels work in it
itself; on a graphics card the driver locks its pages, so that a map moves at the full speed of the bus.
"""

from __future__ import annotations

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

    Examples
    --------
    >>> 7 in DeviceMemories()
    False
    """

    def __init__(self) -> None:
        self._known: dict[int, ResidentArray] = {}
        self._maps: dict[tuple[int, int, int], list[Any]] = {}

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
        self._known.clear()

    def _allocate(self, command: Any, where: DeviceContext, arrays: Sequence[Any]) -> None:  # noqa: ANN401
        cl = opencl()
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        host = np.asarray(arrays[0]).reshape(-1).view(np.uint8)[: command.nbytes]
        buffer = cl.Buffer(where.context, flags, hostbuf=host)
        self._known[command.memory] = ResidentArray(buffer, 0, command.nbytes, where=where, host=host)

    def _free(self, command: Any, where: DeviceContext, _: Sequence[Any]) -> None:  # noqa: ANN401
        known = self._known.pop(command.memory, None)
        if known is not None:
            where.queue.finish()  # a command may still use the host's memory, which is given away after this
            known.release()

    def _transfer(self, command: Any, where: DeviceContext, _: Sequence[Any]) -> None:  # noqa: ANN401
        key = (command.memory, command.offset_bytes, command.nbytes)
        if command.action == "map":
            self._maps.setdefault(key, []).append(self._mapped(command, where))
        elif self._maps.get(key):
            self._maps[key].pop().base.release(where.queue).wait()
            if not self._maps[key]:
                del self._maps[key]

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
