"""The reader's process: whatever it is given, the answer is an error with words."""

from __future__ import annotations

from pathlib import Path

import pytest

from cl_magic.errors import ListingUnavailableError, MissingExtraError
from cl_magic.reflect.reader import read
from cl_magic.reflect.reading import ReadRequest

BITCODE = b"BC\xc0\xde"


@pytest.mark.parametrize("kind", ["llvm", "asm"])
@pytest.mark.parametrize(
    "binary", [b"", BITCODE + b"\0" * 64, b"\x7fELF" + b"\xff" * 80], ids=["empty", "bitcode", "object"]
)
def test_bytes_that_are_no_code_are_an_error(kind: str, binary: bytes) -> None:
    with pytest.raises(ListingUnavailableError) as caught:
        read(ReadRequest(kind, ("f",)), binary)
    assert caught.value.kind == kind
    assert caught.value.reason


def test_a_container_without_the_kernel_is_said() -> None:
    answer = read(ReadRequest("asm", ("f",)), b"poclbin\0" + bytes([2, 0, 0, 0]) + b"/a\n")
    assert answer.functions == ()
    assert answer.notes == ("f: the driver's container has no machine code of it",)


@pytest.mark.parametrize(("package", "kind"), [("llvmlite", "llvm"), ("capstone", "asm"), ("elftools", "asm")])
def test_a_package_that_is_not_installed_is_named_with_the_extra(
    package: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"raise ModuleNotFoundError('No module named {package}', name='{package}')"
    (tmp_path / f"{package}.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(MissingExtraError) as caught:
        read(ReadRequest(kind, ("f",)), _smallest_object())
    assert caught.value.package == package
    assert caught.value.remedy == "pip install 'cl_magic[asm]'"


def _smallest_object() -> bytes:
    """An ELF header of a relocatable object for x86-64, without sections."""
    header = bytearray(64)
    header[:20] = b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\x01\0\x3e\0"
    header[20] = 1
    header[52], header[58] = 64, 64
    return bytes(header)


def test_a_reader_that_takes_too_long_is_ended() -> None:
    with pytest.raises(ListingUnavailableError) as caught:
        read(ReadRequest("llvm", ("f",)), BITCODE, timeout_s=0.001)
    assert "took longer" in caught.value.reason
