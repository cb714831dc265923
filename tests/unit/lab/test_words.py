"""The words that the editor colours are those of the tables that the Python half works with."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

LABEXTENSION = Path(__file__).resolve().parents[3] / "labextension"


def test_the_editors_words_are_current() -> None:
    made = runpy.run_path(str(LABEXTENSION / "make_words.py"))
    assert (LABEXTENSION / "src" / "words.json").read_text(encoding="utf-8") == made["text"]()


def test_every_flag_and_every_type_is_among_them() -> None:
    words = json.loads((LABEXTENSION / "src" / "words.json").read_text(encoding="utf-8"))
    assert {"--global", "--header", "--run"} <= {flag["name"] for flag in words["flags"]}
    assert {"float4", "image2d_t", "atomic_int"} <= set(words["types"])
    assert not {"convert_int4_rte", "vload4"} & set(words["functions"])  # a pattern stands for them
