"""The way back from the lines that ``#line`` makes a compiler report to the lines that are really there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cl_magic.build.lexical import blank_comments, source_lines

_DIRECTIVE = re.compile(r'\s*#\s*(?:line\s+)?(?P<line>\d+)(?:\s+"(?P<file>(?:\\.|[^"\\])*)")?')

_ANY = re.compile(r"^[ \t]*#[ \t]*(?:line\b|\d)", re.MULTILINE)  # most texts have none, and need no second look


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Lines from one ``#line`` to the next: `length` of them, called `file` (None: own name) from `presumed` on."""

    physical: int
    length: int
    presumed: int
    file: str | None


class LineDirectives:
    r"""The ``#line`` directives of a source text (C99, 6.10.4).

    Parameters
    ----------
    text : str
        What the compiler got, prelude included.

    Examples
    --------
    >>> lines = LineDirectives('#line 100 "user.cl"\nfloat x;\nfloat y;')
    >>> lines.physical("user.cl", 101)
    3
    """

    def __init__(self, text: str) -> None:
        lines = source_lines(blank_comments(text) if _ANY.search(text) else text)
        starts: list[tuple[int, int, str | None]] = [(0, 1, None)]
        name: str | None = None
        for number, line in enumerate(lines, 1):
            if "#" in line and (match := _DIRECTIVE.match(line)):
                name = match["file"] if match["file"] is not None else name
                starts.append((number, int(match["line"]), name))
        ends = [start for start, _, _ in starts[1:]] + [len(lines) + 1]
        self._stretches = tuple(
            _Stretch(start + 1, end - start, presumed, file)
            for (start, presumed, file), end in zip(starts, ends, strict=True)
        )

    def names(self, file: str) -> bool:
        """Whether a directive gives this name to lines of the text.

        Examples
        --------
        >>> LineDirectives('#line 7 "a.cl"').names("a.cl")
        True
        """
        return any(stretch.file == file for stretch in self._stretches)

    def physical(self, file: str | None, line: int) -> int:
        r"""Real line (from 1) that the compiler calls `line` of `file`; `line` itself where no directive says so.

        Where several stretches use the same numbers, the first one counts.

        Parameters
        ----------
        file : str or None
            None for the text under the compiler's own name for it.

        Examples
        --------
        >>> LineDirectives("int a;\n#line 50\nint b;").physical(None, 50)
        3
        """
        for stretch in self._stretches:
            offset = line - stretch.presumed
            if stretch.file == file and 0 <= offset < stretch.length:
                return stretch.physical + offset
        return line
