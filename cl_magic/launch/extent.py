"""Arrays too short for a range, found before the launch where the kernel's text leaves no doubt.

Only a body without branches, loops or macros is judged, and only accesses ``name[i]`` where ``i`` is a
``get_global_id`` that never changes: there every work-item makes every access. All else is left to the simulator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from cl_magic.clc.types import type_of
from cl_magic.errors import ArgumentError
from cl_magic.launch.arguments import BoundArguments
from cl_magic.launch.plan import LaunchPlan
from cl_magic.launch.whole_range import ProgramFacts
from cl_magic.launch.wording import AXES, code_text, count

_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_DOUBT = re.compile(r"\b(if|for|while|do|switch|goto|return|sizeof|asm|__asm__)\b|\?|&&|\|\||#|\{|\\\n")
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_INDEX = re.compile(
    r"\b(?:const\s+)?(?:size_t|u?int|u?long|unsigned(?:\s+int)?)\s+(?:const\s+)?(\w+)\s*=\s*"
    r"(?:\(\s*\w+\s*\)\s*)?get_global_id\s*\(\s*([012])\s*\)\s*;"
)
_CHANGED = r"(?:\+\+|--)\s*{0}\b|(?<![&\w])&\s*{0}\b|\b{0}\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))"


@dataclass(frozen=True, slots=True)
class Access:
    """``name[index]`` in line `line` of the source, made by every work-item; `index` is the id of `dimension`."""

    name: str
    index: str
    dimension: int
    line: int


def check_extent(bound: BoundArguments, plan: LaunchPlan, program: ProgramFacts) -> None:
    """Refuse an array that the range certainly reaches past.

    Raises
    ------
    ArgumentError
        ``elements`` and ``needed`` are attributes.

    Examples
    --------
    >>> from cl_magic.clc.signature import KernelSignature
    >>> plan = LaunchPlan((8,), (0,), (8,), "", "uniform", (), (1,))
    >>> check_extent(BoundArguments(KernelSignature("f")), plan, ProgramFacts(source="kernel void f() {}"))
    """
    if not program.source or not bound.arrays:
        return
    arrays = {array.name: array for array in bound.arrays}
    for access in certain_accesses(program, bound.signature.name, tuple(arrays)):
        array = arrays[access.name]
        ctype = type_of(array.type_name.removesuffix("*").strip())
        if ctype is None or access.dimension >= len(plan.global_size):
            continue
        elements = array.nbytes // ctype.size_bytes
        needed = plan.global_offset[access.dimension] + plan.global_size[access.dimension]
        if elements < needed:
            fitting = list(plan.global_size)
            fitting[access.dimension] = max(0, elements - plan.global_offset[access.dimension])
            reach = f"{access.index} runs to {count(needed - 1)} in {AXES[access.dimension]}"
            message = (
                f"{bound.signature.name}: argument {array.name} has {count(elements)} elements, but every work-item "
                f"uses {array.name}[{access.index}] (line {access.line}), and {reach}"
            )
            smaller = f"global_size={code_text(fitting)}, " if all(fitting) else ""
            remedy = f"{smaller}a longer array, or a guard: if ({access.index} < n)"
            facts = {"kernel": bound.signature.name, "parameter": array.name, "elements": elements, "needed": needed}
            raise ArgumentError(message, remedy=remedy, **facts)


@lru_cache(maxsize=256)
def certain_accesses(program: ProgramFacts, kernel: str, names: tuple[str, ...]) -> tuple[Access, ...]:
    """Accesses by a work-item's own id that every work-item makes; none where there is any doubt.

    Parameters
    ----------
    program : ProgramFacts
        Its source, and the ``-D`` options: a macro may be anything.
    kernel : str
    names : tuple of str
        Pointer parameters.

    Examples
    --------
    >>> text = "kernel void f(global int *o) { int i = get_global_id(0); o[i] = i; }"
    >>> certain_accesses(ProgramFacts(source=text), "f", ("o",))
    (Access(name='o', index='i', dimension=0, line=1),)
    """
    text = _COMMENTS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), program.source)
    start, end = _body(text, kernel)
    body = text[start:end]
    if not body or _DOUBT.search(body) or re.search(r"#[ \t]*include", text):
        return ()
    macros = set(_DEFINED.findall(text)) | set(_option_macros(program.options))
    if macros & set(_WORD.findall(body)):
        return ()
    found: list[Access] = []
    for name in names:
        if re.search(_CHANGED.format(re.escape(name)), body):
            continue
        for index, dimension, pattern in _indices(body):
            matches = re.finditer(rf"(?<![.>\w])\b{re.escape(name)}\s*\[\s*{pattern}\s*\]", body)
            places = (start + match.start() for match in matches)
            found += [Access(name, index, dimension, text.count("\n", 0, at) + 1) for at in places]
    return tuple(found)


def _indices(body: str) -> Iterator[tuple[str, int, str]]:
    """Ways of writing a global id in this body: as shown, its dimension, and a pattern."""
    for dimension in range(3):
        yield f"get_global_id({dimension})", dimension, rf"get_global_id\s*\(\s*{dimension}\s*\)"
    for match in _INDEX.finditer(body):
        rest = body[: match.start()] + body[match.end() :]
        if not re.search(_CHANGED.format(re.escape(match[1])), rest):
            yield match[1], int(match[2]), rf"{re.escape(match[1])}\b"


def _body(text: str, kernel: str) -> tuple[int, int]:
    """Where the kernel's outermost braces begin and end; (0, 0) where it is not found just once."""
    heads = list(re.finditer(rf"\b{re.escape(kernel)}\s*\([^(){{}};]*\)\s*\{{", text))
    if len(heads) != 1:
        return 0, 0
    end = text.find("}", heads[0].end())
    return (heads[0].end(), end) if end > 0 else (0, 0)


def _option_macros(options: tuple[str, ...]) -> Iterator[str]:
    for option in options:
        if option.startswith("-D") and (match := _WORD.match(option[2:].strip())):
            yield match[0]
