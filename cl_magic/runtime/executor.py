"""Executes the engine's commands with PyOpenCL: the inline engine and the worker's child half both call it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from cl_magic.errors import EngineError
from cl_magic.launch.limits import DeviceInfo


class Executor:
    """Executes commands on the devices of the drivers that this process loads.

    Parameters
    ----------
    name : str
        Name of the engine, for the records: "inline" or "worker".
    """

    def __init__(self, name: str = "inline") -> None:
        self.name = name
        self._lock = threading.RLock()

    def devices(self) -> tuple[DeviceInfo, ...]:
        """Facts of the devices; loads the drivers at the first call."""
        raise EngineError("no device was enumerated")

    def execute(self, command: Any, arrays: Sequence[Any] = ()) -> Any:
        """The value of an Inspect, Build or Launch command; arrays are read and written back in place."""
        raise EngineError(f"{type(command).__name__} cannot be executed")

    def prepare(self, command: Any, arrays: Sequence[Any] = ()) -> Any:
        """A callable ``call(changed=()) -> PreparedRun`` (``done``, ``wait()``, ``record()``) that enqueues the launch again."""
        raise EngineError(f"{type(command).__name__} cannot be prepared")

    def close(self) -> None:
        """Release programs, queues and contexts."""
