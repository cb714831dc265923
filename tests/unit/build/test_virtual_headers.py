from __future__ import annotations

import pytest

from cl_magic.build.header_registry import HeaderRegistry
from cl_magic.build.spec import ProgramSpec
from cl_magic.build.virtual_headers import checked_headers, cycle_of, header_name, used_headers, with_places
from cl_magic.errors import SourceError


@pytest.mark.parametrize(
    "name",
    ["", " ", "/a.h", "~/a.h", "../a.h", "a/../b.h", "a\\b.h", "C:/a.h", 'a".h', "a\0.h", "a\n.h", "opencl-c.h", "a/"],
)
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(SourceError):
        header_name(name)


def test_a_name_that_is_a_folder_of_another_is_refused() -> None:
    with pytest.raises(SourceError):
        checked_headers({"a": "", "a/b.h": ""})


def test_nul_in_a_text_names_the_header() -> None:
    with pytest.raises(SourceError) as caught:
        checked_headers({"a.h": "int x;\n\0"})
    assert (caught.value.name, caught.value.line) == ("a.h", 2)


def test_bytes_are_read_as_sources_are() -> None:
    assert checked_headers([("a.h", b"\xef\xbb\xbfint x;\r\n")]) == (("a.h", "int x;\n"),)


def test_lines_stay_where_includes_are_placed() -> None:
    text = '# include <a.h> // one\n  #include "b.h"\n\n#include MACRO\n'
    placed = with_places(text, (("a.h", ""),), "/f")
    assert placed.split("\n") == [
        '# include "/f/a.h> // one'.replace(">", '"'),
        '  #include "b.h"',
        "",
        "#include MACRO",
        "",
    ]


def test_a_macro_uses_all_headers() -> None:
    headers = (("a.h", ""), ("b.h", ""))
    assert used_headers("#include A", headers) == headers
    assert used_headers('#include "a.h"', headers) == headers[:1]


def test_a_circle_with_one_guard_is_none() -> None:
    assert cycle_of((("a.h", '#include "b.h"'), ("b.h", '#ifndef B\n#define B\n#include "a.h"\n#endif'))) == ()
    assert cycle_of((("a.h", '#include "a.h"'),)) == ("a.h", "a.h")


def test_programs_of_other_headers_of_the_same_name_are_left_alone() -> None:
    registry = HeaderRegistry()
    registry.register("a.h", "1", "cell [1]")
    registry.register("a.h", "2", "cell [1]")
    assert registry.newer(ProgramSpec('#include "a.h"', headers=(("a.h", "given in Python"),))) is None


def test_a_header_that_now_includes_another_brings_it() -> None:
    registry = HeaderRegistry()
    registry.register("a.h", "", "cell [1]")
    spec = ProgramSpec('#include "a.h"', headers=registry.used_by('#include "a.h"'))
    registry.register("b.h", "int x;", "cell [2]")
    registry.register("a.h", '#include "b.h"', "cell [1]")
    newer = registry.newer(spec)
    assert newer is not None
    assert [name for name, _ in newer.headers] == ["a.h", "b.h"]
