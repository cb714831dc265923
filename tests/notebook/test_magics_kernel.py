"""The magics in a real ipykernel, driven by nbclient: what a saved notebook holds, and what "Run All" does."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from cl_magic.magics.publish import DIAGNOSTICS_MIME

TWICE = "kernel void twice(global float *x)\n{\n    x[get_global_id(0)] *= 2;\n}\n"
BROKEN = TWICE.replace("get_global_id", "get_globl_id")
PNG = b"\x89PNG\r\n\x1a\n"


class Client:
    """One kernel; cells are run one by one, as a person would."""

    def __init__(self, client: NotebookClient) -> None:
        self.client = client
        self.run("import numpy as np\n%load_ext cl_magic\nx = np.arange(4, dtype=np.float32)")

    def run(self, source: str) -> list[dict[str, Any]]:
        """Run a cell that may fail; returns its outputs as the notebook keeps them."""
        cell = nbformat.v4.new_code_cell(source)
        cells = self.client.nb.cells
        cells.append(cell)
        self.client.execute_cell(cell, len(cells) - 1)
        return list(cell.outputs)

    def ask(self, source: str, cell_id: str) -> None:
        """Run a cell as JupyterLab does, with the cell's id."""
        kernel = self.client.kc
        assert kernel is not None
        content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
        message = kernel.session.msg("execute_request", content, metadata={"cellId": cell_id})
        kernel.shell_channel.send(message)

    def text(self, expression: str) -> str:
        """Value of an expression, as printed."""
        return "".join(o.get("text", "") for o in self.run(f"print({expression})")).strip()


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    notebook = nbformat.v4.new_notebook()
    runner = NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True)
    with runner.setup_kernel():
        yield Client(runner)


def _kinds(outputs: list[dict[str, Any]]) -> list[str]:
    return [output["output_type"] for output in outputs]


def test_a_build_leaves_one_report(client: Client) -> None:
    outputs = client.run(f"%%opencl\n{TWICE}")
    assert _kinds(outputs) == ["display_data"]
    assert "twice" in outputs[0]["data"]["text/plain"]
    outputs = client.run("twice(x, global_size=4)")
    assert _kinds(outputs) == ["execute_result"]
    assert client.text("x.tolist()") == "[0.0, 2.0, 4.0, 6.0]"


@pytest.mark.parametrize("above", ["", "\n\n", "%%time\n"])
def test_a_failed_build_leaves_a_report_and_one_line(client: Client, above: str) -> None:
    client.run(f"%%opencl\n{TWICE}")
    source = f"{above}%%opencl\n{BROKEN}"
    outputs = [o for o in client.run(source) if o["output_type"] != "stream"]
    assert _kinds(outputs) == ["display_data", "error"]
    report, error = outputs
    marks = report["data"][DIAGNOSTICS_MIME]
    assert marks["version"] == 1
    assert marks["source"] == source
    first = marks["diagnostics"][0]
    assert source.split("\n")[first["line"] - 1][first["column"] - 1 :].startswith("get_globl_id")
    assert error["ename"] == "BuildError"
    assert len(error["traceback"]) == 1
    assert "\n" not in error["traceback"][0] + error["evalue"]
    if "image/png" in report["data"]:
        assert base64.b64decode(report["data"]["image/png"]).startswith(PNG)
    assert client.text("'twice' in globals()") == "False"


def test_a_refused_launch_has_no_traceback_through_the_library(client: Client) -> None:
    client.run(f"%%opencl\n{TWICE}")
    outputs = client.run("def go():\n    twice(np.zeros(3), global_size=3)\n\ngo()")
    assert _kinds(outputs) == ["display_data", "error"]
    text = outputs[0]["data"]["text/plain"]
    assert "line 4: go()" in text
    assert "line 2: twice(np.zeros(3), global_size=3)" in text
    assert "cl_magic/" not in text
    assert len(outputs[1]["traceback"]) == 1


def test_the_kernel_process_holds_no_pyopencl(client: Client) -> None:
    client.run(f"%%opencl --run='twice(x)' --global=4\n{TWICE}")
    assert client.text("'pyopencl' in __import__('sys').modules") == "False"


def test_the_cell_id_of_a_front_end_recognises_a_cell(client: Client) -> None:
    """JupyterLab sends the id in the request; a kernel that the cell no longer defines is unbound."""
    client.ask(f"%%opencl\n{TWICE}", "one")
    assert client.text("'twice' in globals()") == "True"
    client.ask(f"%%opencl\n{TWICE.replace('twice', 'double_it')}", "one")
    assert client.text("'twice' in globals(), 'double_it' in globals()") == "False True"


def test_several_builds_of_one_cell_keep_their_kernels(client: Client, tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.cl").write_text(TWICE.replace("twice", name))
    client.run(f"folder = {str(tmp_path)!r}")
    client.ask("%opencl build $folder/first.cl\n%opencl build $folder/second.cl", "two")
    assert client.text("'first' in globals(), 'second' in globals()") == "True True"


def test_run_all_stops_at_a_failed_build() -> None:
    """S-10: a failed build fails the cell."""
    sources = ["%load_ext cl_magic", f"%%opencl\n{BROKEN}", "reached = True"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    with pytest.raises(CellExecutionError, match="BuildError"):
        NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    assert notebook.cells[2].execution_count is None
    assert notebook.cells[1].outputs[0]["output_type"] == "display_data"
