"""A SPIR-V module by hand: ``kernel void seven(global int *x) { *x = 7; }``."""

from __future__ import annotations

import struct

_VOID, _INT, _POINTER, _FUNCTION_TYPE, _SEVEN, _SEVEN_FUNCTION, _X, _LABEL, _BOUND = range(1, 10)
_INSTRUCTIONS = (
    (17, 4),  # OpCapability Addresses
    (17, 6),  # OpCapability Kernel
    (14, 2, 2),  # OpMemoryModel Physical64 OpenCL
    (15, 6, _SEVEN_FUNCTION, *struct.unpack("<2I", b"seven\0\0\0")),  # OpEntryPoint Kernel
    (19, _VOID),  # OpTypeVoid
    (21, _INT, 32, 0),  # OpTypeInt
    (43, _INT, _SEVEN, 7),  # OpConstant
    (32, _POINTER, 5, _INT),  # OpTypePointer CrossWorkgroup
    (33, _FUNCTION_TYPE, _VOID, _POINTER),  # OpTypeFunction
    (54, _VOID, _SEVEN_FUNCTION, 0, _FUNCTION_TYPE),  # OpFunction
    (55, _POINTER, _X),  # OpFunctionParameter
    (248, _LABEL),  # OpLabel
    (62, _X, _SEVEN, 2, 4),  # OpStore Aligned 4
    (253,),  # OpReturn
    (56,),  # OpFunctionEnd
)
_HEADER = (0x07230203, 0x00010000, 0, _BOUND, 0)

SOURCE = "kernel void seven(global int *x) { *x = 7; }"


def module() -> bytes:
    """The module's bytes."""
    words = list(_HEADER)
    for operation, *operands in _INSTRUCTIONS:
        words += [(len(operands) + 1) << 16 | operation, *operands]
    return struct.pack(f"<{len(words)}I", *words)
