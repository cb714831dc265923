"""Copies between arrays of the host, large ones by several threads: one thread moves less than the memory can.

NumPy lets go of Python's lock while it copies. Threads are made for each copy and end with it, so that a fork finds
none of them; making them takes 100 µs, a thousandth of what the smallest copy that is split takes.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np

from cl_magic.engine.drivers import usable_processors

PART_BYTES = 4 * 1024 * 1024
"""Least bytes of a thread's part."""
_MOST_THREADS = 8
"""More threads than this move no more: the memory is busy."""

_Array = np.ndarray[Any, Any]


def copy_array(target: _Array, source: _Array, threads: int | None = None) -> None:
    """Copy all elements of `source` into `target`, as :func:`numpy.copyto` does it.

    Parameters
    ----------
    target, source : ndarray
        Of one shape.
    threads : int, optional
        Most threads that copy; by default half of the processors, at most 8.

    Examples
    --------
    >>> target = np.zeros(3)
    >>> copy_array(target, np.arange(3.0))
    >>> target
    array([0., 1., 2.])
    """
    most = min(_threads() if threads is None else threads, source.nbytes // PART_BYTES)
    pair = _flat_pair(target, source) if most > 1 else None
    if pair is None:
        np.copyto(target, source)
        return
    to, given = pair
    step = -(-to.size // most // 64) * 64  # threads that write one cache line between them would wait for each other
    parts = [(to[begin : begin + step], given[begin : begin + step]) for begin in range(0, to.size, step)]
    started = [thread for part in parts[1:] if (thread := _begun(*part)) is not None]
    try:
        np.copyto(*parts[0])
    finally:  # also after Ctrl-C: nothing is written after the return
        for thread in started:
            thread.join()


@functools.cache
def _threads() -> int:
    return min(_MOST_THREADS, usable_processors() // 2)


def _flat_pair(target: _Array, source: _Array) -> tuple[_Array, _Array] | None:
    """Both as one axis in the order of memory; None where NumPy has to say how, or that it cannot be."""
    if target.dtype != source.dtype or target.shape != source.shape:
        return None
    if target.dtype.hasobject or not target.flags.writeable:
        return None
    if target.flags.c_contiguous and source.flags.c_contiguous:
        return target.reshape(-1), source.reshape(-1)
    if target.flags.f_contiguous and source.flags.f_contiguous:
        return target.T.reshape(-1), source.T.reshape(-1)
    return None


def _begun(to: _Array, given: _Array) -> threading.Thread | None:
    """A thread that copies; None where no thread can be had (at the end of the process), and it was copied here."""
    thread = threading.Thread(target=np.copyto, args=(to, given), name="cl_magic-copy", daemon=True)
    try:
        thread.start()
    except RuntimeError:
        np.copyto(to, given)
        return None
    return thread
