"""R-45: the doctor names what a device's images lack."""

from __future__ import annotations

from cl_magic.doctor.images import image_finding
from cl_magic.launch.image_formats import IMAGE_KINDS
from cl_magic.launch.image_support import MINIMUM, FormatList, ImageSupport
from cl_magic.launch.limits import DeviceInfo

DEVICE = DeviceInfo("0:0", "cpu", "Portable Computing Language", "", ("cpu",), images=True)
USES = tuple(f"{kind.name} {use}" for kind in IMAGE_KINDS.values() for use in ("read_only", "write_only"))


def test_a_device_with_all_formats_is_well() -> None:
    support = ImageSupport((FormatList(USES, tuple(MINIMUM)),), width_2d=8192, height_2d=4096, wrong=("R HALF_FLOAT",))
    finding = image_finding(DEVICE, support)
    assert (finding.severity, finding.subject) == ("ok", "images PoCL cpu")
    for fact in ("11 formats", "8192 × 4096", "R HALF_FLOAT"):
        assert fact in finding.text


def test_a_lacking_format_is_named() -> None:
    support = ImageSupport((FormatList(USES, tuple(MINIMUM - {"RGBA FLOAT"})),))
    finding = image_finding(DEVICE, support)
    assert finding.severity == "warn"
    assert "RGBA FLOAT" in finding.text
    assert finding.remedy


def test_no_images_is_a_note() -> None:
    assert image_finding(DeviceInfo("0:0", "cpu", "PoCL", "", ("cpu",)), ImageSupport()).severity == "note"
