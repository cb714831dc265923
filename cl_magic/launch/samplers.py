"""Samplers as arguments: how a kernel reads outside an image and between its pixels (OpenCL 1.2, 5.5)."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Any, cast, get_args

from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.errors import ArgumentError
from cl_magic.launch.request import Addressing, Filter, SamplerArgument

_NEEDS_NORMALIZED = ("repeat", "mirrored_repeat")


class Sampler:
    """A sampler as a value; see :func:`sampler`. Attributes: `normalized`, `addressing`, `filter`."""

    __slots__ = ("addressing", "filter", "normalized")

    def __init__(self, *, normalized: bool, addressing: str, filter: str) -> None:  # noqa: A002 - OpenCL's word
        if normalized not in (True, False):
            message = f"sampler: normalized={normalized!r} is no truth value"
            raise ArgumentError(message, remedy="normalized=True", parameter="normalized", value=normalized)
        self.normalized = bool(normalized)
        self.addressing = cast("Addressing", _word("addressing", addressing, get_args(Addressing)))
        self.filter = cast("Filter", _word("filter", filter, get_args(Filter)))
        if self.addressing in _NEEDS_NORMALIZED and not self.normalized:
            message = (
                f"sampler: addressing={addressing!r} works with normalised coordinates only (OpenCL 1.2, 5.5.1); with "
                "normalized=False its result is undefined"
            )
            remedy = 'normalized=True and coordinates from 0 to 1, or addressing="clamp_to_edge"'
            raise ArgumentError(message, remedy=remedy, parameter="addressing", value=addressing)

    def __repr__(self) -> str:
        return f"sampler(normalized={self.normalized}, addressing={self.addressing!r}, filter={self.filter!r})"


def sampler(*, normalized: bool = False, addressing: str = "clamp_to_edge", filter: str = "nearest") -> Sampler:  # noqa: A002
    """A sampler for a ``sampler_t`` parameter.

    Parameters
    ----------
    normalized : bool
        Whether coordinates run from 0 to 1 over the image; else they count pixels.
    addressing : {"clamp_to_edge", "clamp", "repeat", "mirrored_repeat", "none"}
        What is read outside the image: the nearest pixel, the border colour (zeros), the image again (both kinds of
        repeat need `normalized`), or, with "none", nothing that is defined.
    filter : {"nearest", "linear"}
        The pixel that holds the point, or the weighted mean of the pixels around it (``read_imagef`` only).

    Raises
    ------
    ArgumentError
        No such word, `normalized` no truth value, or repeat without normalised coordinates.

    Examples
    --------
    >>> sampler(normalized=True, addressing="repeat", filter="linear")
    sampler(normalized=True, addressing='repeat', filter='linear')
    """
    return Sampler(normalized=normalized, addressing=addressing, filter=filter)


def _word(name: str, value: object, known: Sequence[str]) -> str:
    plain = str(value).lower()
    if plain in known:
        return plain
    near = difflib.get_close_matches(plain, known, 1, 0.5)
    message = f"sampler: {name}={value!r} is none of {', '.join(known)}"
    remedy = f"did you mean {name}={near[0]!r}?" if near else f"{name}={known[-1]!r}"
    raise ArgumentError(message, remedy=remedy, parameter=name, value=value)


def sampler_binder(parameter: Parameter, kernel: str) -> Callable[[Any, int], SamplerArgument]:
    """Checker for one ``sampler_t`` parameter.

    Examples
    --------
    >>> sampler_binder(Parameter(0, "pick", "sampler_t"), "blur")(sampler(), 0).addressing
    'clamp_to_edge'
    """

    def bind(value: Any, _slot: int) -> SamplerArgument:  # noqa: ANN401 - that is what it checks
        if not isinstance(value, Sampler):
            shown = f"{type(value).__name__} {'' if hasattr(value, 'shape') else repr(value)}".strip()[:60]
            message = f"{kernel}: argument {parameter.name} (sampler_t) is {shown}; it takes a sampler"
            remedy = 'clm.sampler(normalized=False, addressing="clamp_to_edge", filter="nearest")'
            raise ArgumentError(message, remedy=remedy, kernel=kernel, parameter=parameter.name, value=value)
        return SamplerArgument(parameter.index, parameter.name, value.normalized, value.addressing, value.filter)

    return bind


def check_filters(signature: KernelSignature, samplers: Sequence[SamplerArgument]) -> None:
    """Refuse a linear filter where the kernel reads integers only: undefined (OpenCL C 1.2, 6.12.14.2).

    Examples
    --------
    >>> check_filters(KernelSignature("f"), [SamplerArgument(0, "s", False, "clamp", "linear")])
    """
    linear = next((one for one in samplers if one.filter == "linear"), None)
    families = {family for parameter in signature.parameters for family in parameter.image_families}
    if linear is not None and families and families <= {"i", "ui"}:
        message = (
            f"{signature.name}: argument {linear.name} is a sampler with filter='linear', and the kernel reads its "
            "images as integers, which takes filter='nearest' only (OpenCL C 1.2, 6.12.14.2)"
        )
        remedy = 'clm.sampler(filter="nearest"), or read_imagef in the kernel'
        raise ArgumentError(message, remedy=remedy, kernel=signature.name, parameter=linear.name, value=linear)


def sampler_text(argument: SamplerArgument) -> str:
    """A sampler in short.

    Examples
    --------
    >>> sampler_text(SamplerArgument(0, "s", False, "clamp", "linear"))
    'sampler, pixel coordinates, clamp, linear'
    """
    coordinates = "normalised" if argument.normalized else "pixel"
    return f"sampler, {coordinates} coordinates, {argument.addressing}, {argument.filter}"
