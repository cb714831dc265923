"""What leaves for a browser: both forms of a payload hold the same numbers, and the module is one file that parses."""

from __future__ import annotations

import base64
import re
import subprocess
import zlib
from pathlib import Path

import numpy as np
import pytest

from cl_magic.display.page import style
from cl_magic.views.module import module_text, part_names
from cl_magic.views.payload import Payload, mime_of, record_id

COLUMNS = {
    "a": np.arange(7, dtype=np.int64),
    "b": np.arange(6, dtype=">f4").reshape(2, 3),
    "c": np.array([True, False]),
    "d": np.zeros((0, 4), np.uint8),
    "e": np.arange(12, dtype=np.uint16).reshape(3, 4)[:, ::2],
}


@pytest.mark.parametrize("name", COLUMNS)
def test_both_forms_hold_the_column(name: str) -> None:
    column = COLUMNS[name]
    payload = Payload("buffer", "r", {"x": 1}, {name: column})
    sent, saved = payload.message()["columns"][name], payload.saved()["columns"][name]
    for form, data in ((sent, sent["data"]), (saved, zlib.decompress(base64.b64decode(saved["deflate"])))):
        got = np.frombuffer(data, form["dtype"]).reshape(form["shape"])
        np.testing.assert_array_equal(got, column)
        assert ">" not in form["dtype"]


@pytest.mark.parametrize("column", [np.zeros(2, complex), np.zeros(2, object), np.zeros(2, [("a", "f4")])])
def test_a_column_of_other_things_is_refused(column: np.ndarray) -> None:
    with pytest.raises(TypeError, match="is not one of integers"):
        Payload("buffer", "r", {}, {"x": column}).message()


def test_types_and_identity() -> None:
    assert mime_of("run") == "application/vnd.cl-magic.run.v1+json"
    assert record_id("a", 1) == record_id("a", 1) != record_id("a", 2)


def test_the_tokens_are_those_of_the_reports() -> None:
    script = Path(__file__).parents[3] / "cl_magic" / "views" / "js" / "tokens.js"
    tokens = re.search(r"`\n(.*)\n`", script.read_text(), re.DOTALL)
    assert tokens is not None
    assert style().startswith(tokens.group(1))


def test_the_module_is_one_file_without_imports(tmp_path: Path) -> None:
    text = module_text()
    assert part_names()[-1] == "index"
    assert not re.search(r"^import\b|innerHTML|eval\(|new Function", text, re.MULTILINE)
    file = tmp_path / "module.mjs"
    file.write_text(text)
    # Not every machine that installs the package has node; the browser tests load the module in any case.
    try:
        checked = subprocess.run(["node", "--check", str(file)], capture_output=True, text=True, check=False)  # noqa: S607
    except FileNotFoundError:
        assert text.count("export default") == 1
    else:
        assert checked.returncode == 0, checked.stderr
