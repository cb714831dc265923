"""Machine code of a kernel: disassembled by capstone, with source lines from DWARF by pyelftools.

Runs in the reader's own process only (:mod:`cl_magic.reflect.reader_main`): both libraries read what drivers wrote.
"""

from __future__ import annotations

import bisect
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cl_magic.reflect.listing import CodeLine, FunctionCode, Resources, header_name

_VECTOR_BITS = (("zmm", 512), ("ymm", 256), ("xmm", 128))
_PACKED = re.compile(r"^v?(?:p[a-z]|[a-z0-9]+p[sdh]\b|f?n?m[a-z0-9]+p[sdh]\b)")
_FRAME = re.compile(r"^(?:sub rsp, |add rsp, -)(0x[0-9a-f]+|\d+)$")
_NEON = re.compile(r"\bv\d+\.(?:2d|4s|8h|16b)")
_FILL = frozenset({"nop", "int3"})


@dataclass(frozen=True, slots=True)
class _Function:
    """A function of an object: symbol, section, begin within it, bytes."""

    symbol: str
    section: int
    begin: int
    code: bytes


class MachineCode:
    """The functions of an ELF file.

    Parameters
    ----------
    data : bytes
        A shared or relocatable object.
    """

    def __init__(self, data: bytes) -> None:
        from elftools.elf.elffile import ELFFile  # noqa: PLC0415 - an optional package, loaded in this process alone

        self._elf = ELFFile(io.BytesIO(data))
        self._functions = {one.symbol: one for one in self._found()}
        self._rows = self._line_rows()
        self._moved = self._relocations()
        self._engine = _disassembler(self._elf)

    @property
    def symbols(self) -> tuple[str, ...]:
        """Names of all functions with code."""
        return tuple(self._functions)

    def has_lines(self, symbol: str) -> bool:
        """Whether debug information covers a function."""
        one = self._functions[symbol]
        return any(one.begin <= at < one.begin + len(one.code) and line for at, line, _ in self._rows)

    def size(self, symbol: str) -> int:
        """Bytes of a function."""
        return len(self._functions[symbol].code)

    def listing(self, symbol: str, name: str, *, kernel: bool) -> FunctionCode:
        """A function, disassembled; its lines are the compiler's."""
        one = self._functions[symbol]
        lines, seen = [], list[tuple[str, str]]()
        for instruction in self._engine.disasm(one.code, 0):  # jumps then read as the addresses beside the code
            text = f"{instruction.mnemonic} {instruction.op_str}".rstrip()
            target = self._target(instruction, one)
            line, file = self._place(instruction.address + one.begin)
            shown = f"{text}    # {target}" if target else text
            lines.append(CodeLine(shown, line, file, instruction.address))
            seen.append((text, target))
        return FunctionCode(name, symbol, kernel, tuple(lines), _resources(seen))

    def _found(self) -> Iterable[_Function]:
        table = self._elf.get_section_by_name(".symtab") or self._elf.get_section_by_name(".dynsym")
        relocatable = self._elf["e_type"] == "ET_REL"
        for symbol in table.iter_symbols() if table else ():
            index = symbol["st_shndx"]
            if symbol["st_info"]["type"] != "STT_FUNC" or not isinstance(index, int) or not symbol["st_size"]:
                continue
            section = self._elf.get_section(index)
            begin = symbol["st_value"]
            offset = begin if relocatable else begin - section["sh_addr"]
            yield _Function(symbol.name, index, begin, section.data()[offset : offset + symbol["st_size"]])

    def _line_rows(self) -> list[tuple[int, int, str]]:
        """Rows of the line table, by address: address, line, file ("" for the program's own text)."""
        if not self._elf.has_dwarf_info():
            return []
        dwarf = self._elf.get_dwarf_info(relocate_dwarf_sections=True)
        rows: list[tuple[int, int, str]] = []
        for unit in dwarf.iter_CUs():
            program = dwarf.line_program_for_CU(unit)
            for entry in program.get_entries() if program else ():
                state = entry.state
                if state is not None:
                    line = 0 if state.end_sequence else state.line
                    rows.append((state.address, line, _file_name(program, state.file)))
        return sorted(rows, key=lambda row: row[0])

    def _place(self, address: int) -> tuple[int, str]:
        index = bisect.bisect_right(self._rows, address, key=lambda row: row[0]) - 1
        return self._rows[index][1:] if index >= 0 else (0, "")

    def _relocations(self) -> dict[int, str]:
        """Symbols by the address of the place that will hold theirs."""
        found: dict[int, str] = {}
        symbols = self._elf.get_section_by_name(".symtab")
        for section in self._elf.iter_sections():
            if section.name.startswith(".rela") and "text" in section.name and symbols is not None:
                for one in section.iter_relocations():
                    found[one["r_offset"]] = symbols.get_symbol(one["r_info_sym"]).name
        return found

    def _target(self, instruction: Any, inside: _Function) -> str:  # noqa: ANN401 - capstone's
        """Name of the function that a call or jump goes to, where the object says."""
        begin = inside.begin + instruction.address
        for at in range(begin, begin + instruction.size):
            if self._moved.get(at):
                return self._moved[at]
        if instruction.mnemonic not in {"call", "jmp", "bl", "b"} or not instruction.op_str.startswith("0x"):
            return ""
        goal = int(instruction.op_str, 16) + inside.begin
        return next((one.symbol for one in self._functions.values() if one.begin == goal), "")


def _file_name(program: Any, index: int) -> str:  # noqa: ANN401 - pyelftools'
    files = program["file_entry"]
    place = index if program["version"] >= 5 else index - 1  # noqa: PLR2004 - DWARF 5 counts files from 0
    if not 0 <= place < len(files):
        return ""
    return header_name(files[place].name.decode("utf-8", "replace"))


def _disassembler(elf: Any) -> Any:  # noqa: ANN401 - capstone's
    """Return capstone's engine for the machine of an object; ValueError for one that it is not set up for here."""
    import capstone  # noqa: PLC0415 - as above

    machine = elf["e_machine"]
    arm64 = getattr(capstone, "CS_ARCH_AARCH64", None) or getattr(capstone, "CS_ARCH_ARM64", 1)
    known = {"EM_X86_64": (capstone.CS_ARCH_X86, capstone.CS_MODE_64), "EM_AARCH64": (arm64, 0)}
    if machine not in known:
        msg = f"machine code of {machine} cannot be read here"
        raise ValueError(msg)
    return capstone.Cs(*known[machine])


def _resources(instructions: list[tuple[str, str]]) -> Resources:
    """Count what the text of the instructions says; padding does not count."""
    counted = [(text, target) for text, target in instructions if text.split(" ")[0] not in _FILL]
    bits = max((_vector_bits(text) for text, _ in counted), default=0)
    frame = next((int(match[1], 0) for text, _ in counted if (match := _FRAME.match(text))), 0)
    calls = dict.fromkeys(target for text, target in counted if target and text.startswith(("call", "bl ")))
    return Resources(len(counted), bits, stack_bytes=frame, calls=tuple(calls))


def _vector_bits(text: str) -> int:
    if _NEON.search(text):
        return 128
    width = next((bits for word, bits in _VECTOR_BITS if word in text), 0)
    return width if width and _PACKED.match(text) else 0
