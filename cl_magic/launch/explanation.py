"""How each argument of a call would be bound, without a launch: given what, becoming what, going which way and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cl_magic.clc.signature import Parameter
from cl_magic.errors import ArgumentError
from cl_magic.launch.argument_text import array_text, shape_text
from cl_magic.launch.arguments import Argument, ArgumentBinder
from cl_magic.launch.images import image_text
from cl_magic.launch.request import (
    ArrayArgument,
    ImageArgument,
    LocalArgument,
    NullArgument,
    SamplerArgument,
    ScalarArgument,
)
from cl_magic.launch.samplers import sampler_text
from cl_magic.launch.staging import Staged
from cl_magic.launch.wording import count
from cl_magic.show import Shown

_MOST_TEXT = 40


@dataclass(frozen=True, slots=True)
class Explained:
    """One argument.

    Attributes
    ----------
    declaration : str
        The parameter.
    given : str
        What the call has for it: ``ndarray float32 (1000,)``, ``float 2.0``.
    becomes : str
        What the device gets: ``buffer of 4 000 B, float32 (1000,)``, ``2.0f, 4 B``.
    direction, reason : str
        For memory: "in", "out" or "inout", and why.
    fault, remedy : str
        Why it cannot be bound and what would help; "" where it can.
    """

    declaration: str
    given: str
    becomes: str = ""
    direction: str = ""
    reason: str = ""
    fault: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Explanation(Shown):
    """Every argument of a call, in the order of the parameters."""

    kernel: str
    rows: tuple[Explained, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether all arguments can be bound."""
        return not any(row.fault for row in self.rows)


def explain(binder: ArgumentBinder, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Explanation:
    """Bind each argument by itself and say what it becomes.

    Raises
    ------
    ArgumentError
        Arguments are missing, or names are not the kernel's.

    Examples
    --------
    >>> from cl_magic.clc.signature import KernelSignature
    >>> kernel = KernelSignature("scale", (Parameter(0, "a", "float"), Parameter(1, "n", "int")))
    >>> [(row.given, row.becomes, row.fault) for row in explain(ArgumentBinder(kernel), (2.0, 3), {}).rows]
    [('float 2.0', '2.0f, 4 B', ''), ('int 3', '3, 4 B', '')]
    """
    values = binder.arranged(args, kwargs)
    rows = [_row(*each) for each in zip(binder.signature.parameters, binder.binders, values, strict=True)]
    return Explanation(binder.signature.name, tuple(rows))


def _row(parameter: Parameter, bind: Any, value: Any) -> Explained:  # noqa: ANN401 - a binder, any value
    given = given_text(value)
    try:
        bound = bind(value, 0)
    except ArgumentError as error:
        _, _, what = error.message.partition(f" {parameter.name} (")  # the row names the parameter
        fault = what.partition(") ")[2] or error.message
        return Explained(parameter.declaration, given, fault=fault, remedy=error.remedy)
    argument = bound.argument if isinstance(bound, Staged) else bound
    way = (argument.direction, argument.reason) if isinstance(argument, ArrayArgument) else ("", "")
    return Explained(parameter.declaration, given, _becomes(bound), *way)


def _becomes(bound: Argument) -> str:
    if isinstance(bound, Staged):
        return f"buffer of {count(bound.argument.nbytes)} B, {bound.reason}"
    return next(tell(bound) for kind, tell in _TELLING if isinstance(bound, kind))


def _buffer_text(bound: ArrayArgument) -> str:
    strided = "" if bound.contiguous else ", gathered from a strided array"
    return f"buffer of {count(bound.nbytes)} B, {array_text(bound)}{strided}"


_TELLING: tuple[tuple[type, Callable[[Any], str]], ...] = (
    (ScalarArgument, lambda bound: f"{bound.text}, {count(len(bound.data))} B"),
    (LocalArgument, lambda bound: f"{count(bound.nbytes)} B of local memory for each work-group"),
    (NullArgument, lambda _: "null pointer"),
    (SamplerArgument, lambda bound: f"sampler, {sampler_text(bound)}"),
    (ImageArgument, lambda bound: f"image, {image_text(bound)}"),  # an image argument is an array argument too
    (ArrayArgument, _buffer_text),
)


def given_text(value: Any) -> str:  # noqa: ANN401 - any argument
    """Python value in short.

    Examples
    --------
    >>> given_text(np.zeros((2, 3), np.float32)), given_text(2.0), given_text(None)
    ('ndarray float32 (2, 3)', 'float 2.0', 'None')
    """
    if value is None:
        return "None"
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    name = type(value).__name__
    if dtype is not None and shape is not None and not isinstance(value, np.generic):
        kind = f"record of {dtype.itemsize} B" if getattr(dtype, "names", None) else str(dtype)
        return f"{name} {kind} {shape_text(shape)}"
    text = f"{name} {value}" if isinstance(value, np.generic) else f"{name} {value!r}"
    return text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 1] + "…"
