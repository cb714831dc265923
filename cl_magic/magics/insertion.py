"""Python values as they stand on a magic line: numbers and text as C would read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cl_magic.build.definitions import literal
from cl_magic.errors import MagicLineError
from cl_magic.magics.nearest import nearest

_MOST_ITEMS = 4096
"""Of an array on the line (``-DTAPS={$taps}``): larger ones are arguments of a kernel."""


def inserted_text(expression: str, names: Mapping[str, Any]) -> str:
    """Evaluate `expression` in `names` and return the value's text.

    Parameters
    ----------
    expression : str
        A Python expression; a name is the usual one.
    names : mapping of str to object
        The notebook's variables.

    Raises
    ------
    MagicLineError
        Names the expression that failed, or the value's type where it has no text in C.

    Examples
    --------
    >>> inserted_text("w // 2", {"w": 640})
    '320'
    """
    try:
        value = eval(expression.strip(), dict(names))  # noqa: S307 - the notebook's own expression, as in f"{…}"
    except NameError as error:
        name = getattr(error, "name", "") or expression
        known = nearest(name, names)
        remedy = f"did you mean {known}? " if known else ""
        message = f"${expression}: there is no variable {name}"
        remedy += f"Define {name} before this cell, or write $$ for a plain $"
        raise MagicLineError(message, remedy=remedy, name=name) from error
    except Exception as error:
        message = f"${{{expression}}} cannot be evaluated: {type(error).__name__}: {error}"
        raise MagicLineError(message, remedy="correct the expression between ${ and }") from error
    return c_text(value, expression)


def c_text(value: Any, name: str = "") -> str:  # noqa: ANN401 - any value of the notebook
    """Return a number, text or tuple of them as C and our size flags read it.

    Parameters
    ----------
    value : bool, int, float, NumPy scalar, str, path, or a tuple, list or array of them
        A ``float32`` gets the suffix ``f``; infinities and NaN become OpenCL C's macros.
    name : str
        What to call the value in the error.

    Examples
    --------
    >>> c_text(True), c_text(0.5), c_text(np.float32(0.5)), c_text("float4"), c_text((640, 480))
    ('1', '0.5', '0.5f', 'float4', '640,480')
    >>> c_text(-float("inf"))
    '-INFINITY'
    """
    if isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim and value.size <= _MOST_ITEMS):
        return ",".join(c_text(item, name) for item in value)
    text = literal(value)
    if text is not None:
        return text
    kind = type(value).__name__
    message = f"${name} is of type {kind}, which has no text form on the line"
    raise MagicLineError(message, remedy="use a number, a text, or a tuple of them", type_name=kind)
