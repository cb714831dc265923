"""Arrays as pointer arguments: element type, layout and writability, checked once for each dtype and layout.

A kernel reads memory by its own pointer's type, whatever NumPy calls it, so a wrong dtype is wrong in silence. All of
this is refused here, with the line that converts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from cl_magic.clc.signature import Parameter
from cl_magic.clc.structs import Layout
from cl_magic.clc.types import CType, type_of
from cl_magic.errors import ArgumentError
from cl_magic.launch.device_arrays import DeviceArrayLike, DeviceBufferLike, LocalMemory, SharedPointerLike
from cl_magic.launch.element_types import layout_fault, type_fault
from cl_magic.launch.members import members_of
from cl_magic.launch.records import RecordRefusedError, moved_members, record_fit
from cl_magic.launch.request import ArrayArgument, Direction, NullArgument
from cl_magic.launch.staging import Staged, is_packed_triple, widened
from cl_magic.launch.wording import count

PointerArgument = ArrayArgument | NullArgument | Staged
_SEEN_LIMIT = 256


def direction_of(parameter: Parameter) -> tuple[Direction, str]:
    """Which way a pointer argument's memory travels, and why.

    Examples
    --------
    >>> direction_of(Parameter(0, "x", "float*", "global", qualifiers=("const",)))
    ('in', 'const in the source')
    """
    if parameter.writes:
        return ("out", "the kernel only writes it") if parameter.reads is False else ("inout", "the kernel writes it")
    if parameter.address == "constant":
        return "in", "in constant memory"
    if "const" in parameter.qualifiers:
        return "in", "const in the source"
    if parameter.writes is None:
        return "inout", "not known to be read-only"
    return ("in", "the kernel does not use it") if parameter.reads is False else ("in", "the kernel only reads it")


def array_binder(
    parameter: Parameter, kernel: str, layout: Layout | None = None
) -> Callable[[Any, int], PointerArgument]:
    """Checker for one pointer parameter, called with the value and the slot it would take.

    A NumPy array whose dtype, shape and flags were seen in that slot costs a dictionary look-up.

    Examples
    --------
    >>> bind = array_binder(Parameter(0, "x", "float*", "global", qualifiers=("const",)), "saxpy")
    >>> argument = bind(np.zeros((2, 3), np.float32), 0)
    >>> argument.direction, argument.nbytes, argument.contiguous
    ('in', 24, True)
    """
    checks = _Checks(parameter, kernel, layout)
    seen: dict[tuple[Any, ...], ArrayArgument] = {}
    ndarray = np.ndarray

    def bind(value: Any, slot: int) -> PointerArgument:  # noqa: ANN401 - that is what it checks
        if type(value) is not ndarray:
            return checks.other(value, slot)
        key = (value.shape, value.dtype, value.flags.num, slot)
        bound = seen.get(key)
        if bound is None:
            made = checks.array(value, slot)
            if isinstance(made, Staged):
                return made
            bound = made
            if not bound.contiguous and bound.direction != "in":
                return bound  # the flags do not tell whether its elements share memory
            if len(seen) >= _SEEN_LIMIT:
                seen.clear()
            seen[key] = bound
        return bound

    return bind


class _Checks:
    """What one pointer parameter asks of its argument."""

    def __init__(self, parameter: Parameter, kernel: str, layout: Layout | None = None) -> None:
        self.parameter = parameter
        self.kernel = kernel
        self.layout = layout
        self.ctype: CType | None = type_of(parameter.element_type)
        self.direction, self.reason = direction_of(parameter)

    def array(self, value: np.ndarray[Any, Any], slot: int) -> ArrayArgument | Staged:
        """Checked NumPy array; a copy of it where the device needs another form."""
        name = self.parameter.name
        if value.size == 0:
            what = f"has no elements (shape {value.shape}), and a buffer has at least one byte"
            raise self.error(value, what, f"skip the call where there is no data, or pass {name}=None")
        form = self.form(value)
        if self.direction != "in":
            self.check_written(value)
        if form is not None:
            copy, reason, restore = form
            argument = self.argument(copy.shape, copy.dtype, copy.nbytes, slot)
            argument = replace(argument, columns=0 if copy.dtype.names else 3, members=members_of(copy.dtype))
            return Staged(argument, value, copy, reason, restore if self.direction != "in" else None)
        contiguous = bool(value.flags.c_contiguous and value.flags.aligned)
        return ArrayArgument(
            self.parameter.index, name, self.parameter.type_name, slot, self.direction, value.shape, value.dtype.str,
            value.nbytes, contiguous, name, 0, self.reason, members=members_of(value.dtype),
        )  # fmt: skip

    def form(self, value: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], str, Callable[[], None]] | None:
        """Copy in the form that the kernel reads, where the array has another one that can be converted."""
        if self.layout is not None and not value.dtype.hasobject:
            fits = self.check_record(value.dtype, value.nbytes, value)
            return None if fits else moved_members(value, self.layout)
        if self.ctype is not None and is_packed_triple(value, self.ctype):
            return widened(value, self.ctype)
        self.check_type(value.dtype, tuple(value.shape), value)
        return None

    def check_record(self, dtype: np.dtype[Any], nbytes: int, value: object) -> bool:
        """Whether records are the kernel's as they are; refuses those with other names or types."""
        if self.layout is None:
            return True
        try:
            return record_fit(dtype, nbytes, self.layout)
        except RecordRefusedError as refused:
            what, remedy, rows = refused.args
            error = self.error(value, what, remedy.replace("{name}", self.parameter.name))
            error.facts["comparison"] = rows
            raise error from None

    def check_type(self, dtype: np.dtype[Any], shape: tuple[int, ...], value: object) -> None:
        """Refuse another element type or a shape that vectors do not fit."""
        name, element = self.parameter.name, self.parameter.element_type
        fault = type_fault(dtype, element, self.ctype, written=self.direction != "in")
        if fault is None and self.ctype is not None and dtype.names is None:
            fault = layout_fault(dtype, shape, self.ctype)
        if fault is not None:
            what, remedy = fault
            raise self.error(value, what, remedy.replace("{name}", name))

    def check_written(self, value: np.ndarray[Any, Any]) -> None:
        """Refuse an array that results cannot be brought back to."""
        name = self.parameter.name
        because = self.reason if self.parameter.writes else "its parameter is not const"
        if not value.flags.writeable:
            remedy = f"{name} = {name}.copy(), or const in the kernel if it only reads"
            raise self.error(value, f"is read-only, and {because}", remedy)
        extent = sum(abs(step) * (size - 1) for step, size in zip(value.strides, value.shape, strict=True))
        if extent + value.itemsize < value.nbytes:
            what = f"has elements that share memory (shape {value.shape}, strides {value.strides}), and {because}"
            raise self.error(value, what, f"{name} = {name}.copy()")

    def other(self, value: Any, slot: int) -> PointerArgument:  # noqa: ANN401
        """Whatever is no plain NumPy array: None, device memory, subclasses, and mistakes."""
        if value is None:
            return NullArgument(self.parameter.index, self.parameter.name, self.parameter.type_name)
        if isinstance(value, np.ma.MaskedArray):
            remedy = f"{self.parameter.name}.filled(…), or .data without the mask"
            raise self.error(value, "is a masked array, whose mask a kernel does not see", remedy)
        if isinstance(value, np.ndarray):
            return self.array(value, slot)
        if isinstance(value, DeviceArrayLike):
            return self.device_array(value, slot)
        if isinstance(value, (DeviceBufferLike, SharedPointerLike)):
            return self.device_buffer(value, slot)
        raise self.mistake(value)

    def device_array(self, value: DeviceArrayLike, slot: int) -> ArrayArgument:
        """Array of another library: its type is known."""
        dtype, shape = np.dtype(value.dtype), tuple(value.shape)
        if self.ctype is not None and self.ctype.width == 3 and shape[-1:] == (3,):  # noqa: PLR2004 - the odd width
            what = f"has rows of 3, but a {self.ctype.name} takes the room of 4, and memory of a device is not widened"
            raise self.error(value, what, "an array of shape (…, 4), its last column unused")
        if self.layout is None:
            self.check_type(dtype, shape, value)
        elif not self.check_record(dtype, math.prod(shape) * dtype.itemsize, value):
            what = "lives on the device with members in other places than the kernel's"
            raise self.error(value, what, f'an array of program.dtype("{self.layout.short_name}")')
        flags = getattr(value, "flags", None)
        if flags is not None and not getattr(flags, "c_contiguous", True):
            raise self.error(value, "is strided on the device", f"{self.parameter.name}.copy()")
        argument = self.argument(shape, dtype, math.prod(shape) * dtype.itemsize, slot)
        return replace(argument, offset_bytes=int(value.offset))

    def device_buffer(self, value: DeviceBufferLike | SharedPointerLike, slot: int) -> ArrayArgument:
        """Untyped device memory: taken as the parameter's elements."""
        dtype = self.ctype.dtype if self.ctype is not None else np.dtype(np.uint8)
        return self.argument((value.size // dtype.itemsize,), dtype, value.size, slot)

    def argument(self, shape: tuple[int, ...], dtype: np.dtype[Any], nbytes: int, slot: int) -> ArrayArgument:
        """Contiguous argument of known shape."""
        parameter = self.parameter
        return ArrayArgument(
            parameter.index, parameter.name, parameter.type_name, slot, self.direction, shape, dtype.str, nbytes,
            label=parameter.name, reason=self.reason,
        )  # fmt: skip

    def mistake(self, value: object) -> ArgumentError:
        """Error for a value that is no memory."""
        name = self.parameter.name
        known = f"np.{self.ctype.dtype}" if self.ctype is not None else "dtype"
        if isinstance(value, LocalMemory):
            return self.error(value, "is local memory, but its parameter is a global pointer", "pass an array")
        if isinstance(value, (list, tuple)):
            remedy = f"{name} = np.asarray({name}, dtype={known}), then pass that"
            return self.error(value, f"is a {type(value).__name__} of {count(len(value))}", remedy)
        if isinstance(value, (bytes, bytearray, memoryview)):
            return self.error(value, f"is {type(value).__name__}", f"np.frombuffer({name}, dtype={known})")
        shown = f"{type(value).__name__} {value!r}"[:60]
        return self.error(value, f"is {shown}, but a pointer takes an array", f"np.array([…], dtype={known})")

    def error(self, value: object, what: str, remedy: str) -> ArgumentError:
        """Error that names kernel and parameter."""
        parameter = self.parameter
        message = f"{self.kernel}: argument {parameter.name} ({parameter.address} {parameter.type_name}) {what}"
        return ArgumentError(message, remedy=remedy, kernel=self.kernel, parameter=parameter.name, value=value)
