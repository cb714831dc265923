"""C-59: the memory of a kernel by address space, bytes per work-item and per work-group."""

from __future__ import annotations

from support.markup import read

from cl_magic.build.result import BuildResult, KernelInfo, WorkGroupInfo
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.display.build_report import build_html
from cl_magic.display.build_tables import memory_section
from cl_magic.display.build_text import build_text

KERNEL = KernelInfo(
    KernelSignature(
        "turn",
        (
            Parameter(0, "y", "float*", address="global"),
            Parameter(1, "table", "float*", address="constant"),
            Parameter(2, "tile", "float*", address="local"),
        ),
    ),
    WorkGroupInfo(256, 8, local_mem_bytes=400, private_mem_bytes=24),
)
RESULT = BuildResult(ok=True, spec=ProgramSpec("", ()), kernels=(KERNEL,))


def test_c_59_the_four_regions_are_apart() -> None:
    root = read(memory_section(RESULT))
    rows = [[cell.words() for cell in row.children] for row in root.all("tr")]
    assert rows[0] == ["kernel", "globalarguments", "constantarguments", "localB / group", "privateB / item"]
    assert rows[1] == ["turn", "y", "table", "400 + tile", "24"]
    assert "local up to 400 B a group · private up to 24 B a work-item" in root.words()


def test_c_59_the_report_and_its_text_have_the_bytes() -> None:
    assert "memory of the kernels" in build_html(RESULT)
    assert "private 24 B" in build_text(RESULT)
    assert "local 400 + tile" in build_text(RESULT)


def test_a_program_without_kernels_has_no_such_section() -> None:
    assert memory_section(BuildResult(ok=True, spec=ProgramSpec(""))) == ""
