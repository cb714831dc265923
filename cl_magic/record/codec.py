"""Values to JSON and back: what the worker sends, what a saved record holds.

A value becomes a header, one JSON object ``{"v": version, "t": type, "d": fields}``, and binary columns: each `bytes`
field over 64 bytes leaves its place to the index of its column; shorter ones (a scalar argument) stay in the header as
base64.
Decoding checks every field against the annotations of the dataclasses, because the sender's memory may have been
overwritten by a kernel, and a file may come from anywhere. Nothing here is ever pickled.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from cl_magic.errors import RecordError

CODEC_VERSION = 1
INLINE_BYTES = 64

T = TypeVar("T")
Column = bytes | bytearray | memoryview
_Out = Callable[[Any, list[bytes]], Any]
_Back = Callable[[Any, "_Columns"], Any]
_ENCODER = msgspec.json.Encoder(order="deterministic")
_REMEDY = "the two sides must be of one version of cl_magic; run or save again with this one"


class _Columns:
    """The columns of one message; remembers which were asked for."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = columns
        self.used: set[int] = set()

    def take(self, index: int) -> bytes:
        """Column `index` as bytes, once."""
        if not 0 <= index < len(self.columns):
            msg = f"the header asks for binary column {index}, and {len(self.columns)} came with it"
            raise RecordError(msg, remedy=_REMEDY, column=index, columns=len(self.columns))
        self.used.add(index)
        return bytes(self.columns[index])


def _same(value: Any, _: Any) -> Any:  # noqa: ANN401
    return value


@dataclasses.dataclass(frozen=True, slots=True)
class _Shape:
    """How one type travels: the type msgspec sees, and the two conversions (`_same` without bytes inside)."""

    seen: Any
    out: _Out = _same
    back: _Back = _same


def _holds_bytes(type_: Any, seen: tuple[Any, ...] = ()) -> bool:  # noqa: ANN401 - any annotation
    if type_ is bytes:
        return True
    if dataclasses.is_dataclass(type_) and isinstance(type_, type):
        if type_ in seen:
            return False
        return any(_holds_bytes(hint, (*seen, type_)) for hint in get_type_hints(type_).values())
    return any(_holds_bytes(arg, seen) for arg in get_args(type_) if arg is not Ellipsis)


def _bytes_shape() -> _Shape:
    def out(value: bytes, columns: list[bytes]) -> bytes | int:
        if len(value) <= INLINE_BYTES:
            return value
        columns.append(value)
        return len(columns) - 1

    def back(value: bytes | int, columns: _Columns) -> bytes:
        return columns.take(value) if isinstance(value, int) else value

    return _Shape(int | bytes, out, back)


def _tuple_shape(type_: Any) -> _Shape:  # noqa: ANN401
    args = get_args(type_)
    if len(args) != 2 or args[1] is not Ellipsis:  # noqa: PLR2004 - tuple[X, ...]
        msg = f"bytes inside {type_} cannot be encoded; use tuple[X, ...]"
        raise TypeError(msg)
    item = _shape(args[0])
    item_out, item_back = item.out, item.back
    return _Shape(
        types.GenericAlias(tuple, (item.seen, ...)),
        lambda value, columns: tuple([item_out(v, columns) for v in value]),
        lambda value, columns: tuple([item_back(v, columns) for v in value]),
    )


def _optional_shape(type_: Any) -> _Shape:  # noqa: ANN401
    members = [arg for arg in get_args(type_) if arg is not type(None)]
    if len(members) != 1:
        msg = f"bytes inside {type_} cannot be encoded: one type or None"
        raise TypeError(msg)
    item = _shape(members[0])
    item_out, item_back = item.out, item.back
    return _Shape(
        item.seen | None,
        lambda value, columns: None if value is None else item_out(value, columns),
        lambda value, columns: None if value is None else item_back(value, columns),
    )


def _with_default(field: dataclasses.Field[Any], seen: Any) -> tuple[Any, ...]:  # noqa: ANN401
    if field.default is not dataclasses.MISSING:
        return field.name, seen, field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.name, seen, msgspec.field(default_factory=field.default_factory)
    return field.name, seen


def _dataclass_shape(type_: type) -> _Shape:
    """Shape of a dataclass with bytes in it: a struct of the same fields, the bytes being indices or base64."""
    hints = get_type_hints(type_)
    fields = [(field, _shape(hints[field.name])) for field in dataclasses.fields(type_)]
    seen = msgspec.defstruct(type_.__name__, [_with_default(field, shape.seen) for field, shape in fields])
    outs = [(field.name, shape.out) for field, shape in fields]
    backs = [(field.name, shape.back) for field, shape in fields]

    def out(value: Any, columns: list[bytes]) -> Any:  # noqa: ANN401
        return seen(*[getattr(value, n) if f is _same else f(getattr(value, n), columns) for n, f in outs])

    def back(value: Any, columns: _Columns) -> Any:  # noqa: ANN401
        return type_(*[getattr(value, n) if f is _same else f(getattr(value, n), columns) for n, f in backs])

    return _Shape(seen, out, back)


@cache
def _shape(type_: Any) -> _Shape:  # noqa: ANN401
    if not _holds_bytes(type_):
        return _Shape(type_)
    if type_ is bytes:
        return _bytes_shape()
    if isinstance(type_, type) and dataclasses.is_dataclass(type_):
        return _dataclass_shape(type_)
    if get_origin(type_) is tuple:
        return _tuple_shape(type_)
    if get_origin(type_) in (Union, types.UnionType):
        return _optional_shape(type_)
    msg = f"bytes inside {type_} cannot be encoded"
    raise TypeError(msg)


@cache
def _tag(type_: Any) -> str:  # noqa: ANN401
    """Name of a type in the header: ``RunRecord``, ``tuple[DeviceInfo, ...]``."""
    if get_origin(type_) is tuple:
        return f"tuple[{', '.join('...' if arg is Ellipsis else _tag(arg) for arg in get_args(type_))}]"
    return type_.__name__ if isinstance(type_, type) else str(type_)


@cache
def _decoder(type_: Any) -> msgspec.json.Decoder[Any]:  # noqa: ANN401
    envelope = msgspec.defstruct(f"Envelope_{id(type_)}", [("v", int), ("t", str), ("d", _shape(type_).seen)])
    return msgspec.json.Decoder(envelope)


class _AnyEnvelope(msgspec.Struct):
    v: int
    t: str


class _Envelope(msgspec.Struct):
    v: int
    t: str
    d: Any


_ANY = msgspec.json.Decoder(_AnyEnvelope)


def to_json(value: Any, type_: Any = None) -> tuple[bytes, list[bytes]]:  # noqa: ANN401 - any value class
    """Encode a value as JSON header and binary columns.

    Parameters
    ----------
    value : object
        A dataclass of ours, or a tuple of them with `type_` given.
    type_ : type, optional
        The declared type, where ``type(value)`` does not say all: ``tuple[DeviceInfo, ...]``.

    Returns
    -------
    tuple of (bytes, list of bytes)
        The header (UTF-8 JSON) and the columns that it refers to by index. A NaN or an infinity in a number field
        becomes null, as JSON has neither.

    Raises
    ------
    RecordError
        A field cannot be written as JSON: a lone surrogate in a text, an object that is no value.

    Examples
    --------
    >>> from cl_magic.launch.ndrange import NDRange
    >>> to_json(NDRange((8, 4)))[0]
    b'{"v":1,"t":"NDRange","d":{"global_size":[8,4],"local_size":null,"global_offset":null}}'
    """
    type_ = type(value) if type_ is None else type_
    columns: list[bytes] = []
    body = _shape(type_).out(value, columns)
    try:
        header = _ENCODER.encode(_Envelope(CODEC_VERSION, _tag(type_), body))
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        msg = f"a {_tag(type_)} cannot be written as JSON: {error}"
        raise RecordError(msg, remedy="texts need to be free of lone surrogates, fields of other objects") from None
    return header, columns


def from_json(type_: Any, header: Column | str, columns: Sequence[Column] = ()) -> Any:  # noqa: ANN401
    """Decode and check what :func:`to_json` gave.

    Parameters
    ----------
    type_ : type
        What is expected; every field is checked against its annotation.
    header : bytes
        JSON text. May come from an untrusted process or file.
    columns : sequence of bytes
        In order.

    Raises
    ------
    RecordError
        Damaged JSON, another type or version, a field of a wrong type, a column that is missing or left over.

    Examples
    --------
    >>> from cl_magic.launch.request import ScalarArgument
    >>> argument = ScalarArgument(0, "a", "float", bytes(100), "0.0f")
    >>> header, columns = to_json(argument)
    >>> len(columns), from_json(ScalarArgument, header, columns) == argument
    (1, True)
    """
    try:
        envelope = _decoder(type_).decode(header)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
        raise _damage(type_, header, error) from None
    if envelope.v != CODEC_VERSION or envelope.t != _tag(type_):
        raise _other(type_, envelope.v, envelope.t)
    taken = _Columns(columns)
    value = _shape(type_).back(envelope.d, taken)
    if len(taken.used) != len(columns):
        msg = f"{len(columns)} binary columns came with the {_tag(type_)}, and it refers to {len(taken.used)} of them"
        raise RecordError(msg, remedy=_REMEDY, columns=len(columns), used=len(taken.used))
    return value


def _other(type_: Any, version: int, tag: str) -> RecordError:  # noqa: ANN401
    if version != CODEC_VERSION:
        msg = f"the {tag} is of format version {version}, and this cl_magic reads version {CODEC_VERSION}"
    else:
        msg = f"a {_tag(type_)} is expected, and this is a {tag}"
    return RecordError(msg, remedy=_REMEDY, version=version, type_name=tag)


def _damage(type_: Any, header: Column | str, error: Exception) -> RecordError:  # noqa: ANN401
    """Say why a header was refused: another version or type first, else the field that does not fit."""
    try:
        envelope = _ANY.decode(header)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        msg = f"this is no {_tag(type_)}: {error}"
        return RecordError(msg, remedy=_REMEDY, version=None, type_name=None)
    if envelope.v != CODEC_VERSION or envelope.t != _tag(type_):
        return _other(type_, envelope.v, envelope.t)
    msg = f"the {envelope.t} is damaged: {str(error).replace('$.d', envelope.t)}"
    return RecordError(msg, remedy=_REMEDY, version=envelope.v, type_name=envelope.t)
