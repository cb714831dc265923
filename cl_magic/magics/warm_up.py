"""Drivers, worker and front end, started beside a notebook's first lines so that no cell waits for them."""

from __future__ import annotations

import threading

from cl_magic.clc.frontend import front_end
from cl_magic.device import engine_for
from cl_magic.engine.commands import Inspect
from cl_magic.errors import ClMagicError
from cl_magic.session import session


def warm_up() -> threading.Thread:
    """Start what the first ``%%opencl`` needs, in a thread; what fails is reported by that cell.

    Returns
    -------
    threading.Thread
        A daemon: it never keeps the notebook's process alive.

    Examples
    --------
    >>> warm_up().join()
    """
    thread = threading.Thread(target=_start, name="cl_magic warm-up", daemon=True)
    thread.start()
    return thread


def _start() -> None:
    try:
        front_end().warm_up()  # beside the search for drivers: it waits for nothing
        engine_for(session().device, session().engine).submit(Inspect()).result()
    except ClMagicError:
        return  # the user has asked for nothing yet
