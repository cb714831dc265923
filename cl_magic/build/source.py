"""Source text made fit for every compiler."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from cl_magic.build.source_map import SourceMap
from cl_magic.errors import SourceError

MAX_SOURCE_BYTES = 16_000_000
_BOM = "\ufeff"


def prepare_source(given: str | bytes | Sequence[str], where: SourceMap | None = None) -> tuple[str, tuple[str, ...]]:
    r"""Source text for a compiler, and notes on what was changed.

    A byte-order mark is removed, line ends become ``\n``, bytes are read as UTF-8 (UTF-16 if a
    byte-order mark says so) or, where they are not, as Latin-1.

    Parameters
    ----------
    given : str, bytes or sequence of str
        At most 16 MB. Texts in a sequence are one after the other, as clCreateProgramWithSource takes them.
    where : SourceMap, optional
        Where the text came from: errors name the lines and columns there.

    Raises
    ------
    SourceError
        NUL character (PoCL silently ignores what stands behind it), lone surrogate, too large a text. `line` and
        `column` (from 1, characters) are attributes.

    Examples
    --------
    >>> prepare_source(b"\xef\xbb\xbfint a;\r\nint b;")
    ('int a;\nint b;', ('a byte-order mark was removed',))
    >>> prepare_source(["int a;", "int b;"])
    ('int a;int b;', ())
    """
    if not isinstance(given, str | bytes):
        given = "".join(given)
    _check_size(len(given))
    text, notes = _decoded(given) if isinstance(given, bytes) else (given, [])
    if text.startswith(_BOM):
        text = text.removeprefix(_BOM)
        notes.append("a byte-order mark was removed")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    _check_characters(text, where or SourceMap())
    _check_size(len(text.encode("utf-8")))
    return text, tuple(notes)


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


def _check_characters(text: str, where: SourceMap) -> None:
    nul = text.find("\0")
    lone = next((i for i, char in enumerate(text) if "\ud800" <= char <= "\udfff"), -1) if not text.isascii() else -1
    if nul < 0 and lone < 0:
        return
    at = min(index for index in (nul, lone) if index >= 0)
    line, column = where.line(text.count("\n", 0, at) + 1), where.column(at - text.rfind("\n", 0, at))
    what = "a NUL character" if at == nul else f"a lone surrogate (U+{ord(text[at]):04X})"
    remedy = (
        "remove it: compilers ignore what stands behind it" if at == nul else "remove it, or read the file as UTF-8"
    )
    msg = f"the source holds {what} at {line}:{column}"
    raise SourceError(msg, remedy=remedy, line=line, column=column, character=text[at])
