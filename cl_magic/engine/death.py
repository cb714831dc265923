"""What the end of a worker means for each command it had: which error, in which words, with which facts."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cl_magic.engine import fault_trap
from cl_magic.engine.commands import Build
from cl_magic.engine.exits import meaning_of
from cl_magic.engine.fault_report import fault_report
from cl_magic.engine.launch_facts import launch_facts
from cl_magic.errors import (
    BuildTimeoutError,
    CompilerCrashedError,
    DeviceLostError,
    KernelCrashedError,
    LaunchTimeoutError,
    OutOfMemoryError,
    WorkerDiedError,
)

if TYPE_CHECKING:
    from cl_magic.engine.ticket import WorkerTicket
    from cl_magic.engine.worker_process import WorkerEnd
    from cl_magic.record.fault import FaultReport

_ASKED = frozenset({"SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"})
CLOSED = "it was closed"
"""Reason of an end after which no worker is started."""
_RUNNING = frozenset({"launch", "prepare", "collect", "poll"})
"""Commands during which a kernel runs."""
_NOISE = re.compile(r"\s*($|PLEASE submit|Stack dump|#?\d+[.:]?\s|/\S+\()")
"""Lines that LLVM's handler writes, of all drivers."""
_SIMULATOR = "run it on the simulator (device='oclgrind'), which names the line"


@dataclass(slots=True)
class Death:
    """How a worker ended, and what it was at.

    Attributes
    ----------
    end : WorkerEnd
    running : WorkerTicket or None
        The command it was at.
    why : str
        Why it was ended, where that was on purpose.
    damaged : str
        What was wrong with its last message; it was ended for that.
    over_time : WorkerTicket or None
        The command whose limit it was ended for.
    launched : tuple of str
        Kernels it had run, the last one last.
    oom_kills : int
        Processes that the system ended for want of memory since the worker was started.
    errors : list of WorkerDiedError
        Those that were made of it.
    """

    end: WorkerEnd
    running: WorkerTicket | None = None
    why: str = ""
    damaged: str = ""
    over_time: WorkerTicket | None = None
    launched: tuple[str, ...] = ()
    oom_kills: int = 0
    errors: list[WorkerDiedError] = field(default_factory=list)

    def error(self, ticket: WorkerTicket, *, begun: bool) -> WorkerDiedError:
        """The error for a command that got no answer; `begun` where the worker was at it."""
        fault = self._fault(ticket) if begun and ticket.kind != "build" else None
        how = self._how(ticket, fault)
        kind = self._kind(ticket, begun=begun)
        last = self._last_line() if fault is None else ""
        error = kind(
            self._message(ticket, kind, how, begun=begun) + (f"; the last it wrote: {last}" if last else ""),
            remedy=self._remedy(ticket, kind, fault),
            **launch_facts(ticket),
            command=ticket.kind,
            begun=begun,
            program=_program(ticket),
            signal=self.end.how.signal,
            signal_number=_number(self.end.how.signal),
            exit_code=self.end.how.exit_code,
            in_words=how,
            fault=fault,
            suspects=() if begun and ticket.kind in _RUNNING else self.launched,
            reason=self.why,
            timeout=ticket.limit,
            oom_kills=self.oom_kills,
            last_words=self.end.text,
            output=self.end.text,
            recovery_ms=None,
        )
        self.errors.append(error)
        return error

    @property
    def asked(self) -> bool:
        """Whether somebody outside ended it: a signal that no kernel raises, or one that a process sent."""
        trapped = self.end.trapped
        return self.end.how.signal in _ASKED or (trapped is not None and trapped.sent)

    @property
    def _out_of_memory(self) -> bool:
        return self.end.how.signal == "SIGKILL" and self.oom_kills > 0

    def _kind(self, ticket: WorkerTicket, *, begun: bool) -> type[WorkerDiedError]:
        if ticket is self.over_time:
            return BuildTimeoutError if ticket.kind == "build" else LaunchTimeoutError
        if self.why or not begun:
            return WorkerDiedError
        if self._out_of_memory:
            return OutOfMemoryError
        if self.asked:
            return WorkerDiedError
        return {"build": CompilerCrashedError}.get(
            ticket.kind, KernelCrashedError if ticket.kernel else WorkerDiedError
        )

    def _fault(self, ticket: WorkerTicket) -> FaultReport | None:
        trapped = self.end.trapped
        return None if trapped is None else fault_report(trapped, self.end.maps, ticket.cargo.spans)

    def _how(self, ticket: WorkerTicket, fault: FaultReport | None) -> str:
        if self.why:
            return self.why
        if self.damaged:
            return f"its memory was damaged: {self.damaged}"
        name = self.end.how.signal
        if name is None:
            return f"exit code {self.end.how.exit_code}"
        return f"{name}: {self._signal_words(ticket, name, fault)}"

    def _signal_words(self, ticket: WorkerTicket, name: str, fault: FaultReport | None) -> str:
        if self._out_of_memory:
            return "memory ran out, and the system ended the worker before the notebook"
        if self.asked:
            return "another process sent it"
        if fault is not None and fault.words:
            return f"it {fault.words}"
        if ticket.kind == "build" and name == "SIGSEGV":
            return "a source that nests or chains too deeply for its stack, or a fault of the compiler"
        untold = name == "SIGSEGV" and ticket.kind in _RUNNING and self.end.trapped is None
        if untold and fault_trap.available():
            return "its stack is full, most often by a large private array; or its handler was taken away"
        return meaning_of(name)

    def _message(self, ticket: WorkerTicket, kind: type[WorkerDiedError], how: str, *, begun: bool) -> str:
        if ticket is self.over_time:
            behind = f" (it waited for {self.running.label})" if self.running not in (None, ticket) else ""
            return f"{ticket.label} did not end within timeout={ticket.limit:g} s{behind}: its worker was ended"
        if kind is KernelCrashedError:
            return f"{ticket.label} ended the worker process ({how})"
        if kind is CompilerCrashedError:
            return f"the compiler ended its process while it built {_program(ticket)} ({how})"
        ended = f"was ended ({self.why})" if self.why else f"ended ({how})"
        if begun:
            return f"the worker process {ended} while it was at {ticket.label}"
        at = f" at {self.running.label}" if self.running else ""
        return f"{ticket.label} had not begun when the worker process {ended}{at}"

    def _remedy(self, ticket: WorkerTicket, kind: type[WorkerDiedError], fault: FaultReport | None) -> str:
        if issubclass(kind, LaunchTimeoutError):
            return "look for a loop that does not end, launch fewer work-items, or give a longer timeout="
        if issubclass(kind, BuildTimeoutError):
            return "build a shorter program, or give a longer timeout="
        if issubclass(kind, OutOfMemoryError):
            return "use smaller arrays, or delete those that you do not need"
        if issubclass(kind, CompilerCrashedError):
            return f"change what you changed last in {_program(ticket)}, or build it on another device"
        if issubclass(kind, KernelCrashedError):
            return _kernel_remedy(self.end.how.signal, fault)
        return "a new worker is started: run the cell again"

    def _last_line(self) -> str:
        """The last line of its text that is no part of a stack trace."""
        if self.why:
            return ""
        return next((line.strip() for line in reversed(self.end.text.splitlines()) if not _NOISE.match(line)), "")


def _kernel_remedy(name: str | None, fault: FaultReport | None) -> str:
    if name == "SIGFPE":
        return "test the divisor before an integer division: if (d != 0)"
    if name == "SIGABRT":
        return f"the driver gave up: {_SIMULATOR}"
    if fault is not None and fault.where == "read-only array":
        return f"take const from {fault.parameter} and do not write through a cast"
    return f"compare the index with the array's length before the access; {_SIMULATOR}"


def _program(ticket: WorkerTicket) -> str:
    return ticket.command.spec.source_map.name if isinstance(ticket.command, Build) else ""


def _number(name: str | None) -> int | None:
    found = getattr(signal, name or "", None)
    return None if found is None else int(found)


def idle_note(death: Death) -> str:
    """What the next record says of a worker that ended by itself while it had no command; "" where it had one.

    Drivers find damage to their own memory late. No array of the host can be damaged so: they are fenced and checked.
    """
    if death.running is not None or death.why or death.asked or not death.launched:
        return ""
    name = death.end.how.signal or f"exit code {death.end.how.exit_code}"
    kernels = ", ".join(death.launched)
    return f"the worker before this one ended by itself ({name}) after running {kernels}: one of them may write outside"


def with_recovery(death: Death, recovery_ms: float) -> None:
    """Note in the errors of a death how long it took until a new worker answered."""
    for error in death.errors:
        error.facts["recovery_ms"] = recovery_ms


def lost_error(error: DeviceLostError, ticket: WorkerTicket) -> DeviceLostError:
    """The worker's error with the facts that only the notebook has."""
    told = {**launch_facts(ticket), "command": ticket.kind, "begun": True, "recovery_ms": None, **error.facts}
    return DeviceLostError(error.message, remedy=error.remedy, **told)
