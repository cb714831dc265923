"""Takes the code out of a program, in a worker of its own.

Some drivers crash at the question, and the worker that holds the user's arrays must not die of it.
"""

from __future__ import annotations

from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.commands import Build, Extract
from cl_magic.engine.discovery import known_discovery
from cl_magic.engine.protocol import Engine
from cl_magic.engine.worker import WorkerEngine
from cl_magic.errors import EngineError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.reflect.listing import Extracted

EXTRACT_TIMEOUT_S = 120.0


def extract(spec: ProgramSpec, device: DeviceInfo, engine: Engine) -> Extracted:
    """Build a program once more, in a new worker, and take its code out.

    Parameters
    ----------
    spec : ProgramSpec
    device : DeviceInfo
        Where the program was built.
    engine : Engine
        Asked where discovery does not know the device: one that only a context of the user's shows.

    Raises
    ------
    WorkerDiedError
        The driver died of it.
    EngineError
        The program is not built this time.

    Examples
    --------
    >>> from cl_magic.device import device, engine_for
    >>> spec = ProgramSpec("kernel void f(global int *x) { x[0] = 1; }")
    >>> len(extract(spec, device(), engine_for(device())).binary) > 100
    True
    """
    found = known_discovery()
    twin = next((one for one in found.devices if _same(one, device)), None)
    if twin is None:
        return _asked(spec, device, engine)
    own = WorkerEngine(found.driver(twin), [twin])
    try:
        return _asked(spec, twin, own)
    finally:
        own.close()


def _same(one: DeviceInfo, other: DeviceInfo) -> bool:
    facts = ("platform_name", "platform_version", "name", "driver_version")
    return all(getattr(one, fact) == getattr(other, fact) for fact in facts)


def _asked(spec: ProgramSpec, device: DeviceInfo, engine: Engine) -> Extracted:
    build = engine.submit(Build(spec.for_device, device.local_id))
    build.limit = EXTRACT_TIMEOUT_S
    result = build.result()
    if not result.ok:
        msg = f"{device.short_name} did not build the program this time: {result.status}"
        raise EngineError(msg, remedy="error.log holds the compiler's text", log=result.log, options=spec.options)
    ticket = engine.submit(Extract(spec.digest, device.local_id))
    ticket.limit = EXTRACT_TIMEOUT_S
    found: Extracted = ticket.result()
    return found
