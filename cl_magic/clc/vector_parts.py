"""Components of vectors in the syntax tree: which one an expression takes, and what a literal puts into each."""

from __future__ import annotations

import re

from cl_magic.clc.libclang_arguments import SOURCE_PATH
from cl_magic.clc.syntax import Node

_COMPONENT = re.compile(rb"\.\s*([xyzw]|[sS][0-9a-fA-F])\s*\Z")
_LETTERS = "xyzw"


def taken_component(node: Node, source: bytes) -> int | None:
    """Index of the component that ``v.y`` or ``v.s1`` takes from a variable; None for all other expressions.

    Parameters
    ----------
    node : Node
        libclang shows the selection of components as an unexposed expression without its text.
    source : bytes
        The text, UTF-8.
    """
    inner = node.children[0] if node.kind == "UNEXPOSED_EXPR" and len(node.children) == 1 else None
    if inner is None or inner.kind != "DECL_REF_EXPR" or inner.type_kind != "EXTVECTOR":
        return None
    extent = node.cursor.extent
    if extent.end.file is None or extent.end.file.name != SOURCE_PATH:
        return None
    match = _COMPONENT.search(source[extent.start.offset : extent.end.offset])
    if match is None:
        return None
    name = match.group(1).decode()
    return _LETTERS.index(name) if name in _LETTERS else int(name[1:], 16)


def literal_parts(node: Node) -> tuple[Node, ...] | None:
    """The scalars of ``(int2)(a, b)``, one a component; None for all other expressions.

    Notes
    -----
    ``(int4)(v.xy, a, b)`` has three parts for four components, and is no literal of scalars.
    """
    inner = node.bare()
    if inner.type_kind != "EXTVECTOR":
        return None
    while inner.kind == "COMPOUND_LITERAL_EXPR" and inner.children:
        inner = inner.children[-1].bare()
    if inner.kind != "INIT_LIST_EXPR":
        return None
    count = int(inner.cursor.type.get_canonical().element_count)
    are_scalars = all(child.type_kind != "EXTVECTOR" for child in inner.children)
    return inner.children if are_scalars and len(inner.children) == count else None
