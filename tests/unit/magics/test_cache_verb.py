"""``%opencl cache`` shows folder, entries and sizes, says why there is no cache, and clears it (S-48)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.shell import Lab, fresh_lab

from cl_magic.cache.folder import CacheFolder
from cl_magic.cache.kept import CacheState, store_of
from cl_magic.cache.store import StoreSize
from cl_magic.launch.ndrange import NDRange
from cl_magic.magics.cache_verb import cache_table
from cl_magic.magics.table import table_text

STATE = CacheState(
    CacheFolder(Path("/home/me/.cache/cl_magic")),
    builds=StoreSize(3, 1 << 20),
    analyses=StoreSize(1, 1 << 10),
    drivers=(("/home/me/.cache/cl_magic/drivers/pocl", 2 << 20),),
    outside=("CUDA_CACHE_PATH=/mine",),
)


@pytest.fixture
def lab() -> Iterator[Lab]:
    with fresh_lab() as made:
        yield made


def test_the_table_has_sizes_entries_and_what_is_elsewhere() -> None:
    text = table_text(cache_table(STATE))
    for words in (" of 256 MiB", "/home/me/.cache/cl_magic", "3 entries", "1 entry", "CUDA_CACHE_PATH=/mine"):
        assert words in text.replace("\u202f", " "), text
    assert "removed" in table_text(cache_table(STATE, cleared=True))


def test_the_verb_shows_and_clears(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CL_MAGIC_CACHE_DIR", str(tmp_path / "cache"))
    store = store_of("builds")
    assert store is not None
    store.put("0" * 64, NDRange((8,)))
    assert "1 entry" in lab.run("%opencl cache").text
    assert "removed" in lab.run("%opencl cache clear").text
    assert store.size().entries == 0
    assert str(tmp_path) in lab.run("%opencl cache").text


def test_the_verb_says_why_there_is_no_cache(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CL_MAGIC_CACHE_DIR", "off")
    assert "switched off by CL_MAGIC_CACHE_DIR" in lab.run("%opencl cache").text
    (tmp_path / "cache").mkdir(mode=0o777)
    (tmp_path / "cache").chmod(0o777)
    monkeypatch.setenv("CL_MAGIC_CACHE_DIR", str(tmp_path / "cache"))
    assert "others may write" in " ".join(lab.run("%opencl cache").text.split())
