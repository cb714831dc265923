"""Included files are part of what decides a build (S-45: a changed header is never a wrong hit)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cl_magic.build.includes import included_files
from cl_magic.build.spec import ProgramSpec


def test_files_are_found_in_order_and_through_each_other(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.h").write_text('#include "sub/b.h"\n')
    (tmp_path / "sub" / "b.h").write_text(' # include <c.h>\n#include "a.h"\n')
    (tmp_path / "sub" / "c.h").write_text("int c;\n")
    found = included_files('#include "a.h"\n#include <missing.h>\n', [str(tmp_path)])
    assert [Path(path).name for path, _ in found] == ["a.h", "b.h", "c.h"]


def test_a_changed_or_new_file_changes_the_digest(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    folders = (str(first), str(second))
    source = "#include <n.h>\n"

    def digest() -> str:
        return ProgramSpec(source, include_dirs=folders, included=included_files(source, folders)).digest

    (second / "n.h").write_text("#define N 1\n")
    seen = [digest()]
    (second / "n.h").write_text("#define N 2\n")
    seen.append(digest())
    (first / "n.h").write_text("#define N 3\n")
    seen.append(digest())
    assert len(set(seen)) == 3
    assert digest() == seen[-1]


def test_the_current_folder_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "n.h").write_text("")
    assert [os.path.basename(path) for path, _ in included_files('#include "n.h"', [])] == ["n.h"]  # noqa: PTH119


def test_the_name_in_a_macro_is_never_a_hit() -> None:
    assert included_files("#define H <a.h>\n#include H\n", []) != included_files("#define H <a.h>\n#include H\n", [])
