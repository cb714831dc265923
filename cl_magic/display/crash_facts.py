"""What a crash comes to, in words: what happened, what is safe, what next. Read from the error's facts alone.

Words between single quotes are names of the source: HTML sets them in the code font, text leaves the quotes out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cl_magic.display.quantity import counted, duration
from cl_magic.errors import (
    BuildTimeoutError,
    ClMagicError,
    CompilerCrashedError,
    DeviceLostError,
    KernelCrashedError,
    LaunchTimeoutError,
    OutOfBoundsError,
    OutOfMemoryError,
    WorkerDiedError,
)
from cl_magic.launch.plan import LaunchPlan
from cl_magic.record.fault import FaultReport

_NS_A_MS = 1e6


@dataclass(frozen=True, slots=True)
class Crash:
    """A failure of an engine, and whether a simulator is there that could say more (its device's name)."""

    error: ClMagicError
    simulator: str = ""

    @property
    def kernel(self) -> str:
        """Name of the kernel, "" where none ran."""
        return str(self.error.facts.get("kernel") or "")

    @property
    def fault(self) -> FaultReport | None:
        """Where memory was touched that is not the kernel's."""
        found = self.error.facts.get("fault")
        return found if isinstance(found, FaultReport) else None

    @property
    def plan(self) -> LaunchPlan | None:
        """What was launched."""
        found = self.error.facts.get("plan")
        return found if isinstance(found, LaunchPlan) else None

    def names(self, fact: str) -> tuple[str, ...]:
        """A fact that is names of arrays."""
        return tuple(map(str, self.error.facts.get(fact) or ()))


def crash_of(error: ClMagicError, simulator: str = "") -> Crash | None:
    """See an error as a crash; None where no engine failed.

    Examples
    --------
    >>> crash_of(ClMagicError("too large")) is None
    True
    >>> crash_of(KernelCrashedError("far ended the worker", kernel="far")).kernel
    'far'
    """
    known = isinstance(error, WorkerDiedError | OutOfBoundsError)
    return Crash(error, simulator) if known else None


def title(crash: Crash) -> tuple[str, str]:
    """First line: what happened, and how the worker ended.

    Examples
    --------
    >>> fault = FaultReport(0x7F00, "write", "guard page", "x", "x", 64, 0, "after")
    >>> title(Crash(KernelCrashedError("…", kernel="far", fault=fault, signal="SIGSEGV")))
    ("The kernel 'far' wrote outside its arrays", 'the worker process ended with SIGSEGV')
    """
    words = next((make for kind, make in _TITLES.items() if isinstance(crash.error, kind)), _died)(crash)
    return words, _ending(crash)


def _ending(crash: Crash) -> str:
    error = crash.error
    if isinstance(error, OutOfBoundsError):
        return "found after the run; no result was copied back"
    if error.facts.get("reason"):
        return "the worker process was ended"
    if error.facts.get("signal"):
        return f"the worker process ended with {error.facts['signal']}"
    code = error.facts.get("exit_code")
    return f"the worker process ended with exit code {code}" if code is not None else "the worker process ended"


def _kernel_crashed(crash: Crash) -> str:
    fault, name = crash.fault, f"The kernel '{crash.kernel}'"
    if fault is None or not (fault.address or fault.array):
        division = crash.error.facts.get("signal") == "SIGFPE"
        return f"{name} {'failed in an integer division' if division else 'crashed'}"
    did = {"read": "read", "write": "wrote"}.get(fault.kind, "touched memory")
    if fault.where == "read-only array":
        return f"{name} wrote into '{fault.array}', which it only reads"
    if fault.where == "closed array":
        return f"{name} {did} {'in ' if did != 'touched memory' else 'of '}an array that it was not given"
    return f"{name} {did} outside its arrays"


def _compiler_crashed(crash: Crash) -> str:
    program = str(crash.error.facts.get("program") or "")
    return f"The compiler died while it built {program or 'the program'}"


def _device_lost(crash: Crash) -> str:
    at = f" at the kernel '{crash.kernel}'" if crash.kernel else ""
    code = crash.error.facts.get("code_name")
    return f"The device was lost{at}" + (f" ({code})" if code else "")


def _out_of_memory(crash: Crash) -> str:
    at = f" at the kernel '{crash.kernel}'" if crash.kernel else ""
    return f"Memory ran out{at}: the system ended the worker"


def _limit(crash: Crash) -> str:
    limit = crash.error.facts.get("timeout")
    return f"timeout={limit:g} s" if isinstance(limit, int | float) else "its timeout"


def _launch_timeout(crash: Crash) -> str:
    return f"The kernel '{crash.kernel}' took longer than {_limit(crash)}"


def _build_timeout(crash: Crash) -> str:
    return f"The build took longer than {_limit(crash)}"


def _out_of_bounds(crash: Crash) -> str:
    return f"The kernel '{crash.kernel}' wrote outside its arrays"


def _died(crash: Crash) -> str:
    return crash.error.message.partition("\n")[0]


_TITLES: dict[type[ClMagicError], Callable[[Crash], str]] = {
    KernelCrashedError: _kernel_crashed,
    CompilerCrashedError: _compiler_crashed,
    DeviceLostError: _device_lost,
    OutOfMemoryError: _out_of_memory,
    LaunchTimeoutError: _launch_timeout,
    BuildTimeoutError: _build_timeout,
    OutOfBoundsError: _out_of_bounds,
}


def safe(crash: Crash) -> str:
    """Second line: what is kept, and when the next cell can run.

    Examples
    --------
    >>> safe(Crash(KernelCrashedError("…", recovery_ms=187.2)))
    'Your variables are kept, and the next cell can run: a new worker was ready after 187\u202fms.'
    """
    words = "Your variables are kept, and the next cell can run"
    if not isinstance(crash.error, WorkerDiedError):
        return f"{words}."
    took = crash.error.facts.get("recovery_ms")
    if isinstance(took, int | float):
        return f"{words}: a new worker was ready after {duration(took * _NS_A_MS)}."
    return f"{words}: a new worker starts."


def kept(crash: Crash) -> str:
    """What else is as it was."""
    words = "All variables of the notebook, the chosen device and the defaults"
    return f"{words}; '{crash.kernel}' is still bound." if crash.kernel else f"{words}."


def process_words(crash: Crash) -> list[str]:
    """Facts of the process for those who look deeper: signal, address, how much it wrote."""
    facts = crash.error.facts
    words = []
    if facts.get("signal_number"):
        words.append(f"{facts.get('signal')} is signal {facts['signal_number']}")
    if crash.fault is not None and crash.fault.address is not None:
        words.append(f"address 0x{crash.fault.address:x}")
    written = last_words(crash)
    words.append(f"{counted(written.count(chr(10)) + 1, 'line')} written at the end" if written else "nothing written")
    return words


def last_words(crash: Crash) -> str:
    """The last text that the process wrote."""
    return str(crash.error.facts.get("last_words") or crash.error.facts.get("output") or "").strip()
