"""What notebook and worker say to each other: commands and replies as checked JSON, errors as their own class.

A header is one JSON object. Values (commands, records) are encoded by :mod:`cl_magic.record.codec`, and decoded against
the class that is expected. Nothing is pickled.
"""

from __future__ import annotations

import struct
import traceback
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import msgspec

from cl_magic import errors
from cl_magic.build.result import BuildResult
from cl_magic.engine.channel import Buffer, Channel, Frame
from cl_magic.engine.commands import Command
from cl_magic.errors import ClMagicError, EngineError
from cl_magic.launch.image_support import ImageSupport
from cl_magic.launch.limits import DeviceInfo
from cl_magic.record.codec import from_json, to_json
from cl_magic.record.run import RunRecord
from cl_magic.reflect.listing import Extracted

NUMBER = struct.Struct("<Q")
"""A request on the lifeline: number of the command to give up. The answer is one byte, 1 where it will be."""

Kind = Literal[
    "inspect", "images", "build", "extract", "launch",
    "allocate", "free", "transfer", "copy", "prepare", "collect", "poll",
]  # fmt: skip

_COMMANDS: dict[str, Any] = {command.work: command for command in get_args(Command)}
_VALUES: dict[str, Any] = dict.fromkeys(_COMMANDS, bool) | {
    "inspect": tuple[DeviceInfo, ...],
    "images": ImageSupport,
    "build": BuildResult,
    "extract": Extracted,
    "launch": RunRecord,
    "collect": RunRecord,
}
_ERRORS = {name: cls for name, cls in vars(errors).items() if isinstance(cls, type) and issubclass(cls, ClMagicError)}


@dataclass(frozen=True, slots=True)
class ArrayPlace:
    """Where the bytes of one array are: segment `segment`, or a column of the message where that is 0.

    `memory` is the number of a device's memory, 0 where the array is the host's; its pages are the segment. `begin` is
    the byte of the segment at which the array begins.
    """

    segment: int
    shape: tuple[int, ...]
    dtype: str
    order: Literal["C", "F"] = "C"
    written: bool = False
    memory: int = 0
    begin: int = 0


@dataclass(frozen=True, slots=True)
class NewSegment:
    """A segment whose file descriptor comes with this message."""

    number: int
    nbytes: int


@dataclass(frozen=True, slots=True)
class CommandHeader:
    """A command: `columns` are the lengths of the codec's columns, then one for each array that has no segment."""

    number: int
    kind: Kind
    body: msgspec.Raw
    columns: tuple[int, ...] = ()
    arrays: tuple[ArrayPlace, ...] = ()
    new_segments: tuple[NewSegment, ...] = ()
    dropped_segments: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplyHeader:
    """The answer to command `number`: its value, an error, or that it was given up before it began."""

    number: int
    kind: Kind | Literal["error", "cancelled"]
    body: msgspec.Raw
    columns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """An error by the name of its class, with its facts as JSON."""

    name: str
    message: str
    remedy: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


_COMMAND = msgspec.json.Decoder(CommandHeader)
_REPLY = msgspec.json.Decoder(ReplyHeader)
_ERROR = msgspec.json.Decoder(ErrorBody)


def _plain(value: Any) -> Any:  # noqa: ANN401 - a fact of an error
    """JSON for a fact that is none: a NumPy scalar as its number, all else as its text."""
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "shape", None) == ():
        return item()
    return sorted(value) if isinstance(value, frozenset | set) else repr(value)


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)


def kind_of(command: Command) -> Kind:
    """Name of a command in messages; EngineError for what is no command.

    Examples
    --------
    >>> from cl_magic.engine.commands import Inspect
    >>> kind_of(Inspect())
    'inspect'
    """
    kind: Kind | None = getattr(command, "work", None)
    if kind is None or _COMMANDS.get(kind) is not type(command):
        msg = f"a {type(command).__name__} is no command of an engine"
        raise EngineError(msg, remedy="use Build, Launch or another of cl_magic.engine.commands")
    return kind


def encode_command(header: CommandHeader) -> bytes:
    """JSON of a command's header."""
    return _ENCODER.encode(header)


def encode_value(value: Any, kind: Kind | None = None) -> tuple[msgspec.Raw, list[bytes]]:  # noqa: ANN401
    """Body and binary columns of a command (`kind` None) or of the value of a command of that kind."""
    body, columns = to_json(value, None if kind is None else _VALUES[kind])
    return msgspec.Raw(body), columns


def decode_command(frame: Frame) -> tuple[CommandHeader, Command, list[memoryview]]:
    """Header, command, and the columns that are arrays; EngineError where the frame is damaged."""
    header: CommandHeader = _decoded(_COMMAND, frame.header)
    columns = frame.split(header.columns)
    inline = sum(place.segment == 0 for place in header.arrays)
    values, arrays = columns[: len(columns) - inline], columns[len(columns) - inline :]
    return header, from_json(_COMMANDS[header.kind], bytes(header.body), values), arrays


def send_reply(channel: Channel, number: int, kind: Kind, value: Any, arrays: list[Buffer]) -> None:  # noqa: ANN401
    """Answer a command with its value and the written arrays that have no segment."""
    body, columns = encode_value(value, kind)
    parts: list[Buffer] = [*columns, *arrays]
    header = ReplyHeader(number, kind, body, tuple([len(part) for part in parts]))
    channel.send(_ENCODER.encode(header), parts)


def send_error(channel: Channel, number: int, error: BaseException) -> None:
    """Answer a command with an error; one that is not ours becomes an EngineError that holds its traceback."""
    channel.send(_ENCODER.encode(ReplyHeader(number, "error", msgspec.Raw(_ENCODER.encode(_error_body(error))))))


def send_cancelled(channel: Channel, number: int) -> None:
    """Answer a command that was given up before it began."""
    channel.send(_ENCODER.encode(ReplyHeader(number, "cancelled", msgspec.Raw(b"null"))))


def _error_body(error: BaseException) -> ErrorBody:
    if isinstance(error, ClMagicError):
        name = next((cls.__name__ for cls in type(error).__mro__ if cls.__name__ in _ERRORS), "EngineError")
        return ErrorBody(name, error.message, error.remedy, error.facts)
    text = "".join(traceback.format_exception(error))
    message = f"the engine failed with {type(error).__name__}: {error}"
    remedy = "this is a fault of cl_magic or of the driver; error.traceback holds where"
    return ErrorBody("EngineError", message, remedy, {"traceback": text, "exception": type(error).__name__})


def decode_reply(frame: Frame) -> tuple[ReplyHeader, list[memoryview]]:
    """Header and columns of an answer; EngineError where it is damaged."""
    header: ReplyHeader = _decoded(_REPLY, frame.header)
    return header, frame.split(header.columns)


def reply_value(header: ReplyHeader, kind: Kind, columns: list[memoryview]) -> Any:  # noqa: ANN401
    """Value of the answer to a command of `kind`, checked against its class.

    Raises
    ------
    ClMagicError
        The error that the worker answered with, as its own class; EngineError where the answer is damaged.
    """
    if header.kind == "error":
        raise error_of(_decoded(_ERROR, header.body))
    if header.kind != kind:
        msg = f"the worker answered a {kind} command with {header.kind}"
        raise EngineError(msg, remedy="the next command starts a new worker")
    return from_json(_VALUES[kind], bytes(header.body), columns)


def error_of(body: ErrorBody) -> ClMagicError:
    """The error that a body describes; an unknown class becomes EngineError.

    Examples
    --------
    >>> error_of(ErrorBody("LaunchError", "out of resources", "use less", {"code": -5})).code
    -5
    """
    cls = _ERRORS.get(body.name, EngineError)
    facts = {name: _value(fact) for name, fact in body.facts.items() if name not in ("message", "remedy", "self")}
    return cls(body.message, remedy=body.remedy, **facts)


def _value(fact: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Facts are values: lists become tuples."""
    if isinstance(fact, list):
        return tuple(_value(item) for item in fact)
    if isinstance(fact, dict):
        return {name: _value(item) for name, item in fact.items()}
    return fact


def _decoded(decoder: msgspec.json.Decoder[Any], text: Buffer | msgspec.Raw) -> Any:  # noqa: ANN401
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        msg = f"a message between notebook and worker is damaged: {error}"
        raise EngineError(msg, remedy="the next command starts a new worker") from None
