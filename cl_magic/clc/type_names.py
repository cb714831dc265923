"""Types as OpenCL C names them, from libclang's canonical types: ``float4``, ``uint``, ``image2d_t``, ``struct Q``."""

from __future__ import annotations

import re
from typing import Any

_SCALARS = {
    "CHAR_S": "char", "CHAR_U": "char", "SCHAR": "char", "UCHAR": "uchar", "SHORT": "short", "USHORT": "ushort",
    "INT": "int",
    "UINT": "uint", "LONG": "long", "ULONG": "ulong", "LONGLONG": "long", "ULONGLONG": "ulong", "HALF": "half",
    "FLOAT": "float", "DOUBLE": "double", "BOOL": "bool", "VOID": "void",
}  # fmt: skip
_ADDRESS_SPACES = re.compile(r"\b(__)?(private|global|local|constant|generic)\b")
_QUALIFIERS = re.compile(r"\b((__)?(read_only|write_only|read_write)|const|volatile|(__)?restrict)\b")
_ARRAYS = frozenset({"CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY", "DEPENDENTSIZEDARRAY"})


def kind_of(clang_type: Any) -> str:  # noqa: ANN401 - an untyped module
    """Name that cindex has for a type's kind, "" for kinds that it does not know."""
    try:
        return str(clang_type.kind.name)
    except ValueError:
        return ""


def pointee_of(clang_type: Any) -> Any | None:  # noqa: ANN401
    """What a pointer, or a parameter written as an array, leads to; None for other types (canonical type given)."""
    kind = kind_of(clang_type)
    if kind == "POINTER":
        return clang_type.get_pointee().get_canonical()
    # A parameter's array is a pointer (C99, 6.7.5.3); cindex shows it as written.
    return clang_type.element_type.get_canonical() if kind in _ARRAYS else None


def type_name(clang_type: Any) -> str:  # noqa: ANN401
    """Name of a type without qualifiers, typedefs resolved.

    Parameters
    ----------
    clang_type : clang.cindex.Type
        Any valid type.

    Returns
    -------
    str
        ``float``, ``uint4``, ``image2d_t``, ``float*``, ``struct Q``; an enumeration is named by its integer type.
    """
    canonical = clang_type.get_canonical()
    kind = kind_of(canonical)
    if kind in _SCALARS:
        return _SCALARS[kind]
    if kind in {"EXTVECTOR", "VECTOR"}:
        return f"{type_name(canonical.element_type)}{canonical.element_count}"
    if kind == "ENUM":
        return type_name(canonical.get_declaration().enum_type)
    if kind == "POINTER":
        return f"{type_name(canonical.get_pointee())}*"
    return without_qualifiers(str(canonical.spelling))


def without_qualifiers(text: str) -> str:
    """A type's spelling without address space, access and type qualifiers.

    Examples
    --------
    >>> without_qualifiers("const __global struct Q")
    'struct Q'
    >>> without_qualifiers("__private __read_only image2d_t")
    'image2d_t'
    """
    return " ".join(_QUALIFIERS.sub("", _ADDRESS_SPACES.sub("", text)).split())


def carries_pointers(clang_type: Any) -> bool:  # noqa: ANN401
    """Whether a value of a type can lead to memory of its own: pointers, images, pipes, and what holds pointers."""
    canonical = clang_type.get_canonical()
    kind = kind_of(canonical)
    if kind in _ARRAYS:
        return carries_pointers(canonical.element_type)
    if kind == "RECORD":
        return any(carries_pointers(member.type) for member in canonical.get_fields())
    return kind in {"POINTER", "PIPE", "BLOCKPOINTER"} or kind.startswith("OCLIMAGE")
