"""Execute a notebook from start to end and say what ran: devices, builds, times, checks.

usage: python notebooks/execute.py NOTEBOOK [--output FOLDER]
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--output", type=Path, default=Path("demo-output"))
    asked = parser.parse_args()
    # ipykernel forwards nothing that compilers and kernels print while this is set.
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    notebook = nbformat.read(asked.notebook, as_version=4)
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(asked.notebook.parent)}}
    )
    begin = time.monotonic()
    failed = None
    try:
        client.execute()
    except CellExecutionError as error:
        failed = error
    asked.output.mkdir(parents=True, exist_ok=True)
    target = asked.output / asked.notebook.name
    nbformat.write(notebook, target)
    for line in told(notebook):
        print(line)
    print(
        f"\n{asked.notebook.name}: {len(notebook.cells)} cells in {time.monotonic() - begin:.1f} s → {target.resolve()}"
    )
    if failed is not None:
        print(f"\nThe notebook stopped:\n{failed}", file=sys.stderr)
        return 1
    return 0


def told(notebook: nbformat.NotebookNode) -> list[str]:
    """The first line of every output that has a text form, with the number of its cell."""
    lines = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            text = re.sub(r"\x1b\[[0-9;]*m", "", text).strip()
            if text and output.output_type != "error":
                shown = text.splitlines() if output.output_type == "stream" else text.splitlines()[:1]
                lines += [f"[{cell.execution_count}] {line}" for line in shown]
    return lines


if __name__ == "__main__":
    sys.exit(main())
