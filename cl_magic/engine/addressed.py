"""The engine of this process as one device's engine.

One loader shows all platforms there, so that a device has another ``local_id`` than in a worker that loads its driver
alone. Commands carry the latter; this turns it into the former, and the answers back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from cl_magic.build.result import BuildResult
from cl_magic.engine.commands import Command, Inspect, Launch
from cl_magic.engine.device_memory import DeviceMemory
from cl_magic.engine.protocol import Engine, Prepared, Ticket
from cl_magic.launch.limits import DeviceInfo
from cl_magic.record.run import RunRecord


class AddressedEngine:
    """An engine for one device (see ``engine.protocol.Engine``).

    Parameters
    ----------
    engine : Engine
        What executes.
    device : DeviceInfo
        The device as discovery found it; commands carry its `local_id`.
    here : DeviceInfo
        The same device as `engine` numbers it.
    """

    def __init__(self, engine: Engine, device: DeviceInfo, here: DeviceInfo) -> None:
        self.name = engine.name
        self.device = device
        self._engine = self.root = engine
        self._here = here

    def devices(self) -> tuple[DeviceInfo, ...]:
        """Return the one device."""
        return (self.device,)

    def submit(self, command: Command, arrays: Sequence[Any] = ()) -> Ticket:
        """Begin a command on the device."""
        return _AddressedTicket(self._engine.submit(self._addressed(command), arrays), self.device)

    def prepare(self, command: Launch, arrays: Sequence[Any] = ()) -> Prepared:
        """Check and set everything of a launch once. Its records name the device as the engine does: no call more."""
        return self._engine.prepare(dataclasses.replace(command, device=self._here.local_id), arrays)

    def memory(self, device: str, nbytes: int) -> DeviceMemory:
        """Memory on the device."""
        return self._engine.memory(self._here.local_id if device == self.device.local_id else device, nbytes)

    def live_program(self, digest: str, device: str) -> Any:  # noqa: ANN401 - PyOpenCL's program
        """PyOpenCL's program that was built on the device."""
        return self._engine.live_program(digest, self._here.local_id if device == self.device.local_id else device)

    def close(self) -> None:
        """Close the engine, which other devices may share."""
        self._engine.close()

    def _addressed(self, command: Command) -> Command:
        if isinstance(command, Inspect) or command.device != self.device.local_id:
            return command
        return dataclasses.replace(command, device=self._here.local_id)


class _AddressedTicket:
    """A ticket whose value names the device as discovery does."""

    __slots__ = ("_device", "_ticket", "limit")

    def __init__(self, ticket: Ticket, device: DeviceInfo) -> None:
        self._ticket, self._device = ticket, device
        self.limit: float | None = None  # what runs in this process cannot be ended

    @property
    def done(self) -> bool:
        return self._ticket.done

    @property
    def progress(self) -> float | None:
        return self._ticket.progress

    def result(self, timeout: float | None = None) -> Any:  # noqa: ANN401 - one type a command
        value = self._ticket.result(timeout)
        if isinstance(value, RunRecord):
            return dataclasses.replace(value, device=self._device)
        if isinstance(value, BuildResult):
            return dataclasses.replace(value, device_id=self._device.id)
        return (self._device,) if isinstance(value, tuple) else value

    def cancel(self) -> bool:
        return self._ticket.cancel()
