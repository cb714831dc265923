"""The words of a launch: which keyword arguments of a kernel call belong to the launch and not to the kernel."""

from __future__ import annotations

import difflib
import keyword
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cl_magic.clc.signature import KernelSignature
from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import RESERVED_NAMES
from cl_magic.launch.plan import Remainder

_NOT_HERE = ("wait_for", "queue")
_CHOICES = {
    "remainder": ("auto", "split", "pad", "asis", "error"),
    "capture": ("auto", "none", "full"),
    "engine": (None, "worker", "inline"),
}
_MOST_RUNS = 1_000_000


@dataclass(frozen=True, slots=True)
class LaunchWords:
    """What a call said about its launch. Sizes are as the user gave them."""

    global_size: Any = None
    local_size: Any = None
    global_offset: Any = None
    device: Any = None
    engine: str | None = None
    remainder: Remainder = "auto"
    wait: bool = True
    timeout: float | None = None
    repeat: int = 1
    warmup: int = 0
    restore: bool = True
    capture: str | None = None


def split_words(signature: KernelSignature, kwargs: Mapping[str, Any]) -> tuple[LaunchWords, dict[str, Any]]:
    """Part a call's keyword arguments into those of the launch and those of the kernel.

    A kernel parameter whose name is a launch word is passed by position or with a trailing underscore; so is one whose
    name is a Python keyword.

    Raises
    ------
    ArgumentError
        A launch word with a value it cannot have.

    Examples
    --------
    >>> words, rest = split_words(KernelSignature("f"), {"global_size": 8, "x": 1})
    >>> words.global_size, rest
    (8, {'x': 1})
    """
    words = {name: value for name, value in kwargs.items() if name in RESERVED_NAMES}
    rest = {name: value for name, value in kwargs.items() if name not in words}
    for name in _NOT_HERE:
        if words.pop(name, None) is not None:
            message = f"{signature.name}: {name}= belongs to command-queues, which this version does not offer yet"
            raise ArgumentError(message, remedy=f"leave {name}= out: launches run in order", parameter=name)
    for name, value in words.items():
        _check_word(signature.name, name, value)
    return LaunchWords(**words), rest


def _check_word(kernel: str, name: str, value: object) -> None:
    choices = _CHOICES.get(name)
    if choices is not None and value not in choices:
        said = ", ".join(repr(choice) for choice in choices if choice)
        near = difflib.get_close_matches(str(value), [str(c) for c in choices], 1)
        remedy = f"use {near[0]!r}" if near else f"one of {said}"
        message = f"{kernel}: {name}={value!r} is not one of {said}"
        raise ArgumentError(message, remedy=remedy, kernel=kernel, parameter=name, value=value)
    if name in ("repeat", "warmup"):
        least = 1 if name == "repeat" else 0
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _MOST_RUNS:
            message = f"{kernel}: {name}={value!r}: a whole number from {least} to {_MOST_RUNS:,} is wanted"
            raise ArgumentError(message, remedy=f"{name}={max(least, 1)}", kernel=kernel, parameter=name, value=value)
    if name == "timeout" and value is not None and not (isinstance(value, (int, float)) and value > 0):
        message = f"{kernel}: timeout={value!r}: seconds, more than 0, are wanted"
        raise ArgumentError(message, remedy="timeout=10.0", kernel=kernel, parameter=name, value=value)


def python_name(name: str) -> str:
    """Return the keyword by which a parameter is passed: a Python keyword or a launch word gets a trailing underscore.

    Examples
    --------
    >>> python_name("in"), python_name("src"), python_name("device")
    ('in_', 'src', 'device_')
    """
    return f"{name}_" if keyword.iskeyword(name) or name in RESERVED_NAMES else name


def documentation(signature: KernelSignature) -> str:
    r"""Text of ``help(kernel)``: the comment above it, and its parameters.

    Examples
    --------
    >>> documentation(KernelSignature("f", doc="Adds."))
    'Adds.\n\nkernel f, called with:'
    """
    lines = [signature.doc, ""] if signature.doc else []
    lines += [f"kernel {signature.name}, called with:", *(f"    {p.declaration}" for p in signature.parameters)]
    return "\n".join(lines)


PLAIN_TYPES = (int, str, tuple, bool, float, type(None))
"""Values that are compared; others are the same when they are one object."""


def same_words(given: dict[str, Any], known: dict[str, Any]) -> bool:
    """Whether two calls say the same of their launch; arrays are the same only when they are one object.

    Examples
    --------
    >>> same_words({"global_size": 8}, {"global_size": 8}), same_words({"global_size": 8}, {})
    (True, False)
    """
    if len(given) != len(known):
        return False
    for name, value in given.items():
        other = known.get(name, same_words)
        if value is not other and (type(value) not in PLAIN_TYPES or type(other) not in PLAIN_TYPES or value != other):
            return False
    return True
