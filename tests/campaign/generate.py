"""A seeded list of hostile cells for a device: the public ones first, then each family in turn."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from campaign.case import Case, Target
from campaign.families import calls, endings, overruns, sources
from campaign.families.public import public_cases

Family = Callable[[Random, Target], Case]

WEIGHTS: dict[Family, int] = {
    overruns.near_write: 14,
    overruns.near_write_of_a_range: 8,
    overruns.near_read: 10,
    overruns.far: 10,
    overruns.atomic: 5,
    overruns.certain: 3,
    overruns.read_only: 4,
    endings.endless: 5,
    endings.stopped_by_hand: 1,
    endings.null: 6,
    endings.recursion: 2,
    endings.call_chain: 1,
    endings.huge_private: 3,
    endings.huge_local: 3,
    endings.barrier: 5,
    endings.division: 6,
    endings.trap: 5,
    calls.wrong_array: 6,
    calls.wrong_number: 4,
    calls.wrong_count: 4,
    calls.wrong_size: 5,
    calls.nan_flood: 3,
    calls.aliasing: 4,
    calls.layout: 3,
    sources.giant: 2,
    sources.compiler: 5,
    sources.options: 4,
    sources.printf_flood: 2,
    sources.printf_without_end: 1,
    sources.unresolved: 3,
}
SLOW: dict[Family, int] = {sources.monstrous: 2}
"""Only where there is time: in the long campaign."""
_TRIES = 50


def generate(target: Target, count: int, seed: int = 1, *, slow: bool = False) -> list[Case]:
    """Make `count` different cases, the same ones for the same seed."""
    rng = Random(f"{seed} {target.family}")  # noqa: S311 - not for secrets
    weights = WEIGHTS | SLOW if slow else WEIGHTS
    made = public_cases(target)[:count]
    seen = {(case.source, case.call, case.options) for case in made}
    for family in _order(weights, count, rng):
        if len(made) == count:
            break
        for _ in range(_TRIES):
            case = family(rng, target)
            key = (case.source, case.call, case.options)
            if key not in seen:
                seen.add(key)
                made.append(case)
                break
    return made


def _order(weights: dict[Family, int], count: int, rng: Random) -> list[Family]:
    """Families in turn, each as often as its weight says; a family that has no new case left is made up for."""
    turns: list[Family] = []
    while len(turns) < 3 * count + sum(weights.values()):
        block = [family for family, weight in weights.items() for _ in range(weight)]
        rng.shuffle(block)
        turns += block
    return turns
