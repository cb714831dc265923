"""Layouts of the front end against sizeof and offsetof that each device computes, for random structures."""

from __future__ import annotations

import numpy as np
from support.random_structs import Declared, random_structs

import cl_magic as clm
from cl_magic.clc.structs import Layout, layout_named, members
from cl_magic.launch.limits import DeviceInfo

STRUCTS = 320
IN_ONE_KERNEL = 80


def _source(structs: list[Declared]) -> tuple[str, list[str]]:
    """Text whose kernels write every size and offset, and what each number is, in that order."""
    parts = ["enum colour { RED, GREEN };", *(one.text for one in structs)]
    told: list[str] = []
    for first in range(0, len(structs), IN_ONE_KERNEL):
        lines = []
        for one in structs[first : first + IN_ONE_KERNEL]:
            lines.append(f"o[{len(told)}] = sizeof(struct {one.name});")
            told.append(one.name)
            for member in one.members:
                lines.append(f"o[{len(told)}] = __builtin_offsetof(struct {one.name}, {member});")
                told.append(f"{one.name}.{member}")
        uses = f"global struct {structs[first].name} *unused"
        parts.append(f"kernel void sizes{first}(global uint *o, {uses}) {{ {' '.join(lines)} }}")
    return "\n".join(parts), told


def _known(layouts: tuple[Layout, ...], name: str) -> int:
    """Size of a structure, or offset of a member named by its path, as the front end has it."""
    struct, _, path = name.partition(".")
    layout = layout_named(layouts, struct)
    assert layout is not None, struct
    if not path:
        return layout.size_bytes
    found = dict(members(layout))
    offset = 0
    for depth in range(1, path.count(".") + 2):
        offset += found[".".join(path.split(".")[:depth])].offset_bytes
    return offset


def test_c_07_c_75_c_76_layouts_equal_what_the_device_computes(device: DeviceInfo) -> None:
    """C-05, C-07, C-31, C-75, C-76: at least 300 structures on every device."""
    structs = random_structs(STRUCTS, seed=7, doubles=device.fp64)
    source, told = _source(structs)
    program = clm.build(source, device=device)
    computed = np.zeros(len(told), np.uint32)
    for kernel in program.values():
        kernel(computed, None, global_size=1, capture="none")
    differing = [(name, _known(program.layouts, name), int(n)) for name, n in zip(told, computed, strict=True)]
    assert not [row for row in differing if row[1] != row[2]]
    assert len(program.layouts) >= STRUCTS


def test_dtypes_of_layouts_have_the_same_sizes_and_offsets(device: DeviceInfo) -> None:
    structs = random_structs(60, seed=11, doubles=device.fp64)
    program = clm.build(_source(structs)[0], device=device)
    for layout in program.layouts:
        dtype = program.dtype(layout.short_name)
        assert dtype.itemsize == layout.size_bytes
        offsets = {field.name: field.offset_bytes for field in layout.fields}
        assert dtype.fields is not None
        assert {name: int(place[1]) for name, place in dtype.fields.items()} == offsets
