"""Which shared memory a command may touch, told to the fences before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cl_magic.engine.fences import FencedMaps

if TYPE_CHECKING:
    from cl_magic.engine.messages import ArrayPlace
    from cl_magic.launch.request import LaunchRequest

_TOUCHING = frozenset({"launch", "prepare", "allocate", "transfer", "copy", "free"})
_MEMORY_NAMES = ("memory", "source", "target")


class CommandFences:
    """Opens what a command was given and closes the rest of the notebook's memory.

    Attributes
    ----------
    maps : FencedMaps
    """

    def __init__(self) -> None:
        self.maps = FencedMaps()
        self._memories: dict[int, tuple[int, int]] = {}

    def before(
        self,
        command: Any,  # noqa: ANN401 - any command
        places: Sequence[ArrayPlace],
        *,
        keep: bool,
        apart: bool = False,
    ) -> None:
        """Arrange the fences for a command.

        Parameters
        ----------
        command : Command
        places : sequence of ArrayPlace
            Its arrays, by slot.
        keep : bool
            Close nothing: commands are in flight, or the device does not work in host memory.
        apart : bool
            The device works in memory of its own: fences stop no kernel, and its driver locks pages to be written.
        """
        if command.work in _TOUCHING:
            wanted = self.wanted(command, places)
            if apart:
                wanted = {segment: (begin, True) for segment, (begin, _) in wanted.items()}
            self.maps.open_for(wanted, keep=keep)

    def wanted(self, command: Any, places: Sequence[ArrayPlace]) -> dict[int, tuple[int, bool]]:  # noqa: ANN401
        """What a command touches: by segment, the byte its array begins at, and whether the command writes it."""
        request = getattr(command, "request", None)
        written = None if request is None else written_slots(request)
        wanted: dict[int, tuple[int, bool]] = {}
        for slot, place in enumerate(places):
            if place.segment:
                wanted[place.segment] = (place.begin, written is None or slot in written)
        for name in _MEMORY_NAMES:
            self._name(getattr(command, name, 0), wanted, first=command.work == "allocate")
        return wanted

    def _name(self, memory: int, wanted: dict[int, tuple[int, bool]], *, first: bool) -> None:
        """Open the segment under a device's memory, which an Allocate brought."""
        if memory and first:
            for segment, (begin, _) in wanted.items():  # the one array beside the command
                self._memories[memory] = (segment, begin)
        elif memory in self._memories:
            segment, begin = self._memories[memory]
            wanted[segment] = (begin, True)

    def drop(self, segment: int) -> None:
        """Forget a segment."""
        self.maps.drop(segment)
        self._memories = {memory: place for memory, place in self._memories.items() if place[0] != segment}


def written_slots(request: LaunchRequest) -> frozenset[int]:
    """Slots of the arrays that a launch writes.

    Examples
    --------
    >>> from cl_magic.launch.plan import LaunchPlan
    >>> from cl_magic.launch.request import LaunchRequest
    >>> plan = LaunchPlan((1,), (0,), None, "", "uniform", (), (1,))
    >>> written_slots(LaunchRequest("", "f", plan))
    frozenset()
    """
    return frozenset([one.slot for one in (*request.arrays, *request.images) if one.direction != "in"])
