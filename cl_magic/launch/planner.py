"""From an NDRange, a device and a kernel to a plan: the launches that stand for the range, with reasons.

No device is asked: everything follows from facts that were read before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from cl_magic.build.result import WorkGroupInfo
from cl_magic.clc.signature import KernelSignature
from cl_magic.errors import NDRangeError
from cl_magic.launch.automatic import LocalSize, choose_local_size
from cl_magic.launch.group_limits import check_limits, check_range, group_limit, required_size
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.padding import padding_obstacle
from cl_magic.launch.plan import LaunchPart, LaunchPlan, Remainder
from cl_magic.launch.remainder import remainder_error, remainder_text
from cl_magic.launch.split import divides, groups_of, split
from cl_magic.launch.whole_range import (
    CHANGED_BY_PADDING,
    REPLACEABLE,
    ProgramFacts,
    builtins_of,
    prelude_for,
    sub_group_queries,
)
from cl_magic.launch.wording import code_text, count, listed, size_text

NOTHING_KNOWN = ProgramFacts()
REMAINDERS = ("auto", "split", "pad", "asis", "error")


def plan(
    ndrange: NDRange,
    device: DeviceInfo,
    work_group: WorkGroupInfo,
    signature: KernelSignature,
    *,
    remainder: Remainder = "auto",
    program: ProgramFacts = NOTHING_KNOWN,
) -> LaunchPlan:
    """Plan a launch.

    Parameters
    ----------
    ndrange : NDRange
        As :func:`cl_magic.launch.sizes.normalise_sizes` gives it.
    device, work_group, signature
        What limits and describes the kernel.
    remainder : {"auto", "split", "pad", "asis", "error"}
        What to do where the range is no multiple of the group: the best that is exact; always separate launches; one
        launch rounded up, where a guard keeps the padding off; hand it to the driver as it is (and leave an open local
        size to it); refuse.
    program : ProgramFacts
        Language version, options and text of the build.

    Raises
    ------
    NDRangeError
        Over a limit, against ``reqd_work_group_size``, or a remainder that cannot be launched. The numbers are
        attributes.

    Examples
    --------
    >>> limits = {"max_work_item_sizes": (4096,) * 3, "max_work_group_size": 4096}
    >>> device = DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",), **limits)
    >>> done = plan(NDRange((10,), (4,)), device, WorkGroupInfo(4096, 8), KernelSignature("saxpy"))
    >>> done.mode, done.groups, [part.global_size for part in done.parts]
    ('split', (3,), [(8,), (2,)])
    """
    if remainder not in REMAINDERS:
        message = f"{signature.name}: remainder={remainder!r} is not one of {listed(map(repr, REMAINDERS), 'or')}"
        raise NDRangeError(message, remedy='remainder="auto" is the default', kernel=signature.name, value=remainder)
    check_range(ndrange, device, signature.name)
    return _Planner(ndrange, device, work_group, signature, remainder, program).plan()


@dataclass(frozen=True, slots=True)
class _Planner:
    ndrange: NDRange
    device: DeviceInfo
    work_group: WorkGroupInfo
    signature: KernelSignature
    remainder: Remainder
    program: ProgramFacts
    builtins: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "builtins", builtins_of(self.signature, self.program))

    def plan(self) -> LaunchPlan:
        chosen = self.local_size()
        if chosen is None:
            return self.left_to_driver()
        sizes, local = self.ndrange.global_size, chosen.local_size
        whole = LaunchPart(self.ndrange.offset, sizes, local)
        base = LaunchPlan(
            sizes, self.ndrange.offset, local, chosen.reason, "uniform", (whole,), groups_of(sizes, local),
            language_version=self.program.language_version,
        )  # fmt: skip
        if divides(sizes, local):
            return base
        ways = {"error": self.refused, "asis": self.as_it_is, "pad": self.padded, "split": self.in_parts}
        return ways.get(self.remainder, self.exact)(base)

    def local_size(self) -> LocalSize | None:
        """The group's size and why; None where it is left to the driver."""
        name, required = self.signature.name, self.required
        if required is not None:
            local = required_size(self.ndrange, required, self.device, self.work_group, name)
            attribute = f"reqd_work_group_size{required}"
            given = self.ndrange.local_size is not None
            reason = f"as you gave it, and as {attribute} asks" if given else f"{attribute} of the source"
            return LocalSize(local, reason)
        if (local_given := self.ndrange.local_size) is not None:
            check_limits(local_given, self.device, self.work_group, name)
            items = f"{count(math.prod(local_given))} of at most {count(group_limit(self.device, self.work_group))}"
            return LocalSize(local_given, f"as you gave it: {items} work-items")
        if self.remainder == "asis":
            return None
        hint = self.signature.work_group_size_hint
        return choose_local_size(
            self.ndrange.global_size, self.device, self.work_group, hint=hint, must_divide=not self.any_remainder
        )

    @property
    def required(self) -> tuple[int, int, int] | None:
        """``reqd_work_group_size`` from the front end, else from the device."""
        compiled = self.work_group.compile_work_group_size
        return self.signature.reqd_work_group_size or (compiled if any(compiled) else None)

    @property
    def cuts_groups(self) -> bool:
        """Whether one launch with smaller last groups is possible."""
        return self.device.non_uniform_work_groups and self.program.allows_non_uniform

    @property
    def later_version_helps(self) -> bool:
        """Whether the device would cut the last groups if the program were built as OpenCL C 2.0."""
        return self.remainder == "auto" and self.device.non_uniform_work_groups and self.program.version < (2, 0)

    @property
    def any_remainder(self) -> bool:
        """Whether some remainder could be launched, whatever its size."""
        if self.remainder == "pad":
            axes = range(self.ndrange.dimensions)
            return padding_obstacle(self.signature, tuple(axes)) is None
        if self.remainder == "error":
            return False
        return (self.remainder == "auto" and self.cuts_groups) or not sub_group_queries(self.builtins)

    def exact(self, base: LaunchPlan) -> LaunchPlan:
        if not self.cuts_groups:
            return self.in_parts(base)
        text = f"{remainder_text(base)}, and {self.device.short_name} cuts the last groups itself under "
        text += self.program.language_version
        return replace(base, mode="non-uniform", mode_reason=f"{text}: one launch.")

    def in_parts(self, base: LaunchPlan) -> LaunchPlan:
        if self.required is not None:
            raise self.error(base, f"reqd_work_group_size{self.required} allows no smaller group")
        if queries := sub_group_queries(self.builtins):
            raise self.error(base, f"{listed(queries)} would answer for one launch of a split range")
        parts = split(base.global_size, base.local_size or (), base.global_offset)
        why = f"{remainder_text(base)}, and {self.uniform_only}"
        launches = f"{len(parts)} launches cover it exactly" if len(parts) > 1 else "one smaller group holds it"
        if self.later_version_helps and len(parts) > 1:
            note = f"With --std=CL2.0 {self.device.short_name} could cut the last groups itself: one launch."
            base = replace(base, notes=(*base.notes, note))
        replaced = self.replaced(parts)
        if not replaced:
            return replace(base, mode="split", mode_reason=f"{why}: {launches}.", parts=parts)
        text = f"{why}: {launches}, and the program is rebuilt so that {listed(replaced)} "
        text += f"{'answers' if len(replaced) == 1 else 'answer'} for the whole range."
        return self.rebuilt(replace(base, mode="rebuilt", mode_reason=text, parts=parts), replaced)

    def replaced(self, parts: tuple[LaunchPart, ...]) -> tuple[str, ...]:
        """Functions that would answer wrongly in these parts."""
        # One smaller group is a range of its own: only what it was asked to be differs.
        return tuple(name for name in REPLACEABLE if name in self.builtins and (len(parts) > 1 or "enqueued" in name))

    def rebuilt(self, base: LaunchPlan, replaced: tuple[str, ...]) -> LaunchPlan:
        prelude = prelude_for(replaced, base.global_size, base.local_size or (), base.global_offset)
        return replace(base, replaced=replaced, prelude=prelude)

    @property
    def uniform_only(self) -> str:
        device = self.device.short_name
        if self.remainder == "split":
            return 'remainder="split" was asked for'
        if not self.device.non_uniform_work_groups:
            return f"{device} runs uniform groups only"
        if self.program.version < (2, 0):
            used = self.program.language_version or "a version that is not known"
            return f"{device} cuts groups only from OpenCL C 2.0 on, and this is {used}"
        return "-cl-uniform-work-group-size forbids cut groups"

    def padded(self, base: LaunchPlan) -> LaunchPlan:
        size = tuple(groups * local for groups, local in zip(base.groups, base.local_size or (), strict=True))
        axes = tuple(axis for axis, wanted in enumerate(base.global_size) if size[axis] != wanted)
        obstacle = padding_obstacle(self.signature, axes)
        if obstacle is not None:
            raise self.error(base, obstacle, pad=False)
        check_range(NDRange(size, base.local_size, base.global_offset), self.device, self.signature.name)
        extra = math.prod(size) - math.prod(base.global_size)
        lines = sorted({guard.line for guard in self.signature.guards if guard.dimension in axes})
        guard = f"the guard in line {listed(map(str, lines))} keeps the {count(extra)} extra work-items off the arrays"
        reason = f"{remainder_text(base)}: rounded up to {size_text(size)}; {guard}."
        part = LaunchPart(base.global_offset, size, base.local_size)
        done = replace(base, mode="padded", mode_reason=reason, parts=(part,), padded_global_size=size)
        replaced = tuple(name for name in CHANGED_BY_PADDING if name in self.builtins)
        return self.rebuilt(done, replaced) if replaced else done

    def as_it_is(self, base: LaunchPlan) -> LaunchPlan:
        reason = f'{remainder_text(base)}: handed to the driver as it is (remainder="asis"), which may refuse it.'
        return replace(base, mode="non-uniform", mode_reason=reason)

    def refused(self, base: LaunchPlan) -> LaunchPlan:
        raise self.error(base, 'remainder="error" was asked for')

    def left_to_driver(self) -> LaunchPlan:
        sizes, offset = self.ndrange.global_size, self.ndrange.offset
        reason = 'no local size was given, and remainder="asis" leaves it to the driver.'
        return LaunchPlan(
            sizes, offset, None, "left to the driver", "driver", (LaunchPart(offset, sizes, None),), (),
            mode_reason=reason, language_version=self.program.language_version,
            notes=(f"The driver does not say which work-group size it takes for {code_text(sizes)}.",),
        )  # fmt: skip

    def error(self, base: LaunchPlan, why: str, *, pad: bool = True) -> NDRangeError:
        pairs = zip(base.global_size, base.local_size or (), strict=True)
        axes = tuple(axis for axis, (size, local) in enumerate(pairs) if size % local)
        return remainder_error(
            base,
            f"{self.signature.name}: {remainder_text(base)}, and {why}",
            limit=group_limit(self.device, self.work_group),
            fixed=self.required is not None,
            pad=pad and padding_obstacle(self.signature, axes) is None,
            later_version=self.later_version_helps,
        )
