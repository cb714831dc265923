"""What a text gives to a linker and what it needs of other texts: functions, kernels and variables at program scope."""

from __future__ import annotations

from typing import Literal

from cl_magic.clc.libclang_arguments import SOURCE_PATH
from cl_magic.clc.link_symbol import Symbol
from cl_magic.clc.syntax import Node, SyntaxTree

_REFERENCES = frozenset({"CALL_EXPR", "DECL_REF_EXPR"})


def defined_symbols(tree: SyntaxTree) -> tuple[Symbol, ...]:
    """Names that other texts can use: neither static nor inline (C99, 6.2.2 and 6.7.4)."""
    kernels = {node.spelling for node in tree.kernels}
    functions = [
        _symbol(node, "kernel" if name in kernels else "function")
        for name, node in tree.functions.items()
        if _storage(node) != "STATIC" and not _is_inline(tree, node)
    ]
    variables = [
        _symbol(node, "variable")
        for node in tree.declarations
        if node.kind == "VAR_DECL" and _storage(node) not in {"STATIC", "EXTERN"} and node.type_kind != "OCLSAMPLER"
    ]
    return (*functions, *variables)


def needed_symbols(tree: SyntaxTree) -> tuple[Symbol, ...]:
    """Names that functions of the text use and that are only declared in it, once each, where they are used first."""
    own = {node.spelling for node in tree.declarations if node.kind == "VAR_DECL" and _storage(node) != "EXTERN"}
    declared = {
        node.spelling: "variable" if node.kind == "VAR_DECL" else "function"
        for node in tree.declarations
        if node.kind in {"FUNCTION_DECL", "VAR_DECL"}
        and node.spelling not in tree.functions
        and node.spelling not in own
    }
    found: dict[str, Symbol] = {}
    bodies = tree.functions.values() if declared else ()
    for node in (node for function in bodies for node in function.walk()):
        name = node.callee if node.kind == "CALL_EXPR" else node.spelling
        if node.kind in _REFERENCES and name in declared and name not in found:
            kind: Literal["function", "variable"] = "variable" if declared[name] == "variable" else "function"
            found[name] = _symbol(node, kind, name)
    return tuple(found.values())


def _symbol(node: Node, kind: Literal["kernel", "function", "variable"], name: str = "") -> Symbol:
    file = node.cursor.location.file
    return Symbol(name or node.spelling, node.line if file is not None and file.name == SOURCE_PATH else 0, kind)


def _storage(node: Node) -> str:
    return str(node.cursor.storage_class.name)


def _is_inline(tree: SyntaxTree, node: Node) -> bool:
    return bool(tree.clang.cindex.conf.lib.clang_Cursor_isFunctionInlined(node.cursor))
