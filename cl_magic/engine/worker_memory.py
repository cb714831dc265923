"""Device memory across workers: what a new worker is given before a command, what nobody holds any more."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from cl_magic.engine.cargo import Cargo
from cl_magic.engine.commands import Allocate
from cl_magic.engine.device_memory import MemoryKeeper, lost_memory, overwrites
from cl_magic.engine.ticket import MemoryTicket, WorkerTicket

if TYPE_CHECKING:
    from cl_magic.engine.shared_memory import SegmentPool
    from cl_magic.engine.worker_link import WorkerLink


def allocate_again(link: WorkerLink, ticket: WorkerTicket, pool: SegmentPool | None) -> None:
    """Give a new worker the device memories that a command uses; their pages outlived the old one.

    Raises
    ------
    EngineError
        The values of one were on the device only, and ended with the old worker.

    Examples
    --------
    >>> allocate_again.__name__
    'allocate_again'
    """
    for memory in ticket.cargo.memories:
        if memory.known_to == link.number:
            continue
        if memory.ahead and not overwrites(ticket.command, memory):
            raise lost_memory(memory)
        memory.ahead = False
        if memory.known_to or not isinstance(ticket.command, Allocate):
            command = dataclasses.replace(memory.allocation, filled=True)
            link.post(WorkerTicket(command, "allocate", Cargo(command, (memory,), pool)))
        memory.known_to = link.number
    for memory in ticket.cargo.written_memories:
        memory.wrote()


def free_abandoned(link: WorkerLink, keeper: MemoryKeeper, pool: SegmentPool | None) -> None:
    """Free what nobody holds any more, before the next command.

    Examples
    --------
    >>> free_abandoned.__name__
    'free_abandoned'
    """
    for command, segment in keeper.abandoned():
        link.post(MemoryTicket(command, segment, pool))
