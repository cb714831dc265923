"""Numbers that a panel changes: arguments by value and macros, each with its range, its control and its value."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cl_magic.build.value_range import Number, ValueRange
from cl_magic.clc.signature import Parameter
from cl_magic.clc.types import CType, type_of
from cl_magic.errors import ArgumentError

_STEPS = 200
_EXTENTS = {"width": 0, "w": 0, "nx": 0, "cols": 0, "columns": 0, "pitch": 0, "stride": 0}
_EXTENTS |= {"height": 1, "h": 1, "ny": 1, "rows": 1, "depth": 2, "nz": 2}
_COUNTS = ("n", "size", "count", "length", "len", "num", "total")


@dataclass(frozen=True, slots=True)
class Control:
    """One control of a panel.

    Attributes
    ----------
    name : str
    kind : {"number", "list", "text"}
        A slider with a field, a choice of few values, or a field.
    value : int, float or str
        What it starts with.
    low, high, step : int or float
    values : tuple
        All values, where they are few or not evenly apart.
    whole : bool
        Whether only whole numbers are meant.
    words : str
        Type, or what else stands beside the name.
    """

    name: str
    kind: str
    value: Number | str
    low: Number = 0
    high: Number = 0
    step: Number = 0
    values: tuple[Number | str, ...] = ()
    whole: bool = False
    words: str = ""

    @property
    def message(self) -> dict[str, Any]:
        """JSON form."""
        names = ("name", "kind", "value", "low", "high", "step", "whole", "words")
        return {name: getattr(self, name) for name in names} | {"values": list(self.values)}


def ranged(
    name: str, values: ValueRange, value: Number | str | None, words: str = "", *, whole: bool = False
) -> Control:
    """Return the control of a range, starting with `value` where that is in it.

    Examples
    --------
    >>> from cl_magic.build.value_range import parse_range
    >>> control = ranged("TILE", parse_range("4:64:x2"), 16)
    >>> control.kind, control.values, control.value
    ('list', (4, 8, 16, 32, 64), 16)
    >>> ranged("gain", parse_range("0.0:2.0"), None).step
    0.01
    """
    start: Number | str = values.low if value is None else value
    if isinstance(start, str):
        start = start if start in values.listed else values.listed[0] if values.listed else values.low
    elif not values.listed or isinstance(values.listed[0], int | float):
        start = values.nearest(start)
    else:
        start = values.listed[0]
    few = bool(values.listed or values.factor) or (
        not values.continuous and (values.high - values.low) / values.step <= 5  # noqa: PLR2004 - six buttons at most
    )
    if few:
        return Control(name, "list", start, values.low, values.high, values=values.values, words=words)
    step = values.step or _even_step(values.low, values.high)
    all_whole = whole or (isinstance(step, int) and isinstance(values.low, int))
    return Control(name, "number", start, values.low, values.high, step, whole=all_whole, words=words)


def scalar_control(
    parameter: Parameter, names: Mapping[str, Any], global_size: Sequence[int], given: ValueRange | None
) -> Control:
    """Return the control of an argument by value.

    It starts with the variable of its name, else with an extent of the range where its name is one (``width``), else
    with 1.

    Examples
    --------
    >>> control = scalar_control(Parameter(0, "gain", "float"), {"gain": 0.5}, (64,), None)
    >>> control.value, control.low, control.high
    (0.5, 0.0, 1.0)
    >>> scalar_control(Parameter(0, "width", "int"), {}, (640, 480), None).value
    640
    """
    ctype = type_of(parameter.type_name)
    value = names.get(parameter.name)
    if ctype is None or ctype.width > 1:
        return Control(parameter.name, "text", _written(value, ctype), words=parameter.type_name)
    start = _number(value, ctype)
    if start is None and given is None and ctype.family in ("signed", "unsigned"):
        start = _extent(parameter.name, global_size)
    if given is not None:
        return ranged(parameter.name, given, start, parameter.type_name, whole=ctype.family != "float")
    if ctype.family == "bool":
        return Control(parameter.name, "list", int(bool(start)), 0, 1, values=(0, 1), words="bool")
    found = (1 if ctype.family != "float" else 1.0) if start is None else start
    low, high, step = _around(found, ctype)
    whole = ctype.family != "float"
    return Control(parameter.name, "number", found, low, high, step, whole=whole, words=parameter.type_name)


def _around(value: Number, ctype: CType) -> tuple[Number, Number, Number]:
    """Ends and step of a slider without a range: they hold the value, and 0."""
    if ctype.family == "float":
        size = _round_up(max(1.0, 2 * abs(float(value))))
        low = -size if value < 0 else 0.0
        return low, size, _even_step(low, size)
    least, most = ctype.range
    high = min(most, max(100, 2 * abs(int(value))))
    return max(least, -high) if value < 0 else 0, high, 1


def _round_up(value: float) -> float:
    """The next of 1, 2, 5, 10 … above."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= value * (1 - 1e-9))


def _even_step(low: Number, high: Number) -> float:
    """A step of 1, 2 or 5 times a power of ten that makes about 200 of them."""
    width = float(high) - float(low)
    if not math.isfinite(width) or width <= 0:
        return 0.01
    return float(f"{_round_up(width / _STEPS):.12g}")


def _number(value: Any, ctype: CType) -> Number | None:  # noqa: ANN401 - any variable
    """A variable as a number of the type; None where it is none."""
    if isinstance(value, bool | np.bool_):
        return int(value)
    if isinstance(value, int | np.integer):
        number = int(value)
        if ctype.family == "float":
            return float(number)
        least, most = ctype.range
        return number if least <= number <= most else None
    if isinstance(value, float | np.floating) and ctype.family == "float" and math.isfinite(value):
        return float(value)
    return None


def _extent(name: str, global_size: Sequence[int]) -> int | None:
    axis = _EXTENTS.get(name.lower())
    if axis is not None:
        return global_size[axis] if axis < len(global_size) else 1
    return math.prod(global_size) if name.lower() in _COUNTS else None


def _written(value: Any, ctype: CType | None) -> str:  # noqa: ANN401 - any variable
    """A vector or a record as text."""
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return ", ".join(str(item) for item in value.tolist())
    return ", ".join(["0"] * ctype.width) if ctype is not None else ""


def read_value(text: Any, parameter: Parameter) -> Any:  # noqa: ANN401 - what a field holds
    """The Python value of a field's content: a number, or a tuple for a vector or a record.

    Raises
    ------
    ArgumentError
        It is no number.

    Examples
    --------
    >>> read_value("1, 2", Parameter(0, "p", "float2")), read_value(3, Parameter(0, "n", "int"))
    ((1, 2), 3)
    """
    if not isinstance(text, str):
        return text
    try:
        return ast.literal_eval(text.strip().replace("−", "-") or "None")
    except (ValueError, SyntaxError):
        message = f"{parameter.name}: {text!r} is no {parameter.type_name}"
        remedy = "a number; of a vector its components with commas between them"
        raise ArgumentError(message, remedy=remedy, parameter=parameter.name, value=text) from None
