"""What IPython decides before a magic runs: ``%%opencl`` below another line, indented, with one ``%``, or alone.

All are an input transformer's work: the magic itself is not called in any of these cases.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize

from cl_magic.errors import MagicLineError
from cl_magic.magics.cell_text import MAGIC_LINE

_ONE_PERCENT = re.compile(r"%opencl\s*(-.*)?$")
_KERNEL = re.compile(r"\bkernel\s+void\s+\w+\s*\(|\b__kernel\b")


def transform(lines: list[str]) -> list[str]:
    r"""Input transformer, to run after IPython's own clean-up and before it looks for a cell magic.

    A cell whose ``%%opencl`` stands below Python would be a SyntaxError at some line of C: it becomes a call of
    :func:`refuse`. A ``%%opencl`` indented more than its body is moved to the left, and one without a body, which
    IPython refuses, gets an empty line (``--file=`` needs no more).

    Parameters
    ----------
    lines : list of str
        Lines of the cell, with their ends; blank lines above and common indent are gone.

    Examples
    --------
    >>> transform(["# a note\n", "%%opencl\n", "int x;\n"])
    ["__import__('cl_magic.magics.first_line', fromlist=['refuse']).refuse(2, 'a comment')\n"]
    >>> transform(["  %%opencl --file=blur.cl\n"])
    ['%%opencl --file=blur.cl\n', '\n']
    """
    if lines and MAGIC_LINE.match(lines[0]):
        words = lines[0].strip().removeprefix("%%opencl").strip()
        return [f"%%opencl {words}\n", *(lines[1:] or ["\n"])]
    if not lines or lines[0].startswith("%%"):
        return lines
    if _ONE_PERCENT.match(lines[0]) and _KERNEL.search("".join(lines[1:])) and not _is_python(lines[1:]):
        return [_call("refuse_one_percent")]
    for index, line in enumerate(lines[1:], 1):
        if MAGIC_LINE.match(line) and not _inside_text(lines[:index]):
            above = "Python" if any(_is_code(other) for other in lines[:index]) else "a comment"
            return [_call("refuse", index + 1, above)]
    return lines


def _call(name: str, *facts: int | str) -> str:
    return f"__import__({__name__!r}, fromlist=[{name!r}]).{name}({', '.join(map(repr, facts))})\n"


def refuse(line: int, above: str) -> None:
    """Say that ``%%opencl`` must be the cell's first line.

    Parameters
    ----------
    line : int
        Where it stands, from 1.
    above : str
        What stands above it.

    Raises
    ------
    MagicLineError
        Always.
    """
    message = f"%%opencl must be the first line of the cell: line {line} is below {above}"
    remedy = (
        "move what is above into a cell of its own (blank lines above are fine; in OpenCL C comments begin with //)"
    )
    raise MagicLineError(message, remedy=remedy, line_number=line, above=above)


def refuse_one_percent() -> None:
    """Say that a cell of OpenCL C begins with two per cent signs.

    Raises
    ------
    MagicLineError
        Always.
    """
    message = "a cell of OpenCL C begins with %%opencl; this one begins with %opencl, which is a line of its own"
    raise MagicLineError(message, remedy="write %%opencl, with two per cent signs")


def _is_python(lines: list[str]) -> bool:
    try:
        ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return False
    return True


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _inside_text(lines: list[str]) -> bool:
    """Whether a triple-quoted string is open at the end of `lines`: then ``%%opencl`` is only text in it."""
    try:
        list(tokenize.generate_tokens(io.StringIO("".join(lines)).readline))
    except tokenize.TokenError as error:
        words = str(error)
        return "multi-line string" in words or "triple-quoted" in words
    except SyntaxError:
        return False
    return False
