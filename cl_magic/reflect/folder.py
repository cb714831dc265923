"""A folder with the forms of a program, and an index that says what each file is and what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

INDEX = "index.txt"
_UNSAFE = re.compile(r"[^\w.$-]", re.ASCII)


@dataclass(frozen=True, slots=True)
class DumpedFile:
    """A file of the folder: its name, its bytes, and one sentence about it."""

    name: str
    data: bytes
    what: str


def write_folder(
    folder: Path,
    files: Iterable[DumpedFile],
    missing: Iterable[tuple[str, str]],
    head: Sequence[str] = (),
    notes: Iterable[str] = (),
) -> Path:
    """Write the files and ``index.txt``; files of other names stay.

    Parameters
    ----------
    folder : Path
        Made where it does not exist.
    files : iterable of DumpedFile
    missing : iterable of (str, str)
        Form that the device does not give, and the reason.
    head : sequence of str
        First lines of the index.
    notes : iterable of str
        What was done, one sentence each.

    Returns
    -------
    Path
        `folder`.

    Examples
    --------
    >>> import tempfile
    >>> made = write_folder(Path(tempfile.mkdtemp()), [DumpedFile("a.ll", b"ret", "IR")], [("ptx", "no")])
    >>> sorted(path.name for path in made.iterdir())
    ['a.ll', 'index.txt']
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = [*head, "", "files:"]
    for file in files:
        name = _UNSAFE.sub("_", file.name)
        (folder / name).write_bytes(file.data)
        rows.append(f"  {name}  {len(file.data)} B  {file.what}")
    absent = [f"  {kind}: {why}" for kind, why in missing]
    rows += ["", "missing:", *(absent or ["  nothing"])]
    rows += ["", "notes:", *(f"  {note}" for note in dict.fromkeys(notes))]
    (folder / INDEX).write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder
