"""Structures and unions as arguments: arrays of records checked member by member, values made from fields.

A kernel reads a structure by its own offsets, whatever NumPy packs; here the two are compared before the launch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cl_magic.clc.dtypes import Comparison, compared, convertible, copy_members, dtype_of, same_layout
from cl_magic.clc.signature import Parameter
from cl_magic.clc.structs import Layout, bit_field_fault, pointer_member, value_fault
from cl_magic.errors import ArgumentError
from cl_magic.launch.record_values import record_bytes
from cl_magic.launch.request import ScalarArgument
from cl_magic.launch.scalars import ValueRefusedError
from cl_magic.launch.wording import count

_Array = np.ndarray[Any, Any]
_WORDS = {
    "same": "",
    "moved": "another place",
    "other": "another type",
    "missing": "missing in the array",
    "unknown": "not in the kernel's type",
}


class RecordRefusedError(ValueError):
    """An array does not fit a structure; `args` are what is wrong, the remedy and the comparison."""


def record_fit(dtype: np.dtype[Any], nbytes: int, layout: Layout) -> bool:
    """Whether records of a dtype are the structure as they are; False where members must be moved.

    Parameters
    ----------
    dtype : numpy.dtype
        Bytes (uint8) are taken as they are.
    nbytes : int
        Of the whole array.
    layout : Layout

    Raises
    ------
    RecordRefusedError
        Names or types differ.

    Examples
    --------
    >>> from cl_magic.clc.structs import Field
    >>> pair = Layout("P", "struct", 8, 4, (Field("c", "char", 0, 1), Field("v", "int", 4, 4)))
    >>> record_fit(np.dtype([("c", "i1"), ("v", "i4")]), 5, pair), record_fit(dtype_of(pair), 8, pair)
    (False, True)
    """
    name = layout.short_name
    if not layout.size_bytes:
        what = f"is for a {name}, which has no members"
        raise RecordRefusedError(what, "a member in the structure, or None", ())
    if dtype == np.uint8:
        if nbytes % layout.size_bytes:
            what = f"has {count(nbytes)} B, no multiple of the {count(layout.size_bytes)} B of a {name}"
            raise RecordRefusedError(what, f"whole records: np.zeros(n, {_dtype_text(name)})", ())
        return True
    _check_members(layout)
    if dtype.names is None:
        what = f"is {dtype}, the kernel wants {name}, a record of {count(layout.size_bytes)} B"
        raise RecordRefusedError(what, f"np.zeros(n, {_dtype_text(name)}), or {{name}}.view({_dtype_text(name)})", ())
    rows = compared(layout, dtype)
    if same_layout(layout, dtype, rows):
        return True
    if convertible(layout, rows):
        return False
    what = (
        f"has records of {count(dtype.itemsize)} B that are no {name} ({count(layout.size_bytes)} B):\n"
        f"{comparison_text(rows)}"
    )
    remedy = f"make it np.zeros(n, {_dtype_text(name)}) and fill its members"
    raise RecordRefusedError(what, remedy, rows)


def _check_members(layout: Layout) -> None:
    if layout.bit_field:
        msg = f"is for a {layout.short_name}: {bit_field_fault(layout)}"
        raise RecordRefusedError(msg, "a member of a whole type", ())
    holder = pointer_member(layout)
    if holder is not None:
        path, field = holder
        what = (
            f"is for a {layout.short_name}, whose member {path} is a {field.type_name}: an address of the host means "
            "nothing on the device (OpenCL C 1.2, 6.9.p)"
        )
        remedy = "an index in place of the pointer; bytes (uint8) are passed as they are"
        raise RecordRefusedError(what, remedy, ())


def _dtype_text(name: str) -> str:
    return f'program.dtype("{name}")'


def comparison_text(rows: tuple[Comparison, ...]) -> str:
    """Table of a comparison, the kernel's members left, the array's right.

    Examples
    --------
    >>> print(comparison_text((Comparison("v", "int32 at 4", "float32 at 4", "other"),)))
      member  kernel      array
      v       int32 at 4  float32 at 4  another type
    """
    cells = [("member", "kernel", "array", "")]
    cells += [(row.path, row.wanted, row.given, _WORDS[row.verdict]) for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(3)]
    return "\n".join(
        "  " + "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]).rstrip()
        for row in cells
    )


def moved_members(value: _Array, layout: Layout) -> tuple[_Array, str, Callable[[], None]]:
    """Copy of records in the structure's own layout, what was done, and how to bring results back.

    Examples
    --------
    >>> from cl_magic.clc.structs import Field
    >>> pair = Layout("P", "struct", 8, 4, (Field("c", "char", 0, 1), Field("v", "int", 4, 4)))
    >>> moved_members(np.zeros(3, [("c", "i1"), ("v", "i4")]), pair)[1]
    'copied from records of 5 to records of 8 bytes'
    """
    ours = np.zeros(value.shape, dtype_of(layout))
    copy_members(layout, ours, value)

    def restore() -> None:
        copy_members(layout, ours, value, back=True)

    reason = f"copied from records of {count(value.dtype.itemsize)} to records of {count(layout.size_bytes)} bytes"
    if value.dtype.itemsize == layout.size_bytes:
        reason += " with members in other places"
    return ours, reason, restore


def record_binder(parameter: Parameter, layout: Layout, kernel: str) -> Callable[[Any], ScalarArgument]:
    """Caster for a structure or union by value: a record, a dict, or a tuple in the order of the members.

    Examples
    --------
    >>> from cl_magic.clc.structs import Field
    >>> pair = Layout("P", "struct", 8, 4, (Field("c", "char", 0, 1), Field("v", "int", 4, 4)))
    >>> bind = record_binder(Parameter(0, "p", "P"), pair, "f")
    >>> bind({"c": 1, "v": 77}).data.hex(), bind((1, 77)).text
    ('010000004d000000', '{.c = 1, .v = 77}')
    """
    fault = value_fault(layout)

    def refuse(value: object, what: str, remedy: str, rows: tuple[Comparison, ...] = ()) -> ArgumentError:
        message = f"{kernel}: argument {parameter.name} ({parameter.type_name}) {what}"
        return ArgumentError(
            message, remedy=remedy.replace("{name}", parameter.name), kernel=kernel, parameter=parameter.name,
            value=value, comparison=rows,
        )  # fmt: skip

    def bind(value: Any) -> ScalarArgument:  # noqa: ANN401 - that is what it checks
        if fault:
            raise refuse(value, f"cannot be passed by value: {fault}", "pass an array of it to a global pointer")
        try:
            data, text = record_bytes(_as_record(value, layout), layout)
        except ValueRefusedError as refused:
            raise refuse(value, *refused.args) from None
        except RecordRefusedError as refused:
            raise refuse(value, *refused.args) from None
        return ScalarArgument(parameter.index, parameter.name, parameter.type_name, data, text)

    return bind


def _as_record(value: Any, layout: Layout) -> Any:  # noqa: ANN401
    """A record of NumPy in the structure's own layout; everything else as it is."""
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.size == 1 and value.dtype.names:
        value = value[0]
    record = isinstance(value, np.void) or (isinstance(value, np.ndarray) and value.ndim == 0)
    if not record or value.dtype.names is None:
        return value
    array = np.asarray(value)
    if record_fit(array.dtype, array.nbytes, layout):
        return array.tobytes()
    return moved_members(array, layout)[0].tobytes()
