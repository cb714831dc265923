"""``%opencl eval`` and ``%%opencl --eval`` in a shell: values with types, numbers of the notebook, errors on lines."""

from __future__ import annotations

import numpy as np
from support.shell import fresh_lab

from cl_magic.errors import BuildError, MagicLineError


def test_a_value_with_its_type() -> None:
    with fresh_lab() as lab:
        lab.shell.user_ns["n"] = np.int16(3)
        assert lab.run("%opencl eval (int4)(1, 2, 3, 4) > 2").text == "int4 {0, 0, -1, -1}"
        assert lab.run("%opencl eval n").text.splitlines()[0] == "short 3"
        assert lab.run("%opencl eval 'a' + 1").text == "int 98"
        assert lab.run("%opencl eval --bits 1.0f").text.split() == ["float", "1.0", "0x3f800000"]


def test_a_cell_is_a_table_and_devices_stand_side_by_side() -> None:
    with fresh_lab() as lab:
        outcome = lab.run("%%opencl --eval --device=all -DK=2\nint a = 5\na * K\nsizeof(long)")
        assert outcome.error is None
        assert "all devices agree" in outcome.displays[0]["text/html"]
        assert "10" in outcome.text


def test_an_error_is_on_the_cells_line() -> None:
    with fresh_lab() as lab:
        outcome = lab.run("%%opencl --eval\nint a = 5\n  a % 2.0f")
        assert isinstance(outcome.error, BuildError)
        assert (outcome.diagnostics[0]["line"], outcome.diagnostics[0]["column"]) == (3, 5)


def test_what_does_not_fit_the_line() -> None:
    with fresh_lab() as lab:
        assert isinstance(lab.run("%opencl eval").error, MagicLineError)
        assert isinstance(lab.run("%%opencl --eval --global=4\n3").error, MagicLineError)


def test_a_type_alone_tells_its_facts() -> None:
    with fresh_lab() as lab:
        for name, words in (("float4", "16  float32 (4,)"), ("int4", "16  int32 (4,)"), ("long", "8  int64")):
            text = lab.run(f"%opencl eval {name}").text
            assert text.startswith(f"{name} · a type of OpenCL C")
            assert words in text


def test_a_misspelt_flag_is_no_expression() -> None:
    with fresh_lab() as lab:
        error = lab.run("%opencl eval --bitz 1").error
        assert isinstance(error, MagicLineError)
        assert error.remedy == "did you mean --bits?"
        lab.shell.user_ns["n"] = 3
        assert lab.run("%opencl eval -n").text.startswith("int -3")
