"""Whether a NumPy dtype is what a pointer leads to: signedness, byte order, vectors, and the line that converts.

OpenCL C 1.2, 6.1.5: a vector of three elements takes the room of four.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cl_magic.clc.types import CType

Fault = tuple[str, str]
"""What is wrong, and the remedy with ``{name}`` for the argument."""
_ODD_WIDTH = 3


def type_fault(dtype: np.dtype[Any], element: str, ctype: CType | None, *, written: bool) -> Fault | None:
    """Why elements of `dtype` cannot be read as `element`; None where they can.

    Parameters
    ----------
    dtype : numpy.dtype
    element : str
        What the pointer leads to, in OpenCL C's words.
    ctype : CType or None
        Of `element`; None for a struct and the like.
    written : bool
        Whether the kernel may write: a bool array takes no other values than 0 and 1.

    Examples
    --------
    >>> from cl_magic.clc.types import type_of
    >>> type_fault(np.dtype("float64"), "float", type_of("float"), written=False)
    ('is float64, the kernel wants float (float32)', '{name} = {name}.astype(np.float32)')
    """
    if dtype.hasobject:
        return "holds Python objects, which no device can read", "{name}.astype(…) with a number type"
    if element == "void":
        return None
    if ctype is None:
        return _unknown_fault(dtype, element)
    if dtype == ctype.dtype or _same_layout(dtype, ctype):
        return None
    if dtype == np.bool_ and ctype.scalar == "uchar" and not written:
        return None
    return _difference(dtype, element, ctype)


def _difference(dtype: np.dtype[Any], element: str, ctype: CType) -> Fault:
    """What tells `dtype` from the wanted type, and the line that converts."""
    wanted = f"the kernel wants {element} ({ctype.dtype})"
    if not dtype.isnative:
        return f"is {_named(dtype)}, in the other byte order", '{name} = {name}.astype({name}.dtype.newbyteorder("="))'
    if dtype == np.bool_ and ctype.scalar in {"uchar", "char"}:
        return f"is bool, {wanted} and may write other values than 0 and 1", f"{{name}}.view(np.{ctype.dtype})"
    if dtype.kind in "iu" and ctype.family in {"signed", "unsigned"} and dtype.itemsize == ctype.dtype.itemsize:
        return f"is {dtype}, {wanted}", f"{{name}}.view(np.{ctype.dtype}), which keeps the bits"
    return f"is {_named(dtype)}, {wanted}", f"{{name}} = {{name}}.astype(np.{_numpy_name(ctype)})"


def layout_fault(dtype: np.dtype[Any], shape: tuple[int, ...], ctype: CType) -> Fault | None:
    """Why an array of that shape cannot be read as vectors; None where it can, or for scalars.

    Examples
    --------
    >>> from cl_magic.clc.types import type_of
    >>> layout_fault(np.dtype("float32"), (8, 5), type_of("float3"))[0]
    'has rows of 5 float32, but a float3 takes 16 bytes, the room of 4'
    """
    if ctype.width == 1 or dtype.itemsize == ctype.size_bytes:
        return None
    slots = ctype.slots
    last = shape[-1] if shape else 1
    if ctype.width == _ODD_WIDTH:
        if last == slots:
            return None
        what = f"has rows of {last} {dtype}, but a {ctype.name} takes {ctype.size_bytes} bytes, the room of {slots}"
        return what, f"an array of shape (…, 3), which is widened, or (…, {slots}); or vload3 from a {ctype.scalar}*"
    if last % slots:
        what = f"has shape {shape}, but {ctype.name} takes {slots} {dtype} each"
        return what, f"an array of shape (…, {slots})"
    return None


def _same_layout(dtype: np.dtype[Any], ctype: CType) -> bool:
    """Other dtypes with the same bytes: complex numbers for pairs, records for vectors."""
    if ctype.width == 1 or not dtype.isnative:
        return False
    if dtype.kind == "c":
        return ctype.family == "float" and ctype.width == 2 and dtype.itemsize == ctype.size_bytes  # noqa: PLR2004
    if dtype.fields is None or dtype.itemsize != ctype.size_bytes:
        return False
    return all(field[0] == ctype.dtype for field in dtype.fields.values())


def _unknown_fault(dtype: np.dtype[Any], element: str) -> Fault | None:
    if dtype == np.uint8:
        return None
    what = f"is {_named(dtype)}, and the layout of {element} is not known, so it cannot be checked"
    return what, "np.ascontiguousarray({name}).view(np.uint8) passes its bytes as they are"


def _named(dtype: np.dtype[Any]) -> str:
    return f"a record of {dtype.itemsize} bytes" if dtype.names else str(dtype)


def _numpy_name(ctype: CType) -> str:
    return "bool_" if ctype.family == "bool" else str(ctype.dtype)
