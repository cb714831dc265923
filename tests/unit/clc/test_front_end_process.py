"""The process that holds libclang: starts late, survives hostile texts, ends with its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cl_magic.clc.framing import MAX_FRAME_BYTES, frame_length
from cl_magic.clc.frontend import FrontEnd, front_end
from cl_magic.clc.libclang_location import LibclangLocation, locate_libclang

GOOD = "kernel void good(global int *x) { x[0] = 1; }"

HOSTILE = {
    "empty": "",
    "NUL": "kernel void k(global int *x) {\0 x[0] = 1;\0 }",
    "a million parentheses": "int a = " + "(" * 1_000_000,
    "half a million braces": "void f() {" + "{" * 500_000,
    "deep unary": "void f() { int a = 1; a = " + "!" * 200_000 + "a; }",
    "deep binary": "kernel void k(global int *x) { x[0] = " + "+".join(["x[1]"] * 20_000) + "; }",
    "lone surrogates": "kernel void k(global int *x) { x[0] = 1; } // \ud800 \udfff",
    "includes itself": '#include "again.h"',
    "unfinished": "kernel void k(global undefined_t *x, int [3], ...) { x->y[3].z = *foo(x)->u; for(;;); if () return",
    "incomplete types": "struct S; kernel void k(global struct S *x, struct S z) { x[0]; *x = z; } kernel int q(x",
    "not OpenCL": "import numpy as np\nprint(f'{np.pi:.3}')\n",
    "control characters": "".join(map(chr, range(32))) * 20,
    "half a comment": "/* " * 1000,
    "many errors": "\n".join(f"int f{i}() {{ return undefined_{i}; }}" for i in range(500)),
}


@pytest.fixture
def own() -> Iterator[FrontEnd]:
    if locate_libclang().reason:
        pytest.skip(locate_libclang().reason)
    front = FrontEnd(timeout_s=30.0)
    yield front
    front.close()


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_never_raise_and_the_next_call_is_right(front: FrontEnd, name: str) -> None:
    answer = front.analyse(HOSTILE[name], headers=[("again.h", '#include "again.h"\n')])
    assert answer.available or answer.reason
    assert [kernel.name for kernel in front.analyse(GOOD).kernels] == ["good"]


def test_it_starts_at_the_first_question(own: FrontEnd) -> None:
    assert own._process is None
    own.analyse(GOOD)
    assert own._process is not None


def test_it_can_be_started_before(own: FrontEnd) -> None:
    own.warm_up()
    assert own._process is not None
    pid = own._process.pid
    own.warm_up()
    assert own.analyse(GOOD).available
    assert own._process.pid == pid


def test_after_a_crash_the_next_call_starts_a_new_process(own: FrontEnd) -> None:
    own.analyse(GOOD)
    assert own._process is not None
    first = own._process.pid
    os.kill(first, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while own._process.is_alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert own.analyse(GOOD).available
    assert own._process.pid != first


def test_a_crash_during_a_question_is_a_reason(own: FrontEnd) -> None:
    answer = own.analyse(HOSTILE["deep unary"])
    assert not answer.available
    assert "SIGSEGV" in answer.reason
    assert own._process is None


def test_a_text_without_end_is_given_up(own: FrontEnd) -> None:
    own.analyse(GOOD)
    own._timeout_s = 0.5
    started = time.monotonic()
    answer = own.analyse('#include "/dev/zero"\n')
    assert not answer.available
    assert "0.5 s" in answer.reason
    assert time.monotonic() - started < 20
    own._timeout_s = 30.0
    assert own.analyse(GOOD).available


def test_after_an_interrupt_the_next_answer_is_its_own(own: FrontEnd) -> None:
    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    own.analyse(GOOD)
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            own.analyse('#include "/dev/zero"\n')
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert [kernel.name for kernel in own.analyse(GOOD).kernels] == ["good"]


def test_close_leaves_no_process(own: FrontEnd) -> None:
    own.analyse(GOOD)
    assert own._process is not None
    pid = own._process.pid
    own.close()
    assert not Path(f"/proc/{pid}").exists()
    assert own.analyse(GOOD).available  # closing is no end


def test_threads_share_one_front_end(front: FrontEnd) -> None:
    found: dict[int, list[str]] = {}

    def ask(number: int) -> None:
        answer = front.analyse(f"kernel void k{number}(global int *x) {{ x[0] = {number}; }}")
        found[number] = [kernel.name for kernel in answer.kernels]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [f"k{number}"] for number in range(16)}


def test_it_ends_with_its_parent() -> None:
    code = (
        "import os\n"
        "from cl_magic.clc.frontend import front_end\n"
        f"front_end().analyse({GOOD!r})\n"
        "print(front_end()._process.pid, flush=True)\n"
        "os._exit(0)"  # no atexit: as after a crash
    )
    if locate_libclang().reason:
        pytest.skip(locate_libclang().reason)
    pid = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    deadline = time.monotonic() + 10
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _runs(pid)


def _runs(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_libclang_stays_out_of_this_process(front: FrontEnd) -> None:
    front.analyse(GOOD)
    assert "clang.cindex" not in sys.modules


def test_without_libclang_the_answer_says_so(own: FrontEnd, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = LibclangLocation(reason="the package libclang is not installed")
    monkeypatch.setattr("cl_magic.clc.frontend.locate_libclang", lambda: absent)
    answer = own.analyse(GOOD)
    assert (answer.available, answer.reason) == (False, absent.reason)


def test_an_option_that_libclang_refuses_is_a_reason(front: FrontEnd) -> None:
    answer = front.analyse(GOOD, options=["-cl-std=CL9.9"])
    assert not answer.available
    assert "options" in answer.reason


def test_the_shared_one_is_one() -> None:
    assert front_end() is front_end()


def test_a_message_over_the_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="limit"):
        frame_length((MAX_FRAME_BYTES + 1).to_bytes(4, "big"))


def test_a_warm_call_is_fast(front: FrontEnd) -> None:
    source = """
    kernel void saxpy(global const float *x, global float *y, float a, int n)
    { int i = get_global_id(0); if (i < n) y[i] = a * x[i] + y[i]; }
    """
    front.analyse(source)
    spent = min(front.analyse(source).duration_ns for _ in range(10))
    assert spent < 10_000_000
