"""Things tried out: the front end reads a text, and each driver's worker builds and runs a kernel. With their times."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.frontend import FrontEnd
from cl_magic.clc.libclang_location import LibclangLocation, locate_libclang
from cl_magic.doctor.finding import Finding
from cl_magic.doctor.images import image_finding
from cl_magic.engine.commands import Build, Inspect, InspectImages
from cl_magic.engine.discovery import Discovery
from cl_magic.engine.protocol import Engine
from cl_magic.engine.worker import WorkerEngine
from cl_magic.errors import ClMagicError, EngineError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.program import Program
from cl_magic.record.run import RunRecord

_KERNEL = "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }"
_ITEMS = 64
_TIMEOUT_S = 60.0
_FRONT_END = "front end libclang"


def front_end_finding(location: LibclangLocation | None = None) -> Finding:
    """Start a front end of its own, let it read a kernel, and say how long that took.

    Parameters
    ----------
    location : LibclangLocation, optional
        By default that of the installed package.

    Examples
    --------
    >>> front_end_finding(LibclangLocation(reason="the package libclang is not installed")).severity
    'warn'
    """
    where = locate_libclang() if location is None else location
    remedy = "pip install 'libclang>=18.1.1,<19'"
    if where.reason:
        return Finding("warn", _FRONT_END, f"{where.reason}; signatures and hints come from the device only", remedy)
    front = FrontEnd(timeout_s=20.0)
    try:
        begin = time.perf_counter()
        first = front.analyse(_KERNEL)
        ready = time.perf_counter()
        front.analyse(_KERNEL)
        again = time.perf_counter()
    finally:
        front.close()
    if not first.available:
        return Finding("warn", _FRONT_END, f"{where.path} does not work: {first.reason}", f"{remedy} --force-reinstall")
    times = f"first answer after {_ms(ready - begin)}, then {_ms(again - ready)}"
    return Finding("ok", _FRONT_END, f"{where.version}, {where.path}; {times}")


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms"


class _Bench:
    """What a program needs of a session, where there is none: one device, nothing kept."""

    timeout: float | None = None

    def __init__(self, device: DeviceInfo) -> None:
        self._device = device

    def resolve(self, selector: Any) -> DeviceInfo:  # noqa: ANN401, ARG002 - the Workshop that a program expects
        """The one device."""
        return self._device

    def build_spec(self, spec: ProgramSpec, device: DeviceInfo, engine: str | Engine | None) -> Program:  # noqa: ARG002
        """Nothing is built for another device here."""
        msg = "this program runs on one device only"
        raise EngineError(msg)

    def keep(self, record: RunRecord) -> RunRecord:
        """Hand the record back."""
        return record


def worker_findings(found: Discovery) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Run a kernel in a new worker of each driver, on its first device.

    Parameters
    ----------
    found : Discovery

    Returns
    -------
    findings : tuple of Finding
        For each driver that has a device: whether a kernel runs, and which images the device takes.
    usable : tuple of str
        The devices on which the kernel gave the right answer.

    Examples
    --------
    >>> from cl_magic.engine.drivers import DriverSearch
    >>> worker_findings(Discovery((), DriverSearch((), ())))
    ((), ())
    """
    findings: list[Finding] = []
    usable: list[str] = []
    for report in found.reports:
        if not report.devices:
            continue
        device = report.devices[0]
        tried = _tried(found, device, report.devices)
        findings += tried
        if tried[0].severity == "ok":
            usable.append(f"{device.id} {device.short_name}")
    return tuple(findings), tuple(usable)


def _tried(found: Discovery, device: DeviceInfo, devices: Sequence[DeviceInfo]) -> list[Finding]:
    subject = f"worker {device.short_name}"
    engine = WorkerEngine(found.driver(device), devices)
    done: list[Finding] = []
    try:
        done.append(Finding("ok", subject, _run(engine, device)))
        support = engine.submit(InspectImages(device.local_id)).result(_TIMEOUT_S)
        return [*done, image_finding(device, support)]
    except ClMagicError as error:
        remedy = error.remedy or f"update the driver, or choose another device; {device.driver} names this one"
        return [*done, Finding("error", subject, error.message.replace("\n", "; "), remedy)]
    except TimeoutError as error:
        return [*done, Finding("error", subject, str(error), f"update the driver; {device.driver} names it")]
    finally:
        engine.close()


def _run(engine: WorkerEngine, device: DeviceInfo) -> str:
    """Start, build and launch; the text of a success. Raises ClMagicError where one of them fails."""
    begin = time.perf_counter()
    engine.submit(Inspect()).result(_TIMEOUT_S)
    started = time.perf_counter()
    result = engine.submit(Build(ProgramSpec(_KERNEL), device.local_id)).result(_TIMEOUT_S)
    built = time.perf_counter()
    if not result.ok:
        msg = f"a kernel of one line is not built: {result.log.strip() or result.status or 'no reason given'}"
        raise EngineError(msg)
    x = np.arange(_ITEMS, dtype=np.int32)
    Program(result, device, engine, _Bench(device))["twice"](x, global_size=_ITEMS, timeout=_TIMEOUT_S)
    ran = time.perf_counter()
    if not np.array_equal(x, 2 * np.arange(_ITEMS, dtype=np.int32)):
        msg = f"a kernel of one line gave wrong values: {x[:4].tolist()} in place of [0, 2, 4, 6]"
        raise EngineError(msg)
    return f"ready after {_ms(started - begin)}, built in {_ms(built - started)}, first run {_ms(ran - built)}"
