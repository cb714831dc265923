"""The table of the language: complete, with clauses that exist, small enough for an editor (C-01, C-02, C-03)."""

from __future__ import annotations

import re
from importlib import resources

import numpy as np
import pytest

from cl_magic.clc.base_header import base_header
from cl_magic.clc.builtins import _CONSTANTS, _TYPES, builtin_names
from cl_magic.clc.types import type_of
from cl_magic.language.facts import fact, names, table
from cl_magic.magics.flags import FLAGS
from cl_magic.magics.option_meanings import OPTION_MEANINGS

# Sections of OpenCL C 1.2 (chapter 6 of the OpenCL 1.2 specification) and the number of parts of each.
_SECTIONS_12 = {1: 9, 2: 6, 3: 0, 4: 0, 5: 4, 6: 0, 7: 2, 8: 0, 9: 0, 10: 0, 11: 5, 12: 14}
_SECTIONS_30 = {3: 9, 4: 6, 7: 5, 8: 0, 9: 2, 12: 0, 13: 5, 15: 19}
_QUALIFIERS = (  # noqa: SIM905
    "kernel __kernel global local constant private generic read_only write_only read_write const volatile restrict "
    "reqd_work_group_size work_group_size_hint vec_type_hint aligned packed opencl_unroll_hint endian"
).split()


@pytest.mark.parametrize("group", [sorted(builtin_names()), _CONSTANTS, _TYPES, _QUALIFIERS])
def test_every_name_that_the_product_knows_is_explained(group: list[str]) -> None:
    assert [name for name in group if fact(name) is None] == []


def test_every_macro_and_type_of_the_base_header_is_explained() -> None:
    text = base_header().partition("#if __OPENCL_C_VERSION__ >= 200\ntypedef enum")[0]
    macros = re.findall(r"^#define (\w+)", text, re.MULTILINE)
    types = re.findall(r"^typedef [^;(]*?(\w+)(?: __attribute__.*)?;", text, re.MULTILINE)
    found = [name for name in (*macros, *types) if not name.startswith("__opencl") and fact(name) is None]
    assert found == ["as_size_t"]  # the one way to a type that a kernel cannot take


def test_every_clause_exists_in_the_numbering() -> None:
    for clause in table()["clauses"]:
        version, _, number = clause.rpartition(" ")
        parts = number.split(".")
        if parts[0] == "5":
            assert number in {*(f"5.6.4.{n}" for n in range(1, 7)), "5.8.6"}, clause
            continue
        assert parts[0] == "6", clause
        sections = _SECTIONS_30 if version == "3.0" else _SECTIONS_12
        assert int(parts[1]) in sections, clause
        if len(parts) > 2 and parts[2].isdigit():
            assert 1 <= int(parts[2]) <= sections[int(parts[1])], clause
    used = {value[2] for value in table()["names"].values()} | {rule["clause"] for rule in table()["rules"]}
    assert used <= set(table()["clauses"])


def test_sizes_and_dtypes_are_those_of_the_types() -> None:
    for name in names():
        ctype = type_of(name)
        known = fact(name)
        if ctype is None or known is None:
            continue
        rows = dict(known.rows)
        size = ctype.size_bytes
        assert rows["size"] == f"{'1 byte' if size == 1 else f'{size} bytes'}, aligned to {size}"
        assert np.dtype(rows["NumPy"].split()[0]) == ctype.dtype


def test_explanations_are_sentences() -> None:
    for name in names():
        known = fact(name)
        assert known is not None
        assert known.signature, name
        assert known.text.rstrip().endswith((".", ";")), name
        assert len(known.text) < 600, name
        assert "{" not in known.text.replace("${expression}", ""), name


def test_flags_are_those_of_the_line() -> None:
    assert table()["flags"] == [[flag.name, flag.value, flag.meaning] for flag in FLAGS]
    options = (option.split("=")[0].split()[0] for option, _ in OPTION_MEANINGS)
    assert [name for name in options if fact(name) is None] == []


def test_the_table_is_small_enough_for_an_editor() -> None:
    assert len(resources.files("cl_magic.language").joinpath("facts.json").read_bytes()) <= 95_000
