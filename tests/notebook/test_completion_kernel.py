"""Tab, Shift-Tab and the editor's questions in a real kernel, also while a cell runs; gone after unloading."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import KernelManager

CELL = """%%opencl -DN=4
struct Particle { float4 pos; int mass; };
// Moves a particle.
kernel void move(global struct Particle *p) {
  p->
  get_glob
  barrier(
}
"""


class Kernel:
    """A kernel with the extension loaded, and its client."""

    def __init__(self, folder: Path) -> None:
        self.manager = KernelManager(kernel_name="python3")
        environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
        self.manager.start_kernel(cwd=str(folder), env=environment)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def run(self, code: str) -> None:
        reply = self.client.execute(code, reply=True, timeout=60)
        assert reply["content"]["status"] == "ok", reply["content"]

    def matches(self, code: str, offset: int) -> list[str]:
        content = self.client.complete(code, offset, reply=True, timeout=60)["content"]
        assert content["status"] == "ok"
        return list(content["matches"])

    def told(self, code: str, offset: int) -> str:
        content = self.client.inspect(code, offset, reply=True, timeout=60)["content"]
        return str(content["data"].get("text/plain", "")) if content["found"] else ""

    def ask(self, subshell: str | None = None, **question: Any) -> Any:
        """Ask as the editor does."""
        text = json.dumps(json.dumps(question))
        expression = f"__import__('cl_magic.magics.language_service', fromlist=['answer']).answer({text})"
        words = {"code": "", "silent": True, "store_history": False, "allow_stdin": False}
        message = self.client.session.msg("execute_request", words | {"user_expressions": {"answer": expression}})
        if subshell:
            message["header"]["subshell_id"] = subshell
        self.client.shell_channel.send(message)
        reply = self.client.get_shell_msg(timeout=60)
        while reply["parent_header"].get("msg_id") != message["header"]["msg_id"]:
            reply = self.client.get_shell_msg(timeout=60)
        return reply["content"]["user_expressions"]["answer"]["data"]["application/json"]

    def subshell(self) -> str:
        self.client.control_channel.send(self.client.session.msg("create_subshell_request", {}))
        return str(self.client.get_control_msg(timeout=30)["content"]["subshell_id"])

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.manager.cleanup_resources()


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "blur.cl").write_text("kernel void blur(global int *x) { x[0] = 1; }")
    made = Kernel(folder)
    try:
        made.run("%load_ext cl_magic")
        yield made
    finally:
        made.close()


def _behind(text: str) -> int:
    return CELL.index(text) + len(text)


def test_tab_offers_members_functions_and_nothing_of_python(kernel: Kernel) -> None:
    assert kernel.matches(CELL, _behind("p->")) == ["mass", "pos"]
    found = kernel.matches(CELL, _behind("get_glob"))
    assert {"get_global_id", "get_global_size"} <= set(found)
    assert not {"get_ipython", "globals"} & set(found)


def test_tab_offers_headers_flags_values_and_verbs(kernel: Kernel) -> None:
    kernel.run("%%opencl --header=common.h\n#define ONE 1")
    include = '%%opencl\n#include "co'
    assert kernel.matches(include, len(include)) == ["common.h"]
    for typed, wanted in (("%%opencl --qu", "--quiet"), ("%%opencl --std=CL2", "CL2.0"), ("%%opencl --emit=as", "asm"),
                          ("%%opencl --file=bl", "blur.cl"), ("%%opencl --device=cp", "cpu"), ("%opencl doc", "doctor"),
                          ("%opencl build bl", "blur.cl"), ("%opencl device cp", "cpu")):  # fmt: skip
        assert wanted in kernel.matches(typed, len(typed)), typed
    run = "%%opencl --run='mo\nkernel void move(global int *x) { }"
    assert kernel.matches(run, run.index("\n")) == ["move("]


def test_python_cells_keep_their_completion(kernel: Kernel) -> None:
    assert "import" in kernel.matches("impor", 5)
    assert kernel.told("print", 3)


def test_shift_tab_explains_opencl_c(kernel: Kernel) -> None:
    assert "OpenCL C 1.2, 6.12.8: synchronization" in kernel.told(CELL, _behind("barrier("))
    assert "get_global_id" not in kernel.told(CELL, _behind("get_glo"))
    assert "Moves a particle." in kernel.told(CELL, _behind("void mov"))
    assert "16 bytes, aligned to 16" in kernel.told(CELL, _behind("float"))
    assert "-D NAME=VALUE" in kernel.told(CELL, _behind("-D"))


def test_a_kernel_is_explained_with_its_last_build(kernel: Kernel) -> None:
    cell = "%%opencl\nkernel void three(global int *x) { x[0] = 3; }"
    assert "not built yet" in kernel.told(cell, cell.index("three") + 1)
    kernel.run(cell)
    told = kernel.told(cell, cell.index("three") + 1)
    assert "work-items, best a multiple of" in told
    assert "changed since" not in told
    assert "changed since" in kernel.told(cell.replace("= 3", "= 4"), cell.index("three") + 1)


def test_errors_are_told_while_a_cell_runs_and_no_expression_is_evaluated(kernel: Kernel) -> None:
    subshell = kernel.subshell()
    kernel.run("import pathlib; N = 3")
    kernel.ask(subshell, ask="start")
    kernel.client.execute("import time; time.sleep(4)")
    time.sleep(0.3)
    times = []
    for number in range(20):
        started = time.monotonic()
        answer = kernel.ask(
            subshell, ask="check", cell=f"%%opencl\nkernel void f(global int *x) {{ x[0] = y{number}; }}"
        )
        times.append(time.monotonic() - started)
        assert answer["diagnostics"][0]["line"] == 2
    print("ms while a cell sleeps:", round(1000 * sorted(times)[10], 1), round(1000 * max(times), 1))  # noqa: T201
    assert sorted(times)[10] < 0.2
    kernel.client.get_shell_msg(timeout=30)
    hostile = (
        "%%opencl -DN=${pathlib.Path('made').touch()} --global=$boom()\nkernel void f(global int *x) { x[0] = N; }"
    )
    assert kernel.ask(subshell, ask="check", cell=hostile)["diagnostics"] == []
    kernel.run("assert not pathlib.Path('made').exists()")


def test_what_is_wrong_in_a_header_is_told_where_it_is_included(kernel: Kernel) -> None:
    kernel.run("%%opencl --header=broken.h\n\nint f(int x) { return nothing; }")
    cell = '%%opencl\n#include "broken.h"\nkernel void g(global int *x) { x[0] = f(1); }'
    first = kernel.ask(ask="check", cell=cell)["diagnostics"][0]
    assert (first["line"], first["column"], first["endColumn"]) == (2, 11, 19)
    assert first["message"].startswith("broken.h:3:23: use of undeclared identifier 'nothing'")


def test_a_value_of_the_last_build_counts(kernel: Kernel) -> None:
    cell = "%%opencl --quiet -DWORD=$word\nkernel void f(global int *x) { x[0] = WORD; }"
    assert kernel.ask(ask="check", cell=cell)["diagnostics"] == []
    kernel.run("word = '17'")
    kernel.run(cell)
    kernel.run("word = 'undeclared'")
    assert kernel.ask(ask="check", cell=cell)["diagnostics"] == []


def test_questions_that_are_none_have_no_answer(kernel: Kernel) -> None:
    for question in (
        {},
        {"ask": "eval", "cell": "1"},
        {"ask": "check", "offset": "x"},
        {"ask": "complete", "cell": "print(1)"},
    ):
        assert kernel.ask(**question) is None


def test_unloading_takes_completion_and_explanation_back(kernel: Kernel) -> None:
    kernel.run("%unload_ext cl_magic")
    assert "mass" not in kernel.matches(CELL, _behind("p->"))
    assert "synchronization" not in kernel.told(CELL, _behind("barrier("))
    kernel.run("assert 'do_inspect' not in vars(get_ipython().kernel)")
    kernel.run("%load_ext cl_magic")
    assert kernel.matches(CELL, _behind("p->")) == ["mass", "pos"]
