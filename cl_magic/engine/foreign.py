"""Engines for a context or command-queue that the user made with PyOpenCL: one each, in this process."""

from __future__ import annotations

import sys
import threading
from typing import Any

from cl_magic.engine.addressed import AddressedEngine
from cl_magic.engine.discovery import known_discovery
from cl_magic.engine.inline import InlineEngine
from cl_magic.launch.limits import DeviceInfo

_engines: dict[tuple[str, int], AddressedEngine] = {}
_lock = threading.Lock()


def foreign_place(selector: Any) -> tuple[AddressedEngine, DeviceInfo] | None:  # noqa: ANN401 - any selector
    """Engine and device for a ``pyopencl.Context`` or ``pyopencl.CommandQueue``; None for anything else.

    A context gets a queue of our own; a queue is used as it is.

    Raises
    ------
    EngineError
        The queue executes out of order.

    Examples
    --------
    >>> foreign_place("gpu") is None
    True
    """
    cl: Any = sys.modules.get("pyopencl")  # whoever has such an object has imported it
    if cl is None or not isinstance(selector, (cl.Context, cl.CommandQueue)):
        return None
    key = (type(selector).__name__, int(selector.int_ptr))
    with _lock:
        engine = _engines.get(key)
        if engine is None:
            inline = InlineEngine(foreign=selector)
            engine = _engines[key] = _addressed(inline)
    return engine, engine.device


def _addressed(engine: InlineEngine) -> AddressedEngine:
    """The engine with its device as discovery names it, where it was found there."""
    here = engine.devices()[0]
    facts = (here.platform_name, here.platform_version, here.name, here.driver_version)
    known = known_discovery().devices
    alike = (d for d in known if (d.platform_name, d.platform_version, d.name, d.driver_version) == facts)
    return AddressedEngine(engine, next(alike, here), here)


def close_foreign() -> None:
    """Let go of all of them.

    Examples
    --------
    >>> close_foreign()
    """
    with _lock:
        for engine in _engines.values():
            engine.close()
        _engines.clear()
