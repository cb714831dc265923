"""Image objects for the arrays of a launch: used in place on a CPU, copied by commands elsewhere (OpenCL 1.2, 5.3).

They are arrays in all that is told of them; only the commands differ. PyOpenCL's ``enqueue_copy`` knows no 1-D images,
so that its lower layer is called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cl_magic.launch.image_formats import ORDER_NUMBERS, TYPE_NUMBERS
from cl_magic.launch.request import ImageArgument
from cl_magic.runtime.context import DeviceContext
from cl_magic.runtime.opencl import opencl
from cl_magic.runtime.transfer import HostArray

_ORIGIN = (0, 0, 0)


def host_image(where: DeviceContext, array: npt.NDArray[Any], argument: ImageArgument) -> HostArray:
    """The image of an array; a 1-D buffer image is a view of a buffer (OpenCL 1.2, 5.3.1.2)."""
    kind = HostImageBuffer if argument.kind == "image1d_buffer" else HostImage
    return kind(where, array, (argument,))


class _ImageArray(HostArray):
    """What both kinds share: the argument, and its pixels' alignment."""

    @property
    def _image(self) -> ImageArgument:
        argument = self.arguments[0]
        assert isinstance(argument, ImageArgument)  # noqa: S101 - `host_image` made it
        return argument

    @property
    def _alignment(self) -> int:
        return self._image.pixel_bytes

    def _made(self, context: Any, flags: Any, buffer: Any = None, host: Any = None) -> Any:  # noqa: ANN401
        """An image object of the argument's kind and format."""
        cl, argument = opencl(), self._image
        description = cl.ImageDescriptor()
        description.image_type = getattr(cl.mem_object_type, argument.kind.upper())
        description.shape = (argument.pixels[0], 1, 1) if argument.kind == "image1d_array" else argument.region
        description.array_size = argument.pixels[-1] if argument.kind.endswith("_array") else 0  # `shape` sets it too
        description.pitches = (0, 0)  # rows without gaps
        description.num_mip_levels = description.num_samples = 0
        description.buffer = buffer
        format_ = cl.ImageFormat(ORDER_NUMBERS[argument.channel_order], TYPE_NUMBERS[argument.channel_type])
        return cl.Image(context, flags, format_, desc=description, hostbuf=host)

    def _flags(self) -> Any:  # noqa: ANN401 - PyOpenCL's flags
        flags = opencl().mem_flags
        access = {"read_only": flags.READ_ONLY, "write_only": flags.WRITE_ONLY, "read_write": flags.READ_WRITE}
        return access[self._image.access]


class HostImageBuffer(_ImageArray):
    """A 1-D buffer image: the array's buffer, and an image over it that the kernel gets."""

    def _buffer(self, where: DeviceContext) -> Any:  # noqa: ANN401 - PyOpenCL's buffer
        buffer = super()._buffer(where)
        self._view = self._made(where.context, self._flags(), buffer)
        return buffer

    def argument(self, argument: Any) -> Any:  # noqa: ANN401, ARG002 - the one it was made for
        """The image."""
        return self._view


class HostImage(_ImageArray):
    """An image of any other kind; `buffer` is the image object."""

    def _buffer(self, where: DeviceContext) -> Any:  # noqa: ANN401 - PyOpenCL's image
        if self.in_place:
            return self._made(where.context, self._flags() | opencl().mem_flags.USE_HOST_PTR, host=self.host)
        return self._made(where.context, self._flags())

    def argument(self, argument: Any) -> Any:  # noqa: ANN401, ARG002 - the one it was made for
        """The image."""
        return self.buffer

    def _sent(self) -> Any:  # noqa: ANN401 - PyOpenCL's event, as below
        return self._moved_by("_enqueue_write_image")

    def _fetched(self) -> Any:  # noqa: ANN401
        return self._moved_by("_enqueue_read_image")

    def _moved_by(self, name: str) -> Any:  # noqa: ANN401
        command = getattr(opencl()._cl, name)  # noqa: SLF001 - see above
        argument = self._image
        slices = len(argument.pixels) == 3 or argument.kind == "image1d_array"  # noqa: PLR2004 - axes
        rows = 1 if argument.kind == "image1d_array" else argument.region[1]
        pitches = (argument.row_bytes, argument.row_bytes * rows if slices else 0)
        return command(self._queue, self.buffer, _ORIGIN, argument.region, self.host, *pitches, is_blocking=False)

    def _room(self) -> Any:  # noqa: ANN401
        return self._made(self.buffer.context, self._flags())

    def _kept(self, backup: Any) -> Any:  # noqa: ANN401
        return self._copied(self.buffer, backup)

    def _restored(self, backup: Any) -> Any:  # noqa: ANN401
        return self._copied(backup, self.buffer)

    def _copied(self, source: Any, to: Any) -> Any:  # noqa: ANN401
        """Image to image: NVIDIA refuses to copy a 1-D image array to a buffer."""
        command = opencl()._cl._enqueue_copy_image  # noqa: SLF001 - see above
        return command(self._queue, source, to, _ORIGIN, _ORIGIN, self._image.region)

    def _mapped(self) -> tuple[Any, Any]:
        cl = opencl()
        reading, region = cl.map_flags.READ, self._image.region
        mapped, event, _, _ = cl.enqueue_map_image(
            self._queue, self.buffer, reading, _ORIGIN, region, self.host.shape, np.uint8, is_blocking=False
        )
        return mapped, event
