"""The log of one build as a value: the compiler's text itself, with what was built where as attributes."""

from __future__ import annotations

from typing import Any

from cl_magic.build.result import BuildResult
from cl_magic.clc.diagnostic import Diagnostic


class BuildLog(str):
    """A compiler's text, complete and as it came; a `str` with the facts of its build.

    Parameters
    ----------
    result : BuildResult
        Successful or not, of compiling, linking or both (SYCL's `save_log`).

    Attributes
    ----------
    result : BuildResult

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> log = BuildLog(BuildResult(True, ProgramSpec("", ("-DN=4",)), device_name="cpu", log="hi", duration_ns=5))
    >>> log, log.ok, log.options, log.device, log.duration_ns, log.from_cache
    ('hi', True, ('-DN=4',), 'cpu', 5, False)
    """

    __slots__ = ("result",)

    def __new__(cls, result: BuildResult) -> BuildLog:  # noqa: PYI034 - no subclass is made
        """Take the text of a build's log."""
        made = super().__new__(cls, result.log)
        made.result = result
        return made

    def __init__(self, result: BuildResult) -> None:
        self.result = result

    @property
    def text(self) -> str:
        """The text as a plain `str`."""
        return str.__str__(self)

    @property
    def ok(self) -> bool:
        """Whether the build succeeded."""
        return self.result.ok

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the text says, on the user's lines, joined with what the front end says."""
        return self.result.diagnostics

    @property
    def device(self) -> str:
        """Name of the device."""
        return self.result.device_name

    @property
    def options(self) -> tuple[str, ...]:
        """Options as the user gave them; ``result.options_used`` is what the driver got."""
        return self.result.spec.options

    @property
    def duration_ns(self) -> int:
        """Wall time of the build in the engine."""
        return self.result.duration_ns

    @property
    def from_cache(self) -> bool:
        """Whether an earlier build gave this log."""
        return self.result.from_cache

    def __reduce__(self) -> tuple[Any, ...]:
        return BuildLog, (self.result,)
