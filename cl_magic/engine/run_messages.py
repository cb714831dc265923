"""Messages of prepared launches to the worker: kind, count of changed values, handle, the changed values, a number."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from cl_magic.errors import EngineError

RUN_MESSAGE = 1
"""First byte of a run's message; JSON begins with a brace."""
LAUNCH_MESSAGE = 2
"""First byte of a launch's that somebody waits for: its number is the command's, and it is answered."""
_KINDS = (RUN_MESSAGE, LAUNCH_MESSAGE)
_HEAD = struct.Struct("<BxHI")
_VALUE = struct.Struct("<HH")
NUMBER = struct.Struct("<Q")
"""The end of a message."""

Changed = Sequence[tuple[int, bytes]]


def run_message(handle: int, run: int, changed: Changed = (), kind: int = RUN_MESSAGE) -> bytes:
    """Bytes of a run, or of a launch that somebody waits for.

    Examples
    --------
    >>> read_run(run_message(3, 70000, [(2, b"abcd")]))
    (3, 70000, [(2, b'abcd')])
    """
    values = b"".join([_VALUE.pack(index, len(data)) + data for index, data in changed])
    return _HEAD.pack(kind, len(changed), handle) + values + NUMBER.pack(run)


def run_head(handle: int) -> bytes:
    """Bytes of a run that changes nothing, up to its number.

    Examples
    --------
    >>> run_head(3) + NUMBER.pack(70000) == run_message(3, 70000)
    True
    """
    return _HEAD.pack(RUN_MESSAGE, 0, handle)


def handle_of(message: Any) -> int:  # noqa: ANN401 - bytes
    """Handle of a run's message; 0 where it is too short to have one.

    Examples
    --------
    >>> handle_of(run_message(3, 70000))
    3
    """
    return int(_HEAD.unpack_from(message)[2]) if len(message) >= _HEAD.size else 0


def read_run(message: bytes) -> tuple[int, int, list[tuple[int, bytes]]]:
    """Handle, number and changed values of a run; EngineError where the bytes are none."""
    try:
        kind, count, handle = _HEAD.unpack_from(message)
        place, changed = _HEAD.size, []
        for _ in range(count):
            index, size = _VALUE.unpack_from(message, place)
            place += _VALUE.size + size
            changed.append((index, bytes(message[place - size : place])))
        (run,) = NUMBER.unpack_from(message, place)
    except struct.error as error:
        msg = f"a run's message is damaged: {error}"
        raise EngineError(msg, remedy="the next command starts a new worker") from None
    if kind not in _KINDS or place + NUMBER.size != len(message):
        msg = f"a run's message of {len(message)} B is damaged"
        raise EngineError(msg, remedy="the next command starts a new worker")
    return handle, run, changed
