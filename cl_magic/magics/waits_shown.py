"""Long launches and builds in a notebook: one output that is updated while it lasts, and empty after it.

A terminal gets the same as one line on its error stream.
"""

from __future__ import annotations

import sys
import uuid
from typing import Any

from cl_magic.display.running import STOP
from cl_magic.engine.waiting import WaitObserver, observe_waits
from cl_magic.magics.publish import bundle_of
from cl_magic.record.waiting import Waiting
from cl_magic.show import text_of

_EMPTY = {"text/plain": "", "text/html": ""}
_ERASE = "\r\x1b[K"


class NotebookWaits:
    """Shows a wait as an output of the running cell.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell
    """

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's shells are not typed
        self._publisher = shell.display_pub
        self._shown = ""

    def waiting(self, state: Waiting) -> None:
        """Show the line, or bring it up to date."""
        bundle = bundle_of(state)
        update = bool(self._shown)
        self._shown = self._shown or f"cl_magic-{uuid.uuid4().hex}"
        self._publisher.publish(bundle, transient={"display_id": self._shown}, update=update)

    def ended(self, state: Waiting) -> None:  # noqa: ARG002 - what follows says how it ended
        """Empty the output: the run's own report, or its error, comes next."""
        shown, self._shown = self._shown, ""
        if shown:
            self._publisher.publish(_EMPTY, transient={"display_id": shown}, update=True)


class TerminalWaits:
    """Shows a wait as one line on the error stream, rewritten where that is a terminal, else written once."""

    def __init__(self) -> None:
        self._shown = False

    def waiting(self, state: Waiting) -> None:
        """Write the line."""
        stream = sys.stderr
        if stream.isatty():
            stream.write(_ERASE + _line(state))
        elif not self._shown:
            stream.write(_line(state) + "\n")
        stream.flush()
        self._shown = True

    def ended(self, state: Waiting) -> None:  # noqa: ARG002 - as above
        """Take the line away."""
        if self._shown and sys.stderr.isatty():
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
        self._shown = False


def _line(state: Waiting) -> str:
    return " ".join(text_of(state).split()).replace(STOP, "press Ctrl-C to stop it")


class LongWaits:
    """The observer of one shell, as long as the extension is loaded.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell
    """

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's shells are not typed
        in_notebook = getattr(shell, "kernel", None) is not None
        self._mine: WaitObserver = NotebookWaits(shell) if in_notebook else TerminalWaits()
        self._before = observe_waits(self._mine)

    def remove(self) -> None:
        """Put back the observer of before; one that came after ours stays."""
        now = observe_waits(self._before)
        if now is not self._mine:
            observe_waits(now)
