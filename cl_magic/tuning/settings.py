"""What a sweep varies: values of sizes and macros, and all settings that they make."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cl_magic.build.value_range import ValueRange, parse_range
from cl_magic.errors import ArgumentError
from cl_magic.kernel import Kernel
from cl_magic.launch.arguments import RESERVED_NAMES

SIZES = ("global_size", "local_size", "global_offset")
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Sorted:
    """The words of a sweep's call by what they mean.

    Attributes
    ----------
    varied : dict of str to tuple
        Values by name, of sizes and macros.
    words : dict
        What every run gets: arguments by name, sizes that are not varied, and what else belongs to a launch.
    """

    varied: dict[str, tuple[Any, ...]]
    words: dict[str, Any]

    @property
    def settings(self) -> list[dict[str, Any]]:
        """All settings, the last name varying fastest."""
        names = list(self.varied)
        return [dict(zip(names, values, strict=True)) for values in itertools.product(*self.varied.values())]

    @property
    def macros(self) -> list[str]:
        """Names that are built in."""
        return [name for name in self.varied if name not in SIZES]


def sort_words(kernel: Kernel, words: Mapping[str, Any]) -> Sorted:
    """Part what is varied from what stays.

    Raises
    ------
    ArgumentError
        Nothing to vary, a name that the source does not use, or more than 10,000 settings.
    OptionError
        A text that is no range.
    """
    parameters = {p.name for p in kernel.signature.parameters}
    varied: dict[str, tuple[Any, ...]] = {}
    stay: dict[str, Any] = {}
    for name, value in words.items():
        if name in SIZES:
            values = _values(value)
            if values is None:
                stay[name] = value
            else:
                varied[name] = values
        elif name in RESERVED_NAMES or name in parameters or name.removesuffix("_") in parameters:
            stay[name] = value
        else:
            _check_macro(kernel, name, parameters)
            values = _values(value)
            varied[name] = (value,) if values is None else values
    _check_count(kernel, varied)
    return Sorted(varied, stay)


def _values(value: Any) -> tuple[Any, ...] | None:  # noqa: ANN401 - a list, a range or one value
    """The values that a list, a range or its text means; None for a single value."""
    if isinstance(value, str):
        return tuple(parse_range(value).values)
    if isinstance(value, ValueRange):
        return tuple(value.values)
    if isinstance(value, list | range):
        return tuple(dict.fromkeys(tuple(one) if isinstance(one, list) else one for one in value))
    return None


def _check_macro(kernel: Kernel, name: str, parameters: set[str]) -> None:
    spec = kernel.program.result.spec
    text = spec.source + " ".join((*spec.options, *(header for _, header in spec.headers)))
    if re.search(rf"\b{re.escape(name)}\b", text):
        return
    known = [*parameters, *SIZES, *re.findall(r"#\s*define\s+(\w+)", spec.source)]
    near = difflib.get_close_matches(name, known, 1)
    message = f"{kernel.name} has no parameter {name!r}, and its source uses no macro of that name"
    remedy = f"did you mean {near[0]}?" if near else "vary local_size=[…] or a macro that the source uses"
    raise ArgumentError(message, remedy=remedy, kernel=kernel.name, parameter=name)


def _check_count(kernel: Kernel, varied: Mapping[str, tuple[Any, ...]]) -> None:
    count = 1
    for name, values in varied.items():
        if not values:
            message = f"{name} has no values to try"
            raise ArgumentError(message, remedy=f"for example {name}=[8, 16]", kernel=kernel.name, parameter=name)
        count *= len(values)
    if not varied:
        message = f"{kernel.name}: nothing is varied"
        raise ArgumentError(message, remedy="for example local_size=[64, 128, 256]", kernel=kernel.name)
    if count > _MOST:
        message = f"{kernel.name}: {count:,} settings are more than {_MOST:,}"
        raise ArgumentError(message, remedy="vary fewer values at a time", kernel=kernel.name, value=count)
