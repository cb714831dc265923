"""Binders for parameters that are neither arrays nor numbers: local memory, unknown types, types that none may have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cl_magic.clc.signature import Parameter
from cl_magic.clc.structs import UNSIZED_TYPES
from cl_magic.clc.types import type_of
from cl_magic.errors import ArgumentError
from cl_magic.launch.device_arrays import LocalMemory
from cl_magic.launch.request import LocalArgument, ScalarArgument

_INSTEAD = {"bool": "uchar or int", "size_t": "ulong", "uintptr_t": "ulong", "ptrdiff_t": "long", "intptr_t": "long"}


def forbidden_fault(parameter: Parameter) -> tuple[str, str] | None:
    """Why a kernel may not have a parameter of this type, and what to write instead; None where it may.

    OpenCL C 1.2, 6.9.a (pointers to pointers, to functions) and 6.9.k; some compilers take them all the same.

    Examples
    --------
    >>> forbidden_fault(Parameter(0, "p", "int**", "global"))[0]
    'is a pointer to a pointer, which no kernel argument may be (OpenCL C 1.2, 6.9.a)'
    >>> forbidden_fault(Parameter(0, "n", "ulong", written_type="const size_t"))[1]
    'ulong in the kernel'
    """
    name = parameter.name
    if parameter.type_name.count("*") > 1:
        what = "is a pointer to a pointer, which no kernel argument may be (OpenCL C 1.2, 6.9.a)"
        return what, f"one array and a second one of offsets into it: global const uint *{name}_begin"
    if parameter.is_pointer:
        return None
    words = (parameter.written_type or parameter.type_name).split()
    unsized = next((word for word in (*words, parameter.type_name) if word in UNSIZED_TYPES), "")
    if unsized:
        what = f"is a {unsized}, whose size is the device's own: no kernel argument may be one (OpenCL C 1.2, 6.9.k)"
        return what, f"{_INSTEAD[unsized]} in the kernel"
    if parameter.type_name == "event_t":
        return "is an event_t, which no kernel argument may be (OpenCL C 1.2, 6.9)", "an event_t inside the kernel"
    return None


def forbidden_binder(parameter: Parameter, kernel: str, fault: tuple[str, str]) -> Callable[[Any, int], Any]:
    """Refuses every value.

    Examples
    --------
    >>> bind = forbidden_binder(Parameter(0, "e", "event_t"), "f", ("is an event_t", "none"))
    >>> bind(1, 0)
    Traceback (most recent call last):
    ...
    cl_magic.errors.ArgumentError: f: parameter e (event_t) is an event_t
    → none
    """

    def refuse(value: Any, _slot: int) -> Any:  # noqa: ANN401 - whatever came
        what, remedy = fault
        message = f"{kernel}: parameter {parameter.name} ({parameter.written_type or parameter.type_name}) {what}"
        raise ArgumentError(message, remedy=remedy, kernel=kernel, parameter=parameter.name, value=value)

    return refuse


def local_binder(parameter: Parameter, kernel: str) -> Callable[[Any, int], LocalArgument]:
    """Taker of ``clm.local(…)``.

    Examples
    --------
    >>> local_binder(Parameter(0, "tile", "float4*", "local"), "f")(LocalMemory(64, "float4"), 0).nbytes
    1024
    """
    ctype = type_of(parameter.element_type)

    def error(value: object, what: str, remedy: str) -> ArgumentError:
        message = f"{kernel}: argument {parameter.name} (local {parameter.type_name}) {what}"
        return ArgumentError(message, remedy=remedy, kernel=kernel, parameter=parameter.name, value=value)

    def bind_local(value: Any, _slot: int) -> LocalArgument:  # noqa: ANN401 - that is what it checks
        nbytes = getattr(value, "nbytes", None) if isinstance(value, LocalMemory) else getattr(value, "size", None)
        foreign = type(value).__name__ == "LocalMemory"  # PyOpenCL's own
        if nbytes is None or not foreign:
            kind = type(value).__name__
            what = f"is {kind}; local memory belongs to a work-group and takes only a number of elements or bytes"
            number = value if isinstance(value, int) and not isinstance(value, bool) else "n"
            raise error(value, what, f'clm.local({number}, "{parameter.element_type}")')
        if isinstance(value, LocalMemory) and value.scalar and ctype is not None and value.scalar != ctype.dtype:
            what = f"gets room for {value.count} {value.element}"
            raise error(value, what, f'clm.local({value.count}, "{parameter.element_type}")')
        return LocalArgument(parameter.index, parameter.name, parameter.type_name, int(nbytes))

    return bind_local


def unknown_binder(parameter: Parameter, kernel: str) -> Callable[[Any, int], ScalarArgument]:
    """For a type that is no built-in one: a struct out of sight, or a typedef where the front end did not run.

    Examples
    --------
    >>> unknown_binder(Parameter(0, "n", "index_t"), "f")(np.int32(7), 0).data.hex()
    '07000000'
    """

    def bind_unknown(value: Any, _slot: int) -> ScalarArgument:  # noqa: ANN401 - that is what it checks
        if isinstance(value, (np.number, np.bool_)):  # its size is checked by the driver
            data = value.astype(value.dtype.newbyteorder("<")).tobytes()
            return ScalarArgument(parameter.index, parameter.name, parameter.type_name, data, str(value))
        message = (
            f"{kernel}: argument {parameter.name} is of type {parameter.type_name}, whose layout is not known, so "
            f"{type(value).__name__} cannot be cast to it"
        )
        remedy = (
            f"a NumPy scalar of its type (np.int32({parameter.name}), …) if it is a number; a struct goes by pointer, "
            "or defined where cl_magic can read it (the cell itself, or a header that it finds)"
        )
        raise ArgumentError(message, remedy=remedy, kernel=kernel, parameter=parameter.name, value=value)

    return bind_unknown
