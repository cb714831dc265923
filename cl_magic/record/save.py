"""One value in one file: a ``.clm`` is a zip of a manifest, the JSON header and the binary columns, with their digests.

It holds no pickle and no array of the user's, only what the codec writes, so that it can be read on any machine and
opening one from elsewhere runs nothing.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import msgspec

from cl_magic.errors import RecordError
from cl_magic.record.codec import from_json, to_json

FORMAT = "cl_magic record"
FILE_VERSION = 1
SUFFIX = ".clm"
SIZE_LIMIT_BYTES = 1 << 30
"""Larger files are refused: captures stay far below, so it is damage or malice."""
_MANIFEST, _HEADER = "manifest.json", "header.json"


class _Manifest(msgspec.Struct):
    format: str
    version: int
    type: str
    digests: dict[str, str]


def save(value: Any, path: str | os.PathLike[str]) -> Path:  # noqa: ANN401 - any value class
    """Write a value to a file, all or nothing.

    Parameters
    ----------
    value : RunRecord or another value
    path : path
        ``.clm`` is added where the name has no suffix. An existing file is replaced only when all is written.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    RecordError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from cl_magic.launch.ndrange import NDRange
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load(NDRange, save(NDRange((8,)), f"{folder}/range"))
    NDRange(global_size=(8,), local_size=None, global_offset=None)
    """
    target = Path(path).expanduser()
    target = target if target.suffix else target.with_name(target.name + SUFFIX)
    header, columns = to_json(value)
    members = {_HEADER: header, **{f"columns/{i}.bin": column for i, column in enumerate(columns)}}
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    manifest = msgspec.json.encode(_Manifest(FORMAT, FILE_VERSION, type(value).__name__, digests))
    try:
        _write(target, {_MANIFEST: manifest, **members})
    except OSError as error:
        msg = f"{target} cannot be written: {error.strerror or error}"
        raise RecordError(msg, remedy="choose a folder that exists and can be written", path=str(target)) from error
    return target


def _write(target: Path, members: dict[str, bytes]) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with (
            os.fdopen(descriptor, "wb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as out,
        ):
            for member, data in members.items():
                out.writestr(member, data)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)  # mkstemp makes private files; a record is an ordinary one
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load(type_: Any, path: str | os.PathLike[str]) -> Any:  # noqa: ANN401 - an instance of `type_`
    """Read a value that :func:`save` wrote, here or on another machine.

    Raises
    ------
    RecordError
        No such file, not one of ours, of another version, damaged, or a value of another type. `path` is an attribute.

    Examples
    --------
    >>> from cl_magic.launch.ndrange import NDRange
    >>> load(NDRange, "no_such_file.clm")
    Traceback (most recent call last):
    cl_magic.errors.RecordError: no_such_file.clm cannot be read: No such file or directory
    → give the .clm file that run.save(…) wrote, or copy it again from where it came
    """
    source = Path(path).expanduser()
    try:
        with zipfile.ZipFile(source) as file:
            members = _members(file, source)
    except zipfile.BadZipFile as error:
        raise _refused(source, f"is no record of cl_magic, or damaged: {error}") from None
    except (OSError, EOFError, RuntimeError, NotImplementedError, ValueError, KeyError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _refused(source, f"cannot be read: {reason}") from None
    except Exception as error:  # zlib.error is no subclass of the above
        if type(error).__module__ != "zlib":
            raise
        raise _refused(source, f"is damaged: {error}") from None
    columns = [members[f"columns/{i}.bin"] for i in range(len(members) - 1)]
    try:
        return from_json(type_, members[_HEADER], columns)
    except RecordError as error:
        raise _refused(source, f"cannot be used: {error.message}", error.remedy) from None


def _members(file: zipfile.ZipFile, source: Path) -> dict[str, bytes]:
    if _MANIFEST not in file.namelist():
        raise _refused(source, "is a zip file, but no record of cl_magic (it has no manifest)")
    if sum(info.file_size for info in file.infolist()) > SIZE_LIMIT_BYTES:
        raise _refused(source, f"says it holds more than {SIZE_LIMIT_BYTES >> 30} GiB, and no record does")
    manifest = _checked_manifest(file.read(_MANIFEST), source)
    expected = {_HEADER, *(f"columns/{i}.bin" for i in range(len(manifest.digests) - 1))}
    if set(manifest.digests) != expected or set(file.namelist()) != expected | {_MANIFEST}:
        raise _refused(source, "is damaged: its parts are not the ones that its manifest lists")
    members = {name: file.read(name) for name in manifest.digests}
    for name, digest in manifest.digests.items():
        if hashlib.sha256(members[name]).hexdigest() != digest:
            raise _refused(source, f"is damaged: the digest of {name} does not fit")
    return members


def _checked_manifest(data: bytes, source: Path) -> _Manifest:
    try:
        manifest = msgspec.json.decode(data, type=_Manifest)
    except msgspec.MsgspecError as error:
        raise _refused(source, f"has a damaged manifest: {error}") from None
    if manifest.format != FORMAT:
        raise _refused(source, f"is of the format {manifest.format!r}, not {FORMAT!r}")
    if manifest.version != FILE_VERSION:
        remedy = "load it with the cl_magic that saved it, or save the run again with this one"
        reason = f"is of file version {manifest.version}, and this cl_magic reads version {FILE_VERSION}"
        raise _refused(source, reason, remedy)
    return manifest


def _refused(source: Path, reason: str, remedy: str = "") -> RecordError:
    remedy = remedy or "give the .clm file that run.save(…) wrote, or copy it again from where it came"
    return RecordError(f"{source} {reason}", remedy=remedy, path=str(source))
