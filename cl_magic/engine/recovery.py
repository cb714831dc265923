"""A new worker in place of one that ended, started at once and without being asked."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING, Protocol

from cl_magic.engine.commands import Command, Inspect
from cl_magic.engine.death import CLOSED, with_recovery
from cl_magic.errors import EngineError

if TYPE_CHECKING:
    from cl_magic.engine.ticket import WorkerTicket
    from cl_magic.engine.worker_link import WorkerLink

_MOST_S = 30.0


class Submits(Protocol):
    """What recovery needs of an engine."""

    def submit(self, command: Command) -> WorkerTicket:
        """Send a command, which starts a worker."""


def replace_worker(engine: Submits, ended: WorkerLink) -> None:
    """Start another worker in the background; not after one that ended as soon as it was started."""
    running = ended.death.running if ended.death else None
    worked = ended.answered or (running is not None and running.kind != "inspect")
    if worked and ended.reason != CLOSED:
        threading.Thread(target=_recover, args=(engine, ended), name="cl_magic-recover", daemon=True).start()


def _recover(engine: Submits, ended: WorkerLink) -> None:
    begin = time.monotonic()
    with contextlib.suppress(EngineError):  # the engine was closed meanwhile, or the next worker ended too
        if engine.submit(Inspect()).wait(_MOST_S) and ended.death is not None:
            with_recovery(ended.death, (time.monotonic() - begin) * 1000)
