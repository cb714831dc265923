"""What a widget may do: the seam between controls on a screen and whatever knows devices, builds and launches.

Widgets get a `Controls`; they know no session, engine or queue. What they show is planned from :class:`KernelFacts`,
values that were read before, so that a picture follows a slider without any device.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cl_magic.build.result import WorkGroupInfo
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.signature import KernelSignature
from cl_magic.launch.limits import DeviceInfo, DriverReport
from cl_magic.launch.plan import LaunchPlan, Remainder
from cl_magic.launch.planner import NOTHING_KNOWN, plan
from cl_magic.launch.set_sizes import Sizes
from cl_magic.launch.sizes import normalise_sizes
from cl_magic.launch.whole_range import ProgramFacts

NO_SIZES = Sizes()


@dataclass(frozen=True, slots=True)
class KernelFacts:
    """All that decides how a kernel can be launched. A value: planning with it asks no device.

    Attributes
    ----------
    signature : KernelSignature
    work_group : WorkGroupInfo
        Of the kernel on `device`.
    device : DeviceInfo
    program : ProgramFacts
        Language version, options and text of the build.
    sizes : Sizes
        Sizes that were set for it beforehand.
    """

    signature: KernelSignature
    work_group: WorkGroupInfo
    device: DeviceInfo
    program: ProgramFacts = NOTHING_KNOWN
    sizes: Sizes = NO_SIZES

    @property
    def name(self) -> str:
        """Name of the kernel."""
        return self.signature.name

    @property
    def required(self) -> tuple[int, int, int] | None:
        """``reqd_work_group_size`` (OpenCL C 1.2, 6.7.2) from the front end, else from the device; None without it."""
        compiled = self.work_group.compile_work_group_size
        return self.signature.reqd_work_group_size or (compiled if any(compiled) else None)

    @property
    def local_mem_bytes(self) -> int:
        """Local memory that the kernel declares: the device's number, or the source's where that one is 0."""
        return max(self.work_group.local_mem_bytes, self.signature.static_local_bytes)


def planned(
    facts: KernelFacts,
    global_size: Any,  # noqa: ANN401 - every form that a call takes
    local_size: Any = None,  # noqa: ANN401
    global_offset: Any = None,  # noqa: ANN401
    *,
    remainder: Remainder = "auto",
) -> LaunchPlan:
    """Plan a launch from facts.

    Raises
    ------
    NDRangeError
        As a call with these sizes would.

    Examples
    --------
    >>> limits = {"max_work_item_sizes": (64, 64, 64), "max_work_group_size": 64}
    >>> device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), **limits)
    >>> facts = KernelFacts(KernelSignature("f"), WorkGroupInfo(64, 8), device)
    >>> planned(facts, 100, 16).groups
    (7,)
    """
    ndrange = normalise_sizes(global_size, local_size, global_offset, kernel=facts.name)
    return plan(ndrange, facts.device, facts.work_group, facts.signature, remainder=remainder, program=facts.program)


class Launched(Protocol):
    """A launch on its way."""

    @property
    def done(self) -> bool:
        """Whether :meth:`wait` would return or raise at once."""

    def wait(self, timeout: float | None = None) -> Any:  # noqa: ANN401 - a RunRecord
        """The record; raises what the launch raised, TimeoutError after `timeout` seconds (the launch goes on)."""

    def stop(self) -> bool:
        """Give the launch up, or end it where it runs; False where it is over, or where nothing can end it."""


class Controls(Protocol):
    """What widgets ask and do. Kernels and programs are handed through: a widget only reads what is here."""

    @property
    def device(self) -> DeviceInfo:
        """The current device; NoPlatformError or DeviceNotFoundError where there is none."""

    def reports(self, *, refresh: bool = False) -> tuple[DriverReport, ...]:
        """Every driver with its devices or its trouble; searched anew with `refresh`."""

    def troubles(self) -> tuple[DriverReport, ...]:
        """Drivers that give no device, each with the doctor's reason and remedy; as the last search found them."""

    def select(self, selector: str | int | DeviceInfo | None) -> DeviceInfo:
        """Make a device the current one; None: the default. DeviceNotFoundError where nothing fits."""

    def listen(self, listener: Callable[[DeviceInfo], None]) -> Callable[[], None]:
        """Have every selection told, whoever makes it; the function returned ends that."""

    def facts(self, kernel: Any) -> KernelFacts:  # noqa: ANN401 - a kernel
        """What decides how a kernel can be launched."""

    def plan(
        self,
        facts: KernelFacts,
        global_size: Any,  # noqa: ANN401 - every form that a call takes
        local_size: Any = None,  # noqa: ANN401
        global_offset: Any = None,  # noqa: ANN401
    ) -> LaunchPlan:
        """Plan a launch; asks no device. NDRangeError as the call would raise it."""

    def set_sizes(self, kernel: Any, sizes: Sizes) -> None:  # noqa: ANN401 - a kernel
        """Set the sizes of a kernel's calls that give none."""

    def build(self, spec: ProgramSpec, device: DeviceInfo | None = None) -> Any:  # noqa: ANN401 - a program
        """Build a specification, or return the program it gave before; BuildError with the whole result."""

    def programs(self) -> tuple[Any, ...]:
        """The programs that are kept, oldest first."""

    def submit(self, kernel: Any, args: Sequence[Any], words: Mapping[str, Any]) -> Launched:  # noqa: ANN401
        """Check a call, begin it and return at once; ArgumentError or NDRangeError before anything runs."""

    def names(self) -> Mapping[str, Any]:
        """Variables that arguments may be taken from, as they are now."""

    def recall(self, key: str) -> Any:  # noqa: ANN401 - what was remembered
        """What a widget remembered under a key, so that a cell run again shows the same; None: nothing."""

    def remember(self, key: str, value: Any) -> None:  # noqa: ANN401 - any value
        """Keep a widget's state for the next one of the same key."""
