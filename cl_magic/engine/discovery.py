"""Devices of this machine: every driver is probed in a process of its own, all at once, with a time-out.

A driver that aborts at load, hangs or misses a library is one report with its trouble, not the end of the list.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import msgspec

from cl_magic.engine.drivers import Driver, DriverSearch, driver_environment, find_drivers
from cl_magic.engine.exits import process_end
from cl_magic.launch.limits import DeviceInfo, DriverReport

PROBE_TIMEOUT_S = 20.0
_ANSWER_LIMIT_BYTES = 4 * 1024 * 1024
_TAIL_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Discovery:
    """What a search gave: reports in order (those with real devices first), the drivers, the folders looked at."""

    reports: tuple[DriverReport, ...]
    search: DriverSearch

    @property
    def devices(self) -> tuple[DeviceInfo, ...]:
        """All devices in the order of their ids."""
        return tuple(device for report in self.reports for device in report.devices)

    def driver(self, device: DeviceInfo) -> Driver:
        """The driver that serves a device."""
        return next((d for d in self.search.drivers if d.name == device.driver), Driver(device.driver, device.driver))


def discover(search: DriverSearch | None = None, *, timeout_s: float = PROBE_TIMEOUT_S) -> Discovery:
    """Probe all drivers at once.

    Parameters
    ----------
    search : DriverSearch, optional
        By default that of :func:`cl_magic.engine.drivers.find_drivers`.
    timeout_s : float
        Seconds a driver has to answer.

    Examples
    --------
    >>> discover(find_drivers({"OCL_ICD_VENDORS": "/nowhere/some.icd"})).reports[0].trouble
    'the file /nowhere/some.icd does not exist'
    """
    search = find_drivers() if search is None else search
    if not search.drivers:
        return Discovery((), search)
    with ThreadPoolExecutor(len(search.drivers), thread_name_prefix="cl_magic-probe") as pool:
        found = list(pool.map(lambda driver: probe(driver, timeout_s=timeout_s), search.drivers))
    return Discovery(_numbered(found), search)


def probe(driver: Driver, *, timeout_s: float = PROBE_TIMEOUT_S) -> DriverReport:
    """Load one driver in a process of its own and report its devices, or why there are none."""
    missing = _missing_file(driver)
    if missing:
        return DriverReport(driver.name, (), missing, f"install the driver again, or remove {driver.name}")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        returncode = _ask(driver, timeout_s, output, Path(folder) / "answer")
        answer = _start_of(Path(folder) / "answer")
        output.seek(max(0, output.seek(0, os.SEEK_END) - _TAIL_BYTES))
        said = output.read().decode("utf-8", "replace").strip()
    if returncode is None:
        trouble = f"the driver did not answer within {timeout_s:g} s"
        return DriverReport(driver.name, (), trouble, "refresh to ask again; a driver that always hangs: remove it")
    return _report(driver, answer, returncode, said)


def _missing_file(driver: Driver) -> str:
    """One sentence where a file is absent; "" where a process is worth starting."""
    if driver.name.endswith(".icd") and not Path(driver.name).exists():
        return f"the file {driver.name} does not exist"
    if Path(driver.library).is_absolute() and not Path(driver.library).exists():
        return f"{driver.name} names the library {driver.library}, which does not exist"
    return ""


def _ask(driver: Driver, timeout_s: float, output: IO[bytes], answer: Path) -> int | None:
    """Return code of a probe that writes to `answer`; None where it was out of time and was killed."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "cl_magic.engine.probe_main", str(answer), driver.library],
        env=driver_environment(driver),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _start_of(answer: Path) -> bytes:
    """What a probe wrote, to a limit; nothing where it did not come to it."""
    try:
        with answer.open("rb") as file:
            return file.read(_ANSWER_LIMIT_BYTES)
    except OSError:
        return b""


def _report(driver: Driver, answer: bytes, returncode: int, said: str) -> DriverReport:
    from cl_magic.engine.probe_main import ProbeReport  # noqa: PLC0415 - it imports the runtime, without PyOpenCL

    if returncode:
        trouble = f"the process that loaded it {process_end(returncode).words}"
        last = f": {said.splitlines()[-1]}" if said else ""
        return DriverReport(driver.name, (), trouble + last, f"update the driver, or remove {driver.name}")
    try:
        report = msgspec.json.decode(answer, type=ProbeReport)
    except (msgspec.MsgspecError, ValueError):
        return DriverReport(driver.name, (), "its answer cannot be read", f"update the driver, or remove {driver.name}")
    if report.devices:
        return DriverReport(driver.name, tuple(replace(device, driver=driver.name) for device in report.devices))
    if report.loader_says:
        trouble = f"its library cannot be opened: {report.loader_says}"
        return DriverReport(driver.name, (), trouble, "install the missing library, or the driver again")
    trouble = "it was loaded and has no device: no card, or no permission to open it"
    return DriverReport(driver.name, (), trouble, "check that your user may open /dev/dri and /dev/nvidia*")


def _numbered(reports: Sequence[DriverReport]) -> tuple[DriverReport, ...]:
    """Give ids ``P:D`` over all platforms: drivers with a real device first, then simulators, then those with none."""

    def rank(report: DriverReport) -> int:
        if not report.devices:
            return 2
        return 1 if all(device.simulator for device in report.devices) else 0

    platforms: dict[tuple[str, str], int] = {}
    numbered = []
    for report in sorted(reports, key=rank):
        devices = []
        for device in report.devices:
            local_platform, _, index = device.local_id.partition(":")
            number = platforms.setdefault((report.driver, local_platform), len(platforms))
            devices.append(replace(device, id=f"{number}:{index}"))
        numbered.append(replace(report, devices=tuple(devices)))
    return tuple(numbered)


_lock = threading.Lock()
_known: list[Discovery] = []


def known_discovery(*, refresh: bool = False) -> Discovery:
    """The search of this process: made at the first call, again with `refresh`.

    Examples
    --------
    >>> known_discovery() is known_discovery()
    True
    """
    with _lock:
        if refresh or not _known:
            _known[:] = [discover()]
        return _known[0]


def made_discovery() -> Discovery | None:
    """The search of this process if one was made; asks no driver and waits for none.

    Examples
    --------
    >>> known_discovery() is made_discovery()
    True
    """
    return _known[0] if _known else None
