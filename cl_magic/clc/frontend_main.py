"""The front end's own process: answers requests on its standard input until that is closed.

Run as ``python -P -m cl_magic.clc.frontend_main``. libclang can crash on hostile texts; then only this process
ends. The main thread reads, so that the end of the parent is seen at once even while libclang is busy; a second thread
with a large stack works.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from typing import BinaryIO

import msgspec

from cl_magic.clc.analyser import analyse
from cl_magic.clc.analysis import Analysis, AnalysisRequest
from cl_magic.clc.evaluation import EXAMINE, ExaminationRequest, Examined
from cl_magic.clc.examiner import examine
from cl_magic.clc.framing import read_frame, write_frame
from cl_magic.clc.instantiation import INSTANTIATE, Instantiation, InstantiationRequest
from cl_magic.clc.instantiator import instantiate
from cl_magic.clc.libclang import Libclang
from cl_magic.clc.libclang_location import locate_libclang

_RECURSION_LIMIT = 50_000
"""Expressions nest deeper than Python's default of 1,000; a Python call takes no C stack."""
_STACK_BYTES = 256 * 1024 * 1024
_MEMORY_BYTES = 8 * 1024**3
"""Address space of this process: a macro that doubles itself must not take the machine with it."""


def main() -> None:
    """Serve until end-of-file."""
    answers = os.fdopen(os.dup(1), "wb")
    # Nothing that libclang prints may get between the answers.
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    _limit_memory()
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    sys.setrecursionlimit(_RECURSION_LIMIT)
    threading.stack_size(_STACK_BYTES)
    threading.Thread(target=_work, args=(requests, answers), daemon=True).start()
    while (frame := read_frame(sys.stdin.buffer)) is not None:
        requests.put(frame)
    os._exit(0)  # without waiting for a libclang that is busy


def _limit_memory() -> None:
    # Windows has no resource module; there the time-out alone protects.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _work(requests: queue.SimpleQueue[bytes], answers: BinaryIO) -> None:
    encoder = msgspec.json.Encoder()
    clang = _load()
    while True:
        frame = requests.get()
        write_frame(answers, encoder.encode(_answer(clang, frame)))


def _answer(clang: Libclang | str, frame: bytes) -> Analysis | Instantiation | Examined:
    if frame.startswith(INSTANTIATE):
        return _instantiation(clang, frame)
    return _examination(clang, frame) if frame.startswith(EXAMINE) else _analysis(clang, frame)


def _load() -> Libclang | str:
    location = locate_libclang()
    if location.reason:
        return location.reason
    try:
        return Libclang(location)
    except (ImportError, OSError, AttributeError) as error:
        return f"libclang cannot be loaded: {error}"


_analyses = msgspec.json.Decoder(AnalysisRequest)
_examinations = msgspec.json.Decoder(ExaminationRequest)
_instantiations = msgspec.json.Decoder(InstantiationRequest)


def _analysis(clang: Libclang | str, frame: bytes) -> Analysis:
    if isinstance(clang, str):
        return Analysis(available=False, reason=clang)
    try:
        return analyse(clang, _analyses.decode(frame))
    except Exception as error:  # noqa: BLE001 - the text is hostile until proven otherwise; the answer says what failed
        return Analysis(available=False, reason=_failed(error))


def _instantiation(clang: Libclang | str, frame: bytes) -> Instantiation:
    if isinstance(clang, str):
        return Instantiation(available=False, reason=clang)
    try:
        return instantiate(clang, _instantiations.decode(frame.removeprefix(INSTANTIATE)))
    except Exception as error:  # noqa: BLE001 - as above
        return Instantiation(available=False, reason=_failed(error))


def _examination(clang: Libclang | str, frame: bytes) -> Examined:
    if isinstance(clang, str):
        return Examined(available=False, reason=clang)
    try:
        return examine(clang, _examinations.decode(frame.removeprefix(EXAMINE)))
    except Exception as error:  # noqa: BLE001 - as above
        return Examined(available=False, reason=_failed(error))


def _failed(error: Exception) -> str:
    return f"the front end failed on this text ({type(error).__name__})"


if __name__ == "__main__":
    main()
