"""What images a device takes: formats by kind and access, and limits. Checked before a launch.

OpenCL 1.2, 4.2 (limits), 5.3.2 (formats), 5.3.2.1 (the formats that every device with images has).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import BoundArguments
from cl_magic.launch.image_conversion import conversion, holds
from cl_magic.launch.image_formats import CHANNEL_TYPES, CHANNELS
from cl_magic.launch.limits import DeviceInfo
from cl_magic.launch.request import ImageArgument
from cl_magic.launch.wording import count

MINIMUM = frozenset(
    {f"RGBA {name}" for name in CHANNEL_TYPES if not name.startswith("SNORM")} | {"BGRA UNORM_INT8"},
)
"""Formats that the specification asks of every device with images."""
_HALVES = ("A HALF_FLOAT", "R HALF_FLOAT")
_WRONG = {("pocl", "3.0"): _HALVES, ("pocl", "5.0"): _HALVES}
"""Measured, by family and beginning of the driver's version: PoCL reads 1.0 as 234.0 and writes zeros."""
_ACCESS_LIMITS = {"read_only": "max_read_images", "write_only": "max_write_images", "read_write": "max_write_images"}


@dataclass(frozen=True, slots=True)
class FormatList:
    """Formats (``RGBA UNORM_INT8``) that a device has for some uses (``image2d read_only``)."""

    uses: tuple[str, ...]
    formats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImageSupport:
    """The images that a device takes.

    Attributes
    ----------
    lists : tuple of FormatList
        Every pair of kind and access occurs in one list at most.
    width_2d, height_2d, width_3d, height_3d, depth_3d : int
        Most pixels along each axis; `width_2d` holds for 1-D images too.
    buffer_pixels : int
        Most pixels of a 1-D buffer image.
    array_size : int
        Most images of an image array.
    max_read_images, max_write_images, max_samplers : int
        Most arguments of one kernel. A limit of 0 is one that the device does not say.
    wrong : tuple of str
        Formats that the device lists and gets wrong; they are in none of the lists.
    """

    lists: tuple[FormatList, ...] = ()
    width_2d: int = 0
    height_2d: int = 0
    width_3d: int = 0
    height_3d: int = 0
    depth_3d: int = 0
    buffer_pixels: int = 0
    array_size: int = 0
    max_read_images: int = 0
    max_write_images: int = 0
    max_samplers: int = 0
    wrong: tuple[str, ...] = ()

    def formats(self, kind: str, access: str) -> tuple[str, ...]:
        """Formats of a kind of image for an access qualifier.

        Examples
        --------
        >>> ImageSupport((FormatList(("image2d read_only",), ("R FLOAT",)),)).formats("image2d", "read_only")
        ('R FLOAT',)
        """
        use = f"{kind} {access}"
        return next((one.formats for one in self.lists if use in one.uses), ())

    def missing(self, kind: str, access: str) -> tuple[str, ...]:
        """Formats that the specification asks for and the device lacks.

        Examples
        --------
        >>> len(ImageSupport().missing("image2d", "read_only"))
        11
        """
        return tuple(sorted(MINIMUM - set(self.formats(kind, access))))

    def limits(self, kind: str) -> tuple[tuple[str, int], ...]:
        """Name and size of the limit along each axis of a kind, width first.

        Examples
        --------
        >>> ImageSupport(width_2d=8192, array_size=2048).limits("image1d_array")
        (('width', 8192), ('array size', 2048))
        """
        width, plane = ("width", self.width_2d), (("width", self.width_2d), ("height", self.height_2d))
        array = ("array size", self.array_size)
        return {
            "image1d": (width,),
            "image1d_buffer": (("width", self.buffer_pixels),),
            "image1d_array": (width, array),
            "image2d": plane,
            "image2d_array": (*plane, array),
            "image3d": (("width", self.width_3d), ("height", self.height_3d), ("depth", self.depth_3d)),
        }[kind]


def wrong_formats(device: DeviceInfo) -> tuple[str, ...]:
    """Formats that a driver lists and is known to get wrong.

    Examples
    --------
    >>> wrong_formats(DeviceInfo("0:0", "cpu", "Portable Computing Language", "", ("cpu",), driver_version="3.0-rc2"))
    ('A HALF_FLOAT', 'R HALF_FLOAT')
    """
    family, version = device.family, device.driver_version
    return next((formats for (of, start), formats in _WRONG.items() if of == family and version.startswith(start)), ())


def nearest_format(wanted: str, formats: Sequence[str]) -> str | None:
    """The one of a device's formats that is most like another one; None where there is none.

    Parameters
    ----------
    wanted : str
        ``RGB UNORM_INT8``: enough channels count first, then how they are read, their size, their order.
    formats : sequence of str

    Examples
    --------
    >>> nearest_format("RGB UNORM_INT8", ["R UNORM_INT8", "RGBA FLOAT", "BGRA UNORM_INT8", "RGBA UNORM_INT8"])
    'RGBA UNORM_INT8'
    """
    order, type_name = wanted.split()
    channel = CHANNEL_TYPES[type_name]

    def distance(other: str) -> tuple[Any, ...]:
        other_order, other_type = other.split()
        theirs = CHANNEL_TYPES[other_type]
        more = CHANNELS[other_order] - CHANNELS[order]
        size = theirs.dtype.itemsize - channel.dtype.itemsize
        kin = (theirs.family != channel.family, not holds(theirs, channel), theirs.dtype.kind != channel.dtype.kind)
        depth = "DEPTH" in {order, other_order} and order != other_order
        return depth, more < 0, *kin, abs(size), more, not other_order.startswith(order), other_order != "RGBA", other

    known = [one for one in formats if one.split()[0] in CHANNELS and one.split()[1] in CHANNEL_TYPES]
    return min(known, key=distance, default=None)


def check_images(bound: BoundArguments, device: DeviceInfo, support: Callable[[], ImageSupport]) -> None:
    """Refuse images that the device does not take, with the limit or the nearest format.

    Parameters
    ----------
    bound : BoundArguments
    device : DeviceInfo
    support : callable
        Asked for only where there are images or samplers.

    Raises
    ------
    ArgumentError
        ``limit``, or ``nearest``, is an attribute.

    Examples
    --------
    >>> from cl_magic.clc.signature import KernelSignature
    >>> check_images(BoundArguments(KernelSignature("f")), DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",)), ImageSupport)
    """
    if not bound.images and not bound.samplers:
        return
    kernel = bound.signature.name
    if not device.images:
        name = [*(image.name for image in bound.images), *(sampler.name for sampler in bound.samplers)][0]
        message = f"{kernel}: argument {name} needs images, and {device.short_name} has none"
        remedy = "another device (%opencl devices lists them), or a buffer: global const float *"
        raise ArgumentError(message, remedy=remedy, kernel=kernel, parameter=name, device=device.id)
    known = support()
    _check_counts(bound, device, known)
    for image in bound.images:
        _check_size(image, kernel, device, known)
        _check_format(image, kernel, device, known)


def _check_counts(bound: BoundArguments, device: DeviceInfo, known: ImageSupport) -> None:
    kernel = bound.signature.name
    used: dict[str, list[str]] = {}
    for image in bound.images:
        used.setdefault(_ACCESS_LIMITS[image.access], []).append(image.name)
    used["max_samplers"] = [sampler.name for sampler in bound.samplers]
    words = {"max_read_images": "images to read", "max_write_images": "images to write", "max_samplers": "samplers"}
    for name, arguments in used.items():
        limit = int(getattr(known, name))
        if len(arguments) > limit > 0:
            message = f"{kernel}: {len(arguments)} {words[name]}; {device.short_name} allows {limit} in a kernel"
            facts = {"kernel": kernel, "parameter": arguments[limit], "limit": limit}
            raise ArgumentError(message, remedy="an image array instead of several images", **facts)


def _check_size(image: ImageArgument, kernel: str, device: DeviceInfo, known: ImageSupport) -> None:
    size = " × ".join(count(n) for n in image.pixels)
    head = f"{kernel}: argument {image.name} ({image.access} {image.type_name}) is {size} pixels"
    facts: dict[str, Any] = {"kernel": kernel, "parameter": image.name}
    for (axis, limit), pixels in zip(known.limits(image.kind), image.pixels, strict=True):
        if pixels > limit > 0:
            message = f"{head}; {device.short_name} takes a {axis} of at most {count(limit)}"
            remedy = "a part of the array at a time, every n-th pixel, or a buffer instead of an image"
            raise ArgumentError(message, remedy=remedy, axis=axis, size=pixels, limit=limit, **facts)
    if image.nbytes > device.max_alloc_bytes > 0:
        limit = device.max_alloc_bytes
        message = (
            f"{head}, {count(image.nbytes)} B; {device.short_name} allocates at most {count(limit)} B in one piece"
        )
        raise ArgumentError(message, remedy="a part of the array at a time", nbytes=image.nbytes, limit=limit, **facts)


def _check_format(image: ImageArgument, kernel: str, device: DeviceInfo, known: ImageSupport) -> None:
    formats = known.formats(image.kind, image.access)
    if image.format in formats:
        return
    nearest = nearest_format(image.format, formats)
    use, name = f"{image.access} {image.type_name}", device.short_name
    lacks = f"{name} lists but computes wrongly" if image.format in known.wrong else f"{name} does not have"
    message = f"{kernel}: argument {image.name} ({use}) would be {image.format}, which {lacks}"
    if nearest is None:
        message, remedy = f"{message}; it has no format for a {use}", "another device, or a buffer"
    else:
        message += f"; the nearest it has is {nearest} ({len(formats)} formats for a {use})"
        remedy = conversion(image, nearest)
    facts = {"kernel": kernel, "parameter": image.name, "format": image.format, "nearest": nearest}
    raise ArgumentError(message, remedy=remedy, formats=tuple(formats), **facts)
