"""Devices: which there are, which one a selector means, and the engine that serves it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from cl_magic.engine.addressed import AddressedEngine
from cl_magic.engine.discovery import known_discovery
from cl_magic.engine.drivers import find_drivers
from cl_magic.engine.foreign import close_foreign
from cl_magic.engine.no_platform import install_line, no_platform
from cl_magic.engine.protocol import Engine
from cl_magic.engine.worker import WorkerEngine
from cl_magic.errors import DeviceNotFoundError, EngineError
from cl_magic.launch.limits import DeviceInfo, DriverReport

if TYPE_CHECKING:
    from cl_magic.engine.inline import InlineEngine

EngineKind = Literal["worker", "inline"]

_TYPES = ("gpu", "cpu", "accelerator", "custom")
_FAMILIES = ("pocl", "intel", "oclgrind", "nvidia")


def devices(*, refresh: bool = False) -> tuple[DeviceInfo, ...]:
    """All devices of this machine in the order of their ids: real ones first, then simulators.

    Examples
    --------
    >>> [device.id for device in devices()][:1]
    ['0:0']
    """
    return tuple(device for report in reports(refresh=refresh) for device in report.devices)


def reports(*, refresh: bool = False) -> tuple[DriverReport, ...]:
    """Every driver with its devices or its trouble; searched once, again with `refresh`.

    Examples
    --------
    >>> reports() == reports()
    True
    """
    return known_discovery(refresh=refresh).reports


def device(selector: str | int | DeviceInfo | None = None) -> DeviceInfo:
    """Return the device that a selector means (see :func:`select`).

    Examples
    --------
    >>> device("cpu").type
    ('cpu',)
    """
    found = known_discovery()
    if not found.devices and find_drivers() != found.search:
        found = known_discovery(refresh=True)  # a driver was installed since: the next cell has it
    return select(selector, found.reports, found.search.folders)


def select(
    selector: str | int | DeviceInfo | None,
    reports: Sequence[DriverReport],
    folders: Sequence[str] = (),
) -> DeviceInfo:
    """Choose a device.

    Parameters
    ----------
    selector : str, int, DeviceInfo or None
        A type (``"gpu"``, ``"cpu"``, ``"accelerator"``; never a simulator), a driver family (``"pocl"``, ``"intel"``,
        ``"nvidia"``, ``"oclgrind"``), ``"simulator"``, an id (``"0:1"``; ``"1"`` or 1 is the first device of platform
        1), or part of a device's or platform's name. Case does not count. None: what ``PYOPENCL_CTX`` says where it is
        set, else the first GPU, else PoCL, else another CPU, else an accelerator; never a simulator.
    reports : sequence of DriverReport
    folders : sequence of str
        Where drivers were searched, for the error.

    Raises
    ------
    NoPlatformError
        There is no device at all.
    DeviceNotFoundError
        Nothing fits; `choices` are the devices that exist, as (id, name, types).

    Examples
    --------
    >>> pocl = DeviceInfo("0:0", "pthread", "Portable Computing Language", "OpenCL 3.0", ("cpu",))
    >>> select("portable", [DriverReport("pocl.icd", (pocl,))]).id
    '0:0'
    """
    if isinstance(selector, DeviceInfo):
        return selector
    known = tuple(device for report in reports for device in report.devices)
    if not known:
        raise no_platform(reports, folders)
    asked = _words(selector, known)
    source = "device"
    if not asked:
        asked, source = os.environ.get("PYOPENCL_CTX", "").strip(), "PYOPENCL_CTX"
    if not asked:
        return _default(known)
    found = matching(asked, known)
    if not found:
        raise _not_found(asked, source, known)
    return found[0]


def _words(selector: object, known: Sequence[DeviceInfo]) -> str:
    """What was asked for as text; "" for the default."""
    if selector is None or isinstance(selector, str):
        return (selector or "").strip()
    if isinstance(selector, int) and not isinstance(selector, bool):
        return str(selector)
    msg = f"a device is asked for by text, by a number or by one of clm.devices(), not by {selector!r}"
    remedy = f"use an id, a type or part of a name: device={known[0].id!r}"
    raise DeviceNotFoundError(msg, remedy=remedy, selector=selector, choices=_choices(known))


def matching(selector: str, known: Sequence[DeviceInfo]) -> tuple[DeviceInfo, ...]:
    """All devices that a selector fits, best first; a magic line may say so where there are several.

    Examples
    --------
    >>> matching("gpu", [DeviceInfo("0:0", "Oclgrind Simulator", "Oclgrind", "1.2", ("gpu",), simulator=True)])
    ()
    """
    wanted = selector.strip().lower()
    if wanted.replace(":", "", 1).isdigit():
        full = wanted if ":" in wanted else f"{wanted}:0"
        return tuple(device for device in known if device.id == full)
    tests: list[Callable[[DeviceInfo], bool]] = [lambda device: _in_names(wanted, device)]
    if wanted in _TYPES:
        tests = [lambda device: wanted in device.type and not device.simulator]
    elif wanted == "simulator":
        tests = [lambda device: device.simulator]
    elif wanted in _FAMILIES:
        # Its driver only: an Intel processor under PoCL is no Intel platform.
        tests = [lambda device: device.family == wanted]
    for test in tests:
        found = [device for device in known if test(device)]
        if found:
            return tuple(sorted(found, key=lambda device: (device.simulator, *_preference(device))))
    return ()


def selection_note(selector: str | None, reports: Sequence[DriverReport]) -> str:
    """One sentence where a selector fits several devices and the first was taken; "" else.

    Examples
    --------
    >>> selection_note("cpu", [])
    ''
    """
    found = matching(selector, [device for report in reports for device in report.devices]) if selector else ()
    if len(found) < 2:  # noqa: PLR2004 - one is no choice
        return ""
    others = ", ".join(f"{device.id} {device.short_name}" for device in found[1:])
    return f"{selector!r} fits {len(found)} devices; took {found[0].id} {found[0].short_name}, not {others}"


def _in_names(wanted: str, device: DeviceInfo) -> bool:
    return wanted in f"{device.name}\n{device.platform_name}\n{device.short_name}".lower()


def _preference(device: DeviceInfo) -> tuple[int, int]:
    """Smaller is chosen first: GPU, CPU, accelerator; of the processors PoCL, which everyone can install."""
    kinds = ("gpu", "cpu", "accelerator")
    rank = next((number for number, kind in enumerate(kinds) if kind in device.type), len(kinds))
    return rank, 0 if device.family == "pocl" else 1


def _default(known: Sequence[DeviceInfo]) -> DeviceInfo:
    real = [device for device in known if not device.simulator and device.available]
    if not real:
        msg = f"only simulators are installed, and none is chosen by itself: {_listed(known)}"
        remedy = f"ask for it with device='simulator', or install a device: {install_line()}"
        raise DeviceNotFoundError(msg, remedy=remedy, selector=None, choices=_choices(known))
    return min(real, key=_preference)  # the first of equals


def _choices(known: Sequence[DeviceInfo]) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    return tuple((device.id, device.name, device.type) for device in known)


def _listed(known: Sequence[DeviceInfo]) -> str:
    return "; ".join(
        f"{device.id} {device.short_name} ({device.name}, {'simulator' if device.simulator else '/'.join(device.type)})"
        for device in known
    )


def _not_found(asked: str, source: str, known: Sequence[DeviceInfo]) -> DeviceNotFoundError:
    number = asked.removeprefix("-").replace(":", "", 1)
    if number.isdigit():
        platforms = {device.id.partition(":")[0] for device in known}
        many = "1 platform has" if len(platforms) == 1 else f"{len(platforms)} platforms have"
        count = f"{len(known)} device" + ("s" if len(known) != 1 else "")
        msg = f"{source} {asked!r} is out of range: {many} {count}: {_listed(known)}"
    else:
        msg = f"no device fits {source} {asked!r}; there is {_listed(known)}"
    best = min(known, key=lambda device: (device.simulator, *_preference(device)))
    remedy = f"use an id, a type or part of a name: device={best.id!r}"
    if source == "PYOPENCL_CTX":
        remedy = f"change or unset the environment variable PYOPENCL_CTX, or use device={best.id!r}"
    return DeviceNotFoundError(msg, remedy=remedy, selector=asked, choices=_choices(known))


def versions_text(reports: Sequence[DriverReport] | None = None) -> str:
    """Versions of what matters, to paste into a report: Python, packages, platforms, devices, drivers.

    Examples
    --------
    >>> versions_text([]).splitlines()[0].split()[0]
    'cl_magic'
    """
    from cl_magic.engine.versions import versions_text as text  # noqa: PLC0415 - reads package metadata

    return text(known_discovery().reports if reports is None else reports)


_engines: dict[str, WorkerEngine] = {}
_inline: list[InlineEngine] = []
_lock = threading.Lock()


def engine_for(device: DeviceInfo, kind: str = "worker") -> Engine:
    """Return the engine that serves a device: one worker for each driver, or the one of this process. Shared.

    Parameters
    ----------
    device : DeviceInfo
        From :func:`devices`; commands carry its ``local_id``.
    kind : {"worker", "inline"}

    Raises
    ------
    EngineError
        Another kind.
    DeviceNotFoundError
        The loader of this process does not show the device (``kind="inline"``).

    Examples
    --------
    >>> engine_for(device("cpu")) is engine_for(device("cpu"))
    True
    """
    if kind == "worker":
        return _worker_for(device)
    if kind != "inline":
        msg = f"there is no engine {kind!r}"
        raise EngineError(msg, remedy="use engine='worker' or engine='inline'", kind=kind)
    from cl_magic.engine.inline import InlineEngine  # noqa: PLC0415 - its first use loads every driver

    with _lock:
        if not _inline:
            _inline.append(InlineEngine())
        return _addressed(_inline[0], device)


def _worker_for(device: DeviceInfo) -> WorkerEngine:
    found = known_discovery()
    with _lock:
        engine = _engines.get(device.driver)
        if engine is None:
            served = [other for other in found.devices if other.driver == device.driver] or [device]
            engine = _engines[device.driver] = WorkerEngine(found.driver(device), served)
        return engine


def _addressed(engine: Any, device: DeviceInfo) -> Engine:  # noqa: ANN401 - an Engine
    """Return the engine of this process, addressed by the device's `local_id` (its loader counts other platforms)."""
    alike = [other for other in engine.devices() if _identity(other) == _identity(device)]
    if not alike:
        listed = _listed(engine.devices()) or "none"
        msg = f"{device.short_name} cannot be reached from this process; its OpenCL loader shows {listed}"
        remedy = "use engine='worker', or start Jupyter with OCL_ICD_VENDORS and LD_LIBRARY_PATH set for its driver"
        raise DeviceNotFoundError(msg, remedy=remedy, selector=device.id, choices=_choices(engine.devices()))
    twins = [other for other in known_discovery().devices if _identity(other) == _identity(device)]
    place = next((number for number, twin in enumerate(twins) if twin.id == device.id), 0)
    return AddressedEngine(engine, device, alike[min(place, len(alike) - 1)])


def _identity(device: DeviceInfo) -> tuple[str, ...]:
    return device.platform_name, device.platform_version, device.name, device.driver_version


def restart_engine(device: DeviceInfo) -> None:
    """End the worker of a device's driver, where one runs; the next command starts a new one.

    Examples
    --------
    >>> restart_engine(device("cpu"))
    """
    with _lock:
        engine = _engines.get(device.driver)
    if engine is not None:
        engine.restart()


def close_engines() -> None:
    """End all workers and release what this process holds; the next use starts anew."""
    with _lock:
        for engine in _engines.values():
            engine.close()
        for inline in _inline:
            inline.close()
        _engines.clear()
        _inline.clear()
    close_foreign()
