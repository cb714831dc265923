"""The table of OpenCL C's types, as HTML and as text."""

from __future__ import annotations

from collections.abc import Sequence

from cl_magic.clc.type_table import TypeRow, TypeTable
from cl_magic.display.escape import escape
from cl_magic.display.layout import columns
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, head, mono, section, small, table
from cl_magic.display.quantity import count

_HEADS = ("type", "host", "#bytes", "NumPy", "Python value", "as an argument")
_NOTE = (
    "A vector of three takes the room of four: an array (n, 3) is widened on the way in and narrowed on the way out; "
    "vload3 and vstore3 read packed triples from a pointer to the element type."
)
_ALIGNED = "Each type begins at a multiple of its size."


def types_html(types: TypeTable) -> str:
    """HTML table.

    Examples
    --------
    >>> from cl_magic.clc.type_table import TYPES
    >>> "cl_float4" in types_html(TYPES)
    True
    """
    if len(types) == 1:
        one = head([bold(mono(types.rows[0].name)), "a type of OpenCL C"]) + _table(types.rows, "type")
        return wrap(one + small(escape(_ALIGNED)), label=f"type {types.rows[0].name}")
    body = head([bold("Types of OpenCL C"), *map(escape, _title(types))])
    body += section("Scalars", _named(types.scalars), _table(types.scalars, "scalars"), opened=True)
    body += section("Vectors", _named(types.vectors, 2), _table(types.vectors, "vectors") + small(escape(_NOTE)))
    body += section("Opaque", _named(types.opaque, 4), _table(types.opaque, "opaque types"))
    return wrap(body + small(escape(_ALIGNED)), label="types of OpenCL C")


def types_text(types: TypeTable) -> str:
    """Text table; of the vectors the widths of float stand for all.

    Examples
    --------
    >>> from cl_magic.clc.type_table import TYPES
    >>> types_text(TYPES).splitlines()[0]
    'Types of OpenCL C · 16 scalars · 55 vectors · 16 others'
    """
    one = len(types) == 1
    shown = [
        row for row in types if one or not row.size_bytes or row not in types.vectors or row.name.startswith("float")
    ]
    heads = [name.removeprefix("#") for name in _HEADS]
    rows = [
        (row.name, row.api_type, count(row.size_bytes) if row.size_bytes else "", row.dtype, row.python, row.argument)
        for row in shown
    ]
    lines = [f"{shown[0].name} · a type of OpenCL C" if one else " · ".join(["Types of OpenCL C", *_title(types)])]
    lines += columns([(heads[0], *heads[2:]), *((row[0], *row[2:]) for row in rows)], (1,), "  ")
    if one:
        return "\n".join(lines)
    return "\n".join([*lines, "  Vectors of the other element types likewise: 2, 3, 4, 8 and 16 components."])


def _title(types: TypeTable) -> list[str]:
    others = len(types.opaque)
    return [f"{len(types.scalars)} scalars", f"{len(types.vectors)} vectors", f"{others} others"]


def _named(rows: Sequence[TypeRow], most: int = 3) -> str:
    return escape(", ".join([row.name for row in rows[:most]]) + (" …" if len(rows) > most else ""))


def _table(rows: Sequence[TypeRow], label: str) -> str:
    cells = [
        [
            mono(row.name),
            mono(row.api_type) if row.api_type else "",
            count(row.size_bytes) if row.size_bytes else "",
            escape(row.dtype),
            escape(row.python),
            escape(row.argument),
        ]
        for row in rows
    ]
    return table(list(_HEADS), cells, label, css="kt")
