"""Kernel signatures from the syntax tree: parameters, attributes, comment, line (OpenCL C 1.2, 6.5 to 6.7)."""

from __future__ import annotations

import re
from typing import Any

from cl_magic.clc.libclang_arguments import SOURCE_PATH
from cl_magic.clc.signature import AccessQualifier, AddressQualifier, KernelSignature, Parameter
from cl_magic.clc.syntax import Node, SyntaxTree
from cl_magic.clc.type_names import kind_of, pointee_of, type_name

# LangAS as libclang 18 numbers it: 4 is private, 0 is none.
_ADDRESS_SPACES: dict[int, AddressQualifier] = {1: "global", 2: "local", 3: "constant"}
_ACCESS: dict[str, AccessQualifier] = {
    "__read_only": "read_only",
    "__write_only": "write_only",
    "__read_write": "read_write",
    "read_only": "read_only",
    "write_only": "write_only",
    "read_write": "read_write",
}
_SIZES = re.compile(r"\b(reqd_work_group_size|work_group_size_hint)\((\d+), (\d+), (\d+)\)")
_VEC_TYPE = re.compile(r"\bvec_type_hint\(([^()]*)\)")
_COMMENT_EDGE = re.compile(r"^\s*(/\*+[!<]?|//+[!<]?|\*+/|\*(?!/))?\s?|\s*\*+/\s*$")


def kernel_signature(tree: SyntaxTree, function: Node) -> KernelSignature:
    """Signature of a kernel, without what its body does.

    Parameters
    ----------
    tree : SyntaxTree
    function : Node
        A FUNCTION_DECL of the tree.

    Returns
    -------
    KernelSignature
        With `reads` and `writes` None and no builtins or guards.
    """
    text = function.declaration_text
    sizes = {name: (int(x), int(y), int(z)) for name, x, y, z in _SIZES.findall(text)}
    hint = _VEC_TYPE.search(text)
    return KernelSignature(
        function.spelling,
        tuple(_parameter(tree, index, node) for index, node in enumerate(function.parameters)),
        sizes.get("reqd_work_group_size"),
        sizes.get("work_group_size_hint"),
        hint.group(1).strip() if hint else None,
        line=function.line,
        doc=comment_text(str(function.cursor.raw_comment or "")),
        static_local_bytes=_static_local_bytes(function),
    )


def _static_local_bytes(function: Node) -> int:
    """Bytes of local variables; they stand in a kernel's outermost scope only (OpenCL C 1.2, 6.5.2)."""
    total = 0
    for body in function.children:
        statements = body.children if body.kind == "COMPOUND_STMT" else ()
        variables = (child for statement in statements if statement.kind == "DECL_STMT" for child in statement.children)
        for variable in variables:
            declared = variable.cursor.type.get_canonical()
            if variable.kind == "VAR_DECL" and _address(declared, declared) == "local":
                total += max(int(declared.get_size()), 0)
    return total


def comment_text(comment: str) -> str:
    r"""A comment without its marks and margins.

    Examples
    --------
    >>> comment_text("/** Adds.\n *  Twice. */")
    'Adds.\n Twice.'
    >>> comment_text("// one\n// two")
    'one\ntwo'
    """
    lines = [_COMMENT_EDGE.sub("", line).rstrip() for line in comment.splitlines()]
    return "\n".join(lines).strip()


def _parameter(tree: SyntaxTree, index: int, node: Node) -> Parameter:
    declared = node.cursor.type.get_canonical()
    pointee = pointee_of(declared)
    return Parameter(
        index,
        node.spelling or f"arg{index}",
        type_name(declared) if pointee is None else f"{type_name(pointee)}*",
        _address(declared, pointee),
        _access(declared),
        _qualifiers(declared, pointee),
        _written_type(tree, node),
    )


def _address(declared: Any, pointee: Any | None) -> AddressQualifier:  # noqa: ANN401 - an untyped module
    if pointee is None:
        # Images live in global memory (OpenCL C 1.2, 6.5.1), and so says clGetKernelArgInfo.
        return "global" if kind_of(declared).startswith("OCLIMAGE") or kind_of(declared) == "PIPE" else "private"
    holder = pointee if kind_of(declared) == "POINTER" else declared  # an array's space is that of the array type
    # An address space of an invalid type is a segmentation fault in libclang 18.
    return (
        "private" if kind_of(holder) in {"", "INVALID"} else _ADDRESS_SPACES.get(holder.get_address_space(), "private")
    )


def _access(declared: Any) -> AccessQualifier:  # noqa: ANN401
    words = str(declared.spelling).split()
    return next((_ACCESS[word] for word in words if word in _ACCESS), "none")


def _qualifiers(declared: Any, pointee: Any | None) -> tuple[str, ...]:  # noqa: ANN401
    if pointee is None:
        return ()  # clGetKernelArgInfo: no type qualifiers for what is passed by value
    flags = {
        "const": pointee.is_const_qualified(),
        "restrict": declared.is_restrict_qualified(),
        "volatile": pointee.is_volatile_qualified(),
    }
    return tuple(word for word, is_set in flags.items() if is_set)


def _written_type(tree: SyntaxTree, node: Node) -> str:
    extent, place = node.cursor.extent, node.cursor.location
    file = place.file
    start, name, end = extent.start.offset, place.offset, extent.end.offset
    in_source = file is not None and file.name == SOURCE_PATH
    spelled = node.spelling.encode()
    # Inside a macro's expansion all three are one place.
    if not in_source or not start <= name <= end or tree.source[name : name + len(spelled)] != spelled:
        return str(node.cursor.type.spelling)
    text = tree.source[start:name] + tree.source[name + len(spelled) : end]
    return " ".join(text.decode("utf-8", "replace").split())
