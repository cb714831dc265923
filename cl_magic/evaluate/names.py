"""Python's numbers as variables of a text to evaluate: those whose name the text uses."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cl_magic.clc.lexemes import lexemes

_DTYPES = {
    "int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort", "int32": "int", "uint32": "uint",
    "int64": "long", "uint64": "ulong", "float32": "float", "float64": "double",
}  # fmt: skip
_INTEGERS = (("int", -(1 << 31), 1 << 31), ("long", -(1 << 63), 1 << 63), ("ulong", 0, 1 << 64))
_UNKNOWN = re.compile(r"undeclared identifier '(\w+)'")
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Given:
    """A number of Python's as a variable: its name, its type in OpenCL C, and the value that is passed."""

    name: str
    type_name: str
    value: Any


def given_names(
    text: str, names: Mapping[str, Any], *, fp64: bool = True, without: Collection[str] = ()
) -> tuple[Given, ...]:
    """Variables for the names of a text that are numbers in Python.

    Parameters
    ----------
    text : str
        OpenCL C.
    names : mapping of str to object
        Python's variables. NumPy scalars keep their type; ``int`` becomes int, or long or ulong where it is too large;
        ``float`` becomes double (float where the device has no double); truth values become int.
    fp64 : bool
        Whether the device has double.
    without : collection of str
        Names that the text declares itself.

    Examples
    --------
    >>> given_names("x * n + y", {"x": np.float32(2), "n": 3, "y": "text"})
    (Given(name='x', type_name='float', value=np.float32(2.0)), Given(name='n', type_name='int', value=3))
    """
    taken = {*without, *_DEFINED.findall(text)}
    found: dict[str, Given] = {}
    for name in _used(text):
        if name in names and name not in taken and name not in found:
            given = _given(name, names[name], fp64=fp64)
            if given is not None:
                found[name] = given
    return tuple(found.values())


def not_given(message: str, names: Mapping[str, Any]) -> str:
    """Why a name that a compiler does not know is no variable although Python has it; "" where that is not so.

    Parameters
    ----------
    message : str
        Of a compiler.
    names : mapping of str to object
        Python's variables.

    Examples
    --------
    >>> not_given("use of undeclared identifier 'x'", {"x": np.zeros(3)})
    "Python's x is of type ndarray; only numbers are variables here: one of its elements, first = x[0]"
    """
    match = _UNKNOWN.search(message)
    if match is None or match[1] not in names:
        return ""
    name, value = match[1], names[match[1]]
    if isinstance(value, int):
        return f"Python's {name} does not fit in 64 bits"
    way = f": one of its elements, first = {name}[0]" if isinstance(value, (np.ndarray, list, tuple)) else ""
    return f"Python's {name} is of type {type(value).__name__}; only numbers are variables here{way}"


def _used(text: str) -> list[str]:
    """Words that may be variables: no call, no member, nothing in a preprocessor line."""
    seen = [lexeme for lexeme in lexemes(text) if lexeme.kind != "comment"]
    used = []
    for index, lexeme in enumerate(seen):
        before = seen[index - 1].text if index else ""
        after = seen[index + 1].text if index + 1 < len(seen) else ""
        if lexeme.kind == "word" and before != "." and after != "(":
            used.append(lexeme.text)
    return used


def _given(name: str, value: Any, *, fp64: bool) -> Given | None:  # noqa: ANN401 - any variable of the notebook
    if isinstance(value, (bool, np.bool_)):
        return Given(name, "int", int(value))
    if isinstance(value, np.float16):
        return Given(name, "float", np.float32(value))  # a kernel's half argument needs cl_khr_fp16
    if isinstance(value, np.generic):
        type_name = _DTYPES.get(value.dtype.name, "")
    elif isinstance(value, float):
        type_name = "double"
    elif isinstance(value, int):
        type_name = next((kind for kind, low, end in _INTEGERS if low <= value < end), "")
    else:
        return None
    if type_name == "double" and not fp64:
        return Given(name, "float", np.float32(value))
    return Given(name, type_name, value) if type_name else None
