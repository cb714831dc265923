"""Run records that differ from one whole example in a few fields, quick to make."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

from support.values import run_events, run_record

from cl_magic.record.run import RunRecord


@cache
def _whole() -> RunRecord:
    return run_record()


def run_with(**facts: Any) -> RunRecord:
    """The example record with other facts; its events follow `plan`, `repeat` and `warmup` where they are not given."""
    whole = _whole()
    if facts.keys() & {"plan", "repeat", "warmup"}:
        plan, repeat, warmup = (facts.get(name, getattr(whole, name)) for name in ("plan", "repeat", "warmup"))
        facts.setdefault("events", run_events(plan, repeat, warmup))
    return dataclasses.replace(whole, **facts)
