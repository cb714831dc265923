"""Built-in functions that answer for one launch only, and text in front of a program that makes them answer for all.

A split or padded range is launched in pieces the kernel must not see. The functions below are replaced in the source
text by function-like macros (never by ``-D``, which would reach a runtime's own built-in headers). Each macro calls a
function defined before it, so that its argument may be any expression and is evaluated once. Dimensions past the
range's answer as OpenCL C 1.2, 6.12.1 (and 2.0, 6.13.1) says: 1 for sizes and counts, 0 for ids and offsets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cl_magic.clc.signature import KernelSignature

REPLACEABLE = (
    "get_enqueued_local_size",
    "get_enqueued_num_sub_groups",
    "get_global_linear_id",
    "get_global_offset",
    "get_global_size",
    "get_group_id",
    "get_num_groups",
)
"""Functions that differ between the parts of a split range."""
CHANGED_BY_PADDING = ("get_global_linear_id", "get_global_size")
_SINCE_2_0 = frozenset({"get_enqueued_local_size", "get_enqueued_num_sub_groups", "get_global_linear_id"})
_SUB_GROUP = re.compile(r"(get_(max_)?sub_group|get_num_sub_groups|(intel_)?sub_group_)\w*")
_NO_ARGUMENT = frozenset({"get_global_linear_id", "get_enqueued_num_sub_groups"})
_VERSION = re.compile(r"(\d+)\.(\d+)")
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """What the planner needs to know of the program that the kernel was built in.

    Attributes
    ----------
    language_version : str
        Really used: ``OpenCL C 1.2``; "" where not known (see ``BuildResult.language_version``).
    options : tuple of str
        Of the build; ``-cl-uniform-work-group-size`` forbids non-uniform groups.
    source : str
        The text, looked at only where the front end did not run.
    """

    language_version: str = ""
    options: tuple[str, ...] = ()
    source: str = ""

    @property
    def version(self) -> tuple[int, int]:
        """Language version as numbers; (0, 0) where not known."""
        match = _VERSION.search(self.language_version)
        return (int(match[1]), int(match[2])) if match else (0, 0)

    @property
    def allows_non_uniform(self) -> bool:
        """Whether the language lets the device cut the last groups: from 2.0 on, if no option forbids it."""
        return self.version >= (2, 0) and "-cl-uniform-work-group-size" not in self.options


def builtins_of(signature: KernelSignature, program: ProgramFacts) -> frozenset[str]:
    """Built-in functions that the kernel uses, or could use where the front end did not see it.

    Without the front end every name in the source counts; where there is no source, or it includes files that were not
    read, all functions of :data:`REPLACEABLE` count that can be replaced under any language version.

    Examples
    --------
    >>> unread = KernelSignature("f", origin="device")
    >>> sorted(builtins_of(unread, ProgramFacts(source="kernel void f() { get_group_id(0); } // get_global_size")))
    ['get_group_id']
    """
    if signature.origin == "front end" or signature.builtins:
        return signature.builtins
    text = _COMMENTS.sub(" ", program.source)
    words = frozenset(_WORD.findall(text))
    names = frozenset(REPLACEABLE)
    if (0, 0) < program.version < (2, 0):
        names -= _SINCE_2_0  # there these are names like any other, and may be the program's own
    found = words & names | {word for word in _CALLED.findall(text) if _SUB_GROUP.fullmatch(word)}
    unread = not text.strip() or "include" in words
    return found | (names - {"get_enqueued_num_sub_groups"} if unread else frozenset())


def sub_group_queries(builtins: frozenset[str]) -> tuple[str, ...]:
    """Sub-group functions among them, which no text can make answer for a whole range.

    Examples
    --------
    >>> sub_group_queries(frozenset({"get_sub_group_id", "get_enqueued_num_sub_groups", "get_group_id"}))
    ('get_sub_group_id',)
    """
    return tuple(sorted(name for name in builtins if _SUB_GROUP.fullmatch(name)))


def prelude_for(
    replaced: tuple[str, ...],
    global_size: tuple[int, ...],
    local_size: tuple[int, ...],
    offset: tuple[int, ...],
) -> str:
    """Whole lines to put in front of the source; they end with ``#line 1``.

    Examples
    --------
    >>> print(prelude_for(("get_num_groups",), (10,), (4,), (0,)), end="")
    static size_t clm_num_groups(uint d) { return d == 0 ? 3ul : 1ul; }
    #define get_num_groups(d) clm_num_groups(d)
    #line 1
    """
    groups = tuple(-(-size // local) for size, local in zip(global_size, local_size, strict=True))
    bodies = {
        "get_global_size": _choice(_literals(global_size), "1ul"),
        "get_global_offset": _choice(_literals(offset), "0ul"),
        "get_num_groups": _choice(_literals(groups), "1ul"),
        "get_enqueued_local_size": _choice(_literals(local_size), "1ul"),
        "get_group_id": _choice(_group_ids(local_size, offset), "0ul"),
        "get_global_linear_id": _linear_id(global_size, offset),
        "get_enqueued_num_sub_groups": _sub_groups(local_size),
    }
    functions, macros = [], []
    for name in replaced:
        own = name.replace("get_", "clm_", 1)
        result = "uint" if name == "get_enqueued_num_sub_groups" else "size_t"
        takes, passes = ("void", "") if name in _NO_ARGUMENT else ("uint d", "d")
        functions.append(f"static {result} {own}({takes}) {{ return {bodies[name]}; }}")
        macros.append(f"#define {name}({passes}) {own}({passes})")
    return "\n".join([*functions, *macros, "#line 1\n"])


def _literals(sizes: tuple[int, ...]) -> list[str]:
    return [f"{size}ul" for size in sizes]


def _choice(answers: list[str], beyond: str) -> str:
    """C expression that picks the answer for dimension ``d``."""
    return " : ".join([*(f"d == {axis} ? {answer}" for axis, answer in enumerate(answers)), beyond])


def _group_ids(local_size: tuple[int, ...], offset: tuple[int, ...]) -> list[str]:
    # A part starts at a whole number of groups, so the group's first item tells the group.
    return [
        f"(get_global_id({axis}) - get_local_id({axis}) - {start}ul) / {local}ul"
        for axis, (local, start) in enumerate(zip(local_size, offset, strict=True))
    ]


def _linear_id(global_size: tuple[int, ...], offset: tuple[int, ...]) -> str:
    """Linear id over the whole range; the offset does not count (OpenCL C 2.0, 6.13.1)."""
    terms = []
    for axis, start in enumerate(offset):
        stride = "".join(f" * {size}ul" for size in global_size[:axis])
        terms.append(f"(get_global_id({axis}) - {start}ul){stride}")
    return " + ".join(terms)


def _sub_groups(local_size: tuple[int, ...]) -> str:
    items = 1
    for size in local_size:
        items *= size
    return f"({items}u + get_max_sub_group_size() - 1u) / get_max_sub_group_size()"
