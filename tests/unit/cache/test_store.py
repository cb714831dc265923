"""The store on disk: whole entries or none, for any number of processes, bounded, trusted folders only (S-47, S-48)."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cl_magic.cache.folder import cache_folder
from cl_magic.cache.kept import cache_state, clear_cache, driver_cache_environment
from cl_magic.cache.keys import driver_variables, key_of
from cl_magic.cache.store import Store
from cl_magic.launch.ndrange import NDRange
from cl_magic.launch.request import ScalarArgument

KEY = "ab" * 32
VALUE = NDRange((8, 4), (2, 2))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "entries")


@pytest.fixture
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("CL_MAGIC_CACHE_DIR", str(folder))
    return folder


def test_s_48_an_entry_comes_back_with_its_bytes_and_is_private(store: Store) -> None:
    value = ScalarArgument(0, "a", "float16", bytes(range(200)), "…")
    store.put(KEY, value)
    assert store.get(KEY, ScalarArgument) == value
    (path,) = store.folder.iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert store.folder.stat().st_mode & 0o777 == 0o700
    assert b"pickle" not in path.read_bytes()


@pytest.mark.parametrize("damage", ["empty", "cut", "bit", "foreign", "other version", "folder", "pipe", "link"])
def test_what_is_damaged_or_foreign_is_absent_and_can_be_replaced(store: Store, tmp_path: Path, damage: str) -> None:
    store.put(KEY, VALUE)
    path = store.folder / f"{KEY}.entry"
    data = path.read_bytes()
    path.unlink()
    if damage == "folder":
        path.mkdir()
    elif damage == "pipe":
        os.mkfifo(path)
    elif damage == "link":
        (tmp_path / "elsewhere").write_bytes(data)
        path.symlink_to(tmp_path / "elsewhere")
    else:
        changed = data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]
        texts = {"empty": b"", "cut": data[:-3], "bit": changed, "foreign": b"#!/bin/sh\n" * 20}
        path.write_bytes(texts.get(damage, data.replace(b"cache 1", b"cache 9")))
    assert store.get(KEY, NDRange) is None
    store.put(KEY, VALUE)
    if damage == "folder":
        assert store.trouble
    else:
        assert store.get(KEY, NDRange) == VALUE


def test_another_type_under_the_key_is_absent(store: Store) -> None:
    store.put(KEY, VALUE)
    assert store.get(KEY, ScalarArgument) is None


def test_the_store_keeps_its_bound_and_what_was_used_last(tmp_path: Path) -> None:
    store = Store(tmp_path / "entries", limit_bytes=60_000)
    keys = [f"{number:064x}" for number in range(40)]
    for number, key in enumerate(keys):
        store.put(key, ScalarArgument(0, "a", "float", bytes(3000), ""))
        for name, when in ((keys[0], 10_000), (key, number)):
            path = store.folder / f"{name}.entry"
            if path.exists():
                os.utime(path, (when, when))
    assert store.size().nbytes <= 60_000
    assert store.get(keys[0], ScalarArgument) is not None
    assert store.get(keys[-1], ScalarArgument) is not None
    assert store.get(keys[1], ScalarArgument) is None


def test_files_that_are_not_ours_stay(store: Store) -> None:
    store.put(KEY, VALUE)
    (store.folder / "notes.txt").write_text("mine")
    (store.folder / f"{KEY}.entry.{'0' * 16}.new").write_text("left over")
    assert store.clear().entries == 1
    assert [path.name for path in store.folder.iterdir()] == ["notes.txt"]


def test_a_full_or_read_only_disk_is_said_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "entries").write_text("a file where the folder should be")
    store = Store(tmp_path / "entries")
    store.put(KEY, VALUE)
    assert store.trouble
    assert store.get(KEY, NDRange) is None


def test_s_47_threads_that_write_and_read_one_key_see_whole_entries(store: Store) -> None:
    values = [ScalarArgument(0, "a", "float", bytes([number]) * 50_000, "") for number in range(4)]
    wrong: list[object] = []

    def work(value: ScalarArgument) -> None:
        for _ in range(20):
            store.put(KEY, value)
            seen = store.get(KEY, ScalarArgument)
            if seen is None or seen.data not in [one.data for one in values]:
                wrong.append(seen)

    threads = [threading.Thread(target=work, args=(value,)) for value in values]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert [path.name for path in store.folder.iterdir()] == [f"{KEY}.entry"]


def test_the_folder_is_made_private_and_tightened(cache_dir: Path) -> None:
    assert cache_folder().path == cache_dir
    assert cache_dir.stat().st_mode & 0o777 == 0o700
    cache_dir.chmod(0o755)
    assert cache_folder().path == cache_dir
    assert cache_dir.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o702])
def test_a_folder_that_others_may_write_to_is_refused_with_its_mode(cache_dir: Path, mode: int) -> None:
    cache_dir.mkdir()
    cache_dir.chmod(mode)
    found = cache_folder()
    assert found.path is None
    assert f"mode 0{mode:o}" in found.reason
    assert cache_state().nbytes == 0
    assert driver_cache_environment("/nowhere")["POCL_CACHE_DIR"] == "/nowhere/pocl"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(cache_dir: Path) -> None:
    cache_dir.mkdir(mode=0o700)
    os.chown(cache_dir, 12345, 12345)
    assert "belongs to another user (uid 12345)" in cache_folder().reason


@pytest.mark.parametrize("word", ["off", "", "0", "None"])
def test_s_48_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("CL_MAGIC_CACHE_DIR", word)
    assert cache_folder().path is None
    assert "POCL_CACHE_DIR" not in driver_cache_environment("/nowhere")


def test_a_file_in_its_place_is_no_cache(cache_dir: Path) -> None:
    cache_dir.write_text("x")
    assert cache_folder().path is None


def test_clearing_removes_the_drivers_caches_too(cache_dir: Path) -> None:
    places = driver_cache_environment("/nowhere", {"CL_MAGIC_CACHE_DIR": str(cache_dir)})
    inside = Path(places["POCL_CACHE_DIR"]) / "AB" / "program.bc"
    inside.parent.mkdir()
    inside.write_bytes(bytes(1000))
    assert cache_state().nbytes == clear_cache().nbytes >= 1000
    assert cache_state().nbytes == 0
    assert Path(places["POCL_CACHE_DIR"]).is_dir()


def test_a_users_own_cache_of_a_driver_stays_where_it_is(cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POCL_CACHE_DIR", "/mine")
    assert "POCL_CACHE_DIR" not in driver_cache_environment("/nowhere")
    assert cache_state().outside == ("POCL_CACHE_DIR=/mine",)
    assert cache_dir.is_dir()


def test_s_21_keys_tell_parts_and_their_order_apart() -> None:
    keys = [key_of("a", ["x", "yz"]), key_of("a", ["xy", "z"]), key_of("a", ["yz", "x"]), key_of("b", ["x", "yz"])]
    assert len(set(keys)) == 4
    assert driver_variables({"POCL_DEBUG": "1", "CL_MAGIC_CACHE_DIR": "/x"}) == ("POCL_DEBUG=1",)


def test_the_key_is_that_of_every_process() -> None:
    code = "from cl_magic.cache.keys import key_of; print(key_of('a', ['x']))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == key_of("a", ["x"])
