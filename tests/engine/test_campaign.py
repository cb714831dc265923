"""No kernel takes the notebook down: hostile cells in a real notebook process, each followed by a probe.

The same as ``make campaign``, with fewer cases. R-95, C-24, and the public cases 31, 32, 33 and 39.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import pytest
from campaign.case import ARGUMENT, BOUNDS, CRASH, DONE, RIGHT, Case, Overrun, Result, Target
from campaign.generate import WEIGHTS, generate
from campaign.judge import Observed, judge, seen
from campaign.report import count_of, recoveries_ms, report
from campaign.run import campaign, interleaved, run_all, usable_devices

LEAST = 200
SHARE = 80
RECOVERY_MS = 1000
QUIET_START_MS = 400
"""An interpreter with NumPy and PyOpenCL starts in less on a machine that does nothing else."""
TARGET = Target("0:0", "pocl", local_mem_bytes=65536)


@pytest.fixture(scope="module")
def ran() -> tuple[list[Result], set[int]]:
    """Results of all cases on all devices, and the workers that were left behind."""
    targets = usable_devices()
    share = max(SHARE, -(-LEAST // len(targets)))
    with campaign(targets) as running:
        results = run_all(running, interleaved({target: generate(target, share) for target in targets}))
    return results, running.left_behind()


def _start_ms() -> float:
    """How long an interpreter with what a worker needs takes to start now: other work on the machine counts in both."""
    begin = time.monotonic()
    for _ in range(3):
        subprocess.run([sys.executable, "-c", "import numpy, pyopencl"], check=True)
    return (time.monotonic() - begin) / 3 * 1e3


@pytest.mark.slow
@pytest.mark.timeout(900)
class TestCampaign:
    """What must hold for each of them."""

    def test_there_are_enough(self, ran: tuple[list[Result], set[int]]) -> None:
        results, _ = ran
        print(report(results))  # noqa: T201 - the table, for who asks for it with -s
        assert len(results) >= LEAST
        assert {result.target for result in results} == set(usable_devices())

    @pytest.mark.parametrize(
        "kind", ["death", "variables", "bound", "probe", "others", "end", "blame", "outputs", "stop"]
    )
    def test_no_trouble(self, ran: tuple[list[Result], set[int]], kind: str) -> None:
        results, _ = ran
        troubled = [result for result in results if kind in result.kinds]
        assert not troubled, report(troubled)

    def test_every_overrun_is_accounted_for(self, ran: tuple[list[Result], set[int]]) -> None:
        overruns = [result for result in ran[0] if result.case.overrun is not None]
        assert len(overruns) > len(ran[0]) // 4
        assert not [result for result in overruns if seen(result) in ("unexplained", "refused")]

    def test_the_next_cell_works_within_a_second(self, ran: tuple[list[Result], set[int]]) -> None:
        limit = RECOVERY_MS * max(1.0, _start_ms() / QUIET_START_MS)
        for target in usable_devices():
            times = recoveries_ms(result for result in ran[0] if result.target == target)
            assert times
            assert statistics.median(times) <= limit, target

    def test_no_worker_is_left_behind(self, ran: tuple[list[Result], set[int]]) -> None:
        assert not ran[1]


def test_a_seed_gives_the_same_cases_and_each_family_has_some() -> None:
    made = generate(TARGET, 300, seed=3)
    assert made == generate(TARGET, 300, seed=3)
    assert made != generate(TARGET, 300, seed=4)
    assert len({(case.source, case.call, case.options) for case in made}) == 300
    assert len({case.family for case in made}) >= len(WEIGHTS)


def _case(call: str, *allowed: str) -> Case:
    source = "kernel void k(global int *x) { x[0] = 1; }"
    return Case("own", call, source, call, allowed or (RIGHT,), {"x": "np.zeros(4, np.int32)"}, check="x[0] == 1")


@pytest.mark.slow
def test_the_campaign_notices_a_death_a_changed_variable_and_a_wrong_value() -> None:
    targets = usable_devices()[:1]
    calls = {
        "__import__('os')._exit(9)": ["death"],
        "k(x, global_size=1)": [],
        "k(kept_small.view(np.int32)[:1] if 0 else x, global_size=1); kept_small[0] = 9": ["variables"],
        "k(x, global_size=1); x[0] = 7": ["end"],
        "k(x, global_size=-1); x[0] = 7": ["end"],
        "k(x, global_size=1); 1 / 0": ["end", "bound"],
    }
    with campaign(targets) as running:
        results = run_all(running, [(number, targets[0], _case(call)) for number, call in enumerate(calls, 1)])
    assert [list(result.kinds) for result in results] == list(calls.values())
    assert results[0].end == "notebook death"


def _answer(**changes: object) -> dict[str, object]:
    workers = {"0:0": 1, "1:0": 2}
    known = {"error": "", "ours": True, "message": "", "facts": {}, "value": True, "check_trouble": "", "probe": ""}
    return (
        known
        | {"bound_changed": [], "changed": [], "workers_then": workers, "workers_now": workers, "probe_ms": 1.0}
        | changes
    )


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({}, ()),
        ({"value": False}, ("end",)),
        ({"error": CRASH, "facts": {"kernel": "k"}}, ("end",)),
        ({"error": ARGUMENT, "bound_changed": ["x"]}, ("end", "bound")),
        ({"error": "ValueError", "ours": False}, ("end",)),
        ({"probe": "WorkerDiedError"}, ("probe",)),
        ({"changed": ["kept_small"]}, ("variables",)),
        ({"workers_now": {"0:0": 1, "1:0": 3}}, ("others",)),
        ({"workers_now": {"0:0": 5, "1:0": 2}}, ()),
    ],
)
def test_judging(changes: dict[str, object], kinds: tuple[str, ...]) -> None:
    result = judge(1, _case("k(x, global_size=1)"), TARGET, _answer(**changes), Observed(0.1, 100, None))
    assert result.kinds == kinds
    assert count_of([result], "probe") == ("probe" in kinds)


@pytest.mark.parametrize(
    ("end", "excuse", "facts", "how", "kinds"),
    [
        (CRASH, "", {"parameter": "x", "side": "after"}, "stopped", ()),
        (BOUNDS, "", {"parameter": "x", "side": "after"}, "canary", ()),
        (BOUNDS, "", {"parameter": "y", "side": "after"}, "canary", ("blame",)),
        (CRASH, "", {}, "stopped", ("blame",)),
        ("", "a read of slack", {}, "undetectable", ()),
        ("", "", {}, "unexplained", ("end",)),
    ],
)
def test_judging_an_overrun(end: str, excuse: str, facts: dict[str, str], how: str, kinds: tuple[str, ...]) -> None:
    overrun = Overrun("x", 16, "write", "after", 0, excuse=excuse)
    allowed = (CRASH, BOUNDS, *((DONE,) if excuse else ()))
    case = Case("own", "write", "", "k(x)", allowed, overrun=overrun)
    told = {"kernel": "k", "fault": facts}
    result = judge(1, case, TARGET, _answer(error=end, facts=told, value=None), Observed(0.1, 0, None))
    assert seen(result) == how
    assert result.kinds == kinds
