"""Inside the front end's process: items of a text to evaluate, their types, variables and integer divisions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cl_magic.clc.clang_diagnostics import clang_diagnostics
from cl_magic.clc.evaluation import Division, ExaminationRequest, Examined, ItemFacts, ItemKind, TypeFacts, Variable
from cl_magic.clc.libclang import BINARY_AND, BINARY_ASSIGN, BINARY_OR, Libclang
from cl_magic.clc.struct_layouts import array_parts, layout_of_type
from cl_magic.clc.structs import UNSIZED_TYPES
from cl_magic.clc.syntax import Node, SyntaxTree, syntax_tree
from cl_magic.clc.type_names import kind_of, type_name, without_qualifiers
from cl_magic.clc.types import type_of

_FIRST_EXPRESSION, _LAST_EXPRESSION = 100, 199
"""Values of CXCursorKind for expressions (clang-c/Index.h)."""
_DIVISIONS = frozenset({4, 5, 24, 25})
"""CXBinaryOperatorKind of ``/ % /= %=``."""
_ASSIGNMENTS = range(BINARY_ASSIGN, BINARY_ASSIGN + 11)
_SELECTS = (
    "with a vector condition ?: takes the value after ? where the top bit of a component is set, as select() does, and "
    "the one after : elsewhere, also where a component is 1 (OpenCL C 1.2, 6.3.i)"
)
_OPAQUE_SIZES = re.compile(
    r"\bsizeof\s*\(\s*(?:__)?(?:read_only\s+|write_only\s+)?(bool|image\w+_t|sampler_t|event_t)\b"
)


def examine(clang: Libclang, request: ExaminationRequest) -> Examined:
    """Facts of each item of a request, in order; none where the text has errors."""
    try:
        unit = clang.parse(request.text)
    except clang.cindex.TranslationUnitLoadError:
        return Examined(available=False, reason="libclang gave up on this text or its options")
    tree = syntax_tree(clang, unit, request.text.source.encode("utf-8", "replace"))
    found = clang_diagnostics(unit, tree.source)
    if any(diagnostic.severity == "error" for diagnostic in found):
        return Examined(available=True, diagnostics=found)
    nodes = _statements(tree, request.kernel)
    items = tuple(_item(tree, _within(nodes, bounds)) for bounds in request.ranges)
    return Examined(available=True, items=items, diagnostics=found)


def _statements(tree: SyntaxTree, kernel: str) -> tuple[Node, ...]:
    body = next(child for child in tree.functions[kernel].children if child.kind == "COMPOUND_STMT")
    return tuple(child for child in body.children if child.kind != "NULL_STMT")


def _within(nodes: tuple[Node, ...], bounds: tuple[int, int]) -> Node | None:
    return next((node for node in nodes if bounds[0] <= int(node.cursor.extent.start.offset) < bounds[1]), None)


def _item(tree: SyntaxTree, node: Node | None) -> ItemFacts:
    if node is None:
        return ItemFacts()
    kind = _kind(node)
    facts = TypeFacts("void")
    variables: tuple[Variable, ...] = ()
    if kind == "expression":
        facts = _expression_type(tree, node)
    else:
        variables = _initialised(tree, node) if kind == "declaration" else _set(tree, node)
    divisions = () if kind == "statement" else tuple(_divisions(tree, node))
    return ItemFacts(kind, facts, variables, divisions, tuple(_notes(tree, node)))


def _kind(node: Node) -> ItemKind:
    if node.kind == "DECL_STMT":
        return "declaration"
    number = int(node.cursor._kind_id)  # noqa: SLF001 - `kind` raises for kinds that cindex does not know
    return "expression" if _FIRST_EXPRESSION <= number <= _LAST_EXPRESSION else "statement"


def _expression_type(tree: SyntaxTree, node: Node) -> TypeFacts:
    facts = _type_facts(tree, node.cursor.type)
    bare = node
    while bare.kind in {"UNEXPOSED_EXPR", "PAREN_EXPR"} and bare.children:
        bare = bare.children[-1]
    if kind_of(bare.cursor.type.get_canonical()) == "CONSTANTARRAY":
        return _type_facts(tree, bare.cursor.type)  # not the pointer that it becomes as an operand
    # sizeof and the work-item functions give a size_t (OpenCL C 1.2, 6.3.k and 6.12.1); libclang names what it is here.
    is_size = bare.kind == "CXX_UNARY_EXPR" or (bare.kind == "CALL_EXPR" and bare.callee.startswith("get_"))
    return TypeFacts("size_t") if is_size and facts.name == "ulong" else facts


def _type_facts(tree: SyntaxTree, clang_type: Any) -> TypeFacts:  # noqa: ANN401 - an untyped module
    element, shape = array_parts(clang_type)
    written = without_qualifiers(str(element.spelling))
    name = written if written in UNSIZED_TYPES else type_name(element).partition(" (unnamed")[0]
    return TypeFacts(name, shape, layout_of_type(element, tree))


def _initialised(tree: SyntaxTree, node: Node) -> tuple[Variable, ...]:
    return tuple(
        Variable(child.spelling, _type_facts(tree, child.cursor.type))
        for child in node.children
        if child.kind == "VAR_DECL" and "=" in _text(tree, child)
    )


def _set(tree: SyntaxTree, node: Node) -> tuple[Variable, ...]:
    """Variables from outside a statement that it assigns to, each once."""
    inner = {child.key for child in node.walk() if child.kind == "VAR_DECL"}
    found: dict[Any, Variable] = {}
    for child in node.walk():
        target = _target(child) if _changes(child) else None
        if target is not None and target.key not in inner:
            found.setdefault(target.key, Variable(target.spelling, _type_facts(tree, target.cursor.type)))
    return tuple(found.values())


def _changes(node: Node) -> bool:
    return node.binary_operator in _ASSIGNMENTS or node.operator in {"x++", "x--", "++x", "--x"}


def _target(node: Node) -> Node | None:
    """The variable at the root of what is assigned to: ``v`` of ``v.x = 1``; None behind a pointer."""
    while node.children and node.kind != "DECL_REF_EXPR":
        node = node.children[0]
        if node.type_kind == "POINTER":
            return None
    return node if node.kind == "DECL_REF_EXPR" else None


def _text(tree: SyntaxTree, node: Node) -> str:
    extent = node.cursor.extent
    end = int(extent.end.offset)
    text = tree.source[int(extent.start.offset) : end]
    while text.count(b"(") > text.count(b")") and end < len(tree.source):  # libclang leaves out a vector literal's last
        end += 1
        text = tree.source[int(extent.start.offset) : end]
    return text.decode("utf-8", "replace")


def _notes(tree: SyntaxTree, node: Node) -> Iterator[str]:
    if any(
        child.kind == "CONDITIONAL_OPERATOR" and child.children[0].type_kind in {"EXTVECTOR", "VECTOR"}
        for child in node.walk()
    ):
        yield _SELECTS
    opaque = _OPAQUE_SIZES.search(_text(tree, node))
    if opaque:
        yield f"the size of {opaque[1]} is the implementation's own: another device may give another number"


def _divisions(tree: SyntaxTree, node: Node) -> Iterator[Division]:
    """Integer divisions that are evaluated whenever the item is, with operands that may be evaluated twice."""
    if b"#" in tree.source or sum(_has_effect(child) for child in node.walk()) > _changes(node):
        return  # a macro's text is no operand's text, and an effect may come before the division
    for child in _always(node):
        name = type_name(child.cursor.type) if child.binary_operator in _DIVISIONS else ""
        ctype = type_of(name) if name else None
        if ctype is not None and ctype.family in {"signed", "unsigned"}:
            left, right = child.children
            yield Division(name, _text(tree, left), _text(tree, right))


def _has_effect(node: Node) -> bool:
    return node.kind in {"CALL_EXPR", "STMT_EXPR"} or _changes(node)


def _always(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        only_first = node.kind == "CONDITIONAL_OPERATOR" or node.binary_operator in (BINARY_AND | BINARY_OR)
        waiting.extend(node.children[:1] if only_first else node.children)
