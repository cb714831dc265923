"""A worker process as the notebook sees it: started, spoken to, ended. Knows nothing of tickets or arrays."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from typing import Any

from cl_magic.cache.kept import driver_cache_environment
from cl_magic.engine.channel import Channel
from cl_magic.engine.drivers import Driver, driver_environment
from cl_magic.engine.exits import ProcessEnd, process_end
from cl_magic.engine.fault_report import FaultNotes, Trapped
from cl_magic.engine.messages import NUMBER
from cl_magic.errors import EngineError

_GRACE_S = 1.0
_CANCEL_WAIT_S = 0.5
_TAIL_BYTES = 4000
_POLL_NS = 100_000
"""After an answer the next one often comes within this time; then its reader sleeps."""


@dataclass(frozen=True, slots=True)
class WorkerEnd:
    """What a worker left.

    Attributes
    ----------
    how : ProcessEnd
    text : str
        The last text it wrote.
    maps : dict of int to (int, int)
        Where it had mapped each segment: address and size, by number.
    trapped : Trapped or None
        The fault that ended it.
    """

    how: ProcessEnd
    text: str = ""
    maps: dict[int, tuple[int, int]] = field(default_factory=dict)
    trapped: Trapped | None = None


class WorkerProcess:
    """One running worker, in a session of its own. Its temporary files are in a folder that ends with it.

    Parameters
    ----------
    driver : Driver
        The one driver it loads.

    Attributes
    ----------
    channel : Channel
    pid : int
    """

    def __init__(self, driver: Driver) -> None:
        if os.name != "posix" or not sys.executable:
            msg = "a worker process needs POSIX descriptors and a Python to start, and here one of them is missing"
            raise EngineError(msg, remedy="use engine='inline'")
        ours, theirs = socket.socketpair()
        self._lifeline, other_end = socket.socketpair()
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the worker
        self._notes = FaultNotes()
        self._folder = tempfile.mkdtemp(prefix=f"cl_magic-{os.getpid()}-")
        command = [sys.executable, "-P", "-m", "cl_magic.engine.worker_main"]
        descriptors = (theirs.fileno(), other_end.fileno(), self._notes.fileno())
        options: dict[str, Any] = {"pass_fds": descriptors, "start_new_session": True}
        try:
            self._process = subprocess.Popen(
                [*command, *map(str, descriptors), self._folder],
                env=driver_environment(driver) | driver_cache_environment(self._folder) | {"TMPDIR": self._folder},
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=self._output,
                **options,
            )
        except BaseException as error:
            ours.close()
            self._lifeline.close()
            self._clear()
            if not isinstance(error, OSError):  # Ctrl-C, or an interpreter that is ending
                raise
            msg = f"the worker process could not be started: {error}"
            raise EngineError(msg, remedy="use engine='inline'") from error
        finally:
            theirs.close()
            other_end.close()
        self._asking = threading.Lock()
        self._answers = True
        self.channel = Channel(ours, poll_ns=_POLL_NS)
        self.pid = self._process.pid

    def give_up(self, number: int) -> bool:
        """Ask the worker not to begin a command; False where it has, or does not answer within half a second."""
        with self._asking, contextlib.suppress(OSError, ValueError):  # ValueError: closed meanwhile
            if self._answers:
                self._lifeline.sendall(NUMBER.pack(number))
                self._answers = bool(select.select([self._lifeline], [], [], _CANCEL_WAIT_S)[0])
                # A late answer could be taken for that of the next request, so there is none.
                return self._answers and self._lifeline.recv(1) == b"\x01"
        return False

    def kill(self) -> None:
        """End it at once, with every process that it started."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    def wait(self) -> WorkerEnd:
        """Wait for its end and clear away what belongs to it.

        Called when its channel is closed: a process that closed it and does not end within a second is killed.
        """
        self._close_lifeline()
        try:
            code = self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self.kill()
            code = self._process.wait()
        self.channel.close()
        end = WorkerEnd(process_end(code), self._last_text(), *self._notes.read())
        self._clear()
        return end

    def _clear(self) -> None:
        self._output.close()
        self._notes.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _close_lifeline(self) -> None:
        with contextlib.suppress(OSError):
            self._lifeline.shutdown(socket.SHUT_RDWR)
        self._lifeline.close()

    def _last_text(self) -> str:
        if self._output.closed:
            return ""
        self._output.seek(max(0, self._output.seek(0, os.SEEK_END) - _TAIL_BYTES))
        return self._output.read().decode("utf-8", "replace").strip()

    def stop(self) -> None:
        """Let it end: it sees end-of-file on both descriptors. The reader of the channel then calls `wait`."""
        self.channel.shutdown()
        with contextlib.suppress(OSError):
            self._lifeline.shutdown(socket.SHUT_RDWR)

    def forget(self) -> None:
        """In a forked child: close this process's copies of the descriptors and leave the worker to the parent."""
        with contextlib.suppress(OSError):
            self.channel.forget()
            os.close(self._lifeline.detach())
        self._output.close()
        self._notes.close()
        self._process.returncode = 0  # not this process's child: Popen must not wait for it or warn
