"""PTX, the text that NVIDIA's driver gives as a program's binary: entries, source lines from ``.loc``, resources.

Directives as in NVIDIA's "PTX ISA": ``.entry`` and ``.func`` open a function, ``.loc FILE LINE COLUMN`` holds until the
next one, ``.file NUMBER "NAME"`` names a file, ``.local`` and ``.shared`` declare memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cl_magic.reflect.listing import CodeLine, FunctionCode, Resources, header_name

_OPEN = re.compile(r"^(?:\.visible |\.weak |\.extern )*\.(?P<what>entry|func)\b(?P<rest>.*)")
_NAME = re.compile(r"(?:\([^)]*\)\s*)?(?P<name>[\w$]+)")
_LOC = re.compile(r"^\s*\.loc\s+(?P<file>\d+)\s+(?P<line>\d+)")
_FILE = re.compile(r'^\s*\.file\s+(?P<number>\d+)\s+"(?P<name>[^"]*)"', re.MULTILINE)
_ARRAY = re.compile(r"\.(?P<space>local|shared)\s.*?\.(?P<type>[a-z]+\d+)\s+(?P<name>[\w$]+)(?:\[(?P<count>\d+)\])?;")
_INSTRUCTION = re.compile(r"^\s+(?:@!?%\w+\s+)?(?P<opcode>[a-z][\w]*)(?:[.\s;]|$)")
_VECTOR = re.compile(r"\.v(?P<count>[248])\.[a-z]+(?P<bits>\d+)")
_CALL = re.compile(r"^\s+call[\w.]*")
_CALLED_AT_ONCE = re.compile(r"^\s+call[\w.]*\s+(?:\([^)]*\),\s*)?(?P<name>[A-Za-z_$][\w$]*)")
_CALLED = re.compile(r"^\s+(?P<name>[A-Za-z_$][\w$]*),?\s*$")


def functions(text: str, kernels: Iterable[str]) -> tuple[FunctionCode, ...]:
    r"""The functions of a PTX file, kernels first; lines are the compiler's.

    Parameters
    ----------
    text : str
    kernels : iterable of str
        Names of the kernels, in the order of the source.

    Examples
    --------
    >>> code = ".entry f(\n\t.param .u64 f_param_0\n)\n{\n\t.loc\t1 3 5\n\tret;\n}\n"
    >>> made = functions(code, ["f"])[0]
    >>> made.kernel, made.resources.instructions, [line.line for line in made.lines if "ret" in line.text]
    (True, 1, [3])
    """
    names = list(kernels)
    files = {match["number"]: header_name(match["name"]) for match in _FILE.finditer(text)}
    arrays = {m["name"]: _bytes(m) for m in _ARRAY.finditer(text) if m["space"] == "shared"}
    made = [_function(block, names, files, arrays) for block in _blocks(text)]
    order = {name: place for place, name in enumerate(names)}
    return tuple(sorted(made, key=lambda one: order.get(one.name, len(order)) if one.kernel else len(order) + 1))


def _blocks(text: str) -> list[list[str]]:
    """Lines of each function that has a body."""
    found: list[list[str]] = []
    block: list[str] = []
    for line in text.split("\n"):
        if _OPEN.match(line):
            block = []
        elif not block:
            continue
        block.append(line)
        if line.rstrip() == "}":
            found.append(block)
            block = []
        elif line.rstrip().endswith(";") and "{" not in "".join(block):
            block = []  # a declaration
    return found


def _function(block: list[str], kernels: list[str], files: dict[str, str], arrays: dict[str, int]) -> FunctionCode:
    match = _OPEN.match(block[0])
    rest = (match["rest"] if match else "") + " " + " ".join(block[1:3])
    name_match = _NAME.search(rest.strip())
    name = name_match["name"] if name_match else ""
    lines, place = [], (0, "")
    for text in block:
        if loc := _LOC.match(text):
            place = (int(loc["line"]), files.get(loc["file"], ""))
        elif text.strip():
            known = place if _INSTRUCTION.match(text) else (0, "")
            lines.append(CodeLine(text.rstrip().expandtabs(4), *known))
    kernel = bool(match and match["what"] == "entry" and name in kernels)
    return FunctionCode(name, name, kernel, tuple(lines), _resources(block, arrays))


def _resources(block: list[str], arrays: dict[str, int]) -> Resources:
    body = block[block.index("{") + 1 : -1] if "{" in block else block
    joined = "\n".join(body)
    declared = [match for line in body if (match := _ARRAY.search(line))]
    private = sum(_bytes(match) for match in declared if match["space"] == "local")
    local = sum(size for name, size in arrays.items() if re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", joined))
    widths = [int(m["count"]) * int(m["bits"]) for line in body for m in _VECTOR.finditer(line)]
    number = sum(bool(_INSTRUCTION.match(line)) for line in body if line.strip() not in ("{", "}"))
    return Resources(number - _call_rests(body), max(widths, default=0), private, local_bytes=local, calls=_calls(body))


def _bytes(match: re.Match[str]) -> int:
    return int(re.sub(r"\D", "", match["type"])) // 8 * int(match["count"] or 1)


def _calls(body: list[str]) -> tuple[str, ...]:
    """Functions called: the first name after ``call.uni (retval),``, on the same line or on one of its own."""
    found: dict[str, None] = {}
    waiting = False
    for line in body:
        begins = _CALL.match(line)
        match = _CALLED.match(line) if waiting else _CALLED_AT_ONCE.match(line)
        if match:
            found[match["name"]] = None
        waiting = (waiting or bool(begins)) and not match and ";" not in line
    return tuple(found)


def _call_rests(body: list[str]) -> int:
    """Lines that continue a call and look like instructions."""
    rests, waiting = 0, False
    for line in body:
        rests += waiting and bool(_INSTRUCTION.match(line))
        waiting = (waiting or bool(_CALL.match(line))) and ";" not in line
    return rests
