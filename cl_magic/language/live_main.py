"""The process that reads cells while they are typed: the front end's questions and two more, within limits.

Run as ``python -P -m cl_magic.language.live_main``. It is not the one that builds ask: a text that makes this one slow
or ends it holds up no build.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from typing import BinaryIO

import msgspec

from cl_magic.clc import frontend_main
from cl_magic.clc.analysis import AnalysisRequest
from cl_magic.clc.framing import read_frame, write_frame
from cl_magic.clc.instantiation import INSTANTIATE, InstantiationRequest
from cl_magic.clc.libclang import Libclang
from cl_magic.clc.libclang_location import locate_libclang
from cl_magic.language.limits import STACK_BYTES, limit_memory, open_no_more_files
from cl_magic.language.names import complete, describe
from cl_magic.language.questions import COMPLETE, DESCRIBE, Candidates, Description, PlaceRequest
from cl_magic.language.sealed import SealedLibclang

_RECURSION_LIMIT = 50_000
_places = msgspec.json.Decoder(PlaceRequest)
_WARM_UP = "kernel void warm(global float4 *x) { float v = x[0].x; x[get_global_id(0)] = clamp(v, 0.0f, 1.0f); }"


def main() -> None:
    """Serve until end-of-file."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    limit_memory()
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    sys.setrecursionlimit(_RECURSION_LIMIT)
    threading.stack_size(STACK_BYTES)
    threading.Thread(target=_work, args=(requests, answers), daemon=True).start()
    while (frame := read_frame(sys.stdin.buffer)) is not None:
        requests.put(frame)
    os._exit(0)  # without waiting for a libclang that is busy


def _work(requests: queue.SimpleQueue[bytes], answers: BinaryIO) -> None:
    encoder = msgspec.json.Encoder()
    clang = _load()
    _warm_up(clang, encoder)
    open_no_more_files()
    while True:
        write_frame(answers, _encoded(clang, requests.get(), encoder))


def _load() -> Libclang | str:
    location = locate_libclang()
    if location.reason:
        return location.reason
    try:
        return SealedLibclang(location)
    except (ImportError, OSError, AttributeError) as error:
        return f"libclang cannot be loaded: {error}"


def _warm_up(clang: Libclang | str, encoder: msgspec.json.Encoder) -> None:
    """Ask one question of each kind: what Python loads late is loaded while files can still be opened."""
    text = AnalysisRequest(_WARM_UP)
    place = encoder.encode(PlaceRequest(text, 1, 64))
    template = AnalysisRequest("template<class T> kernel void zero(global T *x) { *x = T(); }")
    instantiate = encoder.encode(InstantiationRequest(template, ("zero<int>",)))
    for frame in (encoder.encode(text), INSTANTIATE + instantiate, COMPLETE + place, DESCRIBE + place):
        _encoded(clang, frame, encoder)


def _encoded(clang: Libclang | str, frame: bytes, encoder: msgspec.json.Encoder) -> bytes:
    try:
        return encoder.encode(_answer(clang, frame))
    except MemoryError:
        os._exit(3)  # the parent says that the text was too much, and starts anew


def _answer(clang: Libclang | str, frame: bytes) -> object:
    kind = frame[:1]
    if kind not in (COMPLETE, DESCRIBE):
        return frontend_main._answer(clang, frame)  # noqa: SLF001 - the same questions, other limits
    answer_type = Candidates if kind == COMPLETE else Description
    if isinstance(clang, str):
        return answer_type(available=False, reason=clang)
    try:
        ask = complete if kind == COMPLETE else describe
        return ask(clang, _places.decode(frame[1:]))
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the text is hostile until proven otherwise
        return answer_type(available=False, reason=f"the front end failed on this text ({type(error).__name__})")


if __name__ == "__main__":
    main()
