"""Pages of the notebook's memory files that a driver has locked, so that copies from and to them run at full speed.

A device with memory of its own copies from ordinary pages at a fifth of the bus's speed, as the driver goes through
pages that it has locked. A buffer over pages of the host (CL_MEM_USE_HOST_PTR, OpenCL 1.2, 5.2.1) that stays mapped
makes it lock them. Locking takes as long as several copies: it is done for a file that comes a second time, and kept.
"""

from __future__ import annotations

import contextlib
import mmap
from typing import Any

import numpy as np

from cl_magic.runtime.opencl import opencl

LEAST_BYTES = 256 * 1024
"""Smaller arrays are not locked: their copies take less than what a command costs."""
_MOST_KNOWN = 4096


class LockedPages:
    """The locked pages of one context, by the address of their mapping.

    Parameters
    ----------
    context : pyopencl.Context
    queue : pyopencl.CommandQueue
    least_bytes : int
        Smaller arrays are left alone.

    Examples
    --------
    >>> LockedPages(None, None).lock(np.zeros(4))
    False
    """

    def __init__(self, context: Any, queue: Any, least_bytes: int = LEAST_BYTES) -> None:  # noqa: ANN401 - PyOpenCL's
        self._context, self._queue = context, queue
        self._least_bytes = least_bytes
        self._uses: dict[int, int] = {}
        self._locked: dict[int, tuple[int, Any]] = {}

    def __len__(self) -> int:
        return len(self._locked)

    def lock(self, array: np.ndarray[Any, Any]) -> bool:
        """Whether the pages of an array are locked now: those of a memory file that was used before.

        Parameters
        ----------
        array : ndarray
            Over a mapping (:class:`cl_magic.engine.fences.FencedMap`) whose pages from the array on are open.
        """
        mapping = getattr(array.base, "fenced_map", None)
        if mapping is None or array.nbytes < self._least_bytes:
            return False
        first = (array.ctypes.data - mapping.address) // mmap.PAGESIZE * mmap.PAGESIZE
        known = self._locked.get(mapping.address)
        if known is not None and known[0] <= first:
            return True
        if not self._used_before(mapping.address):
            return False
        self.forget(mapping.address)
        return self._lock(mapping.address, array.base, first)

    def _used_before(self, address: int) -> bool:
        if len(self._uses) >= _MOST_KNOWN:
            self._uses.clear()
        self._uses[address] = self._uses.get(address, 0) + 1
        return self._uses[address] > 1

    def _lock(self, address: int, memory: Any, first: int) -> bool:  # noqa: ANN401 - a buffer
        """Lock from byte `first` of a mapping on; a driver that refuses copies more slowly."""
        cl = opencl()
        pages = np.frombuffer(memory, np.uint8)[first:]
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        kinds = cl.map_flags.READ | cl.map_flags.WRITE
        with contextlib.suppress(cl.Error):
            buffer = cl.Buffer(self._context, flags, hostbuf=pages)
            mapped = cl.enqueue_map_buffer(self._queue, buffer, kinds, 0, pages.shape, np.uint8)[0]
            self._locked[address] = first, mapped
        return address in self._locked

    def forget(self, address: int) -> None:
        """Let go of the pages of a mapping, which is about to end or to be locked otherwise."""
        _, mapped = self._locked.pop(address, (0, None))
        if mapped is not None:
            mapped.base.release(self._queue).wait()

    def ended(self, address: int) -> None:
        """Forget a mapping that ends: another may come to its address."""
        self.forget(address)
        self._uses.pop(address, None)
