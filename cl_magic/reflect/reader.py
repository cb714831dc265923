"""Asks the reader's process for what a binary holds, and turns every way it can fail into an error with words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec

from cl_magic.errors import ListingUnavailableError, MissingExtraError
from cl_magic.reflect.reading import ReadAnswer, ReadRequest

READ_TIMEOUT_S = 60.0
_LAST_WORDS = 400


def read(request: ReadRequest, binary: bytes, *, timeout_s: float = READ_TIMEOUT_S) -> ReadAnswer:
    r"""Read a binary in a process of its own.

    Parameters
    ----------
    request : ReadRequest
    binary : bytes
        As the driver gave it.
    timeout_s : float
        Seconds until the process is ended.

    Raises
    ------
    MissingExtraError
        A package of the extra ``asm`` is not installed.
    ListingUnavailableError
        The process failed, crashed or took too long; `reason` says which.

    Examples
    --------
    >>> try:
    ...     read(ReadRequest("llvm", ("f",)), b"BC\xc0\xde no bitcode")
    ... except (ListingUnavailableError, MissingExtraError) as error:
    ...     print(error.kind)
    llvm
    """
    command = [sys.executable, "-P", "-m", "cl_magic.reflect.reader_main"]
    environment = {**os.environ, "PYTHONPATH": _python_path()}
    message = msgspec.json.encode(request) + b"\n" + binary
    try:
        done = subprocess.run(
            command, input=message, capture_output=True, timeout=timeout_s, env=environment, check=False,
            start_new_session=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise _failed(request, f"the reader took longer than {timeout_s:g} s", "") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace")[-_LAST_WORDS:]
        raise _failed(request, _how_it_ended(done.returncode), said)
    answer = msgspec.json.decode(done.stdout, type=ReadAnswer)
    if answer.missing:
        message_text = f"reading {request.kind} code needs the package {answer.missing}"
        raise MissingExtraError(
            message_text, remedy="pip install 'cl_magic[asm]'", package=answer.missing, kind=request.kind
        )
    if answer.failure:
        raise _failed(request, answer.failure, "")
    return answer


def _python_path() -> str:
    own = str(Path(__file__).resolve().parents[2])
    return os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH", ""), own)))


def _how_it_ended(code: int) -> str:
    how = signal.Signals(-code).name if code < 0 else f"exit status {code}"
    return f"the reader's process ended with {how}: LLVM gives up on code that it takes for broken"


def _failed(request: ReadRequest, reason: str, output: str) -> ListingUnavailableError:
    said = " ".join(output.split())
    message = f"the {request.kind} code could not be read: {reason}{f' ({said})' if said else ''}"
    remedy = "program.dump(folder) keeps the bytes as the driver gave them"
    return ListingUnavailableError(message, remedy=remedy, kind=request.kind, reason=reason, output=output)
