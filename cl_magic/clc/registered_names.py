"""Registered names: expressions that name a kernel, ``axpy<float>`` or ``(void(*)(int, global int*))iota``.

Each is put behind the text as the address of a function, so that clang itself resolves it; its errors are told in
our words.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cl_magic.clc.cpp_definitions import Function
from cl_magic.clc.cpp_parse import FUNCTION_POINTERS, offset_of, probing
from cl_magic.clc.cpp_subset import refusal
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.lexemes import lexemes
from cl_magic.clc.libclang import Libclang
from cl_magic.clc.syntax import Node

_MOST_CHARACTERS = 1000
_PROBE = "clm_registered_name_"
_BASE_NAME = re.compile(r"((?:\w+\s*::\s*)*\w+)\s*(?:<.*)?\)*\s*", re.DOTALL)


@dataclass(frozen=True)
class Resolved:
    """A registered name and the cursor of the function that it means; or the refusal."""

    name: str
    cursor: Any = None
    refusal: Diagnostic | None = None


def malformed(name: str) -> str:
    """What is wrong with the form of a registered name; "" when it can be an expression.

    Examples
    --------
    >>> malformed("axpy<float>"), malformed("axpy<float")
    ('', "the bracket '<' is not closed")
    >>> malformed("f; int x"), malformed("  ")
    ("it holds ';'", 'it is empty')
    """
    if not name.strip():
        return "it is empty"
    if len(name) > _MOST_CHARACTERS:
        return f"it has {len(name)} characters, over the limit of {_MOST_CHARACTERS}"
    found = list(lexemes(name))
    bad = next(
        (w.text for w in found if w.kind in {"comment", "directive"} or w.text in {";", "{", "}", "\\", "="}), ""
    )
    if bad or "\n" in name or not name.isprintable():
        return f"it holds {bad!r}" if bad else "it holds a line break or another character that cannot be printed"
    return _unbalanced([w.text for w in found])


def _unbalanced(marks: list[str]) -> str:
    waiting: list[str] = []
    pairs = {")": "(", ">": "<", "]": "["}
    for mark in marks:
        if mark in {"<", ">"} and waiting[-1:] == ["("]:
            continue  # less or greater, or clang's business
        if mark in pairs.values():
            waiting.append(mark)
        elif mark in pairs and (not waiting or waiting.pop() != pairs[mark]):
            return f"the bracket {mark!r} closes nothing"
    return f"the bracket {waiting[-1]!r} is not closed" if waiting else ""


def probes(names: Sequence[str]) -> str:
    """Lines to put behind a text: one for each name, empty for a malformed one.

    Examples
    --------
    >>> probes(["f<int>", "(void(*)(int))g"]).splitlines()[2:]
    ['auto clm_registered_name_0 = &f<int>;', 'auto clm_registered_name_1 = (void(*)(int))g;']
    """
    lines = ["\n" + FUNCTION_POINTERS]
    for index, name in enumerate(names):
        sign = "&" if re.match(r"\s*[A-Za-z_:]", name) and "_cast" not in name else ""
        lines.append("\n" if malformed(name) else f"auto {_PROBE}{index} = {sign}{probing(name).strip()};\n")
    return "".join(lines)


class NameResolver:
    """Reads what clang made of the probes.

    Parameters
    ----------
    clang : Libclang
    unit : clang.cindex.TranslationUnit
        Of a text with :func:`probes` behind it.
    functions : tuple of Function
        Of the text.
    """

    def __init__(self, clang: Libclang, unit: Any, functions: tuple[Function, ...]) -> None:  # noqa: ANN401
        self._clang = clang
        self._functions = functions
        self._variables = {str(c.spelling): c for c in unit.cursor.get_children() if str(c.spelling).startswith(_PROBE)}
        self._messages = {d.location.line: str(d.spelling) for d in unit.diagnostics if d.severity > 2}  # noqa: PLR2004 - errors

    def resolve(self, index: int, name: str, line: int) -> Resolved:
        """Resolve the name of one probe, which stands on a line of the parsed text."""
        wrong = malformed(name)
        if wrong:
            return Resolved(name, refusal=refusal(f"{name!r} is no name of a kernel: {wrong}"))
        variable = self._variables.get(f"{_PROBE}{index}")
        function = None if variable is None else self._function(variable)
        if function is None or line in self._messages:
            return Resolved(name, refusal=self._why(name, self._messages.get(line, "")))
        return self._checked(name, function)

    def _function(self, variable: Any) -> Any:  # noqa: ANN401
        nodes = Node(self._clang, variable).walk()
        found = (node.cursor.referenced for node in nodes if node.kind == "DECL_REF_EXPR")
        return next((c for c in found if c is not None and self._clang.kind_name(c) == "FUNCTION_DECL"), None)

    def _checked(self, name: str, function: Any) -> Resolved:  # noqa: ANN401
        """Only kernels with a body can be called."""
        template = self._clang.specialized_template(function)
        places = {offset_of(self._clang, c) for c in (function, template) if c is not None}
        spelled = str(function.spelling)
        known = [f for f in self._functions if f.place in places]
        if not any(f.is_kernel for f in known):
            if not known:  # of a header, or made by a macro: the device knows
                return Resolved(name, function)
            line = int(function.location.line)
            return Resolved(name, refusal=refusal(f"{name!r} is no kernel: write kernel in front of {spelled}", line))
        return Resolved(name, function)

    def _why(self, name: str, message: str) -> Diagnostic:
        match = _BASE_NAME.search(name[name.rfind(")") + 1 if not name.rstrip().endswith(")") else 0 :].strip(" &"))
        base = re.sub(r"\s+", "", match[1]) if match else ""
        same = [f for f in self._functions if f.qualified == base]
        if not same:
            known = sorted({f.qualified for f in self._functions if f.is_kernel})
            near = difflib.get_close_matches(base, known, 1)
            meant = f"; did you mean {near[0]}?" if near else f"; it has {', '.join(known) or 'none'}"
            return refusal(f"{name!r} names no kernel: the source has no kernel {base or name!r}{meant}")
        first = same[0]
        line, forms = int(first.cursor.location.line), "; ".join(dict.fromkeys(map(_form, same)))
        if not any(f.is_template for f in same):
            return refusal(f"{name!r} fits no kernel; choose one by its type: {forms}", line)
        if not message or _PROBE in message:  # clang speaks of what was put behind the text
            message = "its arguments are missing, or others are needed"
        return refusal(f"{name!r} does not fit {forms}: {message}", line)


def _form(function: Function) -> str:
    """How to name a function: a template's parameters, or the cast that chooses an overload."""
    if function.is_template:
        return f"{function.qualified}<{', '.join(name for name, _ in function.parameters)}>"
    types = ", ".join(str(p.type.spelling).replace("__private", "").strip() for p in function.cursor.get_arguments())
    return f"({function.cursor.result_type.spelling}(*)({types})){function.qualified}"
