"""Virtual headers on every device: found first, nested, in folders; errors in them; what is missing or endless."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.errors import BuildError, SourceError
from cl_magic.launch.limits import DeviceInfo

SOURCE = '#include "v.h"\nkernel void put(global int *x) { x[0] = V; }'


def value(device: DeviceInfo, options: str = "", headers: dict[str, str] | None = None, source: str = SOURCE) -> int:
    x = np.zeros(1, dtype=np.int32)
    clm.build(source, device=device, options=options, headers=headers or {}).put(x, global_size=1)
    return int(x[0])


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, str]:
    for name, number in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "v.h").write_text(f"#define V {number}\n")
    return str(tmp_path / "one"), str(tmp_path / "two")


def test_s_17_a_virtual_header_comes_before_the_folders_in_their_order(
    device: DeviceInfo, folders: tuple[str, str]
) -> None:
    one, two = folders
    assert value(device, f"-I{one} -I{two}", {"v.h": "#define V 9\n"}) == 9
    assert value(device, f"-I{one} -I{two}") == 1
    assert value(device, f"-I{two} -I{one}") == 2


def test_s_17_a_virtual_header_comes_before_the_current_folder() -> None:
    here = Path("v_of_this_folder.h")
    assert not here.exists()
    source = SOURCE.replace("v.h", here.name)
    try:
        here.write_text("#define V 3\n")
        for device in clm.devices():
            assert value(device, source=source) == 3
            assert value(device, headers={here.name: "#define V 9"}, source=source) == 9
            assert clm.build(source, device=device).result.diagnostics == ()
    finally:
        here.unlink()


def test_s_16_headers_include_each_other_from_folders_of_their_own(device: DeviceInfo) -> None:
    headers = {"v.h": "#include <math/a.h>\n", "math/a.h": '#include "b.h"\n', "math/b.h": "#define V 11\n"}
    assert value(device, headers=headers) == 11
    assert value(device, headers={**headers, "math/b.h": "#define V 12\n"}) == 12


def test_r_57_a_header_named_by_a_macro_is_found_too(device: DeviceInfo) -> None:
    source = SOURCE.replace('"v.h"', "WHICH")
    assert value(device, headers={"v.h": "#define V 7"}, source='#define WHICH "v.h"\n' + source) == 7


def test_errors_in_a_header_have_its_name_and_line(device: DeviceInfo) -> None:
    with pytest.raises(BuildError) as caught:
        value(device, headers={"v.h": "#define V 1\n\nint f(int x) { return missing; }\n"})
    first = next(d for d in caught.value.result.diagnostics if d.severity == "error")
    assert (first.file, first.line, first.column) == ("v.h", 3, 23)
    assert "cl_magic-" not in caught.value.result.log


def test_s_20_a_missing_header_is_told_with_every_place_searched(device: DeviceInfo, folders: tuple[str, str]) -> None:
    with pytest.raises(BuildError) as caught:
        value(device, f"-I{folders[0]}", {"common.h": ""}, SOURCE.replace("v.h", "comon.h"))
    notes = [note.message for d in caught.value.result.diagnostics for note in d.notes]
    searched = next(note for note in notes if note.startswith("searched: "))
    assert all(place in searched for place in ("common.h", str(Path.cwd()), folders[0]))
    assert "did you mean 'common.h'?" in notes


def test_s_20_headers_without_guard_that_include_each_other_are_named(device: DeviceInfo) -> None:
    with pytest.raises(BuildError) as caught:
        value(device, headers={"v.h": '#include "w.h"\n', "w.h": '#include "v.h"\n'})
    notes = [note.message for d in caught.value.result.diagnostics for note in d.notes]
    assert any(note.startswith("v.h → w.h → v.h: ") for note in notes)
    assert len(notes) < 10
    assert value(device, headers={"v.h": '#pragma once\n#include "v.h"\n#define V 4\n'}) == 4


def test_s_21_content_and_order_of_headers_make_another_program() -> None:
    headers = [("v.h", "#define V 1"), ("w.h", "")]
    digests = {
        clm.build(SOURCE, headers=given).result.spec.digest
        for given in (headers, headers[::-1], [("v.h", "#define V 2"), ("w.h", "")])
    }
    assert len(digests) == 3


def test_s_16_the_same_name_twice_is_refused() -> None:
    with pytest.raises(SourceError) as caught:
        clm.build(SOURCE, headers=[("v.h", ""), ("./v.h", "")])
    assert caught.value.name == "./v.h"


def test_a_deep_chain_of_headers_is_found(device: DeviceInfo) -> None:
    deep = {f"h{i}.h": f'#include "h{i + 1}.h"\n' for i in range(100)} | {"h100.h": "#define V 5\n"}
    assert value(device, headers=deep, source=SOURCE.replace("v.h", "h0.h")) == 5


@pytest.mark.parametrize("written", ["a//v.h", "a/./v.h", "./a/v.h", "b/../a/v.h"])
def test_s_16_other_spellings_of_a_name_are_seen_by_the_front_end_too(device: DeviceInfo, written: str) -> None:
    headers = {"a/v.h": '#include "../w.h"\n', "w.h": "#define V 8\n"}
    source = SOURCE.replace("v.h", written)
    assert value(device, headers=headers, source=source) == 8
    assert clm.build(source, device=device, headers=headers).result.diagnostics == ()


def test_a_statement_that_the_front_end_cannot_read_rules_out_no_direction(device: DeviceInfo) -> None:
    source = '#define WHICH "a//v.h"\n#include WHICH\nkernel void put(global int *x) { x[0] = V; }'
    program = clm.build(source, device=device, headers={"a/v.h": "#define V 6\n"})
    assert program.put.signature.parameters[0].writes is not False
    assert value(device, headers={"a/v.h": "#define V 6\n"}, source=source) == 6


def test_a_character_that_is_not_opencl_c_is_named_in_a_header_too(device: DeviceInfo) -> None:
    with pytest.raises(BuildError) as caught:
        value(device, headers={"v.h": "#define V 1\nconstant int a = 4 \u2212 1;\n"})
    named = [d for d in caught.value.result.diagnostics if d.message.startswith("U+2212")]
    assert [(d.file, d.line, d.column) for d in named] == [("v.h", 2, 20)]


@pytest.mark.parametrize(("name", "text"), [(".", ""), ("x" * 300, ""), ("v.h", 5)])
def test_names_and_texts_that_are_none_are_refused(name: str, text: object) -> None:
    with pytest.raises(SourceError):
        clm.build(SOURCE, headers={name: text})  # type: ignore[dict-item]  # what is refused here


def test_s_20_an_include_that_is_too_long_for_a_file_fails_in_the_compiler(device: DeviceInfo) -> None:
    with pytest.raises(BuildError):
        value(device, source=SOURCE.replace("v.h", "x" * 300))
