"""Executes the engine's commands with PyOpenCL: the inline engine and the worker's child half both call it.

A command is known here by what it carries (a request, a spec, or nothing), as this layer is below the one that
defines commands.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from cl_magic.build.result import BuildResult
from cl_magic.build.spec import ProgramSpec
from cl_magic.cache.kept import store_of
from cl_magic.errors import ArgumentError, LaunchError
from cl_magic.launch.image_support import ImageSupport
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.request import LaunchRequest, runs_once
from cl_magic.record.run import RunRecord
from cl_magic.reflect.listing import Extracted
from cl_magic.runtime.binaries import extract_code
from cl_magic.runtime.compiler import BuiltProgram, Compiler
from cl_magic.runtime.context import Contexts, DeviceContext
from cl_magic.runtime.image_support import image_support
from cl_magic.runtime.kept_builds import KeptBuilds
from cl_magic.runtime.launcher import Launching, run_launch
from cl_magic.runtime.lost import lost_device
from cl_magic.runtime.memory import DeviceMemories
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.prepared import PreparedLaunch
from cl_magic.runtime.queued import QueuedRun, queue_launch
from cl_magic.runtime.resident import ResidentArray, residents

_MEMORY_WORK = frozenset({"allocate", "free", "transfer", "copy"})


class Executor:
    """Executes commands on the devices of the drivers that this process loads; one command at a time.

    Parameters
    ----------
    name : str
        Name of the engine, for the records: "inline" or "worker".
    foreign : pyopencl.Context or pyopencl.CommandQueue, optional
        What the user made and everything is done in.

    Examples
    --------
    >>> from cl_magic.engine.commands import Inspect
    >>> executor = Executor()
    >>> executor.execute(Inspect()) == executor.devices()
    True
    """

    def __init__(self, name: str = "inline", foreign: Any = None) -> None:  # noqa: ANN401 - PyOpenCL's
        self.name = name
        self._lock = threading.RLock()
        self._contexts = Contexts(foreign)
        # A worker's programs only: PyOpenCL's own objects, which the inline engine hands out, must be whole.
        self._compiler = Compiler(KeptBuilds(lambda: store_of("builds")) if name == "worker" else None)
        self._memories = DeviceMemories()

    def devices(self) -> tuple[DeviceInfo, ...]:
        """Facts of the devices; loads the drivers at the first call."""
        with self._lock:
            return self._contexts.devices

    def execute(
        self,
        command: Any,  # noqa: ANN401 - any command
        arrays: Sequence[Any] = (),
    ) -> tuple[DeviceInfo, ...] | BuildResult | RunRecord | ImageSupport | Extracted | bool:
        """The value of an Inspect, Build, Launch or InspectImages command; written arrays hold the results afterwards.

        Raises
        ------
        LaunchError
            The runtime refused or failed a launch. A failed build is a BuildResult, no error.
        ArgumentError, KernelNotFoundError, DeviceNotFoundError, EngineError
            The launch names what is not there or does not fit.
        """
        if getattr(command, "work", "") in _MEMORY_WORK:
            with self._lock:
                return self._memories.execute(command, self._contexts.of(command.device), arrays)
        if command.work == "images":
            return self.image_support(command.device)
        if command.work == "extract":
            return self.extract(command.program, command.device)
        if hasattr(command, "request"):
            return self.launch(command.request, command.device, arrays)
        if hasattr(command, "spec"):
            return self.build(command.spec, command.device)
        return self.devices()

    def memory(self, number: int) -> ResidentArray:
        """A memory that an Allocate made, to be passed as an array of a launch."""
        return self._memories[number]

    def prints(self, command: Any) -> bool:  # noqa: ANN401 - a Launch or Prepare
        """Whether a launch's program may write to the process's descriptors."""
        with self._lock:
            return self._compiler.built(command.request.program, self._contexts.of(command.device)).prints

    def live_program(self, digest: str, device: str) -> Any:  # noqa: ANN401 - PyOpenCL's program
        """PyOpenCL's program of a build."""
        with self._lock:
            return opencl().Program(self._compiler.built(digest, self._contexts.of(device)).raw)

    def forget_pages(self, address: int) -> None:
        """Note that a mapping of the notebook's memory ends, or becomes a device's memory."""
        with self._lock:
            self._contexts.forget_pages(address)

    def finish(self) -> None:
        """Wait for every command that was enqueued."""
        with self._lock:
            self._contexts.finish()

    def build(self, spec: ProgramSpec, device: str) -> BuildResult:
        """Build a program on a device, by its local id."""
        with self._lock:
            return self._compiler.build(spec, self._contexts.of(device))

    def image_support(self, device: str) -> ImageSupport:
        """What images a device takes, by its local id."""
        with self._lock:
            return image_support(self._contexts.of(device))

    def extract(self, digest: str, device: str) -> Extracted:
        """The code of a program that was built on a device, by its local id."""
        with self._lock:
            where = self._contexts.of(device)
            return extract_code(self._compiler, digest, where)

    def launch(self, request: LaunchRequest, device: str, arrays: Sequence[Any] = ()) -> RunRecord:
        """Execute a launch to its end."""
        with self._lock:
            launching = self._launching(request, device, residents(arrays))
            with launching.where.new_lock():
                return run_launch(launching, arrays)

    def begin(self, command: Any, arrays: Sequence[Any] = ()) -> QueuedRun | None:  # noqa: ANN401 - any command
        """Enqueue a launch and return its ticket at once, where nothing has to be done around the kernel.

        None where it must be executed: for other commands, arrays of the host, captures, repeats, printf.
        """
        if not hasattr(command, "request") or not runs_once(command.request):
            return None
        known = residents(arrays)
        if not all(known):
            return None
        with self._lock:
            launching = self._launching(command.request, command.device, known)
            return None if launching.program.prints else queue_launch(launching, known)

    def prepare(self, command: Any, arrays: Sequence[Any] = ()) -> PreparedLaunch:  # noqa: ANN401 - a Launch
        """A callable ``call(changed=()) -> QueuedRun`` (a ticket) that enqueues the launch again.

        Raises
        ------
        LaunchError, ArgumentError, KernelNotFoundError, DeviceNotFoundError, EngineError
            As :meth:`execute`.
        """
        with self._lock:
            launching = self._launching(command.request, command.device, residents(arrays))
            return PreparedLaunch(launching, arrays)

    def lost(self, error: Exception, device: str) -> Exception:
        """The error of a command, or DeviceLostError where the device does not answer any more."""
        if not isinstance(error, LaunchError):
            return error
        with self._lock:
            return lost_device(error, self._contexts.of(device)) or error

    def close(self) -> None:
        """Let go of programs, queues and contexts."""
        with self._lock:
            self._memories.close()
            self._compiler.close()
            self._contexts.close()

    def _launching(self, request: LaunchRequest, device: str, known: Sequence[ResidentArray | None]) -> Launching:
        where = self._where(request, device, known)
        return Launching(where, self._program(request.program, device, where), request, self.name)

    def _where(self, request: LaunchRequest, device: str, known: Sequence[ResidentArray | None]) -> DeviceContext:
        """Our own context, or the one that device-resident arguments belong to."""
        contexts = [context for one in known if one is not None and (context := one.context) is not None]
        if not contexts:
            return self._contexts.of(device)
        if any(context != contexts[0] for context in contexts):
            message = f"{request.kernel}: the device arrays belong to {len(set(contexts))} different contexts"
            raise ArgumentError(message, remedy="pass arrays of one context", kernel=request.kernel)
        return self._contexts.of_context(contexts[0], device)

    def _program(self, digest: str, device: str, where: DeviceContext) -> BuiltProgram:
        """The program in that context; one built in our own context is built again in a foreign one, once."""
        own = self._contexts.of(device)
        if where is not own and not self._compiler.has(digest, where):
            self._compiler.build(self._compiler.built(digest, own).result.spec, where)
        return self._compiler.built(digest, where)
