"""The device's diagnostics and the front end's as one list, in which the device keeps the last word."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cl_magic.build.logs import in_order
from cl_magic.clc.diagnostic import Diagnostic

_ALIKE = 0.6
_NOISE = re.compile(r"__(?:private|global|local|constant|generic)\b|[^\w\s]")


def merge(
    device: Sequence[Diagnostic], front_end: Iterable[Diagnostic], *, device_ok: bool | None = None
) -> tuple[Diagnostic, ...]:
    """Merge what the device's compiler and the front end say of one source.

    A message of both is the device's, with the range, fix-its, notes and option that the front end adds. Errors that
    only the front end sees are warnings when the device has built the program. Doubles are dropped.

    Parameters
    ----------
    device, front_end : sequence of Diagnostic
    device_ok : bool, optional
        Whether the device built the program; without it: whether `device` holds no error.

    Examples
    --------
    >>> ours = Diagnostic("error", "no member named 'q'", 3, 5, 6, origin="front end")
    >>> merged = merge([], [ours])
    >>> merged[0].severity, merged[0].origin
    ('warning', 'front end')
    """
    built = device_ok if device_ok is not None else all(message.severity != "error" for message in device)
    found = list(dict.fromkeys(device))
    for message in dict.fromkeys(front_end):
        index = _same(found, message) if message.origin == "front end" else None
        if index is not None:
            found[index] = _enriched(found[index], message)
        elif built and message.severity == "error":
            found.append(replace(message, severity="warning"))
        else:
            found.append(message)
    return in_order(dict.fromkeys(found))


def _same(found: list[Diagnostic], message: Diagnostic) -> int | None:
    """Index of the device's message that says the same, the most similar one; None where there is none."""
    scores = [(_likeness(known, message), -index) for index, known in enumerate(found) if known.origin == "device"]
    best, index = max(scores, default=(0.0, 0))
    return -index if best >= _ALIKE else None


def _likeness(device: Diagnostic, message: Diagnostic) -> float:
    """0 to 2: words in common; the same column counts for the rest."""
    if (device.line, device.file) != (message.line, message.file) or not device.line:
        return 0.0
    if device.severity != message.severity and "remark" in {device.severity, message.severity}:
        return 0.0
    words = difflib.SequenceMatcher(None, _plain(device.message), _plain(message.message), autojunk=False).ratio()
    same_severity = device.severity == message.severity
    near = device.column == message.column and (same_severity or words >= _ALIKE / 2)
    if not same_severity and not near:
        return 0.0
    return words + (0.5 if near else 0.0)


def _plain(message: str) -> str:
    return " ".join(_NOISE.sub(" ", message.lower()).split())


def _enriched(device: Diagnostic, message: Diagnostic) -> Diagnostic:
    same_column = device.column in {0, message.column}
    return replace(
        device,
        column=device.column or message.column,
        end_column=message.end_column if same_column and message.end_column else device.end_column,
        option=device.option or message.option,
        fixits=message.fixits or device.fixits,
        notes=device.notes or message.notes,
    )
