"""Functions and function templates of a text read as C++ for OpenCL: where each stands and what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cl_magic.clc.cpp_parse import KERNEL_WORDS, offset_of
from cl_magic.clc.lexemes import Lexeme, Words
from cl_magic.clc.libclang import Libclang
from cl_magic.clc.type_names import kind_of, pointee_of, type_name

_SCOPES = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_TYPES = frozenset({"STRUCT_DECL", "UNION_DECL", "ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL"})
_PARAMETERS = {"TEMPLATE_TYPE_PARAMETER": "type", "TEMPLATE_NON_TYPE_PARAMETER": "value"}
_SPACES = {1: "__global ", 2: "__local ", 3: "__constant "}
_LITERALS = {"INT": "{}", "UINT": "{}u", "LONG": "{}L", "ULONG": "{}UL", "LONGLONG": "{}L", "ULONGLONG": "{}UL"}
_UNSIGNED = frozenset({"UCHAR", "USHORT", "UINT", "ULONG", "ULONGLONG"})

TemplateParameter = tuple[str, Any]
"""Name and, for a value, its type; None for a type."""


@dataclass(frozen=True)
class Function:
    """A function or function template at program scope, or in a namespace.

    Attributes
    ----------
    name : str
    scope : tuple of str
        Namespaces around it, the outermost first.
    place : int
        Offset of its name.
    start, end : int
        Offsets of the whole of it, with the comment in front and, for a declaration, the semicolon.
    header : tuple of int
        Offsets of ``template<…>``; (0, 0) for a plain function.
    body : int
        Offset of the opening brace, -1 for a declaration.
    is_kernel : bool
    is_overloadable : bool
        Whether clang's attribute of that name lets its device choose among overloads.
    parameters : tuple of TemplateParameter
    cursor : clang.cindex.Cursor
    """

    name: str
    scope: tuple[str, ...]
    place: int
    start: int
    end: int
    header: tuple[int, int]
    body: int
    is_kernel: bool
    is_overloadable: bool
    parameters: tuple[TemplateParameter, ...]
    cursor: Any

    @property
    def is_template(self) -> bool:
        """Whether it is a template, and not a specialisation of one."""
        return str(self.cursor.kind.name) == "FUNCTION_TEMPLATE"

    @property
    def qualified(self) -> str:
        """Name with its namespaces: ``filters::blur``."""
        return "::".join((*self.scope, self.name))


def functions_of(clang: Libclang, cursor: Any, words: Words, scope: tuple[str, ...] = ()) -> Iterator[Function]:  # noqa: ANN401
    """Functions and function templates that the text itself spells out, in order.

    Parameters
    ----------
    clang : Libclang
    cursor : clang.cindex.Cursor
        Of the unit, or of a namespace.
    words : Words
        The text as the user wrote it.
    scope : tuple of str
    """
    for child in cursor.get_children():
        kind = clang.kind_name(child)
        place = offset_of(clang, child)
        if not 0 <= place < len(words.text):
            continue
        if kind in {"FUNCTION_DECL", "FUNCTION_TEMPLATE"}:
            if words.at(place) != child.spelling or int(child.location.offset) != place:
                continue  # a macro made it, so that no text of its own is there to change
            yield _function(clang, child, words, scope)
        elif kind in _SCOPES:
            yield from functions_of(clang, child, words, (*scope, child.spelling) if kind == "NAMESPACE" else scope)


def types_of(clang: Libclang, cursor: Any, words: Words) -> dict[str, int]:  # noqa: ANN401
    """Types that the text itself defines, and the offset behind each definition.

    Parameters
    ----------
    clang : Libclang
    cursor : clang.cindex.Cursor
        Of the unit, or of a namespace.
    words : Words
        The text as the user wrote it.
    """
    found: dict[str, int] = {}
    for child in cursor.get_children():
        kind = clang.kind_name(child)
        if not 0 <= offset_of(clang, child) < len(words.text):
            continue
        if kind in _SCOPES:
            found |= types_of(clang, child, words)
        elif kind in _TYPES and child.is_definition():
            following = words.after(int(child.extent.end.offset))
            found[str(child.spelling)] = following.end if following and following.text == ";" else 0
    return found


def _function(clang: Libclang, cursor: Any, words: Words, scope: tuple[str, ...]) -> Function:  # noqa: ANN401
    place = offset_of(clang, cursor)
    start = int(cursor.extent.start.offset)
    first = start if words.at(start) == "template" else _first_word(words, place)
    is_definition = bool(cursor.is_definition())
    end = int(cursor.extent.end.offset)
    if not is_definition:
        following = words.after(end)
        end = following.end if following and following.text == ";" else end
    template = next((w for w in words.between(first, place) if w.text == "template"), None)
    body = next((c for c in cursor.get_children() if clang.kind_name(c) == "COMPOUND_STMT"), None)
    return Function(
        name=str(cursor.spelling),
        scope=scope,
        place=place,
        start=_with_comment(words, first),
        end=end,
        header=(template.start, words.closing(template.end)) if template else (0, 0),
        body=int(body.extent.start.offset) if body is not None else -1,
        is_kernel=any(word.text in KERNEL_WORDS for word in words.between(first, place)),
        is_overloadable=any(
            "overloadable" in word.text for word in words.between(first, end if body is None else place)
        ),
        parameters=_template_parameters(clang, cursor),
        cursor=cursor,
    )


def _first_word(words: Words, place: int) -> int:
    """Offset of a declaration's first word: behind the last declaration's end, brace or preprocessor line."""
    first, depth = place, 0
    for lexeme in words.backward(place):
        depth += (lexeme.text in {")", ">"}) - (lexeme.text in {"(", "<"})
        if lexeme.kind == "directive" or (depth <= 0 and lexeme.text in {";", "}", "{"}):
            break
        if lexeme.kind != "comment":
            first = lexeme.start
    return first


def _with_comment(words: Words, first: int) -> int:
    """Offset of the comments directly in front of a declaration: they document it."""
    start = first
    for lexeme in words.backward(first):
        if lexeme.kind != "comment" or words.text.count("\n", lexeme.end, start) > 1:
            break
        if _stands_behind_code(words, lexeme):
            break
        start = lexeme.start
    return start


def _stands_behind_code(words: Words, lexeme: Lexeme) -> bool:
    line = words.text.rfind("\n", 0, lexeme.start) + 1
    return bool(words.text[line : lexeme.start].strip())


def _template_parameters(clang: Libclang, cursor: Any) -> tuple[TemplateParameter, ...]:  # noqa: ANN401
    found = [(clang.kind_name(child), child) for child in cursor.get_children()]
    return tuple(
        (str(child.spelling), child.type.get_canonical() if kind.endswith("NON_TYPE_PARAMETER") else None)
        for kind, child in found
        if kind in _PARAMETERS
    )


def template_arguments(function: Any, parameters: tuple[TemplateParameter, ...]) -> tuple[str, ...] | None:  # noqa: ANN401
    """Arguments of a template's instance as OpenCL C writes them; None where one is neither type nor integer."""
    count = function.get_num_template_arguments()
    if count != len(parameters):
        return None
    try:
        return tuple(_argument(function, index, parameters[index][1]) for index in range(count))
    except ValueError:  # cindex has no name for the kind of a pack
        return None


def _argument(function: Any, index: int, declared: Any) -> str:  # noqa: ANN401
    kind = str(function.get_template_argument_kind(index).name)
    if kind == "TYPE":
        return spelled_type(function.get_template_argument_type(index))
    if kind != "INTEGRAL":
        raise ValueError(kind)
    name = kind_of(declared) if declared is not None else "INT"
    if name == "BOOL":
        return "true" if function.get_template_argument_value(index) else "false"
    unsigned = name in _UNSIGNED
    read = function.get_template_argument_unsigned_value if unsigned else function.get_template_argument_value
    value = int(read(index))
    text = _LITERALS.get(name, "{}").format(value)
    return f"({text})" if value < 0 else text


def spelled_type(given: Any) -> str:  # noqa: ANN401
    """A type as OpenCL C writes it, with the address space of what a pointer leads to."""
    canonical = given.get_canonical()
    kind = kind_of(canonical)
    if kind in {"", "INVALID", "UNEXPOSED", "DEPENDENT"}:
        raise ValueError(kind)
    marks = "const " if canonical.is_const_qualified() else ""
    marks += "volatile " if canonical.is_volatile_qualified() else ""
    if kind == "POINTER":
        return f"{spelled_type(pointee_of(canonical))} *{marks}".rstrip()
    return f"{_SPACES.get(canonical.get_address_space(), '')}{marks}{type_name(canonical)}"


def plain_identifier(text: str) -> str:
    """Letters for a type or value, to be part of a name.

    Examples
    --------
    >>> plain_identifier("__global float *"), plain_identifier("(-3)"), plain_identifier("float4")
    ('global_float_ptr', 'm3', 'float4')
    """
    words = text.replace("*", " ptr ").replace("-", " m").replace("__", " ")
    return "_".join(re.sub(r"\W+", " ", words).split())
