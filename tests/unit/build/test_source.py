"""Source text and the lines of the cell (case 11, case 13; issue 2: UTF-8, CRLF, tabs, blank line and indent above)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cl_magic.build.characters import foreign_characters
from cl_magic.build.lexical import blank_comments, source_lines, token_end
from cl_magic.build.source import MAX_SOURCE_BYTES, prepare_source
from cl_magic.build.source_map import SourceMap
from cl_magic.errors import SourceError

KERNEL = "__kernel void f(__global int *a){ a[0] = 4; }"


@pytest.mark.parametrize("text", ["", KERNEL, "// déjà vu — 你好\n" + KERNEL, "a\tb\n", "int été;", "a\x0cb\u2028c\n"])
def test_good_text_is_kept(text: str) -> None:
    assert prepare_source(text) == (text, ())
    assert prepare_source(text.encode()) == (text, ())


def test_byte_order_mark() -> None:
    assert prepare_source("\ufeff" + KERNEL)[0] == KERNEL
    assert prepare_source(b"\xef\xbb\xbf" + KERNEL.encode())[0] == KERNEL
    assert prepare_source("a\ufeffb")[0] == "a\ufeffb"


def test_line_ends() -> None:
    assert prepare_source("a\r\nb\rc\nd\r\n\r\n")[0] == "a\nb\nc\nd\n\n"


def test_latin_1_bytes_are_read_and_it_is_said() -> None:
    text, notes = prepare_source("// one\n// café\n".encode("latin-1"))
    assert text == "// one\n// café\n"
    assert "line 2" in notes[0]
    assert "0xE9" in notes[0]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a\0", 1, 2), (KERNEL + "\n\n  \0garbage", 3, 3), ("// \udce9\n", 1, 4), ("é\r\nxx\ud800\0", 2, 3)],
)
def test_characters_that_no_compiler_takes(text: str, line: int, column: int) -> None:
    with pytest.raises(SourceError) as caught:
        prepare_source(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.remedy


def test_a_character_that_no_compiler_takes_is_on_the_line_of_the_cell() -> None:
    with pytest.raises(SourceError) as caught:
        prepare_source("int a;\nint \0b;", SourceMap("cell [3]", first_line=2, indent=4))
    assert (caught.value.line, caught.value.column) == (3, 9)


def test_a_nul_in_bytes() -> None:
    with pytest.raises(SourceError) as caught:
        prepare_source(b"int a;\n\0")
    assert caught.value.line == 2


@pytest.mark.parametrize("given_one", ["x" * (MAX_SOURCE_BYTES + 1), b"x" * (MAX_SOURCE_BYTES + 1), "é" * 8_000_001])
def test_too_large(given_one: str | bytes) -> None:
    with pytest.raises(SourceError) as caught:
        prepare_source(given_one)
    assert caught.value.size_bytes > caught.value.limit_bytes


@settings(deadline=None)
@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0", exclude_categories=["Cs"])), min_size=1),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_line_ends_never_change_the_count_of_lines(lines: list[str], end: str) -> None:
    text = "// x" + end + end.join(lines)
    assert source_lines(prepare_source(text)[0]) == ["// x", *lines]


def test_comments_are_blanked_and_nothing_moves() -> None:
    source = 'a /* x\ny */ b // c \\\n d\n"// no" e\n/* open'
    blanked = blank_comments(source)
    assert [len(line) for line in blanked.split("\n")] == [len(line) for line in source.split("\n")]
    assert blanked.split() == ["a", "b", '"//', 'no"', "e"]


@settings(deadline=None)
@given(st.text(alphabet="ab/*\"'\\\n #", max_size=40))
def test_blanking_keeps_every_line_length(source: str) -> None:
    for literals in (False, True):
        blanked = blank_comments(source, literals=literals)
        assert [len(line) for line in blanked.split("\n")] == [len(line) for line in source.split("\n")]


@pytest.mark.parametrize(
    ("text", "column", "end"), [("abc", 2, 4), ("abc", 4, 0), ('"a b" c', 1, 6), ("<k/h.h>", 1, 8)]
)
def test_token_end(text: str, column: int, end: int) -> None:
    assert token_end(text, column) == end


def test_foreign_characters_are_named_with_their_column() -> None:
    """Case 13: U+00A0 and U+2212; comments, literals and letters of any language are left alone."""
    source = '// — “x”\nint été = 4;\na[0]\u00a0= 4 \u2212 1; s = "—";\n'
    space, minus = foreign_characters(source, SourceMap(first_line=2, indent=2))
    assert (space.line, space.column, space.end_column) == (4, 7, 8)
    assert space.message.startswith("U+00A0 NO-BREAK SPACE")
    assert space.fixits[0].text == " "
    assert minus.message.startswith("U+2212 MINUS SIGN")
    assert minus.fixits[0].text == "-"
    assert minus.origin == "cl_magic"


def test_a_character_without_substitute_is_to_be_removed() -> None:
    [found] = foreign_characters("int a;\u200b")
    assert found.fixits[0].text == ""
    assert foreign_characters("int a; \u00a0"[:-1]) == ()


@pytest.mark.parametrize("order", ["little", "big"])
def test_utf_16_with_a_byte_order_mark(order: str) -> None:
    data = ("\ufeff// é\n" + KERNEL).encode("utf-16-le" if order == "little" else "utf-16-be")
    assert prepare_source(data) == ("// é\n" + KERNEL, ("the text was read as UTF-16",))
