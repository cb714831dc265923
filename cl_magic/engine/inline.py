"""The engine inside this process: for PyOpenCL's own objects, and where a worker is not wanted.

A command runs in the thread that submits it. A kernel that writes out of bounds or never ends takes the process with
it: that is what the worker engine is for.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cl_magic.engine import following
from cl_magic.engine.commands import Allocate, Command, Free, Launch
from cl_magic.engine.device_memory import DeviceMemory, MemoryKeeper, memory_of
from cl_magic.errors import ClMagicError, EngineError

if TYPE_CHECKING:
    from cl_magic.engine.protocol import Prepared, Ticket
    from cl_magic.engine.shared_memory import Segment
    from cl_magic.launch.limits import DeviceInfo
    from cl_magic.runtime.executor import Executor


class FinishedTicket:
    """A command that is over: its value, or the error it ended with.

    Examples
    --------
    >>> FinishedTicket(value=3).result()
    3
    """

    __slots__ = ("_error", "_value", "limit")

    def __init__(self, value: Any = None, error: ClMagicError | None = None) -> None:  # noqa: ANN401 - any command's
        self.limit: float | None = None
        self._value = value
        self._error = error

    @property
    def done(self) -> bool:
        """True."""
        return True

    @property
    def progress(self) -> float | None:
        """1.0: all of it."""
        return 1.0

    def result(self, timeout: float | None = None) -> Any:  # noqa: ANN401, ARG002 - one type a command; nothing to wait for
        """The value; raises what the command raised."""
        if self._error is not None:
            raise self._error
        return self._value

    def cancel(self) -> bool:
        """False: it has run."""
        return False


class InlineEngine:
    """Executes commands in this process, one at a time; PyOpenCL is imported at the first one.

    `arrays` may be NumPy arrays, ``pyopencl.Buffer`` or ``pyopencl.array.Array``; device objects bring their own
    context, in which the program is built once more.

    Parameters
    ----------
    foreign : pyopencl.Context or pyopencl.CommandQueue, optional
        What the user made and everything is done in; by default contexts and queues of our own.

    Examples
    --------
    >>> from cl_magic.engine.commands import Inspect
    >>> engine = InlineEngine()
    >>> engine.submit(Inspect()).result() == engine.devices()
    True
    >>> engine.close()
    """

    def __init__(self, foreign: Any = None) -> None:  # noqa: ANN401 - PyOpenCL's context or queue
        self.name = "inline"
        self._foreign = foreign
        self._lock = threading.RLock()
        self._executor: Executor | None = None
        self._closed = False
        self.memories = MemoryKeeper(self)

    def devices(self) -> tuple[DeviceInfo, ...]:
        """The devices of all drivers that the loader of this process shows."""
        return self._open().devices()

    def submit(self, command: Command, arrays: Sequence[Any] = ()) -> Ticket:
        """Execute a command here and now; errors wait in the ticket.

        A launch with ``capture="none"`` whose arrays are all on the device already is only enqueued.
        """
        try:
            executor = self._open()
            for abandoned, _ in self.memories.abandoned():
                executor.execute(abandoned)
            live = _live(executor, command, arrays)
            ticket = executor.begin(command, live) or FinishedTicket(executor.execute(command, live))
        except ClMagicError as exc:
            return FinishedTicket(error=exc)
        if isinstance(command, Launch):
            following.remember(command, arrays)
            following.launched(command, arrays, ticket)
        return ticket

    def prepare(self, command: Launch, arrays: Sequence[Any] = ()) -> Prepared:
        """Check and set a launch once; calling what this returns enqueues it, in 3 µs more than a bare enqueue.

        Raises
        ------
        LaunchError, ArgumentError, KernelNotFoundError, DeviceNotFoundError, EngineError
            What submitting it would have raised.
        """
        executor = self._open()
        prepared = executor.prepare(command, _live(executor, command, arrays))
        held = [memory_of(array) or array for array in arrays]
        following.remember(command, held)

        def again(changed: Sequence[tuple[int, Any]] = ()) -> Ticket:
            ticket: Ticket = prepared(changed)
            if following.FOLLOWERS:
                following.launched(command, held, ticket)
            return ticket

        return again

    def memory(self, device: str, nbytes: int) -> DeviceMemory:
        """Memory on a device, over pages of this process.

        Raises
        ------
        ArgumentError, LaunchError
            There is no room for it.
        """
        return self.memories.allocate(device, nbytes)

    def live_program(self, digest: str, device: str) -> Any:  # noqa: ANN401 - PyOpenCL's program
        """PyOpenCL's program that was built on a device, as it is: what is done to it is done to this engine's."""
        return self._open().live_program(digest, device)

    def release_memory(self, command: Free, _: Segment | None) -> None:
        """Free memory of a device, after the commands that use it."""
        if not self._closed:
            self.submit(command)

    def close(self) -> None:
        """Let go of programs and contexts; later commands are refused."""
        with self._lock:
            self._closed = True
            if self._executor is not None:
                self._executor.close()
                self._executor = None

    def _open(self) -> Executor:
        with self._lock:
            if self._closed:
                message = "the inline engine is closed"
                raise EngineError(message, remedy="make a new one")
            if self._executor is None:
                from cl_magic.runtime.executor import Executor  # noqa: PLC0415 - nothing of the runtime before a command

                self._executor = Executor(self.name, self._foreign)
            return self._executor


def _live(executor: Executor, command: Command, arrays: Sequence[Any]) -> Sequence[Any]:
    """The arrays of a command with the runtime's objects in place of this engine's memories."""
    memories = [memory_of(array) for array in arrays]
    if not any(memories):
        return arrays
    if isinstance(command, Allocate):
        return [memory.host for memory in memories if memory is not None]
    return [
        array if memory is None else executor.memory(memory.number)
        for array, memory in zip(arrays, memories, strict=True)
    ]
