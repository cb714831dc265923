"""LLVM's textual IR: its functions line by line, source lines from ``!DILocation``, and what each function takes.

The text is what llvmlite prints for a module of bitcode. Its grammar (LLVM Language Reference) is kept line by line:
an instruction stands on one line, ``define`` opens a function and a lone ``}`` closes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cl_magic.reflect.listing import CodeLine, FunctionCode, Resources, header_name

_DEFINE = re.compile(r'^define .*?@(?P<name>[\w.$-]+|"[^"]*")\(', re.ASCII)
_DEBUG = re.compile(r", !dbg !(\d+)")
_ATTACHED = re.compile(r" ![A-Za-z_.]\w* !\d+")
_METADATA = re.compile(r"^!(?P<id>\d+) = (?:distinct )?!(?P<kind>\w+)\((?P<fields>.*)\)", re.MULTILINE)
_FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|[^,]+)')
_INSTRUCTION = re.compile(r"^  (?:%[\w.$\-\"]+ = )?(?P<opcode>(?:tail |musttail |notail )?[a-z]\w*)")
_VECTOR = re.compile(r"<(?:vscale x )?(\d+) x (\w+)>")
_ALLOCA = re.compile(
    r"= alloca (?P<type>.+?)(?:, (?:i32|i64) (?P<count>\d+))?(?:, align \d+)?(?:, addrspace\(\d+\))?(?:,|$)"
)
_LOCAL = re.compile(
    r"^@(?P<name>[\w.$]+) = internal (?:\w+ )*?(?P<space>addrspace\(3\) )?global "
    r"(?P<type>.+?)(?:, (?:align|section|!dbg)|$)",
    re.MULTILINE,
)
_CALLED = re.compile(r"\bcall\b.*?@(?P<name>[\w.$]+|\"[^\"]*\")\(")
_STRUCT = re.compile(r"^(?P<name>%[\w.$\-\"]+) = type (?P<body><?\{.*\}>?)$", re.MULTILINE)
_SCALAR_BYTES = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "ptr": 8}
_IMPLEMENTATION = "__clang_ocl_kern_imp_"
_CHATTER = ("llvm.dbg.", "llvm.lifetime.", "llvm.assume")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line of IR comes from: compiler's line, and name of a header ("": the program's own text)."""

    line: int
    file: str = ""


def places(text: str) -> dict[str, Place]:
    r"""Places by metadata number, of a module's text.

    Examples
    --------
    >>> made = '!1 = !DIFile(filename: "a.h", directory: "/")\n'
    >>> made += '!2 = distinct !DISubprogram(name: "f", file: !1)\n!3 = !DILocation(line: 7, column: 2, scope: !2)'
    >>> places(made)["3"]
    Place(line=7, file='a.h')
    """
    nodes = {match["id"]: (match["kind"], _fields(match["fields"])) for match in _METADATA.finditer(text)}
    names = {f"!{number}": fields.get("filename", "") for number, (kind, fields) in nodes.items() if kind == "DIFile"}
    return {
        number: Place(
            int(fields.get("line", "0")), header_name(names.get(_file_of(fields.get("scope", ""), nodes), ""))
        )
        for number, (kind, fields) in nodes.items()
        if kind == "DILocation"
    }


def _fields(text: str) -> dict[str, str]:
    return {name: value.strip().strip('"') for name, value in _FIELD.findall(text)}


def _file_of(scope: str, nodes: Mapping[str, tuple[str, dict[str, str]]]) -> str:
    """The file of a scope: its own, or that of the scope it is in."""
    for _ in range(len(nodes)):
        kind, fields = nodes.get(scope.lstrip("!"), ("", {}))
        if not kind or "file" in fields:
            return fields.get("file", "")
        scope = fields.get("scope", "")
    return ""


def functions(text: str, kernels: Iterable[str]) -> tuple[FunctionCode, ...]:
    r"""The functions that a module defines, kernels first; lines are the compiler's.

    Parameters
    ----------
    text : str
        A module, as LLVM prints it.
    kernels : iterable of str
        Names of the kernels, in the order of the source.

    Examples
    --------
    >>> module = "define void @f(ptr %x) {\nentry:\n  %t = alloca [4 x float], align 4\n  ret void\n}\n"
    >>> made = functions(module, ["f"])[0]
    >>> made.name, made.resources.instructions, made.resources.private_bytes
    ('f', 2, 16)
    """
    names = list(kernels)
    known = places(text)
    structs = {match["name"]: match["body"] for match in _STRUCT.finditer(text)}
    arrays = _local_arrays(text, structs, names)
    made = _implementations([_function(block, names, known, structs, arrays) for block in _blocks(text)])
    order = {name: place for place, name in enumerate(names)}
    return tuple(sorted(made, key=lambda one: order.get(one.name, len(order)) if one.kernel else len(order) + 1))


def _implementations(made: list[FunctionCode]) -> list[FunctionCode]:
    """Without the kernels that only call their own implementation, as clang 21 and later write them."""
    behind = {one.name for one in made if one.symbol.startswith(_IMPLEMENTATION)}
    return [one for one in made if one.name not in behind or one.symbol != one.name]


def _blocks(text: str) -> list[list[str]]:
    found: list[list[str]] = []
    inside = False
    for line in text.split("\n"):
        if line.startswith("define "):
            found.append([])
            inside = True
        if inside:
            found[-1].append(line)
        inside = inside and line != "}"
    return found


def _function(
    block: list[str],
    kernels: list[str],
    known: Mapping[str, Place],
    structs: Mapping[str, str],
    arrays: Mapping[str, int],
) -> FunctionCode:
    match = _DEFINE.match(block[0])
    symbol = match["name"].strip('"') if match else ""
    lines = tuple(_line(line, known, is_body=line is not block[0]) for line in block)
    name = symbol.removeprefix(_IMPLEMENTATION)
    return FunctionCode(name, symbol, name in kernels, lines, _resources(block[1:-1], structs, arrays))


def _line(text: str, known: Mapping[str, Place], *, is_body: bool) -> CodeLine:
    match = _DEBUG.search(text) if is_body else None
    place = known.get(match[1]) if match else None
    shown = _ATTACHED.sub("", _DEBUG.sub("", text)) if is_body else _ATTACHED.sub("", text)
    shown = re.sub(r",+(?=$|,)", "", shown).rstrip()
    if place is None:
        return CodeLine(shown)
    return CodeLine(shown, place.line, place.file)


def _resources(body: list[str], structs: Mapping[str, str], arrays: Mapping[str, int]) -> Resources:
    instructions = [line for line in body if _INSTRUCTION.match(line) and not any(word in line for word in _CHATTER)]
    private = 0
    calls: dict[str, None] = {}
    bits = 0
    for line in instructions:
        if match := _ALLOCA.search(line):
            private += type_bytes(match["type"], structs) * int(match["count"] or 1)
        if match := _CALLED.search(line):
            calls[match["name"].strip('"')] = None
        bits = max([bits, *(int(n) * 8 * _scalar_bytes(of) for n, of in _VECTOR.findall(line))])
    joined = "\n".join(body)
    local = sum(size for name, size in arrays.items() if re.search(rf"@{re.escape(name)}\b", joined))
    return Resources(len(instructions), bits, private, local_bytes=local, calls=tuple(calls))


def _local_arrays(text: str, structs: Mapping[str, str], kernels: list[str]) -> dict[str, int]:
    """Bytes of the arrays in local memory, by name: address space 3 of SPIR, or clang's name ``KERNEL.VARIABLE``.

    PoCL's IR for a processor has one address space only.
    """
    return {
        match["name"]: type_bytes(match["type"], structs)
        for match in _LOCAL.finditer(text)
        if match["space"] or match["name"].partition(".")[0] in kernels
    }


def type_bytes(type_text: str, structs: Mapping[str, str] | None = None) -> int:
    """Bytes of a type as IR writes it, at the beginning of a text; 0 where it is none known here.

    Examples
    --------
    >>> type_bytes("[4 x [2 x float]] zeroinitializer"), type_bytes("<3 x i32>"), type_bytes("{ i8, double }")
    (32, 16, 16)
    """
    return _TypeReader(type_text, structs or {}).read()[0]


def _scalar_bytes(name: str) -> int:
    if name.startswith("i") and name[1:].isdigit():
        return 1 << ((int(name[1:]) + 7) // 8 - 1).bit_length()
    return _SCALAR_BYTES.get(name, 0)


class _TypeReader:
    """Reads a type from the left: (bytes, alignment)."""

    def __init__(self, text: str, structs: Mapping[str, str]) -> None:
        self._text, self._structs = text, structs

    def read(self) -> tuple[int, int]:
        self._text = self._text.lstrip()
        if match := re.match(r"([\[<])(\d+) x ", self._text):
            return self._sequence(match)
        if match := re.match(r"<?\{", self._text):
            return self._members(packed=match[0] == "<{", begin=match.end())
        if match := re.match(r'%(?:[\w.$-]+|"[^"]*")', self._text):
            self._text = self._text[match.end() :]
            return _TypeReader(self._structs.get(match[0], ""), self._structs).read()
        match = re.match(r"\w+(?: addrspace\(\d+\))?\**", self._text)
        self._text = self._text[match.end() :] if match else ""
        name = match[0].split(" ")[0] if match else ""
        size = 8 if name.endswith("*") else _scalar_bytes(name)
        return size, max(size, 1)

    def _sequence(self, match: re.Match[str]) -> tuple[int, int]:
        self._text = self._text[match.end() :]
        size, align = self.read()
        self._text = self._text.lstrip()[1:]
        whole = int(match[2]) * size
        if match[1] == "[":
            return whole, align
        whole = 1 << max(whole - 1, 0).bit_length()  # a vector of 3 takes the room of 4 (OpenCL 1.2, 6.1.5)
        return whole, whole

    def _members(self, *, packed: bool, begin: int) -> tuple[int, int]:
        self._text = self._text[begin:]
        offset, widest = 0, 1
        while self._text and not self._text.lstrip().startswith("}"):
            size, align = self.read()
            align = 1 if packed else align
            offset = -(-offset // align) * align + size
            widest = max(widest, align)
            self._text = self._text.lstrip().removeprefix(",")
        self._text = self._text.lstrip()[2 if packed else 1 :]
        return -(-offset // widest) * widest, widest
