"""A null pointer is called one: no array is near its address."""

from __future__ import annotations

import pytest

from cl_magic.record.fault import FaultReport


@pytest.mark.parametrize(("address", "null"), [(0, True), (0x40, True), (0xFFFF, True), (0x10000, False)])
def test_a_null_pointer_is_called_one(address: int, *, null: bool) -> None:
    fault = FaultReport(address, "write", "no array", "x", "x", 64, 1 << 40, "before")
    assert fault.through_null is null
    assert ("null pointer" in fault.words) is null
    assert ("x (64 bytes)" in fault.words) is not null
