"""Python values bound to the parameters of a kernel: by position or name, checked, in the form that engines take."""

from __future__ import annotations

import difflib
import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.clc.types import type_of
from cl_magic.errors import ArgumentError
from cl_magic.launch.aliasing import share_slots
from cl_magic.launch.arrays import array_binder
from cl_magic.launch.device_arrays import LocalMemory
from cl_magic.launch.image_values import array_of
from cl_magic.launch.images import image_binder, image_text, is_image_type, place_images
from cl_magic.launch.request import (
    ArrayArgument,
    ImageArgument,
    LocalArgument,
    NullArgument,
    SamplerArgument,
    ScalarArgument,
)
from cl_magic.launch.samplers import check_filters, sampler_binder, sampler_text
from cl_magic.launch.scalars import scalar_binder
from cl_magic.launch.wording import count, listed

RESERVED_NAMES = (
    "global_size", "local_size", "global_offset", "device", "engine", "remainder", "wait", "wait_for", "queue",
    "timeout", "repeat", "warmup", "restore", "capture",
)  # fmt: skip
"""Keyword arguments that are the launch's own; a parameter of such a name is passed as ``name_=``."""

Argument = ScalarArgument | LocalArgument | NullArgument | ArrayArgument | SamplerArgument
Binder = Callable[[Any, int], Argument]
"""Called with a value and the slot it takes if it is an array."""
Fact = tuple[int, str, str, str]
"""Index, declaration, value in short, direction."""


@dataclass(frozen=True, slots=True)
class BoundArguments:
    """The arguments of one call.

    Attributes
    ----------
    signature : KernelSignature
    scalars, locals, nulls, arrays : tuple
        As in a LaunchRequest, each with its index.
    values : tuple of array
        What the slots of `arrays` mean.
    notes : tuple of str
        Remarks for the record.
    images, samplers : tuple
        As in a LaunchRequest.
    """

    signature: KernelSignature
    scalars: tuple[ScalarArgument, ...] = ()
    locals: tuple[LocalArgument, ...] = ()
    nulls: tuple[NullArgument, ...] = ()
    arrays: tuple[ArrayArgument, ...] = ()
    values: tuple[Any, ...] = ()
    notes: tuple[str, ...] = ()
    images: tuple[ImageArgument, ...] = ()
    samplers: tuple[SamplerArgument, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Index, declaration, value in short (``float32 (512, 600)``, ``2.0f``) and direction of each parameter."""
        rows = [(a.index, a.text, "") for a in self.scalars]
        rows += [(a.index, f"{count(a.nbytes)} B local", "") for a in self.locals]
        rows += [(a.index, "null", "") for a in self.nulls]
        rows += [(a.index, array_text(a), a.direction) for a in self.arrays]
        rows += [(a.index, image_text(a), a.direction) for a in self.images]
        rows += [(a.index, sampler_text(a), "") for a in self.samplers]
        declared = self.signature.parameters
        return tuple((index, declared[index].declaration, text, way) for index, text, way in sorted(rows))


class ArgumentBinder:
    """Binds calls of one kernel, and remembers the dtypes and layouts it has seen.

    Parameters
    ----------
    signature : KernelSignature

    Examples
    --------
    >>> binder = ArgumentBinder(KernelSignature("f", (Parameter(0, "in", "int"), Parameter(1, "timeout", "float"))))
    >>> [scalar.text for scalar in binder.bind((), {"in_": 4, "timeout_": 2}).scalars]
    ['4', '2.0f']
    """

    def __init__(self, signature: KernelSignature) -> None:
        self.signature = signature
        self._binders = tuple(binder_for(parameter, signature.name) for parameter in signature.parameters)
        self._index = {parameter.name: parameter.index for parameter in signature.parameters}

    def bind(
        self,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> BoundArguments:
        """Bind one call.

        Parameters
        ----------
        args, kwargs
            Without the launch's own keywords (:data:`RESERVED_NAMES`).
        labels : mapping of str to str, optional
            The user's names of the arrays, by parameter name.

        Raises
        ------
        ArgumentError
            ``kernel``, ``parameter`` and ``value`` are attributes.
        """
        if kwargs or len(args) != len(self._binders):
            args = self._arranged(args, kwargs or {})
        arrays: list[ArrayArgument] = []
        values: list[Any] = []
        scalars: list[ScalarArgument] = []
        others: list[tuple[Argument, Any]] = []
        for binder, value in zip(self._binders, args, strict=True):
            bound = binder(value, len(values))
            if type(bound) is ArrayArgument:
                arrays.append(bound)
                values.append(value)
            elif isinstance(bound, ScalarArgument):
                scalars.append(bound)
            else:
                others.append((bound, value))
        if labels:
            arrays = [replace(array, label=labels.get(array.name, array.name)) for array in arrays]
        slots = share_slots(self.signature, tuple(arrays), tuple(values))
        made = BoundArguments(self.signature, tuple(scalars), (), (), slots.arrays, slots.values, slots.notes)
        return _with_others(made, others, labels or {}) if others else made

    def scalar(self, name: str, value: Any) -> ScalarArgument:  # noqa: ANN401 - that is what it checks
        """Bind one value argument by name, as :meth:`bind` does it.

        Raises
        ------
        ArgumentError
            No such parameter, a memory argument, or a value that does not fit.

        Examples
        --------
        >>> ArgumentBinder(KernelSignature("f", (Parameter(0, "a", "float"),))).scalar("a", 3).text
        '3.0f'
        """
        index = self._named(name)
        parameter, kernel = self.signature.parameters[index], self.signature.name
        if parameter.is_pointer:
            message = f"{kernel}: argument {parameter.name} is memory, and only values can be changed by name"
            remedy = f"prepare the launch once more with the other {parameter.name}"
            raise ArgumentError(message, remedy=remedy, kernel=kernel, parameter=parameter.name, value=value)
        bound = self._binders[index](value, 0)
        if not isinstance(bound, ScalarArgument):
            message = f"{kernel}: argument {parameter.name} is no number"
            remedy = "prepare the launch once more"
            raise ArgumentError(message, remedy=remedy, kernel=kernel, parameter=parameter.name, value=value)
        return bound

    def _arranged(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Values in the order of the parameters."""
        name, parameters = self.signature.name, self.signature.parameters
        if len(args) > len(parameters):
            message = f"{name} takes {len(parameters)} arguments, {len(args)} were given"
            raise ArgumentError(message, remedy=self._form(), kernel=name, value=args[len(parameters)], parameter=None)
        given: dict[int, Any] = dict(enumerate(args))
        for key, value in kwargs.items():
            index = self._named(key)
            if index in given:
                message = f"{name}: argument {parameters[index].name} is given by position and by name"
                remedy = f"leave out {key}="
                raise ArgumentError(message, remedy=remedy, kernel=name, parameter=key, value=value)
            given[index] = value
        missing = [p for p in parameters if p.index not in given]
        if missing:
            names = tuple(p.name for p in missing)
            what = listed(f"{p.name} ({p.type_name})" for p in missing)
            message = f"{name}: {'argument' if len(missing) == 1 else 'arguments'} {what} missing"
            raise ArgumentError(
                message, remedy=self._form(), kernel=name, parameter=names[0], missing=names, value=None
            )
        return [given[index] for index in range(len(parameters))]

    def _named(self, key: str) -> int:
        """Index of the parameter that a keyword means."""
        plain = key.removesuffix("_")
        if key in self._index:
            return self._index[key]
        if plain != key and plain in self._index and (keyword.iskeyword(plain) or plain in RESERVED_NAMES):
            return self._index[plain]
        near = difflib.get_close_matches(key, [*self._index, *RESERVED_NAMES], n=1)
        remedy = f"did you mean {near[0]}=?  {self._form()}" if near else self._form()
        message = f"{self.signature.name} has no parameter {key!r}"
        guess = near[0] if near else None
        raise ArgumentError(message, remedy=remedy, kernel=self.signature.name, parameter=key, guess=guess)

    def _form(self) -> str:
        """How the kernel is called."""
        return f"{self.signature.name}({', '.join(p.name for p in self.signature.parameters)}, global_size=…)"


def bind(
    signature: KernelSignature,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    labels: Mapping[str, str] | None = None,
) -> BoundArguments:
    """Bind one call of a kernel; see :meth:`ArgumentBinder.bind`, which is quicker for many.

    Examples
    --------
    >>> bind(KernelSignature("f", (Parameter(0, "n", "int"),)), (4,)).facts
    ((0, 'int n', '4', ''),)
    """
    return _binder_of(signature).bind(args, kwargs, labels)


@lru_cache(maxsize=64)
def _binder_of(signature: KernelSignature) -> ArgumentBinder:
    return ArgumentBinder(signature)


def _with_others(
    made: BoundArguments, others: Sequence[tuple[Argument, Any]], labels: Mapping[str, str]
) -> BoundArguments:
    """Add local memory, null pointers, samplers and images to what was bound."""
    samplers = tuple(one for one, _ in others if isinstance(one, SamplerArgument))
    check_filters(made.signature, samplers)
    seen = [(one, array_of(value)) for one, value in others if isinstance(one, ImageArgument)]
    images = place_images(made.signature, seen, made.arrays, made.values)
    return replace(
        made,
        locals=tuple(one for one, _ in others if isinstance(one, LocalArgument)),
        nulls=tuple(one for one, _ in others if isinstance(one, NullArgument)),
        values=(*made.values, *(array for _, array in seen)),
        images=tuple(replace(one, label=labels.get(one.name, one.name)) for one in images),
        samplers=samplers,
    )


def binder_for(parameter: Parameter, kernel: str = "kernel") -> Binder:
    """Checker and caster for one parameter, called with a value and the slot an array would take.

    Examples
    --------
    >>> binder_for(Parameter(0, "tile", "float*", "local"))(LocalMemory(1024), 0).nbytes
    1024
    """
    if parameter.address == "local" and parameter.is_pointer:
        return _local_binder(parameter, kernel)
    if parameter.is_pointer:
        return array_binder(parameter, kernel)
    if is_image_type(parameter.type_name):
        return image_binder(parameter, kernel)
    if parameter.type_name == "sampler_t":
        return sampler_binder(parameter, kernel)
    ctype = type_of(parameter.type_name)
    if ctype is None:
        return _unknown_binder(parameter, kernel)
    by_value = scalar_binder(parameter, ctype, kernel)
    return lambda value, _slot: by_value(value)


def array_text(argument: ArrayArgument) -> str:
    """Array in short.

    Examples
    --------
    >>> array_text(ArrayArgument(0, "x", "float*", 0, "in", (512, 600), "<f4", 1228800))
    'float32 (512, 600)'
    """
    shape = f"({argument.shape[0]},)" if len(argument.shape) == 1 else str(tuple(argument.shape))
    return f"{np.dtype(argument.dtype)} {shape}"


def _local_binder(parameter: Parameter, kernel: str) -> Binder:
    def bind_local(value: Any, _slot: int) -> LocalArgument:  # noqa: ANN401 - that is what it checks
        nbytes = getattr(value, "nbytes", None) if isinstance(value, LocalMemory) else getattr(value, "size", None)
        foreign = type(value).__name__ == "LocalMemory"  # PyOpenCL's own
        if nbytes is None or not foreign:
            example = f"clm.local({value})" if isinstance(value, int) else "clm.local(bytes)"
            message = (
                f"{kernel}: argument {parameter.name} (local {parameter.type_name}) is {type(value).__name__}; "
                "local memory belongs to a work-group and takes only a number of bytes"
            )
            raise ArgumentError(message, remedy=example, kernel=kernel, parameter=parameter.name, value=value)
        return LocalArgument(parameter.index, parameter.name, parameter.type_name, int(nbytes))

    return bind_local


def _unknown_binder(parameter: Parameter, kernel: str) -> Binder:
    """For a type that is no built-in one: a struct, or a typedef where the front end did not run."""

    def bind_unknown(value: Any, _slot: int) -> Argument:  # noqa: ANN401 - that is what it checks
        if isinstance(value, (np.number, np.bool_)):  # its size is checked by the driver
            data = value.astype(value.dtype.newbyteorder("<")).tobytes()
            return ScalarArgument(parameter.index, parameter.name, parameter.type_name, data, str(value))
        message = (
            f"{kernel}: argument {parameter.name} is of type {parameter.type_name}, whose layout is not known, so "
            f"{type(value).__name__} cannot be cast to it"
        )
        remedy = f"a NumPy scalar of its type (np.int32({parameter.name}), …) if it is a number; structs go by pointer"
        raise ArgumentError(message, remedy=remedy, kernel=kernel, parameter=parameter.name, value=value)

    return bind_unknown
