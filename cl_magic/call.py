"""Calls of a kernel: checked and planned, on their way, and enqueued before with the same memory."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from cl_magic.clc.signature import Parameter
from cl_magic.engine.commands import Launch
from cl_magic.engine.device_memory import DeviceMemory, memory_of
from cl_magic.engine.fast_launch import FastLaunch
from cl_magic.engine.protocol import Engine, Prepared, Ticket
from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import ArgumentBinder, BoundArguments
from cl_magic.launch.images import is_image_type
from cl_magic.launch.request import ScalarArgument, runs_once
from cl_magic.launch.staging import Staged
from cl_magic.launch.words import PLAIN_TYPES, same_words
from cl_magic.record.run import RunRecord

_KEPT_LAUNCHES = 16
_FINISHING = threading.RLock()


class PendingRun:
    """A launch on its way (``wait=False``): `done`, :meth:`wait`, or ``await`` it. Any thread may ask, and ask again.

    What it uses stays alive until it is over, also where the program drops its names (R-103).
    """

    __slots__ = ("_finish", "_record", "ticket")

    def __init__(self, ticket: Ticket, finish: Callable[[RunRecord], RunRecord]) -> None:
        self.ticket, self._finish = ticket, finish
        self._record: RunRecord | None = None

    @property
    def done(self) -> bool:
        """Whether :meth:`wait` would return at once."""
        return self._record is not None or self.ticket.done

    def wait(self, timeout: float | None = None) -> RunRecord:
        """Wait for the end and return the record; TimeoutError after `timeout` seconds."""
        if self._record is None:
            record = self.ticket.result(timeout)
            with _FINISHING:
                if self._record is None:
                    self._record = self._finish(record)
        return self._record

    def __await__(self) -> Generator[Any, None, RunRecord]:
        return asyncio.to_thread(self.wait).__await__()

    def __repr__(self) -> str:
        return f"<run {'that is over: wait() gives its record' if self.done else 'on its way'}>"


@dataclass(frozen=True, slots=True)
class KernelCall:
    """A call that was checked and planned: its command, its arguments, who executes it, what completes the record."""

    launch: Launch
    bound: BoundArguments
    engine: Engine
    finish: Callable[..., RunRecord]
    """Called with the record of the engine, and `told`: values in short, by index, that changed since the binding."""
    binder: ArgumentBinder
    """Of the kernel, for values that change later."""

    @property
    def memories(self) -> tuple[DeviceMemory, ...]:
        """Memory of devices that the launch uses."""
        return tuple(dict.fromkeys([m for value in self.bound.values if (m := memory_of(value)) is not None]))

    def submit(self) -> Ticket:
        """Launch; the arrays of devices note it."""
        memories = self.memories
        allow(memories)
        ticket = self.engine.submit(self.launch, self.bound.values)
        for memory in memories:
            memory.last = ticket
        return ticket

    @property
    def plain(self) -> bool:
        """Whether all memory is on the worker's device, and nothing is to be done around the kernel."""
        request = self.launch.request
        if self.engine.name != "worker" or request.timeout is not None or not runs_once(request):
            return False
        return bool(self.bound.values) and all(memory_of(value) is not None for value in self.bound.values)

    @property
    def uncaptured(self) -> KernelCall:
        """The same without captures."""
        return replace(self, launch=replace(self.launch, request=replace(self.launch.request, capture="none")))

    @property
    def on_host(self) -> bool:
        """Whether any array is NumPy's, so that results must come back."""
        return any(isinstance(value, np.ndarray) for value in self.bound.values)


class EnqueuedCall:
    """A launch without waiting, and what was set for it, so that a like call checks only the values that changed.

    Parameters
    ----------
    args, kwargs
        As the kernel was called.
    call : KernelCall
    values : sequence of int
        Indices of the arguments that are passed by value.
    """

    __slots__ = (
        "args",
        "binders",
        "finish",
        "kwargs",
        "lock",
        "memories",
        "prepared",
        "timeout",
        "told",
        "values",
        "waits",
    )

    def __init__(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        call: KernelCall,
        values: Sequence[int],
        *,
        waits: bool = False,
    ) -> None:
        # Arrays of ours are not held: a launch that was only kept for the next one must not keep their memory.
        self.args = [None if memory_of(value) is not None else value for value in args]
        self.kwargs, self.finish, self.values = kwargs, call.finish, tuple(values)
        self.told: Mapping[int, str] = {}
        self.prepared: Prepared = call.engine.prepare(call.launch, call.bound.values)
        self.binders = call.binder.binders
        self.memories = call.memories
        self.lock = threading.Lock()
        self.timeout, self.waits = call.launch.request.timeout, waits

    def __call__(self, args: tuple[Any, ...]) -> PendingRun | RunRecord:
        """Do it again with all arguments by position; memory arguments must be the ones that were set."""
        return self.launch(args) if self.waits else self.enqueue(args)

    def enqueue(self, args: tuple[Any, ...]) -> PendingRun:
        """Launch without waiting."""
        with self.lock:  # of two threads each gets its own values
            changed = self._changed(args)
            allow(self.memories)
            return self._pending(self.prepared([(scalar.index, scalar.data) for scalar in changed]))

    def launch(self, args: tuple[Any, ...]) -> RunRecord:
        """Launch and wait; only for what is set in a worker."""
        with self.lock:
            changed = self._changed(args)
            allow(self.memories)
            assert isinstance(self.prepared, FastLaunch)  # noqa: S101 - nothing else is kept to be waited for
            pending = self._pending(self.prepared.launch(changed))
        return pending.wait()

    def _pending(self, ticket: Ticket) -> PendingRun:
        for memory in self.memories:
            memory.last = ticket
        return PendingRun(ticket, _finish_with(self.finish, self.told))

    def _changed(self, args: tuple[Any, ...]) -> list[ScalarArgument]:
        """Values that are others than those of the call before."""
        changed, known = [], self.args
        for index in self.values:
            value = args[index]
            if value is not known[index]:
                bound = self.binders[index](value, 0)
                if isinstance(bound, ScalarArgument):
                    changed.append(bound)
                    self.told = {**self.told, index: bound.text}
                known[index] = value
        return changed


class EnqueuedCalls:
    """The last launches of a kernel that were not waited for, by the identity of their memory arguments.

    Parameters
    ----------
    memories : sequence of int
        Indices of the arguments that are objects rather than values.
    count : int
        Number of parameters.
    """

    __slots__ = ("_before", "_count", "_kept", "_looked", "_memories", "_prints", "_values")

    def __init__(self, memories: Sequence[int], count: int) -> None:
        self._memories, self._count = tuple(memories), count
        self._values = tuple(index for index in range(count) if index not in self._memories)
        self._kept: dict[tuple[int, ...], tuple[EnqueuedCall, list[weakref.ref[Any]]]] = {}
        self._before: tuple[tuple[int, ...], dict[str, Any]] = ((), {})
        self._prints = False
        self._looked: set[tuple[int, ...]] = set()

    def find(self, args: tuple[Any, ...], kwargs: dict[str, Any], timeout: float | None) -> EnqueuedCall | None:
        """What was set for a call with the same memory, words and limit that names all arguments by position."""
        if not self._kept or len(args) != self._count:
            return None
        found = self._kept.get(tuple([id(args[index]) for index in self._memories]))
        if found is None or not same_words(kwargs, found[0].kwargs):
            return None
        wanted = kwargs.get("timeout")
        return found[0] if found[0].timeout == (timeout if wanted is None else wanted) else None

    def forget(self) -> None:
        """Set every launch anew: what the kernel's calls mean has changed."""
        self._kept.clear()
        self._looked.clear()
        self._before = ((), {})

    def launch(self, args: tuple[Any, ...], kwargs: dict[str, Any], call: KernelCall) -> PendingRun:
        """Launch without waiting, and keep what was set while its arrays live."""
        if len(args) != self._count:
            return PreparedCall(call)()
        enqueued = EnqueuedCall(args, dict(kwargs), call, self._values)
        self._keep(args, enqueued)
        return enqueued.enqueue(args)

    def wait(self, args: tuple[Any, ...], kwargs: dict[str, Any], call: KernelCall) -> RunRecord:
        """Launch and wait. What comes a second time in a row is set for those that follow."""
        call = call.uncaptured if "capture" not in kwargs and self._was_looked_at(call) else call
        if self._comes_again(args, kwargs, call):
            enqueued = EnqueuedCall(args, dict(kwargs), call, self._values, waits=True)
            self._prints = not isinstance(enqueued.prepared, FastLaunch)
            if not self._prints:
                self._keep(args, enqueued)
                return enqueued.launch(args)
        return call.finish(call.submit().result())

    def _was_looked_at(self, call: KernelCall) -> bool:
        """Whether all arrays are a device's and the kernel ran with them before: a loop's steps are not captured."""
        if call.on_host or not call.memories:
            return False
        before = len(self._looked)
        self._looked.add(tuple(sorted([memory.number for memory in call.memories])))
        return len(self._looked) == before

    def _comes_again(self, args: tuple[Any, ...], kwargs: dict[str, Any], call: KernelCall) -> bool:
        """Whether the call before had the same memory and words, all on the worker's device, with nothing around it."""
        if self._prints or len(args) != self._count or not call.plain:
            return False
        key = tuple([id(args[index]) for index in self._memories])
        before, words = self._before
        if before == key and same_words(kwargs, words):
            return True
        self._before = (key, dict(kwargs) if all(type(value) in PLAIN_TYPES for value in kwargs.values()) else {})
        return False

    def _keep(self, args: tuple[Any, ...], enqueued: EnqueuedCall) -> None:
        """Keep what was set while its arrays live."""
        key = tuple([id(args[index]) for index in self._memories])
        kept = self._kept

        def forget(_: object) -> None:
            kept.pop(key, None)  # before another object can have its identity

        watched = [args[index] for index in self._memories if memory_of(args[index]) is not None]
        while len(kept) >= _KEPT_LAUNCHES:
            kept.pop(next(iter(kept)), None)
        kept[key] = (enqueued, [weakref.ref(array, forget) for array in watched])


class PreparedCall:
    """A launch that is set: calling it launches again, with values that were changed by name (OpenCL 1.2, 5.7.2)."""

    __slots__ = ("_binder", "_finish", "_lock", "_memories", "_prepared", "_told")

    def __init__(self, call: KernelCall) -> None:
        self._prepared: Prepared = call.engine.prepare(call.launch, call.bound.values)
        self._binder, self._finish = call.binder, call.finish
        self._memories = call.memories
        self._lock = threading.Lock()
        self._told: Mapping[int, str] = {}

    def __call__(self, **changed: Any) -> PendingRun:  # noqa: ANN401 - checked by the parameter's binder
        """Launch again without waiting; scalars given by name replace theirs, here and from now on.

        Raises
        ------
        ArgumentError
            No such parameter, a value that does not fit it, or a memory argument: those are set by another prepare().
        """
        scalars = [self._binder.scalar(name, value) for name, value in changed.items()]
        with self._lock:
            if scalars:
                self._told = {**self._told, **{scalar.index: scalar.text for scalar in scalars}}
            allow(self._memories)
            ticket = self._prepared([(scalar.index, scalar.data) for scalar in scalars])
            for memory in self._memories:
                memory.last = ticket
            return PendingRun(ticket, _finish_with(self._finish, self._told))


def is_memory(parameter: Parameter) -> bool:
    """Whether an argument is an object rather than a value: with another one a launch has to be set anew."""
    return parameter.is_pointer or is_image_type(parameter.type_name) or parameter.type_name == "sampler_t"


def allow(memories: Sequence[DeviceMemory]) -> None:
    """Refuse a launch with memory that was freed or that the host has open.

    Raises
    ------
    ArgumentError
    """
    for memory in memories:
        if memory.host is None or memory.open_for_host:
            what, freed = memory.barred, memory.host is None
            message = f"an array of this launch, {memory.nbytes} B on the device, {what}"
            remedy = "make it again, and prepare the launch again" if freed else "leave the with block first"
            raise ArgumentError(message, remedy=remedy, nbytes=memory.nbytes)


def _finish_with(finish: Callable[..., RunRecord], told: Mapping[int, str]) -> Callable[[RunRecord], RunRecord]:
    return partial(finish, told=told) if told else finish


def put_back(record: RunRecord, staged: Sequence[Staged]) -> RunRecord:
    """Copy results from the copies that stood for arrays into these, and say in the transfers what was done."""
    for one in staged:
        if one.restore is not None:
            one.restore()
    reasons = {one.argument.name: one.reason for one in staged}
    transfers = [
        replace(transfer, how=f"{reasons[transfer.parameter]}, then {transfer.how}")
        if transfer.parameter in reasons and transfer.direction == "to device"
        else transfer
        for transfer in record.transfers
    ]
    return replace(record, transfers=tuple(transfers))
