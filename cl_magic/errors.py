"""Every exception of cl_magic: what went wrong, where, which value, and the remedy.

The facts are attributes, so that a program can act on them; the text is made from the same facts. All of them pickle
(they cross from the worker) and all of them render as themselves in IPython, without a traceback through this library.
"""

from __future__ import annotations

from typing import Any


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
    """The worker process ended; ``signal`` or ``exit_code`` says how, and the next command starts a new one."""


class RecordError(ClMagicError):
    """A saved record cannot be read: another version, damaged, or no record at all."""


class MissingExtraError(ClMagicError):
    """A view needs an optional package; the remedy names the extra to install."""
