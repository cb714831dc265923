"""Diagnostics on the lines of the cell: message, excerpt, mark under the range, fix-its and notes; HTML and text."""

from __future__ import annotations

from collections.abc import Iterable

from cl_magic.build.result import BuildResult
from cl_magic.clc.diagnostic import Diagnostic, FixIt
from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import WIDTH, sentence
from cl_magic.display.parts import Status, icon, quoted

_STATUS: dict[str, Status] = {"error": "error", "warning": "warn", "note": "note", "remark": "note"}


def source_line(result: BuildResult, line: int, file: str = "") -> str | None:
    """Text of a line as the user's editor shows it, or None where it is not known."""
    spec = result.spec
    if file:
        text = dict(spec.headers).get(file)
        lines = text.split("\n") if text is not None else []
        index = line - 1
        indent = ""
    else:
        lines = spec.source.split("\n")
        index = line - spec.source_map.first_line
        indent = " " * spec.source_map.indent
    return indent + lines[index] if 0 <= index < len(lines) else None


def position(diagnostic: Diagnostic) -> str:
    """``line:column``, with the header's name where it is no line of the cell; "" where there is none.

    Examples
    --------
    >>> position(Diagnostic("error", "", 12, 17))
    '12:17'
    """
    if not diagnostic.line:
        return diagnostic.file
    where = f"{diagnostic.line}:{diagnostic.column}" if diagnostic.column else f"{diagnostic.line}"
    return f"{diagnostic.file}:{where}" if diagnostic.file else where


def _marked(text: str, column: int, end_column: int, status: Status) -> str:
    """Code with a mark under the columns [column, end_column), from 1."""
    if not column:
        return escape(text)
    start = min(column - 1, len(text))
    end = max(end_column - 1, start + 1)
    range_text = text[start:end] or " "
    mark = f'<u class="is-{status}"><span>{escape(range_text)}</span></u>'
    return f"{escape(text[:start])}{mark}{escape(text[end:])}"


def _blank(text: str, upto: int) -> str:
    """Blanks (and the same tabs) as wide as the first `upto` characters."""
    return "".join("\t" if c == "\t" else " " for c in text[:upto].ljust(upto))


def _fixit_html(text: str, fixit: FixIt) -> str:
    why = f"<em>{quoted(fixit.why)}</em>" if fixit.why else ""
    new = f"<ins>{escape(fixit.text)}</ins>" if fixit.text else "<ins>(delete)</ins>"
    return f'<span><i class="plus">+</i><code>{_blank(text, fixit.column - 1)}{new}</code>{why}</span>'


def _excerpt_html(result: BuildResult, diagnostic: Diagnostic) -> str:
    text = source_line(result, diagnostic.line, diagnostic.file) if diagnostic.line else None
    if text is None:
        return ""
    code = _marked(text, diagnostic.column, diagnostic.end_column, _STATUS[diagnostic.severity])
    rows = [f"<span><i>{diagnostic.line}</i><code>{code}</code></span>"]
    for fixit in diagnostic.fixits:
        if fixit.line == diagnostic.line:
            rows.append(_fixit_html(text, fixit))
        elif (other := source_line(result, fixit.line, diagnostic.file)) is not None:
            rows.append(f"<span><i>{fixit.line}</i><code>{escape(other)}</code></span>{_fixit_html(other, fixit)}")
    return f'<div class="src">{"".join(rows)}</div>'


def _message_html(diagnostic: Diagnostic) -> str:
    option = f' <span class="dim nw sm">{escape(diagnostic.option)}</span>' if diagnostic.option else ""
    return f"<span>{quoted(diagnostic.message)}{option}</span>"


def _note_html(result: BuildResult, note: Diagnostic) -> str:
    message, where = note.message, position(note)
    lead, colon, rest = message.partition(": ")
    if not where and colon and " " not in lead:
        where, body = lead, f"<span><code>{escape(rest)}</code></span>"
    else:
        body = _message_html(note)
    return (
        f'<div class="att"><span class="is-note">note</span><span class="pos">{escape(where)}</span>{body}</div>'
        f"{_excerpt_html(result, note)}"
    )


def diagnostics_html(result: BuildResult, diagnostics: Iterable[Diagnostic]) -> str:
    """Ordered list of diagnostics with their excerpts.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> result = BuildResult(False, ProgramSpec("int x"))
    >>> '<u class="is-error"><span>x</span></u>' in diagnostics_html(result, [Diagnostic("error", "no", 1, 5, 6)])
    True
    """
    items = []
    for diagnostic in diagnostics:
        status = _STATUS[diagnostic.severity]
        notes = "".join(_note_html(result, note) for note in diagnostic.notes)
        items.append(
            f'<li class="diag">{icon(status)}<b class="is-{status}">{diagnostic.severity}</b>'
            f'<span class="pos">{escape(position(diagnostic))}</span>{_message_html(diagnostic)}'
            f"{_excerpt_html(result, diagnostic)}{notes}</li>"
        )
    return f'<ol class="diags">{"".join(items)}</ol>' if items else ""


def _window(text: str, column: int) -> tuple[str, int]:
    """At most 80 columns of a long line around `column` (from 0), and the columns cut from its left."""
    room = WIDTH - 20
    if len(text) <= room:
        return text, 0
    left = max(0, min(column - room // 2, len(text) - room))
    piece = text[left : left + room]
    piece = ("…" + piece[1:]) if left else piece
    return (piece[:-1] + "…" if left + room < len(text) else piece), left


def _excerpt_text(result: BuildResult, diagnostic: Diagnostic) -> list[str]:
    line = source_line(result, diagnostic.line, diagnostic.file) if diagnostic.line else None
    if line is None:
        return []
    column, end = diagnostic.column, max(diagnostic.end_column, diagnostic.column + 1)
    start = len(plain(line[: column - 1])) if column else 0
    length = max(1, len(plain(line[: end - 1])) - start) if column else 0
    text, left = _window(plain(line), start)
    gutter = max(4, len(str(diagnostic.line)) + 2)
    rows = [f"{diagnostic.line:>{gutter}} | {text}"]
    start -= left
    if column:
        marks = "^" + "~" * (min(length, len(text) - start) - 1)
        rows.append(f"{'':>{gutter}} | {'':{start}}{marks}")
    rows += [row for f in diagnostic.fixits if f.line == diagnostic.line for row in _fixit_text(line, f, left, gutter)]
    return rows


def _fixit_text(line: str, fixit: FixIt, left: int, gutter: int) -> list[str]:
    start = max(0, len(plain(line[: fixit.column - 1])) - left)
    new = plain(fixit.text) or "(delete)"
    row = f"{'+':>{gutter}} | {'':{start}}{new}"
    if not fixit.why:
        return [row[:WIDTH]]
    both = f"{row}        {plain(fixit.why)}"
    return [both] if len(both) <= WIDTH else [row[:WIDTH], sentence(fixit.why, " " * (gutter + 3))]


def diagnostics_text(result: BuildResult, diagnostics: Iterable[Diagnostic]) -> list[str]:
    """Lines of the text form: message, excerpt with carets, fix-it lines, notes.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> result = BuildResult(False, ProgramSpec("int x"))
    >>> print(*diagnostics_text(result, [Diagnostic("error", "expected ';'", 1, 5, 6)]), sep=chr(10))
    error 1:5: expected ';'
       1 | int x
         |     ^
    """
    lines: list[str] = []
    for diagnostic in diagnostics:
        where = position(diagnostic)
        option = f" [{diagnostic.option}]" if diagnostic.option else ""
        lead = f"{diagnostic.severity} {where}: " if where else f"{diagnostic.severity}: "
        lines.append(sentence(diagnostic.message + option, lead, "  "))
        lines += _excerpt_text(result, diagnostic)
        for note in diagnostic.notes:
            where = position(note)
            lines.append(sentence(note.message, f"  note {where}: " if where else "  note: ", "    "))
            lines += _excerpt_text(result, note)
    return lines
