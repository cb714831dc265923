"""What a test may leave behind in the process: nothing. Linux only; elsewhere there is nothing to look at."""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path
from typing import Any

_GRACE_S = 10.0
_OURS = b"cl_magic.engine"


def child_pids() -> set[int]:
    """All children of this process, zombies too."""
    tasks = Path("/proc/self/task")
    pids: set[int] = set()
    for task in tasks.iterdir() if tasks.exists() else ():
        try:
            pids.update(int(word) for word in (task / "children").read_text().split())
        except OSError:  # a thread that ended meanwhile
            continue
    return pids


def _state_and_command(pid: int) -> tuple[str, bytes]:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state, Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return "", b""


def _shared_engines() -> list[Any]:
    module = sys.modules.get("cl_magic.device")
    return list(module._engines.values()) if module else []


def memory_files() -> set[int]:
    """Inodes of this process's memory files (a mapping keeps a descriptor of its own, so descriptors do not count)."""
    found = set()
    folder = Path("/proc/self/fd")
    for entry in folder.iterdir() if folder.exists() else ():
        try:
            if str(entry.readlink()).startswith("/memfd:cl_magic"):
                found.add(entry.stat().st_ino)
        except OSError:  # closed meanwhile
            continue
    return found


def _left_processes(before: set[int]) -> list[str]:
    """Zombies, and workers or probes that belong to no shared engine."""
    shared = {engine.pid for engine in _shared_engines()}
    left = []
    for pid in child_pids() - shared - before:
        state, command = _state_and_command(pid)
        if state == "Z" or _OURS in command:
            left.append(f"process {pid} ({state}) {command.decode(errors='replace')}")
    return left


def _left_memory(before: set[int]) -> set[int]:
    pools = [engine._pool for engine in _shared_engines() if engine._pool]
    kept = {os.fstat(segment.fd).st_ino for pool in pools for segment in pool._idle}
    return memory_files() - kept - before


class Watch:
    """What there was before a test: one failure is enough, what an earlier test left is not this one's."""

    def __init__(self) -> None:
        self._children = child_pids()
        self._files = memory_files()

    def check(self) -> None:
        """Fail where something is left after some seconds: a busy machine takes its time."""
        deadline = time.monotonic() + _GRACE_S
        while left := [*_left_processes(self._children), *_left_memory(self._files)]:
            assert time.monotonic() < deadline, f"the test left {left} (numbers are inodes of memory files)"
            time.sleep(0.02)
            gc.collect()
            for engine in _shared_engines():
                engine.memories.tidy()
