"""A real notebook process: ipykernel behind jupyter_client. Whether it died or does not answer is seen from outside."""

from __future__ import annotations

import ast
import json
import os
import queue
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_client.manager import KernelManager

_TESTS = Path(__file__).resolve().parents[1]
_POLL_S = 0.25
_INTERRUPT_S = 5.0
_READY_S = 60.0
_TAIL_BYTES = 2000
_DROPPED = ("PYTEST_CURRENT_TEST", "PYOPENCL_CTX")


class NotebookDiedError(Exception):
    """The kernel process is gone."""


class NotebookHangsError(Exception):
    """The kernel process does not answer, not even to the stop button."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a cell gave.

    Attributes
    ----------
    status : str
        "ok" or "error".
    error : str
        Class of the error.
    value : str
        Of the expression that was asked for.
    outputs_bytes : int
        What it put into the notebook.
    stopped_s : float or None
        Seconds from the stop button to the end of the cell; None where it was not pressed.
    """

    status: str
    error: str = ""
    value: str = ""
    outputs_bytes: int = 0
    stopped_s: float | None = None


class Notebook:
    """One kernel process and its client."""

    def __init__(self) -> None:
        environment = {name: text for name, text in os.environ.items() if name not in _DROPPED}
        environment["PYTHONPATH"] = os.pathsep.join((str(_TESTS), environment.get("PYTHONPATH", "")))
        self._manager = KernelManager(kernel_name="python3")
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the kernel
        self._manager.start_kernel(env=environment, stdout=self._words, stderr=self._words)
        self._client: Any = self._manager.blocking_client()
        self._client.start_channels(stdin=False, hb=False)
        self._client.wait_for_ready(timeout=_READY_S)

    @property
    def pid(self) -> int:
        """Process id of the kernel."""
        return int(self._manager.provisioner.pid)  # type: ignore[union-attr]  # it was started

    @property
    def alive(self) -> bool:
        """Whether the kernel process runs."""
        return bool(self._manager.is_alive())

    def run(self, code: str, expression: str = "", *, limit_s: float, stop_after_s: float = 0.0) -> Reply:
        """Run a cell, then evaluate an expression in the notebook.

        Parameters
        ----------
        limit_s : float
            Seconds after which the notebook counts as hanging.
        stop_after_s : float
            Seconds after which the stop button is pressed; 0: never.

        Raises
        ------
        NotebookDiedError, NotebookHangsError
        """
        expressions = {"value": expression} if expression else {}
        begin = time.monotonic()
        asked = self._client.execute(code, store_history=bool(code), user_expressions=expressions)
        content, stopped_at = self._reply(asked, begin + limit_s, begin + stop_after_s if stop_after_s else None)
        end = time.monotonic()
        outputs = self._outputs(asked)
        value = ""
        if expression:
            told = content.get("user_expressions", {}).get("value", {})
            if told.get("status") != "ok":
                msg = f"the campaign's own cell failed: {content.get('evalue') or told.get('evalue') or content}"
                raise RuntimeError(msg)
            value = ast.literal_eval(told["data"]["text/plain"])
        stopped_s = None if stopped_at is None else end - stopped_at
        return Reply(content["status"], content.get("ename", ""), value, outputs, stopped_s)

    def _reply(self, asked: str, deadline: float, stop_at: float | None) -> tuple[dict[str, Any], float | None]:
        stopped_at = None
        while True:
            with suppress(queue.Empty):
                message = self._client.get_shell_msg(timeout=_POLL_S)
                if message["parent_header"].get("msg_id") == asked:
                    return message["content"], stopped_at
            if not self.alive:
                raise NotebookDiedError(self._last_words())
            now = time.monotonic()
            if stop_at is not None and stopped_at is None and now >= stop_at:
                self._manager.interrupt_kernel()
                stopped_at = now
            if now >= deadline:
                if stopped_at is not None and now - stopped_at > _INTERRUPT_S:
                    raise NotebookHangsError(self._last_words())
                stop_at, stopped_at, deadline = now, None, now + _INTERRUPT_S + 1

    def _outputs(self, asked: str) -> int:
        """Size of all that came for a cell, until the kernel said that it is idle."""
        size = 0
        deadline = time.monotonic() + _INTERRUPT_S
        while time.monotonic() < deadline:
            with suppress(queue.Empty):
                message = self._client.get_iopub_msg(timeout=_POLL_S)
                if message["parent_header"].get("msg_id") != asked:
                    continue
                if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                    return size
                if message["msg_type"] not in ("status", "execute_input"):
                    size += len(json.dumps(message["content"], default=str))
        return size

    def _last_words(self) -> str:
        self._words.seek(max(0, self._words.seek(0, os.SEEK_END) - _TAIL_BYTES))
        return self._words.read().decode("utf-8", "replace").strip()

    def close(self) -> None:
        """End the kernel, gently where it answers."""
        with suppress(RuntimeError):
            self._client.stop_channels()
        self._manager.shutdown_kernel(now=not self.alive)
        self._manager.cleanup_resources()
        self._words.close()
