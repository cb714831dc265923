"""Layouts of structures and unions, read from the syntax tree as libclang computes them for 64-bit devices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from cl_magic.clc.structs import Field, Layout
from cl_magic.clc.syntax import Node, SyntaxTree
from cl_magic.clc.type_names import kind_of, type_name, without_qualifiers

_RECORDS: dict[str, Literal["struct", "union"]] = {"STRUCT_DECL": "struct", "UNION_DECL": "union"}
_MOST_LAYOUTS = 2_000
_MOST_FIELDS = 4_000
_MOST_DEPTH = 32
_BYTE = 8


def struct_layouts(tree: SyntaxTree) -> tuple[Layout, ...]:
    """Layouts of the structures and unions that a text and its headers define.

    Parameters
    ----------
    tree : SyntaxTree

    Returns
    -------
    tuple of Layout
        In the order of the text; those that are not complete, or have errors, are left out.
    """
    found: dict[str, Layout] = {}
    for node in tree.declarations:
        if node.kind in _RECORDS and node.cursor.is_definition() and len(found) < _MOST_LAYOUTS:
            layout = _layout(node.cursor, tree, 0)
            if layout is not None:
                found[str(node.cursor.get_usr())] = layout
        elif node.kind == "TYPEDEF_DECL" and found:
            _name(node, found)
    return tuple(found.values())


def layout_of_type(clang_type: Any, tree: SyntaxTree) -> Layout | None:  # noqa: ANN401 - an untyped module
    """Layout of a structure or union type; None for others, and for one that is not complete or has errors."""
    canonical = clang_type.get_canonical()
    return _layout(canonical.get_declaration(), tree, 0) if kind_of(canonical) == "RECORD" else None


def _name(typedef: Node, found: dict[str, Layout]) -> None:
    """Let a typedef name the record it stands for."""
    declared = typedef.cursor.underlying_typedef_type.get_canonical()
    if kind_of(declared) != "RECORD":
        return
    key = str(declared.get_declaration().get_usr())
    layout, name = found.get(key), typedef.spelling
    if layout is None or layout.short_name == name:
        return
    if "(" in layout.name:  # it had none; "struct (unnamed at …)" is clang's word for it
        found[key] = replace(layout, name=name)
    elif name not in layout.aliases:
        found[key] = replace(layout, aliases=(*layout.aliases, name))


def _layout(cursor: Any, tree: SyntaxTree, depth: int) -> Layout | None:  # noqa: ANN401 - an untyped module
    clang_type = cursor.type
    size, alignment = int(clang_type.get_size()), int(clang_type.get_align())
    if size < 0 or alignment < 1 or depth > _MOST_DEPTH:
        return None
    kind = _RECORDS.get(tree.clang.kind_name(cursor), "struct")
    bit_field = next(_bit_fields(cursor, tree), None)
    fields: tuple[Field, ...] = ()
    if bit_field is None:
        read = _fields(cursor, tree, depth)
        if read is None:
            return None
        fields = read
    return Layout(
        without_qualifiers(str(clang_type.get_canonical().spelling)),
        kind,
        size,
        alignment,
        fields,
        line=int(cursor.location.line),
        bit_field=str(bit_field.spelling) if bit_field is not None else "",
        bit_field_line=int(bit_field.location.line) if bit_field is not None else 0,
    )


def _bit_fields(cursor: Any, tree: SyntaxTree) -> Iterator[Any]:  # noqa: ANN401
    """Bit-fields among the members, which only the extension __cl_clang_bitfields lets in."""
    return (child for child in _declared(cursor, tree) if child.is_bitfield())


def _declared(cursor: Any, tree: SyntaxTree) -> Iterator[Any]:  # noqa: ANN401
    return (child for child in cursor.get_children() if tree.clang.kind_name(child) == "FIELD_DECL")


def _fields(cursor: Any, tree: SyntaxTree, depth: int) -> tuple[Field, ...] | None:  # noqa: ANN401
    found: list[Field] = []
    kept = list(cursor.type.get_fields())
    if {str(member.spelling) for member in _declared(cursor, tree)} - {str(member.spelling) for member in kept}:
        return None  # a member with an error has no place, and those after it a wrong one
    for member in kept:
        if len(found) > _MOST_FIELDS:
            return None
        offset = int(member.get_field_offsetof())
        if offset < 0:
            return None
        read = _member(member, tree, offset // _BYTE, depth)
        if read is None:
            return None
        found += read
    return tuple(found)


def _member(member: Any, tree: SyntaxTree, offset: int, depth: int) -> list[Field] | None:  # noqa: ANN401
    size = int(member.type.get_size())
    element, shape = array_parts(member.type)
    canonical = element.get_canonical()
    if size < 0 or kind_of(canonical) in {"", "INVALID"}:
        return None
    layout = None
    if kind_of(canonical) == "RECORD":
        layout = _layout(canonical.get_declaration(), tree, depth + 1)
        if layout is None or layout.bit_field:
            return None
    name = str(member.spelling)
    if layout is not None and (not name or "(" in name):  # members of an unnamed one are reached without it
        return [replace(inner, offset_bytes=inner.offset_bytes + offset) for inner in layout.fields]
    named = type_name(element) if layout is None else layout.name
    if layout is not None and "(" in named:
        named = layout.kind
        layout = replace(layout, name=named)
    written = without_qualifiers(str(element.spelling))
    return [Field(name, named, offset, size, shape, layout, written, int(member.location.line))]


def array_parts(clang_type: Any) -> tuple[Any, tuple[int, ...]]:  # noqa: ANN401
    """Element type and lengths of an array, through typedefs of arrays; the type itself and () for others."""
    shape: list[int] = []
    while kind_of(clang_type.get_canonical()) == "CONSTANTARRAY":
        array = clang_type if kind_of(clang_type) == "CONSTANTARRAY" else clang_type.get_canonical()
        shape.append(int(array.element_count))
        clang_type = array.element_type
    return clang_type, tuple(shape)
