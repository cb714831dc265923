"""Fixtures: each device found, each engine, and the check that a test leaves no process and no memory file behind."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator

import hypothesis
import pytest
from support.leaks import Watch

from cl_magic.engine.protocol import Engine
from cl_magic.errors import DeviceNotFoundError
from cl_magic.launch.limits import DeviceInfo

# A cache of this run's own: no test sees what another run built, or leaves anything in the user's.
os.environ["CL_MAGIC_CACHE_DIR"] = tempfile.mkdtemp(prefix="cl_magic-cache-")
atexit.register(shutil.rmtree, os.environ["CL_MAGIC_CACHE_DIR"], ignore_errors=True)


# Timings are noisy: a busy machine must not fail an example.
hypothesis.settings.register_profile("cl_magic", deadline=None)
hypothesis.settings.load_profile("cl_magic")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for `device` on every device of this machine."""
    if "device" in metafunc.fixturenames:
        from cl_magic.device import devices  # noqa: PLC0415 - tests without a device do not load it

        found = devices()
        names = [f"{device.family}-{device.id}" for device in found]
        metafunc.parametrize("device", found or [None], ids=names or ["none"], indirect=True, scope="session")


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> DeviceInfo:
    """Each device in turn. Zero devices is a failure: then nothing of this project is tested."""
    if request.param is None:
        pytest.fail("no OpenCL device at all; install the extras pocl and oclgrind")
    found: DeviceInfo = request.param
    return found


@pytest.fixture(scope="session")
def real_device() -> DeviceInfo:
    """The device that is chosen by itself."""
    from cl_magic.device import device as choose  # noqa: PLC0415 - as above

    return choose(None)


@pytest.fixture(params=["worker", "inline"])
def engine(request: pytest.FixtureRequest, device: DeviceInfo) -> Engine:
    """Both engines of each device; shared by all tests."""
    from cl_magic.device import engine_for  # noqa: PLC0415 - as above

    try:
        return engine_for(device, request.param)
    except DeviceNotFoundError:
        pytest.skip(f"{device.short_name} is absent from the OpenCL loader of this process")


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    """After each test: no child process of ours, no zombie, no memory file but those of the shared engines."""
    watch = Watch()
    yield
    watch.check()


@pytest.fixture(scope="session", autouse=True)
def _close_engines() -> Iterator[None]:
    """End the shared engines with the session."""
    yield
    module = sys.modules.get("cl_magic.device")
    if module is not None:
        module.close_engines()
