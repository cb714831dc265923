"""R-61, R-71, R-75, R-79, R-80, R-82, S-10, cases 1 and 3: builds and what they tell."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.launches import SAXPY, plan, request

from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.commands import Build, Launch
from cl_magic.engine.inline import InlineEngine
from cl_magic.errors import EngineError, KernelNotFoundError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.compiler import Compiler
from cl_magic.runtime.context import Contexts

BROKEN = "__kernel void broken(__global float *a)\n{\n    int i = get_global_id(0);\n    a[i] = scale * 2.0f;\n}\n"
TWO = "__kernel void second(int n) {}\n__kernel void first(__global int *p) { p[0] = 1; }\n"
SEVEN = """__kernel __attribute__((reqd_work_group_size(8, 2, 1)))
void seven(__global float *restrict a, __global const int *b, __constant float4 *c, __local uint *d,
           float e, __global volatile int *f, __read_only image2d_t g) {}
"""


def test_a_build_tells_its_kernels(inline: InlineEngine, each_device: DeviceInfo) -> None:
    result = inline.submit(Build(SAXPY, each_device.local_id)).result()
    assert result.ok
    assert result.status == ""
    assert result.device_id == each_device.id
    assert result.duration_ns > 0 or result.from_cache
    signature = result.kernel("saxpy").signature
    assert [p.declaration for p in signature.parameters] == [
        "global float *restrict y",
        "global const float *x",
        "float a",
        "int n",
    ]
    assert signature.origin == "device"
    work_group = result.kernel("saxpy").work_group
    assert 1 <= work_group.preferred_multiple <= work_group.max_work_group_size


def test_seven_parameters_read_back_as_written(inline: InlineEngine, each_device: DeviceInfo) -> None:
    result = inline.submit(Build(ProgramSpec(SEVEN), each_device.local_id)).result()
    parameters = result.kernel("seven").signature.parameters
    assert [p.address for p in parameters][:6] == ["global", "global", "constant", "local", "private", "global"]
    assert parameters[6].access == "read_only"
    assert parameters[0].qualifiers == ("restrict",)
    assert "const" in parameters[1].qualifiers
    assert "volatile" in parameters[5].qualifiers
    assert [p.name for p in parameters] == list("abcdefg")
    assert parameters[2].type_name == "float4*"
    if each_device.family != "oclgrind":  # it loses the attribute
        assert result.kernel("seven").signature.reqd_work_group_size == (8, 2, 1)


def test_the_language_version_is_the_one_used(inline: InlineEngine, each_device: DeviceInfo) -> None:
    expected = {"pocl": "OpenCL C 3.0", "intel": "OpenCL C 1.2", "oclgrind": "OpenCL C 1.2"}
    plain = inline.submit(Build(SAXPY, each_device.local_id)).result()
    assert plain.language_version == expected.get(each_device.family, plain.language_version)
    older = ProgramSpec(SAXPY.source, options=("-cl-std=CL1.1",))
    assert inline.submit(Build(older, each_device.local_id)).result().language_version == "OpenCL C 1.1"


def test_a_failure_is_a_result_with_the_position(inline: InlineEngine, each_device: DeviceInfo) -> None:
    spec = ProgramSpec(BROKEN, source_map=SourceMap(first_line=3, indent=0))
    result = inline.submit(Build(spec, each_device.local_id)).result()
    assert not result.ok
    assert result.status == "BUILD_PROGRAM_FAILURE"
    assert "scale" in result.log
    errors = [d for d in result.diagnostics if d.severity == "error"]
    assert (errors[0].line, errors[0].column) == (6, 12)
    assert not result.kernels


def test_nothing_is_kept_of_a_failure(each_device: DeviceInfo) -> None:
    compiler, where = Compiler(), Contexts().of(each_device.local_id)
    spec = ProgramSpec(BROKEN)
    assert not compiler.build(spec, where).ok
    assert not compiler.has(spec.digest, where)
    with pytest.raises(EngineError) as caught:
        compiler.built(spec.digest, where)
    assert caught.value.program == spec.digest


def test_a_successful_build_keeps_its_log(inline: InlineEngine, each_device: DeviceInfo) -> None:
    source = "__kernel void tint(__global uchar *px)\n{\n#warning look here\n    px[0] = 1;\n}\n"
    result = inline.submit(Build(ProgramSpec(source), each_device.local_id)).result()
    assert result.ok
    assert [d.line for d in result.diagnostics if d.severity == "warning"] == [3]


def test_the_same_text_is_built_once_and_positions_follow_the_cell(each_device: DeviceInfo) -> None:
    compiler, where = Compiler(), Contexts().of(each_device.local_id)
    # a text of its own: NVIDIA keeps programs on disk, and has no log for one it knows
    source = "__kernel void tint(__global uchar *px)\n{\n#warning look there\n    px[0] = 2;\n}\n"
    first = compiler.build(ProgramSpec(source), where)
    again = compiler.build(ProgramSpec(source, source_map=SourceMap(first_line=11)), where)
    assert not first.from_cache
    assert again.from_cache
    assert again.diagnostics[0].line == first.diagnostics[0].line + 10


def test_kernels_stand_in_the_order_of_the_source(inline: InlineEngine, each_device: DeviceInfo) -> None:
    result = inline.submit(Build(ProgramSpec(TWO), each_device.local_id)).result()
    assert [kernel.name for kernel in result.kernels] == ["second", "first"]


def test_an_unknown_kernel_lists_the_known_ones(inline: InlineEngine, each_device: DeviceInfo) -> None:
    spec = ProgramSpec(TWO)
    inline.submit(Build(spec, each_device.local_id)).result()
    ticket = inline.submit(Launch(request(spec, "third", plan((1,))), each_device.local_id))
    with pytest.raises(KernelNotFoundError) as caught:
        ticket.result()
    assert caught.value.known == ("second", "first")


def test_options_headers_and_folders_reach_the_compiler(
    inline: InlineEngine, each_device: DeviceInfo, tmp_path: Path
) -> None:
    folder = tmp_path / "my headers"
    folder.mkdir()
    (folder / "k.h").write_text("#define K 5\n")
    spec = ProgramSpec(
        '#include "k.h"\n#include "v/w.h"\n__constant int t[] = TBL;\n'
        "__kernel void f(__global int *p) { p[0] = K + W + N + t[1] + oops; }\n",
        options=("-DTBL={4, 5}", "-DN=4"),
        include_dirs=(str(folder),),
        headers=(("v/w.h", "#define W 6\n"),),
    )
    result = inline.submit(Build(spec, each_device.local_id)).result()
    errors = [d for d in result.diagnostics if d.severity == "error"]
    assert [(d.line, "oops" in d.message) for d in errors] == [(4, True)]
    assert result.notes


def test_an_option_nobody_knows_is_a_failed_build(inline: InlineEngine) -> None:
    devices = [device for device in inline.devices() if device.family == "pocl"]
    if not devices:
        pytest.skip("PoCL is not installed")
    result = inline.submit(Build(ProgramSpec(SAXPY.source, options=("-nonsense",)), devices[0].local_id)).result()
    assert not result.ok
    assert result.status in {"INVALID_BUILD_OPTIONS", "BUILD_PROGRAM_FAILURE"}
