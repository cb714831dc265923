"""Python programs that a test runs in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def environment(**changes: str) -> dict[str, str]:
    """This environment with the tests' folder for imports, and without pytest's own mark."""
    folders = os.pathsep.join([str(TESTS), str(TESTS.parent), os.environ.get("PYTHONPATH", "")])
    kept = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    return {**kept, "PYTHONPATH": folders, **changes}


def run_script(text: str, *, timeout_s: float = 60, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; its output is text."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", text],
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )


def start_script(text: str) -> subprocess.Popen[str]:
    """Start a program; its standard output is a pipe."""
    # An input of its own: a script that waits for its end must not find it at once where there is none.
    return subprocess.Popen(
        [sys.executable, "-c", text], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
