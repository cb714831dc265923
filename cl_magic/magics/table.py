"""What the verbs of ``%opencl`` answer with: a title and a table, as HTML and as text."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.display.escape import escape, plain
from cl_magic.display.layout import columns, sentence
from cl_magic.display.page import wrap
from cl_magic.display.parts import bold, head, raw, small, table
from cl_magic.show import html_of, text_of


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table of texts.

    Attributes
    ----------
    title : tuple of str
        Facts of the first line; the first one is bold.
    heads : tuple of str
        Heads of the columns.
    rows : tuple of tuples of str
        The first cell names the row.
    notes : tuple of str
        Lines below, one sentence each.
    details : str
        Text as it is, in a box of its own.
    """

    title: tuple[str, ...]
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    details: str = ""


@text_of.register
def table_text(answer: Table) -> str:
    """Text of a table.

    Examples
    --------
    >>> print(table_text(Table(("2 programs", "PoCL cpu"), ("name", "kernels"), (("blur.cl", "2"),))))
    2 programs · PoCL cpu
      name     kernels
      blur.cl  2
    """
    lines = [plain(" · ".join(answer.title))]
    if answer.rows:
        lines += columns([answer.heads, *answer.rows], indent="  ")
    lines += [sentence(note, "  ") for note in answer.notes]
    return "\n".join([*lines, *([plain(answer.details)] if answer.details else [])])


@html_of.register
def table_html(answer: Table) -> str:
    """HTML of a table.

    Examples
    --------
    >>> "&lt;b&gt;" in table_html(Table(("1 program",), ("name",), (("<b>",),)))
    True
    """
    first, *rest = answer.title
    body = head([bold(escape(first)), *map(escape, rest)])
    if answer.rows:
        rows = [[escape(cell) for cell in row] for row in answer.rows]
        body += table([escape(name) for name in answer.heads], rows, first, css="kt")
    body += "".join(small(escape(note)) for note in answer.notes)
    body += raw(answer.details, "details") if answer.details else ""
    return wrap(body, label=first)
