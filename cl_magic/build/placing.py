"""Where a compiler's position stands for the user: in the cell, in the prelude that cl_magic wrote, or in a header."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from cl_magic.build.lexical import source_lines
from cl_magic.build.line_directives import LineDirectives
from cl_magic.build.log_entry import NOWHERE, Dialect, Position
from cl_magic.build.marks import char_column
from cl_magic.build.source_map import SourceMap

_DEFINE = re.compile(r"#define (?P<name>\w+(?:\([^)]*\))?) ?(?P<value>.*)")
_DRIVERS_OWN = ("<command line>", "<built-in>", "<scratch space>")


class Place(NamedTuple):
    """A user's position.

    `file` is "" for the cell, `line` 0 where the user has no such line, `column` is in the line as the compiler has it
    (indent not yet added), `text` that line, `where` words for what is not the user's own text.
    """

    file: str = ""
    line: int = 0
    column: int = 0
    text: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Placer:
    """Turns positions of one build's log into places."""

    dialect: Dialect
    source_map: SourceMap
    prelude: tuple[str, ...]
    source: tuple[str, ...]
    directives: LineDirectives

    def place(self, position: Position, quoted: str = "") -> Place:
        """Place of a position; `quoted` is the line as the log quotes it, for files whose text is not here."""
        file, line, byte_column = position
        if position == NOWHERE or file in _DRIVERS_OWN:
            return Place(where="a -D option" if file == "<command line>" else "")
        own = bool(self.dialect.main_file.fullmatch(file))
        if not own and not (self.dialect.presumed_lines and self.directives.names(file)):
            return Place(file, line, char_column(quoted, byte_column), quoted)
        if self.dialect.presumed_lines:
            line = self.directives.physical(None if own else file, line)
        index = line - self.source_map.prelude_lines - 1
        if index < 0:
            return Place(where=self._definition(line))
        text = self.source[index] if index < len(self.source) else quoted
        return Place("", self.source_map.line(line), char_column(text, byte_column), text)

    def macro_at(self, position: Position) -> str:
        """Name that the ``#define`` at this position defines, "" where there is none (lines may be continued)."""
        index = self.directives.physical(None, position[1]) - 1
        lines = [*self.prelude, *self.source]
        if not 0 <= index < len(lines):
            return ""
        while index and lines[index - 1].endswith("\\"):
            index -= 1
        match = re.match(r"\s*#\s*define\s+(\w+)", lines[index])
        return match[1] if match else ""

    def _definition(self, line: int) -> str:
        text = self.prelude[line - 1] if 0 < line <= len(self.prelude) else ""
        match = _DEFINE.fullmatch(text)
        return f"-D{match['name']}={match['value']}" if match else "the lines in front of the source"


def placer(dialect: Dialect, source: str, source_map: SourceMap, prelude: str = "") -> Placer:
    r"""Placer for a source text that was compiled behind `prelude`.

    Examples
    --------
    >>> from cl_magic.build.grammar_clang import OCLGRIND
    >>> it = placer(OCLGRIND, "float x;\n", SourceMap(first_line=2, prelude_lines=1), "#define N 4\n")
    >>> it.place(("input.cl", 2, 7)).line, it.place(("input.cl", 1, 9)).where
    (2, '-DN=4')
    """
    known = prelude or "\n" * source_map.prelude_lines
    above = tuple(source_lines(known)[: source_map.prelude_lines])
    return Placer(dialect, source_map, above, tuple(source_lines(source)), LineDirectives(known + source))
