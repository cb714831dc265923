"""Linkers name a missing function and no line: find the calls in the source, so that the report can show them."""

from __future__ import annotations

import re

from cl_magic.build.lexical import blank_comments, source_lines

_NAMED = re.compile(
    r"Cannot find symbol (?P<pocl>\w+)|Unresolved extern function '(?P<nvidia>\w+)'"
    r"|Symbols not found: \[(?P<intel>[^\]]*)\]|undefined reference to [`'](?P<clang>\w+)"
)
_MOST = 5
_NO_TYPE = ("return", "else", "do", "case", "goto")


def missing_functions(message: str) -> tuple[str, ...]:
    """Names of the functions that a linker's message misses.

    Examples
    --------
    >>> missing_functions("Symbols not found: [ helper, twice ]")
    ('helper', 'twice')
    >>> missing_functions("use of undeclared identifier 'x'")
    ()
    """
    match = _NAMED.search(message)
    return tuple(re.findall(r"\w+", next(filter(None, match.groups()), ""))) if match else ()


def calls_of(name: str, source: str) -> tuple[tuple[int, int], ...]:
    r"""Line and column (from 1) of the calls of a function, at most 5; its declarations are left out.

    Examples
    --------
    >>> calls_of("f", "float f(float v); // f(1)\nkernel void k() { return f(f(2)); }")
    ((2, 26), (2, 28))
    """
    found = []
    for number, line in enumerate(source_lines(blank_comments(source, literals=True)), 1):
        for match in re.finditer(rf"\b{re.escape(name)}\s*\(", line):
            before = re.search(r"(\w+)[\s*]*$", line[: match.start()])
            if not before or before[1] in _NO_TYPE:
                found.append((number, match.start() + 1))
    return tuple(found[:_MOST])
