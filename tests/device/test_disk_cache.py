"""Builds kept on disk: marked, with the first build's warnings, for any process (S-15, S-47, S-48, R-72)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cl_magic.cache.kept import cache_state, clear_cache
from cl_magic.device import close_engines
from cl_magic.launch.limits import DeviceInfo
from cl_magic.session import Session

SOURCE = """#warning look here
kernel void scale(global float *values, float factor, local int *room)
{ values[get_global_id(0)] *= factor; }
"""
KEEPS = ("pocl", "intel", "nvidia")
BUILD = """
import json, sys
import numpy as np
import cl_magic as clm
source, selector = sys.argv[1:3]
program = clm.build(source, device=selector, options=sys.argv[3:])
x = np.arange(4, dtype=np.float32)
program["scale"](x, 2.0, clm.local(16), global_size=4)
result = program.result
print(json.dumps({"from_cache": result.from_cache, "log": result.log, "notes": result.notes, "x": x.tolist(),
                  "warnings": [[d.line, d.message] for d in result.diagnostics if d.severity == "warning"],
                  "arguments": [p.declaration for p in result.kernels[0].signature.parameters]}))
"""


@pytest.fixture
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    close_engines()  # the workers take the variable when they start
    folder = tmp_path / "cache"
    monkeypatch.setenv("CL_MAGIC_CACHE_DIR", str(folder))
    yield folder
    close_engines()


def start(device: DeviceInfo, source: str = SOURCE, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", BUILD, source, device.id, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def told(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    answer: dict[str, Any] = json.loads(out)
    return answer


def test_s_15_r_72_another_process_gets_the_build_marked_with_its_warnings(device: DeviceInfo, cache_dir: Path) -> None:
    first, second = told(start(device)), told(start(device))
    assert first["from_cache"] is False
    assert second["from_cache"] is (device.family in KEEPS)
    assert first["warnings"]
    for name in ("log", "warnings", "arguments", "x"):
        assert second[name] == first[name], name
    assert first["x"] == [0, 2, 4, 6]
    assert first["arguments"][2] == "local int *room"
    assert cache_dir.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in cache_dir.glob("*/*.entry")} == {0o600}


@pytest.mark.usefixtures("cache_dir")
def test_s_15_s_21_a_program_of_virtual_headers_is_kept_with_their_texts(device: DeviceInfo) -> None:
    if device.family not in KEEPS:
        pytest.skip("this device keeps nothing")
    source = "#include <factor.h>\nkernel void scale(global float *x) { x[get_global_id(0)] *= FACTOR; }"
    found = []
    for text in ("#define FACTOR 2", "#define FACTOR 2", "#define FACTOR 3"):
        close_engines()  # the next worker is another process
        found.append(Session().build(source, device=device, headers={"factor.h": text}))
    assert [program.result.from_cache for program in found] == [False, True, False]
    x = np.ones(2, dtype=np.float32)
    found[2].scale(x, global_size=2)
    assert x.tolist() == [3, 3]


def test_other_options_and_texts_are_other_entries(device: DeviceInfo, cache_dir: Path) -> None:
    assert not cache_dir.exists()
    assert [told(start(device, SOURCE, option))["from_cache"] for option in ("-DN=1", "-DN=2")] == [False, False]
    assert told(start(device, SOURCE + "\n", "-DN=1"))["from_cache"] is False


def test_s_47_two_processes_that_build_at_once_both_get_their_program(device: DeviceInfo, cache_dir: Path) -> None:
    assert not cache_dir.exists()
    running = [start(device) for _ in range(2)]
    assert [told(process)["x"] for process in running] == [[0, 2, 4, 6]] * 2
    assert told(start(device))["x"] == [0, 2, 4, 6]


def test_a_damaged_entry_is_built_again_and_replaced(device: DeviceInfo, cache_dir: Path) -> None:
    told(start(device))
    for path in cache_dir.glob("*/*.entry"):
        path.write_bytes(path.read_bytes()[:-20] + bytes(20))
    assert told(start(device))["from_cache"] is False
    assert told(start(device))["from_cache"] is (device.family in KEEPS)


def test_a_binary_that_the_driver_does_not_take_is_built_again(device: DeviceInfo, cache_dir: Path) -> None:
    from cl_magic.cache.store import Store  # noqa: PLC0415 - only here
    from cl_magic.runtime.kept_builds import KeptBuild  # noqa: PLC0415 - only here

    told(start(device))
    store = Store(cache_dir / "builds")
    for path in cache_dir.glob("builds/*.entry"):
        kept = store.get(path.stem, KeptBuild)
        if kept.binary:
            store.put(path.stem, KeptBuild(kept.result, kept.text, b"not a program" * 40))
    assert told(start(device))["x"] == [0, 2, 4, 6]


def test_a_folder_that_cannot_be_used_is_no_obstacle(device: DeviceInfo, tmp_path: Path, cache_dir: Path) -> None:
    cache_dir.write_text("a file in its place")
    assert told(start(device))["x"] == [0, 2, 4, 6]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache"]


def test_images_with_debug_information_are_kept_and_end_no_worker(device: DeviceInfo, cache_dir: Path) -> None:
    source = (
        SOURCE
        + "kernel void copy(read_only image2d_t a, write_only image2d_t b)\n"
        + ("{ int2 p = (int2)(get_global_id(0), get_global_id(1)); write_imagef(b, p, read_imagef(a, p)); }\n")
    )
    assert [told(start(device, source, "-g"))["from_cache"] for _ in range(2)] == [False, device.family in KEEPS]
    assert cache_dir.is_dir()


def test_s_48_clearing_removes_all_while_programs_run_on(device: DeviceInfo, cache_dir: Path) -> None:
    program = Session(device).build(SOURCE)
    x = np.ones(8, np.float32)
    program["scale"](x, 2.0, clm_local(16), global_size=8, local_size=4)
    before = clear_cache()
    assert (before.builds.entries == 1) is (device.family in KEEPS)
    assert cache_state().nbytes == 0
    assert [path for path in cache_dir.rglob("*") if path.is_file()] == []
    program["scale"](x, 2.0, clm_local(16), global_size=8, local_size=2)
    assert x.tolist() == [4] * 8
    again = Session(device).build(SOURCE + "\n")
    again["scale"](x, 2.0, clm_local(16), global_size=8)
    assert x.tolist() == [8] * 8


def clm_local(nbytes: int) -> Any:
    from cl_magic import local  # noqa: PLC0415 - only here

    return local(nbytes)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
@pytest.mark.parametrize("state", ["full", "read only"])
def test_a_full_or_read_only_disk_is_said_or_passed_by(device: DeviceInfo, tmp_path: Path, state: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["/bin/mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this container may not mount")
    try:
        if state == "full":
            with (disk / "filler").open("wb") as file, pytest.raises(OSError, match="No space"):
                file.write(bytes(1 << 20))
        else:
            subprocess.run(["/bin/mount", "-o", "remount,ro", str(disk)], check=True)
        environment = {**os.environ, "CL_MAGIC_CACHE_DIR": str(disk)}
        command = [sys.executable, "-c", BUILD, SOURCE, device.id]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        assert answer["x"] == [0, 2, 4, 6]
        said = any("is not kept" in note for note in answer["notes"])
        assert said is (device.family in KEEPS)
    finally:
        subprocess.run(["/bin/umount", "-l", str(disk)], check=False)
