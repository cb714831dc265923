"""The table of devices above a picker: one line that unfolds, the choice left to the picker."""

from __future__ import annotations

from cl_magic.display.devices import DevicesView, devices_html, devices_text
from cl_magic.launch.limits import DeviceInfo, DriverReport

DEVICE = DeviceInfo("0:0", "pthread", "Portable Computing Language", "OpenCL 3.0", ("cpu",))
REPORTS = (DriverReport("pocl.icd", (DEVICE,)), DriverReport("a<b.icd", trouble="aborted at load", remedy="remove it"))


def test_folded_it_is_one_line_that_holds_the_whole_table() -> None:
    folded, open_ = (devices_html(DevicesView(REPORTS, "0:0", folded=folded)) for folded in (True, False))
    assert '<details class="line"><summary class="head">' in folded
    assert "<details" not in open_
    assert "chosen: PoCL cpu" in open_
    assert "chosen: PoCL cpu" not in folded
    for html in (folded, open_):
        assert "<table" in html
        assert "aborted at load" in html
        assert "a<b" not in html


def test_the_text_is_the_same_in_both() -> None:
    assert devices_text(DevicesView(REPORTS, "0:0", folded=True)) == devices_text(DevicesView(REPORTS, "0:0"))
