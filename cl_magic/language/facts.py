"""What there is to know of the language itself: one table, of which the editor has a copy (``facts.json``).

Clauses are those of OpenCL C 1.2, and of OpenCL C 3.0 for what came later; of options those of the OpenCL API.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

import msgspec

KINDS = {
    "f": "function",
    "t": "type",
    "q": "keyword",
    "a": "attribute",
    "m": "macro",
    "o": "option",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One name of the language.

    Attributes
    ----------
    name : str
    kind : str
        A value of :data:`KINDS`.
    signature : str
        Declaration, or how it is written; ``gentype`` stands for the types that a group of functions takes.
    clause : str
        As a reader finds it: ``OpenCL C 1.2, 6.12.1: work-item functions``.
    text : str
        One paragraph.
    rows : tuple of (str, str)
        Size and NumPy dtype of a type.
    """

    name: str
    kind: str
    signature: str
    clause: str
    text: str
    rows: tuple[tuple[str, str], ...] = ()


@functools.cache
def table() -> dict[str, Any]:
    """The table, each name by itself.

    Examples
    --------
    >>> table()["names"]["get_work_dim"][0]
    'f'
    """
    read: dict[str, Any] = msgspec.json.decode(resources.files(__package__).joinpath("facts.json").read_bytes())
    return read | {"names": dict(_single(read["names"]))}


def _single(groups: dict[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    """Names one by one; in the file those with one text stand together, parted by ``|``."""
    for group, (kind, signature, *rest) in groups.items():
        for name in group.split("|"):
            yield name, [kind, signature.replace("{n}", name), *rest]


@functools.cache
def _rules() -> tuple[tuple[re.Pattern[str], dict[str, Any]], ...]:
    made = []
    for rule in table()["rules"]:
        parts = ("|".join(map(re.escape, sorted(part, key=len, reverse=True))) for part in rule["parts"])
        made.append((re.compile("".join(f"({part})" for part in parts)), rule))
    return tuple(made)


def fact(name: str) -> Fact | None:
    """What there is to know of a name; None for names that the language does not have.

    Examples
    --------
    >>> fact("get_global_id").signature
    'size_t get_global_id(uint dimension)'
    >>> fact("convert_uchar4_sat").signature, fact("float3").rows[0]
    ('uchar4 convert_uchar4_sat(gentype4 x)', ('size', '16 bytes, aligned to 16'))
    >>> fact("no_such_name") is None
    True
    """
    found = table()["names"].get(name)
    if found is not None:
        kind, signature, clause, text = found
        return Fact(name, KINDS[kind], signature, clause_text(clause, kind), text, _rows(name))
    for pattern, rule in _rules():
        match = pattern.fullmatch(name)
        if match:
            texts = (_filled(rule[key], name, match) for key in ("signature", "text"))
            return Fact(
                name, KINDS[rule["kind"]], next(texts), clause_text(rule["clause"], "f"), next(texts), _rows(name)
            )
    return None


def _filled(text: str, name: str, match: re.Match[str]) -> str:
    """A rule's text with ``{n}`` as the name and ``{1}`` … as its parts."""
    return re.sub(r"\{(n|\d)\}", lambda hole: name if hole[1] == "n" else match[int(hole[1])], text)


def clause_text(clause: str, kind: str = "f") -> str:
    """Document, number and title of a clause.

    Examples
    --------
    >>> clause_text("6.12.8"), clause_text("3.0 6.15.16"), clause_text("5.6.4.1", "o")
    ('OpenCL C 1.2, 6.12.8: synchronization', 'OpenCL C 3.0, 6.15.16: work-group functions', \
'OpenCL 1.2, 5.6.4.1: preprocessor options')
    """
    version, _, number = clause.rpartition(" ")
    document = "OpenCL" if kind == "o" else "OpenCL C"
    return f"{document} {version or '1.2'}, {number}: {table()['clauses'][clause]}"


_TYPE = re.compile(r"([a-z_]+?)(2|3|4|8|16)?")


def _rows(name: str) -> tuple[tuple[str, str], ...]:
    match = _TYPE.fullmatch(name)
    size, dtype = table()["sizes"].get(match[1], (0, "")) if match else (0, "")
    if not match or not size:
        return ()
    width = int(match[2] or 1)
    room = 4 if width == 3 else width  # noqa: PLR2004 - the one odd width
    shape = "" if width == 1 else f" ({width},)" if room == width else f" ({width},) or ({room},)"
    total = size * room
    counted = "1 byte" if total == 1 else f"{total} bytes"
    return ("size", f"{counted}, aligned to {total}"), ("NumPy", f"{dtype}{shape}")


@functools.cache
def names() -> tuple[str, ...]:
    """All names of the table, those of rules too.

    Examples
    --------
    >>> {"barrier", "vload4", "convert_int_sat_rte", "float16", "kernel"} <= set(names())
    True
    """
    return tuple(dict.fromkeys((*table()["names"], *_ruled())))


def plain_names() -> tuple[str, ...]:
    """Names without those of rules, of which there are hundreds: what to offer where nothing is typed yet.

    Examples
    --------
    >>> "barrier" in plain_names(), "convert_int_sat_rte" in plain_names()
    (True, False)
    """
    return tuple(table()["names"])


def _ruled() -> Iterator[str]:
    for rule in table()["rules"]:
        yield from map("".join, itertools.product(*rule["parts"]))
