"""The process that reads what drivers wrote: bitcode by llvmlite, machine code by capstone and pyelftools.

Run as ``python -P -m cl_magic.reflect.reader_main``: one request and its bytes on the standard input, one answer on the
standard output. LLVM aborts its process on modules that it takes for broken, so it never runs anywhere else.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from typing import TYPE_CHECKING

import msgspec

from cl_magic.reflect.containers import (
    PackedFile,
    form_of,
    pocl_bitcode,
    pocl_code,
    pocl_files,
    pocl_sizes,
)
from cl_magic.reflect.listing import FunctionCode
from cl_magic.reflect.llvm_text import functions as llvm_functions
from cl_magic.reflect.reading import ReadAnswer, ReadRequest

if TYPE_CHECKING:
    from cl_magic.reflect.machine_code import MachineCode

_WIDE = re.compile(r"_ZGV[a-z]N(?P<width>\d+)[a-z0-9]*_(?P<name>\w+)")
"""Symbol of a function for several work-items at once (Itanium ABI for vector functions), unmasked."""
_MEMORY_BYTES = 8 * 1024**3
_CALLS_ONLY_BYTES = 64
"""PoCL's `_workgroup_fast` of a -g build only calls the kernel's own function; such wrappers take up to 35 bytes."""


def main() -> None:
    """Answer the one request."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing that a library prints may get into the answer
    _limit_memory()
    head, _, binary = sys.stdin.buffer.read().partition(b"\n")
    answers.write(msgspec.json.encode(_answer(msgspec.json.decode(head, type=ReadRequest), binary)))
    answers.close()


def _limit_memory() -> None:
    # Windows has no resource module; there the time-out alone protects.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(request: ReadRequest, binary: bytes) -> ReadAnswer:
    try:
        return _ir(request, binary) if request.kind == "llvm" else _assembly(request, binary)
    except ImportError as error:
        return ReadAnswer(missing=(error.name or str(error)).partition(".")[0])
    except Exception as error:  # noqa: BLE001 - whatever a driver wrote: the answer says what failed
        words = " ".join(str(error).split())
        return ReadAnswer(failure=f"{type(error).__name__}: {words}" if words else type(error).__name__)


def _ir(request: ReadRequest, binary: bytes) -> ReadAnswer:
    from llvmlite import binding  # noqa: PLC0415 - an optional package, loaded in this process alone

    form = form_of(binary)
    bitcode = pocl_bitcode(pocl_files(binary)) if form == "poclbin" else binary
    if form == "elf":
        bitcode = _section(binary, ".ocl.ir")
    if not bitcode:
        return ReadAnswer(failure="there is no bitcode in the binary")
    text = str(binding.parse_bitcode(bitcode))
    return ReadAnswer(llvm_functions(text, request.kernels), text)


def _section(binary: bytes, name: str) -> bytes:
    from elftools.elf.elffile import ELFFile  # noqa: PLC0415 - as above

    section = ELFFile(io.BytesIO(binary)).get_section_by_name(name)
    return bytes(section.data()) if section is not None else b""


def _assembly(request: ReadRequest, binary: bytes) -> ReadAnswer:
    if form_of(binary) == "poclbin":
        return _pocl_assembly(request, pocl_files(binary))
    return _object_assembly(request, _section(binary, ".ocl.obj") or binary)


def _pocl_assembly(request: ReadRequest, files: tuple[PackedFile, ...]) -> ReadAnswer:
    from cl_magic.reflect.machine_code import MachineCode  # noqa: PLC0415 - as above

    made: list[FunctionCode] = []
    notes: list[str] = []
    for kernel in request.kernels:
        file = pocl_code(files, kernel, request.local_size)
        if file is None:
            notes.append(f"{kernel}: the driver's container has no machine code of it")
            continue
        code = MachineCode(file.data)
        symbol = _pocl_symbol(code, kernel)
        made.append(code.listing(symbol, kernel, kernel=True))
        notes += _which_size(file, files, kernel)
    return ReadAnswer(tuple(made), notes=tuple(dict.fromkeys(notes)))


def _pocl_symbol(code: MachineCode, kernel: str) -> str:
    """What runs, the work-group function; the kernel's own one where that only calls it, or debug lines are there."""
    own = f"_pocl_kernel_{kernel}"
    runs = f"{own}_workgroup_fast"
    if own in code.symbols and (
        runs not in code.symbols or code.size(runs) <= _CALLS_ONLY_BYTES or code.has_lines(own)
    ):
        return own
    return runs


def _which_size(file: PackedFile, files: tuple[PackedFile, ...], kernel: str) -> list[str]:
    folder = file.path.split("/")[2]
    if not folder.startswith("0-0-0"):
        return [f"{kernel}: the code that PoCL compiled for groups of {' × '.join(folder.split('-')[:3])}"]
    sizes = pocl_sizes(files, kernel)
    notes = ["PoCL's code for any local size; it compiles a kernel once more for each size that it runs"]
    return notes + ([f"{kernel}: there is code for groups of {', '.join(sizes)} too: local_size="] if sizes else [])


def _object_assembly(request: ReadRequest, data: bytes) -> ReadAnswer:
    from cl_magic.reflect.machine_code import MachineCode  # noqa: PLC0415 - as above

    code = MachineCode(data)
    made: list[FunctionCode] = []
    notes: list[str] = []
    for name in (kernel for kernel in request.kernels if kernel in code.symbols):
        wide = next((one for one in code.symbols if (match := _WIDE.fullmatch(one)) and match["name"] == name), "")
        made.append(code.listing(wide or name, name, kernel=True))
        if wide:
            width = _WIDE.sub(r"\g<width>", wide)
            notes.append(f"{name}: the code for {width} work-items at once; {name}, one at a time, takes the rest")
    shown = {one.symbol for one in made}
    others = [code.listing(name, name, kernel=False) for name in code.symbols if name not in shown]
    notes += [f"{name}: the object has no function of it" for name in request.kernels if name not in code.symbols]
    return ReadAnswer((*made, *others), notes=tuple(notes))


if __name__ == "__main__":
    main()
