"""A run as a live view, which follows the launches that come after it: a simulation loop as a moving picture."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cl_magic.engine.device_memory import DeviceMemory, memory_of
from cl_magic.engine.following import follow, memories_of_last, memory_of_last
from cl_magic.engine.ticket import WorkerTicket
from cl_magic.record.captures import Statistics
from cl_magic.record.numbers import count
from cl_magic.record.run import RunRecord
from cl_magic.show import panel_of
from cl_magic.views.buffer_frame import frame_payload
from cl_magic.views.payload import Payload, record_id
from cl_magic.views.run import run_payload
from cl_magic.widgets.live_answers import answer
from cl_magic.widgets.live_looks import WHOLE_BYTES, DeviceLooks, Taken, host_look, mapped_look
from cl_magic.widgets.live_pace import Pace
from cl_magic.widgets.live_view import Answer, LiveView

if TYPE_CHECKING:
    from cl_magic.engine.commands import Launch
    from cl_magic.engine.protocol import Ticket
    from cl_magic.launch.request import ArrayArgument

_AHEAD = 2
"""Looks that may be on their way; a third waits for the first."""
_UNDRAWN = 3
"""Frames that may be sent and not drawn yet, where the front end tells what it drew."""
_REST_S = 0.15
"""After this time without a launch the last state is shown."""
_NUMBERS_S = 0.25
_SLOW_S = 1.0
_RATE_FRAMES = 25


@dataclass(slots=True)
class _Job:
    taken: list[Taken]
    launches: int
    begin_s: float
    over: threading.Event


class LiveRun(LiveView):
    """A live view of a run's arrays, or of the launches of a kernel from now on.

    Parameters
    ----------
    record : RunRecord, optional
        What is shown first.
    kernel : str, optional
        Name of the kernel whose launches are followed; by default the record's.

    Attributes
    ----------
    launches : int
        Launches seen since the view was made.
    frames : int
        Frames sent.

    Examples
    --------
    >>> view = LiveRun(kernel="step")
    >>> view.launches
    0
    >>> view.stop()
    """

    def __init__(self, record: RunRecord | None = None, *, kernel: str = "") -> None:
        self.kernel = kernel or (record.kernel if record is not None else "")
        self._record: RunRecord | None = record
        super().__init__(_first(record, self.kernel), answerer=self._answers, tab="buffers")
        self.launches = self.frames = 0
        self._identity = record_id("loop", self.kernel, id(self), time.time_ns())
        self._following = True
        self._pace = Pace()
        self._looks: dict[str, DeviceLooks] = {}
        self._numbers: dict[str, Statistics] = {}
        self._numbers_s = float("-inf")
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._waiting: list[_Job] = []
        self._thread: threading.Thread | None = None
        self._acked = self._acked_s = 0.0
        self._heard_beside = False
        self._times: list[float] = []
        self._shown = 0
        self._last: Ticket | None = None
        self._last_s = 0.0
        self._plan = record.plan if record is not None else None
        _replace(self)
        self._stop = follow(_Weak(self))
        if record is not None and not any(capture.before for capture in record.captures):
            with contextlib.suppress(Exception):  # the arrays are gone, or in use: the view says that nothing is kept
                self._show_now()

    def stop(self) -> None:
        """Follow no more launches; the picture stays."""
        self._following = False
        self._stop()
        if self._thread is not None:
            self._jobs.put(None)
        else:
            self._end()

    def launched(self, command: Launch, arrays: Sequence[Any], ticket: Ticket) -> None:
        """Take note of a launch; look at what it writes where a frame is due."""
        if command.request.kernel != self.kernel or not self._following:
            return
        self.launches += 1
        self._last, self._last_s = ticket, time.perf_counter()
        self._waiting = [job for job in self._waiting if not job.over.is_set()]
        if not self._pace.launched(time.perf_counter(), len(self._waiting)) or not self._front_end_follows():
            return
        if len(self._waiting) >= _AHEAD:  # the host runs ahead of the device: not further than this
            self._waiting.pop(0).over.wait(_SLOW_S)
        written = [argument for argument in command.request.arrays if argument.direction != "in"]
        if written:
            self._plan = command.request.plan
            self._take([(argument, arrays[argument.slot]) for argument in written], ticket)

    def _take(self, memory: Sequence[tuple[ArrayArgument, Any]], ticket: Ticket | None) -> None:
        taken = [self._taken(argument, value, ticket) for argument, value in memory]
        now = time.perf_counter()
        job = _Job(taken, self._pace.taken(now), now, threading.Event())
        self._waiting.append(job)
        self._shown = self.launches
        if self._thread is None:
            self._thread = threading.Thread(target=self._draw_all, name="cl_magic-live", daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def _show_now(self) -> None:
        """Look at the arrays as they are: the run captured nothing."""
        taken = [self._taken(one.argument, one.memory, None) for one in memories_of_last(self.kernel)]
        looks = [one.ready() for one in taken]
        try:
            text = f"{self.kernel}: the run captured nothing; its arrays as they are now"
            payload = frame_payload(looks, self._identity, self._plan, text)
        finally:
            for one in taken:
                one.release()
        if looks:
            self.show(payload)

    def _taken(self, argument: ArrayArgument, value: Any, ticket: Ticket | None) -> Taken:  # noqa: ANN401
        held = memory_of(value)
        if held is None and not isinstance(value, np.ndarray):
            message = f"{argument.name} is memory that only its own library reads"
            raise TypeError(message)
        if held is None or held.shared or argument.nbytes <= WHOLE_BYTES:
            if ticket is not None and held is None:
                ticket.result()  # the values are in the array from here on
            look = host_look(argument, value) if held is None else mapped_look(argument, held)
            return Taken(lambda: look, lambda: None)
        looks = self._looks.get(argument.name)
        if looks is None or not looks.fits(argument, held):
            if looks is not None:
                looks.free()
            looks = self._looks[argument.name] = DeviceLooks(argument, held)
        return looks.take(held)

    def _front_end_follows(self) -> bool:
        """Whether a frame is worth sending: not where the front end lags behind.

        It can tell only where messages are heard while a cell runs (subshells); elsewhere time alone paces.
        """
        now = time.perf_counter()
        if not self._heard_beside or self.serial - self._acked <= _UNDRAWN:
            return True
        return now - max(self._acked_s, self._times[-1] if self._times else 0.0) > _SLOW_S

    def _draw_all(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=_REST_S)
            except queue.Empty:
                if not self._rest():
                    continue
                job = self._jobs.get()
            if job is None:
                self._end()
                return
            with contextlib.suppress(Exception):  # a frame that cannot be drawn must not end the others
                self._draw(job)
            job.over.set()

    def _end(self) -> None:
        """Let go of what is still on its way, then of the memories beside the arrays."""
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                for taken in job.taken if job is not None else ():
                    with contextlib.suppress(Exception):
                        taken.ready()
                        taken.release()
        looks, self._looks, self._thread = self._looks, {}, None
        for one in looks.values():
            one.free()

    def _rest(self) -> bool:
        """The loop paused: look once more at where it stands."""
        if not self._following or self._shown == self.launches or time.perf_counter() - self._last_s < _REST_S:
            return False
        last, self._last, self._shown = self._last, None, self.launches
        if isinstance(last, WorkerTicket):
            last.wait()  # a run that is only enqueued needs no waiting: a look at its memory comes after it
        names = [name for name in self._parameters() if name]
        found = [place for name in names if (place := memory_of_last(self.kernel, name)) is not None]
        if not found or any(isinstance(one.memory, DeviceMemory) and one.memory.barred for one in found):
            return False
        with contextlib.suppress(Exception):
            self._take([(one.argument, one.memory) for one in found], None)
            return True
        return False

    def _parameters(self) -> list[str]:
        head = self.payload["head"]
        arrays = head.get("arrays") or head.get("buffers", {}).get("arrays", [])
        return [array["name"] for array in arrays]

    def _draw(self, job: _Job) -> None:
        looks = [taken.ready() for taken in job.taken]
        ready_s = time.perf_counter()
        begin_s = time.thread_time()
        if ready_s - self._numbers_s > _NUMBERS_S:
            self._numbers, self._numbers_s = {}, ready_s
        try:
            payload = frame_payload(looks, self._identity, self._plan, self._text(ready_s), self._numbers)
        finally:
            for taken in job.taken:
                taken.release()
        self.show(payload)
        self.frames += 1
        self._pace.ended(ready_s, job.launches, time.thread_time() - begin_s)

    def _text(self, now_s: float) -> str:
        self._times = [*self._times[-_RATE_FRAMES:], now_s]
        span = self._times[-1] - self._times[0]
        rate = (len(self._times) - 1) / span if span > 0 else 0.0
        told = f"{self.kernel}, launch {count(self.launches)}"
        return f"{told} · {rate:.0f} frames a second" if rate >= 1 else told

    def _heard(self, widget: object, message: dict[str, Any], buffers: list[bytes]) -> None:
        super()._heard(widget, message, buffers)
        if message.get("type") == "drawn":
            self._heard_beside = threading.current_thread() is not threading.main_thread()
            self._acked, self._acked_s = max(self._acked, float(message.get("serial") or 0)), time.perf_counter()

    def _answers(self, request: dict[str, Any]) -> Answer:
        capture = None
        if self._record is not None and not self.frames:
            capture = self._record.capture(str(request.get("array")))
        return answer(self.kernel, capture, request)


class _Weak:
    """A follower that does not keep its view alive."""

    def __init__(self, view: LiveRun) -> None:
        self._view = weakref.ref(view)

    def launched(self, command: Launch, arrays: Sequence[Any], ticket: Ticket) -> None:
        view = self._view()
        if view is not None:
            view.launched(command, arrays, ticket)


_views: weakref.WeakValueDictionary[str, LiveRun] = weakref.WeakValueDictionary()


def _replace(view: LiveRun) -> None:
    """One view follows a kernel: the newest."""
    before = _views.get(view.kernel)
    if before is not None:
        before.stop()
    _views[view.kernel] = view


def _first(record: RunRecord | None, kernel: str) -> Payload:
    if record is not None:
        return run_payload(record)
    head: dict[str, Any] = {"arrays": [], "ndrange": None, "kernel": kernel, "status": "waiting"}
    return Payload("buffer", "", head)


def watch(kernel: Any) -> LiveRun:  # noqa: ANN401 - a kernel, or its name
    """Follow the launches of a kernel from now on; show the view, then run the loop.

    Parameters
    ----------
    kernel : Kernel or str

    Returns
    -------
    LiveRun
        Leave it as the last value of a cell; ``view.stop()`` ends it.

    Examples
    --------
    >>> view = watch("step")
    >>> view.kernel
    'step'
    >>> view.stop()
    """
    name: str = kernel if isinstance(kernel, str) else kernel.name
    return LiveRun(kernel=name)


panel_of.register(RunRecord, LiveRun)
