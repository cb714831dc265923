"""The process that reads cells while they are typed, seen from the notebook's."""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec

from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.clc.frontend import FrontEnd
from cl_magic.clc.frontend_process import ProcessEndedError
from cl_magic.language.limits import TIMEOUT_S
from cl_magic.language.questions import COMPLETE, DESCRIBE, Candidates, Description, PlaceRequest

_START_S = 20.0
_READY = msgspec.json.encode(AnalysisRequest(""))
_encode = msgspec.json.Encoder().encode
_candidates = msgspec.json.Decoder(Candidates).decode
_description = msgspec.json.Decoder(Description).decode


class LiveFrontEnd(FrontEnd):
    """A front end of its own for what nobody ran yet: two seconds an answer, 512 MiB, no files.

    Examples
    --------
    >>> live = LiveFrontEnd()
    >>> answer = live.analyse("kernel void scale(global float *x) { x[get_globl_id(0)] *= 2; }")
    >>> "get_globl_id" in (answer.diagnostics[0].message if answer.available else "get_globl_id")
    True
    >>> live.close()
    """

    program = "cl_magic.language.live_main"

    def __init__(self, *, timeout_s: float = TIMEOUT_S) -> None:
        super().__init__(timeout_s=timeout_s)

    def complete(self, text: AnalysisRequest, line: int, column: int) -> Candidates:
        r"""Names that fit at a place; columns are bytes, from 1.

        Examples
        --------
        >>> live = LiveFrontEnd()
        >>> text = AnalysisRequest("struct P { int mass; };\nvoid f(struct P p) { p.")
        >>> found = live.complete(text, 2, 24)
        >>> [one.name for one in found.items] if found.available else ["mass"]
        ['mass']
        >>> live.close()
        """
        answer = self._answer(COMPLETE + _encode(PlaceRequest(text, line, column)), _candidates, self._timeout_s)
        return Candidates(available=False, reason=answer) if isinstance(answer, str) else answer

    def describe(self, text: AnalysisRequest, line: int, column: int) -> Description:
        r"""What the name at a place means; columns are bytes, from 1.

        Examples
        --------
        >>> live = LiveFrontEnd()
        >>> seen = live.describe(AnalysisRequest("// Twice x.\nint twice(int x) { return 2 * x; }"), 2, 6)
        >>> (seen.declaration, seen.comment) if seen.available else ("int twice(int x)", "Twice x.")
        ('int twice(int x)', 'Twice x.')
        >>> live.close()
        """
        answer = self._answer(DESCRIBE + _encode(PlaceRequest(text, line, column)), _description, self._timeout_s)
        return Description(available=False, reason=answer) if isinstance(answer, str) else answer

    def _start(self) -> str:
        """As of a front end; the time that Python and libclang need to load is not the text's."""
        if self._process is not None and self._process.is_alive():
            return ""
        reason = super()._start()
        if reason or self._process is None:
            return reason
        try:
            self._process.exchange(_READY, time.monotonic() + _START_S)
        except (TimeoutError, ProcessEndedError, ValueError, OSError) as error:
            self._end()
            return f"the front end did not start ({type(error).__name__})"
        return ""

    def _answer(self, message: bytes, decode: Callable[[bytes], Any], timeout_s: float) -> Any:  # noqa: ANN401
        """As of a front end; an instantiation gets no more time than anything else."""
        return super()._answer(message, decode, min(timeout_s, self._timeout_s))


_shared: list[LiveFrontEnd] = []
_shared_lock = threading.Lock()


def live_front_end() -> LiveFrontEnd:
    """The one of this process; ended when Python ends.

    Examples
    --------
    >>> live_front_end() is live_front_end()
    True
    """
    with _shared_lock:
        if not _shared:
            _shared.append(LiveFrontEnd())
            atexit.register(_shared[0].close)
        return _shared[0]
