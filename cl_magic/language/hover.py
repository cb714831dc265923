"""What a word of a cell means, as an explanation that every front end can show: of the language, or of the text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.language.checking import CellText
from cl_magic.language.client import LiveFrontEnd, live_front_end
from cl_magic.language.completion import swizzles
from cl_magic.language.facts import Fact, fact
from cl_magic.language.limits import MAX_TEXT_BYTES
from cl_magic.language.place import line_and_column, place_at, word_at
from cl_magic.language.questions import Description
from cl_magic.program import Program


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a word means.

    Attributes
    ----------
    title : str
        Declaration, signature or name.
    kind : str
        ``function``, ``kernel``, ``type`` …
    text : str
        One paragraph, "" for none.
    rows : tuple of (str, str)
        Facts by name.
    clause : str
        Where the specification says so; "" for names of the text.
    """

    title: str
    kind: str
    text: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    clause: str = ""

    def plain(self) -> str:
        """As text.

        Examples
        --------
        >>> print(Explanation("int f(int x)", "function", "Twice x.", (("declared in", "line 3"),)).plain())
        int f(int x)
        function
        <BLANKLINE>
        Twice x.
        <BLANKLINE>
        declared in: line 3
        """
        facts = "\n".join(f"{name}: {value}" for name, value in self.rows)
        parts = (f"{self.title}\n{self.kind}", self.text, facts, self.clause)
        return "\n\n".join(part for part in parts if part)


def explain(
    cell: CellText, offset: int, programs: Iterable[Program] = (), live: LiveFrontEnd | None = None
) -> Explanation | None:
    """Explain the word at an offset of a cell's text; None where there is nothing to say.

    Parameters
    ----------
    cell : CellText
    offset : int
        In ``cell.source``.
    programs : iterable of Program, optional
        Builds to take a kernel's work-group information from, the oldest first.
    live : LiveFrontEnd, optional
        By default the one of this process.

    Examples
    --------
    >>> explain(CellText("void f() { barrier(CLK_LOCAL_MEM_FENCE); }"), 13).clause
    'OpenCL C 1.2, 6.12.8: synchronization'
    """
    place = place_at(cell.source, offset)
    word, start = word_at(cell.source, offset)
    if not word or (place.kind == "none" and place_at(cell.source, start).kind == "none"):
        return None
    member = place_at(cell.source, start).kind == "member"
    known = None if member else fact(word)
    if known is not None:
        return of_fact(known)
    if len(cell.source.encode("utf-8", "replace")) > MAX_TEXT_BYTES:
        return None
    return _of_text(cell, word, start, tuple(programs), live or live_front_end(), member=member)


def of_fact(known: Fact) -> Explanation:
    """The explanation of a name of the language.

    Examples
    --------
    >>> of_fact(fact("float4")).rows[1]
    ('NumPy', 'float32 (4,)')
    """
    return Explanation(known.signature, known.kind, known.text, known.rows, known.clause)


def _of_text(
    cell: CellText, word: str, start: int, programs: tuple[Program, ...], live: LiveFrontEnd, *, member: bool
) -> Explanation | None:
    text = AnalysisRequest(cell.source, cell.options.options, (), cell.visible().headers)
    line, column = line_and_column(cell.source, start)
    seen = live.describe(text, line, column)
    if seen.name == word:
        return Explanation(_title(seen), seen.kind, seen.comment, _rows(cell, seen, programs))
    vector = live.complete(text, line, column).vector if member else ""
    found = next((one for one in swizzles(vector, word) if one.text == word), None)
    if found is None:
        return None
    words = f"Component{'s' if found.signature[-1].isdigit() else ''} of a {vector}."
    return Explanation(
        f"{found.signature} {vector}.{word}", "field", words, clause="OpenCL C 1.2, 6.1.7: vector components"
    )


def _title(seen: Description) -> str:
    return seen.declaration or f"{seen.type_name} {seen.name}"


def _rows(cell: CellText, seen: Description, programs: tuple[Program, ...]) -> tuple[tuple[str, str], ...]:
    rows = []
    if seen.size_bytes:
        size = "1 byte" if seen.size_bytes == 1 else f"{seen.size_bytes} bytes"
        rows.append(("size", f"{size}, aligned to {seen.alignment}"))
    if seen.line:
        rows.append(("declared in", f"line {seen.line + cell.source_map.first_line - 1}"))
    return (*rows, *(_work_group(cell, seen.name, programs) if seen.kind == "kernel" else ()))


def _work_group(cell: CellText, name: str, programs: tuple[Program, ...]) -> tuple[tuple[str, str], ...]:
    """What the device said of a kernel at the last build that has it."""
    for program in reversed(programs):
        info = next((one for one in program.result.kernels if one.name == name), None)
        if info is None:
            continue
        group = info.work_group
        state = "" if program.result.spec.source.split() == cell.source.split() else " (the text has changed since)"
        rows = [
            ("last build", f"{program.device.short_name}, {program.result.language_version}{state}"),
            (
                "work-group",
                f"at most {group.max_work_group_size} work-items, best a multiple of {group.preferred_multiple}",
            ),
            ("memory", f"local {group.local_mem_bytes} bytes, private {group.private_mem_bytes} bytes a work-item"),
        ]
        if any(group.compile_work_group_size):
            rows.append(("required size", " × ".join(map(str, group.compile_work_group_size))))
        return tuple(rows)
    return (("last build", "not built yet"),)
