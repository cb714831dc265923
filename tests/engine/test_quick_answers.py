"""Answers that come before the sender goes on: what the worker was sent is known to it all the same."""

from __future__ import annotations

import time

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.engine.channel import Channel


def test_memory_of_a_command_that_was_answered_at_once_stays_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker would map pages again that an array is on, and a launch would touch the closed ones."""
    program = clm.build("kernel void put(global int *x, int value) { x[get_global_id(0)] = value; }")
    warm = clm.zeros(1024, "i4")
    program.put(warm, 1, global_size=1024)
    send = Channel.send

    def slow(self: Channel, *parts: object) -> None:
        send(self, *parts)  # type: ignore[arg-type]
        time.sleep(0.02)  # as a thread that the system lets wait: the reader has the answer meanwhile

    monkeypatch.setattr(Channel, "send", slow)
    for turn in range(4):
        x, other = clm.empty((turn + 2) * 100_000, "i4"), clm.zeros(7, "i4")
        program.put(x, turn, global_size=x.size)
        program.put(other, turn, global_size=7)
        assert np.all(x.numpy() == turn)
        host = np.zeros((turn + 2) * 70_000, np.int32)
        program.put(host, turn, global_size=host.size)
        program.put(host, turn + 1, global_size=host.size)
        assert np.all(host == turn + 1)
