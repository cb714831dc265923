"""NumPy arrays as images: kind, access, channel order and channel type, checked before the launch.

Arrays are ``(rows, columns[, channels])``: the columns are the image's width. A kernel that reads an image with a
function of another family than its channel type gets undefined values (OpenCL C 1.2, 6.12.14.2), so that is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cl_magic.clc.signature import AccessQualifier, KernelSignature, Parameter
from cl_magic.errors import ArgumentError
from cl_magic.launch.device_images import DeviceImageLike, facts_of
from cl_magic.launch.image_formats import (
    CHANNEL_TYPES,
    CHANNELS,
    DTYPES,
    IMAGE_KINDS,
    ORDER_OF_CHANNELS,
    ChannelType,
    channel_type_for,
    dtypes_read_by,
    known_families,
)
from cl_magic.launch.image_values import Image
from cl_magic.launch.request import ArrayArgument, Direction, ImageArgument

_DIRECTIONS: dict[str, tuple[Direction, str]] = {
    "read_only": ("in", "read_only in the source"),
    "write_only": ("out", "write_only in the source"),
    "read_write": ("inout", "read_write in the source"),
}


def is_image_type(type_name: str) -> bool:
    """Whether a parameter of this type takes an image.

    Examples
    --------
    >>> is_image_type("image2d_t"), is_image_type("float*")
    (True, False)
    """
    return type_name.startswith("image") and type_name.endswith("_t")


def image_binder(parameter: Parameter, kernel: str) -> Callable[[Any, int], ImageArgument]:
    """Checker for one image parameter, called with the value and the slot it takes.

    Examples
    --------
    >>> bind = image_binder(Parameter(0, "src", "image2d_t", "global", "read_only", image_families=("f",)), "blur")
    >>> argument = bind(np.zeros((4, 6, 4), np.uint8), 0)
    >>> argument.pixels, argument.format, argument.direction
    ((6, 4), 'RGBA UNORM_INT8', 'in')
    """
    return _Checks(parameter, kernel).bind


class _Checks:
    """What one image parameter asks of its argument."""

    def __init__(self, parameter: Parameter, kernel: str) -> None:
        self.parameter, self.kernel = parameter, kernel
        self.kind = IMAGE_KINDS.get(parameter.type_name)
        self.access: AccessQualifier = "read_only" if parameter.access == "none" else parameter.access
        self.direction, self.reason = _DIRECTIONS[self.access]
        self.families = known_families(parameter.image_families)

    def bind(self, value: Any, slot: int) -> ImageArgument:  # noqa: ANN401 - that is what it checks
        parameter = self.parameter
        if self.kind is None:
            what = f"is of a type that no array can be made into: {parameter.type_name}"
            raise self.error(value, what, "an image2d_t or image2d_array_t parameter")
        if not isinstance(value, (np.ndarray, Image)) and isinstance(value, DeviceImageLike):
            return self.on_device(value, slot)
        given = value if isinstance(value, Image) else Image(self.plain(value))
        array = given.array
        self.check_array(array, given)
        count = array.shape[-1] if array.ndim > len(self.kind.axes) else 1
        order, channel = self.order(given, count), self.channel_type(given)
        pixels = tuple(reversed(array.shape[: len(self.kind.axes)]))
        return ImageArgument(
            parameter.index, parameter.name, parameter.type_name, slot, self.direction, array.shape, array.dtype.str,
            array.nbytes, bool(array.flags.c_contiguous and array.flags.aligned), parameter.name, 0, self.reason,
            self.kind.name, self.access, order, channel.name, pixels, count * array.itemsize,
        )  # fmt: skip

    def on_device(self, value: DeviceImageLike, slot: int) -> ImageArgument:
        """Image object of another library, checked by kind, access and format: PoCL and Oclgrind check none."""
        assert self.kind is not None  # noqa: S101 - `bind` asked
        facts = facts_of(value)
        if facts.kind != self.kind.name:
            raise self.error(
                value, f"is a {facts.kind}, and the kernel takes a {self.kind.name}", "an image of that kind"
            )
        if facts.access not in {self.access, "read_write"}:
            what = f"was made {facts.access}, and the parameter is {self.access}"
            raise self.error(value, what, "an image made with READ_WRITE")
        found = CHANNEL_TYPES.get(facts.channel_type)
        if found is not None and self.families and self.families != (found.family,):
            raise self.wrong_family(value, found.dtype, found)
        parameter, dtype = self.parameter, found.dtype if found else np.dtype(np.uint8)
        shape = (*reversed(facts.pixels), CHANNELS.get(facts.channel_order, 1))
        return ImageArgument(
            parameter.index, parameter.name, parameter.type_name, slot, self.direction, shape, dtype.str, facts.nbytes,
            label=parameter.name, reason=self.reason, kind=facts.kind, access=self.access,
            channel_order=facts.channel_order, channel_type=facts.channel_type, pixels=facts.pixels,
            pixel_bytes=facts.pixel_bytes,
        )  # fmt: skip

    def plain(self, value: object) -> np.ndarray[Any, Any]:
        """The array that was given, or the error for what is none."""
        if isinstance(value, np.ma.MaskedArray):
            remedy = f"{self.parameter.name}.filled(…), or .data without the mask"
            raise self.error(value, "is a masked array, whose mask a kernel does not see", remedy)
        if isinstance(value, np.ndarray):
            return value
        shown = f"{type(value).__name__} {value!r}"[:60]
        shape = self.kind.shape_text if self.kind else "(rows, columns)"
        if isinstance(value, (list, tuple)):
            remedy = f"{self.parameter.name} = np.asarray({self.parameter.name}, dtype=np.float32)"
        else:
            remedy = f"an array of shape {shape}: np.zeros(…, np.float32)"
        raise self.error(value, f"is {shown}, but an image takes a NumPy array", remedy)

    def check_array(self, array: np.ndarray[Any, Any], given: Image) -> None:
        """Refuse a dtype, shape or layout that no image has."""
        assert self.kind is not None  # noqa: S101 - `bind` asked
        name, axes = self.parameter.name, len(self.kind.axes)
        if given.kind not in {None, self.kind.name}:
            fitting = next(type_ for type_, kind in IMAGE_KINDS.items() if kind.name == given.kind)
            remedy = f"a parameter of type {fitting}, or kind={self.kind.name!r}"
            raise self.error(array, f"is a {given.kind}, and the kernel takes a {self.kind.name}", remedy)
        if array.dtype not in DTYPES or not array.dtype.isnative:
            raise self.error(array, *_dtype_fault(array.dtype, array.shape, name))
        most = axes if self.kind.depth else axes + 1
        if not axes <= array.ndim <= most:
            what = f"has shape {array.shape}, and an {self.parameter.type_name} takes {self.kind.shape_text}"
            raise self.error(array, what, _reshaped(name, array.shape, axes))
        if array.size == 0:
            what = f"has no pixels (shape {array.shape}), and an image has at least one"
            raise self.error(array, what, "skip the call where there is no data")
        if self.direction != "in" and not array.flags.writeable:
            remedy = f"{name} = {name}.copy(), or read_only in the kernel if it only reads"
            raise self.error(array, f"is read-only, and the parameter is {self.access}", remedy)
        if self.direction != "in" and _repeats(array):
            what = f"has elements that share memory (strides {array.strides}), and the parameter is {self.access}"
            raise self.error(array, what, f"{name} = {name}.copy()")

    def order(self, given: Image, count: int) -> str:
        """Channel order: the one asked for, or by the number of channels."""
        assert self.kind is not None  # noqa: S101 - `bind` asked
        order = given.channel_order or ("DEPTH" if self.kind.depth else ORDER_OF_CHANNELS.get(count))
        name = self.parameter.name
        if order is None:
            what = f"has {count} channels (shape {given.array.shape}), and an image has 1, 2 or 4"
            raise self.error(given.array, what, _reshaped(name, given.array.shape, len(self.kind.axes)))
        if CHANNELS[order] != count:
            what = f"has {count} channel{'s' if count > 1 else ''}, and {order} has {CHANNELS[order]}"
            fitting = [one for one, channels in CHANNELS.items() if channels == count and one != "DEPTH"]
            raise self.error(given.array, what, f"one of {', '.join(fitting)}, or an array with as many channels")
        if (order == "DEPTH") != self.kind.depth:
            what = f"is of channel order {order}, and an {self.parameter.type_name} takes {self.depth_words}"
            raise self.error(given.array, what, "leave channel_order= out")
        return order

    @property
    def depth_words(self) -> str:
        """What the kind takes in the matter of depth."""
        return "DEPTH only" if self.kind is not None and self.kind.depth else "any order but DEPTH"

    def channel_type(self, given: Image) -> ChannelType:
        """Channel type: the one asked for, or by dtype and the kernel's functions (OpenCL C 1.2, 6.12.14.2)."""
        dtype = given.array.dtype
        if given.channel_type is None:
            self.check_known(given.array)
            found = channel_type_for(dtype, self.families)
        else:
            found = CHANNEL_TYPES[given.channel_type]
            if found.dtype != dtype:
                what = f"is {dtype}, and {found.name} is {found.dtype}"
                raise self.error(given.array, what, f"{self.parameter.name}.astype(np.{found.dtype})")
        if found is None or (self.families and self.families != (found.family,)):
            raise self.wrong_family(given.array, dtype, found)
        return found

    def check_known(self, array: np.ndarray[Any, Any]) -> None:
        """Refuse integers of two meanings where nobody read the source: a wrong guess is wrong in silence."""
        names = [one.name for one in CHANNEL_TYPES.values() if one.dtype == array.dtype]
        if self.families or self.parameter.reads is not None or len(names) == 1:
            return
        functions = " or ".join(f"{name} (read_image{CHANNEL_TYPES[name].family})" for name in names)
        what = f"is {array.dtype}, and it is not known with which functions the kernel uses it: {functions}"
        name = self.parameter.name
        raise self.error(array, what, f'clm.image({name}, channel_type="{names[0]}")', channel_types=tuple(names))

    def wrong_family(self, value: object, dtype: np.dtype[Any], found: ChannelType | None) -> ArgumentError:
        """The kernel's functions do not fit the channel type."""
        verb = "write" if self.direction == "out" else "read"
        used = " and ".join(f"{verb}_image{family}" for family in self.families)
        name = self.parameter.name
        choices = {one.family: one.name for one in CHANNEL_TYPES.values() if one.dtype == dtype}
        takes = " or ".join(f"{verb}_image{family}" for family in choices if family not in self.families)
        if len(self.families) > 1:
            what, remedy = f"is used with {used}; one image has one channel type", "two images, or one of the functions"
        else:
            kinds = f"{dtype} as {found.name}" if found else f"{dtype}"
            what = f"is {kinds}, and the kernel uses {used}, whose result is undefined then (OpenCL C 1.2, 6.12.14.2)"
            fitting = choices.get(self.families[0])
            mend = f"channel_type={fitting!r}" if fitting else f"{name} of dtype {dtypes_read_by(self.families[0])}"
            remedy = f"{mend}, or {takes} in the kernel"
        return self.error(value, what, remedy, families=self.families, channel_types=tuple(choices.values()))

    def error(self, value: object, what: str, remedy: str, **facts: object) -> ArgumentError:
        """Error that names kernel and parameter."""
        parameter = self.parameter
        message = f"{self.kernel}: argument {parameter.name} ({self.access} {parameter.type_name}) {what}"
        facts |= {"kernel": self.kernel, "parameter": parameter.name, "value": value}
        return ArgumentError(message, remedy=remedy, **facts)


def _repeats(array: np.ndarray[Any, Any]) -> bool:
    extent = sum(abs(step) * (size - 1) for step, size in zip(array.strides, array.shape, strict=True))
    return bool(extent + array.itemsize < array.nbytes)


def _dtype_fault(dtype: np.dtype[Any], shape: tuple[int, ...], name: str) -> tuple[str, str]:
    members = {field[0] for field in (dtype.fields or {}).values()}
    if len(members) == 1 and (one := members.pop()) in DTYPES:
        what = f"is a record of {dtype.itemsize} bytes, and images have channels as their last axis"
        return (
            what,
            f"{name} = np.ascontiguousarray({name}).view(np.{one}).reshape({(*shape, len(dtype.fields or ()))})",
        )
    if dtype.newbyteorder("=") in DTYPES:
        return f"is {dtype}, in the other byte order", f'{name} = {name}.astype({name}.dtype.newbyteorder("="))'
    fitting = {"b": "uint8", "u": "uint32", "i": "int32", "f": "float32"}.get(dtype.kind)
    listed = ", ".join(str(one) for one in DTYPES)
    remedy = f"{name} = {name}.astype(np.{fitting})" if fitting else f"an array of one of {listed}"
    return f"is {dtype}, and images are of {listed}", remedy


def _reshaped(name: str, shape: tuple[int, ...], axes: int) -> str:
    if len(shape) < axes:
        missing = ", ".join(["None"] * (axes - len(shape)))
        return f"{name} = {name}[{missing}] for the missing axis, or another kind of image in the kernel"
    if len(shape) == axes + 1 and shape[0] in ORDER_OF_CHANNELS:
        return f"{name} = np.ascontiguousarray(np.moveaxis({name}, 0, -1)), if its first axis is that of the channels"
    return "a part of the array, or another kind of image in the kernel"


def place_images(
    signature: KernelSignature,
    images: Sequence[tuple[ImageArgument, Any]],
    arrays: Sequence[ArrayArgument],
    values: Sequence[Any],
) -> tuple[ImageArgument, ...]:
    """Give images the slots after those of the arrays; each has one of its own.

    Raises
    ------
    ArgumentError
        An image shares memory with another argument and one of them is written: a kernel that reads what it writes as
        an image gets undefined values (OpenCL C 1.2, 6.12.14). ``parameters`` names both.

    Examples
    --------
    >>> bound = image_binder(Parameter(0, "a", "image2d_t"), "f")(np.zeros((2, 3), np.float32), 0)
    >>> place_images(KernelSignature("f"), [(bound, np.zeros((2, 3), np.float32))], (), (1, 2))[0].slot
    2
    """
    known: list[tuple[ArrayArgument, Any]] = [(array, values[array.slot]) for array in arrays]
    for argument, array in images:
        for other, value in known:
            written = argument.direction != "in" or other.direction != "in"
            if written and _share(array, value):
                raise _overlap(signature.name, other, argument)
        known.append((argument, array))
    return tuple(replace(argument, slot=len(values) + place) for place, (argument, _) in enumerate(images))


def _share(one: Any, other: Any) -> bool:  # noqa: ANN401 - arrays, or objects of a device
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.may_share_memory(one, other)
    return one is other


def _overlap(kernel: str, first: ArrayArgument, second: ImageArgument) -> ArgumentError:
    written = second if second.direction != "in" else first
    message = (
        f"{kernel}: arguments {first.name} and {second.name} share memory, and {written.name} may be written "
        f"({written.reason}); a kernel cannot read what it writes as an image"
    )
    facts = {"kernel": kernel, "parameter": second.name, "parameters": (first.name, second.name)}
    return ArgumentError(message, remedy=f"pass {second.name}.copy()", **facts)


def pixel_grid(argument: ImageArgument) -> np.ndarray[Any, Any]:
    """An array of the shape of an image's pixels, rows first, that takes no memory: a range has no channels.

    Examples
    --------
    >>> bind = image_binder(Parameter(0, "a", "image2d_t", image_families=("f",)), "f")
    >>> pixel_grid(bind(np.zeros((4, 6, 4), np.float32), 0)).shape
    (4, 6)
    """
    return np.broadcast_to(np.uint8(0), argument.pixels[::-1])


def image_text(argument: ImageArgument) -> str:
    """An image in short.

    Examples
    --------
    >>> bind = image_binder(Parameter(0, "a", "image2d_t", image_families=("f",)), "f")
    >>> image_text(bind(np.zeros((4, 6), np.float32), 0))
    'float32 (4, 6) as 6×4 R FLOAT, 24 B a row'
    """
    shape = f"({argument.shape[0]},)" if len(argument.shape) == 1 else str(tuple(argument.shape))
    size = "×".join(str(n) for n in argument.pixels)
    row = f"{math.prod(argument.pixels[:1]) * argument.pixel_bytes} B a row"
    return f"{np.dtype(argument.dtype)} {shape} as {size} {argument.format}, {row}"
