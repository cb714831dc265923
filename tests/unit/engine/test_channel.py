"""Frames: what is refused, what arrives whole. The other side may be damaged memory."""

from __future__ import annotations

import os
import socket
import struct
import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from cl_magic.engine import channel as channel_module
from cl_magic.engine.channel import Channel, ChannelClosedError
from cl_magic.engine.commands import Inspect
from cl_magic.engine.messages import (
    CommandHeader,
    ErrorBody,
    decode_command,
    decode_reply,
    encode_command,
    encode_value,
    error_of,
    kind_of,
    reply_value,
    send_error,
    send_reply,
)
from cl_magic.errors import BuildError, ClMagicError, EngineError, KernelNotFoundError, LaunchError, RecordError

PREFIX = struct.Struct("<4sHHIQ")


@pytest.fixture
def pair() -> Iterator[tuple[Channel, Channel]]:
    left, right = socket.socketpair()
    channels = Channel(left), Channel(right, descriptors=True)
    yield channels
    for one in channels:
        one.close()


@pytest.fixture
def raw() -> Iterator[tuple[socket.socket, Channel]]:
    left, right = socket.socketpair()
    receiving = Channel(right)
    yield left, receiving
    left.close()
    receiving.close()


def test_a_large_frame_arrives_whole(pair: tuple[Channel, Channel]) -> None:
    columns = [os.urandom(1_000_000), b"", os.urandom(3)]
    sender = threading.Thread(target=pair[0].send, args=(b"{}" * 100_000, columns))
    sender.start()
    frame = pair[1].receive()
    sender.join()
    assert bytes(frame.header) == b"{}" * 100_000
    assert [bytes(part) for part in frame.split([1_000_000, 0, 3])] == columns
    assert frame.descriptors == ()


def test_file_descriptors_come_with_their_frame(pair: tuple[Channel, Channel]) -> None:
    read_fd, write_fd = os.pipe()
    pair[0].send(b"1", (), (write_fd,))
    pair[0].send(b"2")
    first, second = pair[1].receive(), pair[1].receive()
    assert (bytes(first.header), bytes(second.header)) == (b"1", b"2")
    assert second.descriptors == ()
    (copy,) = first.descriptors
    os.write(copy, b"x")
    assert os.read(read_fd, 1) == b"x"
    assert not os.get_inheritable(copy)
    for fd in (read_fd, write_fd, copy):
        os.close(fd)


@pytest.mark.parametrize("lengths", [[1], [5], [-1, 4], []])
def test_columns_that_do_not_add_up(pair: tuple[Channel, Channel], lengths: list[int]) -> None:
    pair[0].send(b"{}", [b"abc"])
    with pytest.raises(EngineError):
        pair[1].receive().split(lengths)


@pytest.mark.parametrize(
    ("prefix", "word"),
    [
        ((b"evil", 1, 0, 2, 0), "no message"),
        ((b"clm\0", 99, 0, 2, 0), "protocol 99"),
        ((b"clm\0", 1, 0, 2**32 - 1, 0), "limit"),
        ((b"clm\0", 1, 0, 2, 2**63), "limit"),
        ((b"clm\0", 1, 3, 2, 0), "3 file descriptors"),
        ((b"clm\0", 1, 999, 2, 0), "limit"),
    ],
)
def test_a_bad_prefix_is_refused_before_anything_is_allocated(
    raw: tuple[socket.socket, Channel], prefix: tuple[Any, ...], word: str
) -> None:
    raw[0].sendall(PREFIX.pack(*prefix) + b"{}")
    with pytest.raises(EngineError, match=word) as refused:
        raw[1].receive()
    assert not isinstance(refused.value, ChannelClosedError)


@pytest.mark.parametrize("sent", [b"", b"clm", PREFIX.pack(b"clm\0", 1, 0, 10, 0) + b"half"])
def test_end_of_file_anywhere_is_a_closed_channel(raw: tuple[socket.socket, Channel], sent: bytes) -> None:
    raw[0].sendall(sent)
    raw[0].close()
    with pytest.raises(ChannelClosedError):
        raw[1].receive()


def test_sending_to_a_closed_side(pair: tuple[Channel, Channel]) -> None:
    pair[1].close()
    with pytest.raises(ChannelClosedError):
        pair[0].send(b"{}")


def test_what_is_over_a_limit_is_not_sent(pair: tuple[Channel, Channel], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "HEADER_LIMIT_BYTES", 10)
    with pytest.raises(EngineError) as refused:
        pair[0].send(b"x" * 11)
    assert (refused.value.value, refused.value.limit) == (11, 10)


@pytest.mark.parametrize(
    "header",
    [b"", b"[", b"{}", b'{"number":"1","kind":"build","body":{}}', b'{"number":1,"kind":"run","body":{}}', b"\xff"],
)
def test_a_damaged_header_is_an_engine_error(pair: tuple[Channel, Channel], header: bytes) -> None:
    pair[0].send(header)
    frame = pair[1].receive()
    with pytest.raises(EngineError):
        decode_command(frame)
    with pytest.raises(EngineError):
        decode_reply(frame)


def test_a_value_of_another_class_is_refused(pair: tuple[Channel, Channel]) -> None:
    body, _ = encode_value(Inspect())
    pair[0].send(encode_command(CommandHeader(1, "launch", body)))
    with pytest.raises(RecordError):
        decode_command(pair[1].receive())


def test_an_answer_to_another_command_is_refused(pair: tuple[Channel, Channel]) -> None:
    send_reply(pair[0], 1, "inspect", (), [])
    header, columns = decode_reply(pair[1].receive())
    with pytest.raises(EngineError, match="answered a build"):
        reply_value(header, "build", columns)
    assert reply_value(header, "inspect", columns) == ()


def crossed(pair: tuple[Channel, Channel], error: Exception) -> Any:
    send_error(pair[0], 1, error)
    header, columns = decode_reply(pair[1].receive())
    with pytest.raises(ClMagicError) as raised:
        reply_value(header, "build", columns)
    return raised.value


def test_errors_cross_as_their_own_class_with_their_facts(pair: tuple[Channel, Channel]) -> None:
    error = crossed(pair, LaunchError("no", remedy="yes", code=-5, sizes=(1, (2, 3)), rate=np.float64(0.5), none=None))
    assert type(error) is LaunchError
    assert (error.message, error.remedy) == ("no", "yes")
    assert (error.code, error.sizes, error.rate, error.none) == (-5, (1, (2, 3)), 0.5, None)
    assert type(crossed(pair, KernelNotFoundError("k"))) is KernelNotFoundError
    assert crossed(pair, BuildError("b", result=object())).result.startswith("<object")


def test_an_error_of_a_class_of_the_engine_crosses_as_its_base(pair: tuple[Channel, Channel]) -> None:
    assert type(crossed(pair, ChannelClosedError("gone"))) is EngineError


def test_a_fault_crosses_with_its_traceback(pair: tuple[Channel, Channel]) -> None:
    error = crossed(pair, ZeroDivisionError("by zero"))
    assert type(error) is EngineError
    assert error.exception == "ZeroDivisionError"
    assert "by zero" in error.traceback


def test_an_error_of_an_unknown_class_and_hostile_facts() -> None:
    body = ErrorBody("os.system", "m", facts={"message": 1, "remedy": 2, "self": 3, "kept": [1]})
    error = error_of(body)
    assert type(error) is EngineError
    assert (error.message, error.kept) == ("m", (1,))
    assert type(error_of(ErrorBody("ClMagicError", "m"))) is ClMagicError
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"name":1,"message":""}', type=ErrorBody)


def test_only_commands_are_commands() -> None:
    assert kind_of(Inspect()) == "inspect"
    with pytest.raises(EngineError):
        kind_of("launch")
