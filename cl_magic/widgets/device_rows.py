"""What the device picker draws: devices and drivers in trouble as JSON, every number in the words of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cl_magic.display.devices import DevicesView, capabilities
from cl_magic.display.quantity import capacity, count, counted, times
from cl_magic.launch.limits import DeviceInfo, DriverReport

SIMULATOR = "finds races, bad indices and uninitialised reads; slow, never chosen by itself"


def picture_of(
    reports: Sequence[DriverReport], troubles: Sequence[DriverReport], current: DeviceInfo | None
) -> dict[str, Any]:
    """Everything that a picker shows but its filter.

    Parameters
    ----------
    reports : sequence of DriverReport
        Every driver; those in trouble are shown as `troubles` tells them.
    troubles : sequence of DriverReport
    current : DeviceInfo or None
        Its facts are told in full.

    Examples
    --------
    >>> device = DeviceInfo("0:0", "pthread", "Portable Computing Language", "OpenCL 3.0", ("cpu",), fp64=True)
    >>> picture = picture_of([DriverReport("pocl.icd", (device,))], [], device)
    >>> picture["head"], [row["badges"] for row in picture["rows"]]
    (['1 device', 'on 1 platform'], [['fp64']])
    """
    view = DevicesView(tuple(reports))
    devices = view.devices
    shared = _shared(devices)
    platforms = {device.platform_name for device in devices}
    return {
        "head": [counted(len(devices), "device"), f"on {counted(len(platforms), 'platform')}"],
        "shared": shared,
        "rows": [_row(device, shared) for device in devices],
        "troubles": [
            {"driver": report.driver, "trouble": report.trouble, "remedy": report.remedy} for report in troubles
        ],
        "facts": [] if current is None else facts_of(current),
        "current": "" if current is None else current.short_name,
    }


def _shared(devices: Sequence[DeviceInfo]) -> list[str]:
    """Badges that all devices have: said once. Of a single device each stands in its row."""
    if len(devices) < 2:  # noqa: PLR2004 - one shares with nobody
        return []
    return [word for word in capabilities(devices[0]) if all(word in capabilities(other) for other in devices[1:])]


def _row(device: DeviceInfo, shared: Iterable[str]) -> dict[str, Any]:
    badges = capabilities(device)
    version = device.platform_version.split(",")[0].strip()
    numbers = [
        ("units", count(device.compute_units)),
        ("MHz", count(device.clock_mhz) if device.clock_mhz else ""),
        ("memory", capacity(device.global_mem_bytes) if device.global_mem_bytes else ""),
        ("local", capacity(device.local_mem_bytes) if device.local_mem_bytes else ""),
        ("max group", count(device.max_work_group_size)),
        ("OpenCL C", device.opencl_c_version.removeprefix("OpenCL C ").split(" ")[0]),
    ]
    kind = "simulator" if device.simulator else ", ".join(device.type)
    bare = [device.compute_units, device.clock_mhz, device.max_work_group_size]
    words = [device.id, device.short_name, device.name, device.platform_name, version, device.vendor, kind, *badges]
    return {
        "id": device.id,
        "name": device.short_name,
        "kind": kind,
        "simulator": device.simulator,
        "where": f"{device.name} · {version}",
        "remark": SIMULATOR if device.simulator else "",
        "trouble": _trouble(device),
        "usable": device.available,
        "numbers": numbers,
        "badges": [word for word in badges if word not in shared],
        "search": " ".join([*words, *map(str, bare), *(text for _, text in numbers)]).lower(),
    }


def _trouble(device: DeviceInfo) -> str:
    if not device.available:
        return "not available: its driver lists it and says that it cannot be used now"
    return "" if device.compiler_available else "no compiler: it runs binaries only"


def facts_of(device: DeviceInfo) -> list[tuple[str, str]]:
    """All that is known of a device, name and value (OpenCL 1.2, 4.2, table 4.3); what it does not report is left out.

    Examples
    --------
    >>> dict(facts_of(DeviceInfo("0:0", "pthread", "PoCL", "OpenCL 3.0 PoCL", ("cpu",))))["largest group"]
    '1 work-item, 1 × 1 × 1 at most'
    """
    found = [*_identity(device), *_sizes(device), *_abilities(device)]
    return [(name, value) for name, value in found if value]


def _identity(device: DeviceInfo) -> list[tuple[str, str]]:
    return [
        ("device", f"{device.name}, {', '.join(device.type)}"),
        ("vendor", device.vendor),
        ("platform", f"{device.platform_name}, {device.platform_version}"),
        ("device version", device.device_version),
        ("driver version", device.driver_version),
        ("driver", device.driver),
        ("OpenCL C", ", ".join(device.opencl_c_versions) or device.opencl_c_version),
    ]


def _sizes(device: DeviceInfo) -> list[tuple[str, str]]:
    def sized(nbytes: int) -> str:
        return capacity(nbytes) if nbytes else ""

    items = counted(device.max_work_group_size, "work-item")
    where = "of its own" if device.local_mem_dedicated else "in global memory"
    cache = f"{capacity(device.global_cache_bytes)} in lines of {count(device.cache_line_bytes)} B"
    constants = f"{capacity(device.constant_buffer_bytes)}, in {counted(device.max_constant_args, 'argument')} at most"
    return [
        ("units", counted(device.compute_units, "compute unit")),
        ("clock", f"{count(device.clock_mhz)} MHz" if device.clock_mhz else ""),
        ("largest group", f"{items}, {times(device.max_work_item_sizes)} at most"),
        ("global memory", sized(device.global_mem_bytes)),
        ("largest buffer", sized(device.max_alloc_bytes)),
        ("cache", cache if device.global_cache_bytes else ""),
        ("local memory", f"{capacity(device.local_mem_bytes)}, {where}" if device.local_mem_bytes else ""),
        ("constant memory", constants if device.constant_buffer_bytes else ""),
        ("arguments", f"{count(device.max_parameter_bytes)} B" if device.max_parameter_bytes else ""),
        ("buffer alignment", f"{count(device.mem_base_addr_align_bits // 8)} B"),
        ("addresses", f"{device.address_bits} bits"),
        ("profiling clock", f"steps of {count(device.profiling_timer_ns)} ns" if device.profiling_timer_ns else ""),
    ]


def _abilities(device: DeviceInfo) -> list[tuple[str, str]]:
    sub_groups = f"{count(device.max_sub_groups)} in a group at most" if device.max_sub_groups else "yes"
    variables = capacity(device.max_global_variable_bytes) if device.max_global_variable_bytes else "none"
    return [
        ("can", ", ".join(capabilities(device))),
        ("SVM", ", ".join(word.replace("_", " ") for word in device.svm)),
        ("sub-groups", sub_groups if device.sub_groups else ""),
        ("float", ", ".join(word.replace("_", " ") for word in device.single_fp_config)),
        ("groups", "may be cut at the end of a range" if device.non_uniform_work_groups else "uniform only"),
        ("queues", "in order and out of order" if device.out_of_order else "in order only"),
        ("memory", "shared with the host" if device.unified_memory else ""),
        ("program variables", variables),
        ("IL", ", ".join(device.il_versions)),
        ("extensions", " ".join(device.extensions)),
    ]
