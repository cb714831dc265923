"""Every exception of cl_magic: what went wrong, where, which value, and the remedy.

The facts are attributes, so that a program can act on them; the text is made from the same facts. All of them pickle
(they cross from the worker) and all of them render as themselves in IPython, without a traceback through this library.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

_text_form: Callable[[ClMagicError], str] | None = None


def tell_errors_by(text_form: Callable[[ClMagicError], str]) -> None:
    r"""Make `text_form` the `str` of every error; the text views do so when they are loaded.

    Examples
    --------
    >>> from cl_magic.show import load_view
    >>> load_view("display")
    True
    >>> str(ClMagicError("too large", remedy="use 8"))
    'too large\n→ use 8'
    """
    global _text_form  # noqa: PLW0603 - one text form a process
    _text_form = text_form


def _rebuild(cls: type[ClMagicError], message: str, remedy: str, facts: dict[str, Any]) -> ClMagicError:
    return cls(message, remedy=remedy, **facts)


class ClMagicError(Exception):
    """Base class of all errors that cl_magic raises on purpose.

    Parameters
    ----------
    message : str
        One or two sentences: what is wrong, where, and the value that was given.
    remedy : str, optional
        What to type or do instead. Shown on a line of its own.
    **facts : object
        Facts by name; each one is an attribute of the error.

    Examples
    --------
    >>> error = ClMagicError("local size 8 192 is over the limit 4 096", remedy="use 4 096 or less", limit=4096)
    >>> error.limit
    4096
    >>> print(error)
    local size 8 192 is over the limit 4 096
    → use 4 096 or less
    """

    def __init__(self, message: str, *, remedy: str = "", **facts: Any) -> None:  # noqa: ANN401 - any fact
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.facts = facts

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any fact
        facts = self.__dict__.get("facts", {})
        if name in facts:
            return facts[name]
        msg = f"{type(self).__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)

    def __str__(self) -> str:
        if _text_form is not None:
            with contextlib.suppress(Exception):  # an error must be told, whatever its facts are
                return _text_form(self)
        return f"{self.message}\n→ {self.remedy}" if self.remedy else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.message, self.remedy, self.facts)

    def _render_traceback_(self) -> list[str]:
        """Lines that IPython prints in place of a traceback (its own hook for exceptions)."""
        return [f"{type(self).__name__}: {line}" if i == 0 else line for i, line in enumerate(str(self).split("\n"))]


class MagicLineError(ClMagicError):
    """A ``%opencl`` or ``%%opencl`` line that cannot be read: unknown flag, verb or name, wrong value."""


class NoPlatformError(ClMagicError):
    """No OpenCL platform can be used on this machine."""


class DeviceNotFoundError(ClMagicError):
    """No device fits the selector, or more than one does where one is needed."""


class OptionError(ClMagicError):
    """A build option that no device could take as it was written."""


class SourceError(ClMagicError):
    """The source text itself cannot be handed to a compiler (NUL byte, lone surrogate, too large)."""


class BuildError(ClMagicError):
    """The program was not built. ``error.result`` is the :class:`~cl_magic.build.result.BuildResult` with all facts."""


class ProgramStateError(ClMagicError):
    """What was asked of a program needs another state: ``state`` is "source" or "object", ``needed`` what it lacks."""


class ListingUnavailableError(ClMagicError):
    """A form of a program's code cannot be had: ``kind`` was asked for, ``possible`` are the kinds that can be."""


class KernelNotFoundError(ClMagicError):
    """The program has no kernel of that name."""


class ArgumentError(ClMagicError):
    """An argument does not fit its kernel parameter. ``kernel``, ``parameter`` and ``value`` are attributes."""


class NDRangeError(ClMagicError):
    """Sizes that cannot be launched: wrong form, over a limit, or no multiple where one is required."""


class LaunchError(ClMagicError):
    """The runtime refused or failed the launch. ``code`` is the OpenCL error code, ``code_name`` its name."""


class EngineError(ClMagicError):
    """An engine could not be started, spoke out of turn or ended."""


class WorkerDiedError(EngineError):
    """The worker process ended before it answered a command; a new one is started at once.

    Raised as itself for a command that had not begun and for a worker that was ended on purpose; its subclasses say
    what the command did to it. All of them carry these attributes.

    Attributes
    ----------
    command : {"launch", "build", "inspect", …}
        What had no answer.
    begun : bool
        Whether the worker was at it.
    kernel : str or None
        Of a launch.
    program : str
        Name of the program of a build ("cell [4]").
    plan : LaunchPlan or None
    arguments : tuple of ArgumentFact
        As the launch was given them.
    signal : str or None
        ``"SIGSEGV"``; None where it ended with an exit code.
    signal_number : int or None
    exit_code : int or None
    in_words : str
        The signal, code or reason in words.
    fault : FaultReport or None
        Where memory was touched that is not the kernel's (:mod:`cl_magic.record.fault`).
    partly_written : tuple of str
        Labels of arrays whose device memory the launch may have written in part.
    arrays_unchanged : tuple of str
        Labels of the NumPy arrays of the launch: they are as they were, since results are copied only after a success.
    lost : tuple of str
        Labels of arrays that lived on the device only.
    suspects : tuple of str
        Labels of the launches since the arrays were last found whole, where the worker ended outside a launch.
    reason : str
        Why it was ended, where that was on purpose.
    last_words : str
        The last text the process wrote (``output`` is the same).
    recovery_ms : float or None
        Milliseconds from the end of the old worker to the answer of the new one; None until it has answered.
    """


class KernelCrashedError(WorkerDiedError):
    """A kernel ended the worker: a signal during its launch. ``fault`` says where it reached, as far as is known."""


class DeviceLostError(WorkerDiedError):
    """The device cannot be used any more by this worker, which is replaced. ``code`` and ``code_name`` are OpenCL's."""


class CompilerCrashedError(WorkerDiedError):
    """The device's compiler or driver died while it built ``program``; ``last_words`` is what it said."""


class OutOfMemoryError(WorkerDiedError):
    """The system killed the worker because memory ran out; ``oom_kills`` is the control group's count of such ends."""


class LaunchTimeoutError(WorkerDiedError):
    """A launch took longer than its ``timeout`` (seconds); its worker was ended."""


class BuildTimeoutError(WorkerDiedError):
    """A build took longer than its ``timeout`` (seconds); its worker was ended."""


class OutOfBoundsError(LaunchError):
    """A launch ended, and bytes outside an array were found overwritten: ``fault`` names array, side and count.

    Has the attributes ``kernel``, ``plan``, ``arguments``, ``fault``, ``partly_written`` and ``arrays_unchanged`` of
    :class:`WorkerDiedError`: no result of such a launch is copied back.
    """


class MemoryShortError(EngineError):
    """There is no room for an array: ``nbytes`` were asked for, ``available_bytes`` are free, ``limit`` says where."""


class RecordError(ClMagicError):
    """A saved record cannot be read: another version, damaged, or no record at all."""


class MissingExtraError(ClMagicError):
    """A view needs an optional package; the remedy names the extra to install."""
