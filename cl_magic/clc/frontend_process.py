"""The process that holds libclang, seen from the parent: start, one question with a deadline, end."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from typing import IO

from cl_magic.clc.framing import LENGTH_BYTES, frame_length, framed

_END_TIMEOUT_S = 1.0
_CHUNK_BYTES = 65536


class ProcessEndedError(Exception):
    """The front end's process ended before it answered."""


class FrontEndProcess:
    """A running ``cl_magic.clc.frontend_main``, in a session of its own (Ctrl-C is for the notebook, not for it)."""

    def __init__(self, program: str = "cl_magic.clc.frontend_main") -> None:
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            # -P: a file clang.py beside the notebook must not be imported.
            [sys.executable, "-P", "-m", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )
        os.set_blocking(self._stream(self._process.stdin).fileno(), False)

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Whether it runs; an ended one is reaped."""
        return self._process.poll() is None

    def exchange(self, message: bytes, deadline: float) -> bytes:
        """Send a message and wait for the answer.

        Parameters
        ----------
        message : bytes
        deadline : float
            ``time.monotonic()`` seconds.

        Raises
        ------
        TimeoutError
            At the deadline.
        ProcessEndedError
            When the process ended instead.
        ValueError
            When the answer's length is nonsense.
        """
        self._write(framed(message), deadline)
        header = self._read(LENGTH_BYTES, deadline)
        return self._read(frame_length(header), deadline)

    def close(self) -> None:
        """End and reap it: by closing its input, then by SIGKILL."""
        self._close_stream(self._process.stdin)
        try:
            self._process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._close_stream(self._process.stdout)

    def _write(self, data: bytes, deadline: float) -> None:
        stream, left = self._stream(self._process.stdin), memoryview(data)
        while left:
            self._wait_for(stream, selectors.EVENT_WRITE, deadline)
            try:
                left = left[os.write(stream.fileno(), left[:_CHUNK_BYTES]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise ProcessEndedError(self._how_it_ended()) from None

    def _read(self, count: int, deadline: float) -> bytes:
        stream, parts, left = self._stream(self._process.stdout), list[bytes](), count
        while left:
            self._wait_for(stream, selectors.EVENT_READ, deadline)
            part = os.read(stream.fileno(), min(left, _CHUNK_BYTES))
            if not part:
                raise ProcessEndedError(self._how_it_ended())
            parts.append(part)
            left -= len(part)
        return b"".join(parts)

    @staticmethod
    def _wait_for(stream: IO[bytes], event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(stream, event)
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return "the front end closed its pipe on this text"
        how = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        return f"the front end crashed on this text ({how})"

    @staticmethod
    def _stream(stream: IO[bytes] | None) -> IO[bytes]:
        if stream is None:
            msg = "the front end has no pipe"
            raise ProcessEndedError(msg)
        return stream

    @staticmethod
    def _close_stream(stream: IO[bytes] | None) -> None:
        if stream is not None:
            stream.close()
