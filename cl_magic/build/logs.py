"""A build log of any compiler family to diagnostics on the user's lines. Nothing of the log is lost on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cl_magic.build.grammar_clang import CLANG, OCLGRIND
from cl_magic.build.grammar_intel import INTEL
from cl_magic.build.grammar_nvidia import NVIDIA
from cl_magic.build.grammar_pocl import POCL
from cl_magic.build.log_entry import NOWHERE, Dialect, Entry
from cl_magic.build.log_reader import read_log
from cl_magic.build.marks import end_column, replacement
from cl_magic.build.placing import Place, Placer, placer
from cl_magic.build.source_map import SourceMap
from cl_magic.build.unresolved import calls_of, missing_functions
from cl_magic.clc.diagnostic import Diagnostic, FixIt

DIALECTS: dict[str, Dialect] = {"pocl": POCL, "nvidia": NVIDIA, "intel": INTEL, "oclgrind": OCLGRIND, "clang": CLANG}
"""Log grammar of each compiler family (``DeviceInfo.family``)."""


@dataclass(frozen=True, slots=True)
class ParsedLog:
    """What a build log says.

    Attributes
    ----------
    diagnostics : tuple of Diagnostic
        In order of the user's lines, notes inside their message; those without a line come last. What a compiler says
        twice (PoCL does for ``#warning``) is here once.
    unparsed : tuple of str
        Lines that no grammar knows. They are shown as they came.
    chatter : tuple of str
        Lines that say nothing to the user.
    remarks : tuple of (str, tuple of str)
        Kernel name and what the compiler says of it: ``("blur", ("vectorised 16",))``.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    unparsed: tuple[str, ...] = ()
    chatter: tuple[str, ...] = ()
    remarks: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def remarks_of(self, kernel: str) -> tuple[str, ...]:
        """Remarks on one kernel, () where there are none.

        Examples
        --------
        >>> ParsedLog(remarks=(("f", ("vectorised 8",)),)).remarks_of("f")
        ('vectorised 8',)
        """
        return dict(self.remarks).get(kernel, ())


def parse_log(
    log: str, family: str, source: str, source_map: SourceMap | None = None, *, prelude: str = ""
) -> ParsedLog:
    r"""Read a build log.

    Parameters
    ----------
    log : str
        The compiler's text as it came.
    family : str
        ``DeviceInfo.family``; an unknown one is read as clang's.
    source : str
        The user's text, ``\n`` line ends, without `prelude`.
    source_map : SourceMap, optional
        Positions of the user; its ``prelude_lines`` must count the lines of `prelude`.
    prelude : str
        What stood in front of the source, so that an error in it can be named by its definition.

    Examples
    --------
    >>> source = "kernel void f(global int *x)\n{\n    x[0] = oops;\n}\n"
    >>> log = "error: /tmp/tempfile_a.cl:3:12: use of undeclared identifier 'oops'\n"
    >>> parsed = parse_log(log, "pocl", source, SourceMap(first_line=2))
    >>> [(d.severity, d.line, d.column, d.end_column) for d in parsed.diagnostics]
    [('error', 4, 12, 16)]
    """
    dialect = DIALECTS.get(family, CLANG)
    reading = read_log(log, dialect)
    places = placer(dialect, source, source_map or SourceMap(), prelude)
    found = _with_notes([diagnostic_of(entry, places) for entry in reading.entries])
    remarks: dict[str, tuple[str, ...]] = {}
    for kernel, remark in reading.remarks:
        remarks[kernel] = (*remarks.get(kernel, ()), remark)
    found = [_with_calls(diagnostic, source, places) for diagnostic in found]
    return ParsedLog(in_order(dict.fromkeys(found)), reading.unparsed, reading.chatter, tuple(remarks.items()))


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort by the user's line and column; what has none there stands at its first note's (an include), else last.

    Examples
    --------
    >>> [d.line for d in in_order([Diagnostic("error", "link"), Diagnostic("error", "a", 3)])]
    [3, 0]
    >>> [d.line for d in in_order([Diagnostic("error", "a", 5, file="x.h"), Diagnostic("error", "b", 2, file="x.h")])]
    [2, 5]
    """

    def key(diagnostic: Diagnostic) -> tuple[bool, int, int, str, int, int]:
        own = (diagnostic.file or "\U0010ffff", diagnostic.line, diagnostic.column)  # of no file at all: last
        if diagnostic.line and not diagnostic.file:
            return False, diagnostic.line, diagnostic.column, "", 0, 0
        at = next(((note.line, note.column) for note in diagnostic.notes if note.line and not note.file), (0, 0))
        return not at[0], *at, *own

    return tuple(sorted(diagnostics, key=key))


def diagnostic_of(entry: Entry, places: Placer) -> Diagnostic:
    """One entry of a log as a diagnostic on the user's lines, with the notes that its own line holds.

    Examples
    --------
    >>> from cl_magic.build.placing import placer
    >>> entry = Entry("warning", "unused variable 'a' [-Wunused-variable]", ("input.cl", 1, 5))
    >>> diagnostic_of(entry, placer(OCLGRIND, "int a;", SourceMap())).option
    '-Wunused-variable'
    """
    place = places.place(entry.position, entry.excerpt.text)
    message, option = _split_option(entry.message)
    notes = [
        _pointed("note", "included from here", places.place(position), places) for position in entry.included_from[::-1]
    ]
    if entry.spelling != NOWHERE:
        macro = places.macro_at(entry.spelling)
        words = f"expanded from macro '{macro}'" if macro else "spelled here"
        notes.append(_pointed("note", words, places.place(entry.spelling), places))
    plain = _pointed(entry.severity, message, place, places, entry)
    return replace(plain, option=option, notes=tuple(notes))


def _pointed(severity: str, message: str, place: Place, places: Placer, entry: Entry | None = None) -> Diagnostic:
    """Diagnostic at a place; in the cell the stripped indent is added to all columns."""
    words = f"{message} (in {place.where})" if place.where else message
    plain = Diagnostic(severity, words, place.line, file=place.file)  # type: ignore[arg-type]
    if not place.column:
        return plain
    shift = 0 if place.file else places.source_map.indent
    excerpt = (entry or Entry("note", "")).excerpt
    end = end_column(place.text, place.column, excerpt)
    change = replacement(place.text, place.column, excerpt, message)
    fixits = (FixIt(place.line, change[0] + shift, change[1] + shift, *change[2:]),) if change else ()
    return replace(plain, column=place.column + shift, end_column=end + shift if end else 0, fixits=fixits)


def _split_option(message: str) -> tuple[str, str]:
    """``text [-Werror,-Wfoo]`` to the text and ``-Wfoo``."""
    head, bracket, tail = message.rpartition(" [-")
    if not bracket or not tail.endswith("]") or tail[0] not in "WR":
        return message, ""
    return head, "-" + tail[:-1].rsplit(",-", 1)[-1]


def _with_notes(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Put each note into the message before it; notes that come first belong to the first message after them."""
    found: list[Diagnostic] = []
    early: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if diagnostic.severity != "note":
            found.append(replace(diagnostic, notes=(*early, *diagnostic.notes)))
            early.clear()
        elif found:
            found[-1] = replace(found[-1], notes=(*found[-1].notes, diagnostic))
        else:
            early.append(diagnostic)
    return found + early


def _with_calls(diagnostic: Diagnostic, source: str, places: Placer) -> Diagnostic:
    """Add to a linker's message where the missing functions are called."""
    if diagnostic.line:
        return diagnostic
    lines, positions = source.split("\n"), places.source_map
    calls = [
        _pointed("note", f"{name} is called here", place, places)
        for name in missing_functions(diagnostic.message)
        for line, column in calls_of(name, source)
        for place in [Place("", positions.line(line + positions.prelude_lines), column, lines[line - 1])]
    ]
    return replace(diagnostic, notes=(*diagnostic.notes, *calls))
