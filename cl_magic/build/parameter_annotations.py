"""Parameters of a source that its comments make adjustable: ``#define TILE 16  // 4:64:x2``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from cl_magic.build.lexical import blank_comments
from cl_magic.build.spec import ProgramSpec
from cl_magic.build.value_range import ValueRange, parse_range
from cl_magic.errors import OptionError

_DEFINE = re.compile(r"^([ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+)([^\n]*?)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"(?://|/\*)[ \t]*(.+?)[ \t]*(?:\*/[ \t]*)?$")
_FIRST = re.compile(r"[^\s;]+")
_NUMBER = r"[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFuUlL]*"


@dataclass(frozen=True, slots=True)
class Adjustable:
    """A macro with the values that it may take.

    Attributes
    ----------
    name : str
    value : str
        As the source or the option defines it; "" where neither does.
    values : ValueRange
    line : int
        Of the source, from 1; 0 for one that no ``#define`` of it makes.
    """

    name: str
    value: str
    values: ValueRange
    line: int = 0


def annotated(source: str) -> tuple[Adjustable, ...]:
    r"""Macros whose comment is a range.

    Parameters
    ----------
    source : str
        A comment that is no range stays a comment; what follows the range's first word is free text.

    Examples
    --------
    >>> found = annotated("#define TILE 16  // 4:64:x2 edge\n#define N 4 // the count\n#define G 0.5f /* 0.0:2.0 */\n")
    >>> [(one.name, one.value, one.values.text, one.line) for one in found]
    [('TILE', '16', '4:64:x2', 1), ('G', '0.5f', '0.0:2.0', 3)]
    """
    found: dict[str, Adjustable] = {}
    blank = blank_comments(source)
    for match in _DEFINE.finditer(source):
        value = blank[match.start(3) : match.end(3)].strip()
        values = _range_after(source[match.start(3) + len(value) : match.end(3)])
        in_comment = not blank[match.start() : match.end()].strip()
        if value and values is not None and not in_comment:
            line = source.count("\n", 0, match.start()) + 1
            found.setdefault(match[2], Adjustable(match[2], value, values, line))
    return tuple(found.values())


def argument_range(source: str, name: str) -> ValueRange | None:
    r"""Range in the comment behind a kernel's parameter, at the end of its line; None without one.

    Examples
    --------
    >>> argument_range("kernel void f(global int *x,\n  float gain,  // 0.0:2.0\n  int n)", "gain").high
    2.0
    """
    for match in re.finditer(rf"\b{re.escape(name)}[ \t]*[,)]?[^\n,;(){{]*?((?://|/\*)[^\n]*)", source):
        values = _range_after(match[1])
        if values is not None:
            return values
    return None


def _range_after(text: str) -> ValueRange | None:
    comment = _COMMENT.search(text.strip())
    word = _FIRST.match(comment[1]) if comment else None
    if word is None or not re.search(r"[:,]", word[0]):
        return None
    try:
        return parse_range(word[0].rstrip(",.:"))
    except OptionError:
        return None


def with_macros(spec: ProgramSpec, values: Mapping[str, str]) -> ProgramSpec:
    """The specification of the same program with other values of macros.

    A ``#define`` of the source gets the value in place, its line and comment stay; else an option ``-D`` is replaced or
    added.

    Examples
    --------
    >>> spec = ProgramSpec("#define TILE 16  // 4:64:x2", options=("-DN=4", "-w"))
    >>> made = with_macros(spec, {"TILE": "8", "N": "5", "M": "1"})
    >>> made.source, made.options
    ('#define TILE 8  // 4:64:x2', ('-DN=5', '-w', '-DM=1'))
    """
    source, options = spec.source, list(spec.options)
    for name, value in values.items():
        made = _defined(source, name, value)
        if made is not None:
            source = made
            continue
        places = [at for at, option in enumerate(options) if re.match(rf"-D{re.escape(name)}(=|$)", option)]
        if places:
            options[places[-1]] = f"-D{name}={value}"
        else:
            options.append(f"-D{name}={value}")
    return replace(spec, source=source, options=tuple(options), plain="")


def macro_value(spec: ProgramSpec, name: str) -> str:
    """Value that a program's source or options give a macro; "" where they do not.

    Examples
    --------
    >>> macro_value(ProgramSpec("#define TILE 16 // edge", options=("-DN=4",)), "TILE")
    '16'
    """
    blank = blank_comments(spec.source)
    for match in _DEFINE.finditer(blank):
        if match[2] == name:
            return match[3].strip()
    given = [option.partition("=")[2] for option in spec.options if option.startswith(f"-D{name}=")]
    return given[-1] if given else ""


def _defined(source: str, name: str, value: str) -> str | None:
    """The source with another value of a macro; None where it does not define it (with a value)."""
    blank = blank_comments(source)
    for match in _DEFINE.finditer(blank):
        if match[2] == name and match[3].strip():
            begin = match.start(3)
            end = begin + len(match[3].rstrip())
            return source[:begin] + value + source[end:]
    return None


def number_of(text: str) -> int | float | str:
    """A macro's value as a number where it is one, else as it is.

    Examples
    --------
    >>> number_of("0x10u"), number_of("0.5f"), number_of("float4")
    (16, 0.5, 'float4')
    """
    if not re.fullmatch(_NUMBER, text.strip()):
        return text
    bare = text.strip()
    if bare.lower().startswith(("0x", "-0x", "+0x")):
        return int(bare.rstrip("uUlL"), 16)
    bare = bare.rstrip("fFuUlL")
    return float(bare) if re.search(r"[.eE]", bare) else int(bare)


def macro_text(value: float | str, like: str) -> str:
    """A value as a macro's text, in the type of the one before: ``0.5f`` stays a ``float``.

    Examples
    --------
    >>> macro_text(2, "16"), macro_text(0.25, "1.0f"), macro_text("half", "float"), macro_text(3, "1.0f")
    ('2', '0.25f', 'half', '3.0f')
    """
    if isinstance(value, str):
        return value
    before: int | float | str = number_of(like) if like else value
    if isinstance(before, float) or not isinstance(value, int):
        suffix = "f" if like.rstrip().lower().endswith("f") and isinstance(before, float) else ""
        return f"{float(value)!r}{suffix}"
    return f"{value}{like[len(like.rstrip('uUlL')) :] if isinstance(before, int) else ''}"
