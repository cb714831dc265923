"""Arguments of a kernel in a panel: which variables fit a parameter, and what stands there where none does."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cl_magic.clc.dtypes import dtype_of
from cl_magic.clc.signature import Parameter
from cl_magic.clc.structs import Layout, layout_named
from cl_magic.clc.types import type_of
from cl_magic.device_array import DeviceArray
from cl_magic.errors import ClMagicError
from cl_magic.launch.arguments import binder_for
from cl_magic.launch.image_values import Image
from cl_magic.launch.images import is_image_type
from cl_magic.launch.request import ArrayArgument
from cl_magic.launch.samplers import Sampler, sampler
from cl_magic.launch.staging import Staged

NEW = "new"
"""Choice of an array that the panel makes and keeps, of the global size, filled with zeros."""
_NAMED = "name:"
_MOST_NAMES = 200
_ARRAYS = (np.ndarray, DeviceArray, Image, Sampler)


def is_object(parameter: Parameter) -> bool:
    """Whether a parameter takes an array, an image or a sampler, chosen by name.

    Examples
    --------
    >>> is_object(Parameter(0, "x", "float*", "global")), is_object(Parameter(0, "t", "float*", "local"))
    (True, False)
    """
    kind = parameter.type_name
    return (parameter.is_pointer and parameter.address != "local") or is_image_type(kind) or kind == "sampler_t"


def fits(parameter: Parameter, kernel: str, layouts: Sequence[Layout]) -> Callable[[Any], bool]:
    """Return what tells whether a value can be passed as it is: its type, its layout, that it can be written.

    Examples
    --------
    >>> fit = fits(Parameter(0, "x", "float*", "global"), "f", ())
    >>> fit(np.zeros(4, np.float32)), fit(np.zeros(4)), fit("text")
    (True, False, False)
    """
    bind = binder_for(parameter, kernel, layouts)
    one_array = parameter.is_pointer or is_image_type(parameter.type_name)

    def fit(value: Any) -> bool:  # noqa: ANN401 - any variable
        if not isinstance(value, _ARRAYS):
            return False
        try:
            bound = bind(value, 0)
        except (ClMagicError, TypeError, ValueError):
            return False
        return isinstance(bound, ArrayArgument | Staged) or not one_array

    return fit


def fitting_names(fit: Callable[[Any], bool], names: Mapping[str, Any]) -> list[str]:
    """Names of the variables that fit, in the order they came; private ones and those of IPython are left out.

    Examples
    --------
    >>> fitting_names(lambda value: value > 1, {"a": 1, "b": 2, "_c": 3})
    ['b']
    """
    items = [(name, value) for name, value in list(names.items()) if not name.startswith("_")]
    found = [name for name, value in items if name not in ("In", "Out", "exit", "quit") and fit(value)]
    return found[:_MOST_NAMES]


def choice_of(name: str) -> str:
    """Choice that means a variable.

    Examples
    --------
    >>> choice_of("img"), named(choice_of("img")), named(NEW)
    ('name:img', 'img', None)
    """
    return _NAMED + name


def named(choice: object) -> str | None:
    """Name of the variable that a choice means; None for any other choice."""
    return choice.removeprefix(_NAMED) if isinstance(choice, str) and choice.startswith(_NAMED) else None


def array_words(value: Any) -> str:  # noqa: ANN401 - an array, an image or a sampler
    """Shape and type of an array in short.

    Examples
    --------
    >>> array_words(np.zeros((432, 576), np.uint16))
    '432 × 576 uint16'
    """
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if shape is None or dtype is None:
        return repr(value) if isinstance(value, Sampler) else type(value).__name__.lower()
    words = " × ".join(map(str, shape)) or "1"
    return f"{words} {dtype.name if dtype.names is None else f'record of {dtype.itemsize} B'}"


def new_value(parameter: Parameter, global_size: Sequence[int], layouts: Sequence[Layout]) -> Any:  # noqa: ANN401
    """Zeros of the global size in NumPy's order for a parameter; a sampler for a ``sampler_t``.

    Returns
    -------
    ndarray, Sampler or None
        None where the type of its elements is not known.

    Examples
    --------
    >>> new_value(Parameter(0, "x", "float4*", "global"), (6, 4), ()).shape
    (4, 6, 4)
    """
    shape = tuple(reversed(global_size))
    if parameter.type_name == "sampler_t":
        return sampler()
    if is_image_type(parameter.type_name):
        kind = np.float32 if "f" in parameter.image_families or not parameter.image_families else np.uint8
        return np.zeros((*shape, 4), kind)
    ctype = type_of(parameter.element_type)
    if ctype is not None:
        return np.zeros(shape if ctype.width == 1 else (*shape, ctype.slots), ctype.dtype)
    layout = layout_named(layouts, parameter.element_type.removeprefix("struct ").removeprefix("union "))
    return None if layout is None or layout.bit_field else np.zeros(shape, dtype_of(layout))


def size_from(values: Sequence[Any]) -> tuple[int, ...]:
    """Global size that the items of the first array suggest: its shape in x, y, z order; () without one.

    Examples
    --------
    >>> size_from([np.zeros((4, 6))]), size_from([np.zeros((4, 6, 3), np.uint8)]), size_from([])
    ((6, 4), (6, 4), ())
    """
    for value in values:
        shape = tuple(getattr(value, "shape", ()))
        if len(shape) == 3 and shape[-1] in (2, 3, 4):  # noqa: PLR2004 - an image's components
            shape = shape[:-1]
        if 0 < len(shape) <= 3 and math.prod(shape):  # noqa: PLR2004 - dimensions of an NDRange
            return tuple(reversed([int(n) for n in shape]))
    return ()
