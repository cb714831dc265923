"""Realistic values for tests, made without a device: devices, builds, plans, run records and captures."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cl_magic.build.result import BuildResult, KernelInfo, WorkGroupInfo
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.diagnostic import Diagnostic, FixIt
from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.launch.limits import DeviceInfo, DriverReport
from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.record.captures import Capture, Picture, Statistics
from cl_magic.record.event import CommandEvent, Transfer
from cl_magic.record.run import ArgumentFact, RunRecord

HOSTILE = (
    "</style><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE kernels; --",
    "a\x00b\x1b[31mred\x1b[0m",
    "\u202eright to left\u202c",
    "&lt;already&amp;",
    "]]><!--",
    "lone \ud800 surrogate",
)

SAXPY_SOURCE = """float scaled(float a, __global const float *x, uint i)
{
    return a * x[i];
}

__kernel void saxpy(float a, uint n,
                    __global const int *x,
                    __global float *y)
{
    uint i = get_global_id(0);
    uint step = get_global_sise(0);
    for (; i < n; i += step)
        y[i] += scaled(a, x, i)
}
"""

BLUR_SOURCE = """// box blur of radius R, clamped at the edges
__kernel void blur(__global const float *restrict src,
                   __global float *restrict dst,
                   const int width, const int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int dy = -R; dy <= R; dy++)
        for (int dx = -R; dx <= R; dx++)
            sum += src[clamp(y + dy, 0, height - 1) * width
                       + clamp(x + dx, 0, width - 1)];
    dst[y * width + x] = sum / ((2 * R + 1) * (2 * R + 1));
}

__kernel void histogram(__global const float *src, const uint n,
                        __global volatile uint *bins, __local uint *part)
{
    __global float *p = src;
}
"""


def pocl_device(**facts: Any) -> DeviceInfo:
    """The CPU that PoCL 3.0 shows."""
    known: dict[str, Any] = {
        "id": "0:0",
        "name": "pthread-AMD EPYC 9554",
        "platform_name": "Portable Computing Language",
        "platform_version": "OpenCL 3.0 PoCL 3.0",
        "type": ("cpu",),
        "vendor": "AuthenticAMD",
        "driver": "pocl.icd",
        "driver_version": "3.0",
        "device_version": "OpenCL 3.0 PoCL HSTR: pthread-x86_64",
        "opencl_c_version": "OpenCL C 1.2 PoCL",
        "compute_units": 16,
        "clock_mhz": 2596,
        "global_mem_bytes": 50_573_000_000,
        "max_alloc_bytes": 17_179_869_184,
        "local_mem_bytes": 1_048_576,
        "max_work_group_size": 4096,
        "max_work_item_sizes": (4096, 4096, 4096),
        "profiling_timer_ns": 1,
        "fp64": True,
        "images": True,
        "svm": ("coarse_grain_buffer", "fine_grain_buffer", "atomics"),
    }
    return DeviceInfo(**(known | facts))


def nvidia_device(**facts: Any) -> DeviceInfo:
    """An H200."""
    known: dict[str, Any] = {
        "id": "1:0",
        "name": "NVIDIA H200",
        "platform_name": "NVIDIA CUDA",
        "platform_version": "OpenCL 3.0 CUDA 13.0.84",
        "type": ("gpu",),
        "driver": "nvidia.icd",
        "driver_version": "580.95.05",
        "device_version": "OpenCL 3.0 CUDA",
        "opencl_c_version": "OpenCL C 1.2",
        "compute_units": 132,
        "clock_mhz": 1980,
        "global_mem_bytes": 150_109_000_000,
        "max_alloc_bytes": 37_527_000_000,
        "local_mem_bytes": 49_152,
        "local_mem_dedicated": True,
        "max_work_group_size": 1024,
        "max_work_item_sizes": (1024, 1024, 64),
        "profiling_timer_ns": 1000,
        "fp64": True,
        "images": True,
        "svm": ("coarse_grain_buffer",),
        "out_of_order": True,
    }
    return DeviceInfo(**(known | facts))


def oclgrind_device(**facts: Any) -> DeviceInfo:
    """The simulator."""
    known: dict[str, Any] = {
        "id": "2:0",
        "name": "Oclgrind Simulator",
        "platform_name": "Oclgrind",
        "platform_version": "OpenCL 1.2 (Oclgrind 21.10)",
        "type": ("cpu", "gpu", "accelerator"),
        "driver": "oclgrind.icd",
        "driver_version": "Oclgrind 21.10",
        "device_version": "OpenCL 1.2 (Oclgrind 21.10)",
        "opencl_c_version": "OpenCL C 1.2",
        "global_mem_bytes": 134_217_728,
        "local_mem_bytes": 32_768,
        "max_work_group_size": 1024,
        "max_work_item_sizes": (65_535, 65_535, 65_535),
        "fp64": True,
        "images": True,
        "simulator": True,
    }
    return DeviceInfo(**(known | facts))


def driver_reports() -> tuple[DriverReport, ...]:
    """Three drivers that work and one in trouble."""
    return (
        DriverReport("nvidia.icd", (nvidia_device(),)),
        DriverReport("pocl.icd", (pocl_device(),)),
        DriverReport("oclgrind.icd", (oclgrind_device(),)),
        DriverReport(
            "/etc/OpenCL/vendors/intel.icd",
            trouble="the driver loads, but /dev/dri/renderD128 may not be opened by this user: permission denied",
            remedy="sudo usermod -aG render $USER, then log in again",
        ),
    )


def saxpy_spec() -> ProgramSpec:
    """A cell with two errors and a warning; the magic line is line 1."""
    return ProgramSpec(SAXPY_SOURCE, source_map=SourceMap("saxpy.cl", first_line=2))


def failed_build(**facts: Any) -> BuildResult:
    """What PoCL and the front end say of :func:`saxpy_spec`."""
    note = Diagnostic("note", "passing argument to parameter 'x' here", 2, 45, 46)
    known: dict[str, Any] = {
        "ok": False,
        "spec": saxpy_spec(),
        "device_id": "0:0",
        "device_name": "pthread-AMD EPYC 9554",
        "platform_name": "Portable Computing Language",
        "log": "error: /tmp/a.cl:11:17: implicit declaration of function 'get_global_sise' is invalid in OpenCL\n"
        "error: /tmp/a.cl:13:32: expected ';' after expression\n"
        "warning: /tmp/a.cl:13:27: incompatible pointer types passing\n"
        "Device pthread-AMD EPYC failed to build the program\n",
        "diagnostics": (
            Diagnostic(
                "error",
                "use of undeclared identifier 'get_global_sise'",
                12,
                17,
                32,
                fixits=(FixIt(12, 17, 32, "get_global_size", "did you mean 'get_global_size'?"),),
                notes=(Diagnostic("note", "built-in: size_t get_global_size(uint dimindx)", origin="cl_magic"),),
            ),
            Diagnostic(
                "error", "expected ';' after expression", 14, 32, 33, fixits=(FixIt(14, 32, 32, ";", "insert ';'"),)
            ),
            Diagnostic(
                "warning",
                "incompatible pointer types: 'const __global int *' passed to parameter of type"
                " 'const __global float *'",
                14,
                27,
                28,
                option="-Wincompatible-pointer-types",
                notes=(note,),
            ),
        ),
        "duration_ns": 31_000_000,
        "status": "BUILD_PROGRAM_FAILURE",
    }
    return BuildResult(**(known | facts))


def blur_signature() -> KernelSignature:
    """Signature of the blur kernel."""
    pointers = (
        Parameter(0, "src", "float*", "global", qualifiers=("const", "restrict"), reads=True, writes=False),
        Parameter(1, "dst", "float*", "global", qualifiers=("restrict",), reads=False, writes=True),
    )
    values = (Parameter(2, "width", "int"), Parameter(3, "height", "int"))
    return KernelSignature("blur", pointers + values, line=3)


def good_build(**facts: Any) -> BuildResult:
    """Two kernels with one warning, on Intel's CPU driver."""
    histogram = KernelSignature(
        "histogram",
        (
            Parameter(0, "src", "float*", "global", qualifiers=("const",), reads=True, writes=False),
            Parameter(1, "n", "uint"),
            Parameter(2, "bins", "uint*", "global", qualifiers=("volatile",), reads=True, writes=True),
            Parameter(3, "part", "uint*", "local"),
        ),
        reqd_work_group_size=(64, 1, 1),
        line=17,
    )
    known: dict[str, Any] = {
        "ok": True,
        "spec": ProgramSpec(BLUR_SOURCE, ("-DR=1",), source_map=SourceMap("blur.cl", first_line=2)),
        "device_id": "3:0",
        "device_name": "AMD EPYC 9554",
        "platform_name": "Intel(R) OpenCL",
        "log": "Compilation started\nCompilation done\nLinking done\nDone.",
        "diagnostics": (
            Diagnostic(
                "warning",
                "initializing '__global float *' with an expression of type 'const __global float *'"
                " discards qualifiers",
                19,
                21,
                22,
                option="-Wincompatible-pointer-types-discards-qualifiers",
            ),
        ),
        "kernels": (
            KernelInfo(blur_signature(), WorkGroupInfo(8192, 128), ("vectorised 16",)),
            KernelInfo(histogram, WorkGroupInfo(8192, 128, (64, 1, 1)), ("vectorised 16",)),
        ),
        "language_version": "OpenCL C 1.2",
        "duration_ns": 240_000_000,
        "options_used": "-DR=1 -cl-kernel-arg-info",
        "front_end_ns": 2_100_000,
    }
    return BuildResult(**(known | facts))


def _segments(size: int, local: int) -> list[tuple[int, int, int]]:
    """Offset, length and local size of the whole groups and of the remainder in one dimension."""
    whole = size // local * local
    found = [(0, whole, local)] if whole else []
    return [*found, (whole, size - whole, size - whole)] if size % local else found


def plan_of(
    global_size: tuple[int, ...],
    local_size: tuple[int, ...],
    mode: str = "split",
    offset: tuple[int, ...] | None = None,
) -> LaunchPlan:
    """Plan of the sizes: split into up to 2^d launches, padded, or one launch."""
    start = offset or (0,) * len(global_size)
    groups = tuple(math.ceil(g / n) for g, n in zip(global_size, local_size, strict=True))
    padded = tuple(n * k for n, k in zip(local_size, groups, strict=True))
    if padded == global_size:
        mode = "uniform"
    pieces = itertools.product(*map(_segments, global_size, local_size)) if mode in {"split", "rebuilt"} else ()
    parts = tuple(
        LaunchPart(
            tuple(s + p[0] for s, p in zip(start, piece, strict=True)),
            tuple(p[1] for p in piece),
            tuple(p[2] for p in piece),
            "main" if tuple(p[2] for p in piece) == local_size else "remainder",
        )
        for piece in pieces
    )
    whole = LaunchPart(start, padded if mode == "padded" else global_size, local_size)
    reason = "" if mode == "uniform" else "PoCL 3.0 runs uniform groups only, so the remainder is launched separately."
    return LaunchPlan(
        global_size,
        start,
        local_size,
        "as you gave it",
        mode,  # type: ignore[arg-type]
        parts or (whole,),
        groups,
        mode_reason=reason,
        padded_global_size=padded if mode == "padded" else None,
    )


def statistics_of(array: NDArray[Any], low: float | None = None, high: float | None = None) -> Statistics:
    """Statistics as the worker takes them."""
    array = array.view(np.uint8) if array.dtype.kind == "b" else array
    finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array.ravel()
    if finite.size == 0:
        return Statistics(array.size, nan=int(np.isnan(array).sum()), inf=int(np.isinf(array).sum()))
    ends = (float(finite.min() if low is None else low), float(finite.max() if high is None else high))
    counts = np.histogram(finite, 50, ends if ends[0] < ends[1] else (ends[0] - 0.5, ends[1] + 0.5))[0]
    inexact = array.dtype.kind == "f"
    return Statistics(
        array.size,
        float(finite.min()),
        float(finite.max()),
        float(finite.mean()),
        nan=int(np.isnan(array).sum()) if inexact else 0,
        inf=int(np.isinf(array).sum()) if inexact else 0,
        histogram=tuple(int(c) for c in counts),
        histogram_range=ends,
    )


def picture_of(array: NDArray[Any], cells: int = 65_536) -> Picture:
    """At most `cells` cells of an array, every n-th element of each axis."""
    step = 1
    while math.prod(-(-n // step) for n in array.shape) > cells:
        step += 1
    small = np.ascontiguousarray(array[tuple(slice(None, None, step) for _ in array.shape)])
    method = "exact" if step == 1 else "sample"
    return Picture(small.shape, small.dtype.str, small.tobytes(), (step,) * array.ndim, method)  # type: ignore[arg-type]


def capture_of(name: str, before: NDArray[Any], after: NDArray[Any] | None = None, **facts: Any) -> Capture:
    """Capture of an array, only read where `after` is None."""
    known: dict[str, Any] = {
        "parameter": name,
        "label": name,
        "shape": before.shape,
        "dtype": before.dtype.str,
        "before": statistics_of(before),
        "picture_before": picture_of(before),
    }
    if after is not None:
        difference = after.astype(np.float64) - before.astype(np.float64)
        known |= {
            "after": statistics_of(after),
            "picture_after": picture_of(after),
            "difference": statistics_of(difference),
            "picture_difference": picture_of(difference.astype(np.float32)),
            "changed": int((after.view(np.uint8) != before.view(np.uint8)).reshape(after.size, -1).any(axis=1).sum()),
        }
    return Capture(**(known | facts))


def cells_image(height: int = 512, width: int = 600, seed: int = 4) -> NDArray[np.float32]:
    """An image with structure and noise, 0 to 1: the thumbnails of a real run are no easier to compress."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    image = 0.12 + 0.05 * np.sin(x / 40.0) * np.cos(y / 31.0)
    for _ in range(40):
        cy, cx, r = rng.integers(0, height), rng.integers(0, width), rng.uniform(6, 18)
        image = image + 0.5 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * r * r))
    image += rng.normal(0, 0.02, image.shape)
    return np.clip(image, 0, 1).astype(np.float32)


def blurred(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """Box blur of radius 1, wrapped at the edges."""
    rolls = [np.roll(image, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    return (sum(rolls[1:], rolls[0]) / 9).astype(np.float32)


def run_events(plan: LaunchPlan, repeat: int = 5, warmup: int = 1) -> tuple[CommandEvent, ...]:
    """Commands of a run: upload, warm-ups, timed runs (all parts each), download. Nanoseconds from 1 000 000."""
    events: list[CommandEvent] = []
    now = 1_000_000

    def add(kind: str, name: str, duration: int, **facts: int) -> None:
        nonlocal now
        times = (now, now + 10_000, now + 40_000, now + 40_000 + duration)
        events.append(CommandEvent(kind, name, *times, **facts))  # type: ignore[arg-type]
        now = times[3] + 20_000

    add("write", "src", 210_000, nbytes=1_228_800)
    for run in [*range(-1, -warmup - 1, -1), *range(1, repeat + 1)]:
        now += 100_000
        for index, part in enumerate(plan.parts):
            main = part.role == "main"
            duration = (30_000_000 if run < 0 else 0) + (1_190_000 + 12_000 * abs(run) if main else 30_000)
            add("kernel", "blur", duration, run=run, part=index)
    add("read", "dst", 190_000, nbytes=1_228_800)
    return tuple(events)


def run_record(**facts: Any) -> RunRecord:
    """Run of blur on 600 × 512 items in 16 × 16 groups, with images, printf and one warm-up."""
    plan = facts.get("plan") or plan_of((600, 512), (16, 16))
    repeat, warmup = facts.get("repeat", 5), facts.get("warmup", 1)
    events = facts.get("events") or run_events(plan, repeat, warmup)
    source = cells_image()
    last = max(event.end_ns for event in events)
    known: dict[str, Any] = {
        "kernel": "blur",
        "device": pocl_device(),
        "plan": plan,
        "arguments": (
            ArgumentFact(0, "global const float *restrict src", "float32 (512, 600)", "in"),
            ArgumentFact(1, "global float *restrict dst", "float32 (512, 600)", "inout"),
            ArgumentFact(2, "int width", "600"),
            ArgumentFact(3, "int height", "512"),
        ),
        "events": events,
        "transfers": (
            Transfer("src", "src", "to device", 1_228_800, 210_000, reason="const in the source"),
            Transfer("dst", "dst", "from device", 1_228_800, 190_000, reason="the kernel writes it"),
        ),
        "printf": "".join(f"tile x={16 * i} y=0: 0.{661 + i:04d}\n" for i in range(1216)),
        "captures": (capture_of("src", source), capture_of("dst", np.zeros_like(source), blurred(source))),
        "host_start_ns": 500_000,
        "host_end_ns": last + 500_000,
        "repeat": repeat,
        "warmup": warmup,
        "engine": "worker",
        "created": "2026-01-01T12:00:00+00:00",
    }
    return RunRecord(**(known | facts))
