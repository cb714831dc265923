"""What each device says of itself, read once: clGetDeviceInfo (OpenCL 3.0, 4.2, table 5) into DeviceInfo values.

Every query stands alone: a driver that fails one leaves that field at its default and keeps its row.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.opencl import opencl

_VERSION = re.compile(r"(\d+)\.(\d+)")
_TYPES = ("CPU", "GPU", "ACCELERATOR", "CUSTOM")
_OLDER_C = ("1.0", "1.1", "1.2", "2.0")


@dataclass(frozen=True, slots=True)
class LiveDevice:
    """A device's facts with PyOpenCL's handle of it."""

    info: DeviceInfo
    handle: Any


def enumerate_devices() -> tuple[DeviceInfo, ...]:
    """Facts of every device of every platform that the loader shows, in the loader's order; empty without a platform.

    Examples
    --------
    >>> all(":" in device.id for device in enumerate_devices())
    True
    """
    return tuple(live.info for live in live_devices())


def live_devices() -> tuple[LiveDevice, ...]:
    """The same, with handles.

    Examples
    --------
    >>> len(live_devices()) == len(enumerate_devices())
    True
    """
    cl = opencl()
    found = []
    for p, platform in enumerate(_asked(cl.get_platforms, [])):
        for d, handle in enumerate(_asked(platform.get_devices, [])):
            found.append(LiveDevice(_describe(platform, handle, f"{p}:{d}"), handle))
    return tuple(found)


def version_of(text: str) -> tuple[int, int]:
    """First "major.minor" of a version string, (0, 0) without one.

    Examples
    --------
    >>> version_of("OpenCL 3.0 PoCL HSTR")
    (3, 0)
    """
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _asked(question: Callable[[], Any], default: Any) -> Any:  # noqa: ANN401 - any fact
    try:
        return question()
    except Exception:  # noqa: BLE001 - drivers fail queries in their own ways; one must not hide the device
        return default


class _Facts:
    """Queries of one device, each with its default."""

    def __init__(self, handle: Any) -> None:  # noqa: ANN401 - PyOpenCL's device
        self._handle = handle

    def __call__(self, name: str, default: Any) -> Any:  # noqa: ANN401 - any fact
        return _asked(lambda: getattr(self._handle, name), default)

    def text(self, name: str) -> str:
        return str(self(name, "")).strip().rstrip("\0")

    def number(self, name: str, default: int = 0) -> int:
        return int(self(name, default))

    def flag(self, name: str, *, default: bool = False) -> bool:
        return bool(self(name, default))


def _describe(platform: Any, handle: Any, local_id: str) -> DeviceInfo:  # noqa: ANN401 - PyOpenCL's objects
    facts = _Facts(handle)
    platform_name = str(_asked(lambda: platform.name, "")).strip()
    simulator = "oclgrind" in platform_name.lower()
    return DeviceInfo(
        id=local_id,
        local_id=local_id,
        name=facts.text("name"),
        platform_name=platform_name,
        platform_version=str(_asked(lambda: platform.version, "")).strip(),
        type=_types(facts, simulator=simulator),
        simulator=simulator,
        vendor=facts.text("vendor"),
        driver_version=facts.text("driver_version"),
        device_version=facts.text("version"),
        opencl_c_version=facts.text("opencl_c_version"),
        opencl_c_versions=_c_versions(facts),
        available=facts.flag("available", default=True),
        compiler_available=facts.flag("compiler_available", default=True),
        **_sizes(facts),
        **_abilities(facts, simulator=simulator),
    )


def _sizes(facts: _Facts) -> dict[str, Any]:
    return {
        "compute_units": facts.number("max_compute_units", 1),
        "clock_mhz": facts.number("max_clock_frequency"),
        "global_mem_bytes": facts.number("global_mem_size"),
        "max_alloc_bytes": facts.number("max_mem_alloc_size"),
        "global_cache_bytes": facts.number("global_mem_cache_size"),
        "cache_line_bytes": facts.number("global_mem_cacheline_size"),
        "local_mem_bytes": facts.number("local_mem_size"),
        "local_mem_dedicated": facts.number("local_mem_type") == 1,  # CL_LOCAL
        "constant_buffer_bytes": facts.number("max_constant_buffer_size"),
        "max_constant_args": facts.number("max_constant_args"),
        "max_parameter_bytes": facts.number("max_parameter_size"),
        "max_work_group_size": facts.number("max_work_group_size", 1),
        "max_work_item_sizes": tuple(int(n) for n in facts("max_work_item_sizes", (1, 1, 1))),
        "preferred_vector_width_float": facts.number("preferred_vector_width_float"),
        "mem_base_addr_align_bits": facts.number("mem_base_addr_align"),
        "address_bits": facts.number("address_bits", 64),
        "unified_memory": facts.flag("host_unified_memory"),
        "profiling_timer_ns": facts.number("profiling_timer_resolution"),
        "max_sub_groups": facts.number("max_num_sub_groups"),
        "max_global_variable_bytes": facts.number("max_global_variable_size"),
    }


def _abilities(facts: _Facts, *, simulator: bool) -> dict[str, Any]:
    extensions = tuple(facts.text("extensions").split())
    known_sub_groups = {"cl_khr_subgroups", "cl_intel_subgroups"} & set(extensions)
    return {
        "extensions": extensions,
        "single_fp_config": _words(opencl().device_fp_config, facts.number("single_fp_config")),
        # OpenCL 1.2 made double optional: a device has it when its floating-point capabilities are not empty.
        "fp64": facts.number("double_fp_config") != 0,
        "fp16": "cl_khr_fp16" in extensions,
        "images": facts.flag("image_support"),
        "svm": _svm(facts),
        "sub_groups": bool(known_sub_groups) or facts.number("max_num_sub_groups") > 0,
        "out_of_order": bool(facts.number("queue_on_host_properties") & 1),
        "non_uniform_work_groups": _non_uniform(facts, simulator=simulator),
        "il_versions": tuple(facts.text("il_version").split()),
    }


def _words(constants: Any, bits: int) -> tuple[str, ...]:  # noqa: ANN401 - a class of PyOpenCL's constants
    """Names of the bits that are set, lower case."""
    known = {name.lower(): value for name, value in vars(constants).items() if name.isupper()}
    return tuple(sorted(name for name, value in known.items() if isinstance(value, int) and bits & value))


def _types(facts: _Facts, *, simulator: bool) -> tuple[str, ...]:
    if simulator:
        return ("cpu",)  # Oclgrind's type is 15, every bit set: a search for a GPU would find it
    bits = facts.number("type")
    kinds = opencl().device_type
    return tuple(name.lower() for name in _TYPES if bits & int(getattr(kinds, name)))


def _c_versions(facts: _Facts) -> tuple[str, ...]:
    new = version_of(facts.text("version")) >= (3, 0)
    listed = [int(entry.version) for entry in facts("opencl_c_all_versions", ())] if new else []
    if listed:  # cl_version: 10 bits major, 10 bits minor, 12 bits patch (OpenCL 3.0, 3.5)
        return tuple(f"{major}.{minor}" for major, minor in sorted({(n >> 22, n >> 12 & 0x3FF) for n in listed}))
    newest = version_of(facts.text("opencl_c_version"))
    return tuple(text for text in _OLDER_C if version_of(text) <= newest)


def _svm(facts: _Facts) -> tuple[str, ...]:
    bits = facts.number("svm_capabilities")
    kinds = opencl().device_svm_capabilities
    names = ("COARSE_GRAIN_BUFFER", "FINE_GRAIN_BUFFER", "FINE_GRAIN_SYSTEM", "ATOMICS")
    return tuple(name.lower() for name in names if bits & int(getattr(kinds, name)))


def _non_uniform(facts: _Facts, *, simulator: bool) -> bool:
    if simulator:
        return True  # measured: Oclgrind says OpenCL 1.2 and takes them under -cl-std=CL2.0
    version = version_of(facts.text("version"))
    if version >= (3, 0):
        return facts.flag("non_uniform_work_group_support")
    return version >= (2, 0)
