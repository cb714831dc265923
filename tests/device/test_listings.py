"""Listings of every device: code with lines, resources, what is not given, crashes (K-24, K-67, K-69, C-59, C-79)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.build.source_map import SourceMap
from cl_magic.errors import ListingUnavailableError
from cl_magic.launch.limits import DeviceInfo

SOURCE = """float half_of(float v) { return v * 0.5f; }
kernel void saxpy(global const float *x, global float *y, float a)
{
    size_t i = get_global_id(0);
    y[i] += a * half_of(x[i]);
}
kernel void turn(global int *y, int k)
{
    local int s[100];
    int t[40];
    for (int j = 0; j < 40; j++) t[(j * k) % 40] = y[j];
    s[get_local_id(0)] = y[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = s[99 - get_local_id(0)] + t[k % 40];
}
"""
MAP = SourceMap("cell [3]", first_line=3)
STORE = 7
"""The line of the cell that holds ``y[i] += …``."""
GIVES = {
    "pocl": {"source", "llvm", "asm", "binary"},
    "intel": {"source", "llvm", "asm", "binary"},
    "oclgrind": {"source", "llvm", "binary"},
    "nvidia": {"source", "ptx", "binary"},
}
IMAGES = """constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void blur(read_only image2d_t a, write_only image2d_t b)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 v = read_imagef(a, s, p) + read_imagef(a, s, p + (int2)(1, 0));
    write_imagef(b, p, v * 0.5f);
}
"""
KERNEL_IN_KERNEL = """kernel void one(global int *x) { x[get_global_id(0)] += 1; }
kernel void two(global int *x) { one(x); x[0] = 2; }
"""


@pytest.fixture(scope="module")
def program(device: DeviceInfo) -> clm.Program:
    # A blank inside the definition: it goes by text, so that the compiler counts a line more.
    return clm.build(SOURCE, device=device, options=["-DTABLE=1 + 1"], source_map=MAP)


def _on(family: str, source: str = SOURCE, **words: Any) -> clm.Program:
    """The program on the device of a compiler family."""
    found = [device for device in clm.devices() if device.family == family]
    if not found:
        pytest.skip(f"{family} is absent")
    return clm.build(source, device=found[0], source_map=MAP, **words)


@pytest.mark.parametrize("kind", ["source", "llvm", "asm", "ptx", "spirv", "binary"])
def test_k_67_each_device_gives_its_forms_and_says_what_it_does_not_give(program: clm.Program, kind: str) -> None:
    given = GIVES[program.device.family]
    if kind in given:
        assert program.listing(kind).kind == kind
        return
    with pytest.raises(ListingUnavailableError) as caught:
        program.listing(kind)
    assert caught.value.kind == kind
    assert set(caught.value.possible) == given


def test_k_67_code_stands_beside_the_lines_of_the_cell(program: clm.Program) -> None:
    kind = {"oclgrind": "llvm", "nvidia": "ptx"}.get(program.device.family, "asm")
    listing = program.listing(kind, debug=True)
    assert [kernel.name for kernel in listing.kernels] == ["saxpy", "turn"]
    lines = {line.line for line in listing["saxpy"].lines if line.line and not line.file}
    assert STORE in lines
    assert lines <= {3, *range(4, 9)}
    assert "half_of(x[i])" in listing.source_line(STORE)


@pytest.mark.parametrize("family", ["pocl", "intel"])
def test_the_code_that_runs_is_the_default_and_a_debug_build_is_said(family: str) -> None:
    program = _on(family)
    plain, debug = program.listing("asm"), program.listing("asm", debug=True)
    assert not plain.has_lines
    assert any("debug=True" in note for note in plain.notes)
    assert any("-g" in note for note in debug.notes)


def test_k_24_and_c_59_private_and_local_bytes_of_a_kernel(program: clm.Program) -> None:
    kind = "ptx" if program.device.family == "nvidia" else "llvm"
    resources = program.listing(kind).resources["turn"]
    assert resources.private_bytes is not None
    assert resources.private_bytes >= 160
    assert resources.local_bytes == 400
    assert program.result.kernel("turn").work_group.local_mem_bytes == 400
    assert resources.instructions


def test_pocl_keeps_the_lines_of_ir_that_is_not_optimised() -> None:
    listing = _on("pocl").listing("llvm", debug=True)
    assert STORE in {line.line for line in listing["saxpy"].lines}


@pytest.mark.parametrize("family", ["pocl", "intel"])
def test_c_79_vectors_are_seen_in_machine_code(family: str) -> None:
    assert _on(family).listing("asm").resources["saxpy"].vector_bits in (128, 256, 512)


def test_k_67_the_code_that_pocl_made_for_the_local_size_that_ran() -> None:
    program = _on("pocl", "kernel void lone(global float *x) { x[get_global_id(0)] *= 1.25f; }")
    program.lone(np.ones(64, np.float32), global_size=64, local_size=16)
    special = program.listing("asm", local_size=(16,))
    assert any("16 × 1 × 1" in note for note in special.notes)
    general = program.listing("asm", local_size=(7,)).resources["lone"].instructions
    assert (special.resources["lone"].instructions or 0) < (general or 0)


def test_k_69_every_form_is_in_the_folder_and_its_index_names_the_rest(program: clm.Program, tmp_path: Path) -> None:
    folder = program.dump(tmp_path / "forms")
    assert folder == tmp_path / "forms"
    names = {path.name for path in folder.iterdir()}
    assert {"index.txt", "source.cl", "build.log", "program.bin"} <= names
    given = GIVES[program.device.family]
    assert ("program.ll" in names, any(name.endswith(".s") for name in names)) == ("llvm" in given, "asm" in given)
    assert (folder / "program.bin").read_bytes() == program.listing("binary").data
    index = (folder / "index.txt").read_text()
    missing = index[index.index("missing:") :]
    assert all(f"  {kind}: " in missing for kind in {"llvm", "asm", "ptx", "spirv"} - given)
    assert all(f"  {name}  " in index for name in names - {"index.txt"})


def test_a_folder_that_cannot_be_written_is_an_error(program: clm.Program, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(clm.ArgumentError):
        program.dump(tmp_path / "file" / "below")


def test_a_driver_that_dies_of_the_question_leaves_the_program_usable(device: DeviceInfo) -> None:
    if not device.images:
        pytest.skip("the device has no images")
    program = clm.build(IMAGES + SOURCE, device=device)
    kind = {"oclgrind": "llvm", "nvidia": "ptx"}.get(device.family, "asm")
    listing = program.listing(kind, debug=True)
    assert listing["blur"].resources.instructions
    if device.family == "pocl":  # its process ends with SIGSEGV for images with -g: another build stands in
        assert listing.has_lines or any("died" in note for note in listing.notes)
    x, y = np.ones(8, np.float32), np.zeros(8, np.float32)
    program.saxpy(x, y, 2.0, global_size=8)
    assert y[0] == 1.0


def test_a_build_with_g_of_an_image_kernel_gives_its_code() -> None:
    """PoCL's process has died of this question; whether it does depends on where its memory lies."""
    assert _on("pocl", IMAGES, options="-g").listing("asm")["blur"].resources.instructions


def test_bitcode_that_llvm_takes_for_broken_is_an_error_with_words() -> None:
    with pytest.raises(ListingUnavailableError) as caught:
        _on("oclgrind", KERNEL_IN_KERNEL).listing("llvm")
    assert "SIGABRT" in caught.value.reason


def test_another_build_stands_in_for_one_that_llvm_takes_for_broken() -> None:
    listing = _on("pocl", KERNEL_IN_KERNEL).listing("llvm", debug=True)
    assert [kernel.name for kernel in listing.kernels] == ["one", "two"]
    assert any("SIGABRT" in note for note in listing.notes)


def test_instances_of_templates_have_the_lines_of_the_template() -> None:
    text = "// two lines\ntemplate<class T>\nkernel void f(global T *x)\n{\n    x[0] += 1;\n}\n"
    listing = _on("oclgrind", text, names=["f<int>", "f<float>"]).listing("llvm")
    assert len(listing.kernels) == 2
    assert all(7 in {line.line for line in kernel.lines} for kernel in listing.kernels)


def test_an_unknown_kind_names_the_kinds(program: clm.Program) -> None:
    with pytest.raises(ListingUnavailableError) as caught:
        program.listing("elf")
    assert "asm" in caught.value.possible
