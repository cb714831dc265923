"""What the front end saw of a text, kept on disk: another process need not start libclang for it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable

from cl_magic.cache.kept import store_of
from cl_magic.cache.keys import key_of
from cl_magic.clc.analysis import Analysis, AnalysisRequest


def kept_analysis(
    request: AnalysisRequest, included: Iterable[tuple[str, str]], analyse: Callable[[], Analysis]
) -> Analysis:
    """The analysis that an earlier process kept, else that of `analyse`, which is kept then.

    Parameters
    ----------
    request : AnalysisRequest
        All that the answer depends on, but for files.
    included : iterable of (str, str)
        Path and digest of the files that the text includes.
    analyse : callable
        Asks the front end. An answer that is not available is not kept.

    Examples
    --------
    >>> kept_analysis(AnalysisRequest("no such text"), (), lambda: Analysis(False, "no libclang")).reason
    'no libclang'
    """
    started_ns = time.perf_counter_ns()
    store = store_of("analyses")
    if store is None:
        return analyse()
    fields = " ".join(field.name for field in dataclasses.fields(Analysis))  # one that knew less does not count
    key = key_of("analysis", [repr(request), repr(tuple(included)), fields])
    known: Analysis | None = store.get(key, Analysis)
    if known is not None:
        return dataclasses.replace(known, duration_ns=time.perf_counter_ns() - started_ns)
    made = analyse()
    if made.available:
        store.put(key, made)
    return made
