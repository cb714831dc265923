"""Commands by hand, below the layer that binds arguments: for tests of the engines' contract and of the worker."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.commands import Build, Launch
from cl_magic.engine.protocol import Engine
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.launch.request import ArrayArgument, LaunchRequest, ScalarArgument

Array = np.ndarray[Any, Any]

SAXPY = ProgramSpec(
    """kernel void saxpy(global const float *x, global float *y, float a)
{
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}
kernel void hello(global int *out) { printf("hello %d\\n", out[0]); out[0] = 7; }
kernel void pair(global const float *x, global float *y) { size_t i = get_global_id(0); y[i] = x[i] + 1.0f; }
"""
)
CRASH = ProgramSpec("kernel void far(global int *x, long way) { x[way + get_global_id(0)] = 1; }")
ENDLESS = ProgramSpec(
    "kernel void spin(global volatile int *x) { while (x[0] == 0) { if (x[1] == 12345) x[2] += 1; } }"
)


def uniform_plan(items: int, local: int | None = None) -> LaunchPlan:
    """One launch of `items` work-items in one dimension."""
    size = (local or math.gcd(items, 64),)
    part = LaunchPart((0,), (items,), size)
    return LaunchPlan((items,), (0,), size, "as you gave it", "uniform", (part,), (items // size[0],))


def array_argument(index: int, name: str, array: Array, direction: Any, slot: int | None = None) -> ArrayArgument:
    """An argument that is the array of slot `slot` (its index by default)."""
    whole = array.flags.c_contiguous or array.flags.f_contiguous
    place = index if slot is None else slot
    facts = (array.shape, array.dtype.str, array.nbytes, whole)
    return ArrayArgument(index, name, "float*", place, direction, *facts, reason="by the test")


def scalar(index: int, name: str, value: Any) -> ScalarArgument:
    """A value argument from a NumPy scalar."""
    return ScalarArgument(index, name, value.dtype.name, value.tobytes(), str(value))


def launch(device: DeviceInfo, spec: ProgramSpec, kernel: str, items: int, **parts: Any) -> Launch:
    """A launch with nothing captured but what `parts` say."""
    request = LaunchRequest(spec.digest, kernel, uniform_plan(items), capture="none")
    return Launch(dataclasses.replace(request, **parts), device.local_id)


def saxpy(device: DeviceInfo, x: Array, y: Array, a: float, **parts: Any) -> Launch:
    """y += a x over all elements."""
    arrays = (array_argument(0, "x", x, "in"), array_argument(1, "y", y, "inout"))
    return launch(device, SAXPY, "saxpy", x.size, arrays=arrays, scalars=(scalar(2, "a", np.float32(a)),), **parts)


def built(engine: Engine, spec: ProgramSpec, device: DeviceInfo) -> Engine:
    """The engine, with the program built in it."""
    result = engine.submit(Build(spec, device.local_id)).result()
    assert result.ok, result.log
    return engine
