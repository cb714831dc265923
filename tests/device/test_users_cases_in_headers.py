"""The situations of users again, with the text in a virtual header, kernels by registered names, and kept builds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.errors import BuildError, SourceError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.session import Session

STORE = "__kernel void f(__global int *a) { a[0] = 4; }\n"
IN_HEADER = '#include "text.h"\n'


def _built(device: DeviceInfo, header: str, **words: Any) -> clm.Program:
    return clm.build(IN_HEADER, headers={"text.h": header}, device=device, **words)


def _value(program: clm.Program, name: str = "f") -> int:
    a = np.zeros(1, np.int32)
    program[name](a, global_size=1)
    return int(a[0])


def test_case_1_warnings_of_a_header_come_with_its_lines_and_again_from_the_session(device: DeviceInfo) -> None:
    text = "\n\n#warning look\n" + STORE
    found = [_built(device, text).result.diagnostics for _ in range(2)]
    assert [(d.file, d.line, d.message) for d in found[0]] == [("text.h", 3, "look")]
    assert found[1] == found[0]


def test_case_3_every_error_of_a_header_is_told_once(device: DeviceInfo) -> None:
    with pytest.raises(BuildError) as caught:
        _built(device, "__kernel void f(__global float *a)\n{\n    a[0] = scale;\n    a[1] = other;\n}\n")
    errors = [d for d in caught.value.result.diagnostics if d.severity == "error"]
    assert [(d.file, d.line, d.column) for d in errors] == [("text.h", 3, 12), ("text.h", 4, 12)]


def test_case_6_a_virtual_header_wins_over_a_folder_with_a_blank(device: DeviceInfo, tmp_path: Path) -> None:
    folder = tmp_path / "my kernels"
    folder.mkdir()
    (folder / "text.h").write_text(STORE.replace("4", "3"))
    options = ["-I", str(folder)]
    assert _value(clm.build(IN_HEADER, device=device, options=options)) == 3
    assert _value(_built(device, STORE, options=options)) == 4


@pytest.mark.parametrize("option", ["-DTBL={4,5,6}", "-DTBL={4, 5, 6}"])
def test_case_7_a_table_reaches_headers_and_templates(device: DeviceInfo, option: str) -> None:
    table = "__constant int T[] = TBL;\n"
    header = table + "__kernel void f(__global int *a) { a[0] = T[2]; }\n"
    assert _value(_built(device, header, options=[option])) == 6
    template = table + "template<int N> kernel void f(global int *a) { a[0] = T[N]; }"
    assert _value(clm.build(template, device=device, options=[option], names=["f<1>"]), "f<1>") == 5


def test_case_11_lines_of_templates_are_the_users(device: DeviceInfo) -> None:
    text = "#define A 1\n\ntemplate<class T>\nkernel void f(global T *a)\n{\n    a[0] = oops;\n}\n"
    with pytest.raises(BuildError) as caught:
        clm.build(text, device=device, names=["f<int>", "f<float>"])
    lines = {(d.file, d.line) for d in caught.value.result.diagnostics if d.severity == "error"}
    assert lines == {("", 6)}


def test_case_13_letters_pass_in_headers_and_what_cannot_pass_is_named(device: DeviceInfo) -> None:
    for text in ("// d\u00e9j\u00e0 vu \u4f60\n" + STORE, "\ufeff" + STORE):
        assert _value(_built(device, text)) == 4
    assert _value(clm.build(IN_HEADER, headers={"text.h": ("// caf\u00e9\n" + STORE).encode("latin-1")})) == 4
    for text in (STORE + "\0garbage", "// \udce9\n" + STORE):
        with pytest.raises(SourceError) as caught:
            _built(device, text)
        assert caught.value.name == "text.h"


def test_case_16_instances_have_names_that_collide_with_nothing(device: DeviceInfo) -> None:
    text = "template<class T> kernel void build(global T *a) { a[0] = sizeof(T); }"
    program = clm.build(text, device=device, names=["build<int>", "build<char>"])
    assert program.kernel_names == ("build__int", "build__char")
    assert _value(program, "build<int>") == 4


def test_case_54_an_edit_of_a_header_that_does_not_build_leaves_no_old_answer(device: DeviceInfo) -> None:
    session = Session(device)
    program = session.build(IN_HEADER, headers={"text.h": STORE})
    assert _value(program) == 4
    with pytest.raises(BuildError):
        session.build(IN_HEADER, headers={"text.h": STORE.replace("4", "missing")})
    assert _value(session.build(IN_HEADER, headers={"text.h": STORE.replace("4", "9")})) == 9
