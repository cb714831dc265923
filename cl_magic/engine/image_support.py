"""What images a device takes, asked for once: a context has to be made for the question."""

from __future__ import annotations

from cl_magic.engine.commands import InspectImages
from cl_magic.engine.protocol import Engine
from cl_magic.launch.image_support import ImageSupport
from cl_magic.launch.limits import DeviceInfo

_known: dict[DeviceInfo, ImageSupport] = {}


def image_support(engine: Engine, device: DeviceInfo) -> ImageSupport:
    """Formats and limits of a device's images.

    Parameters
    ----------
    engine : Engine
        One that serves the device.
    device : DeviceInfo

    Examples
    --------
    >>> from cl_magic.device import device, engine_for
    >>> "RGBA UNORM_INT8" in image_support(engine_for(device()), device()).formats("image2d", "read_only")
    True
    """
    known = _known.get(device)
    if known is None:
        known = _known[device] = engine.submit(InspectImages(device.local_id)).result()
    return known
