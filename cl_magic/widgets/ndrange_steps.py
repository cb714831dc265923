"""What an NDRange picker offers: the sizes of a work-group in one dimension, and ways out of a size that cannot be."""

from __future__ import annotations

import functools
import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from cl_magic.errors import NDRangeError
from cl_magic.launch.controls import KernelFacts, planned
from cl_magic.launch.group_limits import group_limit, is_legal
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.wording import size_text

_NUMBER = re.compile(r"(\d+)(?:(\*\*|<<|[*×+-])(\d+))?", re.ASCII)
_SIGNS: dict[str, Callable[[int, int], int]] = {
    "*": operator.mul,
    "×": operator.mul,
    "+": operator.add,
    "-": operator.sub,
    "<<": operator.lshift,
    "**": operator.pow,
}
_MOST_DIGITS, _MOST_BITS = 40, 127
_MOST = 10**_MOST_DIGITS
"""Larger than any size; what is typed beyond it is taken for this, and refused."""


@dataclass(frozen=True, slots=True)
class Step:
    """One size of a work-group along an axis.

    Attributes
    ----------
    size : int
        Work-items.
    divides : bool
        Whether it divides the global size there, so that nothing remains.
    preferred : bool
        Whether the group's items are then a multiple of what the device prefers.
    legal : bool
        Whether a launch with it, the other dimensions as they are, can be planned.
    """

    size: int
    divides: bool
    preferred: bool
    legal: bool


def whole_number(text: str, what: str, kernel: str) -> int:
    """Read a size as it was typed: digits with blanks or ``_`` between, hexadecimal, or one ``* + - ** <<``.

    Raises
    ------
    NDRangeError
        It is no whole number; negative ones and zero are left to the planner.

    Examples
    --------
    >>> whole_number("1 024", "global x", "f"), whole_number("1<<20", "global x", "f"), whole_number("-5", "x", "f")
    (1024, 1048576, -5)
    """
    bare = re.sub(r"[\s_\u202f]", "", text)
    if re.fullmatch(r"0[xX][0-9a-fA-F]{1,32}", bare):
        return int(bare, 16)
    found = _NUMBER.fullmatch(bare.removeprefix("-"))
    if found is None:
        message = f"{kernel}: {what} is {text!r}, which is no whole number" if bare else f"{kernel}: {what} is empty"
        raise NDRangeError(message, remedy="digits, or 1<<20, 2**20, 16*40", kernel=kernel, value=text)
    left, sign, right = _bounded(found[1]), found[2] or "+", _bounded(found[3] or "0")
    if sign in ("**", "<<"):
        left, right = min(left, _MOST), min(right, _MOST_BITS)
    value = _SIGNS[sign](left, right)
    return -value if bare.startswith("-") else value


def _bounded(digits: str) -> int:
    return int(digits) if len(digits) <= _MOST_DIGITS else _MOST


def steps_of(facts: KernelFacts, ndrange: NDRange, local: tuple[int, ...], axis: int) -> tuple[Step, ...]:
    """Sizes offered along an axis, ascending: divisors of the range, and powers of two times the preferred multiple.

    Parameters
    ----------
    facts : KernelFacts
    ndrange : NDRange
        The range as it is.
    local : tuple of int
        The group as it is, chosen or given.
    axis : int
        0 is x.

    Examples
    --------
    >>> from cl_magic.build.result import WorkGroupInfo
    >>> from cl_magic.clc.signature import KernelSignature
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> limits = {"max_work_item_sizes": (64, 64, 64), "max_work_group_size": 64}
    >>> facts = KernelFacts(KernelSignature("f"), WorkGroupInfo(64, 8), DeviceInfo("", "", "", "", (), **limits))
    >>> steps = steps_of(facts, NDRange((12, 4)), (4, 4), 0)
    >>> [step.size for step in steps], [step.size for step in steps if not step.divides]
    ([1, 2, 3, 4, 6, 8, 12], [8])
    """
    size = ndrange.global_size[axis]
    multiple = max(1, facts.work_group.preferred_multiple)
    others = math.prod(local[:axis] + local[axis + 1 :])
    if facts.required is not None:
        fixed = local[axis]
        return (Step(fixed, size % fixed == 0, math.prod(local) % multiple == 0, legal=True),)
    items = facts.device.max_work_item_sizes
    limit = min(group_limit(facts.device, facts.work_group), items[axis] if axis < len(items) else 1, size)
    steps = []
    for candidate in _candidates(size, limit, multiple if axis == 0 else 1):
        group = (*local[:axis], candidate, *local[axis + 1 :])
        legal = is_legal(group, facts.device, facts.work_group) and _plans(facts, ndrange, group)
        steps.append(Step(candidate, size % candidate == 0, candidate * others % multiple == 0, legal))
    return tuple(steps)


@functools.lru_cache(maxsize=256)
def _candidates(size: int, limit: int, multiple: int) -> tuple[int, ...]:
    divisors = {n for n in range(1, limit + 1) if size % n == 0}
    doubled = {multiple << shift for shift in range(limit.bit_length())}
    return tuple(sorted(n for n in divisors | doubled if n <= limit))


def _plans(facts: KernelFacts, ndrange: NDRange, group: tuple[int, ...]) -> bool:
    try:
        planned(facts, ndrange.global_size, group, ndrange.global_offset)
    except NDRangeError:
        return False
    return True


def ways_out(facts: KernelFacts, ndrange: NDRange) -> tuple[tuple[str, NDRange], ...]:
    """Ranges near one that cannot be launched, each with the words for its button; each of them can be planned.

    Examples
    --------
    >>> from cl_magic.build.result import WorkGroupInfo
    >>> from cl_magic.clc.signature import KernelSignature
    >>> from cl_magic.launch.limits import DeviceInfo
    >>> limits = {"max_work_item_sizes": (64, 64, 64), "max_work_group_size": 64}
    >>> kernel = KernelSignature("f", reqd_work_group_size=(8, 1, 1))
    >>> facts = KernelFacts(kernel, WorkGroupInfo(64, 8), DeviceInfo("", "", "", "", (), **limits))
    >>> [words for words, _ in ways_out(facts, NDRange((60,)))]
    ['Global 64', 'Global 56']
    """
    found: list[tuple[str, NDRange]] = []
    required, offset = facts.required, ndrange.global_offset
    sizes = ndrange.global_size
    if required is None and ndrange.local_size is not None:
        found.append(("Automatic group", NDRange(sizes, None, offset)))
    if required is not None:
        dimensions = max(len(sizes), *(axis + 1 for axis in range(3) if required[axis] != 1), 1)
        sizes += required[len(sizes) : dimensions]
        offset = None if offset is None else (*offset, *(0,) * (dimensions - len(offset)))
    local = required[: len(sizes)] if required is not None else ndrange.local_size
    if local is not None and len(local) == len(sizes):
        up = tuple(-(-n // k) * k for n, k in zip(sizes, local, strict=True))
        down = tuple(max(n - n % k, k) for n, k in zip(sizes, local, strict=True))
        given = None if required is not None else local
        found += [
            (f"Global {size_text(wanted)}", NDRange(wanted, given, offset)) for wanted in dict.fromkeys((up, down))
        ]
    return tuple((words, way) for words, way in found if _works(facts, way))


def _works(facts: KernelFacts, way: NDRange) -> bool:
    try:
        planned(facts, way.global_size, way.local_size, way.global_offset)
    except NDRangeError:
        return False
    return True
