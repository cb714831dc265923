"""What work-items of planned NDRanges say of themselves on one driver, for tests of partitions and pictures.

A script, started by tests/device/test_partition_truth.py in a process with one driver:
``partition_truth.py DEVICE-NAME CASES FILE``. It writes cases to FILE: the plan, and for each launched work-item,
padding included, its global, group and local id, its local size and its linear ids, as the kernel wrote them.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyopencl as cl

from cl_magic.build.result import WorkGroupInfo
from cl_magic.clc.signature import Guard, KernelSignature
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.planner import plan
from cl_magic.launch.whole_range import REPLACEABLE, ProgramFacts

FUNCTIONS = ("get_global_id", "get_group_id", "get_local_id", "get_local_size")
FIELDS = 3 * len(FUNCTIONS) + 2
BATCH = 25
PRIMES = (1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 61, 97, 127)
LOCALS = {1: [(4,), (16,), (7,)], 2: [(4, 4), (8, 2), (3, 5)], 3: [(4, 2, 2), (2, 3, 2)]}
LARGEST = {1: 200, 2: 21, 3: 9}
REQUIRED = 9


@dataclass(frozen=True, slots=True)
class Case:
    """A plan and the kernel that tells."""

    plan: LaunchPlan
    required: tuple[int, ...] | None


def random_case(number: int, chance: random.Random, device: DeviceInfo) -> Case:
    """Sizes, offset, remainder: one dimension to three, prime sizes often; each ninth has a required group size."""
    dimensions = 1 + number % 3
    limit = LARGEST[dimensions]
    primes = [p for p in PRIMES if p <= limit]
    sizes = tuple(
        chance.choice(primes) if chance.random() < 0.4 else chance.randint(1, limit) for _ in range(dimensions)
    )
    local = chance.choice(LOCALS[dimensions])
    offset = tuple(chance.randint(0, 99) for _ in range(dimensions)) if chance.random() < 0.5 else None
    padded = chance.random() < 0.2
    signature = KernelSignature("see", builtins=frozenset({*FUNCTIONS, "get_global_linear_id"}))
    required = None
    if number % REQUIRED == 0:
        required = (*local, 1, 1)[:3]
        sizes = tuple(n * max(1, size // n) for n, size in zip(local, sizes, strict=True))
        signature = replace(signature, reqd_work_group_size=required)
    if padded:
        signature = replace(signature, guards=tuple(Guard(axis, 1, "inside") for axis in range(3)))
    facts = ProgramFacts("OpenCL C 2.0", (), "")
    ndrange = NDRange(sizes, local, offset)
    made = plan(ndrange, device, WorkGroupInfo(256, 8), signature, remainder="pad" if padded else "auto", program=facts)
    return Case(made, required)


def text_of(number: int, case: Case) -> str:
    """Kernel ``see<number>``, with the plan's own prelude in front and taken away again after it."""
    attribute = f"__attribute__((reqd_work_group_size{case.required})) " if case.required else ""
    rows = "\n".join(f"  row[{3 * n + d}] = (uint){name}({d});" for n, name in enumerate(FUNCTIONS) for d in range(3))
    prelude = case.plan.prelude.replace("clm_", f"clm{number}_")
    after = "\n".join(f"#undef {name}" for name in REPLACEABLE)
    return f"""{prelude}
kernel {attribute}void see{number}(global uint *out, uint3 start, uint3 size)
{{
  uint3 at = (uint3)(get_global_id(0), get_global_id(1), get_global_id(2)) - start;
  global uint *row = out + ((at.z * size.y + at.y) * size.x + at.x) * {FIELDS};
{rows}
  row[{FIELDS - 2}] = (uint)get_global_linear_id();
  row[{FIELDS - 1}] += 1 + (uint)get_local_linear_id();
}}
{after}
"""


def seen(bench: tuple[cl.Context, cl.CommandQueue], kernel: cl.Kernel, made: LaunchPlan) -> np.ndarray[Any, Any]:
    """What each launched work-item wrote, in the order of its place, x fastest; none wrote twice."""
    context, queue = bench
    sizes = made.padded_global_size or made.global_size
    out = np.zeros((int(np.prod(sizes)), FIELDS), np.uint32)
    buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=out)
    triple = [
        np.array((*(*values, filler, filler)[:3], 0), np.uint32)
        for values, filler in ((made.global_offset, 0), (sizes, 1))
    ]
    kernel.set_args(buffer, *triple)
    for part in made.parts:
        cl.enqueue_nd_range_kernel(queue, kernel, part.global_size, part.local_size, part.global_offset)
    cl.enqueue_copy(queue, out, buffer)
    out[:, -1] -= 1
    return out


def main(name: str, count: int, target: Path) -> None:
    """Run the cases; without such a platform nothing is written."""
    devices = [d for p in cl.get_platforms() if name in p.name for d in p.get_devices()]
    if not devices:
        return
    device = devices[0]
    context = cl.Context([device])
    bench = (context, cl.CommandQueue(context))
    info = DeviceInfo(
        "0:0", device.name, device.platform.name, device.platform.version, ("cpu",), max_work_group_size=256,
        max_work_item_sizes=tuple(device.max_work_item_sizes), non_uniform_work_groups="Oclgrind" in name,
    )  # fmt: skip
    chance = random.Random(30)  # noqa: S311 - the same cases each time
    cases = [random_case(number, chance, info) for number in range(count)]
    with target.open("w") as file:
        for start in range(0, count, BATCH):
            batch = list(enumerate(cases[start : start + BATCH], start))
            text = "".join(text_of(number, case) for number, case in batch)
            # Optimised kernels (merged work-items) in each fourth batch; compiling them all takes twice the time.
            options = ["-cl-std=CL2.0", *(["-cl-opt-disable"] if start // BATCH % 4 else [])]
            program = cl.Program(context, text).build(options, cache_dir=False)
            for number, case in batch:
                rows = seen(bench, getattr(program, f"see{number}"), case.plan)
                file.write(json.dumps({"plan": msgspec.to_builtins(case.plan), "rows": rows.tolist()}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
