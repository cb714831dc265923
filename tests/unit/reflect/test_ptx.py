"""PTX as driver 580 wrote it for an H200, built with -nv-line-info (K-24, K-67)."""

from __future__ import annotations

from pathlib import Path

from cl_magic.build.result import BuildResult, KernelInfo, WorkGroupInfo
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.signature import KernelSignature
from cl_magic.reflect.forms import Making, make_listing
from cl_magic.reflect.listing import Extracted, Listing
from cl_magic.reflect.ptx import functions

PTX = (Path(__file__).parent / "driver_580_sm90.ptx").read_bytes()
SOURCE = """float half_of(float v) { return v * 0.5f; }
__kernel void saxpy(__global const float *x, __global float *y, float a) {
    size_t i = get_global_id(0);
    y[i] += a * half_of(x[i]);
}
__kernel void turn(__global int *y, int k) {
    __local int s[100];
    int t[8];
    for (int j = 0; j < 8; j++) t[j] = y[j] * k;
    s[get_local_id(0)] = y[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = s[99 - get_local_id(0)] + t[k & 7];
}
"""


def _listing(first_line: int = 1) -> Listing:
    infos = (
        KernelInfo(KernelSignature("saxpy"), WorkGroupInfo(1024, 32), ("10 registers",)),
        KernelInfo(KernelSignature("turn"), WorkGroupInfo(1024, 32), ("22 registers", "8 B spilled")),
    )
    spec = ProgramSpec(SOURCE, source_map=SourceMap("cell [3]", first_line))
    result = BuildResult(ok=True, spec=spec, kernels=infos)
    extracted = Extracted(PTX, text=SOURCE, options="-nv-line-info")
    return make_listing("ptx", Making(result, "NVIDIA H200", "nvidia", extracted, lambda line: line))


def test_both_entries_are_found_with_their_instructions() -> None:
    saxpy, turn = functions(PTX.decode(), ["saxpy", "turn"])
    assert (saxpy.name, saxpy.kernel, turn.name) == ("saxpy", True, "turn")
    assert saxpy.resources.instructions == sum(line.text.rstrip().endswith(";") for line in saxpy.lines) - 3
    assert saxpy.lines[0].text == ".entry saxpy("
    assert not [line for line in saxpy.lines if ".loc" in line.text]


def test_lines_hold_from_one_loc_to_the_next_and_inlined_code_has_its_own() -> None:
    saxpy = functions(PTX.decode(), ["saxpy"])[0]
    lines = {line.text.split()[0]: line.line for line in saxpy.lines if line.text.strip().endswith(";")}
    assert lines["mul.f32"] == 1  # half_of, inlined
    assert lines["fma.rn.f32"] == 4
    assert lines["ret;"] == 5
    assert lines[".reg"] == 0


def test_k_24_private_and_local_bytes_and_vectors_are_those_declared() -> None:
    turn = functions(PTX.decode(), ["turn"])[0].resources
    assert (turn.private_bytes, turn.local_bytes, turn.vector_bits) == (32, 400, 128)


def test_registers_and_spills_come_from_the_log() -> None:
    resources = _listing().resources
    assert [(one.registers, one.spilled_bytes) for one in resources.values()] == [(10, 0), (22, 8)]


def test_lines_are_those_of_the_cell() -> None:
    listing = _listing(first_line=3)
    fma = next(line for line in listing["saxpy"].lines if "fma" in line.text)
    assert fma.line == 6
    assert "half_of" in listing.source_line(6)
    assert listing.notes == ()


def test_a_call_is_one_instruction_and_names_the_function() -> None:
    text = """.func (.param .b32 r) deep(
\t.param .b32 p
)
;
.entry f(
\t.param .u64 x
)
{
\tcall.uni (retval0),
\tdeep,
\t(
\tparam0
\t);
\tret;
}
"""
    (only,) = functions(text, ["f"])
    assert (only.resources.calls, only.resources.instructions) == (("deep",), 2)
