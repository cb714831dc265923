"""A fresh IPython shell whose outputs are kept: cells in, outputs and errors out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from cl_magic.magics.publish import DIAGNOSTICS_MIME


@dataclass
class Outcome:
    """What one cell left: its value, its error, its displays, and what went to the error output."""

    value: Any = None
    error: BaseException | None = None
    displays: list[dict[str, Any]] = field(default_factory=list)
    error_lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text forms, one after the other."""
        return "\n".join(display["text/plain"] for display in self.displays)

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """What the editor would mark."""
        found = [display[DIAGNOSTICS_MIME] for display in self.displays if DIAGNOSTICS_MIME in display]
        return found[-1]["diagnostics"] if found else []


class QuietShell(InteractiveShell):
    """A shell that keeps its error outputs instead of printing them."""

    def __init__(self, **words: Any) -> None:
        super().__init__(**words)
        self.shown: list[list[str]] = []

    def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:  # noqa: ARG002 - IPython's signature
        self.shown.append([str(evalue), *stb])

    def enable_gui(self, gui: Any = None) -> None:
        """There is none."""


class Lab:
    """A shell with the extension loaded."""

    def __init__(self, shell: QuietShell) -> None:
        self.shell = shell
        self.publisher = CapturingDisplayPublisher()
        shell.display_pub = self.publisher

    @property
    def names(self) -> dict[str, Any]:
        """The notebook's variables."""
        names: dict[str, Any] = self.shell.user_ns
        return names

    def run(self, cell: str) -> Outcome:
        """Run a cell as a front end does."""
        self.publisher.outputs.clear()
        self.shell.shown.clear()
        result = self.shell.run_cell(cell, store_history=True)
        displays = [output["data"] for output in self.publisher.outputs]
        lines = [line for shown in self.shell.shown for line in shown]
        return Outcome(result.result, result.error_in_exec or result.error_before_exec, displays, lines)


@contextmanager
def fresh_lab() -> Iterator[Lab]:
    """Make a shell with cl_magic loaded; unloads it and puts back what a shell changes in the process."""
    main, hooks = sys.modules["__main__"], (sys.displayhook, sys.excepthook)
    last = {name: getattr(sys, name) for name in ("last_type", "last_value", "last_traceback") if hasattr(sys, name)}
    shell = QuietShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.extension_manager.load_extension("cl_magic")
    try:
        yield Lab(shell)
    finally:
        shell.extension_manager.unload_extension("cl_magic")
        sys.modules["__main__"] = main
        sys.displayhook, sys.excepthook = hooks
        for name in ("last_type", "last_value", "last_traceback"):
            vars(sys).pop(name, None)
        vars(sys).update(last)
