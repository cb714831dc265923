"""Where a widget's traits are changed from a thread: in the loop that handles the notebook's messages.

A trait that two threads change at once may be sent in parts or not at all. In a notebook the loop runs whenever no cell
does; a thread's change waits for the cell's end, as the browser's own do.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable


class KernelLoop:
    """The event loop of the thread that makes this object; without one, changes are made at once, one at a time.

    Examples
    --------
    >>> done = []
    >>> KernelLoop().post(lambda: done.append(1))
    >>> done
    [1]
    """

    def __init__(self) -> None:
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None
        self._one = threading.RLock()

    def post(self, change: Callable[[], None]) -> None:
        """Make a change there; returns at once where there is a loop."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(change)
            return
        with self._one:
            change()
