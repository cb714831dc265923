"""``%opencl types``: the table of OpenCL C's types, without a device (C-01, C-08)."""

from __future__ import annotations

from support.shell import fresh_lab

import cl_magic as clm
from cl_magic.errors import MagicLineError


def test_c_01_c_08_the_verb_shows_the_table() -> None:
    with fresh_lab() as lab:
        text = lab.run("%opencl types").text
        assert "float3" in text
        assert "sampler_t" in text
        assert isinstance(lab.run("%opencl types float").error, MagicLineError)
    assert clm.types["float3"].size_bytes == 16
