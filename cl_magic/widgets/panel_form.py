"""What a panel of a kernel has to set: its arguments, macros and sizes, and what each of them starts with."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from cl_magic.build.parameter_annotations import annotated, argument_range, macro_value, number_of
from cl_magic.build.spec import ProgramSpec
from cl_magic.build.value_range import ValueRange, parse_range
from cl_magic.clc.signature import Parameter
from cl_magic.errors import ArgumentError
from cl_magic.kernel import Kernel
from cl_magic.launch.arguments import RESERVED_NAMES
from cl_magic.launch.sizes import normalise_sizes
from cl_magic.widgets.arguments import NEW, array_words, choice_of, fits, fitting_names, is_object, new_value, size_from
from cl_magic.widgets.parameters import Control, ranged, scalar_control

GIVEN = "given"
"""Choice of the value that the panel was called with."""
_DIMENSION = re.compile(r"\bget_global_id\s*\(\s*([12])\s*\)")
_START_SIZES = {1: (1024,), 2: (512, 512), 3: (64, 64, 64)}
_SIZE_WORDS = ("global_size", "local_size", "global_offset")


class PanelForm:
    """The controls of one kernel.

    Parameters
    ----------
    kernel : Kernel
    names : mapping of str to object
        Variables that arguments are taken from.
    args, words
        As the kernel would be called: values by position or name, sizes, and ranges as text (``gain="0.0:2.0"``,
        ``TILE="4:64:x2"``).

    Attributes
    ----------
    given : dict
        Values of the call, by parameter; they are a choice of their own.
    macros : dict of str to str
        Macros with a range, and the text that the program gives them.
    ranges : dict of str to ValueRange
        Those of the call.

    Raises
    ------
    ArgumentError
        A name that is neither a parameter nor a macro of the source.
    """

    def __init__(self, kernel: Kernel, names: Mapping[str, Any], args: Sequence[Any], words: Mapping[str, Any]) -> None:
        self.kernel = kernel
        self.parameters = kernel.signature.parameters
        self.spec: ProgramSpec = kernel.program.result.spec
        self.given: dict[str, Any] = {}
        self.ranges: dict[str, ValueRange] = {}
        self.macros: dict[str, str] = {}
        self._ranges_of_macros: dict[str, ValueRange] = {}
        self._take(args, words)
        for found in annotated(self.spec.source):
            self.macros.setdefault(found.name, found.value)
            self._ranges_of_macros.setdefault(found.name, found.values)
        self.sizes = {word: words.get(word) for word in _SIZE_WORDS}
        self._fits = {
            p.name: fits(p, kernel.name, kernel.program.result.layouts) for p in self.parameters if is_object(p)
        }
        self.defaults = self._defaults(names)

    def _take(self, args: Sequence[Any], words: Mapping[str, Any]) -> None:
        """Sort the values of the call."""
        if len(args) > len(self.parameters):
            message = f"{self.kernel.name} takes {len(self.parameters)} arguments, {len(args)} were given"
            raise ArgumentError(message, remedy="leave out what is too many", kernel=self.kernel.name)
        values = {p.name: value for p, value in zip(self.parameters, args, strict=False)}
        plain = {p.name for p in self.parameters}
        for name, value in words.items():
            bare = name.removesuffix("_") if name not in plain and name.removesuffix("_") in plain else name
            if bare in plain and (bare != name or name not in RESERVED_NAMES):
                values[bare] = value
            elif name not in RESERVED_NAMES:
                self._take_macro(name, value)
        for name, value in values.items():
            values_range = range_of(value)
            if values_range is not None:
                self.ranges[name] = values_range
            else:
                self.given[name] = value

    def _take_macro(self, name: str, value: Any) -> None:  # noqa: ANN401 - a range
        if not re.search(rf"\b{re.escape(name)}\b", self.spec.source + " ".join(self.spec.options)):
            known = [*(p.name for p in self.parameters), *(one.name for one in annotated(self.spec.source))]
            near = difflib.get_close_matches(name, known, 1)
            message = f"{self.kernel.name} has no parameter {name!r}, and its source uses no macro of that name"
            remedy = f"did you mean {near[0]}?" if near else f"it has {', '.join(known) or 'neither'}"
            raise ArgumentError(message, remedy=remedy, kernel=self.kernel.name, parameter=name, value=value)
        found = range_of(value)
        self.macros[name] = macro_value(self.spec, name) if found is not None else str(value)
        self._ranges_of_macros[name] = found if found is not None else parse_range(str(value))

    def _defaults(self, names: Mapping[str, Any]) -> dict[str, Any]:
        """What every control starts with."""
        choices = self._array_defaults(names)
        size = self._start_size(choices, names)
        numbers = {one.name: one.value for one in self.scalars(names, size)}
        return {
            "arguments": choices | numbers | {p.name: "" for p in self.parameters if p.address == "local"},
            "macros": {one.name: one.value for one in self.macro_controls()},
        }

    def first_sizes(self, names: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        """Global size, local size and offset to begin with, as the call, the kernel or the arrays have them."""
        sizes = self.kernel.sizes
        local, offset = self.sizes["local_size"], self.sizes["global_offset"]
        return (
            self._start_size(self._array_defaults(names), names),
            sizes.local_size if local is None else local,
            sizes.global_offset if offset is None else offset,
        )

    def _array_defaults(self, names: Mapping[str, Any]) -> dict[str, str]:
        """Each parameter its own array: the one of its name, else the first that fits and is not taken yet."""
        taken: set[str] = set()
        found: dict[str, str] = {}
        for parameter in self.parameters:
            if parameter.name not in self._fits:
                continue
            if parameter.name in self.given:
                found[parameter.name] = GIVEN
                continue
            fitting = self.fitting(parameter, names)
            own = [name for name in fitting if name == parameter.name]
            free = [name for name in fitting if name not in taken and name not in self._fits]
            chosen = next(iter([*own, *free]), None)
            found[parameter.name] = NEW if chosen is None else choice_of(chosen)
            taken |= {chosen} if chosen else set()
        return found

    def _start_size(self, choices: Mapping[str, str], names: Mapping[str, Any]) -> tuple[int, ...]:
        wanted = self.sizes["global_size"] if self.sizes["global_size"] is not None else self.kernel.sizes.global_size
        if wanted is not None:
            return tuple(normalise_sizes(wanted, kernel=self.kernel.name).global_size)
        written = sorted(self.parameters, key=lambda p: p.writes is False)
        values = [self.given.get(p.name, names.get(choices.get(p.name, "").removeprefix("name:"))) for p in written]
        dimensions = max([0, *(int(match[1]) for match in _DIMENSION.finditer(self.spec.source))]) + 1
        found = size_from([value for value in values if value is not None])
        return found if len(found) >= dimensions else _START_SIZES[dimensions]

    def fitting(self, parameter: Parameter, names: Mapping[str, Any]) -> list[str]:
        """Names of the variables that fit a parameter now."""
        return fitting_names(self._fits[parameter.name], names)

    def choices(self, parameter: Parameter, names: Mapping[str, Any], size: Sequence[int]) -> list[dict[str, str]]:
        """All choices of a parameter, each with its words."""
        found = []
        if parameter.name in self.given:
            found.append({"id": GIVEN, "text": f"as given, {array_words(self.given[parameter.name])}"})
        fitting = self.fitting(parameter, names)
        found += [{"id": choice_of(name), "text": f"{name}, {array_words(names[name])}"} for name in fitting]
        made = new_value(parameter, [min(n, 1) for n in size], self.kernel.program.result.layouts)
        if made is not None:
            found.append({"id": NEW, "text": self._new_words(made, size)})
        return found

    def _new_words(self, made: Any, size: Sequence[int]) -> str:  # noqa: ANN401 - an array of one element
        if not hasattr(made, "shape"):
            return array_words(made)
        shape = (*reversed(size), *made.shape[len(size) :])
        return f"new zeros, {' × '.join(map(str, shape))} {array_words(made).rpartition(' × ')[2].partition(' ')[2]}"

    @property
    def ranged(self) -> set[str]:
        """Parameters that have a range, from the call or from a comment of the source."""
        return {p.name for p in self.parameters if self._range(p) is not None}

    def _range(self, parameter: Parameter) -> ValueRange | None:
        return self.ranges.get(parameter.name) or argument_range(self.spec.source, parameter.name)

    def scalars(self, names: Mapping[str, Any], size: Sequence[int]) -> list[Control]:
        """Controls of the arguments by value."""
        found = []
        for parameter in self.parameters:
            if parameter.name in self._fits or parameter.address == "local":
                continue
            known = self.given if parameter.name in self.given else names
            found.append(scalar_control(parameter, known, size, self._range(parameter)))
        return found

    def macro_controls(self) -> list[Control]:
        """Controls of the macros."""
        return [
            ranged(name, self._ranges_of_macros[name], number_of(value) if value else None)
            for name, value in self.macros.items()
        ]


def range_of(value: Any) -> ValueRange | None:  # noqa: ANN401 - any value of a call
    """The range that a text or a list means; None for any other value.

    Examples
    --------
    >>> range_of("4:64:x2").high, range_of([1, 2, 4]).values, range_of(3) is None
    (64, (1, 2, 4), True)
    """
    if isinstance(value, ValueRange):
        return value
    if isinstance(value, str):
        return parse_range(value)
    if isinstance(value, range | list) and value and all(isinstance(one, int | float | str) for one in value):
        return parse_range(",".join(map(str, value)))
    return None
