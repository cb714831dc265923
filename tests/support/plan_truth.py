"""Runs planned NDRanges on one driver and compares what each work-item sees with a model in NumPy.

A script, started by tests/device/test_plan_truth.py in a process with one driver: ``plan_truth.py DEVICE-NAME CASES``.
It prints one JSON object.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl

from cl_magic.build.result import WorkGroupInfo
from cl_magic.clc.signature import Guard, KernelSignature
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.plan import LaunchPlan, Remainder
from cl_magic.launch.planner import plan
from cl_magic.launch.whole_range import REPLACEABLE, ProgramFacts

SPLIT_SAFE = ("get_global_id", "get_local_id", "get_local_size")
WHOLE = ("get_group_id", "get_num_groups", "get_global_size", "get_global_offset")
SINCE_2_0 = ("get_enqueued_local_size",)
DIMENSIONS = 3  # of a range with fewer, those past its last answer too; drivers disagree on a fourth
SIZES = {
    1: [(1,), (4,), (16,), (60,)],
    2: [(4, 4), (8, 2), (3, 5), (16, 1)],
    3: [(4, 2, 2), (2, 3, 2), (5, 1, 3)],
}
LARGEST = {1: 200, 2: 20, 3: 9}


def source(functions: tuple[str, ...], *, linear: bool) -> str:
    """Kernel that writes what the functions answer, the items of its group as counted there, and the linear id."""
    loop = f"for (uint d = 0; d < {DIMENSIONS}; ++d)"
    rows = "\n".join(f"  {loop} row[{DIMENSIONS * n} + d] = (uint){name}(d);" for n, name in enumerate(functions))
    fields = DIMENSIONS * len(functions) + 2
    return f"""#define HERE(d) (get_global_id(d) - start ## d)
kernel void see(global uint *out, uint start0, uint start1, uint start2, uint size0, uint size1, uint size2)
{{
  local int items;
  bool inside = HERE(0) < size0 && HERE(1) < size1 && HERE(2) < size2;
  if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) items = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&items);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!inside) return;
  global uint *row = out + ((HERE(2) * size1 + HERE(1)) * size0 + HERE(0)) * {fields};
{rows}
  row[{fields - 2}] = items;
  row[{fields - 1}] += 1 + {"(uint)get_global_linear_id()" if linear else "0"};
}}
"""


def model(done: LaunchPlan, functions: tuple[str, ...], *, linear: bool) -> np.ndarray[Any, Any]:
    """What a launch with non-uniform groups (OpenCL 2.0, 5.8) would show, in the order of `source`'s rows."""
    sizes = (*done.global_size, 1, 1)[:DIMENSIONS]
    local = (*(done.local_size or ()), 1, 1)[:DIMENSIONS]
    offset = (*done.global_offset, 0, 0)[:DIMENSIONS]
    ranges = (*(done.padded_global_size or done.global_size), 1, 1)[:DIMENSIONS]
    place = np.indices(sizes[::-1]).reshape(DIMENSIONS, -1)[::-1]
    column = {
        name: np.array(values)[:, None] for name, values in zip("slor", (sizes, local, offset, ranges), strict=True)
    }
    group = place // column["l"]
    own = np.minimum(column["l"], column["r"] - group * column["l"])
    still = np.zeros_like(place)
    seen = {
        "get_global_id": place + column["o"],
        "get_local_id": place % column["l"],
        "get_local_size": own,
        "get_group_id": group,
        "get_num_groups": still - (-column["r"] // column["l"]),
        "get_global_size": still + column["s"],
        "get_global_offset": still + column["o"],
        "get_enqueued_local_size": still + column["l"],
    }
    rows = [seen[name] for name in functions]
    rows += [own.prod(axis=0)[None], np.arange(1, place.shape[1] + 1)[None] if linear else still[:1] + 1]
    return np.vstack(rows).T


class Bench:
    """One device, and what it takes to launch plans on it."""

    def __init__(self, device: cl.Device) -> None:
        self.device = device
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.info = DeviceInfo(
            "0:0", device.name, device.platform.name, device.platform.version, ("cpu",),
            max_work_group_size=min(device.max_work_group_size, 256),
            max_work_item_sizes=tuple(device.max_work_item_sizes), compute_units=device.max_compute_units,
        )  # fmt: skip

    def kernel(self, text: str, version: str) -> cl.Kernel:
        """Kernel ``see`` of a text, built with that language version."""
        return cl.Program(self.context, text).build([f"-cl-std=CL{version}"], cache_dir=False).see

    def seen(self, done: LaunchPlan, text: str, version: str, fields: int) -> np.ndarray[Any, Any]:
        """What the work-items of a plan saw."""
        items = int(np.prod(done.global_size))
        out = np.zeros((items, fields), np.uint32)
        buffer = cl.Buffer(self.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=out)
        kernel = self.kernel(done.prelude + text, version)
        starts, sizes = (*done.global_offset, 0, 0)[:3], (*done.global_size, 1, 1)[:3]
        kernel.set_args(buffer, *map(np.uint32, starts), *map(np.uint32, sizes))
        for part in done.parts:
            cl.enqueue_nd_range_kernel(self.queue, kernel, part.global_size, part.local_size, part.global_offset)
        cl.enqueue_copy(self.queue, out, buffer)
        return out


def case(number: int, chance: random.Random) -> tuple[NDRange, Remainder, str]:
    """Range, remainder and the set of functions of one case."""
    dimensions = 1 + number % 3
    sizes = tuple(chance.randint(1, LARGEST[dimensions]) for _ in range(dimensions))
    local = chance.choice([*SIZES[dimensions], None])
    offset = tuple(chance.randint(0, 9) for _ in range(dimensions)) if chance.random() < 0.5 else None
    kind = chance.choice(["whole", "whole", "safe", "unread", "padded"])
    return NDRange(sizes, local, offset), "pad" if kind == "padded" else "auto", kind


def compare(bench: Bench, number: int, chance: random.Random, *, native: bool) -> tuple[str, str]:
    """Mode of the plan and the first difference ("" for none)."""
    ndrange, remainder, kind = case(number, chance)
    version = "2.0" if native or number % 2 else "1.2"
    modern = version == "2.0"
    functions = SPLIT_SAFE if kind == "safe" else SPLIT_SAFE + WHOLE + (SINCE_2_0 if modern else ())
    linear = modern and kind != "safe"
    text = source(functions, linear=linear)
    signature = KernelSignature("see", builtins=frozenset(functions) | ({"get_global_linear_id"} if linear else set()))
    if kind == "padded":
        signature = replace(signature, guards=tuple(Guard(axis, 5, "inside") for axis in range(3)))
    if kind == "unread":
        signature = KernelSignature("see", origin="device")
    facts = ProgramFacts(f"OpenCL C {version}", (), text)
    device = replace(bench.info, non_uniform_work_groups=native)
    done = plan(ndrange, device, WorkGroupInfo(256, 8), signature, remainder=remainder, program=facts)
    if done.mode == "rebuilt" and len(done.parts) > 1:
        assert set(done.replaced) == set(functions + ("get_global_linear_id",) * linear) & set(REPLACEABLE)
    wanted = model(done, functions, linear=linear)
    seen = bench.seen(done, text, version, wanted.shape[1])
    if np.array_equal(seen, wanted):
        return done.mode, ""
    row, field = np.argwhere(seen != wanted)[0]
    name = functions[field // DIMENSIONS] if field // DIMENSIONS < len(functions) else "items or linear id"
    return done.mode, f"case {number} {done.parts}: {name} item {row} {seen[row, field]} wanted {wanted[row, field]}"


def main(name: str, cases: int, *, native: bool) -> None:
    """Run the cases and print the outcome."""
    devices = [d for p in cl.get_platforms() if name in p.name for d in p.get_devices()]
    if not devices:
        sys.stdout.write(json.dumps({"absent": True}) + "\n")
        return
    bench, chance = Bench(devices[0]), random.Random(20_240)  # noqa: S311 - the same cases each time
    outcomes = [compare(bench, number, chance, native=native) for number in range(cases)]
    modes = Counter(mode for mode, _ in outcomes)
    sys.stdout.write(json.dumps({"modes": modes, "differences": [text for _, text in outcomes if text]}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), native=sys.argv[3:] == ["native"])
