"""Reads a build log line by line in a given dialect: headers, quoted source with marks, includes, chatter, the rest."""

from __future__ import annotations

import re
from typing import cast

from cl_magic.build.log_entry import NOWHERE, Dialect, Entry, Excerpt, Position, Reading
from cl_magic.clc.diagnostic import Severity

_MARKS = re.compile(r"\s*[~^][\s~^]*")
_GUTTER_SOURCE = re.compile(r"\s*\d+ \| ?(?P<text>.*)")
_GUTTER_MARKS = re.compile(r"\s+\| ?(?P<text>.*)")
_INCLUDED = re.compile(r"(?:In file included from|\s+from) (?P<file>.+?):(?P<line>\d+)(?::\d+)?[:,]")
_COLOUR = re.compile(r"\x1b\[[\d;]*[mK]")
_SEVERITIES: dict[str, Severity] = {"fatal error": "error", "error": "error", "warning": "warning"}


class _Reader:
    """Walks over the lines once; every line that is not blank ends up in exactly one list."""

    def __init__(self, lines: tuple[str, ...], dialect: Dialect) -> None:
        self.lines = lines
        self.dialect = dialect
        self.next = 0
        self.entries: list[Entry] = []
        self.unparsed: list[str] = []
        self.chatter: list[str] = []
        self.included: list[Position] = []

    def line(self, index: int) -> str:
        return self.lines[index] if index < len(self.lines) else ""

    def step(self) -> None:
        line = self.line(self.next)
        self.next += 1
        if not line.strip():
            return
        if self.dialect.chatter.fullmatch(line):
            self.chatter.append(line)
        elif match := _INCLUDED.fullmatch(line):
            self.included.append((match["file"], int(match["line"]), 0))
        elif match := self.dialect.header.fullmatch(line):
            self.add(match)
        elif entry := self.bare(line):
            self.entries.append(entry)
        else:
            self.unparsed.append(line)

    def add(self, match: re.Match[str]) -> None:
        groups = match.groupdict()
        spelled = groups.get("spelled_file")
        self.entries.append(
            Entry(
                severity_of(match["severity"]),
                match["message"],
                (match["file"], int(match["line"]), int(match["column"] or 0)),
                self.excerpt(),
                (spelled, int(match["spelled_line"]), int(match["spelled_column"])) if spelled else NOWHERE,
                tuple(self.included),
            )
        )
        self.included.clear()

    def bare(self, line: str) -> Entry | None:
        for pattern, severity in self.dialect.messages:
            if match := pattern.fullmatch(line):
                return Entry(severity, match["message"].strip())
        return None

    def excerpt(self) -> Excerpt:
        if _GUTTER_SOURCE.fullmatch(self.line(self.next)):
            return self.gutter_excerpt()
        if not _MARKS.fullmatch(self.line(self.next + 1)):
            return Excerpt()
        text, marks = self.line(self.next), self.line(self.next + 1)
        self.next += 2
        hint = self.line(self.next)
        if not self.is_hint(hint, marks):
            return Excerpt(text, marks)
        self.next += 1
        return Excerpt(text, marks, hint)

    def gutter_excerpt(self) -> Excerpt:
        """Quoted lines with a gutter; of several, the one with the caret counts."""
        last, found = "", Excerpt()
        while True:
            line = self.line(self.next)
            if match := _GUTTER_SOURCE.fullmatch(line):
                last = match["text"]
            elif not (match := _GUTTER_MARKS.fullmatch(line)):
                return found if found.text else Excerpt(last)
            elif not _MARKS.fullmatch(match["text"]):
                found = Excerpt(found.text, found.marks, match["text"])
            elif "^" in match["text"]:
                found = Excerpt(last, match["text"])
            self.next += 1

    def is_hint(self, line: str, marks: str) -> bool:
        """Whether the line under the marks is the compiler's proposed text and not its next message."""
        known = (self.dialect.chatter, _INCLUDED, self.dialect.header, *(p for p, _ in self.dialect.messages))
        if not line.strip() or any(pattern.fullmatch(line) for pattern in known):
            return False
        return line[0] == " " or marks[0] in "~^"


def severity_of(word: str) -> Severity:
    """The severity a compiler's word stands for.

    Examples
    --------
    >>> severity_of("fatal error")
    'error'
    """
    return _SEVERITIES.get(word.lower(), cast("Severity", word.lower()))


def read_log(log: str, dialect: Dialect) -> Reading:
    r"""Read a log in a dialect; positions stay the compiler's.

    Examples
    --------
    >>> from cl_magic.build.grammar_clang import OCLGRIND
    >>> read_log("input.cl:3:7: error: no\nwhat is this\n", OCLGRIND).unparsed
    ('what is this',)
    """
    lines = tuple(line.rstrip("\r\0") for line in _COLOUR.sub("", log).split("\n"))
    reader = _Reader(lines, dialect)
    while reader.next < len(lines):
        reader.step()
    remarks = dialect.remarks(lines)
    unparsed = tuple(line for line in reader.unparsed if line not in {lines[index] for index in remarks})
    return Reading(tuple(reader.entries), unparsed, tuple(reader.chatter), tuple(remarks.values()))
