"""A hostile cell as a value: what is typed, what is called, and which ends are right.

An end is a word: "right" (the value is the one that the kernel had to give), "done" (it ended, and the value says
nothing), or the name of the error's class. What a case allows is told for all drivers, and for one where it differs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

RIGHT, DONE = "right", "done"
CRASH, BOUNDS, LOST = "KernelCrashedError", "OutOfBoundsError", "DeviceLostError"
TIMEOUT, BUILD_TIMEOUT = "LaunchTimeoutError", "BuildTimeoutError"
COMPILER, MEMORY, SHORT = "CompilerCrashedError", "OutOfMemoryError", "MemoryShortError"
ARGUMENT, NDRANGE, OPTION, SOURCE = "ArgumentError", "NDRangeError", "OptionError", "SourceError"
BUILD, LAUNCH, LINE = "BuildError", "LaunchError", "MagicLineError"
INTERRUPTED = "KeyboardInterrupt"

ENDLESS_S = 0.3
"""The `timeout=` of launches that never end."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a generator may know of the device: its id, its compiler's family, and what it offers."""

    id: str
    family: str
    fp64: bool = True
    images: bool = True
    local_mem_bytes: int = 0
    gpu: bool = False

    @property
    def simulator(self) -> bool:
        """Oclgrind: it runs kernels slowly, and leaves out a wrong access instead of making it."""
        return self.family == "oclgrind"


@dataclass(frozen=True, slots=True)
class Overrun:
    """An access outside the array `parameter` of `nbytes` bytes.

    Attributes
    ----------
    kind : {"read", "write"}
    side : {"after", "before"}
    gap_bytes : int
        Bytes between the array and the nearest byte that is touched: 0 is right beside it.
    far : bool
        Whether it may land in memory that belongs to someone else.
    excuse : str
        Why it may go unnoticed; "" where it must not.
    """

    parameter: str
    nbytes: int
    kind: Literal["read", "write"]
    side: Literal["after", "before"]
    gap_bytes: int
    far: bool = False
    excuse: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One hostile cell.

    Attributes
    ----------
    family : str
        Row of the report.
    name : str
        What is hostile in it, in a few words.
    source : str
        OpenCL C; its kernel is `k`.
    arrays : dict of str to str
        Notebook variables, as Python expressions; those that the launch gets.
    call : str
        Python; ``k`` is the kernel.
    allowed : tuple of str
        Ends that are right.
    only : dict of str to tuple of str
        The same for one family of drivers.
    check : str
        Python expression over the arrays, the record ``run`` and their copies ``old``: the value is right.
    options : str
        Build options.
    magic : bool
        Whether the source is typed under ``%%opencl`` (else it is given to ``clm.build``).
    stop_after_s : float
        Seconds after which Jupyter's stop button is pressed; 0: never.
    """

    family: str
    name: str
    source: str
    call: str
    allowed: tuple[str, ...]
    arrays: dict[str, str] = field(default_factory=dict)
    check: str = ""
    options: str = ""
    only: dict[str, tuple[str, ...]] = field(default_factory=dict)
    overrun: Overrun | None = None
    magic: bool = False
    stop_after_s: float = 0.0
    outputs_limit: int = 1_000_000
    """Bytes that the cells may put into the notebook."""

    def ends(self, target: Target) -> tuple[str, ...]:
        """Ends that are right on that device."""
        return self.only.get(target.family, self.allowed)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a case.

    Attributes
    ----------
    end : str
        As in :mod:`campaign.case`; "notebook death" and "no answer" where the notebook did not survive.
    facts : dict
        Of the error.
    troubles : tuple of str
        What must not be: a wrong end, a wrong value, a changed variable, a failed probe …
    recovery_ms : float
        From the end of the worker to the probe's right value: what the error says of the new worker's answer, and the
        probe's own time.
    restarted : bool
        Whether the probe needed another worker than the case.
    """

    number: int
    target: Target
    case: Case
    end: str
    facts: dict[str, Any]
    troubles: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """Which invariant each trouble breaks: "end", "death", "variables", "bound", "probe", "others", "blame", "outputs",
    "stop"."""
    recovery_ms: float = 0.0
    restarted: bool = False
    duration_s: float = 0.0
