"""The whole visit: everything looked up and tried, in the order in which a trouble would be sought."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from cl_magic.doctor.container import container_findings
from cl_magic.doctor.driver_files import driver_findings
from cl_magic.doctor.finding import Examination, Finding
from cl_magic.doctor.hardware import hardware_findings
from cl_magic.doctor.loader import ask_loader, loader_finding
from cl_magic.doctor.packages import notebook_findings, python_finding, runtime_findings
from cl_magic.doctor.trial import front_end_finding, worker_findings
from cl_magic.doctor.variables import variable_findings
from cl_magic.engine.discovery import Discovery, known_discovery
from cl_magic.engine.no_platform import install_line, no_platform, way_out


def examine() -> Examination:
    """Look at everything that decides whether a kernel can run here; drivers are searched anew.

    Nothing of OpenCL is loaded into this process: PyOpenCL, each driver and libclang are tried in processes of their
    own. Takes a second or two; a driver that hangs takes its time-out.

    Examples
    --------
    >>> examine().ok
    True
    """
    with ThreadPoolExecutor(1, thread_name_prefix="cl_magic-doctor") as pool:
        loader = pool.submit(ask_loader)
        found = known_discovery(refresh=True)
        loader_says = loader_finding(loader.result())
    # One after the other: the times are those that a person waits for.
    front_end = front_end_finding()
    workers, usable = worker_findings(found)
    findings = (
        *_verdict(found, usable),
        python_finding(),
        loader_says,
        *driver_findings(found),
        *hardware_findings(found.devices),
        *workers,
        *runtime_findings(),
        *variable_findings(known=found.devices),
        *container_findings(),
        front_end,
        *notebook_findings(),
    )
    return Examination(findings, usable)


def _verdict(found: Discovery, usable: tuple[str, ...]) -> tuple[Finding, ...]:
    """What prevents every kernel, or every cell that names no device; first, and nothing where all is well."""
    if not found.devices:
        text = no_platform(found.reports, found.search.folders).message.partition("\n")[2]
        return (Finding("error", "no device", text, way_out(found.search.folders)),)
    if not usable:
        text = "no kernel gave the right answer on any device; the lines that begin with 'worker' say why"
        return (Finding("error", "no device", text, install_line()),)
    if all(device.simulator for device in found.devices):
        text = "only simulators; none is chosen by itself, so that cells that name no device fail"
        return (Finding("warn", "no device", text, f"{install_line()}, or %opencl device simulator"),)
    return ()
