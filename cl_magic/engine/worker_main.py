"""The worker process: executes commands of the notebook on the devices of one driver.

Run as ``python -P -m cl_magic.engine.worker_main SOCKET LIFELINE`` (two inherited file descriptors). Commands come one
after the other over the first; the second tells that the notebook is gone (end-of-file) and carries requests to give up
a command that has not begun. Whatever happens to this process, the notebook only sees the channel close.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cl_magic.engine.channel import Buffer, Channel, ChannelClosedError, Frame
from cl_magic.engine.messages import (
    NUMBER,
    ArrayPlace,
    CommandHeader,
    decode_command,
    send_cancelled,
    send_error,
    send_reply,
)
from cl_magic.engine.shared_memory import SegmentMaps
from cl_magic.errors import EngineError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.record.run import RunRecord

if TYPE_CHECKING:
    from cl_magic.engine.commands import Command
    from cl_magic.runtime.executor import Executor

_OOM_SCORE = "500"
_POLL_NS = 500_000
"""After an answer the next command often comes within this time."""


class Lifeline:
    """Ends the process when the notebook is gone, and notes which commands were given up.

    The thread waits in a system call; a driver that keeps Python's lock for ever keeps it from ending the process.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._begun = 0
        self._given_up: set[int] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._watch, name="cl_magic-lifeline", daemon=True).start()

    def begin(self, number: int) -> bool:
        """Note that a command begins; False where it was given up before."""
        with self._lock:
            self._begun = number
            if number in self._given_up:
                self._given_up.discard(number)
                return False
            return True

    def _watch(self) -> None:
        with contextlib.suppress(OSError):
            while len(request := self._sock.recv(NUMBER.size, socket.MSG_WAITALL)) == NUMBER.size:
                number = NUMBER.unpack(request)[0]
                with self._lock:
                    in_time = number > self._begun
                    if in_time:
                        self._given_up.add(number)
                self._sock.sendall(b"\x01" if in_time else b"\x00")
        os._exit(0)


class Worker:
    """The command loop.

    Parameters
    ----------
    channel : Channel
    lifeline : Lifeline
    """

    def __init__(self, channel: Channel, lifeline: Lifeline) -> None:
        self._channel = channel
        self._lifeline = lifeline
        self._segments = SegmentMaps()
        self._executor: Executor | None = None

    def serve(self) -> None:
        """Execute commands until the channel closes."""
        self._load()
        with contextlib.suppress(ChannelClosedError):
            while True:
                self._answer(self._channel.receive())

    def _load(self) -> None:
        """Import PyOpenCL and load the driver while no command is waiting; a failure is told to each command."""
        from cl_magic.runtime.executor import Executor  # noqa: PLC0415 - after the watcher runs

        self._executor = Executor(name="worker")
        with contextlib.suppress(Exception):
            self._executor.devices()

    def _answer(self, frame: Frame) -> None:
        header, command, columns = decode_command(frame)
        self._map(header, frame)
        if not self._lifeline.begin(header.number):
            send_cancelled(self._channel, header.number)
            return
        try:
            arrays = [self._array(place, columns) for place in header.arrays]
            value = self._execute(command, arrays)
            written: list[Buffer] = [
                array.reshape(-1, order="A").view(np.uint8).data
                for array, place in zip(arrays, header.arrays, strict=True)
                if place.written and not place.segment
            ]
            send_reply(self._channel, header.number, header.kind, value, written)
        except ChannelClosedError:
            raise
        except Exception as error:  # noqa: BLE001 - every failure is the command's, told to the notebook
            send_error(self._channel, header.number, error)

    def _map(self, header: CommandHeader, frame: Frame) -> None:
        if len(frame.descriptors) != len(header.new_segments):
            msg = f"{len(header.new_segments)} segments are named and {len(frame.descriptors)} came"
            raise EngineError(msg)
        for new, fd in zip(header.new_segments, frame.descriptors, strict=True):
            self._segments.add(new.number, fd, new.nbytes)
        for number in header.dropped_segments:
            self._segments.drop(number)

    def _array(self, place: ArrayPlace, columns: list[memoryview]) -> np.ndarray[Any, Any]:
        memory: Any = self._segments[place.segment] if place.segment else bytearray(columns.pop(0))
        return np.ndarray(place.shape, np.dtype(place.dtype), memory, order=place.order)

    def _execute(self, command: Command, arrays: list[np.ndarray[Any, Any]]) -> Any:  # noqa: ANN401
        assert self._executor is not None  # noqa: S101 - `serve` made it
        value = self._executor.execute(command, arrays)
        return dataclasses.replace(value, device=_short(value.device)) if isinstance(value, RunRecord) else value


def _short(device: DeviceInfo) -> DeviceInfo:
    """Return what names a device; the notebook knows its other facts, and every record would carry them."""
    platform = (device.platform_name, device.platform_version)
    return DeviceInfo(device.id, device.name, *platform, device.type, device.local_id)


def _offer_to_the_oom_killer() -> None:
    """Ask the kernel to end this process before the notebook when memory runs out (only raising is allowed to all)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_OOM_SCORE, encoding="ascii")


def main(arguments: list[str]) -> None:
    """Serve over the two file descriptors named by the arguments."""
    channel_fd, lifeline_fd = int(arguments[0]), int(arguments[1])
    _offer_to_the_oom_killer()
    lifeline = Lifeline(socket.socket(fileno=lifeline_fd))
    Worker(Channel(socket.socket(fileno=channel_fd), descriptors=True, poll_ns=_POLL_NS), lifeline).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
    os._exit(0)  # drivers have hung and crashed in their exit handlers, and all answers are out
