"""Layout of a structure or union as a picture: bytes in rows, members as bars, padding dotted; and as a table."""

from __future__ import annotations

from collections.abc import Iterator

from cl_magic.clc.structs import Field, Layout
from cl_magic.display import svg
from cl_magic.display.escape import escape
from cl_magic.display.layout import columns
from cl_magic.display.page import ID, wrap
from cl_magic.display.parts import bold, head, key, mono, small, table
from cl_magic.display.quantity import count, counted

_ROW_BYTES = 16
_MOST_ROWS = 16
_BAR, _STEP, _TOP = 22, 30, 16
_LEFT = 6.0
"""Per cent of the width for the offsets of the rows."""
_NAMED = 6
"""Characters that fit into one byte's room at the usual width, in fourths."""


def layout_html(layout: Layout) -> str:
    """HTML with the picture and the table of members.

    Examples
    --------
    >>> pair = Layout("P", "struct", 8, 4, (Field("c", "char", 0, 1), Field("v", "int", 4, 4)))
    >>> "3 B of padding" in layout_html(pair)
    True
    """
    title = [bold(escape(layout.short_name)), *map(escape, _title(layout))]
    body = head(title)
    if layout.fields:
        body += _picture(layout) + _key(layout)
        heads = ["member", "#offset", "#bytes", "type"]
        body += table(heads, [_cells(*row) for row in _rows(layout)], "members", css="kt")
    rows = -(-layout.size_bytes // _width(layout))
    if rows > _MOST_ROWS:
        body += small(f"The picture shows the first {count(_MOST_ROWS * _width(layout))} B; the table shows all.")
    return wrap(body, label=f"layout of {layout.short_name}")


def layout_text(layout: Layout) -> str:
    """Text table of members.

    Examples
    --------
    >>> print(layout_text(Layout("P", "struct", 8, 4, (Field("c", "char", 0, 1), Field("v", "int", 4, 4)))))
    P · struct · 8 B · aligned to 4 B · 3 B of padding
      member     offset  bytes  type
      c               0      1  char
      (padding)       1      3
      v               4      4  int
    """
    lines = [" · ".join([layout.short_name, *_title(layout)])]
    rows = [(name, count(offset), count(size), kind) for name, offset, size, kind in _rows(layout)]
    if rows:
        lines += columns([("member", "offset", "bytes", "type"), *rows], (1, 2), "  ")
    return "\n".join(lines)


def _title(layout: Layout) -> list[str]:
    parts = [layout.kind, f"{count(layout.size_bytes)} B", f"aligned to {count(layout.alignment)} B"]
    if layout.bit_field:
        return [*parts, f"bit-field {layout.bit_field}: no layout"]
    padding = layout.padding_bytes
    return [*parts, f"{count(padding)} B of padding" if padding else "no padding"]


def _rows(layout: Layout, prefix: str = "", base: int = 0) -> Iterator[tuple[str, int, int, str]]:
    """Members and, between them, padding: name, offset, bytes, type; nested ones after their holder."""
    gaps = dict(layout.gaps)
    end = 0
    for field in layout.fields:
        if layout.kind == "struct" and end in gaps and field.offset_bytes > end:
            yield "(padding)", base + end, gaps.pop(end), ""
        yield f"{prefix}{field.name}", base + field.offset_bytes, field.size_bytes, _kind(field)
        if field.layout is not None and not field.shape:
            yield from _rows(field.layout, f"{prefix}{field.name}.", base + field.offset_bytes)
        end = max(end, field.offset_bytes + field.size_bytes)
    if layout.size_bytes > end:
        yield "(padding)", base + end, layout.size_bytes - end, ""


def _kind(field: Field) -> str:
    return f"{field.type_name}{''.join(f'[{length}]' for length in field.shape)}"


def _cells(name: str, offset: int, size: int, kind: str) -> list[str]:
    padding = name == "(padding)"
    named = '<span class="dim">padding</span>' if padding else mono(name)
    return [named, count(offset), count(size), mono(kind) if kind else ""]


def _width(layout: Layout) -> int:
    """Bytes in one row of the picture."""
    return _ROW_BYTES if layout.size_bytes > _ROW_BYTES // 2 else max(layout.size_bytes, 1)


def _picture(layout: Layout) -> str:
    width = _width(layout)
    rows = min(-(-layout.size_bytes // width), _MOST_ROWS)
    share = (100 - _LEFT) / width
    marks = _spans(layout) if layout.kind == "struct" else _lanes(layout)
    if layout.kind == "union":
        rows = min(rows * len(layout.fields), _MOST_ROWS)
    shapes = [svg.dots()]
    shapes += [svg.text(str(i), _LEFT + share * i, 11, "dim", "%") for i in range(0, width, max(width // 4, 1))]
    for place, name, start, size, lane in marks:
        for row, first, length in _pieces(start, size, width):
            at = row + lane
            if at < rows:
                box = (_LEFT + share * first, _TOP + _STEP * at, share * length, _BAR)
                shapes += _bar(box, name if row == start // width else "", place, length)
    for row in range(rows):
        offset = row * width if layout.kind == "struct" else 0
        shapes.append(svg.text(str(offset), 0, _TOP + _STEP * row + 15, "dim"))
    label = f"{layout.short_name}, {layout.size_bytes} bytes: " + ", ".join(
        f"{name} at {offset}" for name, offset, _, kind in _rows(layout) if kind
    )
    return svg.picture("".join(shapes), label, "100%", _TOP + _STEP * rows)


def _spans(layout: Layout) -> Iterator[tuple[int, str, int, int, int]]:
    """Members and gaps: place (−1 for padding), name, offset, bytes, lane."""
    for place, field in enumerate(layout.fields):
        yield place, field.name, field.offset_bytes, field.size_bytes, 0
    for offset, size in layout.gaps:
        yield -1, "", offset, size, 0


def _lanes(layout: Layout) -> Iterator[tuple[int, str, int, int, int]]:
    """Members of a union, one below the other."""
    height = -(-layout.size_bytes // _width(layout))
    for place, field in enumerate(layout.fields):
        yield place, field.name, field.offset_bytes, field.size_bytes, place * height


def _pieces(start: int, size: int, width: int) -> Iterator[tuple[int, int, int]]:
    """A stretch of bytes cut at the ends of rows: row, first byte in it, length."""
    at, end = start, start + size
    while at < end:
        length = min(width - at % width, end - at)
        yield at // width, at % width, length
        at += length


def _bar(box: tuple[float, float, float, float], name: str, place: int, length: int) -> list[str]:
    x, y, _, _ = box
    if place < 0:
        return [svg.bar("", box, "pad"), svg.bar("s-grid", box)]
    shapes = [svg.bar("f-a" if place % 2 == 0 else "f-b", box), svg.bar("s-grid", box)]
    room = length * _NAMED
    if name and room >= _NAMED:
        shown = name if len(name) <= room else name[: max(room - 1, 1)] + "…"
        shapes.append(svg.text(shown, x + 0.6, y + 15, "", "%"))
    return shapes


def _key(layout: Layout) -> str:
    entries = [(svg.SWATCH_GROUPS, f"{counted(len(layout.fields), 'member')}")]
    if layout.padding_bytes:
        dotted = f'{svg.dots("kp")}<rect width="20" height="12" fill="url(#{ID}kp)"/>'
        entries.append((dotted, f"padding, {count(layout.padding_bytes)} B"))
    return key(entries)
