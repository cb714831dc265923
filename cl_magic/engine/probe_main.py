"""The process that loads one driver and says what devices it has.

Run as ``python -P -m cl_magic.engine.probe_main FILE LIBRARY``. It may abort, hang or be killed by the
driver; whoever started it has a time-out.
"""

from __future__ import annotations

import ctypes
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import msgspec

from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.devices import enumerate_devices


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """Devices of one driver; `loader_says` is the reason where its library cannot be opened."""

    devices: tuple[DeviceInfo, ...]
    loader_says: str = ""


def _why_not(library: str) -> str:
    """What the dynamic loader says of a library; "" where it opens it."""
    if not library:
        return ""
    try:
        ctypes.CDLL(library)
    except OSError as error:
        return str(error)
    return ""


def main(arguments: list[str]) -> int:
    """Write a ProbeReport as JSON to the file that the first argument names; the second is the driver's library."""
    devices = enumerate_devices()
    report = ProbeReport(devices, "" if devices else _why_not(arguments[1]))
    Path(arguments[0]).write_bytes(msgspec.json.encode(report))
    return 0


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)  # drivers have hung and crashed in their exit handlers; the report is out
