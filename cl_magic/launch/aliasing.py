"""Arguments that are the same memory: one slot where it is identical, refused by name where it partly overlaps.

Two buffers of one piece of memory would hold two copies, and the one brought back last would win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cl_magic.clc.signature import KernelSignature
from cl_magic.errors import ArgumentError
from cl_magic.launch.request import ArrayArgument
from cl_magic.launch.staging import Staged

_MAX_WORK = 100_000
"""Steps that NumPy may take to find out whether two strided views meet; past it they count as meeting."""


@dataclass(frozen=True, slots=True)
class Slots:
    """Array arguments with their final slots, the values of the slots, and remarks."""

    arrays: tuple[ArrayArgument, ...]
    values: tuple[Any, ...]
    notes: tuple[str, ...] = ()


def share_slots(signature: KernelSignature, arrays: tuple[ArrayArgument, ...], values: tuple[Any, ...]) -> Slots:
    """Give arguments of identical memory one slot.

    Parameters
    ----------
    signature : KernelSignature
    arrays : tuple of ArrayArgument
        One for each of `values`, in this order, each with a slot of its own.
    values : tuple of array

    Raises
    ------
    ArgumentError
        Two arguments partly overlap and one is written. ``parameters`` names both.

    Examples
    --------
    >>> from cl_magic.launch.arguments import bind
    >>> from cl_magic.clc.signature import Parameter
    >>> two = tuple(Parameter(i, n, "float*", "global") for i, n in enumerate("xy"))
    >>> x = np.zeros(8, np.float32)
    >>> [a.slot for a in bind(KernelSignature("f", two), (x, x)).arrays]
    [0, 0]
    """
    pairs = [
        (i, j) for j in range(1, len(values)) for i in range(j) if _meet(values[i], values[j], arrays[i], arrays[j])
    ]
    return _shared(signature, arrays, values, pairs) if pairs else Slots(arrays, values)


def _shared(
    signature: KernelSignature, arrays: tuple[ArrayArgument, ...], values: tuple[Any, ...], pairs: list[tuple[int, int]]
) -> Slots:
    same_as: dict[int, int] = {}
    notes: list[str] = []
    for first, second in pairs:
        written = arrays[first].direction != "in" or arrays[second].direction != "in"
        if _identical(values[first], values[second], arrays[first], arrays[second]):
            same_as.setdefault(second, same_as.get(first, first))
            if written and any("restrict" in signature.parameters[arrays[n].index].qualifiers for n in (first, second)):
                notes.append(
                    f"{arrays[first].name} and {arrays[second].name} are the same memory although a restrict in "
                    f"{signature.name} promises they are not: the result is undefined."
                )
        elif written:
            raise _overlap(signature, arrays[first], arrays[second])
    return _renumbered(arrays, values, same_as, tuple(notes))


def _renumbered(
    arrays: tuple[ArrayArgument, ...], values: tuple[Any, ...], same_as: dict[int, int], notes: tuple[str, ...]
) -> Slots:
    slots: dict[int, int] = {}
    kept: list[Any] = []
    done: list[ArrayArgument] = []
    for number, (argument, value) in enumerate(zip(arrays, values, strict=True)):
        owner = same_as.get(number, number)
        if owner not in slots:
            slots[owner] = len(kept)
            kept.append(value)
        elif argument.direction != "in":
            kept[slots[owner]] = value  # of two views the one that results may be written to
        done.append(replace(argument, slot=slots[owner]))
    return Slots(tuple(done), tuple(kept), notes)


def check_copies(
    signature: KernelSignature, arrays: Sequence[ArrayArgument], staged: Sequence[Staged], args: Sequence[Any]
) -> None:
    """Refuse memory that travels as a copy in one argument and again in another, when either is written.

    Parameters
    ----------
    signature : KernelSignature
    arrays : sequence of ArrayArgument
        All of the call.
    staged : sequence of Staged
        Those that are copies.
    args : sequence
        All values of the call, by index.

    Raises
    ------
    ArgumentError
        ``parameters`` names both.

    Examples
    --------
    >>> check_copies(KernelSignature("f"), (), (), ())
    """
    for one in staged:
        for other in arrays:
            value = args[other.index]
            if other.index == one.argument.index or not isinstance(value, np.ndarray):
                continue
            written = one.argument.direction != "in" or other.direction != "in"
            if written and np.may_share_memory(one.original, value):
                raise _copied(signature, one.argument, other)


def _meet(one: Any, other: Any, first: ArrayArgument, second: ArrayArgument) -> bool:  # noqa: ANN401 - any array
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        if not np.may_share_memory(one, other):
            return False
        try:
            return np.shares_memory(one, other, max_work=_MAX_WORK)  # type: ignore[arg-type] # the stub knows two values
        except np.exceptions.TooHardError:
            return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray) or _memory(one) != _memory(other):
        return False
    return (
        first.offset_bytes < second.offset_bytes + second.nbytes
        and second.offset_bytes < first.offset_bytes + first.nbytes
    )


def _identical(one: Any, other: Any, first: ArrayArgument, second: ArrayArgument) -> bool:  # noqa: ANN401 - any array
    if not isinstance(one, np.ndarray):
        return (first.offset_bytes, first.nbytes) == (second.offset_bytes, second.nbytes)
    if one.__array_interface__["data"][0] != other.__array_interface__["data"][0] or one.nbytes != other.nbytes:
        return False
    same_layout = (one.shape, one.strides, one.dtype) == (other.shape, other.strides, other.dtype)
    return same_layout or (first.contiguous and second.contiguous)


def _memory(value: Any) -> int:  # noqa: ANN401 - any device array
    """What tells one piece of device memory from another."""
    memory = getattr(value, "base_data", value)
    return int(getattr(memory, "int_ptr", id(memory)))


def _overlap(signature: KernelSignature, first: ArrayArgument, second: ArrayArgument) -> ArgumentError:
    written = second if second.direction != "in" else first
    message = (
        f"{signature.name}: arguments {first.name} and {second.name} partly overlap in memory, "
        f"and {written.name} may be written ({written.reason})"
    )
    remedy = f"pass {second.name}.copy(), or arrays that are the same or apart"
    return _refusal(signature, message, remedy, first, second)


def _copied(signature: KernelSignature, copy: ArrayArgument, other: ArrayArgument) -> ArgumentError:
    first, second = sorted((copy, other), key=lambda argument: argument.index)
    written = second if second.direction != "in" else first
    message = (
        f"{signature.name}: arguments {first.name} and {second.name} share memory, {copy.name} is passed as a copy, as "
        f"its layout is not the kernel's, and {written.name} may be written ({written.reason})"
    )
    remedy = f"pass {second.name}.copy(), or an array in the layout of the kernel's type"
    return _refusal(signature, message, remedy, first, second)


def _refusal(
    signature: KernelSignature, message: str, remedy: str, first: ArrayArgument, second: ArrayArgument
) -> ArgumentError:
    names = (first.name, second.name)
    return ArgumentError(message, remedy=remedy, kernel=signature.name, parameter=second.name, parameters=names)
