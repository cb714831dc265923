"""How the arguments of a call would be bound: one row a parameter, faults with their remedy."""

from __future__ import annotations

from cl_magic.display.escape import escape
from cl_magic.display.layout import columns, sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import Status, bold, dim, head, mono, table
from cl_magic.display.quantity import counted
from cl_magic.launch.explanation import Explained, Explanation

_WAYS = {"in": "↑", "out": "↑ ↓", "inout": "↑ ↓", "": ""}


def explanation_html(explanation: Explanation) -> str:
    """HTML table of arguments.

    Examples
    --------
    >>> "<b>f</b>" in explanation_html(Explanation("f", (Explained("int n", "int 3", "3, 4 B"),)))
    True
    """
    rows = [
        [mono(row.declaration), escape(row.given), _becomes(row), _WAYS[row.direction], dim(escape(row.reason))]
        for row in explanation.rows
    ]
    body = head([bold(escape(explanation.kernel)), *map(escape, _title(explanation))], _status(explanation))
    if rows:
        body += table(["parameter", "given", "becomes", "way", "why"], rows, "arguments", css="kt")
    return wrap(body, label=f"arguments of {explanation.kernel}")


def explanation_text(explanation: Explanation) -> str:
    """Text table of arguments.

    Examples
    --------
    >>> print(explanation_text(Explanation("f", (Explained("int n", "int 3", "3, 4 B"),))))
    f · 1 argument · nothing launched
      parameter  given  becomes
      int n      int 3  3, 4 B
    """
    lines = [" · ".join([explanation.kernel, *_title(explanation)])]
    rows = [(row.declaration, row.given, _plain(row)) for row in explanation.rows]
    if rows:
        lines += columns([("parameter", "given", "becomes"), *rows], indent="  ")
    for row in explanation.rows:
        if row.fault:
            lines += [sentence(f"{row.declaration} {row.fault}", "  "), sentence(row.remedy, "  → ")]
    return "\n".join(lines)


def _status(explanation: Explanation) -> Status:
    return "ok" if explanation.ok else "error"


def _title(explanation: Explanation) -> list[str]:
    faults = sum(bool(row.fault) for row in explanation.rows)
    parts = [counted(len(explanation.rows), "argument"), "nothing launched"]
    return [*parts, f"{faults} cannot be bound"] if faults else parts


def _becomes(row: Explained) -> str:
    if not row.fault:
        return escape(row.becomes)
    words = escape(row.fault).replace("\n", "<br>")
    return f'<span class="is-error">refused</span> {words}<br>{dim("→ " + escape(row.remedy))}'


def _plain(row: Explained) -> str:
    if row.fault:
        return "refused"
    way = _WAYS[row.direction]
    return f"{row.becomes}  {way} {row.reason}" if way else row.becomes
