"""Bytes of a structure made from Python values: dicts and tuples of its members, each cast by its own type."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cl_magic.clc.dtypes import dtype_of
from cl_magic.clc.structs import Field, Layout
from cl_magic.clc.types import type_of
from cl_magic.launch.scalars import ValueRefusedError, cast
from cl_magic.launch.wording import count

_MOST_TEXT = 60


def record_bytes(value: Any, layout: Layout) -> tuple[bytes, str]:  # noqa: ANN401 - that is what it checks
    r"""Bytes of one structure or union, padding 0, and its text.

    Parameters
    ----------
    value : mapping, sequence or bytes
        Members by name (of a union exactly one), all members in order, or the bytes themselves.
    layout : Layout

    Raises
    ------
    ValueRefusedError

    Examples
    --------
    >>> from cl_magic.clc.structs import Field
    >>> pair = Layout("P", "struct", 8, 4, (Field("c", "char", 0, 1), Field("v", "int", 4, 4)))
    >>> record_bytes({"c": 1, "v": 2}, pair)
    (b'\x01\x00\x00\x00\x02\x00\x00\x00', '{.c = 1, .v = 2}')
    """
    if isinstance(value, (bytes, bytearray, memoryview)):
        data = bytes(value)
        if len(data) != layout.size_bytes:
            msg = f"is {count(len(data))} bytes, a {layout.short_name} has {count(layout.size_bytes)}"
            raise ValueRefusedError(msg, f"bytes of that length, or a dict of its members: {_form(layout)}")
        return data, _short(data, layout)
    whole = bytearray(layout.size_bytes)
    parts = []
    for field, given in _given(value, layout):
        data, text = _member_bytes(given, field)
        whole[field.offset_bytes : field.offset_bytes + len(data)] = data
        parts.append(f".{field.name} = {text}")
    return bytes(whole), "{" + ", ".join(parts) + "}"


def _given(value: Any, layout: Layout) -> list[tuple[Field, Any]]:  # noqa: ANN401
    """Members with their values."""
    fields = {field.name: field for field in layout.fields}
    if isinstance(value, Mapping):
        return _by_name(value, fields, layout)
    is_sequence = isinstance(value, Sequence) and not isinstance(value, str)
    if layout.kind == "union" or not (is_sequence or (isinstance(value, np.ndarray) and value.ndim == 1)):
        msg = f"is {_named(value)}"
        kinds = "a dict of one member" if layout.kind == "union" else "a record, a dict or a tuple"
        raise ValueRefusedError(msg, f"{kinds}: {_form(layout)}")
    if len(value) != len(fields):
        msg = f"has {len(value)} values, a {layout.short_name} has {len(fields)} members"
        raise ValueRefusedError(msg, f"all of them in order: {', '.join(fields)}")
    return list(zip(fields.values(), value, strict=True))


def _by_name(value: Mapping[Any, Any], fields: dict[str, Field], layout: Layout) -> list[tuple[Field, Any]]:
    for name in value:
        if name not in fields:
            near = difflib.get_close_matches(str(name), fields, 1)
            msg = f"has a member {name!r}, a {layout.short_name} has {', '.join(fields)}"
            raise ValueRefusedError(msg, f"did you mean {near[0]!r}?" if near else _form(layout))
    missing = [name for name in fields if name not in value]
    if layout.kind == "union":
        if len(value) != 1:
            msg = f"names {len(value)} members of the union {layout.short_name}, which holds one at a time"
            raise ValueRefusedError(msg, f"one of {', '.join(fields)}")
    elif missing:
        msg = f"has no value for {', '.join(missing)}"
        raise ValueRefusedError(msg, f"all members: {_form(layout)}")
    return [(fields[name], value[name]) for name in fields if name in value]


def _member_bytes(value: Any, field: Field) -> tuple[bytes, str]:  # noqa: ANN401
    return _elements(value, field, field.shape)


def _elements(value: Any, field: Field, shape: tuple[int, ...]) -> tuple[bytes, str]:  # noqa: ANN401
    if not shape:
        return _element(value, field)
    if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
        msg = f"has {_named(value)} for {field.declaration}"
        raise ValueRefusedError(msg, f"{shape[0]} values")
    if len(value) != shape[0]:
        msg = f"has {len(value)} values for {field.declaration}"
        raise ValueRefusedError(msg, f"{shape[0]} values")
    pairs = [_elements(item, field, shape[1:]) for item in value]
    text = ", ".join(text for _, text in pairs)
    return b"".join(data for data, _ in pairs), "{" + (text if len(text) <= _MOST_TEXT else f"{shape[0]} values") + "}"


def _element(value: Any, field: Field) -> tuple[bytes, str]:  # noqa: ANN401
    if field.layout is not None:
        try:
            record = isinstance(value, np.void) and value.dtype == dtype_of(field.layout)
            return record_bytes(value.tobytes() if record else value, field.layout)
        except ValueRefusedError as refused:
            what, remedy = refused.args
            msg = f"in member {field.name} {what}"
            raise ValueRefusedError(msg, remedy) from None
    ctype = type_of(field.type_name)
    if ctype is None:
        msg = f"has a member {field.name} of type {field.type_name}, which has no value in Python"
        raise ValueRefusedError(msg, "bytes of the whole structure")
    try:
        return cast(value, ctype)
    except ValueRefusedError as refused:
        what, remedy = refused.args
        msg = f"in member {field.name} ({field.type_name}) {what}"
        raise ValueRefusedError(msg, remedy) from None


def _form(layout: Layout) -> str:
    names = [f'"{field.name}": …' for field in layout.fields]
    return "{" + (" or ".join(names) if layout.kind == "union" else ", ".join(names)) + "}"


def _short(data: bytes, layout: Layout) -> str:
    if layout.bit_field or not layout.fields or layout.kind == "union":
        return f"{count(len(data))} bytes"
    record = np.frombuffer(data, dtype_of(layout))[0]
    text = ", ".join(f".{name} = {record[name]}" for name in record.dtype.names or ())
    text = " ".join(text.split())
    return "{" + (text if len(text) <= _MOST_TEXT else f"{count(len(data))} bytes") + "}"


def _named(value: object) -> str:
    text = f"{type(value).__name__} {value!r}"
    return text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 1] + "…"
