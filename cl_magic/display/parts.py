"""Building blocks of an output's HTML: the line of facts, folding sections, tables, lists of reasons, keys.

Arguments that are HTML say so in their name or description; everything else is escaped here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from cl_magic.display.escape import escape

Status = Literal["error", "warn", "ok", "note"]

_ICONS = {
    "error": '<circle cx="6" cy="6" r="6" fill="currentColor" stroke="none"/>'
    '<path style="stroke:var(--clm-paper)" d="M3.8 3.8l4.4 4.4M8.2 3.8L3.8 8.2"/>',
    "warn": '<path d="M6 1.2 11.2 11H.8zM6 4.6v3M6 8.6v1.2"/>',
    "ok": '<path style="stroke-width:1.8" d="M1.5 6.5 4.6 9.6 10.6 2.4"/>',
    "note": '<circle cx="6" cy="6" r="5"/><path d="M6 5v4M6 2.6v1.2"/>',
}
_TAG = re.compile(r"<[^>]*>")
_LONG = 60
_QUOTED = re.compile(r"(?<!\w)'([^'\n]{1,200})'(?!\w)")  # no apostrophe inside a word


def icon(status: Status) -> str:
    """Mark of a status, 12 px; the word beside it says the same.

    Examples
    --------
    >>> icon("ok")[:22]
    '<svg class="ic is-ok" '
    """
    return f'<svg class="ic is-{status}" viewBox="0 0 12 12" aria-hidden="true">{_ICONS[status]}</svg>'


def mono(text: str) -> str:
    """A word of the source in the code font."""
    return f'<span class="mono">{escape(text)}</span>'


def bold(html: str) -> str:
    """HTML in weight 600."""
    return f"<b>{html}</b>"


def dim(html: str) -> str:
    """HTML in the second ink."""
    return f'<span class="dim">{html}</span>'


def quoted(text: str) -> str:
    """A sentence whose 'quoted' words are code.

    Examples
    --------
    >>> quoted("no 'x' here")
    'no <code>x</code> here'
    """
    pieces = _QUOTED.split(text)
    return "".join(f"<code>{escape(piece)}</code>" if i % 2 else escape(piece) for i, piece in enumerate(pieces))


def facts(parts: Iterable[str]) -> str:
    """Facts (HTML each) of one line, parted by middle dots; only a sentence may break inside.

    Examples
    --------
    >>> facts(["a", "b"])
    '<span>a</span><span class="dim"> · </span><span>b</span>'
    """
    dot = '<span class="dim"> · </span>'
    spans = []
    for part in filter(None, parts):
        css = ' class="long"' if len(_TAG.sub("", part)) > _LONG else ""
        spans.append(f"<span{css}>{part}</span>")
    return dot.join(spans)


def head(parts: Iterable[str], status: Status | None = None) -> str:
    """First line of an output that does not fold."""
    return f'<p class="head">{icon(status) if status else ""}{facts(parts)}</p>'


def line(parts: Iterable[str], status: Status, body: str, *, opened: bool = False) -> str:
    """First line of an output; a click unfolds the body (HTML)."""
    attribute = " open" if opened else ""
    return (
        f'<details class="line"{attribute}><summary class="head">{icon(status)}{facts(parts)}</summary>{body}</details>'
    )


def section(title: str, conclusion: str, body: str, *, opened: bool = False, view: str = "") -> str:
    """Folding section; its conclusion (HTML) reads while it is folded. `view` names the live view of the same."""
    attribute = (f' data-clm-view="{escape(view)}"' if view else "") + (" open" if opened else "")
    return (
        f'<details class="sec"{attribute}><summary><b>{escape(title)}</b><span>{conclusion}</span></summary>'
        f'<div class="body">{body}</div></details>'
    )


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], label: str, *, css: str = "", caption: str = ""
) -> str:
    """Table in a scrolling box with a name.

    Parameters
    ----------
    columns : sequence of str
        HTML of the heads; a leading ``#`` makes a column of numbers, right-aligned.
    rows : iterable of sequences of str
        HTML of the cells; the first one names the row.
    label : str
        Name of the box for screen readers.

    Examples
    --------
    >>> table(["array", "#bytes"], [["src", "4"]], "arrays").count('class="num"')
    2
    """
    classes = [' class="num"' if column.startswith("#") else "" for column in columns]
    heads = "".join(f'<th scope="col"{k}>{c.removeprefix("#")}</th>' for c, k in zip(columns, classes, strict=True))
    body = "".join(f"<tr>{_cells(row, classes)}</tr>" for row in rows)
    title = f"<caption>{caption}</caption>" if caption else ""
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(label)}">'
        f'<table class="{css}">{title}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _cells(row: Sequence[str], classes: Sequence[str]) -> str:
    cells = [
        f'<th scope="row"{classes[i]}>{cell}</th>' if i == 0 else f"<td{classes[i]}>{cell}</td>"
        for i, cell in enumerate(row)
    ]
    return "".join(cells)


def pairs(rows: Iterable[tuple[str, str]], css: str = "") -> str:
    """List of names and what is said of them (HTML both)."""
    body = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows)
    return f'<dl class="kv {css}">{body}</dl>' if body else ""


def small(html: str) -> str:
    """A note under a table or picture."""
    return f'<p class="sm dim">{html}</p>' if html else ""


def key(entries: Iterable[tuple[str, str]], style: str = "") -> str:
    """Key of a picture: swatch (content of an svg of 20 × 12 px) and its words (HTML)."""
    items = "".join(f'<span><svg aria-hidden="true">{swatch}</svg>{words}</span>' for swatch, words in entries)
    return f'<p class="key" style="{style}">{items}</p>'


def raw(text: str, label: str, *, faint: bool = False) -> str:
    """Text as it came, in a scrolling box."""
    css = "raw dim" if faint else "raw"
    return f'<pre class="{css}" tabindex="0" aria-label="{escape(label)}">{escape(text)}</pre>'
