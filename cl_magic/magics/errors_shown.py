"""cl_magic's errors in a notebook: one report as an output of its own, one line as the error, the cell fails.

IPython has one slot for custom exceptions. What was in it is kept and called for its own exceptions.
"""

from __future__ import annotations

import linecache
import sys
import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

import IPython

import cl_magic
from cl_magic.device import devices
from cl_magic.display.crash_facts import crash_of
from cl_magic.display.error_report import ErrorReport, failed_build
from cl_magic.errors import ClMagicError
from cl_magic.magics.publish import bundle_of, diagnostics_of

_LIBRARIES = tuple(str(Path(module.__file__ or "").parent) for module in (IPython, cl_magic))
_FRONT_DOORS = ("get_ipython().run_", "__import__('cl_magic.magics.first_line'")
_MOST_PLACES = 4
_MOST_CODE = 300
"""Characters of a line of the user\'s."""
_RECOVERY_S = 1.5
"""How long a report waits for the new worker, to say that it is ready."""


class ErrorReports:
    """The hook, for one shell.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell
    """

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's shells are not typed
        self.shell = shell
        self._before: tuple[tuple[type[BaseException], ...], Any] = (shell.custom_exceptions, shell.CustomTB)
        shell.set_custom_exc((*shell.custom_exceptions, ClMagicError), self.handle)
        self._mine = shell.CustomTB

    def remove(self) -> None:
        """Put back what was in the slot; where somebody else has chained after us, our part passes on."""
        if self.shell.CustomTB is self._mine:
            self.shell.custom_exceptions, self.shell.CustomTB = self._before

    def handle(
        self,
        shell: Any,  # noqa: ANN401 - IPython's shells are not typed
        etype: type[BaseException],
        value: BaseException,
        tb: TracebackType | None,
        tb_offset: int | None = None,
    ) -> list[str]:
        """Show an error that reached the cell. IPython calls this; returns the lines of the error output."""
        exceptions, previous = self._before
        if not isinstance(value, ClMagicError):
            return list(previous(etype, value, tb, tb_offset=tb_offset) or []) if exceptions else []
        # %tb and %debug read these; they show the whole traceback to those who want it.
        sys.last_type, sys.last_value, sys.last_traceback = etype, value, tb
        shell.display_pub.publish(error_bundle(value, places(shell, tb)))
        first = value.message.split("\n")[0]
        lines = [f"{etype.__name__}: {first}"]
        shell._showtraceback(etype, first, lines)  # noqa: SLF001 - the way an error output is sent, per shell
        return lines


def error_bundle(error: ClMagicError, where: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the report of an error by MIME type; that of a failed build is the build's.

    Parameters
    ----------
    error : ClMagicError
    where : tuple of str
        The user's lines that led to it, from :func:`places`.

    Examples
    --------
    >>> print(error_bundle(ClMagicError("local size 9 is over the limit 8", remedy="use 8"))["text/plain"])
    ClMagicError: local size 9 is over the limit 8
    → use 8
    """
    _wait_for_recovery(error)
    bundle = bundle_of(ErrorReport(error, where, _simulator(error)))
    result = failed_build(error)
    return bundle if result is None else bundle | diagnostics_of(result, error.facts.get("document", ""))


def _wait_for_recovery(error: ClMagicError) -> None:
    end = time.monotonic() + _RECOVERY_S
    while error.facts.get("recovery_ms", 0.0) is None and not error.facts.get("reason") and time.monotonic() < end:
        time.sleep(0.01)


def _simulator(error: ClMagicError) -> str:
    """Name of a simulator's device that could say more of a crash; "" where there is none."""
    if crash_of(error) is None:
        return ""
    try:
        return next((device.family for device in devices() if device.simulator), "")
    except ClMagicError:
        return ""  # the report must come whatever ails the drivers


def places(shell: Any, tb: TracebackType | None) -> tuple[str, ...]:  # noqa: ANN401 - an InteractiveShell
    """Return the user's own lines of a traceback: ``cell [4], line 2: saxpy(x, y, 2.0)``, innermost last.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell
    tb : traceback or None

    Examples
    --------
    >>> places(None, None)
    ()
    """
    found = []
    for frame, line in traceback.walk_tb(tb):
        filename = frame.f_code.co_filename
        name = _source_name(shell, filename)
        text = linecache.getline(filename, line).strip()
        if name and not text.startswith(_FRONT_DOORS):
            shown = text if len(text) <= _MOST_CODE else f"{text[:_MOST_CODE]}…"  # a source may be written in a line
            found.append(f"{name}, line {line}" + (f": {shown}" if text else ""))
    return tuple(found[-_MOST_PLACES:])


def _source_name(shell: Any, filename: str) -> str:  # noqa: ANN401 - an InteractiveShell
    """``cell [4]`` or a path; "" for this library, IPython and code without a file."""
    if filename.startswith(_LIBRARIES):
        return ""
    label = shell.compile.format_code_name(filename)
    if label and label[0] == "Cell":
        return f"cell {str(label[1]).removeprefix('In').strip()}"
    return "" if filename.startswith("<") else filename
