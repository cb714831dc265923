"""Bytes that a device wrote, as OpenCL C would write the value: exact, with as many digits as tell it from others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cl_magic.clc.evaluation import TypeFacts
from cl_magic.clc.structs import Layout, is_object
from cl_magic.clc.types import CType, type_of

_MOST_ELEMENTS = 64


def type_text(facts: TypeFacts) -> str:
    """The type as a declaration names it.

    Examples
    --------
    >>> type_text(TypeFacts("int", (2, 7)))
    'int[2][7]'
    """
    return facts.name + "".join(f"[{length}]" for length in facts.shape)


def value_text(data: bytes, facts: TypeFacts) -> str:
    r"""Value of a type from its bytes, little end first.

    Examples
    --------
    >>> value_text(bytes([0, 0, 0, 63]), TypeFacts("float")), value_text(bytes([1, 255]), TypeFacts("char2"))
    ('0.5', '{1, -1}')
    """
    if not facts.shape:
        return _one(data, facts)
    size = len(data) // math.prod(facts.shape)
    parts = [data[i * size : (i + 1) * size] for i in range(min(math.prod(facts.shape), _MOST_ELEMENTS))]
    more = ["…"] if math.prod(facts.shape) > _MOST_ELEMENTS else []
    return _braced([*(_one(part, TypeFacts(facts.name, (), facts.layout)) for part in parts), *more])


def parts_of(data: bytes, facts: TypeFacts) -> tuple[bytes, ...]:
    r"""Bytes of each component of a scalar or vector, without the fourth place of a vector of three; else all in one.

    Examples
    --------
    >>> parts_of(bytes([1, 0, 2, 0]), TypeFacts("short2"))
    (b'\x01\x00', b'\x02\x00')
    """
    ctype = type_of(facts.name)
    if ctype is None or facts.shape:
        return (data,)
    size = ctype.dtype.itemsize
    return tuple(data[i * size : (i + 1) * size] for i in range(ctype.width))


def _one(data: bytes, facts: TypeFacts) -> str:
    if facts.layout is not None:
        return _record(data, facts.layout)
    ctype = type_of(facts.name)
    return "0x" + data[::-1].hex() if ctype is None else _numbers(data, ctype)


def _numbers(data: bytes, ctype: CType) -> str:
    values = np.frombuffer(data, ctype.dtype.newbyteorder("<"), ctype.width)
    texts = [_number(value) for value in values]
    return texts[0] if ctype.width == 1 else _braced(texts)


def _number(value: Any) -> str:  # noqa: ANN401 - a NumPy scalar
    if isinstance(value, np.bool_):
        return "true" if value else "false"
    return str(value)


def _braced(texts: list[str]) -> str:
    return "{" + ", ".join(texts) + "}"


def _record(data: bytes, layout: Layout) -> str:
    members = []
    for field in layout.fields:
        part = data[field.offset_bytes : field.offset_bytes + field.size_bytes]
        name = "ulong" if is_object(field.type_name) else field.type_name
        members.append(f".{field.name} = {value_text(part, TypeFacts(name, field.shape, field.layout))}")
    return _braced(members)
