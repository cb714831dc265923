"""Memory of a device as the notebook holds it: its number in an engine, and the host's pages under it.

The pages are a shared segment where a worker executes, and ordinary ones where this process does. What they show is
only sure while the part is mapped (see :class:`cl_magic.engine.commands.Transfer`).
"""

from __future__ import annotations

import itertools
import mmap
import weakref
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from cl_magic.engine.commands import Allocate, Free, Transfer
from cl_magic.errors import ArgumentError, EngineError

if TYPE_CHECKING:
    from cl_magic.engine.shared_memory import Segment, SegmentPool

_FREED = "was freed"


class DeviceMemory:
    """One allocation on a device.

    Attributes
    ----------
    engine : Engine
        The engine that made it, and the only one that can use it.
    device : str
        Local id there.
    number, nbytes : int
    host : numpy.ndarray
        Its pages, as bytes.
    known_to : int
        Number of the worker that has it; 0 for none.
    open_for_host : int
        How many views of the host are open.
    shared : bool
        Whether the device works in the host's pages themselves.
    last : Ticket or None
        The last command that uses it and was not waited for.
    ahead : bool
        Whether the device may hold newer values than the host's pages.
    """

    __slots__ = ("__weakref__", "_keeper", "ahead", "device", "engine", "host", "known_to", "last", "nbytes",
                 "number", "open_for_host", "segment", "shared")  # fmt: skip

    def __init__(self, keeper: MemoryKeeper, device: str, number: int, nbytes: int, segment: Segment | None) -> None:
        self._keeper = keeper
        self.engine: Any = keeper.engine
        self.device, self.number, self.nbytes, self.segment = device, number, nbytes, segment
        pages: Any = segment.memory if segment else mmap.mmap(-1, max(nbytes, mmap.PAGESIZE))
        self.host: np.ndarray[Any, Any] | None = np.ndarray((nbytes,), np.uint8, pages)
        self.known_to = 0
        self.open_for_host = 0
        self.shared = False
        self.last: Any = None
        self.ahead = False

    @property
    def allocation(self) -> Allocate:
        """The command that makes it."""
        return Allocate(self.device, self.number, self.nbytes)

    @property
    def barred(self) -> str:
        """Why no command may use it: it was freed, or the host has it; "" where one may."""
        if self.host is None:
            return _FREED
        return "is open for the host (with array.host(…))" if self.open_for_host else ""

    def wrote(self) -> None:
        """Note that the device writes it."""
        if not self.shared:
            self.ahead = True

    @property
    def in_flight(self) -> bool:
        """Whether a command that was not waited for still uses it."""
        if self.last is not None and self.last.done:
            self.last = None
        return self.last is not None

    def free(self) -> None:
        """Give it back, after the commands that use it; nothing may use it from here on."""
        if self.host is not None:
            self.last = None
            self.host = None
            self._keeper.free(self)

    def __del__(self) -> None:
        if getattr(self, "host", None) is not None:
            self._keeper.abandon(self)


class MemoryKeeper:
    """The device memories of one engine.

    Parameters
    ----------
    engine : Engine
    """

    def __init__(self, engine: Any) -> None:  # noqa: ANN401 - an Engine
        self._engine = weakref.ref(engine)
        self._numbers = itertools.count(1)
        self._abandoned: deque[tuple[str, int, Segment | None]] = deque()
        self._closed = False

    @property
    def engine(self) -> Any:  # noqa: ANN401 - an Engine; None when it is gone
        """The engine they belong to."""
        return self._engine()

    def allocate(self, device: str, nbytes: int, pool: SegmentPool | None = None) -> DeviceMemory:
        """Make memory on a device and wait for it; its pages are zero or old.

        Raises
        ------
        ArgumentError
            The host has no room for it.
        LaunchError
            The driver refused it.
        """
        try:
            segment = pool.take(nbytes, mmap.PAGESIZE) if pool else None
            memory = DeviceMemory(self, device, next(self._numbers), nbytes, segment)
        except (OSError, MemoryError, ValueError) as error:
            message = f"there is no memory for an array of {nbytes:_} B".replace("_", " ") + f": {error}"
            raise ArgumentError(message, remedy="free arrays (clm.free) or use a smaller one", nbytes=nbytes) from None
        try:
            self.engine.submit(memory.allocation, (memory,)).result()
        except BaseException:
            memory.free()
            raise
        return memory

    def free(self, memory: DeviceMemory) -> None:
        """Tell the engine; a segment is used again when it answers."""
        engine = self.engine
        if engine is None or self._closed:
            _give_back(memory.segment)
        else:
            engine.release_memory(Free(memory.device, memory.number), memory.segment)

    def abandon(self, memory: DeviceMemory) -> None:
        """Note memory that nobody holds any more: it is freed with the next command (this may be any thread)."""
        if self._closed:
            _give_back(memory.segment)
        else:
            self._abandoned.append((memory.device, memory.number, memory.segment))

    def close(self) -> None:
        """Give back what nobody holds; what somebody still holds is given back when it is let go. The engine ends."""
        self._closed = True
        for _, segment in self.abandoned():
            _give_back(segment)

    def tidy(self) -> None:
        """Free what nobody holds any more now, not with the next command."""
        for command, segment in self.abandoned():
            self.engine.release_memory(command, segment)

    def abandoned(self) -> list[tuple[Free, Segment | None]]:
        """What was noted since the last call."""
        found = []
        while self._abandoned:
            device, number, segment = self._abandoned.popleft()
            found.append((Free(device, number), segment))
        return found


def _give_back(segment: Segment | None) -> None:
    """Close pages that no worker uses any more."""
    if segment is not None:
        segment.close()


def memory_of(value: Any) -> DeviceMemory | None:  # noqa: ANN401 - any argument
    """The engine's memory under an argument; None where it is something else.

    Examples
    --------
    >>> memory_of(3)
    """
    if isinstance(value, DeviceMemory):
        return value
    memory = getattr(value, "base_data", None)
    return memory if isinstance(memory, DeviceMemory) else None


def overwrites(command: Any, memory: DeviceMemory) -> bool:  # noqa: ANN401 - any command
    """Whether a command is the host's, about to write all of a memory.

    Examples
    --------
    >>> from cl_magic.engine.commands import Inspect
    >>> overwrites(Inspect(), None)
    False
    """
    return isinstance(command, Transfer) and command.access == "w" and command.nbytes == memory.nbytes


def lost_memory(memory: DeviceMemory) -> EngineError:
    """Say that an array's values were on a device whose worker ended.

    Examples
    --------
    >>> lost_memory.__name__
    'lost_memory'
    """
    message = f"an array of {memory.nbytes} B was on the device only, and its worker process ended: its values are lost"
    remedy = "fill it again: clm.copyto(array, values), or with array.host('w')"
    return EngineError(message, remedy=remedy, memory=memory.number)
