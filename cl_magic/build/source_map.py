"""The map from the lines a compiler counts to the lines the user sees."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceMap:
    """How compiler positions become the user's.

    Attributes
    ----------
    name : str
        What to call the source in reports: ``cell [3]``, ``saxpy.cl``.
    first_line : int
        Line, as the user's editor numbers it, of the first line of the source text (2 under a magic line without
        blank lines above it).
    indent : int
        Characters that were stripped from the left of every line.
    prelude_lines : int
        Lines that cl_magic put in front of the source; the compiler counts them, the user must not see them.
    """

    name: str = "source"
    first_line: int = 1
    indent: int = 0
    prelude_lines: int = 0

    def line(self, compiler_line: int) -> int:
        """User's line for a compiler's line (both from 1)."""
        return compiler_line - self.prelude_lines + self.first_line - 1

    def column(self, compiler_column: int) -> int:
        """User's column for a compiler's column (both from 1)."""
        return compiler_column + self.indent if compiler_column else 0
