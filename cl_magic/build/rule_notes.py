"""Notes under the messages of compilers: the rule of OpenCL C that was broken, its clause, and what to write instead.

Compilers say what they refuse; what the language offers in its place they leave to the reader. Clauses are those of
OpenCL C 1.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from cl_magic.build.lexical import source_lines
from cl_magic.build.source_map import SourceMap
from cl_magic.build.spec import ProgramSpec
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.clc.signature import KernelSignature
from cl_magic.clc.types import type_of

_QUOTED = re.compile(r"(?<!\w)'([^']*)'")  # not the one of "can't"
_VECTOR = re.compile(r"([a-z]+?)(2|3|4|8|16)")
_WORD = re.compile(r"\b(?:half|float|double)(?:2|3|4|8|16)?\b")
_SPACE = re.compile(r"__(?:global|local|constant|generic)\b")
_SAME_WIDTH = {"half": "short", "float": "int", "double": "long"}


@dataclass(frozen=True, slots=True)
class _Said:
    """A message, the source from its column on, and what was built where."""

    message: str
    at: str
    build: str

    @property
    def types(self) -> list[str]:
        """Types that the message names, without qualifiers: ``['int4', 'long']``."""
        return [text.split()[-1] for text in _QUOTED.findall(self.message) if text.split()]

    @property
    def vectors(self) -> list[str]:
        return [name for name in self.types if _VECTOR.fullmatch(name)]


def rule_notes(diagnostics: Iterable[Diagnostic], spec: ProgramSpec, build: str = "") -> tuple[Diagnostic, ...]:
    """Add a note to the messages whose rule is known; the same words are said once, under the first.

    Parameters
    ----------
    diagnostics : iterable of Diagnostic
        With the user's positions.
    spec : ProgramSpec
    build : str
        Language version and device, ``"OpenCL C 1.2 on PoCL cpu"``, for rules that depend on them.

    Examples
    --------
    >>> bad = Diagnostic("error", "variable length arrays are not supported in OpenCL", 1, 5)
    >>> rule_notes([bad], ProgramSpec("int a[n];"))[0].notes[0].message
    'the size must be a constant: -DN=64, or local memory as an argument (OpenCL C 1.2, 6.9.d)'
    """
    lines = source_lines(spec.source)
    told: set[str] = set()
    return tuple(_noted(diagnostic, lines, spec, build, told) for diagnostic in diagnostics)


def barrier_warnings(kernels: Iterable[KernelSignature], source_map: SourceMap) -> list[Diagnostic]:
    """Warn of each return that some work-items take before a barrier (OpenCL C 1.2, 6.12.8).

    Examples
    --------
    >>> barrier_warnings([KernelSignature("f", return_before_barrier=3)], SourceMap(first_line=2))[0].line
    4
    """
    note = (
        "all work-items of a group must reach a barrier, or none (OpenCL C 1.2, 6.12.8): guard what follows it instead"
    )
    warnings = []
    for kernel in kernels:
        if kernel.return_before_barrier is None:
            continue
        line = kernel.return_before_barrier + source_map.first_line - 1  # the front end reads no prelude
        message = f"some work-items of {kernel.name} return here before a barrier that the others wait at"
        told = (Diagnostic("note", note, line, origin="cl_magic"),)
        warnings.append(Diagnostic("warning", message, line, origin="cl_magic", notes=told))
    return warnings


def version_notes(version: str, offered: Sequence[str], device: str) -> tuple[str, ...]:
    """Say that a language version was used which the device does not offer: its features may fail in silence there.

    Parameters
    ----------
    version : str
        That the compiler used, ``"OpenCL C 2.0"``; "" where it is not known.
    offered : sequence of str
        Versions that the device lists, ``"1.2"``; empty where it lists none.
    device : str

    Examples
    --------
    >>> version_notes("OpenCL C 1.2", ["1.1", "1.2"], "PoCL cpu")
    ()
    >>> version_notes("OpenCL C 2.0", ["1.2"], "PoCL cpu")[0].partition(":")[0]
    'built as OpenCL C 2.0, which PoCL cpu does not offer (it lists 1.2)'
    """
    if not offered or not version or version.removeprefix("OpenCL C ") in offered:
        return ()
    note = f"built as {version}, which {device} does not offer (it lists {', '.join(offered)}): features of that "
    return (f"{note}version may not work there, generic pointers among them",)


def _noted(diagnostic: Diagnostic, lines: list[str], spec: ProgramSpec, build: str, told: set[str]) -> Diagnostic:
    if diagnostic.severity not in {"error", "warning"}:
        return diagnostic
    index, column = diagnostic.line - spec.source_map.first_line, diagnostic.column - 1 - spec.source_map.indent
    here = not diagnostic.file and 0 <= index < len(lines) and column >= 0
    said = _Said(diagnostic.message, lines[index][column:] if here else "", build)
    if any("(OpenCL C 1.2, " in note.message for note in diagnostic.notes):
        return diagnostic  # the front end said it
    text = next(filter(None, (tell(said) for rule, tell in _RULES if rule.search(said.message))), "")
    if not text or text in told:
        return diagnostic
    told.add(text)
    place = {"line": diagnostic.line, "column": diagnostic.column, "file": diagnostic.file}
    note = Diagnostic("note", text, **place, origin="cl_magic")  # type: ignore[arg-type]  # ints and a name
    return replace(diagnostic, notes=(*diagnostic.notes, note))


def _clause(text: str, clause: str) -> Callable[[_Said], str]:
    return lambda _: f"{text} (OpenCL C 1.2, {clause})"


def _rank(said: _Said) -> str:
    vector = next(iter(said.vectors), "")
    match = _VECTOR.fullmatch(vector)
    scalar = next((name for name in said.types if name != vector and match and name != match[1]), "")
    if match is None or not scalar:
        return ""
    literal = "; a float literal ends in f: 2.0f" if scalar == "double" and match[1] == "float" else ""
    return (
        f"a scalar may not rank above the vector's elements (OpenCL C 1.2, 6.2.6): cast the scalar, ({match[1]})x, or "
        f"convert the vector, convert_{scalar}{match[2]}(v){literal}"
    )


def _mixed(said: _Said) -> str:
    if len(said.vectors) < 2:  # noqa: PLR2004 - two vectors meet
        return ""
    target, given = said.vectors[:2]
    wanted, had = type_of(target), type_of(given)
    bits = f", as_{target}(v) keeps the bits" if wanted and had and wanted.size_bytes == had.size_bytes else ""
    rule = "vectors never convert by themselves (OpenCL C 1.2, 6.2.1)"
    if _VECTOR.sub(r"\2", target) != _VECTOR.sub(r"\2", given):
        return f"{rule}: take as many components as are wanted, v.xy"
    return f"convert_{target}(v) converts the values{bits}: {rule}"


def _operands(said: _Said) -> str:
    floating = _WORD.search(" ".join(said.types))
    if floating is None:
        return ""
    if said.at.startswith("%"):
        return "% takes integers only; fmod(x, y) is for floats (OpenCL C 1.2, 6.3.a)"
    if said.at.startswith(("<<", ">>")):
        return "shifts take integers only; ldexp(x, n) multiplies by a power of two (OpenCL C 1.2, 6.3.j)"
    if said.at.startswith(("&", "|", "^", "~")):
        name = re.sub(r"[a-z]+", lambda word: _SAME_WIDTH[word.group()], floating.group())
        return f"& | ^ ~ take integers only; as_{name}(x) gives the bits (OpenCL C 1.2, 6.3.f)"
    return ""


def _space(said: _Said) -> str:
    pointers = [text.partition("*")[0] for text in _QUOTED.findall(said.message) if "*" in text]
    if any("__constant" in text for text in pointers):
        return "constant data, as a string literal is, is reached by constant pointers only (OpenCL C 1.2, 6.5.3)"
    if all(_SPACE.search(text) for text in pointers):
        return ""
    built = f"; this is {said.build}" if said.build else ""
    return (
        "a pointer that names no address space is private here: name the space, or build as OpenCL C 2.0, or 3.0 with "
        f"the feature __opencl_c_generic_address_space, on a device with generic pointers{built}"
    )


_RULES: tuple[tuple[re.Pattern[str], Callable[[_Said], str]], ...] = (
    (
        re.compile(r"pointer to type '[^']*\bhalf'|(?:of|to) type '[^']*\bhalf' is not allowed"),
        _clause(
            "half is for storage without cl_khr_fp16: vload_half(i, p) and vstore_half(x, i, p), float between",
            "6.1.1.1",
        ),
    ),
    (re.compile("scalar operand type has greater rank"), _rank),
    (re.compile("between vector (types|values)|incompatible type"), _mixed),
    (re.compile(r"\^\^ is a reserved operator"), _clause("^^ is reserved: write !a != !b", "6.3.g")),
    (re.compile("invalid operands to binary|invalid argument type .* to unary"), _operands),
    (
        re.compile("requested shift is a vector"),
        _clause("a vector cannot shift a scalar: widen it, (int2)(x) << v", "6.3.j"),
    ),
    (
        re.compile("bit-fields are not supported"),
        _clause("use masks and shifts on an unsigned member", "6.9.c"),
    ),
    (
        re.compile("variable length arrays? "),
        _clause("the size must be a constant: -DN=64, or local memory as an argument", "6.9.d"),
    ),
    (
        re.compile("pointers to functions are not allowed|taking address of function"),
        _clause("call functions by name: a switch, or a macro set by -D", "6.9.a"),
    ),
    (re.compile("changes address space of"), _space),
    (
        re.compile("pointer to a pointer|pointer arguments to kernel functions must reside"),
        _clause(
            "a kernel's pointer is global, constant or local, and leads to no pointer: pass offsets into one array",
            "6.9.a",
        ),
    ),
    (
        re.compile(
            r"(?:unknown type name|undeclared identifier) "
            r"'(?:u?(?:char|short|int|long)|half|float|double)(?!(?:2|3|4|8|16)')\d+'"
        ),
        _clause("a vector has 2, 3, 4, 8 or 16 components", "6.1.2"),
    ),
    (
        re.compile(r"Cannot find symbol \w*ocl_image2d(?:_array)?_depth|image2d_(?:array_)?depth_t'"),
        lambda _said: (
            "depth images belong to devices with cl_khr_depth_images or OpenCL C 2.0 in full: read a float32 image2d_t "
            "with read_imagef(…).x instead"
        ),
    ),
    (
        re.compile(r"image\w*_t' (?:can only be used as a function parameter|type cannot be used to declare)"),
        _clause("an image is a parameter only, of a kernel or a function: pass it on by its name", "6.9.b"),
    ),
    (
        re.compile("parameter may not be qualified with an address space"),
        _clause("a value is private, and an image lies in global memory unsaid: leave the qualifier out", "6.5"),
    ),
    (
        re.compile("kernel parameters may not contain pointers"),
        _clause("a structure passes no pointers: an index into an array that is an argument of its own", "6.9.p"),
    ),
    (
        re.compile(r"'[^']*event_t' .*cannot be used as the type of a kernel parameter"),
        _clause("events are made and waited for inside a kernel", "6.9"),
    ),
    (
        re.compile(
            r"'(?!(?:__private )?(?:\w*event_t|bool|half|size_t|ptrdiff_t|u?intptr_t)')[^']*' .*"
            "cannot be used as the type of a kernel parameter"
        ),
        _clause("a structure passes no bool, half or size_t: uchar, float, ulong", "6.9.k"),
    ),
    (
        re.compile(r"'(?:__private )?(?:bool|half|size_t|ptrdiff_t|u?intptr_t)' .*cannot be used as the type of a ker"),
        _clause("uchar or int for bool, float for half, ulong or long for size_t and its kin", "6.9.k"),
    ),
    (
        re.compile("use of type '[^']*double[^']*' requires|no support for double"),
        _clause("this device has no double: float, with literals as 1.0f", "6.1.1"),
    ),
)
