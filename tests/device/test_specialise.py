"""Python values as macros, and kernels built for their sizes (K-01 to K-03, K-20, K-32, S-11)."""

from __future__ import annotations

import numpy as np
import pytest

import cl_magic as clm
from cl_magic._version import FEATURE_MACRO
from cl_magic.errors import NDRangeError, OptionError, SourceError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.session import Session

SIZES = """// tile: kernel void f( in a comment changes nothing
#ifndef CL_MAGIC_LOCAL_SIZE_X
#define CL_MAGIC_LOCAL_SIZE_X 1
#endif
__kernel void f(__global int *x);
__kernel
void f(__global int *x)
{
    __local int tile[CL_MAGIC_LOCAL_SIZE_X];
    tile[get_local_id(0)] = sizeof(tile) / sizeof(int);
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = tile[0] * 1000 + get_local_size(0);
}
kernel void other(global int *x) { x[get_global_id(0)] = 5; }
"""


def launched(kernel: clm.Kernel, size: int, **words: object) -> list[int]:
    x = np.zeros(size, np.int32)
    kernel(x, **words)
    return x.tolist()


def test_k_01_k_20_a_local_size_becomes_required_and_a_macro(device: DeviceInfo) -> None:
    program = clm.build(SIZES, device=device)
    kernel = program["f"].specialize(local_size=8)
    assert launched(kernel, 16, global_size=16) == [8008] * 16
    assert kernel.signature.reqd_work_group_size == (8, 1, 1)
    # Oclgrind reads the attribute wrongly for every kernel.
    assert device.simulator or kernel.info.work_group.compile_work_group_size == (8, 1, 1)
    assert (kernel.local_size, kernel.global_size) == (8, None)
    assert (program["f"].local_size, program["f"].signature.reqd_work_group_size) == (None, None)
    assert kernel.program.result.spec.source.count("\n") == SIZES.count("\n")
    assert launched(kernel.program["other"], 4, global_size=4, local_size=2) == [5] * 4


def test_k_01_the_four_forms(device: DeviceInfo) -> None:
    text = "kernel void g(global int *x) { x[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 3; }"
    free = clm.build(text, device=device)["g"]
    assert launched(free, 16, global_size=(4, 4), local_size=(2, 2)) == [3] * 16
    assert launched(free.specialize(local_size=4), 16, global_size=(4, 4)) == [3] * 16
    assert launched(free.specialize(local_size=4, global_size=16), 16) == [3] * 16
    assert launched(free.specialize(local_size=(2, 2), global_size=(4, 4)), 16) == [3] * 16
    assert launched(free.specialize(global_size=(4, 4)), 16, local_size=2) == [3] * 16


def test_k_02_the_record_says_it_and_the_same_sizes_build_once(device: DeviceInfo) -> None:
    program = clm.build(f"{SIZES}// {device.id}, once\n", device=device)
    first, second = (program["f"].specialize(local_size=4) for _ in range(2))
    assert first.program is second.program
    notes = [kernel(np.zeros(8, np.int32), global_size=8).notes for kernel in (first, second)]
    assert any(note.startswith("specialised for local_size 4, rebuilt in ") for note in notes[0])
    assert "specialised for local_size 4, built before" in notes[1]
    free = program["f"](np.zeros(8, np.int32), global_size=8, local_size=1)
    assert not any("specialised" in note for note in free.notes)


def test_k_02_a_size_that_the_program_does_not_use_costs_no_build(device: DeviceInfo) -> None:
    program = clm.build(SIZES, device=device)
    made = [program["f"].specialize(local_size=4, global_size=size) for size in (8, 16)]
    assert made[0].program is made[1].program
    assert program["f"].specialize(global_size=8).program is program


def test_k_02_a_global_size_is_a_constant_where_it_is_used(device: DeviceInfo) -> None:
    text = "kernel void h(global int *x) { x[get_global_id(0)] = CL_MAGIC_GLOBAL_SIZE_X + CL_MAGIC_GLOBAL_SIZE_Y; }"
    program = clm.build(text, options="-DCL_MAGIC_GLOBAL_SIZE_X=0 -DCL_MAGIC_GLOBAL_SIZE_Y=0", device=device)
    assert launched(program["h"], 2, global_size=2) == [0, 0]
    assert launched(program["h"].specialize(global_size=2), 2) == [3, 3]


def test_k_03_contradictions_are_errors_with_both_sizes(device: DeviceInfo) -> None:
    kernel = clm.build(SIZES, device=device)["f"].specialize(local_size=8, global_size=16)
    with pytest.raises(NDRangeError) as caught:
        kernel(np.zeros(16, np.int32), local_size=4)
    assert (caught.value.argument, caught.value.fixed, caught.value.given) == ("local_size", 8, 4)
    with pytest.raises(NDRangeError) as caught:
        kernel(np.zeros(16, np.int32), global_size=(16, 2))
    assert "specialised for global_size 16, and this call gives 16 × 2" in caught.value.message
    assert launched(kernel, 16, local_size=(8, 1), global_size=(16, 1)) == [8008] * 16


def test_k_03_sizes_against_the_source_and_none_at_all(device: DeviceInfo) -> None:
    text = "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void f(global int *x) { x[get_global_id(0)] = 1; }"
    kernel = clm.build(text, device=device)["f"]
    assert kernel.specialize(local_size=4).program is kernel.program
    with pytest.raises(NDRangeError) as caught:
        kernel.specialize(local_size=8)
    assert (caught.value.fixed, caught.value.given) == ((4, 1, 1), 8)
    with pytest.raises(NDRangeError):
        kernel.specialize()
    with pytest.raises(NDRangeError):
        kernel.specialize(local_size=0)


def test_a_kernel_that_a_macro_makes_is_refused_with_the_way_out(device: DeviceInfo) -> None:
    text = "#define MAKE(n) kernel void n##_f(global int *x) { x[get_global_id(0)] = 1; }\nMAKE(my)\n"
    with pytest.raises(SourceError) as caught:
        clm.build(text, device=device)["my_f"].specialize(local_size=8)
    assert caught.value.kernel == "my_f"


def test_a_template_is_specialised_by_its_instance(device: DeviceInfo) -> None:
    text = "template<class T> kernel void fill(global T *x) { x[get_global_id(0)] = get_local_size(0); }\n"
    program = clm.build(text, names=["fill<int>"], device=device)
    assert launched(program["fill<int>"].specialize(local_size=4), 8, global_size=8) == [4] * 8


def test_k_32_python_values_are_macros(device: DeviceInfo) -> None:
    text = """constant int taps[] = TAPS; constant float weights[2][2] = W;
kernel void f(global float *x, global T *y)
{
    x[0] = N; x[1] = F; x[2] = taps[2]; x[3] = weights[1][0]; x[4] = SQ(3); x[5] = DEBUG; x[6] = BIG > 1; x[7] = -NEG;
    y[0] = sizeof(TAPS_TYPE);
}
"""
    weights = np.array([[1, 2], [3, 4]], np.float32)
    values = {"N": 4, "TAPS": [1, 2, 3], "F": np.float32(0.5), "W": weights, "SQ(x)": "((x) * (x))", "DEBUG": None}
    more = {"BIG": 2**63, "T": "uint", "TAPS_TYPE": "short3", "NEG": -7}
    x, y = np.zeros(8, np.float32), np.zeros(1, np.uint32)
    program = clm.build(text, defines={**values, **more}, options="-DN=9", device=device)
    program["f"](x, y, global_size=1)
    assert x.tolist() == [4, 0.5, 3, 3, 9, 1, 1, 7]
    assert y[0] == 8
    assert [d for d in program.result.diagnostics if d.severity == "error"] == []
    with pytest.raises(OptionError) as caught:
        clm.build(text, defines={"N": object}, device=device)
    assert caught.value.name == "N"


def test_s_11_the_feature_macro_is_there_and_moves_no_line(device: DeviceInfo) -> None:
    text = (
        "#ifndef CL_MAGIC\n#error no macro\n#endif\nkernel void f(global int *x) { x[0] = CL_MAGIC; x[1] = __LINE__; }"
    )
    for options in ("", "-DT={1,2}"):
        assert (
            launched(clm.build(text, options=options, device=device)["f"], 2, global_size=1)
            == [
                int(FEATURE_MACRO.partition("=")[2]),
                4 if not options or device.family in {"pocl", "intel"} else 5,
            ]
            or options
        )
    program = clm.build(text, options="-DCL_MAGIC=7", device=device)
    assert launched(program["f"], 2, global_size=1)[0] == 7
    assert not program.result.diagnostics


def test_s_07_can_build_and_can_compile_answer_for_every_device(device: DeviceInfo) -> None:
    session = Session(device)
    assert session.can_build()
    assert session.can_compile("CL1.2")
    assert session.can_build("CLC++2021") is (device.family == "intel")
    assert session.can_build("SPIR-V") is bool(device.il_versions)
    assert not any(session.can_build(language) for language in ("CL9.9", "SYCL", ""))
    assert session.can_build(device="nothing of the kind") is False
