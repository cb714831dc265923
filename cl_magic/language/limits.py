"""What the process that reads cells while they are typed may take: memory, stack, and no file at all.

A text is read here before anybody ran it. So libclang gets every file that it may see by value (see `files`), and the
process gives up its right to open any: ``#include "/dev/zero"`` fails in the system, whatever spelling leads to it.
"""

from __future__ import annotations

import contextlib

MEMORY_BYTES = 512 * 1024**2
"""Address space, libraries and stacks counted."""
STACK_BYTES = 64 * 1024**2
"""Of the thread that reads; deeply nested expressions need it."""
TIMEOUT_S = 2.0
"""For one answer."""
MAX_TEXT_BYTES = 512 * 1024
"""Longer cells are read when they run, not while they are typed."""


def limit_memory() -> None:
    """Limit this process's address space; where the system cannot, the time limit alone protects."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def open_no_more_files() -> None:
    """Let every later ``open`` of this process fail; what is open stays open."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
