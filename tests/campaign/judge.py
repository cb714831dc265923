"""Whether what became of a case is right: its end, its arrays, the other variables, the probe, the blame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from campaign.case import BOUNDS, CRASH, DONE, RIGHT, Case, Result, Target

STOP_S = 1.5
"""Seconds from the stop button to the end of the cell: 1, and what the machine of a test may add."""
Seen = Literal["stopped", "canary", "undetectable", "left out", "unexplained", "refused"]


@dataclass(frozen=True, slots=True)
class Observed:
    """What the runner saw of a case, beside what the notebook tells."""

    seconds: float
    outputs_bytes: int
    stopped_s: float | None


def end_of(answer: dict[str, Any], case: Case) -> str:
    """The end of a case as a word (:mod:`campaign.case`)."""
    if answer["error"]:
        return str(answer["error"])
    return RIGHT if case.check and answer["value"] else DONE


def judge(number: int, case: Case, target: Target, answer: dict[str, Any], observed: Observed) -> Result:
    """Compare what was told with what is right."""
    end = end_of(answer, case)
    troubles = [
        *_end_troubles(case, target, end, answer),
        *_invariants(answer, target, failed=bool(answer["error"])),
        *_outside(case, observed),
        *_blame(case, end, answer["facts"]),
    ]
    then, now = answer["workers_then"], answer["workers_now"]
    restarted = then.get(target.id) != now.get(target.id)
    return Result(
        number, target, case, end, answer["facts"] | {"message": answer["message"]},
        tuple(text for _, text in troubles), tuple(kind for kind, _ in troubles),
        answer["probe_ms"] + float(answer["facts"].get("recovery_ms") or 0.0), restarted, observed.seconds,
    )  # fmt: skip


def _end_troubles(case: Case, target: Target, end: str, answer: dict[str, Any]) -> list[tuple[str, str]]:
    allowed = case.ends(target)
    if answer["check_trouble"]:
        return [("end", f"the check failed: {answer['check_trouble']}")]
    if answer["error"] and not answer["ours"] and end != "KeyboardInterrupt":
        return [("end", f"an error that is not ours: {end}: {answer['message'][:300]}")]
    if end == DONE and case.check and DONE not in allowed and RIGHT in allowed:
        return [("end", "the value is wrong")]
    if end == RIGHT and DONE in allowed:
        return []
    return [] if end in allowed else [("end", f"{end} instead of {' or '.join(allowed)}: {answer['message'][:300]}")]


def _invariants(answer: dict[str, Any], target: Target, *, failed: bool) -> list[tuple[str, str]]:
    troubles = []
    if answer["changed"]:
        troubles.append(("variables", f"changed notebook variables: {', '.join(answer['changed'])}"))
    if failed and answer["bound_changed"]:
        troubles.append(("bound", f"the launch failed, and changed {', '.join(answer['bound_changed'])}"))
    if answer["probe"]:
        troubles.append(("probe", f"the next cell: {answer['probe']}"))
    then, now = answer["workers_then"], answer["workers_now"]
    others = [device for device in now if device != target.id and then.get(device) != now[device]]
    if others:
        troubles.append(("others", f"workers of other devices were replaced: {', '.join(others)}"))
    return troubles


def _outside(case: Case, observed: Observed) -> list[tuple[str, str]]:
    troubles = []
    if observed.outputs_bytes > case.outputs_limit:
        troubles.append(("outputs", f"the cells put {observed.outputs_bytes:,} bytes into the notebook"))
    if observed.stopped_s is not None and observed.stopped_s > STOP_S:
        troubles.append(("stop", f"the stop button took {observed.stopped_s:.1f} s"))
    return troubles


def _blame(case: Case, end: str, facts: dict[str, Any]) -> list[tuple[str, str]]:
    """A crash names its kernel; what was told of a near overrun names the array and the side."""
    if end not in (CRASH, BOUNDS):
        return []
    if facts.get("kernel") != "k":
        return [("blame", f"the error names the kernel {facts.get('kernel')!r}")]
    overrun, fault = case.overrun, facts.get("fault")
    if overrun is None or overrun.far:
        return []
    if not fault:
        return [("blame", f"a near overrun without a fault report: {facts}")]
    if (fault["parameter"], fault["side"]) != (overrun.parameter, overrun.side):
        return [
            ("blame", f"{fault['side']} {fault['parameter']!r} was blamed, not {overrun.side} {overrun.parameter!r}")
        ]
    return []


def seen(result: Result) -> Seen:
    """How an overrun was met."""
    overrun = result.case.overrun
    if result.end == BOUNDS:
        return "canary"
    if result.end in (RIGHT, DONE):
        if overrun is None or not overrun.excuse:
            return "unexplained"
        return "left out" if result.target.simulator else "undetectable"
    return "stopped" if result.end in (CRASH, "DeviceLostError", "WorkerDiedError") else "refused"
