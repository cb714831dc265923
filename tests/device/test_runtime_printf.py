"""What kernels and drivers print belongs to their command: complete, in order, also under pytest."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from support.launches import array_argument, plan, request

from cl_magic.build.spec import ProgramSpec
from cl_magic.engine.commands import Build, Launch
from cl_magic.engine.inline import InlineEngine
from cl_magic.launch.limits import DeviceInfo
from cl_magic.runtime.printf import captured_output

TALKS = ProgramSpec(
    '__kernel void talks(__global int *n)\n{ for (int i = 0; i < n[0]; ++i) printf("line %d of this kernel\\n", i); }\n'
)


def test_printf_belongs_to_its_run_in_order(inline: InlineEngine, each_device: DeviceInfo) -> None:
    n = np.array([3], dtype=np.int32)
    inline.submit(Build(TALKS, each_device.local_id)).result()
    command = Launch(request(TALKS, "talks", plan((1,), (1,)), array_argument(0, "n", n, "in")), each_device.local_id)
    assert os.environ["PYTEST_CURRENT_TEST"]
    record = inline.submit(command, [n]).result()
    assert record.printf == "".join(f"line {i} of this kernel\n" for i in range(3))
    assert inline.submit(command, [n]).result().printf == record.printf


def test_printf_is_kept_without_captures_too(inline: InlineEngine, each_device: DeviceInfo) -> None:
    n = np.array([1], dtype=np.int32)
    inline.submit(Build(TALKS, each_device.local_id)).result()
    argument = array_argument(0, "n", n, "in")
    command = Launch(request(TALKS, "talks", plan((1,), (1,)), argument, capture="none"), each_device.local_id)
    assert inline.submit(command, [n]).result().printf.count("line") == 1


def test_a_hundred_thousand_lines_are_complete(inline: InlineEngine) -> None:
    lines = 100_000
    device = next(device for device in inline.devices() if not device.simulator)
    n = np.array([lines], dtype=np.int32)
    inline.submit(Build(TALKS, device.local_id)).result()
    command = Launch(request(TALKS, "talks", plan((1,), (1,)), array_argument(0, "n", n, "in")), device.local_id)
    printed = inline.submit(command, [n]).result().printf.splitlines()
    assert len(printed) == lines
    assert printed[-1] == f"line {lines - 1} of this kernel"


def test_ten_megabytes_do_not_dead_lock() -> None:
    chunk = b"x" * 1_000_000
    with captured_output() as caught:
        for _ in range(10):
            os.write(1, chunk)
    assert len(caught.text) == 10_000_000


def test_both_descriptors_are_caught_and_given_back(tmp_path: Path) -> None:
    code = (
        "import os\n"
        "from cl_magic.runtime.printf import captured_output\n"
        "print('before')\n"
        "with captured_output() as caught:\n"
        "    os.write(1, b'one '); os.write(2, b'two '); os.write(1, b'three\\xff')\n"
        "print('after', ascii(caught.text))\n"
    )
    out = tmp_path / "out.txt"
    with out.open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, stderr=subprocess.STDOUT, check=True)
    assert out.read_text().splitlines() == ["before", "after 'one two three\\ufffd'"]


def test_closed_descriptors_degrade_to_none() -> None:
    code = (
        "import os\n"
        "from cl_magic.runtime.printf import captured_output\n"
        "os.close(2)\n"
        "with captured_output() as caught: os.write(1, b'seen')\n"
        "assert caught.text == ''\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"seen")


def test_a_file_of_the_process_itself_keeps_the_last_words(tmp_path: Path) -> None:
    code = (
        "import os\n"
        "from cl_magic.runtime.printf import captured_output\n"
        "os.write(2, b'first ')\n"
        "with captured_output() as caught: os.write(1, b'x' * 3_000_000)\n"
        "assert caught.text == 'x' * 3_000_000\n"
        "os.write(1, b'then ')\n"
        "with captured_output() as caught:\n"
        "    os.write(2, b'last words')\n"
        "    os.abort()\n"
    )
    out = tmp_path / "out.txt"
    with out.open("w+b") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, stderr=file, check=False)
    assert out.read_text() == "first then last words"


def test_an_error_inside_gives_the_descriptors_and_the_text_back() -> None:
    before = os.fstat(1).st_ino
    texts = []

    def fail() -> None:
        with captured_output() as caught:
            texts.append(caught)
            os.write(1, b"last words")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert [caught.text for caught in texts] == ["last words"]
    assert os.fstat(1).st_ino == before


def test_two_threads_do_not_mix() -> None:
    texts: list[str] = []

    def capture(word: bytes) -> None:
        for _ in range(50):
            with captured_output() as caught:
                os.write(1, word)
                os.write(1, word)
            texts.append(caught.text)

    threads = [threading.Thread(target=capture, args=(word,)) for word in (b"a", b"b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(texts)) == ["aa", "bb"]
