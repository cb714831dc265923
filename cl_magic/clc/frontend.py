"""The front end's client: asks the process that holds libclang, restarts it after a crash, and never raises for a text.

The device's own compiler has the last word (design 1.3): an analysis that is not available is a value with its reason.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from cl_magic.clc.analysis import Analysis, AnalysisRequest
from cl_magic.clc.evaluation import EXAMINE, ExaminationRequest, Examined
from cl_magic.clc.framing import MAX_FRAME_BYTES
from cl_magic.clc.frontend_process import FrontEndProcess, ProcessEndedError
from cl_magic.clc.instantiation import INSTANTIATE, Instantiation, InstantiationRequest
from cl_magic.clc.libclang_location import locate_libclang

DEFAULT_TIMEOUT_S = 5.0
_ROUNDS = 6
"""An instantiation reads a text several times: its time limit is that of as many analyses."""

Answer = TypeVar("Answer", Analysis, Instantiation, Examined)


class FrontEnd:
    """The front end, started at its first question.

    Parameters
    ----------
    timeout_s : float, optional
        Seconds for one answer; the process is ended when it takes longer, and the next question starts a new one.

    Examples
    --------
    >>> front = FrontEnd()
    >>> answer = front.analyse("kernel void scale(global float *x, float a) { x[get_global_id(0)] *= a; }")
    >>> [p.type_name for p in answer.kernels[0].parameters] if answer.available else ["float*", "float"]
    ['float*', 'float']
    >>> front.close()
    """

    program = "cl_magic.clc.frontend_main"
    """Module that the process runs."""

    def __init__(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._process: FrontEndProcess | None = None
        self._owner = os.getpid()
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(Analysis).decode
        self._decode_examined = msgspec.json.Decoder(Examined).decode
        self._decode_instantiation = msgspec.json.Decoder(Instantiation).decode

    def analyse(
        self,
        source: str,
        *,
        options: Sequence[str] = (),
        include_dirs: Sequence[str] = (),
        headers: Sequence[tuple[str, str]] = (),
        language_version: str = "",
        lacking: Sequence[str] = (),
    ) -> Analysis:
        """Signatures, diagnostics and uses of one text.

        Parameters
        ----------
        source : str
            OpenCL C text; NULs and lone surrogates are allowed.
        options : sequence of str, optional
            Build options, values unquoted. Of them ``-D -U -I -include -W… -w -cl-std= -cl-ext=`` and those on the
            precision of literals count.
        include_dirs : sequence of str, optional
            Absolute folders.
        headers : sequence of (str, str), optional
            Virtual headers: name and text.
        language_version : str, optional
            ``CL1.2``, ``CL3.0`` …, used when the options hold no ``-cl-std``; OpenCL C 1.2 by default.
        lacking : sequence of str, optional
            Extensions that the device does not have, of ``cl_khr_fp64`` and ``cl_khr_fp16``: their use is marked.

        Returns
        -------
        Analysis
            ``available`` is False, with the reason, when there is no libclang, or it crashed or took too long.
        """
        request = _request(source, options, include_dirs, headers, language_version, lacking)
        answer = self._answer(self._encode(request), self._decode, self._timeout_s)
        return Analysis(available=False, reason=answer) if isinstance(answer, str) else answer

    def instantiate(
        self,
        source: str,
        names: Sequence[str] = (),
        *,
        options: Sequence[str] = (),
        include_dirs: Sequence[str] = (),
        headers: Sequence[tuple[str, str]] = (),
        keep_helpers: bool = False,
    ) -> Instantiation:
        """Templates and overloads of a text as plain OpenCL C.

        Parameters
        ----------
        source : str
            OpenCL C text in which functions may be templates or overloaded, as in C++ for OpenCL 2021.
        names : sequence of str
            Expressions that name kernels: ``axpy<float>``, ``(void(*)(int, global int*))iota``.
        options, include_dirs, headers
            As for :meth:`analyse`.
        keep_helpers : bool, optional
            For a device that takes C++ for OpenCL: only kernels are instantiated.

        Returns
        -------
        Instantiation
            ``available`` is False, with the reason, as for :meth:`analyse`.

        Examples
        --------
        >>> front = FrontEnd()
        >>> made = front.instantiate("template<class T> kernel void zero(global T *x) { *x = T(); }", ["zero<int>"])
        >>> made.source if made.available else "kernel void zero__int(global int *x) { *x = ((int)(0)); }"
        'kernel void zero__int(global int *x) { *x = ((int)(0)); }'
        >>> front.close()
        """
        text = _request(source, options, include_dirs, headers, "", ())
        request = InstantiationRequest(text, tuple(map(_clean, names)), keep_helpers)
        message = INSTANTIATE + self._encode(request)
        answer = self._answer(message, self._decode_instantiation, _ROUNDS * self._timeout_s)
        return Instantiation(available=False, reason=answer) if isinstance(answer, str) else answer

    def examine(self, text: AnalysisRequest, kernel: str, ranges: Sequence[tuple[int, int]]) -> Examined:
        r"""Kinds, types and variables of the items in a kernel's body.

        Parameters
        ----------
        text : AnalysisRequest
        kernel : str
            Name of the kernel that holds the items.
        ranges : sequence of (int, int)
            Bytes [start, end) of each item in the text.

        Returns
        -------
        Examined
            ``available`` is False, with the reason, as for :meth:`analyse`; no items where the text has errors.

        Examples
        --------
        >>> front = FrontEnd()
        >>> seen = front.examine(AnalysisRequest("kernel void k() {\n3 > 2\n;}"), "k", [(18, 23)])
        >>> seen.items[0].type.name if seen.available else "int"
        'int'
        >>> front.close()
        """
        request = _request(
            text.source, text.options, text.include_dirs, text.headers, text.language_version, text.lacking
        )
        message = EXAMINE + self._encode(ExaminationRequest(request, kernel, tuple(ranges)))
        answer = self._answer(message, self._decode_examined, self._timeout_s)
        return Examined(available=False, reason=answer) if isinstance(answer, str) else answer

    def warm_up(self) -> None:
        """Start the process without a question and without waiting, so that the first answer comes sooner.

        Examples
        --------
        >>> front = FrontEnd()
        >>> front.warm_up()
        >>> front.close()
        """
        with self._lock:
            self._start()

    def close(self) -> None:
        """End the process; the next question would start a new one."""
        with self._lock:
            self._end()

    def _answer(self, message: bytes, decode: Callable[[bytes], Answer], timeout_s: float) -> Answer | str:
        """The answer to a message, or the reason why there is none."""
        if len(message) > MAX_FRAME_BYTES:
            return f"the text is over the front end's limit of {MAX_FRAME_BYTES} bytes"
        with self._lock:
            return self._ask(message, decode, timeout_s)

    def _ask(self, message: bytes, decode: Callable[[bytes], Answer], timeout_s: float) -> Answer | str:
        reason = self._start()
        if reason:
            return reason
        try:
            return decode(self._running.exchange(message, time.monotonic() + timeout_s))
        except TimeoutError:
            reason = f"the front end took longer than {timeout_s:g} s for this text"
        except (ProcessEndedError, ValueError, OSError) as error:
            reason = (
                str(error)
                if isinstance(error, ProcessEndedError)
                else f"the front end's answer cannot be read: {error}"
            )
        except BaseException:
            # Interrupted: the answer that is still to come must not be taken for that to the next question.
            self._end()
            raise
        self._end()
        return reason

    @property
    def _running(self) -> FrontEndProcess:
        if self._process is None:
            msg = "the front end is not running"
            raise ProcessEndedError(msg)
        return self._process

    def _start(self) -> str:
        """Start the process where none runs; the reason when none can."""
        if self._owner != os.getpid():  # a fork: the pipe belongs to the parent
            self._process, self._owner = None, os.getpid()
        if self._process is not None and self._process.is_alive():
            return ""
        self._end()
        location = locate_libclang()
        if location.reason:
            return location.reason
        try:
            self._process = FrontEndProcess(self.program)
        except OSError as error:
            return f"the front end cannot be started: {error}"
        return ""

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()


def _request(
    source: str,
    options: Sequence[str],
    include_dirs: Sequence[str],
    headers: Sequence[tuple[str, str]],
    language_version: str,
    lacking: Sequence[str],
) -> AnalysisRequest:
    return AnalysisRequest(
        _clean(source),
        tuple(map(_clean, options)),
        tuple(map(_clean, include_dirs)),
        tuple((_clean(name), _clean(text)) for name, text in headers),
        language_version,
        tuple(lacking),
    )


def _clean(text: str) -> str:
    """A lone surrogate becomes one ``?``, so that columns stay right."""
    return text.encode("utf-8", "replace").decode("utf-8")


_shared: list[FrontEnd] = []
_shared_lock = threading.Lock()


def front_end() -> FrontEnd:
    """The front end shared by this process; ended when Python ends.

    Examples
    --------
    >>> front_end() is front_end()
    True
    """
    with _shared_lock:
        if not _shared:
            _shared.append(FrontEnd())
            atexit.register(_shared[0].close)
        return _shared[0]
