"""The report of a listing: resources first, then code beside its source lines (K-24, K-67, C-79)."""

from __future__ import annotations

from support.markup import read

from cl_magic.build.source_map import SourceMap
from cl_magic.display.listing_report import listing_html, listing_text
from cl_magic.reflect.listing import CodeLine, FunctionCode, Listing, Resources

SOURCE = "kernel void f(global float *x) {\n    x[0] = 1 < 2;\n}"
CODE = FunctionCode(
    "f",
    "_pocl_kernel_f",
    kernel=True,
    lines=(CodeLine("mov eax, 1", 3, address=0), CodeLine("ret", 4, address=5), CodeLine("<script>")),
    resources=Resources(instructions=1200, vector_bits=0, stack_bytes=16, calls=("a", "b", "c", "d", "e")),
)
HELPER = FunctionCode("memcpy", "memcpy", kernel=False, lines=(CodeLine("ret"),))
LISTING = Listing(
    "asm", "PoCL cpu", (CODE, HELPER), SOURCE, SourceMap("cell [3]", 2), notes=("PoCL's code for any local size",)
)


def test_the_first_line_and_the_sections_say_the_numbers() -> None:
    root = read(listing_html(LISTING))
    line = root.all("details", "line")[0]
    summary = line.children[0].words()
    assert summary.startswith("machine code · 1 kernel · 1\u202f200 instructions · with source lines · cell [3]")
    titles = [section.all("b")[0].words() for section in root.all("details", "sec")]
    assert titles == ["Resources", "f", "memcpy"]
    assert ["open" in section.attributes for section in root.all("details", "sec")] == [True, True, False]


def test_code_stands_beside_its_source_and_is_escaped() -> None:
    html = listing_html(LISTING)
    assert "<script>" not in html
    root = read(html)
    table = root.all("table", "lst")[0]
    rows = [[cell.words() for cell in row.children] for row in table.all("tr")]
    assert rows[0] == ["line", "source", "code"]
    assert rows[1][:2] == ["3", "x[0] = 1 < 2;"]
    assert "mov eax, 1" in rows[1][2]
    assert rows[3][:2] == ["", ""]


def test_c_79_a_kernel_without_vectors_is_called_scalar() -> None:
    text = listing_text(LISTING)
    assert "scalar" in text
    assert "# line 3: x[0] = 1 < 2;" in text
    assert all(len(row) <= 100 for row in text.split("\n"))


def test_long_code_is_cut_in_text_and_says_how_to_see_all() -> None:
    long = FunctionCode("f", "f", kernel=True, lines=tuple(CodeLine(f"add r{i}, " + "r" * 200) for i in range(3000)))
    listing = Listing("asm", "PoCL cpu", (long,), SOURCE)
    rows = listing_text(listing).split("\n")
    assert rows[-1].strip() == "(2 960 more lines: print(listing['f'].text))"
    assert max(map(len, rows)) <= 100
    assert "1\u202f000 more lines" in listing_html(listing)


def test_bytes_and_source_have_a_report_too() -> None:
    binary = Listing("binary", "PoCL cpu", data=b"poclbin", whole="00000000  70", source_map=SourceMap("cell [3]"))
    assert listing_text(binary).split("\n")[0] == "binary · 7 B · cell [3] · PoCL cpu"
    assert "00000000  70" in listing_html(binary)
    source = Listing("source", "PoCL cpu", (FunctionCode("source", "", kernel=False, lines=(CodeLine("x", 1),)),))
    assert "OpenCL C" in listing_html(source)
