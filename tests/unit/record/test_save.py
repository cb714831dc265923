"""A record in one file: saved whole or not at all, refused when it is not what was saved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.records import run_with

from cl_magic.errors import RecordError
from cl_magic.launch.ndrange import NDRange
from cl_magic.record.run import RunRecord
from cl_magic.record.save import load, save


def test_a_record_comes_back_equal(tmp_path: Path) -> None:
    record = run_with()
    path = record.save(tmp_path / "blur")
    assert path == tmp_path / "blur.clm"
    assert RunRecord.load(path) == record
    assert os.listdir(tmp_path) == ["blur.clm"]  # noqa: PTH208 - names


def test_a_record_loads_in_a_process_without_any_driver(tmp_path: Path) -> None:
    path = run_with().save(tmp_path / "blur.clm")
    code = (
        "import sys; from cl_magic.record.run import RunRecord; run = RunRecord.load(sys.argv[1]); "
        "print(run.kernel, 'pyopencl' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["blur", "False"]


def _rewritten(path: Path, name: str, data: bytes | None) -> Path:
    """Copy of a saved file with one member replaced, or left out."""
    other = path.with_name("other.clm")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
        for member in old.namelist():
            if member != name:
                new.writestr(member, old.read(member))
        if data is not None:
            new.writestr(name, data)
    return other


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return run_with().save(tmp_path / "blur.clm")


def _refused(path: Path) -> RecordError:
    with pytest.raises(RecordError) as caught:
        RunRecord.load(path)
    assert caught.value.path == str(path)
    assert caught.value.remedy
    assert str(path) in caught.value.message
    return caught.value


@pytest.mark.parametrize(
    ("member", "data"),
    [
        ("header.json", b'{"v":1,"t":"RunRecord","d":{}}'),
        ("header.json", None),
        ("columns/0.bin", b"other"),
        ("columns/0.bin", None),
        ("columns/99.bin", b"more"),
        ("../outside.txt", b"more"),
        ("manifest.json", None),
        ("manifest.json", b"{}"),
        ("manifest.json", b'{"format":"other","version":1,"type":"","digests":{}}'),
        ("manifest.json", b'{"format":"cl_magic record","version":1,"type":"","digests":{}}'),
    ],
)
def test_damage_is_refused(saved: Path, member: str, data: bytes | None) -> None:
    _refused(_rewritten(saved, member, data))


def test_another_version_is_refused_and_named(saved: Path) -> None:
    with zipfile.ZipFile(saved) as file:
        manifest = json.loads(file.read("manifest.json"))
    error = _refused(_rewritten(saved, "manifest.json", json.dumps(manifest | {"version": 2}).encode()))
    assert "version 2" in error.message


def test_a_record_of_another_version_is_refused(tmp_path: Path) -> None:
    path = save(run_with(version=2), tmp_path / "new.clm")
    with pytest.raises(RecordError) as caught:
        RunRecord.load(path)
    assert caught.value.version == 2


def test_other_files_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.clm"
    text.write_text("no zip at all")
    _refused(text)
    _refused(tmp_path / "missing.clm")
    _refused(tmp_path)
    _refused(save(NDRange((8,)), tmp_path / "range.clm"))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_file_that_was_cut_or_changed_is_refused(saved: Path, share: float) -> None:
    data = saved.read_bytes()
    cut = saved.with_name("cut.clm")
    cut.write_bytes(data[: int(len(data) * share)])
    _refused(cut)
    place = int(len(data) * share)
    cut.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
    _refused(cut)


def test_a_save_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = save(NDRange((8,)), tmp_path / "range.clm")
    with pytest.raises(RecordError):
        save(object, path)  # a class is no value
    assert load(NDRange, path) == NDRange((8,))
    with pytest.raises(RecordError):
        save(NDRange((8,)), tmp_path / "no" / "folder.clm")
    assert [p.name for p in tmp_path.iterdir()] == ["range.clm"]
