"""Kernel signatures from the text (R-82, C-67, C-72, C-74)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cl_magic.clc.analysis import Analysis
from cl_magic.clc.frontend import FrontEnd
from cl_magic.clc.signature import KernelSignature, Parameter

Ask = Callable[..., Analysis]


def only_kernel(answer: Analysis) -> KernelSignature:
    (kernel,) = answer.kernels
    return kernel


def only_parameter(analyse: Ask, declaration: str, *options: str, before: str = "") -> Parameter:
    (parameter,) = only_kernel(analyse(f"{before}\nkernel void k({declaration}) {{}}", *options)).parameters
    return parameter


def test_seven_parameters_read_back_as_written_r_82(analyse: Ask) -> None:
    kernel = only_kernel(
        analyse(
            "kernel void k(global const float *restrict a, global volatile int *b, constant float4 *c, local uint *d,\n"
            "              read_only image2d_t e, sampler_t f, const uchar g) {}"
        )
    )
    facts = [(p.name, p.type_name, p.address, p.access, p.qualifiers) for p in kernel.parameters]
    assert facts == [
        ("a", "float*", "global", "none", ("const", "restrict")),
        ("b", "int*", "global", "none", ("volatile",)),
        ("c", "float4*", "constant", "none", ()),
        ("d", "uint*", "local", "none", ()),
        ("e", "image2d_t", "global", "read_only", ()),
        ("f", "sampler_t", "private", "none", ()),
        ("g", "uchar", "private", "none", ()),
    ]


@pytest.mark.parametrize(
    "scalar", ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"]
)
@pytest.mark.parametrize("length", ["", "2", "3", "4", "8", "16"])
def test_every_scalar_and_vector_keeps_its_name(analyse: Ask, scalar: str, length: str) -> None:
    name = f"{scalar}{length}"
    kernel = only_kernel(analyse(f"kernel void k({name} a, global {name} *b) {{}}"))
    assert [p.type_name for p in kernel.parameters] == [name, f"{name}*"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("unsigned int x", "uint"),
        ("unsigned char x", "uchar"),
        ("signed char x", "char"),
        ("long unsigned x", "ulong"),
        ("global unsigned short *x", "ushort*"),
        ("global half *x", "half*"),
        ("global void *x", "void*"),
        ("global float x[4]", "float*"),
        ("global bool *x", "bool*"),
        ("write_only image3d_t x", "image3d_t"),
        ("image1d_buffer_t x", "image1d_buffer_t"),
    ],
)
def test_types_in_the_words_of_opencl(analyse: Ask, written: str, name: str) -> None:
    assert only_parameter(analyse, written).type_name == name


def test_typedefs_are_resolved_and_kept_as_written(analyse: Ask) -> None:
    found = only_parameter(analyse, "__global const real * x", before="typedef float4 real;")
    assert (found.type_name, found.written_type, found.qualifiers) == ("float4*", "__global const real *", ("const",))


def test_a_definition_gives_the_type(analyse: Ask) -> None:
    assert only_parameter(analyse, "global TYPE *x", "-DTYPE=double2").type_name == "double2*"
    assert only_parameter(analyse, "global TYPE *x", "-D", "TYPE=unsigned int").type_name == "uint*"


@pytest.mark.parametrize(
    ("before", "written", "name"),
    [
        ("typedef struct { int a; } Particle;", "global Particle *x", "Particle*"),
        ("struct Particle { int a; };", "global struct Particle *x", "struct Particle*"),
        ("struct Particle { int a; };", "struct Particle x", "struct Particle"),
        ("enum Mode { ON, OFF };", "enum Mode x", "uint"),
        ("enum Mode { ON = -1, OFF };", "enum Mode x", "int"),
        ("union U { int a; float b; };", "global union U *x", "union U*"),
    ],
)
def test_structs_and_enumerations(analyse: Ask, before: str, written: str, name: str) -> None:
    assert only_parameter(analyse, written, before=before).type_name == name


@pytest.mark.parametrize(
    ("written", "access"),
    [("image2d_t x", "read_only"), ("__write_only image2d_t x", "write_only"), ("read_only image2d_t x", "read_only")],
)
def test_access_qualifiers(analyse: Ask, written: str, access: str) -> None:
    assert only_parameter(analyse, written).access == access


def test_read_write_images_of_opencl_c_2(analyse: Ask) -> None:
    assert only_parameter(analyse, "read_write image2d_t x", "-cl-std=CL2.0").access == "read_write"


def test_attributes_with_macros_inside_and_around_c_67_c_72(analyse: Ask) -> None:
    kernel = only_kernel(
        analyse(
            "#define WG 8\n#define REQUIRED __attribute__((reqd_work_group_size(WG, WG * 2, 1)))\n"
            "REQUIRED __attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(1, 2, 3)))\n"
            "kernel void k(void) {}"
        )
    )
    assert kernel.reqd_work_group_size == (8, 16, 1)
    assert kernel.work_group_size_hint == (1, 2, 3)
    assert kernel.vec_type_hint == "float4"


def test_without_attributes_there_are_none_c_74(analyse: Ask) -> None:
    kernel = only_kernel(analyse("kernel void k(void) {}"))
    assert (kernel.reqd_work_group_size, kernel.work_group_size_hint, kernel.vec_type_hint) == (None, None, None)


def test_comment_and_line(analyse: Ask) -> None:
    kernel = only_kernel(analyse("int other;\n\n/* Adds one.\n * To each. */\n__kernel\nvoid add(global int *x) {}"))
    assert kernel.doc == "Adds one.\nTo each."
    assert kernel.line == 6


def test_a_kernel_made_by_a_macro_is_one(analyse: Ask) -> None:
    answer = analyse(
        "#define K(n, T) kernel void n(global T *x) { x[0] = 0; }\nK(a, int)\nK(b, float4)\nint f() { return 1; }"
    )
    assert [(k.name, k.parameters[0].type_name) for k in answer.kernels] == [("a", "int*"), ("b", "float4*")]
    assert answer.functions == ("f",)


def test_a_function_that_is_no_kernel_is_none(analyse: Ask) -> None:
    assert analyse("void kernel_like(global int *kernel_x) {}").kernels == ()


def test_kernels_of_a_text_with_errors_are_read_all_the_same(analyse: Ask) -> None:
    answer = analyse("kernel void a(global int *x) { x[0] = missing; }\nkernel void b(global float *y) { y[0] = 1; }")
    assert [k.name for k in answer.kernels] == ["a", "b"]


def test_virtual_headers_and_folders(front: FrontEnd, tmp_path: Path) -> None:
    (tmp_path / "disk.h").write_text("typedef float4 from_disk;\n")
    answer = front.analyse(
        '#include "deep/real.h"\n#include <disk.h>\nkernel void k(global real *x, from_disk y) {}',
        include_dirs=[str(tmp_path)],
        headers=[("deep/real.h", "typedef double2 real;\n")],
    )
    assert [p.type_name for p in only_kernel(answer).parameters] == ["double2*", "float4"]
    assert answer.includes == ("deep/real.h", f"{tmp_path}/disk.h")
    assert answer.diagnostics == ()


def test_language_version_counts_where_the_options_have_none(front: FrontEnd) -> None:
    source = "#if __OPENCL_C_VERSION__ >= 200\nglobal int n;\n#endif\nkernel void k(global int *x) {}"
    assert front.analyse(source).writable_program_scope == ()
    assert front.analyse(source, language_version="CL2.0").writable_program_scope[0].name == "n"
    assert front.analyse(source, language_version="CL2.0", options=["-cl-std=CL1.2"]).writable_program_scope == ()


@pytest.mark.parametrize("version", ["CL3.1", "CL4.0", "CL2.2", "CL", "3.0", "nonsense"])
def test_a_version_that_libclang_does_not_know_is_no_failure(front: FrontEnd, version: str) -> None:
    assert front.analyse("kernel void k() {}", language_version=version).available


def test_a_newer_driver_may_be_asked_for_its_version(analyse: Ask) -> None:
    answer = analyse("#if __OPENCL_C_VERSION__ != 300\n#error\n#endif\nkernel void k() {}", "-cl-std=CL3.1")
    assert answer.diagnostics == ()


def test_macros_of_the_runtime_are_there_and_no_vendor_extension(analyse: Ask) -> None:
    text = (
        "#if __OPENCL_VERSION__ < 120 || !defined(__IMAGE_SUPPORT__) || defined(cl_intel_subgroups)\n#error\n#endif\n"
        "__kernel_exec(8, float4) void k() {}"
    )
    answer = analyse(text)
    assert answer.diagnostics == ()
    assert answer.kernels[0].work_group_size_hint == (8, 1, 1)


def test_writable_variables_at_program_scope(analyse: Ask) -> None:
    answer = analyse(
        "constant int a = 1;\nglobal int b;\nint c = 2;\nconst sampler_t s = 0;\nkernel void k() {}", "-cl-std=CL2.0"
    )
    assert [(v.name, v.line) for v in answer.writable_program_scope] == [("b", 2), ("c", 3)]


@pytest.mark.parametrize("std", ["CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"])
def test_the_base_header_is_clean_in_every_version(analyse: Ask, std: str) -> None:
    source = (
        "kernel void k(global float *x, global int *n) {\n"
        "  float f; x[0] = sincos(x[1], &f) + f + M_PI_F + FLT_MAX + INFINITY + NAN;\n"
        "  int4 q = as_int4((float4)(1.0f)); n[0] = q.x + INT_MAX + CLK_RGBA; barrier(CLK_LOCAL_MEM_FENCE); }"
    )
    assert analyse(source, f"-cl-std={std}").diagnostics == ()


def test_opencl_c_2_and_3_have_their_functions(analyse: Ask) -> None:
    source = (
        "kernel void k(global atomic_int *a) {\n"
        "  atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_device);\n"
        '  atomic_store(a, work_group_reduce_add(4) + sub_group_reduce_add(1)); printf("%d\\n", 3); }'
    )
    for std in ("CL2.0", "CL3.0"):
        assert analyse(source, f"-cl-std={std}").diagnostics == ()
