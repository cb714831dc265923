"""`Controls` over a session: what the widgets of a notebook act through."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from cl_magic.build.spec import ProgramSpec
from cl_magic.call import PendingRun
from cl_magic.doctor.driver_files import driver_findings
from cl_magic.engine.discovery import known_discovery
from cl_magic.kernel import Kernel
from cl_magic.launch.controls import KernelFacts, Launched, planned
from cl_magic.launch.limits import DeviceInfo, DriverReport
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.set_sizes import Sizes
from cl_magic.launch.whole_range import ProgramFacts
from cl_magic.program import Program
from cl_magic.record.run import RunRecord
from cl_magic.session import Session, session


class SessionControls:
    """The default `Controls` (see :class:`cl_magic.launch.controls.Controls`): a session, and a notebook's variables.

    Parameters
    ----------
    of : Session, optional
        By default the one of the magics and ``clm.build``.
    names : callable, optional
        Gives the variables that arguments are taken from; by default those of ``__main__``, the notebook's own.

    Examples
    --------
    >>> controls = SessionControls()
    >>> controls.device == session().device
    True
    """

    def __init__(self, of: Session | None = None, names: Callable[[], Mapping[str, Any]] | None = None) -> None:
        self.session = of or session()
        self._names = names or _notebook_names
        self._remembered: dict[str, Any] = {}

    @property
    def device(self) -> DeviceInfo:
        """The current device."""
        return self.session.device

    def reports(self, *, refresh: bool = False) -> tuple[DriverReport, ...]:
        """Every driver with its devices or its trouble."""
        return self.session.reports(refresh=refresh)

    def troubles(self) -> tuple[DriverReport, ...]:
        """Drivers that give no device, each with the doctor's reason and remedy."""
        findings = driver_findings(known_discovery())
        return tuple(DriverReport(f.subject, (), f.text, f.remedy) for f in findings if f.severity == "error")

    def select(self, selector: str | int | DeviceInfo | None) -> DeviceInfo:
        """Make a device the current one."""
        return self.session.select(selector)

    def listen(self, listener: Callable[[DeviceInfo], None]) -> Callable[[], None]:
        """Have every selection told; the function returned ends that."""
        return self.session.listen(listener)

    def facts(self, kernel: Kernel) -> KernelFacts:
        """What decides how a kernel can be launched."""
        result = kernel.program.result
        program = ProgramFacts(result.language_version, result.spec.options, result.spec.source)
        return KernelFacts(kernel.signature, kernel.info.work_group, kernel.program.device, program, kernel.sizes)

    def plan(
        self,
        facts: KernelFacts,
        global_size: Any,  # noqa: ANN401 - every form that a call takes
        local_size: Any = None,  # noqa: ANN401
        global_offset: Any = None,  # noqa: ANN401
    ) -> LaunchPlan:
        """Plan a launch; asks no device."""
        return planned(facts, global_size, local_size, global_offset)

    def set_sizes(self, kernel: Kernel, sizes: Sizes) -> None:
        """Set the sizes of a kernel's calls that give none."""
        kernel.set_sizes(sizes)

    def build(self, spec: ProgramSpec, device: DeviceInfo | None = None) -> Program:
        """Build a specification, or return the program it gave before."""
        return self.session.build_spec(spec, self.device if device is None else device, None)

    def programs(self) -> tuple[Program, ...]:
        """The programs that are kept, oldest first."""
        return self.session.programs

    def submit(self, kernel: Kernel, args: Sequence[Any], words: Mapping[str, Any]) -> Launched:
        """Check a call, begin it and return at once."""
        pending = kernel(*args, **(dict(words) | {"wait": False}))
        assert isinstance(pending, PendingRun)  # noqa: S101 - that is what wait=False gives
        return Running(pending)

    def names(self) -> Mapping[str, Any]:
        """Variables that arguments may be taken from."""
        return self._names()

    def recall(self, key: str) -> Any:  # noqa: ANN401 - what was remembered
        """What was remembered under a key; None: nothing."""
        return self._remembered.get(key)

    def remember(self, key: str, value: Any) -> None:  # noqa: ANN401 - any value
        """Keep a widget's state for the next one of the same key."""
        self._remembered[key] = value


class Running:
    """A launch on its way, and the way to end it."""

    def __init__(self, pending: PendingRun) -> None:
        self._pending = pending

    @property
    def done(self) -> bool:
        """Whether :meth:`wait` would return or raise at once."""
        return self._pending.done

    def wait(self, timeout: float | None = None) -> RunRecord:
        """The record; TimeoutError after `timeout` seconds."""
        return self._pending.wait(timeout)

    def stop(self) -> bool:
        """Give the launch up; where it runs in a worker, end the worker: the next launch starts a new one."""
        ticket = self._pending.ticket
        if ticket.done:
            return False
        link = getattr(ticket, "link", None)
        if ticket.cancel() or link is None:
            return link is not None
        link.kill("you stopped it")
        return True


_known: WeakKeyDictionary[Session, SessionControls] = WeakKeyDictionary()


def controls_of(of: Session | None = None) -> SessionControls:
    """Return the controls that all widgets of a session share.

    Examples
    --------
    >>> controls_of() is controls_of()
    True
    """
    of = of or session()
    found = _known.get(of)
    if found is None:
        found = _known[of] = SessionControls(of)
    return found


def _notebook_names() -> Mapping[str, Any]:
    return vars(sys.modules["__main__"])
