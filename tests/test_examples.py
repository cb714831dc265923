"""Every example in a docstring runs and gives what it says."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOT_IMPORTED = {"cl_magic.__main__"}
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "cl_magic").rglob("*.py")
    if not path.stem.endswith("_main")
)


@pytest.mark.parametrize("name", [m for m in MODULES if m not in NOT_IMPORTED])
def test_the_examples_of_a_module(name: str) -> None:
    module = importlib.import_module(name)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.testmod(module, optionflags=flags).failed == 0
