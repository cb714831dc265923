"""What a driver's program binary holds: files of a PoCL container, or what kind of code the bytes themselves are."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
ELF = b"\x7fELF"
POCL = b"poclbin\0"
_LENGTH = struct.Struct("<I")
_LONGEST_PATH = 1024
_PATH = re.compile(rb"(?:/[\w.+-]+)+")
_PTX = re.compile(rb"^\s*\.version\s+\d", re.MULTILINE)
_PTX_HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file inside a container: its path there, and its bytes."""

    path: str
    data: bytes


def form_of(binary: bytes) -> str:
    r"""What a binary is: "poclbin", "bitcode", "elf", "ptx", or "" for what is not known here.

    Examples
    --------
    >>> form_of(b"BC\xc0\xde5\x14"), form_of(b"//\n.version 8.5\n.target sm_90\n"), form_of(b"??")
    ('bitcode', 'ptx', '')
    """
    if binary.startswith(POCL):
        return "poclbin"
    if binary.startswith(BITCODE):
        return "bitcode"
    if binary.startswith(ELF):
        return "elf"
    return "ptx" if _PTX.search(binary[:_PTX_HEAD_BYTES]) else ""


def kinds_in(binary: bytes, il: bytes = b"") -> tuple[str, ...]:
    r"""Kinds of listing that can be made of a program's binary and intermediate language.

    Examples
    --------
    >>> kinds_in(b"BC\xc0\xde"), kinds_in(b"")
    (('source', 'llvm', 'binary'), ('source',))
    """
    inside = {"poclbin": ("llvm", "asm"), "bitcode": ("llvm",), "elf": ("llvm", "asm"), "ptx": ("ptx",)}
    found = inside.get(form_of(binary), ())
    return ("source", *found, *(("spirv",) if il else ()), *(("binary",) if binary else ()))


def pocl_files(binary: bytes) -> tuple[PackedFile, ...]:
    """Files of a PoCL container, in order.

    Around each there are facts of the program that no listing needs: entries are found by their form (length of the
    path, path, size, bytes), which all versions of the container share.

    Examples
    --------
    >>> pocl_files(POCL + b"....." + bytes([2, 0, 0, 0]) + b"/a" + bytes([3, 0, 0, 0]) + b"xyz")
    (PackedFile(path='/a', data=b'xyz'),)
    """
    return tuple(_files(binary))


def _files(binary: bytes) -> Iterator[PackedFile]:
    at = len(POCL)
    while (at := binary.find(b"/", at)) >= 0:
        found = _file_at(binary, at)
        if found is None:
            at += 1
            continue
        yield found
        at += len(found.path) + _LENGTH.size + len(found.data)


def _file_at(binary: bytes, at: int) -> PackedFile | None:
    if at < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack_from(binary, at - _LENGTH.size)
    end = at + length
    if not 1 < length <= _LONGEST_PATH or end + _LENGTH.size > len(binary):
        return None
    path = binary[at:end]
    (size,) = _LENGTH.unpack_from(binary, end)
    begin = end + _LENGTH.size
    if not _PATH.fullmatch(path) or begin + size > len(binary):
        return None
    return PackedFile(path.decode("ascii", "replace"), binary[begin : begin + size])


def pocl_bitcode(files: tuple[PackedFile, ...]) -> bytes:
    """The program's bitcode among the files of a container; empty where there is none."""
    return next((file.data for file in files if file.path == "/program.bc"), b"")


def pocl_code(files: tuple[PackedFile, ...], kernel: str, local_size: str = "") -> PackedFile | None:
    """The machine code of a kernel: for a local size where it was compiled for that, else for any.

    Parameters
    ----------
    files : tuple of PackedFile
    kernel : str
    local_size : str
        ``16-1-1``, "" for the code of any size.

    Examples
    --------
    >>> made = (PackedFile("/f/16-1-1-goffs0-smallgrid/f.so", b"1"), PackedFile("/f/0-0-0/f.so", b"2"))
    >>> pocl_code(made, "f").data, pocl_code(made, "f", "16-1-1").data
    (b'2', b'1')
    """
    mine = [file for file in files if file.path.startswith(f"/{kernel}/") and file.path.endswith(".so")]
    wanted = (local_size, "0-0-0") if local_size else ("0-0-0", "")
    for size in wanted:
        for file in mine:
            if file.path.split("/")[2].startswith(size):
                return file
    return mine[0] if mine else None


def pocl_sizes(files: tuple[PackedFile, ...], kernel: str) -> tuple[str, ...]:
    """Local sizes that PoCL has compiled a kernel for, as ``16 × 1 × 1``.

    Examples
    --------
    >>> pocl_sizes((PackedFile("/f/16-1-1-goffs0-smallgrid/f.so", b""), PackedFile("/f/0-0-0/f.so", b"")), "f")
    ('16 × 1 × 1',)
    """
    folders = [file.path.split("/")[2] for file in files if re.fullmatch(rf"/{re.escape(kernel)}/[^/]+/.*", file.path)]
    sizes = [" × ".join(folder.split("-")[:3]) for folder in folders if not folder.startswith("0-0-0")]
    return tuple(dict.fromkeys(sizes))
