"""Source text made fit for every compiler, and where its lines stand in the user's cell."""

from __future__ import annotations

import codecs

from cl_magic.build.lexical import source_lines
from cl_magic.build.source_map import SourceMap
from cl_magic.errors import SourceError

MAX_SOURCE_BYTES = 16_000_000
_BOM = "\ufeff"
_MAGIC = "%%"


def prepare_source(given: str | bytes) -> tuple[str, tuple[str, ...]]:
    r"""Source text for a compiler, and notes on what was changed.

    A byte-order mark is removed, line ends become ``\n``, bytes are read as UTF-8 (UTF-16 if a
    byte-order mark says so) or, where they are not, as Latin-1.

    Parameters
    ----------
    given : str or bytes
        At most 16 MB.

    Raises
    ------
    SourceError
        NUL character (PoCL silently ignores what stands behind it), lone surrogate, too large a text. `line` and
        `column` (from 1, characters) are attributes.

    Examples
    --------
    >>> prepare_source(b"\xef\xbb\xbfint a;\r\nint b;")
    ('int a;\nint b;', ('a byte-order mark was removed',))
    """
    _check_size(len(given))
    text, notes = _decoded(given) if isinstance(given, bytes) else (given, [])
    if text.startswith(_BOM):
        text = text.removeprefix(_BOM)
        notes.append("a byte-order mark was removed")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    _check_characters(text)
    _check_size(len(text.encode("utf-8")))
    return text, tuple(notes)


def source_map_for_cell(raw_cell: str | None, body: str, name: str) -> SourceMap:
    r"""Map from the body that a cell magic got to the lines of the cell as its editor numbers them.

    IPython takes leading blank lines and the first line's indent away before a magic runs; both are counted here.

    Parameters
    ----------
    raw_cell : str or None
        The cell as typed, where it is known. Without it the magic line is taken for line 1, and no indent.
    body : str
        What the magic got.
    name : str
        What reports call the source: ``cell [3]``.

    Examples
    --------
    >>> source_map_for_cell("\n  %%opencl -DN=1\n  int a;\n", "int a;\n", "cell [3]")
    SourceMap(name='cell [3]', first_line=3, indent=2, prelude_lines=0)
    >>> source_map_for_cell(None, "int a;\n", "cell").first_line
    2
    """
    lines = source_lines(_unix(raw_cell or ""))
    wanted = [line.strip() for line in source_lines(_unix(body).rstrip())]
    magics = [index for index, line in enumerate(lines) if line.lstrip().startswith(_MAGIC)]
    exact = [i for i in magics if [line.strip() for line in lines[i + 1 : i + 1 + len(wanted)]] == wanted]
    ours = exact or [index for index in magics if lines[index].lstrip().startswith("%%opencl")]
    if not ours:
        return SourceMap(name, first_line=2)
    start = ours[-1] + 1
    return SourceMap(name, first_line=start + 1, indent=_indent(lines[start:], source_lines(_unix(body))))


def _indent(raw: list[str], body: list[str]) -> int:
    """Characters that the first line with text lost on its left."""
    for typed, got in zip(raw, body, strict=False):
        if got.strip():
            return max(len(typed.rstrip()) - len(got.rstrip()), 0)
    return 0


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes) -> tuple[str, list[str]]:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace"), ["the text was read as UTF-16"]
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        note = f"the text is not UTF-8 (byte 0x{data[error.start]:02X} in line {line}): it was read as Latin-1"
        return data.decode("latin-1"), [note]


def _check_size(size: int) -> None:
    if size > MAX_SOURCE_BYTES:
        msg = f"the source has {size:,} bytes, over the limit of {MAX_SOURCE_BYTES:,}".replace(",", " ")
        raise SourceError(msg, remedy="pass tables as buffers", size_bytes=size, limit_bytes=MAX_SOURCE_BYTES)


def _check_characters(text: str) -> None:
    nul = text.find("\0")
    lone = next((i for i, char in enumerate(text) if "\ud800" <= char <= "\udfff"), -1) if not text.isascii() else -1
    if nul < 0 and lone < 0:
        return
    at = min(index for index in (nul, lone) if index >= 0)
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    what = "a NUL character" if at == nul else f"a lone surrogate (U+{ord(text[at]):04X})"
    remedy = (
        "remove it: compilers ignore what stands behind it" if at == nul else "remove it, or read the file as UTF-8"
    )
    msg = f"the source holds {what} at {line}:{column}"
    raise SourceError(msg, remedy=remedy, line=line, column=column, character=text[at])
