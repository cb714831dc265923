"""Memory of a device by number, in both ways: in the host's pages, and apart from them as on a graphics card."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cl_magic.engine.commands import Allocate, Copy, Free, Transfer
from cl_magic.errors import EngineError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.context import Contexts
from cl_magic.runtime.memory import DeviceMemories

N = 8192


class Place:
    """Two memories of one device, in one of the ways."""

    def __init__(self, device: DeviceInfo, *, apart: bool) -> None:
        contexts = Contexts()
        contexts.devices  # noqa: B018 - loads the drivers
        self.where, self.memories, self.device = (
            contexts.of(device.local_id),
            DeviceMemories(apart=apart),
            device.local_id,
        )
        self.hosts: list[Any] = [np.zeros(N, np.uint8) for _ in range(2)]
        for number, host in enumerate(self.hosts, 1):
            assert self.execute(Allocate(self.device, number, N), host)
            assert number in self.memories

    def execute(self, command: Any, *arrays: Any) -> bool:
        return self.memories.execute(command, self.where, arrays)

    def transfer(self, number: int, action: Any, access: Any, offset: int = 0, nbytes: int = N) -> None:
        self.execute(Transfer(self.device, number, action, access, offset, nbytes))


@pytest.fixture(params=[False, True], ids=["in place", "apart"])
def place(each_device: DeviceInfo, request: pytest.FixtureRequest) -> Place:
    return Place(each_device, apart=request.param)


def test_bytes_go_there_and_back(place: Place) -> None:
    one, two = place.hosts
    place.transfer(1, "map", "w")
    one[:] = np.arange(N) % 251
    place.transfer(1, "unmap", "w")
    place.execute(Copy(place.device, 1, 2, 0, 4096, 4096))
    place.transfer(2, "map", "r", 4096, 100)
    assert np.array_equal(two[4096:4196], np.arange(100))
    place.transfer(2, "unmap", "r", 4096, 100)
    place.transfer(2, "map", "rw", 5000, 10)
    assert two[5000] == (5000 - 4096) % 251
    two[5000:5010] = 255
    place.transfer(2, "unmap", "rw", 5000, 10)
    place.transfer(2, "map", "r")
    assert set(two[5000:5010]) == {255}
    assert two[5010] == (5010 - 4096) % 251
    place.transfer(2, "unmap", "r")


def test_pages_that_outlived_a_worker_fill_the_memory(place: Place) -> None:
    place.execute(Free(place.device, 2))
    place.hosts[1][:] = 7
    place.execute(Allocate(place.device, 2, N, filled=True), place.hosts[1])
    place.transfer(2, "map", "r")
    assert set(place.hosts[1]) == {7}
    place.transfer(2, "unmap", "r")


def test_what_was_freed_is_not_there(place: Place) -> None:
    for number in (1, 2, 2):
        place.execute(Free(place.device, number))
    with pytest.raises(EngineError, match="no device memory"):
        place.transfer(1, "map", "r")
