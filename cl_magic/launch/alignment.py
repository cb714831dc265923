"""Where arrays begin: a vector or structure wants an address that is a multiple of its own alignment.

OpenCL C 1.2, 6.1.5: a type of n bytes begins at a multiple of n (three components count as four). A device copies what
begins elsewhere; here it is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cl_magic.clc.signature import KernelSignature
from cl_magic.clc.structs import Layout, layout_named
from cl_magic.clc.types import type_of
from cl_magic.launch.request import ArrayArgument

_OF_NUMPY = 16
"""NumPy's memory begins at a multiple of this; what asks for more is copied without a word of ours."""


def over_aligned(signature: KernelSignature, layouts: Sequence[Layout] = ()) -> dict[int, tuple[int, str]]:
    """Alignment in bytes, and element type, of the pointer parameters whose elements want more than 8 bytes, by index.

    Examples
    --------
    >>> from cl_magic.clc.signature import Parameter
    >>> kernel = KernelSignature("f", (Parameter(0, "v", "float4*", "global"), Parameter(1, "x", "double*", "global")))
    >>> over_aligned(kernel)
    {0: (16, 'float4')}
    """
    found: dict[int, tuple[int, str]] = {}
    for parameter in signature.parameters:
        if not parameter.is_pointer or parameter.address == "local":
            continue
        ctype, layout = type_of(parameter.element_type), layout_named(layouts, parameter.element_type)
        alignment = ctype.size_bytes if ctype is not None else layout.alignment if layout is not None else 1
        if alignment > 1 and (layout is not None or (ctype is not None and ctype.width > 1)):
            found[parameter.index] = alignment, parameter.element_type
    return found


def alignment_notes(
    arrays: Sequence[ArrayArgument], values: Sequence[Any], wanted: Mapping[int, tuple[int, str]]
) -> tuple[str, ...]:
    """Sentences about arrays that begin where their elements may not, as a view of a part may.

    Examples
    --------
    >>> whole = np.zeros(9, np.float32)
    >>> part = ArrayArgument(0, "v", "float4*", 0, "in", (8,), "<f4", 32)
    >>> alignment_notes([part], [whole[1:]], {0: (16, "float4")})[0][:49]
    'v begins at an address that is no multiple of 16,'
    """
    notes: tuple[str, ...] = ()
    for argument in arrays:
        known = wanted.get(argument.index)
        value = values[argument.slot]
        if known is None or not isinstance(value, np.ndarray) or value.base is None or not argument.contiguous:
            continue  # memory of an array's own is NumPy's
        alignment, element = min(known[0], _OF_NUMPY), known[1]
        if value.ctypes.data % alignment:
            address = f"an address that is no multiple of {alignment}, as {element} asks for"
            notes += (f"{argument.name} begins at {address}: the kernel works on a copy",)
    return notes
