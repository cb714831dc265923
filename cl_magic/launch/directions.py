"""``In(x)``, ``Out(x)``, ``InOut(x)``: the user says which way an array goes, whatever the kernel's text says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from cl_magic.clc.signature import KernelSignature
from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import BoundArguments
from cl_magic.launch.request import Direction

Said = tuple[tuple[int, Direction], ...]
"""Parameter index and direction, by index."""


class Directed:
    """An argument with its direction."""

    __slots__ = ("value",)
    direction: ClassVar[Direction] = "inout"

    def __init__(self, value: Any) -> None:  # noqa: ANN401 - any array
        self.value = value

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"


class In(Directed):
    """An array that only goes to the device: what a kernel writes into it does not come back.

    Examples
    --------
    >>> In([1]).direction
    'in'
    """

    direction = "in"


class Out(Directed):
    """An array that the kernel only writes. It travels both ways all the same: what is not written stays as it was.

    Examples
    --------
    >>> Out([1]).direction
    'out'
    """

    direction = "out"


class InOut(Directed):
    """An array that goes both ways.

    Examples
    --------
    >>> InOut([1]).direction
    'inout'
    """

    direction = "inout"


def undirected(
    signature: KernelSignature, args: Sequence[Any], values: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], Said]:
    """Arguments without their directions, and these.

    Raises
    ------
    ArgumentError
        A direction for a value that is passed by value.

    Examples
    --------
    >>> from cl_magic.clc.signature import Parameter
    >>> undirected(KernelSignature("f", (Parameter(0, "x", "float*", "global"),)), (In(3),), {})
    ((3,), {}, ((0, 'in'),))
    """
    given = [*enumerate(args), *((_index(signature, name), value) for name, value in values.items())]
    said = tuple((index, value.direction) for index, value in given if isinstance(value, Directed))
    if not said:
        return tuple(args), dict(values), ()
    for index, direction in said:
        if index < len(signature.parameters) and not signature.parameters[index].is_pointer:
            name = signature.parameters[index].name
            message = f"{signature.name}: {name} is passed by value, and a direction ({direction}) is for arrays"
            raise ArgumentError(message, remedy=f"pass {name} as it is", kernel=signature.name, parameter=name)
    plain = {name: value.value if isinstance(value, Directed) else value for name, value in values.items()}
    return tuple([one.value if isinstance(one, Directed) else one for one in args]), plain, said


def directed_signature(signature: KernelSignature, said: Said) -> KernelSignature:
    """The signature as if the kernel's text read and wrote what was said, for the checks of a binder.

    Examples
    --------
    >>> from cl_magic.clc.signature import Parameter
    >>> directed_signature(KernelSignature("f", (Parameter(0, "x", "float*"),)), ((0, "in"),)).parameters[0].writes
    False
    """
    directions = dict(said)
    parameters = tuple(
        replace(p, reads=directions[p.index] != "out", writes=directions[p.index] != "in")
        if p.index in directions
        else p
        for p in signature.parameters
    )
    return replace(signature, parameters=parameters)


def with_reasons(bound: BoundArguments, said: Said, *, in_place: Sequence[int] = ()) -> BoundArguments:
    """Bound arguments whose directions say that they are the user's.

    Parameters
    ----------
    bound : BoundArguments
    said : tuple of (int, str)
    in_place : sequence of int
        Indices of arrays that an engine would use in place although the kernel writes them: they are given as copies.

    Examples
    --------
    >>> with_reasons(BoundArguments(KernelSignature("f")), ()).arrays
    ()
    """
    names = {"in": "clm.In", "out": "clm.Out", "inout": "clm.InOut"}
    directions = dict(said)
    arrays = tuple(
        replace(a, reason=f"you said {names[directions[a.index]]}", contiguous=a.contiguous and a.index not in in_place)
        if a.index in directions
        else a
        for a in bound.arrays
    )
    return replace(bound, arrays=arrays)


def _index(signature: KernelSignature, name: str) -> int:
    """Index of a parameter by its keyword; past the last one where there is none (the binder says so)."""
    names = [parameter.name for parameter in signature.parameters]
    plain = name.removesuffix("_")
    return names.index(name) if name in names else names.index(plain) if plain in names else len(names)
