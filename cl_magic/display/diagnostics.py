"""Diagnostics on the lines of the cell: message, excerpt, mark under the range, fix-its and notes; HTML and text."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from cl_magic.build.excerpt import Excerpt, ExcerptFix, ExcerptLine, excerpt_of
from cl_magic.build.result import BuildResult
from cl_magic.clc.diagnostic import Diagnostic
from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import WIDTH, clip, sentence
from cl_magic.display.parts import Status, icon, quoted
from cl_magic.record.numbers import count

_STATUS: dict[str, Status] = {"error": "error", "warning": "warn", "note": "note", "remark": "note"}


def _excerpt(result: BuildResult, diagnostic: Diagnostic) -> Excerpt | None:
    """Lines of the cell, or of a virtual header, under a diagnostic."""
    spec = result.spec
    if not diagnostic.file:
        return excerpt_of(diagnostic, spec.source, spec.source_map)
    text = dict(spec.headers).get(diagnostic.file)
    return excerpt_of(dataclasses.replace(diagnostic, file=""), text) if text is not None else None


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


def _marked(line: ExcerptLine, status: Status) -> str:
    """Code with a mark under its marked range."""
    if line.end <= line.start:
        return escape(line.text)
    marked = line.text[line.start : line.end] or " "
    mark = f'<u class="is-{status}"><span>{escape(marked)}</span></u>'
    return f"{escape(line.text[: line.start])}{mark}{escape(line.text[line.end :])}"


def _fix_html(fix: ExcerptFix) -> str:
    why = f"<em>{quoted(fix.why)}</em>" if fix.why else ""
    new = f"<ins>{escape(fix.text or '(delete)')}</ins>"
    return f'<span><i class="plus">+</i><code>{" " * fix.start}{new}</code>{why}</span>'


def _excerpt_html(result: BuildResult, diagnostic: Diagnostic) -> str:
    excerpt = _excerpt(result, diagnostic)
    if excerpt is None:
        return ""
    status = _STATUS[diagnostic.severity]
    rows = [f"<span><i>{line.number}</i><code>{_marked(line, status)}</code></span>" for line in excerpt.lines]
    rows += [_fix_html(fix) for fix in excerpt.fixes]
    return f'<div class="src">{"".join(rows)}</div>'


def _message_html(diagnostic: Diagnostic) -> str:
    option = f' <span class="dim nw sm">{escape(diagnostic.option)}</span>' if diagnostic.option else ""
    return f"<span>{quoted(diagnostic.message)}{option}</span>"


def _same_place(note: Diagnostic, owner: Diagnostic) -> bool:
    """Whether the note's excerpt would repeat its owner's."""
    return (note.file, note.line, note.column) == (owner.file, owner.line, owner.column)


def _note_html(result: BuildResult, note: Diagnostic, owner: Diagnostic) -> str:
    message, where = note.message, position(note)
    lead, colon, rest = message.partition(": ")
    if not where and colon and " " not in lead:
        where, body = lead, f"<span><code>{escape(rest)}</code></span>"
    else:
        body = _message_html(note)
    return (
        f'<div class="att"><span class="is-note">note</span><span class="pos">{escape(where)}</span>{body}</div>'
        f"{'' if _same_place(note, owner) else _excerpt_html(result, note)}"
    )


SHOWN = 100
"""Diagnostics that a report shows; all of them are in the result. A macro that hits a driver's own headers gives
thousands."""


def _left_out(diagnostics: Sequence[Diagnostic]) -> str:
    more = len(diagnostics) - SHOWN
    return f"{count(more)} more messages are in error.result.diagnostics" if more > 0 else ""


def diagnostics_html(result: BuildResult, diagnostics: Sequence[Diagnostic]) -> str:
    """Ordered list of diagnostics with their excerpts.

    Examples
    --------
    >>> from cl_magic.build.spec import ProgramSpec
    >>> result = BuildResult(False, ProgramSpec("int x"))
    >>> '<u class="is-error"><span>x</span></u>' in diagnostics_html(result, [Diagnostic("error", "no", 1, 5, 6)])
    True
    """
    items = []
    for diagnostic in diagnostics[:SHOWN]:
        status = _STATUS[diagnostic.severity]
        notes = "".join(_note_html(result, note, diagnostic) for note in diagnostic.notes)
        items.append(
            f'<li class="diag">{icon(status)}<b class="is-{status}">{diagnostic.severity}</b>'
            f'<span class="pos">{escape(position(diagnostic))}</span>{_message_html(diagnostic)}'
            f"{_excerpt_html(result, diagnostic)}{notes}</li>"
        )
    more = _left_out(diagnostics)
    rest = f'<p class="dim">{escape(more)}.</p>' if more else ""
    return f'<ol class="diags">{"".join(items)}</ol>{rest}' if items else ""


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
    excerpt = _excerpt(result, diagnostic)
    if excerpt is None:
        return []
    gutter = max(4, len(str(diagnostic.line)) + 2)
    rows, left = [], 0
    for line in excerpt.lines:
        text, left = _window(plain(line.text), line.start)
        rows.append(f"{line.number:>{gutter}} | {text}")
        if line.end > line.start:
            start = line.start - left
            marks = "^" + "~" * (min(line.end - left, max(len(text), start + 1)) - start - 1)
            rows.append(f"{'':>{gutter}} | {'':{start}}{marks}")
    return rows + [row for fix in excerpt.fixes for row in _fix_text(fix, left, gutter)]


def _fix_text(fix: ExcerptFix, left: int, gutter: int) -> list[str]:
    row = f"{'+':>{gutter}} | {'':{max(0, fix.start - left)}}{plain(fix.text) or '(delete)'}"
    if not fix.why:
        return [clip(row)]
    both = f"{row}        {plain(fix.why)}"
    return [both] if len(both) <= WIDTH else [clip(row), sentence(fix.why, " " * (gutter + 3))]


def diagnostics_text(result: BuildResult, diagnostics: Sequence[Diagnostic]) -> list[str]:
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
    for diagnostic in diagnostics[:SHOWN]:
        where = position(diagnostic)
        option = f" [{diagnostic.option}]" if diagnostic.option else ""
        lead = f"{diagnostic.severity} {where}: " if where else f"{diagnostic.severity}: "
        lines.append(sentence(diagnostic.message + option, lead, "  "))
        lines += _excerpt_text(result, diagnostic)
        for note in diagnostic.notes:
            where = position(note)
            lines.append(sentence(note.message, f"  note {where}: " if where else "  note: ", "    "))
            lines += [] if _same_place(note, diagnostic) else _excerpt_text(result, note)
    more = _left_out(diagnostics)
    return [*lines, f"{more}."] if more else lines
