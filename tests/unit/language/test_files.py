"""Which files a text may see while it is typed: virtual ones, and small regular ones of the notebook's folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cl_magic.language.files import MAX_FILE_BYTES, MAX_FILES, visible_files


def _texts(source: str, home: Path, *folders: str, **virtual: str) -> dict[str, str]:
    seen = visible_files(
        source, {name.replace("_", "."): text for name, text in virtual.items()}, home=str(home), folders=folders
    )
    return {seen.names[path]: text for path, text in reversed(seen.headers)}


def test_a_file_beside_the_notebook_and_one_under_an_option_are_read(tmp_path: Path) -> None:
    home, more = tmp_path / "nb", tmp_path / "inc"
    (home / "sub").mkdir(parents=True)
    more.mkdir()
    (home / "a.h").write_text('#include "sub/b.h"\n')
    (home / "sub" / "b.h").write_text("int b;\n")
    (more / "c.h").write_text("int c;\n")
    found = _texts('#include "a.h"\n#include <c.h>\n', home, str(more))
    assert sorted(found) == ["a.h", "c.h", "sub/b.h"]


def test_a_virtual_header_hides_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("int file;\n")
    assert _texts('#include "a.h"', tmp_path, a_h="int virtual;") == {"a.h": "int virtual;"}


@pytest.mark.parametrize(
    "written", ["/etc/passwd", "/dev/zero", "/proc/self/environ", "../outside.h", "link.h", "pipe.h"]
)
def test_other_files_are_refused(tmp_path: Path, written: str) -> None:
    home = tmp_path / "nb"
    home.mkdir()
    (tmp_path / "outside.h").write_text("secret\n")
    (home / "link.h").symlink_to(tmp_path / "outside.h")
    os.mkfifo(home / "pipe.h")
    for folders in ((), ("/",), ("/dev", "/proc")):
        seen = visible_files(f'#include "{written}"', {}, home=str(home), folders=folders)
        assert seen.headers == ()


def test_the_folder_of_an_option_opens_what_lies_under_it_only(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "a.h").write_text("int a;")
    (tmp_path / "b.h").write_text("int b;")
    found = _texts('#include "a.h"\n#include "../b.h"', Path("/nowhere"), str(tmp_path / "inc"))
    assert found == {"a.h": "int a;"}


def test_large_files_and_many_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "large.h").write_bytes(b" " * (MAX_FILE_BYTES + 1))
    seen = visible_files('#include "large.h"', {}, home=str(tmp_path))
    assert seen.headers == ()
    assert "1 MB" in seen.refused["/cl_magic/large.h"]
    for number in range(MAX_FILES + 50):
        (tmp_path / f"n{number}.h").write_text(f'#include "n{number + 1}.h"\n')
    assert len(visible_files('#include "n0.h"', {}, home=str(tmp_path)).headers) == MAX_FILES
