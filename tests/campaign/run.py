"""Runs hostile cells in a real notebook process, one after the other, each followed by the probe."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from campaign.case import Case, Result, Target
from campaign.judge import Observed, judge
from campaign.notebook import Notebook, NotebookDiedError, NotebookHangsError, Reply

LIMIT_S = 60.0
"""Seconds for one cell; the stop button follows, then the end of the notebook."""
_SETUP = """import campaign.inside as _campaign
_campaign_pids = _campaign.start(get_ipython(), {devices!r})"""
_GONE_S = 3.0

Numbered = tuple[int, Target, Case]


class Campaign:
    """A notebook that is replaced when it dies.

    Parameters
    ----------
    targets : sequence of Target
        All devices on which the probe is built.
    """

    def __init__(self, targets: Sequence[Target]) -> None:
        self._targets = tuple(targets)
        self._notebook: Notebook | None = None
        self.workers: set[int] = set()
        """Process ids of all workers that were seen."""

    @property
    def notebook(self) -> Notebook:
        """The notebook, started where none runs."""
        if self._notebook is None:
            self._notebook = Notebook()
            devices = [target.id for target in self._targets]
            reply = self._notebook.run(_SETUP.format(devices=devices), "_campaign_pids", limit_s=120)
            self._remember(json.loads(reply.value))
        return self._notebook

    def _remember(self, pids: dict[str, int | None]) -> None:
        self.workers |= {pid for pid in pids.values() if pid}

    def run(self, number: int, case: Case, target: Target) -> Result:
        """Run one case and judge it."""
        notebook = self.notebook
        begin = time.monotonic()
        try:
            replies = self._cells(notebook, case, target)
            call = f"_campaign.after(globals(), {target.id!r}, {case.check!r})"
            told = notebook.run("", call, limit_s=LIMIT_S)
        except (NotebookDiedError, NotebookHangsError) as death:
            self.close()
            end = "notebook death" if isinstance(death, NotebookDiedError) else "no answer"
            seconds, words = time.monotonic() - begin, f"{end}; its last words: {death}"
            return Result(number, target, case, end, {}, (words,), ("death",), duration_s=seconds)
        answer = json.loads(told.value)
        self._remember(answer["workers_now"])
        stopped = [reply.stopped_s for reply in replies if reply.stopped_s is not None]
        size = sum(reply.outputs_bytes for reply in replies)
        observed = Observed(time.monotonic() - begin, size, stopped[0] if stopped else None)
        return judge(number, case, target, answer, observed)

    def _cells(self, notebook: Notebook, case: Case, target: Target) -> list[Reply]:
        """Type the case as one cell, or its source under the magic and the call in a cell of its own."""
        made = "".join(f"{name} = {text}\n" for name, text in case.arrays.items())
        setup = f"{made}run = k = None\n_campaign.before({', '.join(f'{name}={name}' for name in case.arrays)})\n"
        if not case.magic:
            build = f"k = clm.build({case.source!r}, options={case.options!r}, device={target.id!r})['k']\n"
            code = f"{setup}{build}run = {case.call}"
            return [notebook.run(code, limit_s=LIMIT_S, stop_after_s=case.stop_after_s)]
        replies = [notebook.run(setup, limit_s=LIMIT_S)]
        cell = f"%%opencl --device={target.id} --as=program --force {case.options}\n{case.source}"
        replies.append(notebook.run(cell, limit_s=LIMIT_S, stop_after_s=case.stop_after_s))
        if replies[-1].status == "ok":
            call = f"run = program['k']{case.call[1:]}\nrun"
            replies.append(notebook.run(call, limit_s=LIMIT_S, stop_after_s=case.stop_after_s))
        return replies

    def close(self) -> None:
        """End the notebook."""
        notebook, self._notebook = self._notebook, None
        if notebook is not None:
            notebook.close()

    def left_behind(self) -> set[int]:
        """Workers that still run three seconds after the notebook ended."""
        deadline = time.monotonic() + _GONE_S
        while (left := {pid for pid in self.workers if _runs(pid)}) and time.monotonic() < deadline:
            time.sleep(0.05)
        return left


def _runs(pid: int) -> bool:
    with suppress(OSError):
        return b"cl_magic.engine.worker_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


@contextmanager
def campaign(targets: Sequence[Target]) -> Iterator[Campaign]:
    """A campaign that is closed at the end."""
    made = Campaign(targets)
    try:
        yield made
    finally:
        made.close()


def run_all(made: Campaign, cases: Sequence[Numbered], tell: Callable[[Result], None] | None = None) -> list[Result]:
    """Run all cases in order; `tell` is called with each result."""
    results = []
    for number, target, case in cases:
        result = made.run(number, case, target)
        results.append(result)
        if tell is not None:
            tell(result)
    return results


def interleaved(cases: dict[Target, list[Case]]) -> list[Numbered]:
    """All cases of all devices in turn, so that a crash of one device is followed by work on another."""
    queues = {target: list(made) for target, made in cases.items()}
    total = max(map(len, queues.values()), default=0)
    order: list[tuple[Target, Case]] = []
    for turn in range(total):
        order += [(target, made[turn]) for target, made in queues.items() if turn < len(made)]
    return [(number, target, case) for number, (target, case) in enumerate(order, 1)]


def usable_devices() -> list[Target]:
    """The devices of this machine."""
    from cl_magic.device import devices  # noqa: PLC0415 - looks for drivers

    return [
        Target(found.id, found.family, found.fp64, found.images, found.local_mem_bytes, "gpu" in found.type)
        for found in devices()
    ]
