"""Python values as macros: numbers, texts, and arrays of constants as initialisers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cl_magic._version import FEATURE_MACRO
from cl_magic.errors import OptionError

_SIGNED_LIMIT = 2**63


def define_options(defines: Mapping[str, Any]) -> tuple[str, ...]:
    """``-D`` options for Python values by macro name.

    Parameters
    ----------
    defines : mapping of str to object
        A number, a text (which goes in as it is: a type name, an expression), None or True (defined as 1), or a list,
        tuple or array of them, nested as deep as you like: an initialiser in braces. A Python float is a ``double``
        in OpenCL C, as it is in C; ``np.float32`` makes a ``float``. A name may have parameters: ``"SQ(x)"``.

    Raises
    ------
    OptionError
        A value that has no text in C; `name` and `value` are attributes.

    Examples
    --------
    >>> define_options({"N": 4, "TAPS": [1, 2, 3], "F": np.float32(0.5), "T": "float4", "DEBUG": None})
    ('-DN=4', '-DTAPS={1, 2, 3}', '-DF=0.5f', '-DT=float4', '-DDEBUG')
    """
    return tuple(
        f"-D{name}" if value is None else f"-D{name}={_initialiser(value, str(name))}"
        for name, value in defines.items()
    )


def feature_macro(options: Iterable[str]) -> tuple[str, ...]:
    """The option that tells a source that cl_magic builds it; none where the user's options define the macro.

    Examples
    --------
    >>> feature_macro(["-w"]), feature_macro(["-DCL_MAGIC=3"])
    (('-DCL_MAGIC=100',), ())
    """
    name = FEATURE_MACRO.partition("=")[0]
    own = any(option.partition("=")[0] in (name, name.replace("-D", "-U", 1)) for option in options)
    return () if own else (FEATURE_MACRO,)


def literal(value: Any) -> str | None:  # noqa: ANN401 - any value
    """A number as OpenCL C writes it, a text as it is; None for any other value.

    Examples
    --------
    >>> literal(True), literal(2**63), literal(np.float32(0.1)), literal(float("-inf")), literal(1j)
    ('1', '9223372036854775808UL', '0.1f', '-INFINITY', None)
    """
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        if value.dtype in (np.float32, np.float16):
            return _float_text(float(str(value)), "f")
        value = value.item()
    if isinstance(value, bool | int):
        return f"{value:d}" + ("UL" if value >= _SIGNED_LIMIT else "")
    if isinstance(value, float):
        return _float_text(value, "")
    return str(value) if isinstance(value, str) or hasattr(value, "__fspath__") else None


def _initialiser(value: Any, name: str) -> str:  # noqa: ANN401 - any value
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        return "{" + ", ".join(_initialiser(item, name) for item in value) + "}"
    text = literal(value)
    if text is None:
        msg = f"{name} is of type {type(value).__name__}, which OpenCL C has no text for: {value!r}"
        remedy = "use a number, a text, or a list of them; larger tables are better arguments of the kernel"
        raise OptionError(msg, remedy=remedy, option=f"-D{name}", name=name, value=value)
    return text


def _float_text(value: float, suffix: str) -> str:
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(value) + suffix
