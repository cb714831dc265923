"""The command that takes the code out of a program, in both engines."""

from __future__ import annotations

import pytest
from support.engine_commands import SAXPY, built

from cl_magic.engine.commands import Extract
from cl_magic.engine.protocol import Engine
from cl_magic.errors import EngineError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.reflect.containers import form_of


def test_the_binary_the_text_and_the_options_come_out(engine: Engine, device: DeviceInfo) -> None:
    found = built(engine, SAXPY, device).submit(Extract(SAXPY.digest, device.local_id)).result()
    forms = {"pocl": "poclbin", "oclgrind": "bitcode", "intel": "elf", "nvidia": "ptx"}
    assert form_of(found.binary) == forms[device.family]
    assert found.text.endswith(SAXPY.source)
    assert found.prelude_lines == found.text.removesuffix(SAXPY.source).count("\n")
    assert found.il == b""


def test_a_program_that_was_not_built_has_no_code(engine: Engine, device: DeviceInfo) -> None:
    with pytest.raises(EngineError):
        engine.submit(Extract("0" * 64, device.local_id)).result()
