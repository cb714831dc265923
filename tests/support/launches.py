"""Launch commands from NumPy arrays, for tests of engines: what the kernel layer would bind and plan, in short."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.commands import Launch
from cl_magic.launch.plan import LaunchPart, LaunchPlan
from cl_magic.launch.request import ArrayArgument, LaunchRequest, LocalArgument, NullArgument, ScalarArgument

SAXPY = ProgramSpec(
    """__kernel void saxpy(__global float *restrict y, __global const float *x, float a, int n)
{
    int i = get_global_id(0);
    if (i < n) y[i] += a * x[i];
}
"""
)


def plan(global_size: tuple[int, ...], local_size: tuple[int, ...] | None = None, offset: int = 0) -> LaunchPlan:
    """One launch for the whole range."""
    start = (offset,) * len(global_size)
    groups = tuple(math.ceil(g / x) for g, x in zip(global_size, local_size or global_size, strict=True))
    mode = "uniform" if local_size else "driver"
    return LaunchPlan(global_size, start, local_size, "", mode, (LaunchPart(start, global_size, local_size),), groups)


def array_argument(index: int, name: str, array: Any, direction: str = "inout", **changes: Any) -> ArrayArgument:
    """An argument for a whole array, its slot being its index."""
    types = {"f4": "float*", "i4": "int*", "u1": "uchar*", "f8": "double*"}
    dtype = np.dtype(array.dtype)
    made = ArrayArgument(
        index,
        name,
        types[dtype.str[1:]],
        slot=index,
        direction=direction,
        shape=array.shape,
        dtype=dtype.str,
        nbytes=array.nbytes,
        contiguous=not isinstance(array, np.ndarray) or array.flags.c_contiguous,
    )
    return replace(made, **changes)


def scalar(index: int, name: str, value: Any) -> ScalarArgument:
    """A NumPy scalar."""
    types = {"float32": "float", "int32": "int"}
    return ScalarArgument(index, name, types[value.dtype.name], value.tobytes(), str(value))


def request(spec: ProgramSpec, kernel: str, planned: LaunchPlan, *arguments: Any, **words: Any) -> LaunchRequest:
    """A request from arguments of any kind."""

    def of(kind: type) -> tuple[Any, ...]:
        return tuple(argument for argument in arguments if isinstance(argument, kind))

    return LaunchRequest(
        spec.digest,
        kernel,
        planned,
        scalars=of(ScalarArgument),
        locals=of(LocalArgument),
        nulls=of(NullArgument),
        arrays=of(ArrayArgument),
        **words,
    )


def saxpy(device: str, y: Any, x: Any, a: float = 2.0, **words: Any) -> Launch:
    """Launch `SAXPY` over all elements, in groups of 4; the arrays are slots 0 and 1."""
    arguments = (
        array_argument(0, "y", y),
        array_argument(1, "x", x, "in", reason="const in the source"),
        scalar(2, "a", np.float32(a)),
        scalar(3, "n", np.int32(math.prod(y.shape))),
    )
    return Launch(request(SAXPY, "saxpy", plan((math.prod(y.shape),), (4,)), *arguments, **words), device)
