"""The worker process: executes commands of the notebook on the devices of one driver.

Run as ``python -P -m cl_magic.engine.worker_main SOCKET LIFELINE NOTES FOLDER`` (three inherited file descriptors, and
the folder of its temporary files). Commands come one after the other over the first; the second tells that the
notebook is gone (end-of-file) and carries requests to give up a command that has not begun; the third takes notes for
the case of a fault. Whatever happens to this process, the notebook only sees the channel close.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import socket
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from cl_magic.engine.channel import Buffer, Channel, ChannelClosedError, Frame
from cl_magic.engine.command_fences import CommandFences
from cl_magic.engine.commands import Prepare
from cl_magic.engine.fault_report import note_map
from cl_magic.engine.fault_trap import set_trap
from cl_magic.engine.messages import (
    NUMBER,
    ArrayPlace,
    CommandHeader,
    decode_command,
    send_cancelled,
    send_error,
    send_reply,
)
from cl_magic.engine.prepared_runs import PreparedRuns
from cl_magic.engine.run_messages import LAUNCH_MESSAGE, RUN_MESSAGE, handle_of, read_run
from cl_magic.errors import EngineError
from cl_magic.launch.limits import DeviceInfo
from cl_magic.record.run import RunRecord

if TYPE_CHECKING:
    from cl_magic.engine.commands import Command
    from cl_magic.runtime.executor import Executor

_RUN, _LAUNCH = bytes([RUN_MESSAGE]), bytes([LAUNCH_MESSAGE])
_OOM_SCORE = "500"
_POLL_NS = 500_000
"""After an answer the next command often comes within this time."""


_LEAVING = threading.Lock()


def leave(folder: str) -> NoReturn:
    """Remove the temporary files, which a notebook that was killed cannot, and end this process.

    Without exit handlers: drivers have hung and crashed in theirs, and all answers are out.
    """
    with _LEAVING:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


class Lifeline:
    """Ends the process when the notebook is gone, and notes which commands were given up.

    The thread waits in a system call; a driver that keeps Python's lock for ever keeps it from ending the process.
    """

    def __init__(self, sock: socket.socket, folder: str) -> None:
        self._sock = sock
        self._folder = folder
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
        leave(self._folder)


class Worker:
    """The command loop.

    Parameters
    ----------
    channel : Channel
    lifeline : Lifeline
    notes : int
        Descriptor of the notes that outlive this process (:mod:`cl_magic.engine.fault_report`).
    """

    def __init__(self, channel: Channel, lifeline: Lifeline, notes: int) -> None:
        self._channel = channel
        self._lifeline = lifeline
        self._notes = notes
        self._fences = CommandFences()
        self._executor: Executor | None = None
        self._runs: PreparedRuns | None = None
        self._set: dict[int, tuple[Prepare, dict[int, tuple[int, bool]]]] = {}
        """Prepared launches by handle, and what they touch."""

    def serve(self) -> None:
        """Execute commands until the channel closes."""
        self._load()
        with contextlib.suppress(ChannelClosedError):
            while True:
                frame = self._channel.receive()
                if frame.header[:1] == _RUN:
                    self._run(frame)
                elif frame.header[:1] == _LAUNCH:
                    self._launch(frame)
                else:
                    self._answer(frame)

    def _run(self, frame: Frame) -> None:
        """Enqueue a run of a prepared launch. Nothing is answered."""
        assert self._runs is not None  # noqa: S101 - `_load` made it
        handle = handle_of(frame.header)
        _, wanted = self._set.get(handle, (None, {}))
        self._fences.maps.open_for(wanted, keep=True)
        if not self._runs.run(frame.header):
            self._set.pop(handle, None)

    def _launch(self, frame: Frame) -> None:
        """Run a prepared launch to its end, fenced, and answer as to every launch."""
        assert self._runs is not None  # noqa: S101 - `_load` made it
        handle, number, changed = read_run(bytes(frame.header))
        if not self._lifeline.begin(number):
            send_cancelled(self._channel, number)
            return
        command, wanted = self._set.get(handle, (None, {}))
        try:
            self._end_runs()
            self._fences.maps.open_for(wanted, keep=not self._in_place(command))
            record = self._runs.launch(handle, changed)
            send_reply(self._channel, number, "launch", replace(record, device=_short(record.device)), [])
        except ChannelClosedError:
            raise
        except Exception as error:  # noqa: BLE001 - as every command's
            send_error(self._channel, number, self._told(error, command))

    def _load(self) -> None:
        """Import PyOpenCL and load the driver while no command is waiting; a failure is told to each command."""
        from cl_magic.runtime.executor import Executor  # noqa: PLC0415 - after the watcher runs

        self._executor = Executor(name="worker")
        self._runs = PreparedRuns(self._executor)
        with contextlib.suppress(Exception):
            self._executor.devices()
        set_trap(self._notes)

    def _answer(self, frame: Frame) -> None:
        header, command, columns = decode_command(frame)
        self._map(header, frame)
        if not self._lifeline.begin(header.number):
            send_cancelled(self._channel, header.number)
            return
        try:
            apart = not self._in_place(command)
            keep = self._in_flight(command) or apart
            self._fences.before(command, header.arrays, keep=keep, apart=apart)
            if isinstance(command, Prepare):
                self._set[command.handle] = (command, self._fences.wanted(command, header.arrays))
            if command.work == "allocate":
                for place in header.arrays:
                    self._forget_pages(place.segment)
            arrays = [self._array(place, columns, command) for place in header.arrays]
            value = self._execute(command, arrays)
            written: list[Buffer] = [
                array.reshape(-1, order="A").view(np.uint8).data
                for array, place in zip(arrays, header.arrays, strict=True)
                if place.written and not place.segment and not place.memory
            ]
            send_reply(self._channel, header.number, header.kind, value, written)
        except ChannelClosedError:
            raise
        except Exception as error:  # noqa: BLE001 - every failure is the command's, told to the notebook
            if isinstance(error, OSError) and error.errno == errno.EBADF:
                os._exit(errno.EBADF)  # a kernel closed this process's files: nothing would work from here on
            send_error(self._channel, header.number, self._told(error, command))

    def _told(self, error: Exception, command: Command | None) -> Exception:
        device = getattr(command, "device", None)
        return error if self._executor is None or device is None else self._executor.lost(error, device)

    def _map(self, header: CommandHeader, frame: Frame) -> None:
        if len(frame.descriptors) != len(header.new_segments):
            msg = f"{len(header.new_segments)} segments are named and {len(frame.descriptors)} came"
            raise EngineError(msg)
        for new, fd in zip(header.new_segments, frame.descriptors, strict=True):
            note_map(self._notes, new.number, self._fences.maps.add(new.number, fd, new.nbytes), new.nbytes)
        for number in header.dropped_segments:
            self._forget_pages(number)
            self._fences.drop(number)

    def _forget_pages(self, segment: int) -> None:
        assert self._executor is not None  # noqa: S101 - `serve` made it
        with contextlib.suppress(KeyError):  # it may never have been mapped here
            self._executor.forget_pages(self._fences.maps[segment].fenced_map.address)

    def _in_flight(self, command: Command) -> bool:
        """Whether runs of prepared launches are not over; a launch, which waits for them anyway, ends them first."""
        assert self._runs is not None  # noqa: S101 - `serve` made it
        if command.work == "launch":
            self._end_runs()
        return self._runs.in_flight

    def _end_runs(self) -> None:
        assert self._executor is not None  # noqa: S101 - `serve` made it
        assert self._runs is not None  # noqa: S101
        if self._runs.in_flight:
            self._executor.finish()

    def _array(self, place: ArrayPlace, columns: list[memoryview], command: Command) -> Any:  # noqa: ANN401
        if place.memory and command.work != "allocate":
            assert self._executor is not None  # noqa: S101 - `serve` made it
            return self._executor.memory(place.memory)
        memory: Any = self._fences.maps[place.segment] if place.segment else bytearray(columns.pop(0))
        return np.ndarray(place.shape, np.dtype(place.dtype), memory, place.begin, order=place.order)

    def _in_place(self, command: Command | None) -> bool:
        """Whether the command's device works in host memory, so that the fences stop its kernels."""
        assert self._executor is not None  # noqa: S101 - `serve` made it
        named = getattr(command, "device", None)
        return any("cpu" in one.type and not one.simulator for one in self._executor.devices() if one.local_id == named)

    def _execute(self, command: Any, arrays: list[Any]) -> Any:  # noqa: ANN401
        assert self._executor is not None  # noqa: S101 - `serve` made it
        assert self._runs is not None  # noqa: S101
        value: Any
        if command.work == "prepare":
            value = self._runs.prepare(command, arrays)
        elif command.work == "collect":
            value = self._runs.collect(command)
        elif command.work == "poll":
            value = self._runs.done(command)
        else:
            value = self._executor.execute(command, arrays)
        if command.work == "build":
            set_trap(self._notes)
        return replace(value, device=_short(value.device)) if isinstance(value, RunRecord) else value


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
    channel_fd, lifeline_fd, notes = map(int, arguments[:3])
    folder = arguments[3]
    _offer_to_the_oom_killer()
    lifeline = Lifeline(socket.socket(fileno=lifeline_fd), folder)
    Worker(Channel(socket.socket(fileno=channel_fd), descriptors=True, poll_ns=_POLL_NS), lifeline, notes).serve()
    leave(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
