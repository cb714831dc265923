"""What the built-in functions do with the memory their pointer and image arguments lead to (OpenCL C 3.0, 6.15)."""

from __future__ import annotations

import re
from typing import NamedTuple


class Effect(NamedTuple):
    """Whether memory is read, and whether it is written."""

    reads: bool
    writes: bool


NOTHING = Effect(reads=False, writes=False)
READ = Effect(reads=True, writes=False)
WRITE = Effect(reads=False, writes=True)
BOTH = Effect(reads=True, writes=True)

# The first rule that matches counts; each names an effect for every pointer or image argument, or one a position.
_RULES: tuple[tuple[re.Pattern[str], Effect | tuple[Effect, ...]], ...] = (
    (re.compile(r"vloada?_half\d*|vload\d+"), READ),
    (re.compile(r"vstorea?_half\d*(_rt[ezpn])?|vstore\d+"), WRITE),
    (re.compile(r"async_work_group_(strided_)?copy(_2D2D|_3D3D)?"), (WRITE, READ)),
    (re.compile(r"prefetch|get_image_\w+|get_pipe_\w+|get_fence|wait_group_events"), NOTHING),
    (re.compile(r"atomic_load(_explicit)?"), READ),
    (re.compile(r"atomic_(store|init)(_explicit)?|atomic_flag_clear(_explicit)?"), WRITE),
    (re.compile(r"atom(ic)?_\w+"), BOTH),
    (re.compile(r"read_\w+"), READ),
    (re.compile(r"write_\w+"), WRITE),
    (re.compile(r"modf|fract|frexp|sincos|lgamma_r|remquo"), WRITE),
    (re.compile(r"to_(global|local|private)"), NOTHING),
    (re.compile(r"printf"), READ),
)


_IMAGE_ACCESS = re.compile(r"(?:read|write)_image(f|h|i|ui)")


def image_family(name: str) -> str:
    """Family of a built-in function that touches the elements of an image, "" for all others.

    Examples
    --------
    >>> image_family("read_imageui"), image_family("get_image_width")
    ('ui', '')
    """
    found = _IMAGE_ACCESS.fullmatch(name)
    return found[1] if found else ""


def builtin_effect(name: str, position: int, *, const_pointee: bool) -> Effect:
    """Effect of a built-in function on what its argument leads to.

    Parameters
    ----------
    name : str
    position : int
        Of the argument among all arguments, from 0.
    const_pointee : bool
        Whether the parameter's type promises not to write.

    Returns
    -------
    Effect
        Reading and writing for a function that the table does not know and that promises nothing.

    Examples
    --------
    >>> builtin_effect("vstore4", 2, const_pointee=False)
    Effect(reads=False, writes=True)
    >>> builtin_effect("async_work_group_copy", 1, const_pointee=True)
    Effect(reads=True, writes=False)
    """
    for pattern, effect in _RULES:
        if pattern.fullmatch(name):
            if isinstance(effect, Effect):
                return effect
            return effect[position] if position < len(effect) else NOTHING
    return READ if const_pointee else BOTH
