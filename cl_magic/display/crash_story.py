"""What a crash's report tells in sentences: what happened, and what to do next."""

from __future__ import annotations

import math
import re

from cl_magic.display.crash_arrays import element_reached
from cl_magic.display.crash_facts import Crash
from cl_magic.display.ndrange import sizes_words
from cl_magic.display.quantity import counted
from cl_magic.errors import (
    BuildTimeoutError,
    DeviceLostError,
    KernelCrashedError,
    LaunchTimeoutError,
    OutOfBoundsError,
)
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.plan import LaunchPlan
from cl_magic.record.numbers import NARROW

_THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
_CALL = re.compile(r"[^:]*, line \d+: (?P<code>.*)")


def what_happened(crash: Crash) -> list[str]:
    """Sentences with the numbers: what was launched, where it reached, how the process ended."""
    sentences = []
    if crash.plan is not None:
        sentences.append(_launched(crash, crash.plan))
    fault = crash.fault
    if fault is not None and fault.words:
        element = element_reached(crash, fault)
        did = (
            fault.words.replace("overwritten", "were found overwritten")
            if fault.where == "slack"
            else f"It {fault.words}"
        )
        sentences.append(f"{_THOUSANDS.sub(NARROW, did)}{'; ' + element if element else ''}.")
    words = str(crash.error.facts.get("in_words") or "").strip()
    told = isinstance(crash.error, LaunchTimeoutError | BuildTimeoutError) or (fault is not None and fault.words)
    if words and not told:
        sentences.append(f"{words[0].upper()}{words[1:]}{'' if words.endswith('.') else '.'}")
    suspects = [name for name in crash.names("suspects") if name != f"kernel {crash.kernel}"]
    if suspects:
        sentences.append(f"Launches since the arrays were last found whole: {', '.join(suspects)}.")
    return sentences or [crash.error.message]


def _launched(crash: Crash, plan: LaunchPlan) -> str:
    """Say what was launched: ``1 000 items in groups of 64, 16 groups, on PoCL cpu``."""
    parts = [sizes_words(plan), counted(math.prod(plan.groups), "group") if plan.groups else ""]
    device = crash.error.facts.get("device")
    parts.append(f"on {device.short_name}" if isinstance(device, DeviceInfo) else "")
    return f"{', '.join(filter(None, parts))}."


def next_steps(crash: Crash, where: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """What to do, in order: a sentence, and a line to type or "".

    Parameters
    ----------
    crash : Crash
    where : tuple of str
        The user's lines that led to the crash, innermost last.
    """
    steps = []
    wrong_access = isinstance(crash.error, KernelCrashedError | OutOfBoundsError | DeviceLostError)
    if wrong_access and crash.simulator and crash.kernel:
        line = _on_simulator(crash, where)
        steps.append(("Check with the simulator: it names the work-item and the line.", line))
    remedy = _remedy(crash, said=bool(steps))
    steps += [(remedy, "")] if remedy else []
    steps += [(f"Fill '{name}' again before you use it.", "") for name in crash.names("partly_written")]
    steps += [(f"Make '{name}' again.", "") for name in crash.names("lost")]
    return steps


def _remedy(crash: Crash, *, said: bool) -> str:
    """The error's own remedy as a sentence; without the simulator where a step of its own says it."""
    parts = [part for part in crash.error.remedy.split("; ") if not (said and "the simulator (device=" in part)]
    words = "; ".join(part for part in parts if part)
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _on_simulator(crash: Crash, where: tuple[str, ...]) -> str:
    """The user's own call with the simulator as its device, where the call is one line."""
    found = _CALL.match(where[-1]) if where else None
    code = found["code"].strip() if found else ""
    device = f'device="{crash.simulator}"'
    if f"{crash.kernel}(" in code and code.endswith(")") and code.count("(") == code.count(")"):
        return f"{code[:-1]}, {device})"
    return f"{crash.kernel}(…, {device})"
