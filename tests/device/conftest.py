from __future__ import annotations

from collections.abc import Iterator

import pytest

from cl_magic.engine.inline import InlineEngine
from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.devices import enumerate_devices

FOUND = enumerate_devices()


@pytest.fixture(scope="session")
def inline() -> Iterator[InlineEngine]:
    engine = InlineEngine()
    yield engine
    engine.close()


@pytest.fixture(params=FOUND, ids=[device.family for device in FOUND])
def each_device(request: pytest.FixtureRequest) -> DeviceInfo:
    """Every device that the loader of this process shows."""
    found: DeviceInfo = request.param
    return found
