"""Ranges of values in one notation: of a `#define`'s comment, of a magic line, of a sweep."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cl_magic.errors import OptionError

Number = int | float
_MOST = 10_000
_INTEGER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|\d+)")
_FLOAT = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?")
_WORD = re.compile(r"\w+")
_ROUNDING = 1e-9
FORMS = "a:b, a:b:step, a:b:x2, or a list a,b,c; both ends belong to it"


@dataclass(frozen=True, slots=True)
class ValueRange:
    """Values that something may take, both ends included.

    Attributes
    ----------
    text : str
        As it was written.
    low, high : int or float
        Ends; of a list the least and the greatest number, 0 of a list of words.
    step : int or float
        Distance of neighbours; 0 where there is none: a range of floats without a step, a list, a geometric range.
    factor : int or float
        Ratio of neighbours of a geometric range; 0 else.
    listed : tuple
        Values of a list, numbers or words, in its order.
    """

    text: str
    low: Number = 0
    high: Number = 0
    step: Number = 0
    factor: Number = 0
    listed: tuple[Number | str, ...] = ()

    @property
    def continuous(self) -> bool:
        """Whether it holds all numbers between its ends."""
        return not (self.step or self.factor or self.listed)

    @property
    def values(self) -> tuple[Number | str, ...]:
        """All values, in order.

        Raises
        ------
        OptionError
            The range has no step, or more than 10,000 values.

        Examples
        --------
        >>> parse_range("4:64:x2").values, parse_range("0:1:0.25").values
        ((4, 8, 16, 32, 64), (0.0, 0.25, 0.5, 0.75, 1.0))
        """
        if self.listed:
            return self.listed
        if self.continuous:
            message = f"the range {self.text} has no step: it holds every number from {self.low} to {self.high}"
            raise OptionError(message, remedy=f"for example {self.low}:{self.high}:{(self.high - self.low) / 10:g}")
        if self.step and (self.high - self.low) / self.step > _MOST:
            message = f"the range {self.text} holds more than {_MOST:,} values"
            raise OptionError(message, remedy="give a larger step", option=self.text)
        return _geometric(self) if self.factor else _arithmetic(self)

    def nearest(self, value: Number) -> Number | str:
        """The value of the range that is closest to a number.

        Examples
        --------
        >>> parse_range("4:64:x2").nearest(20), parse_range("0.0:2.0").nearest(3.5), parse_range("0:10:5").nearest(8)
        (16, 2.0, 10)
        """
        inside = min(max(value, self.low), self.high)
        if self.continuous:
            return float(inside)
        if self.step and not self.listed:
            steps = min(round((inside - self.low) / self.step), int((self.high - self.low) / self.step + _ROUNDING))
            return self.low + steps * self.step
        numbers = [one for one in self.values if not isinstance(one, str)]
        return min(numbers, key=lambda one: abs(one - value)) if numbers else self.values[0]


def parse_range(text: str) -> ValueRange:
    """Read a range.

    Parameters
    ----------
    text : str
        ``a:b`` (whole numbers in steps of 1, or all floats between), ``a:b:step``, ``a:b:x2`` (each twice the one
        before), or a list ``1,2,4``. Both ends are included.

    Raises
    ------
    OptionError
        No range: `option` is the text.

    Examples
    --------
    >>> parse_range("1,2,4").values, parse_range("float,double").values, parse_range("-2.0:2.0").continuous
    ((1, 2, 4), ('float', 'double'), True)
    """
    parts = [part.strip() for part in text.split(":")]
    if len(parts) == 1:
        return _list(text)
    if len(parts) > 3:  # noqa: PLR2004 - two ends and a step
        raise _refused(text, "it has more than two ends and a step")
    low, high = _number(parts[0], text), _number(parts[1], text)
    if high < low:
        raise _refused(text, f"it ends below its begin: {high} < {low}")
    if len(parts) == 2:  # noqa: PLR2004 - no step
        whole = isinstance(low, int) and isinstance(high, int)
        return ValueRange(text, low, high, step=1 if whole else 0)
    if parts[2][:1] in ("x", "×", "*"):
        factor = _number(parts[2][1:], text)
        if factor <= 1 or low <= 0:
            raise _refused(text, "values that are multiplied begin above 0 and need a factor above 1")
        return ValueRange(text, low, high, factor=factor)
    step = _number(parts[2], text)
    if step <= 0:
        raise _refused(text, "a step is more than 0")
    return ValueRange(text, *((low, high) if isinstance(step, int) else (float(low), float(high))), step=step)


def _list(text: str) -> ValueRange:
    items = [item.strip() for item in text.split(",")]
    if not all(items):
        raise _refused(text, "an item is empty")
    if not all(_INTEGER.fullmatch(item) or _FLOAT.fullmatch(item) for item in items):
        wrong = next((item for item in items if not _WORD.fullmatch(item)), None)
        if wrong is not None or len(items) < 2:  # noqa: PLR2004 - one word is no choice
            raise _refused(text, f"{wrong or text!r} is no number")
        return ValueRange(text, listed=tuple(items))
    numbers = tuple(_number(item, text) for item in items)
    return ValueRange(text, min(numbers), max(numbers), listed=numbers)


def _number(text: str, whole: str) -> Number:
    if _INTEGER.fullmatch(text):
        return int(text, 16 if "x" in text.lower() else 10)
    if _FLOAT.fullmatch(text):
        return float(text.rstrip("fF"))
    raise _refused(whole, f"{text!r} is no number")


def _arithmetic(found: ValueRange) -> tuple[Number, ...]:
    count = int((found.high - found.low) / found.step + _ROUNDING) + 1
    values = [found.low + found.step * index for index in range(count)]
    return tuple(value if isinstance(value, int) else round(value, 12) for value in values)


def _geometric(found: ValueRange) -> tuple[Number, ...]:
    values: list[Number] = []
    value = found.low
    while value <= found.high * (1 + _ROUNDING) and len(values) < _MOST:
        values.append(value)
        value *= found.factor
    return tuple(values)


def _refused(text: str, why: str) -> OptionError:
    return OptionError(f"{text!r} is no range of values: {why}", remedy=FORMS, option=text)
