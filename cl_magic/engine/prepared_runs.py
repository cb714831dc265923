"""The worker's half of prepared launches: run by handle, kept by number until the notebook asks how they ended."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cl_magic.engine.run_messages import read_run
from cl_magic.errors import ClMagicError, EngineError

if TYPE_CHECKING:
    from cl_magic.engine.channel import Buffer
    from cl_magic.engine.commands import Collect, Poll, Prepare
    from cl_magic.engine.run_messages import Changed
    from cl_magic.record.run import RunRecord
    from cl_magic.runtime.executor import Executor
    from cl_magic.runtime.prepared import PreparedLaunch
    from cl_magic.runtime.queued import QueuedRun

KEPT_EVENTS = 1024
"""Runs whose events are kept; of older ones only the times are."""
KEPT_RUNS = 16384
"""Runs that can still be asked for."""


class PreparedRuns:
    """Prepared launches by handle, and their runs by number.

    Parameters
    ----------
    executor : Executor
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._prepared: dict[int, PreparedLaunch] = {}
        self._fresh: OrderedDict[int, QueuedRun] = OrderedDict()
        self._settled: OrderedDict[int, QueuedRun | ClMagicError] = OrderedDict()

    def prepare(self, command: Prepare, arrays: Sequence[Any]) -> bool:
        """Set a launch; whether it may print, so that its runs must be caught one by one."""
        prints = self._executor.prints(command)
        if not prints:
            self._prepared[command.handle] = self._executor.prepare(command, arrays)
        return prints

    def run(self, message: Buffer) -> bool:
        """Enqueue the run that a message tells of; an error waits until it is asked for. False: forget the handle."""
        handle, number, changed = read_run(bytes(message))
        if number == 0:
            self._prepared.pop(handle, None)
            return False
        try:
            self._fresh[number] = self._set(handle)(changed)
        except ClMagicError as error:
            self._settled[number] = error
        if len(self._fresh) > KEPT_EVENTS:
            self._settle(*self._fresh.popitem(last=False))
        return True

    def _set(self, handle: int) -> PreparedLaunch:
        prepared = self._prepared.get(handle)
        if prepared is None:
            msg = f"no launch was prepared as {handle}"
            raise EngineError(msg, remedy="prepare it again")
        return prepared

    def launch(self, handle: int, changed: Changed) -> RunRecord:
        """Run a prepared launch to its end.

        Raises
        ------
        ClMagicError
            What it ended with.
        """
        return self._set(handle)(changed).result()

    def _settle(self, number: int, run: QueuedRun) -> None:
        """Copy the times of a run and let go of its events, which are memory of the driver."""
        run.settle()
        self._settled[number] = run
        if len(self._settled) > KEPT_RUNS:
            self._settled.popitem(last=False)

    @property
    def in_flight(self) -> bool:
        """Whether the last run is not over; then none before it is sure to be (one queue, in order)."""
        return bool(self._fresh) and not next(reversed(self._fresh.values())).done

    def done(self, command: Poll) -> bool:
        """Whether a run is over."""
        run = self._fresh.get(command.run)
        return run is None or run.done

    def collect(self, command: Collect) -> RunRecord:
        """Wait for a run and give its record, once.

        Raises
        ------
        ClMagicError
            What it ended with; EngineError where it is too long ago.
        """
        run = self._fresh.pop(command.run, None) or self._settled.pop(command.run, None)
        if run is None:
            msg = f"launch {command.run} of this worker was {KEPT_RUNS:_} launches ago, or was asked for already"
            raise EngineError(msg, remedy="wait() for a launch whose record you need, sooner", run=command.run)
        if isinstance(run, ClMagicError):
            raise run
        return run.result()
