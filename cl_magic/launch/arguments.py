"""Python values bound to the parameters of a kernel: by position or name, checked, in the form that engines take."""

from __future__ import annotations

import difflib
import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.clc.structs import Layout, layout_named
from cl_magic.clc.types import type_of
from cl_magic.errors import ArgumentError
from cl_magic.launch.aliasing import check_copies, share_slots
from cl_magic.launch.alignment import alignment_notes, over_aligned
from cl_magic.launch.argument_text import array_text, staged_text
from cl_magic.launch.arrays import array_binder
from cl_magic.launch.image_values import array_of
from cl_magic.launch.images import image_binder, image_text, is_image_type, place_images
from cl_magic.launch.plain_binders import forbidden_binder, forbidden_fault, local_binder, unknown_binder
from cl_magic.launch.records import record_binder
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
from cl_magic.launch.staging import Staged
from cl_magic.launch.wording import count, listed

RESERVED_NAMES = (
    "global_size", "local_size", "global_offset", "device", "engine", "remainder", "wait", "wait_for", "queue",
    "timeout", "repeat", "warmup", "restore", "capture",
)  # fmt: skip
"""Keyword arguments that are the launch's own; a parameter of such a name is passed as ``name_=``."""

Argument = ScalarArgument | LocalArgument | NullArgument | ArrayArgument | SamplerArgument | Staged
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
    staged : tuple of Staged
        Copies among `values` that stand for arrays of the user's.
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
    staged: tuple[Staged, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Index, declaration, value in short (``float32 (512, 600)``, ``2.0f``) and direction of each parameter."""
        staged = {one.argument.index for one in self.staged}
        rows = [(a.index, a.text, "") for a in self.scalars]
        rows += [(a.index, f"{count(a.nbytes)} B local", "") for a in self.locals]
        rows += [(a.index, "null", "") for a in self.nulls]
        rows += [(a.index, array_text(a), a.direction) for a in self.arrays if a.index not in staged]
        rows += [(one.argument.index, staged_text(one), one.argument.direction) for one in self.staged]
        rows += [(a.index, image_text(a), a.direction) for a in self.images]
        rows += [(a.index, sampler_text(a), "") for a in self.samplers]
        declared = self.signature.parameters
        return tuple((index, declared[index].declaration, text, way) for index, text, way in sorted(rows))


class ArgumentBinder:
    """Binds calls of one kernel, and remembers the dtypes and layouts it has seen.

    Parameters
    ----------
    signature : KernelSignature
    layouts : sequence of Layout
        Of the structures that the program defines.

    Examples
    --------
    >>> binder = ArgumentBinder(KernelSignature("f", (Parameter(0, "in", "int"), Parameter(1, "timeout", "float"))))
    >>> [scalar.text for scalar in binder.bind((), {"in_": 4, "timeout_": 2}).scalars]
    ['4', '2.0f']
    """

    def __init__(self, signature: KernelSignature, layouts: Sequence[Layout] = ()) -> None:
        self.signature = signature
        self.binders = tuple(binder_for(parameter, signature.name, layouts) for parameter in signature.parameters)
        self._index = {parameter.name: parameter.index for parameter in signature.parameters}
        self._over_aligned = over_aligned(signature, layouts)

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
        if kwargs or len(args) != len(self.binders):
            args = self.arranged(args, kwargs or {})
        arrays: list[ArrayArgument] = []
        values: list[Any] = []
        scalars: list[ScalarArgument] = []
        others: list[tuple[Argument, Any]] = []
        for binder, value in zip(self.binders, args, strict=True):
            bound = binder(value, len(values))
            if type(bound) is ArrayArgument:
                arrays.append(bound)
                values.append(value)
            elif isinstance(bound, ScalarArgument):
                scalars.append(bound)
            else:
                others.append((bound, value))
                if isinstance(bound, Staged):
                    arrays.append(bound.argument)
                    values.append(bound.array)
        if labels:
            arrays = [replace(array, label=labels.get(array.name, array.name)) for array in arrays]
        slots = share_slots(self.signature, tuple(arrays), tuple(values))
        made = BoundArguments(self.signature, tuple(scalars), (), (), slots.arrays, slots.values, slots.notes)
        return self._completed(made, others, args, labels or {}) if others or self._over_aligned else made

    def _completed(
        self,
        made: BoundArguments,
        others: list[tuple[Argument, Any]],
        args: Sequence[Any],
        labels: Mapping[str, str],
    ) -> BoundArguments:
        """Add what is neither a plain array nor a value, and what is to be said of addresses."""
        if self._over_aligned:
            notes = alignment_notes(made.arrays, made.values, self._over_aligned)
            made = replace(made, notes=(*made.notes, *notes)) if notes else made
        staged = [one for one, _ in others if isinstance(one, Staged)]
        if staged:
            made = _with_staged(made, staged, args)
        return _with_others(made, others, labels) if len(others) > len(staged) else made

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
        bound = self.binders[index](value, 0)
        if not isinstance(bound, ScalarArgument):
            message = f"{kernel}: argument {parameter.name} is no number"
            remedy = "prepare the launch once more"
            raise ArgumentError(message, remedy=remedy, kernel=kernel, parameter=parameter.name, value=value)
        return bound

    def arranged(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Values in the order of the parameters; ArgumentError where one is missing, unknown or given twice."""
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


def _with_staged(made: BoundArguments, staged: list[Staged], args: Sequence[Any]) -> BoundArguments:
    """Add the copies that stand for arrays; no two arguments may be copies of memory that one of them writes."""
    check_copies(made.signature, made.arrays, staged, args)
    notes = tuple(f"{made.signature.name}: {one.note}" for one in staged)
    return replace(made, staged=tuple(staged), notes=(*made.notes, *notes))


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


def binder_for(parameter: Parameter, kernel: str = "kernel", layouts: Sequence[Layout] = ()) -> Binder:
    """Checker and caster for one parameter, called with a value and the slot an array would take.

    Examples
    --------
    >>> from cl_magic.launch.device_arrays import local
    >>> binder_for(Parameter(0, "tile", "float*", "local"))(local(1024), 0).nbytes
    1024
    """
    if parameter.address == "local" and parameter.is_pointer:
        return local_binder(parameter, kernel)
    fault = forbidden_fault(parameter)
    if fault is not None:
        return forbidden_binder(parameter, kernel, fault)
    layout = layout_named(layouts, parameter.element_type)
    if parameter.is_pointer:
        return array_binder(parameter, kernel, layout)
    return _value_binder(parameter, kernel, layout)


def _value_binder(parameter: Parameter, kernel: str, layout: Layout | None) -> Binder:
    if is_image_type(parameter.type_name):
        return image_binder(parameter, kernel)
    if parameter.type_name == "sampler_t":
        return sampler_binder(parameter, kernel)
    ctype = type_of(parameter.type_name)
    if ctype is not None:
        by_value = scalar_binder(parameter, ctype, kernel)
    elif layout is not None:
        by_value = record_binder(parameter, layout, kernel)
    else:
        return unknown_binder(parameter, kernel)
    return lambda value, _slot: by_value(value)
