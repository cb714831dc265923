"""What the doctor says of a device's images: whether it has the formats that OpenCL asks of every device."""

from __future__ import annotations

from cl_magic.doctor.finding import Finding
from cl_magic.launch.image_formats import IMAGE_KINDS
from cl_magic.launch.image_support import ImageSupport
from cl_magic.launch.limits import DeviceInfo


def image_finding(device: DeviceInfo, support: ImageSupport) -> Finding:
    """One line on the images of a device.

    Parameters
    ----------
    device : DeviceInfo
    support : ImageSupport
        What the device answered.

    Examples
    --------
    >>> image_finding(DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",)), ImageSupport()).text
    'none: kernels with images or samplers cannot run here'
    """
    subject = f"images {device.short_name}"
    if not device.images:
        return Finding("note", subject, "none: kernels with images or samplers cannot run here")
    kinds = dict.fromkeys(kind.name for kind in IMAGE_KINDS.values())
    lacking = {
        name: kind for kind in kinds for use in ("read_only", "write_only") for name in support.missing(kind, use)
    }
    if lacking:
        listed = ", ".join(sorted(lacking))
        text = f"the device lacks {listed} for an {next(iter(lacking.values()))}, which OpenCL asks of every device"
        return Finding("warn", subject, text, "other formats, or buffers instead of images")
    count = len(support.formats("image2d", "read_only"))
    text = f"{count} formats for a 2-D image, at most {support.width_2d} × {support.height_2d} pixels"
    wrong = f"; not used, as the driver gets them wrong: {', '.join(support.wrong)}" if support.wrong else ""
    return Finding("ok", subject, text + wrong)
