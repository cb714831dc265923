"""How a child process ended, in words."""

from __future__ import annotations

import signal
from dataclasses import dataclass

_MEANINGS = {
    "SIGSEGV": "it read or wrote memory it does not own",
    "SIGBUS": "it touched memory that is not there",
    "SIGABRT": "the driver or its compiler gave up",
    "SIGFPE": "an integer was divided by zero, or the smallest one by -1",
    "SIGILL": "an instruction this processor does not have",
    "SIGKILL": "it was killed from outside, often because memory ran out",
    "SIGTERM": "it was asked to end",
}


def meaning_of(name: str) -> str:
    """What a signal says of a process that it ended.

    Examples
    --------
    >>> meaning_of("SIGTERM")
    'it was asked to end'
    """
    return _MEANINGS.get(name, "a signal that drivers do not send")


@dataclass(frozen=True, slots=True)
class ProcessEnd:
    """How a process ended: by a signal or with an exit code.

    Attributes
    ----------
    signal : str or None
        Name of the signal, ``"SIGSEGV"``.
    exit_code : int or None
        Where no signal ended it.
    """

    signal: str | None
    exit_code: int | None

    @property
    def words(self) -> str:
        """``ended with SIGSEGV (it read or wrote memory it does not own)``."""
        if self.signal is None:
            return f"ended with exit code {self.exit_code}"
        meaning = _MEANINGS.get(self.signal)
        return f"ended with {self.signal} ({meaning})" if meaning else f"ended with {self.signal}"


def process_end(returncode: int | None) -> ProcessEnd:
    """Say how a process ended from ``Popen.returncode``.

    Examples
    --------
    >>> process_end(-11).words
    'ended with SIGSEGV (it read or wrote memory it does not own)'
    >>> process_end(3).words
    'ended with exit code 3'
    """
    if returncode is None or returncode >= 0:
        return ProcessEnd(None, returncode)
    try:
        name = signal.Signals(-returncode).name
    except ValueError:
        name = f"signal {-returncode}"
    return ProcessEnd(name, None)
