"""Python and NumPy values as scalar and vector arguments, cast by the kernel's own types with a range check.

Nothing is reinterpreted and nothing is cut: an integer parameter takes whole-number types only, a value out of range is
an error (OpenCL C 1.2, 6.2.3 leaves such conversions open).
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from cl_magic.clc.signature import Parameter
from cl_magic.clc.types import CType
from cl_magic.errors import ArgumentError
from cl_magic.launch.request import ScalarArgument
from cl_magic.launch.wording import count

_SEEN_LIMIT = 256
_SUFFIX = {
    "uchar": "u",
    "ushort": "u",
    "uint": "u",
    "long": "L",
    "ulong": "UL",
    "half": "h",
    "float": "f",
    "double": "",
}
_MISTAKE_REMEDY = {"float": "float({name})", "signed": "int({name})", "unsigned": "int({name})", "bool": "bool({name})"}


class ValueRefusedError(ValueError):
    """A value does not fit; `args` are what is wrong and the remedy. The binder adds kernel and parameter."""


def scalar_binder(parameter: Parameter, ctype: CType, kernel: str) -> Callable[[Any], ScalarArgument]:
    r"""Caster for one by-value parameter; values seen before cost a dictionary look-up.

    Parameters
    ----------
    parameter : Parameter
    ctype : CType
        Of the parameter.
    kernel : str
        Name for the errors.

    Examples
    --------
    >>> from cl_magic.clc.types import type_of
    >>> bind = scalar_binder(Parameter(2, "a", "float"), type_of("float"), "saxpy")
    >>> bind(2.0).data, bind(2.0).text
    (b'\x00\x00\x00@', '2.0f')
    """
    seen: dict[tuple[Any, ...], ScalarArgument] = {}

    def bind(value: Any) -> ScalarArgument:  # noqa: ANN401 - that is what it checks
        key = (type(value), value) if type(value) is not tuple else (*map(type, value), value)
        try:
            return seen[key]
        except (KeyError, TypeError):  # TypeError: a list or array cannot be a key
            pass
        try:
            data, text = cast(value, ctype)
        except ValueRefusedError as refused:
            raise _refusal(refused, value, parameter, kernel) from None
        bound = ScalarArgument(parameter.index, parameter.name, parameter.type_name, data, text)
        if _is_key(value):
            if len(seen) >= _SEEN_LIMIT:
                seen.clear()
            seen[key] = bound
        return bound

    return bind


def _is_key(value: object) -> bool:
    """Whether equal values of one type have equal bytes: 0.0 and -0.0 are one key, and NaN is none."""
    if type(value) is tuple:
        return all(map(_is_key, value))
    return isinstance(value, (int, float, np.number)) and value != 0 and value == value  # noqa: PLR0124


def cast(value: Any, ctype: CType) -> tuple[bytes, str]:  # noqa: ANN401 - that is what it checks
    r"""Bytes, little end first, and OpenCL C text of a value.

    Raises
    ------
    ValueRefusedError

    Examples
    --------
    >>> from cl_magic.clc.types import type_of
    >>> cast((1, 2), type_of("int2"))
    (b'\x01\x00\x00\x00\x02\x00\x00\x00', '(int2)(1, 2)')
    """
    if ctype.width > 1:
        return _cast_vector(value, ctype)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    number = _whole(value, ctype) if ctype.family != "float" else _real(value, ctype)
    try:
        data = struct.pack("<" + _code(ctype), number)
    except OverflowError:
        raise _out_of_range(value, ctype) from None
    return data, _text(data, ctype)


def _whole(value: Any, ctype: CType) -> int:  # noqa: ANN401
    if isinstance(value, (float, np.floating)):
        whole = math.isfinite(value) and value == int(value)
        remedy = "int({name})" + ("" if whole else ", or a rounding of your choice,")
        msg = f"is {_shown(value)}, a {_kind(value)}"
        raise ValueRefusedError(msg, f"{remedy} where a whole number is meant")
    number = int(value) if isinstance(value, np.bool_) else _index(value, ctype)
    low, high = ctype.range
    if not low <= number <= high:
        raise _out_of_range(number, ctype)
    return number


def _real(value: Any, ctype: CType) -> float:  # noqa: ANN401
    if isinstance(value, (bool, np.bool_)):
        msg = f"is {value}, a truth value"
        raise ValueRefusedError(msg, "float({name}) if 1.0 and 0.0 are meant")
    if isinstance(value, (float, np.floating)):
        return float(value)
    try:
        return float(_index(value, ctype))
    except OverflowError:
        raise _out_of_range(value, ctype) from None


def _index(value: Any, ctype: CType) -> int:  # noqa: ANN401
    try:
        return operator.index(value)
    except TypeError:
        if isinstance(value, np.ndarray):
            msg = f"is an array of shape {value.shape}"
            raise ValueRefusedError(msg, "one element of it, {name}[0]") from None
        msg = f"is {_shown(value)}, of type {type(value).__name__}"
        raise ValueRefusedError(msg, _MISTAKE_REMEDY[ctype.family]) from None


def _cast_vector(value: Any, ctype: CType) -> tuple[bytes, str]:  # noqa: ANN401
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]  # a vector of PyOpenCL's cltypes
    if isinstance(value, np.void) and value.dtype.names:
        value = tuple(value[name] for name in value.dtype.names[: ctype.width])
    if isinstance(value, (complex, np.complexfloating)) and ctype.family == "float":
        value = (value.real, value.imag)
    if not isinstance(value, (tuple, list)) and not (isinstance(value, np.ndarray) and value.ndim == 1):
        msg = f"is {_shown(value)}, of type {type(value).__name__}"
        raise ValueRefusedError(msg, f"a tuple of {ctype.width} numbers")
    if len(value) != ctype.width:
        msg = f"has {len(value)} components"
        raise ValueRefusedError(msg, f"a tuple of {ctype.width} numbers")
    component = CType(ctype.scalar, ctype.scalar, 1, ctype.dtype.itemsize, ctype.dtype, ctype.family)
    parts = [cast(number, component) for number in value]
    data = b"".join(data for data, _ in parts).ljust(ctype.size_bytes, b"\0")
    return data, f"({ctype.name})({', '.join(text for _, text in parts)})"


def _code(ctype: CType) -> str:
    codes = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q", "b1": "?"}
    codes |= {"f2": "e", "f4": "f", "f8": "d"}
    return codes[ctype.dtype.str[1:]]


def _text(data: bytes, ctype: CType) -> str:
    number = np.frombuffer(data, ctype.dtype)[0]
    if ctype.family != "float":
        return f"{int(number)}{_SUFFIX.get(ctype.scalar, '')}"
    if not np.isfinite(number):
        return "NAN" if np.isnan(number) else "-INFINITY" if number < 0 else "INFINITY"
    return f"{number!s}{_SUFFIX[ctype.scalar]}"


def _out_of_range(value: object, ctype: CType) -> ValueRefusedError:
    if ctype.family == "float":
        largest = float(np.finfo(ctype.dtype).max)
        return ValueRefusedError(
            f"is {_shown(value)}, over the largest {ctype.name}, {largest:.6g}",
            "a smaller value, or a double parameter",
        )
    low, high = (count(limit).replace("-", "−") for limit in ctype.range)
    wider = {"char": "short", "uchar": "ushort", "short": "int", "ushort": "uint", "int": "long", "uint": "ulong"}
    wide = f", or {wider[ctype.scalar]} in the kernel" if ctype.scalar in wider else ""
    return ValueRefusedError(f"is {_shown(value)}, but {ctype.name} holds {low} to {high}", f"a value in range{wide}")


def _kind(value: object) -> str:
    return f"Python {type(value).__name__}" if type(value) in {float, int} else type(value).__name__


def _shown(value: object) -> str:
    text = str(value) if isinstance(value, np.generic) else repr(value)
    return text if len(text) <= 40 else text[:39] + "…"  # noqa: PLR2004 - room in one line


def _refusal(refused: ValueRefusedError, value: object, parameter: Parameter, kernel: str) -> ArgumentError:
    what, remedy = refused.args
    message = f"{kernel}: argument {parameter.name} ({parameter.type_name}) {what}"
    remedy = remedy.replace("{name}", parameter.name)
    return ArgumentError(message, remedy=remedy, kernel=kernel, parameter=parameter.name, value=value)
