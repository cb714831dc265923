"""Two things that IPython decides before a magic runs: ``%%opencl`` below another line, and an empty body.

Both are input transformers' work: the magic itself is not called in either case.
"""

from __future__ import annotations

import io
import tokenize

from cl_magic.errors import MagicLineError
from cl_magic.magics.cell_text import MAGIC_LINE

_EMPTY_BODY = ", '')\n"


def transform(lines: list[str]) -> list[str]:
    r"""Input transformer, to run after IPython's own clean-up.

    A cell whose ``%%opencl`` stands below Python would be a SyntaxError at some line of C: it becomes a call of
    :func:`refuse`. A ``%%opencl`` line without a body, which IPython refuses, gets an empty line as its body
    (``--file=`` needs no more).

    Parameters
    ----------
    lines : list of str
        Lines of the cell, with their ends, a cell magic already turned into a call.

    Examples
    --------
    >>> transform(["# a note\n", "%%opencl\n", "int x;\n"])
    ["__import__('cl_magic.magics.first_line', fromlist=['refuse']).refuse(2, 'a comment')\n"]
    >>> transform(["x = 1\n"])
    ['x = 1\n']
    """
    if lines and lines[0].startswith("get_ipython().run_cell_magic('opencl', ") and lines[0].endswith(_EMPTY_BODY):
        return [lines[0].removesuffix(_EMPTY_BODY) + ", '\\n')\n", *lines[1:]]
    if lines and lines[0].startswith("get_ipython().run_cell_magic("):
        return lines
    for index, line in enumerate(lines[1:], 1):
        if MAGIC_LINE.match(line) and not _inside_text(lines[:index]):
            above = "Python" if any(_is_code(other) for other in lines[:index]) else "a comment"
            call = f"__import__({__name__!r}, fromlist=['refuse']).refuse({index + 1}, {above!r})"
            return [call + "\n"]
    return lines


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
