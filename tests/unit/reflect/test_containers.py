"""Containers of drivers: PoCL's files, what bytes are, which kinds they allow (K-67, K-69)."""

from __future__ import annotations

import struct

import pytest

from cl_magic.reflect.containers import (
    POCL,
    PackedFile,
    form_of,
    kinds_in,
    pocl_bitcode,
    pocl_code,
    pocl_files,
    pocl_sizes,
)


def _packed(path: str, data: bytes) -> bytes:
    name = path.encode()
    return struct.pack("<I", len(name)) + name + struct.pack("<I", len(data)) + data


def _container(*files: tuple[str, bytes]) -> bytes:
    between = b"\x08\0\0\0saxpy/x\0\0\0"  # facts of the program, a slash among them
    return POCL + b"\x4c\x07\x16\xf0CE/OMOEH\0" + between.join(_packed(*file) for file in files)


def test_the_files_of_a_container_come_in_order_and_nothing_between_them_does() -> None:
    files = (("/program.bc", b"BC\xc0\xde/f/g" * 9), ("/saxpy/0-0-0/saxpy.so", b"\x7fELF/lib/ld.so"), ("/saxpy/a", b""))
    assert [(one.path, one.data) for one in pocl_files(_container(*files))] == list(files)


@pytest.mark.parametrize("cut", [9, 20, 40, 60])
def test_a_container_that_is_cut_off_gives_what_is_whole(cut: int) -> None:
    whole = _container(("/program.bc", b"x" * 30), ("/f/0-0-0/f.so", b"y" * 10))
    assert all(one.path == "/program.bc" for one in pocl_files(whole[:-cut]))


@pytest.mark.parametrize(
    ("binary", "form", "kinds"),
    [
        (POCL + b"rest", "poclbin", ("source", "llvm", "asm", "binary")),
        (b"BC\xc0\xde", "bitcode", ("source", "llvm", "binary")),
        (b"\x7fELF", "elf", ("source", "llvm", "asm", "binary")),
        (b"//\n// x\n.version 9.0\n", "ptx", ("source", "ptx", "binary")),
        (b"nothing known", "", ("source", "binary")),
        (b"", "", ("source",)),
    ],
)
def test_what_bytes_are_says_which_kinds_there_are(binary: bytes, form: str, kinds: tuple[str, ...]) -> None:
    assert form_of(binary) == form
    assert kinds_in(binary) == kinds


def test_intermediate_language_is_a_kind_where_the_program_has_it() -> None:
    assert "spirv" in kinds_in(b"", b"\x03\x02#\x07")


def test_the_code_of_the_local_size_that_ran_is_found() -> None:
    files = (
        PackedFile("/program.bc", b"bitcode"),
        PackedFile("/f/0-0-0/f.so", b"any"),
        PackedFile("/f/16-1-1-goffs0-smallgrid/f.so", b"sixteen"),
        PackedFile("/fg/0-0-0/fg.so", b"other"),
    )
    found = {size: pocl_code(files, "f", size) for size in ("", "16-1-1", "8-1-1")}
    assert {size: one.data for size, one in found.items() if one} == {"": b"any", "16-1-1": b"sixteen", "8-1-1": b"any"}
    assert pocl_sizes(files, "f") == ("16 × 1 × 1",)
    assert pocl_bitcode(files) == b"bitcode"
    assert pocl_code(files, "absent") is None
