"""Cells checked while they are typed, by the real front end: what is found, and what hostile texts cannot do."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cl_magic.build.options import parse_options
from cl_magic.build.source_map import SourceMap
from cl_magic.clc.frontend import FrontEnd
from cl_magic.language.checking import CellText, Checked, check
from cl_magic.language.client import LiveFrontEnd


@pytest.fixture(scope="module")
def live() -> Iterator[LiveFrontEnd]:
    front = LiveFrontEnd()
    front.warm_up()
    yield front
    front.close()


def _check(live: LiveFrontEnd, source: str, options: str = "", home: str = "/nowhere", **headers: str) -> Checked:
    virtual = {name.replace("_", "."): text for name, text in headers.items()}
    cell = CellText(source, parse_options(options), virtual, home, source_map=SourceMap(first_line=2))
    return check(cell, live)


def _messages(found: Checked) -> list[tuple[int, str]]:
    return [(one.line, one.message) for one in found.diagnostics if one.severity == "error"]


def test_unknown_names_and_wrong_calls_are_found(live: LiveFrontEnd) -> None:
    found = _check(live, "kernel void f(global float *x) {\n  x[0] = dot(1);\n  x[get_globl_id(0)] = 1;\n}")
    assert [line for line, _ in _messages(found)] == [3, 4]
    assert found.diagnostics[1].fixits[0].text == "get_global_id"


def test_definitions_versions_and_headers_count(live: LiveFrontEnd) -> None:
    assert not _check(
        live, '#include "a.h"\nkernel void f(global int *x) { x[0] = A + N; }', "-DN=4", a_h="#define A 1"
    ).diagnostics
    newer = "kernel void f(global int *x) { work_group_barrier(1); }"
    assert _messages(_check(live, newer, "-cl-std=CL1.2"))
    assert not _messages(_check(live, newer))  # no build has told what the device takes
    assert _messages(check(CellText(newer, language_version="CL1.2"), live))
    assert not _messages(_check(live, "kernel void f(global int *x) { work_group_barrier(1); }", "-cl-std=CL2.0"))


def test_templates_are_read_as_they_are_built(live: LiveFrontEnd) -> None:
    cell = CellText("template<class T> kernel void f(global T *x) {\n x[0] = y; }", templates=("f<int>",))
    assert check(cell, live).diagnostics[0].line == 2


def test_a_header_once_under_two_paths_is_one(live: LiveFrontEnd) -> None:
    once = "#pragma once\ntypedef struct { int a; } Once;\n"
    found = _check(live, '#include "a.h"\n#include <a.h>\n#include "b.h"\n', a_h=once, b_h='#include "a.h"\n')
    assert _messages(found) == []


@pytest.mark.parametrize("path", ["/etc/passwd", "/dev/zero", "/dev/stdin", "/proc/self/environ", "../../etc/passwd"])
@pytest.mark.parametrize(
    "form", ['#include "{}"', "#include <{}>", '#define X "{}"\n#include X', '#import "{}"', '#inc\\\nlude "{}"']
)
def test_no_spelling_opens_a_file_of_the_system(live: LiveFrontEnd, path: str, form: str) -> None:
    started = time.monotonic()
    found = _check(live, form.format(path) + "\nint after;", "-I /")
    assert time.monotonic() - started < 5
    text = " ".join(one.message + "".join(note.message for note in one.notes) for one in found.diagnostics)
    assert "root" not in text
    assert "daemon" not in text


def test_the_process_can_open_nothing(live: LiveFrontEnd) -> None:
    live.warm_up()
    assert live._process is not None
    limits = Path(f"/proc/{live._process.pid}/limits").read_text()
    files = next(line for line in limits.splitlines() if line.startswith("Max open files"))
    space = next(line for line in limits.splitlines() if line.startswith("Max address space"))
    assert files.split()[3:5] == ["0", "0"]
    assert space.split()[3] == str(512 * 1024**2)


@pytest.mark.parametrize(
    ("source", "headers"),
    [
        ('#include "a.h"\n', {"a_h": '#include "a.h"\n#include "a.h"\n'}),
        ('#include "a.h"\n' * 300, {"a_h": '#include "b.h"\n' * 300, "b_h": "#if 1\n#endif\n" * 300}),
        ("#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(A(A(A(A(x)))))))))\nB(B(int y;))\n", {}),
        ("int x = " + "(" * 100_000 + ";", {}),
        ("int x = " + "-" * 200_000 + "1;", {}),
        ("#if " + "(" * 50_000 + "\n#endif", {}),
        ("kernel void f() { int a; }\n" * 15_000, {}),
    ],
)
def test_bombs_end_in_time_and_the_next_question_is_answered(
    live: LiveFrontEnd, source: str, headers: dict[str, str]
) -> None:
    started = time.monotonic()
    _check(live, source, **headers)
    assert time.monotonic() - started < 6
    assert _messages(_check(live, "kernel void f(global int *x) { x[0] = nowhere; }"))


def test_a_text_that_gave_up_is_not_tried_again_at_once(live: LiveFrontEnd) -> None:
    source = '#include "a.h"\n' * 300
    headers = {"a_h": '#include "b.h"\n' * 300, "b_h": "#if 1\n#endif\n" * 301}
    first = _check(live, source, **headers)
    started = time.monotonic()
    assert _check(live, source, **headers).reason == first.reason != ""
    assert time.monotonic() - started < 0.5


def test_a_cell_of_two_megabytes_is_left_to_the_build(live: LiveFrontEnd) -> None:
    started = time.monotonic()
    found = _check(live, "int x;" + " " * 2_000_000)
    assert "512 KiB" in found.reason
    assert time.monotonic() - started < 1


def test_a_hostile_text_slows_no_build(live: LiveFrontEnd) -> None:
    builds = FrontEnd()
    try:
        assert builds.analyse("int x;").available
        live.warm_up()
        assert builds._running.pid != live._running.pid
        slow = threading.Thread(
            target=_check, args=(live, '#include "a.h"\n' * 301), kwargs={"a_h": "#if 1\n#endif\n" * 90_000}
        )
        slow.start()
        started = time.monotonic()
        assert builds.analyse("int y;").available
        assert time.monotonic() - started < 1
        slow.join()
    finally:
        builds.close()


def test_the_process_ends_with_its_parent() -> None:
    script = (
        "from cl_magic.language.client import LiveFrontEnd\nlive = LiveFrontEnd()\nlive.warm_up()\n"
        "print(live._process.pid, flush=True)\nimport os; os._exit(0)"
    )
    pid = int(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        if Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
            break
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists() or Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
