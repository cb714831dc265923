"""Facts of a device that decide what can be launched, built and picked. Values; whoever finds a device fills them."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.show import Shown


@dataclass(frozen=True, slots=True)
class DeviceInfo(Shown):
    """One OpenCL device as clGetDeviceInfo describes it (OpenCL 1.2, 4.2, table 4.3).

    Sizes are bytes, clocks MHz. `id` is ``"P:D"``: index of the platform in the list that cl_magic shows, index of the
    device in its platform. `local_id` is the same within the engine that serves it (one driver a worker), and is what
    commands carry. `driver` names what loads it: an ``.icd`` file or a library path.
    `single_fp_config` are the words of CL_DEVICE_SINGLE_FP_CONFIG (``denorm``,
    ``correctly_rounded_divide_sqrt``); empty where the driver does not say.
    """

    id: str
    name: str
    platform_name: str
    platform_version: str
    type: tuple[str, ...]
    local_id: str = "0:0"
    vendor: str = ""
    driver: str = ""
    driver_version: str = ""
    device_version: str = ""
    opencl_c_version: str = ""
    opencl_c_versions: tuple[str, ...] = ()
    available: bool = True
    compiler_available: bool = True
    compute_units: int = 1
    clock_mhz: int = 0
    global_mem_bytes: int = 0
    max_alloc_bytes: int = 0
    global_cache_bytes: int = 0
    cache_line_bytes: int = 0
    local_mem_bytes: int = 0
    local_mem_dedicated: bool = False
    constant_buffer_bytes: int = 0
    max_constant_args: int = 0
    max_parameter_bytes: int = 0
    max_work_group_size: int = 1
    max_work_item_sizes: tuple[int, ...] = (1, 1, 1)
    preferred_vector_width_float: int = 0
    mem_base_addr_align_bits: int = 0
    address_bits: int = 64
    unified_memory: bool = False
    profiling_timer_ns: int = 0
    extensions: tuple[str, ...] = ()
    single_fp_config: tuple[str, ...] = ()
    fp64: bool = False
    fp16: bool = False
    images: bool = False
    svm: tuple[str, ...] = ()
    sub_groups: bool = False
    max_sub_groups: int = 0
    out_of_order: bool = False
    non_uniform_work_groups: bool = False
    max_global_variable_bytes: int = 0
    il_versions: tuple[str, ...] = ()
    simulator: bool = False

    @property
    def short_name(self) -> str:
        """Name for one-line reports: ``PoCL cpu``, ``NVIDIA H200``."""
        known = {"Portable Computing Language": "PoCL", "Intel(R) OpenCL": "Intel", "NVIDIA CUDA": "NVIDIA"}
        vendor = known.get(self.platform_name, self.platform_name)
        if self.simulator:
            return f"{vendor} simulator"
        if "gpu" in self.type:
            return self.name if vendor in self.name else f"{vendor} {self.name}"
        return f"{vendor} {self.type[0] if self.type else 'device'}"

    @property
    def family(self) -> str:
        """Compiler family, for its log grammar: "pocl", "nvidia", "intel", "oclgrind" or "clang"."""
        text = self.platform_name.lower()
        words = {"portable": "pocl", "pocl": "pocl", "nvidia": "nvidia", "intel": "intel", "oclgrind": "oclgrind"}
        return next((family for word, family in words.items() if word in text), "clang")


@dataclass(frozen=True, slots=True)
class DriverReport(Shown):
    """What probing one driver gave: its devices, or why there are none.

    Attributes
    ----------
    driver : str
        ``.icd`` file or library path.
    devices : tuple of DeviceInfo
    trouble : str
        "" when it works, else one sentence: time-out, aborted at load, library not found.
    remedy : str
    """

    driver: str
    devices: tuple[DeviceInfo, ...] = ()
    trouble: str = ""
    remedy: str = ""
