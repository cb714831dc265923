"""Launches under the eyes of followers: views that show the arrays of a kernel's launches as these come.

A follower is told of a launch when it was handed to its engine, in the thread that launched it. Beside that, the memory
of the last launch of each kernel is known while somebody holds it, for views that are asked for single elements.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from cl_magic.engine.device_memory import DeviceMemory, memory_of

if TYPE_CHECKING:
    from cl_magic.engine.commands import Launch
    from cl_magic.engine.protocol import Ticket
    from cl_magic.launch.request import ArrayArgument

_KEPT = 64
_Place = tuple["ArrayArgument", Callable[[], Any]]


class Follower(Protocol):
    """Is told of launches. What it raises is dropped, KeyboardInterrupt excepted."""

    def launched(self, command: Launch, arrays: Sequence[Any], ticket: Ticket) -> None:
        """Take note of a launch: its arrays by slot, NumPy's or a device's memory."""


FOLLOWERS: list[Follower] = []
_latest: OrderedDict[str, tuple[_Place, ...]] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class ArgumentMemory:
    """Memory of one array argument of a launch: a NumPy array, or memory of a device, and which part of it."""

    argument: ArrayArgument
    memory: np.ndarray[Any, Any] | DeviceMemory


def follow(follower: Follower) -> Callable[[], None]:
    """Tell `follower` of every launch from now on; the function returned ends that.

    Examples
    --------
    >>> class Quiet:
    ...     def launched(self, command, arrays, ticket): pass
    >>> stop = follow(Quiet())
    >>> stop()
    """
    FOLLOWERS.append(follower)

    def stop() -> None:
        FOLLOWERS[:] = [one for one in FOLLOWERS if one is not follower]

    return stop


def remember(command: Launch, arrays: Sequence[Any]) -> None:
    """Note the memory of a launch, without holding it."""
    places: list[_Place] = []
    for argument in command.request.arrays:
        value = arrays[argument.slot]
        held = memory_of(value)
        with contextlib.suppress(TypeError):  # what cannot be referred to weakly cannot be asked for
            places.append((argument, weakref.ref(value if held is None else held)))
    with _lock:
        _latest[command.request.kernel] = tuple(places)
        _latest.move_to_end(command.request.kernel)
        while len(_latest) > _KEPT:
            _latest.popitem(last=False)


def launched(command: Launch, arrays: Sequence[Any], ticket: Ticket) -> None:
    """Tell followers of a launch."""
    for follower in tuple(FOLLOWERS):
        with contextlib.suppress(Exception):  # a view that fails must not fail the run
            follower.launched(command, arrays, ticket)


def memory_of_last(kernel: str, parameter: str) -> ArgumentMemory | None:
    """Memory of an argument of a kernel's last launch; None where it is gone.

    Examples
    --------
    >>> memory_of_last("never launched", "x")
    """
    return next((one for one in memories_of_last(kernel) if one.argument.name == parameter), None)


def memories_of_last(kernel: str) -> tuple[ArgumentMemory, ...]:
    """Memory of all array arguments of a kernel's last launch that is still there.

    Examples
    --------
    >>> memories_of_last("never launched")
    ()
    """
    found = [(argument, place()) for argument, place in _latest.get(kernel, ())]
    return tuple(ArgumentMemory(a, held) for a, held in found if isinstance(held, (np.ndarray, DeviceMemory)))
