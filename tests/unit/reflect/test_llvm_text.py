"""LLVM's text: functions, lines of the source, what a kernel takes (K-24, K-67)."""

from __future__ import annotations

import pytest

from cl_magic.reflect.llvm_text import functions, type_bytes

MODULE = """target triple = "spir64-unknown-unknown"
%struct.P = type { i8, <3 x float>, [2 x i16] }
@turn.s = internal unnamed_addr addrspace(3) global [100 x i32] undef, align 4, !dbg !1
@turn.table = internal constant [100 x i32] zeroinitializer
@flat.t = internal unnamed_addr global [8 x float] undef, align 16

; Function Attrs: convergent
define dso_local spir_kernel void @turn(ptr addrspace(1) %y, i32 %k) local_unnamed_addr #0 !dbg !10 !kernel_arg !43 {
entry:
  %t = alloca [8 x i32], align 16
  %p = alloca %struct.P, align 16
  call void @llvm.lifetime.start.p0(ptr %t), !dbg !20
  %call = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !20
  %v = load <8 x i32>, ptr %t, align 32, !dbg !21, !tbaa !56
  store i32 0, ptr addrspace(3) @turn.s, align 4, !dbg !22
  ret void, !dbg !23
}

define void @flat(ptr %y) {
  store float 0.0, ptr @flat.t
  ret void
}

define spir_kernel void @late(ptr %y) {
  tail call void @__clang_ocl_kern_imp_late(ptr %y)
  ret void
}

define void @__clang_ocl_kern_imp_late(ptr %y) {
  %x = alloca double, align 8
  ret void
}

define float @half_of(float %v) !dbg !11 {
  ret float %v, !dbg !24
}

!9 = !DIFile(filename: "/tmp/tempfile_kUL0sJ.cl", directory: "")
!8 = !DIFile(filename: "noise.h", directory: "/home/user")
!10 = distinct !DISubprogram(name: "turn", scope: !9, file: !9, line: 6, type: !13)
!11 = distinct !DISubprogram(name: "half_of", scope: !8, file: !8, line: 1, type: !13)
!12 = distinct !DILexicalBlock(scope: !10, file: !9, line: 7, column: 3)
!20 = !DILocation(line: 8, column: 5, scope: !10)
!21 = !DILocation(line: 9, column: 5, scope: !12)
!22 = !DILocation(line: 1, column: 5, scope: !11, inlinedAt: !21)
!23 = !DILocation(line: 0, scope: !10)
!24 = !DILocation(line: 1, column: 1, scope: !11)
"""


def test_kernels_come_first_in_the_order_of_the_source() -> None:
    found = functions(MODULE, ["late", "turn", "flat"])
    assert [(one.name, one.kernel) for one in found] == [
        ("late", True), ("turn", True), ("flat", True), ("half_of", False),
    ]  # fmt: skip


def test_every_instruction_has_the_line_and_the_file_of_its_location() -> None:
    turn = functions(MODULE, ["turn"])[0]
    places = {line.text.split(" ")[2]: (line.line, line.file) for line in turn.lines if line.line}
    assert places == {"call": (8, ""), "%call": (8, ""), "%v": (9, ""), "store": (1, "noise.h")}
    assert not [line.text for line in turn.lines if "!" in line.text]


def test_k_24_private_arrays_are_counted_in_bytes() -> None:
    turn = functions(MODULE, ["turn"])[0].resources
    assert turn.private_bytes == 8 * 4 + 48  # i8, padding to 16, <3 x float> of 16, 4 bytes, padding
    assert (turn.instructions, turn.vector_bits) == (6, 256)
    assert turn.calls == ("_Z13get_global_idj",)


def test_c_59_local_memory_is_what_the_kernel_declares_and_uses() -> None:
    found = {one.name: one.resources.local_bytes for one in functions(MODULE, ["turn", "flat"])}
    assert found["turn"] == 400
    assert found["flat"] == 32  # one address space only, as PoCL's code for processors has


def test_a_kernel_that_calls_its_own_implementation_is_that() -> None:
    late = next(one for one in functions(MODULE, ["late"]) if one.kernel)
    assert (late.symbol, late.resources.private_bytes) == ("__clang_ocl_kern_imp_late", 8)


@pytest.mark.parametrize(
    ("written", "size"),
    [
        ("i1", 1), ("i24", 4), ("half", 2), ("ptr addrspace(3)", 8), ("float*", 8), ("<{ i8, i32 }>", 5),
        ("{ i8, i32 }", 8), ("[3 x { i8, i64 }]", 48), ("%absent", 0), ("opaque nonsense", 0), ("", 0),
    ],
)  # fmt: skip
def test_types_have_the_sizes_of_the_device(written: str, size: int) -> None:
    assert type_bytes(written) == size


def test_a_text_that_is_no_module_has_no_functions() -> None:
    assert functions("", ["f"]) == ()
    assert functions("define broken\n", ["f"])[0].kernel is False
