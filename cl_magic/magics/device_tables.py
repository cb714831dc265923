"""``%opencl devices`` and ``%opencl device``: every device with what decides where to build, and drivers in trouble."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cl_magic.display.quantity import capacity, count, counted
from cl_magic.launch.limits import DeviceInfo, DriverReport
from cl_magic.magics.table import Table

_HEADS = ("id", "device", "type", "units", "memory", "local", "group", "has")


def devices_table(reports: Sequence[DriverReport], current: DeviceInfo | None, versions: str = "") -> Table:
    """Make the table of all devices.

    Parameters
    ----------
    reports : sequence of DriverReport
    current : DeviceInfo or None
        Marked; None where no device can be used.
    versions : str
        Text to paste into a report, "" without ``-v``.

    Examples
    --------
    >>> devices_table([], None).title
    ('0 devices',)
    """
    found = [device for report in reports for device in report.devices]
    notes = [_versions(device) for device in found]
    notes += [_trouble(report) for report in reports if report.trouble]
    if any(device.simulator for device in found):
        notes.append("A simulator is slow, checks every access, and is never chosen by itself.")
    if found:
        notes.append(
            "Choose with %opencl device ID, a type (gpu, cpu), or part of a name; for one cell with --device=."
        )
    title = (counted(len(found), "device"), *([f"current: {current.id} {current.short_name}"] if current else []))
    return Table(title, _HEADS, tuple(map(_row, found)), tuple(notes), versions)


def device_table(device: DeviceInfo, others: Iterable[DeviceInfo] = ()) -> Table:
    """Make the answer to a choice of device.

    Parameters
    ----------
    device : DeviceInfo
        The device chosen.
    others : iterable of DeviceInfo
        Further devices that the selector fits.

    Examples
    --------
    >>> device_table(DeviceInfo("0:0", "pthread", "Portable Computing Language", "OpenCL 3.0", ("cpu",))).title
    ('PoCL cpu', 'device 0:0', 'pthread')
    """
    listed = ", ".join(f"{other.id} {other.short_name}" for other in others)
    notes = (_versions(device), *((f"Also fitting: {listed}.",) if listed else ()))
    return Table((device.short_name, f"device {device.id}", device.name), _HEADS, (_row(device),), notes)


def _row(device: DeviceInfo) -> tuple[str, ...]:
    kind = "simulator" if device.simulator else ", ".join(device.type)
    badges = {
        "fp64": device.fp64,
        "fp16": device.fp16,
        "images": device.images,
        "SVM": bool(device.svm),
        "sub-groups": device.sub_groups,
    }
    return (
        device.id,
        device.short_name,
        kind,
        count(device.compute_units),
        capacity(device.global_mem_bytes),
        capacity(device.local_mem_bytes),
        count(device.max_work_group_size),
        " ".join(name for name, there in badges.items() if there),
    )


def _versions(device: DeviceInfo) -> str:
    """Platform, device and language have versions of their own (OpenCL 3.0, 4.2)."""
    languages = ", ".join(device.opencl_c_versions) or device.opencl_c_version.removeprefix("OpenCL C ").strip()
    unified = ", one memory with the host" if device.unified_memory else ""
    return (
        f"{device.id} {device.name}: platform {_short_version(device.platform_version)}, "
        f"device {_short_version(device.device_version)}, OpenCL C {languages}{unified}"
    )


def _short_version(text: str) -> str:
    """``OpenCL 3.0`` of ``OpenCL 3.0 PoCL HSTR: …``."""
    return " ".join(text.split(" ")[:2])


def _trouble(report: DriverReport) -> str:
    remedy = f"; {report.remedy}" if report.remedy else ""
    return f"{report.driver or 'The OpenCL loader'}: {report.trouble}{remedy}"
