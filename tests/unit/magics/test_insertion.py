"""Python values as C text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cl_magic.errors import MagicLineError
from cl_magic.magics.insertion import c_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        (-7, "-7"),
        (2**63, "9223372036854775808UL"),
        (False, "0"),
        (np.bool_(True), "1"),  # noqa: FBT003 - a value to format
        (np.int16(-3), "-3"),
        (np.uint8(200), "200"),
        (2.0, "2.0"),
        (1e-5, "1e-05"),
        (np.float64(0.1), "0.1"),
        (np.float32(0.1), "0.1f"),
        (np.float32(16777216), "16777216.0f"),
        (np.float16(0.5), "0.5f"),
        (float("nan"), "NAN"),
        (np.float32("-inf"), "-INFINITY"),
        ("float4", "float4"),
        (Path("a/b"), "a/b"),
        ((1, 2.5), "1,2.5"),
        ([], ""),
        (np.array([1, 2.5], np.float32), "1.0f,2.5f"),
        (np.array(3), "3"),
    ],
)
def test_a_value_is_written_as_c_reads_it(value: object, text: str) -> None:
    assert c_text(value) == text


@pytest.mark.parametrize("value", [None, 1j, b"x", np.zeros(5000), {1: 2}, np.complex64(1)])
def test_a_value_without_a_form_in_c_names_its_type(value: object) -> None:
    with pytest.raises(MagicLineError) as caught:
        c_text(value, "name")
    assert caught.value.type_name in {type(value).__name__, "complex"}
