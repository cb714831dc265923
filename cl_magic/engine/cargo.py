"""The arrays of one command on their way to a worker and back: one copy each way, and what it took."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cl_magic.engine.channel import Buffer
from cl_magic.engine.commands import Command, Launch, Prepare
from cl_magic.engine.copying import copy_array
from cl_magic.engine.device_memory import DeviceMemory, memory_of
from cl_magic.engine.fault_report import Span
from cl_magic.engine.messages import ArrayPlace
from cl_magic.engine.shared_memory import Overrun, Segment, SegmentPool, alignment_of
from cl_magic.errors import EngineError
from cl_magic.launch.request import ArrayArgument
from cl_magic.record.event import Transfer

_Array = np.ndarray[Any, Any]


@dataclass(slots=True)
class _Item:
    """One array: the user's, its twin that the worker sees, and the arguments that mean it."""

    array: _Array
    twin: _Array
    segment: Segment | None
    arguments: tuple[ArrayArgument, ...]
    gathered: bool
    copied_in_ns: int = 0
    memory: DeviceMemory | None = None
    """Memory of a device: nothing is copied."""

    @property
    def written(self) -> bool:
        if self.memory is not None and not self.arguments:
            return True
        return any(argument.direction != "in" for argument in self.arguments)

    @property
    def touched(self) -> bool:
        """Whether the kernel writes it, wherever it lies."""
        return any(argument.direction != "in" for argument in self.arguments)

    @property
    def parameter(self) -> str:
        return self.arguments[0].name if self.arguments else ""

    @property
    def label(self) -> str:
        return (self.arguments[0].label if self.arguments else "") or self.parameter

    @property
    def order(self) -> Literal["C", "F"]:
        return "C" if self.twin.flags.c_contiguous else "F"


class Cargo:
    """The arrays of one command, copied into memory that the worker sees.

    Parameters
    ----------
    command : Inspect, Build or Launch
    arrays : sequence of numpy.ndarray
        As :meth:`cl_magic.engine.protocol.Engine.submit` takes them.
    pool : SegmentPool or None
        None where this system has no shared memory files: the bytes travel in the messages.

    Raises
    ------
    EngineError
        An entry is no NumPy array: it lives in a context of this process.
    """

    def __init__(self, command: Command, arrays: Sequence[Any], pool: SegmentPool | None) -> None:
        self._pool = pool
        self._items: list[_Item] = []
        request = command.request if isinstance(command, Launch | Prepare) else None
        arguments = (*request.arrays, *request.images) if request else ()
        try:
            for slot, array in enumerate(arrays):
                self._items.append(self._load(array, tuple([a for a in arguments if a.slot == slot])))
        except BaseException:
            self.release()
            raise
        self.command = _with_gathered(command, self._items)

    def _load(self, array: Any, arguments: tuple[ArrayArgument, ...]) -> _Item:  # noqa: ANN401 - checked here
        memory = memory_of(array)
        if memory is not None and memory.host is not None:
            return _Item(memory.host, memory.host, memory.segment, arguments, gathered=False, memory=memory)
        if not isinstance(array, np.ndarray):
            label = arguments[0].label or arguments[0].name if arguments else "an argument"
            msg = f"{label} is a {type(array).__name__}, which belongs to this process; a worker takes NumPy arrays"
            raise EngineError(msg, remedy="use engine='inline'", parameter=label)
        source = np.asarray(array)
        whole = all(argument.contiguous for argument in arguments)
        order: Literal["C", "F"] = "F" if whole and source.flags.f_contiguous and not source.flags.c_contiguous else "C"
        alignment = alignment_of([argument.type_name for argument in arguments])
        segment = self._pool.take(source.nbytes, alignment) if self._pool else None
        room: Any = segment.memory if segment else bytearray(source.nbytes)
        twin: _Array = np.ndarray(source.shape, source.dtype, room, order=order)
        begin = time.perf_counter_ns()
        copy_array(twin, source)
        gathered = order == "C" and not source.flags.c_contiguous
        return _Item(source, twin, segment, arguments, gathered, time.perf_counter_ns() - begin)

    @property
    def memories(self) -> list[DeviceMemory]:
        """The device memories of this cargo."""
        return [item.memory for item in self._items if item.memory]

    @property
    def written_memories(self) -> list[DeviceMemory]:
        """Those that a launch writes."""
        return [item.memory for item in self._items if item.memory and item.arguments and item.written]

    @property
    def spans(self) -> list[Span]:
        """Where each array of a launch lies in its segment."""
        return [
            Span(one.label, one.parameter, one.segment.number, one.segment.begin, one.twin.nbytes, one.touched)
            for one in self._items
            if one.segment
        ]

    def overruns(self) -> list[tuple[str, str, int, Overrun]]:
        """What was written outside an array: label, parameter, size, place. The canaries are whole again afterwards."""
        found = []
        for one in self._items:
            overrun = one.segment.overrun() if one.segment else None
            if overrun is not None and one.segment:
                found.append((one.label, one.parameter, one.twin.nbytes, overrun))
                one.segment.mend()
        return found

    @property
    def host_labels(self) -> tuple[str, ...]:
        """The user's NumPy arrays, by label."""
        return tuple([one.label for one in self._items if one.memory is None])

    @property
    def written_device_labels(self) -> tuple[str, ...]:
        """Arrays of the device that the command writes."""
        return tuple([one.label for one in self._items if one.memory and one.touched])

    @property
    def lost_labels(self) -> tuple[str, ...]:
        """Arrays of the device whose values the host does not have."""
        return tuple([one.label for one in self._items if one.memory and one.memory.ahead])

    @property
    def segments(self) -> list[Segment]:
        """The shared segments of this cargo."""
        return [item.segment for item in self._items if item.segment]

    @property
    def places(self) -> tuple[ArrayPlace, ...]:
        """Where the worker finds each array."""
        return tuple(
            [
                ArrayPlace(
                    item.segment.number if item.segment else 0,
                    item.twin.shape,
                    item.twin.dtype.str,
                    item.order,
                    item.written,
                    item.memory.number if item.memory else 0,
                    item.segment.begin if item.segment else 0,
                )
                for item in self._items
            ]
        )

    @property
    def columns(self) -> list[Buffer]:
        """Bytes of the arrays that have no segment."""
        return [_bytes_of(item.twin) for item in self._items if not item.segment]

    @property
    def returning(self) -> int:
        """How many arrays come back as columns of the answer."""
        return sum([item.written and item.segment is None for item in self._items])

    def overlaps(self, arrays: Sequence[Any]) -> bool:
        """Whether an array that this command writes may share memory with one of `arrays`."""
        return any(
            item.written and isinstance(array, np.ndarray) and np.may_share_memory(item.array, array)
            for item in self._items
            for array in arrays
        )

    def unload(self, columns: Sequence[Buffer]) -> tuple[tuple[Transfer, ...], tuple[Transfer, ...]]:
        """Copy what was written back into the user's arrays.

        Returns
        -------
        tuple of (tuple of Transfer, tuple of Transfer)
            The copies there and the copies back, one for each array argument that caused one.
        """
        there, back, coming = [], [], iter(columns)
        for item in self._items:
            if item.memory:
                continue
            there += _transfers(item, "to device", item.copied_in_ns)
            if not item.written:
                continue
            begin = time.perf_counter_ns()
            if item.segment is None:
                _bytes_of(item.twin)[:] = next(coming)
            copy_array(item.array, item.twin)
            back += _transfers(item, "from device", time.perf_counter_ns() - begin)
        return tuple(there), tuple(back)

    def release(self) -> None:
        """Give the segments back to the pool."""
        items, self._items = self._items, []
        for item in items:
            item.twin = item.array
            if item.segment and self._pool and not item.memory:
                self._pool.give(item.segment)


def _bytes_of(array: _Array) -> memoryview:
    return array.reshape(-1, order="A").view(np.uint8).data


def _transfers(item: _Item, direction: Literal["to device", "from device"], duration_ns: int) -> list[Transfer]:
    """One transfer for the array: named by its first argument (others that mean the same memory cause no copy)."""
    meant = [a for a in item.arguments if direction == "to device" or a.direction != "in"]
    if not meant:
        return []
    memory = "shared memory" if item.segment else "the message to the worker"
    if direction == "to device":
        how = f"gathered into {memory}" if item.gathered else f"copied into {memory}"
    else:
        how = f"scattered from {memory}" if item.gathered else f"copied from {memory}"
    first = meant[0]
    label = first.label or first.name
    return [Transfer(first.name, label, direction, item.twin.nbytes, duration_ns, how, first.reason)]


def _with_gathered(command: Command, items: Sequence[_Item]) -> Command:
    """Return the command as the worker gets it: arrays that were gathered are contiguous there."""
    if not isinstance(command, Launch) or not any(item.gathered for item in items):
        return command
    request = command.request
    arrays = tuple(dataclasses.replace(a, contiguous=True) for a in request.arrays)
    images = tuple(dataclasses.replace(a, contiguous=True) for a in request.images)
    return dataclasses.replace(command, request=dataclasses.replace(request, arrays=arrays, images=images))
