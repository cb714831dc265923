"""One running worker with the commands it has: posted in order, answered in order, failed together when it ends."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from cl_magic.engine.channel import ChannelClosedError
from cl_magic.engine.drivers import Driver
from cl_magic.engine.exits import ProcessEnd
from cl_magic.engine.messages import (
    CommandHeader,
    NewSegment,
    ReplyHeader,
    decode_reply,
    encode_command,
    encode_value,
    reply_value,
)
from cl_magic.engine.ticket import WorkerTicket
from cl_magic.engine.worker_process import WorkerProcess
from cl_magic.errors import EngineError, WorkerDiedError

Finish = Callable[[WorkerTicket, Any, list[memoryview]], Any]


class WorkerLink:
    """A worker process, its open commands and the thread that reads its answers.

    Parameters
    ----------
    driver : Driver
    number : int
        Which worker of its engine this is, from 1.
    finish : callable
        ``finish(ticket, value, columns)`` gives the value that `ticket` returns, from the worker's.

    Attributes
    ----------
    built : set of (str, str)
        Digest and device of the builds that were sent to this worker.
    ended : bool
        No command can be posted any more.
    """

    def __init__(self, driver: Driver, number: int, finish: Finish) -> None:
        self.number = number
        self.process = WorkerProcess(driver)
        self.built: set[tuple[str, str]] = set()
        self.ended = False
        self.reason = ""
        self._finish = finish
        self._posted = 0
        self._open: deque[WorkerTicket] = deque()
        self._ending = threading.Lock()
        self._reader = threading.Thread(target=self._read, name=f"cl_magic-worker-{self.process.pid}", daemon=True)
        self._reader.start()

    @property
    def open(self) -> tuple[WorkerTicket, ...]:
        """Commands without an answer yet, in order."""
        return tuple(self._open)

    def post(self, ticket: WorkerTicket, dropped: tuple[int, ...] = ()) -> bool:
        """Send a command; False where the worker had ended, and nothing was sent. One thread at a time."""
        header, columns, descriptors = self._message(ticket, dropped)
        with self._ending:
            if self.ended:
                return False
            ticket.link = self
            self._open.append(ticket)
        try:
            self.process.channel.send(header, columns, descriptors)
        except ChannelClosedError:
            return not self._take_back(ticket)
        except EngineError:  # over a limit: nothing was sent
            self._take_back(ticket)
            raise
        except BaseException:  # Ctrl-C: perhaps half a frame was sent, and the worker would wait for the rest
            self.kill("sending a command was interrupted")
            raise
        for segment in ticket.cargo.segments:
            segment.known_to = self.number
        return True

    def _message(self, ticket: WorkerTicket, dropped: tuple[int, ...]) -> tuple[bytes, list[Any], list[int]]:
        self._posted += 1
        ticket.number = self._posted
        cargo = ticket.cargo
        body, columns = encode_value(cargo.command)
        parts = [*columns, *cargo.columns]
        new = [segment for segment in cargo.segments if segment.known_to != self.number]
        header = CommandHeader(
            number=ticket.number,
            kind=ticket.kind,
            body=body,
            columns=tuple([len(part) for part in parts]),
            arrays=cargo.places,
            new_segments=tuple([NewSegment(segment.number, segment.nbytes) for segment in new]),
            dropped_segments=dropped,
        )
        return encode_command(header), parts, [segment.fd for segment in new]

    def _take_back(self, ticket: WorkerTicket) -> bool:
        """Remove a command that could not be sent; False where the reader has failed it already."""
        with self._ending:
            if ticket not in self._open:
                return False
            self._open.remove(ticket)
            return True

    def _read(self) -> None:
        fault = ""
        try:
            while True:
                header, columns = decode_reply(self.process.channel.receive())
                self._answer(header, columns)
        except ChannelClosedError:
            pass
        except EngineError as error:
            fault = error.message
            self.process.kill()
        self._end(fault)

    def _answer(self, header: ReplyHeader, columns: list[memoryview]) -> None:
        if not self._open or self._open[0].number != header.number:
            msg = f"the worker answered command {header.number}, which it was not asked"
            raise EngineError(msg)
        ticket = self._open.popleft()

        def value() -> Any:  # noqa: ANN401 - one type a command
            if header.kind == "cancelled":
                raise ticket.cancelled_error()
            cut = len(columns) - (0 if header.kind == "error" else ticket.cargo.returning)
            return self._finish(ticket, reply_value(header, ticket.kind, columns[:cut]), columns[cut:])

        ticket.settle(value)

    def _end(self, fault: str) -> None:
        """Fail what is open: the first command was running, the others had not begun."""
        end, text = self.process.wait()
        with self._ending:
            self.ended = True
            left, running = tuple(self._open), self._open[0] if self._open else None
            self._open.clear()
        why = self.reason or fault
        for ticket in left:
            error = died(end, ticket, running=running, why=why, output=text)
            ticket.settle(lambda error=error: _raise(error))  # type: ignore[misc]
        self.ended_with = end

    def kill(self, reason: str) -> None:
        """End the worker at once; its open commands fail and say why."""
        self.reason = self.reason or reason
        self.process.kill()

    def stop(self, timeout_s: float = 3.0) -> None:
        """Let the worker end, by force where it does not; nothing is left of it afterwards."""
        self.reason = self.reason or "it was closed"
        self.process.stop()
        self._reader.join(timeout_s)
        if self._reader.is_alive():
            self.process.kill()
            self._reader.join(timeout_s)

    def forget(self) -> None:
        """In a forked child: leave the worker to the parent."""
        self.ended = True
        self.process.forget()


def _raise(error: BaseException) -> None:
    raise error


def died(
    end: ProcessEnd,
    ticket: WorkerTicket,
    *,
    running: WorkerTicket | None,
    why: str = "",
    output: str = "",
) -> WorkerDiedError:
    """Say that the worker ended before it answered a command.

    Parameters
    ----------
    end : ProcessEnd
    ticket : WorkerTicket
        The command that got no answer.
    running : WorkerTicket
        The command that the worker was at.
    why : str
        Why it was ended, where that was on purpose.
    output : str
        The last text it wrote.
    """
    begun = ticket is running
    how = f"was ended ({why})" if why else end.words
    if begun:
        message = f"the worker process {how} while it was at {ticket.label}"
    else:
        message = f"{ticket.label} had not begun when the worker process {how}"
        message += f" at {running.label}" if running else ""
    last = output.splitlines()[-1].strip() if output and not why else ""
    return WorkerDiedError(
        f"{message}; the last it wrote: {last}" if last else message,
        remedy="your arrays are as they were; the next command starts a new worker",
        signal=end.signal,
        exit_code=end.exit_code,
        command=ticket.kind,
        kernel=ticket.kernel,
        begun=begun,
        reason=why,
        output=output,
    )
