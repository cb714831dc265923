"""Warnings of parameters that some compilers take although no argument can be passed to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cl_magic.build.source_map import SourceMap
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.signature import KernelSignature, Parameter
from cl_magic.clc.structs import Layout, layout_named, pointer_member


def parameter_warnings(
    kernels: Iterable[KernelSignature], layouts: Sequence[Layout], source_map: SourceMap
) -> list[Diagnostic]:
    """One warning for each parameter that leads to pointers (OpenCL C 1.2, 6.9.a and p), on its kernel's line.

    Parameters
    ----------
    kernels : iterable of KernelSignature
        With lines of the source text.
    layouts : sequence of Layout
    source_map : SourceMap

    Examples
    --------
    >>> bad = KernelSignature("f", (Parameter(0, "p", "int**", "global"),), line=2)
    >>> [(warning.line, warning.message) for warning in parameter_warnings([bad], (), SourceMap())]
    [(2, 'p of f is a pointer to a pointer, for which there is no argument')]
    """
    found = []
    for kernel in kernels:
        for parameter in kernel.parameters:
            what, note = _fault(parameter, layouts)
            if what:
                line = kernel.line + source_map.first_line - 1
                told = (Diagnostic("note", note, line, origin="cl_magic"),)
                message = f"{parameter.name} of {kernel.name} {what}, for which there is no argument"
                found.append(Diagnostic("warning", message, line, origin="cl_magic", notes=told))
    return found


def _fault(parameter: Parameter, layouts: Sequence[Layout]) -> tuple[str, str]:
    if parameter.type_name.count("*") > 1:
        note = "pass one array, and offsets into it as a second one (OpenCL C 1.2, 6.9.a)"
        return "is a pointer to a pointer", note
    layout = layout_named(layouts, parameter.element_type) if parameter.is_pointer else None
    holder = pointer_member(layout) if layout is not None else None
    if holder is None:
        return "", ""
    path, field = holder
    note = "an index into an array that is an argument of its own; bytes are passed as they are (OpenCL C 1.2, 6.9.p)"
    return f"leads to a structure whose member {path} is a {field.type_name}", note
