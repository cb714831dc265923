"""What of C++ does not become OpenCL C by text: each such construct is refused, on its line, with what to write."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cl_magic.clc.clang_diagnostics import report_name
from cl_magic.clc.cpp_definitions import Function
from cl_magic.clc.cpp_parse import offset_of
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.lexemes import Words
from cl_magic.clc.libclang import Libclang
from cl_magic.clc.libclang_arguments import SOURCE_PATH
from cl_magic.clc.syntax import Node
from cl_magic.clc.type_names import kind_of

_REFERENCES = frozenset({"LVALUEREFERENCE", "RVALUEREFERENCE"})
_PLAIN_STRUCT = "write a struct of plain members, and functions that take a pointer to it"
_REFUSED = {
    "CLASS_TEMPLATE": ("class template {}", "write one struct for each type"),
    "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION": ("class template {}", "write one struct for each type"),
    "CLASS_DECL": ("class {}", _PLAIN_STRUCT),
    "CXX_METHOD": ("method {}", _PLAIN_STRUCT),
    "CONSTRUCTOR": ("constructor {}", _PLAIN_STRUCT),
    "DESTRUCTOR": ("destructor {}", _PLAIN_STRUCT),
    "CONVERSION_FUNCTION": ("conversion {}", _PLAIN_STRUCT),
    "CXX_BASE_SPECIFIER": ("base class of a struct", _PLAIN_STRUCT),
    "LAMBDA_EXPR": ("lambda", "write a function"),
    "CXX_FOR_RANGE_STMT": ("range-based for", "write for (int i = 0; i < n; i++)"),
    "TEMPLATE_TEMPLATE_PARAMETER": ("template parameter {} that is a template itself", "write the function out"),
    "TYPE_ALIAS_TEMPLATE_DECL": ("alias template {}", "write a typedef for each type"),
    "CXX_NEW_EXPR": ("new", "kernels have no heap"),
    "CXX_DELETE_EXPR": ("delete", "kernels have no heap"),
    "CXX_TRY_STMT": ("try", "kernels have no exceptions"),
    "CXX_THROW_EXPR": ("throw", "kernels have no exceptions"),
}
_WHY = "does not become OpenCL C by text"


def outside_the_subset(
    clang: Libclang,
    cursor: Any,  # noqa: ANN401
    words: Words,
    functions: tuple[Function, ...],
) -> Iterator[Diagnostic]:
    """Refusals of a text, in its order, one for a line.

    Parameters
    ----------
    clang : Libclang
    cursor : clang.cindex.Cursor
        Of the unit.
    words : Words
        The text as the user wrote it.
    functions : tuple of Function
    """
    seen: set[int] = set()
    found = (*_constructs(clang, cursor, words), *_other_templates(cursor, words, functions), *_explicit(words))
    for where, what, remedy in found:
        if where.line not in seen:
            seen.add(where.line)
            yield refusal(f"{what} {_WHY}: {remedy}", where.line, where.column)


def refusal(message: str, line: int = 0, column: int = 0) -> Diagnostic:
    """An error in our words."""
    return Diagnostic("error", message, line, column, origin="cl_magic")


def in_headers(clang: Libclang, cursor: Any) -> Iterator[Diagnostic]:  # noqa: ANN401
    """Refusals of templates that stand in a header: a device gets headers as they are."""
    for child in cursor.get_children():
        if clang.kind_name(child) != "FUNCTION_TEMPLATE" or child.location.file is None:
            continue
        file = report_name(str(child.location.file.name))
        if file:
            text = f"template {child.spelling} stands in a header, which devices get as it is: move it into the cell"
            yield replace(refusal(text, child.location.line, child.location.column), file=file)


class _Place:
    """Line and column of an offset."""

    def __init__(self, text: str, offset: int) -> None:
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)


def _constructs(clang: Libclang, cursor: Any, words: Words) -> Iterator[tuple[_Place, str, str]]:  # noqa: ANN401
    for child in cursor.get_children():
        if not 0 <= offset_of(clang, child) < len(words.text):
            continue
        for node in Node(clang, child).walk():
            found = _refused(node, words)
            if found:
                yield _Place(words.text, max(offset_of(clang, node.cursor), 0)), found[0], found[1]


def _refused(node: Node, words: Words) -> tuple[str, str] | None:
    if node.kind in _REFUSED:
        what, remedy = _REFUSED[node.kind]
        return what.format(node.spelling).strip(), remedy
    if node.kind in {"PARM_DECL", "VAR_DECL"}:
        return _refused_variable(node, words)
    if node.kind in {"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER"} and _holds(node, words, "."):
        return f"parameter pack {node.spelling}", "write the parameters out"
    if node.kind in {"FUNCTION_DECL", "FUNCTION_TEMPLATE"} and node.spelling.startswith("operator"):
        return node.spelling, "write a function with a name"
    return None


def _refused_variable(node: Node, words: Words) -> tuple[str, str] | None:
    what = "parameter" if node.kind == "PARM_DECL" else "variable"
    if kind_of(node.cursor.type) in _REFERENCES:
        return f"reference {what} {node.spelling}".strip(), "pass a pointer"
    if node.kind == "PARM_DECL" and _holds(node, words, "="):
        return f"default value of parameter {node.spelling}", "write an overload or pass the value"
    return None


def _holds(node: Node, words: Words, mark: str) -> bool:
    extent = node.cursor.extent
    return any(word.text == mark for word in words.between(extent.start.offset, extent.end.offset))


def _other_templates(
    cursor: Any,  # noqa: ANN401
    words: Words,
    functions: tuple[Function, ...],
) -> Iterator[tuple[_Place, str, str]]:
    """Templates that are no functions and that libclang has no kind for, variables'; and those that macros make."""
    known = {function.header[0] for function in functions if function.header[1]}
    for child in cursor.get_children():
        start = int(child.extent.start.offset)
        file = child.location.file
        if file is None or file.name != SOURCE_PATH or start in known:
            continue
        if str(child.kind.name) == "FUNCTION_TEMPLATE":
            yield _Place(words.text, start), f"template {child.spelling} made by a macro", "write it out"
        elif words.at(start) == "template":
            yield _Place(words.text, start), "a template that is no function", "write one definition for each type"


def _explicit(words: Words) -> Iterator[tuple[_Place, str, str]]:
    for word, following in itertools.pairwise(words.all):
        if word.text == "template" and following.text != "<":
            remedy = "remove it, and name the kernel: --template='name<type>'"
            yield _Place(words.text, word.start), "an explicit instantiation", remedy
