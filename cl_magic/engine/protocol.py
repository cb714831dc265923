"""The one seam to whatever executes commands: in process, a worker process, later a simulator or a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cl_magic.engine.commands import Command, Launch
    from cl_magic.engine.device_memory import DeviceMemory
    from cl_magic.launch.limits import DeviceInfo


class Ticket(Protocol):
    """A command on its way."""

    limit: float | None
    """Seconds after which it is ended, and `result` raises; may be set while it is on its way."""

    @property
    def done(self) -> bool:
        """Whether `result` would return or raise at once."""

    @property
    def progress(self) -> float | None:
        """Share done, 0 to 1; None where it is not known."""

    def result(self, timeout: float | None = None) -> Any:  # noqa: ANN401 - one type a command
        """The command's value; raises what the command raised, TimeoutError after `timeout` seconds."""

    def cancel(self) -> bool:
        """Give up the command if it has not begun; False where it has."""


class Prepared(Protocol):
    """A launch whose program, plan and arguments are set: each call enqueues it again."""

    def __call__(self, changed: Sequence[tuple[int, Any]] = ()) -> Ticket:
        """Enqueue; `changed` gives new values by argument index (NumPy scalars, or device objects the engine takes)."""


class Engine(Protocol):
    """Executes commands on the devices of one driver."""

    name: str

    def devices(self) -> tuple[DeviceInfo, ...]:
        """The devices this engine serves."""

    def submit(self, command: Command, arrays: Sequence[Any] = ()) -> Ticket:
        """Begin a command; `arrays` are the NumPy arrays its slots mean, written back in place."""

    def prepare(self, command: Launch, arrays: Sequence[Any] = ()) -> Prepared:
        """Check and set everything of a launch once, so that calling it costs little more than the enqueue."""

    def memory(self, device: str, nbytes: int) -> DeviceMemory:
        """Memory on a device, by its local id, that stays there between launches."""

    def live_program(self, digest: str, device: str) -> Any:  # noqa: ANN401 - PyOpenCL's program
        """PyOpenCL's program, where this process has it; EngineError elsewhere."""

    def close(self) -> None:
        """End the engine; open tickets fail."""
