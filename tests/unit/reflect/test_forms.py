"""From the compiler's lines to the user's; what cannot be had; the folder with every form (K-67, K-69)."""

from __future__ import annotations

from pathlib import Path

import pytest

from cl_magic.build.result import BuildResult
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.errors import ListingUnavailableError
from cl_magic.reflect.annotation import annotated, stretches
from cl_magic.reflect.folder import DumpedFile, write_folder
from cl_magic.reflect.forms import Making, debug_options, make_listing
from cl_magic.reflect.listing import CodeLine, Extracted, FunctionCode, Listing

SPEC = ProgramSpec("kernel void f() {\n}", source_map=SourceMap("cell [3]", first_line=2))


def _making(extracted: Extracted) -> Making:
    return Making(BuildResult(ok=True, spec=SPEC), "PoCL cpu", "pocl", extracted, lambda line: line if line <= 2 else 0)


def test_the_source_is_what_the_compiler_got_with_the_lines_of_the_cell() -> None:
    listing = make_listing("source", _making(Extracted(b"", text="#define N 4\n" + SPEC.source, prelude_lines=1)))
    assert listing.text.startswith("#define N 4\n")
    assert [line.line for line in listing.functions[0].lines] == [0, 2, 3]
    assert listing.source_line(3) == "}"
    assert listing.source_line(99) == ""


@pytest.mark.parametrize("kind", ["asm", "ptx", "spirv", "llvm"])
def test_what_a_device_does_not_give_names_what_it_gives(kind: str) -> None:
    with pytest.raises(ListingUnavailableError) as caught:
        make_listing(kind, _making(Extracted(b"unknown bytes")))
    assert caught.value.possible == ("source", "binary")
    assert caught.value.kind == kind


def test_bytes_are_shown_as_bytes_and_kept_whole() -> None:
    listing = make_listing("binary", _making(Extracted(bytes(range(256)) * 20)))
    assert len(listing.data) == 5120
    assert listing.text.startswith("00000000  00 01 02")
    assert listing.text.endswith("… 1024 more bytes")


def test_spirv_is_there_where_the_program_was_made_from_it() -> None:
    assert make_listing("spirv", _making(Extracted(b"", il=b"\x03\x02#\x07"))).data == b"\x03\x02#\x07"


@pytest.mark.parametrize(
    ("family", "kind", "options"),
    [
        ("pocl", "asm", (("-g",), ("-g", "-cl-opt-disable"))),
        ("pocl", "llvm", (("-g", "-cl-opt-disable"),)),
        ("intel", "asm", (("-g",),)),
        ("nvidia", "ptx", (("-nv-line-info",),)),
        ("oclgrind", "llvm", ((),)),
        ("pocl", "source", ((),)),
    ],
)
def test_each_compiler_has_its_own_options_for_lines(
    family: str, kind: str, options: tuple[tuple[str, ...], ...]
) -> None:
    assert debug_options(family, kind) == options


def test_code_stands_under_its_source_line_and_headers_are_named() -> None:
    lines = (
        CodeLine("push", 2, address=0),
        CodeLine("add", 2, address=1),
        CodeLine("mul", 7, "n.h"),
        CodeLine("ret", 3),
    )
    code = FunctionCode("f", "f", kernel=True, lines=lines)
    listing = Listing("asm", "PoCL cpu", (code,), SPEC.source, SPEC.source_map)
    assert [(one.line, one.file, len(one.code)) for one in stretches(code, listing)] == [
        (2, "", 2), (7, "n.h", 1), (3, "", 1),
    ]  # fmt: skip
    rows = annotated(code, listing).split("\n")
    assert rows[0] == "# line 2: kernel void f() {"
    assert rows[3] == "# n.h line 7"


def test_k_69_a_folder_says_what_is_there_and_what_is_missing(tmp_path: Path) -> None:
    files = [DumpedFile("../a b.ll", b"ret void", "LLVM IR")]
    folder = write_folder(tmp_path / "new" / "place", files, [("ptx", "not NVIDIA's")], ["cell [3]"], ["asm: no lines"])
    assert sorted(path.name for path in folder.iterdir()) == [".._a_b.ll", "index.txt"]
    index = (folder / "index.txt").read_text()
    assert "cell [3]" in index
    assert "ptx: not NVIDIA's" in index
    assert "asm: no lines" in index


def test_a_listing_in_a_plain_session_is_one_line() -> None:
    listing = make_listing("source", _making(Extracted(b"", text=SPEC.source)))
    assert repr(listing) == "<OpenCL C of cell [3] on PoCL cpu: 2 lines>"
    assert repr(listing.functions[0]) == "<code of source: 2 lines>"
