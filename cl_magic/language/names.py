"""What libclang says of a place in a text: the names that fit there, and what the name there means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.clc.libclang import Libclang
from cl_magic.clc.libclang_arguments import BASE_DIR, SOURCE_PATH
from cl_magic.clc.syntax import Node, is_kernel
from cl_magic.clc.type_names import kind_of, type_name
from cl_magic.clc.types import type_of
from cl_magic.language.questions import Candidate, Candidates, Description, PlaceRequest

_KINDS = {
    "FUNCTION_DECL": "function",
    "VAR_DECL": "variable",
    "PARM_DECL": "parameter",
    "FIELD_DECL": "field",
    "TYPEDEF_DECL": "type",
    "STRUCT_DECL": "type",
    "UNION_DECL": "type",
    "ENUM_DECL": "type",
    "ENUM_CONSTANT_DECL": "constant",
    "MACRO_DEFINITION": "macro",
}
_ORDER = ("field", "parameter", "variable", "function", "constant", "type", "macro")
_COMPILERS_OWN = ("_", "cl_khr_", "cl_ext_", "cl_intel_", "cles_")
_MOST = 2000
"""Names that are looked at for one place."""
_MEMBER = re.compile(rb"(?:(?<![\w.])[A-Za-z_]\w*|[\])]|(?<=\.)[A-Za-z_]\w*)\s*(?:\.|->)\s*\w*$")
_FRAGMENT = re.compile(rb"\.\s*\w*$")
_SPACES = re.compile(r"\b__(global|local|constant|private|generic|kernel)\b")
_PRIVATE = re.compile(r"\bprivate\b ?")
_MARKS = re.compile(r"^\s*(?:/\*[*!]?|\*/|\*(?!/)|//[/!]?)?<?\s?|\s*\*/\s*$")
_COMMENT_BLOCK = re.compile(r"(/\*(?:(?!\*/).)*\*/|(?://[^\n]*\n[ \t]*)+)\s*\Z", re.DOTALL)
_MOST_COMMENT = 2000
_MOST_WRAPPERS = 6


def complete(clang: Libclang, request: PlaceRequest) -> Candidates:
    """Names that fit at a place: of the scope, or behind a dot the fields, or the vector whose components fit.

    Built-in functions are not among them: libclang declares them when they are used.
    """
    behind_dot = _behind_dot(request)
    found = _candidates(clang, clang.parse(request.text), request)
    # Behind the dot of what is no structure libclang offers all that is in scope.
    fitting = (one for one in found if one.kind == "field" or not behind_dot)
    items = tuple(sorted(fitting, key=lambda one: (_ORDER.index(one.kind), one.name.lower())))
    vector = _vector(clang, request) if behind_dot and not items else ""
    return Candidates(available=True, items=items, vector=vector)


def _behind_dot(request: PlaceRequest) -> bool:
    return _MEMBER.search(_line(request)[: request.column - 1]) is not None


def _line(request: PlaceRequest) -> bytes:
    lines = request.text.source.encode("utf-8", "replace").split(b"\n")
    return lines[request.line - 1] if 0 < request.line <= len(lines) else b""


def _candidates(clang: Libclang, unit: Any, request: PlaceRequest) -> Iterator[Candidate]:  # noqa: ANN401
    found = unit.codeComplete(
        SOURCE_PATH, request.line, request.column, unsaved_files=clang.files(request.text), include_macros=True
    )
    for result in () if found is None else [found.results[i] for i in range(min(len(found.results), _MOST))]:
        kind = _KINDS.get(clang.kind_name_of(result.cursorKind), "")
        chunks = [(chunk.kind.name, chunk.spelling) for chunk in result.string]
        name = next((text for part, text in chunks if part == "TypedText"), "")
        if kind and name and not name.startswith(_COMPILERS_OWN):
            yield Candidate(name, kind, _signature(chunks, kind))


def _signature(chunks: list[tuple[str, str]], kind: str) -> str:
    result = next((text for part, text in chunks if part == "ResultType"), "")
    rest = "".join(text for part, text in chunks if part not in ("ResultType", "Informative"))
    return _plain(f"{result} {rest}".strip()) if kind in ("function", "macro") else _plain(result)


def _plain(text: str) -> str:
    """Without the underscores of the qualifiers, and without ``private``, which every variable is."""
    return _PRIVATE.sub("", _SPACES.sub(lambda match: match[1], text)).strip()


def _vector(clang: Libclang, request: PlaceRequest) -> str:
    """Vector type of the expression before the dot at a place, "" where there is none or it is no vector.

    libclang offers no components, so the text is read with one: `.x` is a component of every vector.
    """
    lines = request.text.source.encode("utf-8", "replace").split(b"\n")
    before = _line(request)[: request.column - 1]
    dot = _FRAGMENT.search(before)
    if dot is None or not before[: dot.start()].strip():
        return ""
    closing = _closing(b"\n".join(lines[: request.line - 1])[-_MOST_COMMENT:] + before[: dot.start()])
    lines[request.line - 1] = before[: dot.start()] + b".x" + closing + b";"
    text = replace(request.text, source=b"\n".join(lines).decode("utf-8", "replace"))
    unit = clang.parse(text)
    place = clang.cindex.SourceLocation.from_position(unit, unit.get_file(SOURCE_PATH), request.line, dot.start() + 1)
    node: Node | None = Node(clang, clang.cindex.Cursor.from_location(unit, place))
    for _ in range(_MOST_WRAPPERS):
        if node is None:
            break
        if node.cursor.extent.end.column == dot.start() + 1 and _vector_name(node):
            return _vector_name(node)
        node = next(iter(node.children), None)
    return ""


def _closing(before: bytes) -> bytes:
    """Brackets that are open at the end of a statement that begins somewhere in `before`."""
    open_ones: list[bytes] = []
    for bracket in re.findall(rb"[()\[\];{}]", before):
        if bracket in b";{}":
            open_ones.clear()
        elif bracket in b"([":
            open_ones.append(b")" if bracket == b"(" else b"]")
        elif open_ones:
            open_ones.pop()
    return b"".join(reversed(open_ones))


def _vector_name(node: Node) -> str:
    """The vector type of an expression, ``float4``; "" where it has another type."""
    ctype = type_of(type_name(node.cursor.type)) if kind_of(node.cursor.type) else None
    return ctype.name if ctype is not None and ctype.width > 1 else ""


def describe(clang: Libclang, request: PlaceRequest) -> Description:
    """What the name at a place means; built-in functions are left to the table of facts."""
    unit = clang.parse(request.text, detailed=True)
    place = clang.cindex.SourceLocation.from_position(unit, unit.get_file(SOURCE_PATH), request.line, request.column)
    cursor = clang.cindex.Cursor.from_location(unit, place)
    named = cursor.referenced if clang.kind_name(cursor) != "MACRO_DEFINITION" else cursor
    if named is None or not named.spelling or named.location.file is None:
        return Description(available=True)
    if str(named.location.file.name).startswith(BASE_DIR):
        return Description(available=True)
    return _described(clang, named, request.text)


def _described(clang: Libclang, cursor: Any, text: AnalysisRequest) -> Description:  # noqa: ANN401
    node = Node(clang, cursor)
    kind = _KINDS.get(node.kind, "")
    if not kind:
        return Description(available=True)
    in_text = str(cursor.location.file.name) == SOURCE_PATH
    source = text.source.encode("utf-8", "replace")
    facts: dict[str, Any] = {}
    if kind in ("variable", "parameter", "field", "type"):
        declared = cursor.type
        facts = {
            "type_name": _plain(str(declared.spelling)),
            "size_bytes": max(int(declared.get_size()), 0),
            "alignment": max(int(declared.get_align()), 0),
        }
    declaration = _macro(cursor, source) if kind == "macro" and in_text else node.declaration_text
    if kind == "function":
        declaration, kind = declaration.strip(), "kernel" if is_kernel(node) else kind
    return Description(
        available=True,
        name=node.spelling,
        kind=kind,
        declaration=_plain(declaration.partition("{")[0].strip() if kind == "type" else declaration),
        comment=_comment(source, int(cursor.extent.start.offset)) if in_text else "",
        line=node.line if in_text else 0,
        **facts,
    )


def _macro(cursor: Any, source: bytes) -> str:  # noqa: ANN401
    start, end = int(cursor.extent.start.offset), int(cursor.extent.end.offset)
    return f"#define {source[start:end].decode('utf-8', 'replace')}"


def _comment(source: bytes, start: int) -> str:
    """The comment right above a declaration that begins at `start`, without its marks."""
    above = source[max(start - 2 * _MOST_COMMENT, 0) : start].decode("utf-8", "replace")
    found = _COMMENT_BLOCK.search(above)
    if found is None or re.search(r"\n[ \t]*\n", found[0][len(found[1].rstrip()) :]):
        return ""
    lines = [_MARKS.sub("", line).rstrip() for line in found[1].strip().splitlines()]
    return " ".join(" ".join(lines).split())[:_MOST_COMMENT]
