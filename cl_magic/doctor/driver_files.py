"""Each ``.icd`` file and library that was seen: what it gave, or why it was skipped."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from cl_magic.doctor.finding import Finding
from cl_magic.doctor.linking import missing_libraries
from cl_magic.engine.discovery import Discovery
from cl_magic.engine.drivers import INTEL_LIBRARY, PLACEHOLDER, Driver, driver_environment
from cl_magic.launch.limits import DriverReport

_AGAIN = "%opencl devices --refresh"


def driver_findings(found: Discovery) -> tuple[Finding, ...]:
    """Return a finding for each folder that was searched, each ``.icd`` file in it, and each other driver.

    Parameters
    ----------
    found : Discovery
        A search with its reports.

    Examples
    --------
    >>> from cl_magic.engine.drivers import DriverSearch
    >>> [finding.text for finding in driver_findings(Discovery((), DriverSearch((), ("/nowhere",))))]
    ['/nowhere: does not exist']
    """
    findings: list[Finding] = []
    listed: set[str] = set()
    for folder in found.search.folders:
        files = sorted(Path(folder).glob("*.icd"))
        findings.append(_folder(folder, files))
        for file in files:
            listed.add(str(file))
            findings.append(_file(file, found))
    rest = (report for report in found.reports if report.driver not in listed)
    return (*findings, *(_report(report, _driver(report, found)) for report in rest))


def _folder(name: str, files: Sequence[Path]) -> Finding:
    path = Path(name)
    if path.is_file():
        return Finding("note", "searched", f"{name} is the only driver that is looked for (OCL_ICD_VENDORS)")
    if not path.exists():
        return Finding("note", "searched", f"{name}: does not exist")
    count = f"{len(files)} .icd file{'' if len(files) == 1 else 's'}" if files else "no .icd file"
    library = f", {INTEL_LIBRARY}" if (path / INTEL_LIBRARY).exists() else ""
    return Finding("note", "searched", f"{name}: {count}{library}")


def _file(file: Path, found: Discovery) -> Finding:
    """One ``.icd`` file. Those that discovery passed over say why here."""
    try:
        first = file.read_text(encoding="utf-8", errors="replace").split("\n")[0].strip()
    except OSError as error:
        reason = f"skipped: cannot be read ({error.strerror})"
        return Finding("error", f"driver {file.name}", reason, f"chmod a+r {file}")
    if not first:
        text = "skipped: it is empty; its first line must name a library. Install its driver again, or remove it"
        return Finding("error", f"driver {file.name}", text, f"rm {file}")
    report = next((report for report in found.reports if report.driver == str(file)), None)
    if report is not None:
        return _report(report, _driver(report, found))
    return Finding("note", f"driver {file.name}", _passed_over(first, found.search.drivers))


def _passed_over(first: str, drivers: Iterable[Driver]) -> str:
    name = Path(first).name
    if first.startswith(PLACEHOLDER):
        moved = next((driver for driver in drivers if Path(driver.library).name == name), None)
        if moved is not None:
            return f"skipped: names {first}, a folder only conda fills in; {moved.library} is taken instead"
        return f"skipped: names {first}, a folder only conda fills in, and there is no {name} in this environment"
    real = os.path.realpath(first)
    twin = next(
        (driver for driver in drivers if os.path.realpath(driver.library) == real or driver.library == first), None
    )
    return f"skipped: {twin.name} names the same library, {first}" if twin else f"skipped: {first} is not a driver's"


def _driver(report: DriverReport, found: Discovery) -> Driver:
    return next((driver for driver in found.search.drivers if driver.name == report.driver), Driver(report.driver))


def _report(report: DriverReport, driver: Driver) -> Finding:
    subject = f"driver {Path(report.driver).name or 'of the system'}"
    if report.devices:
        names = ", ".join(f"{device.id} {device.short_name} ({device.name})" for device in report.devices)
        where = f"; libraries in {', '.join(driver.library_folders)}" if driver.library_folders else ""
        return Finding("ok", subject, f"{names}{where}")
    missing = _missing(driver)
    if missing:
        text = f"skipped: {driver.library} needs {', '.join(missing)}, not found on this machine"
        remedy = f"install the package that holds {missing[0]}, or put its folder in LD_LIBRARY_PATH; then {_AGAIN}"
        return Finding("error", subject, text, remedy)
    return Finding("error", subject, f"skipped: {report.trouble}", report.remedy)


def _missing(driver: Driver) -> tuple[str, ...]:
    if not Path(driver.library).is_file():
        return ()
    return missing_libraries(driver.library, driver_environment(driver))
