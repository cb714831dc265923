"""What work-items say of themselves on real devices is what partitions and pictures say of them, item by item."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from cl_magic.launch.partition import partition_of
from cl_magic.launch.plan import LaunchPlan
from cl_magic.views.ndrange import ndrange_payload

TESTS = Path(__file__).parents[1]
SCRIPT = TESTS / "support" / "partition_truth.py"
NODE = shutil.which("node")


def told(platform: str, cases: int, target: Path, **environment: str) -> list[tuple[LaunchPlan, np.ndarray[Any, Any]]]:
    """Plans and what their work-items wrote; skips where the platform is not installed."""
    done = subprocess.run(
        [sys.executable, "-P", str(SCRIPT), platform, str(cases), str(target)],
        capture_output=True,
        text=True,
        timeout=280,
        env={**os.environ, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    if not target.exists():
        pytest.skip(f"no platform {platform}")
    lines = map(json.loads, target.read_text().splitlines())
    return [(msgspec.convert(line["plan"], LaunchPlan), np.array(line["rows"])) for line in lines]


def launched(plan: LaunchPlan) -> Iterator[tuple[int, ...]]:
    """Global ids of all launched work-items, padding included, x fastest."""
    sizes = plan.padded_global_size or plan.global_size
    for reversed_id in np.ndindex(*sizes[::-1]):
        yield tuple(int(at) + start for at, start in zip(reversed_id[::-1], plan.global_offset, strict=True))


def compare(plan: LaunchPlan, rows: np.ndarray[Any, Any]) -> None:
    cut = partition_of(plan)
    dimensions = cut.dimensions
    still = (0,) * (3 - dimensions)
    inside = {}
    for row, global_id in zip(rows.tolist(), launched(plan), strict=True):
        item = cut.item(global_id)
        wanted = [*global_id, *still, *item.group_id, *still, *item.local_id, *still]
        wanted += [*item.local_size, *(1 for _ in still), item.global_linear_id, item.local_linear_id]
        assert row == wanted, (plan, global_id)
        table = {entry.kind: entry for entry in cut.index_table(global_id)}
        assert (table["global"].linear, table["local"].linear) == (row[12], row[13])
        assert (global_id in cut) is not item.padding
        if not item.padding:
            assert cut.position(global_id) == row[12]
            assert cut.at(row[12]) == global_id
            inside[global_id] = (item.group_id, item.local_id)
    walked = {place.global_id: (place.group_id, place.local_id) for place in cut}
    assert walked == inside
    assert len(cut) == len(inside)


def compare_in_node(cases: list[tuple[LaunchPlan, np.ndarray[Any, Any]]], tmp_path: Path) -> None:
    """The same of the picture's own arithmetic, from its payload alone."""
    dump = tmp_path / "cases.jsonl"
    with dump.open("w") as file:
        for plan, rows in cases:
            file.write(json.dumps({"head": dict(ndrange_payload(plan).head), "rows": rows.tolist()}) + "\n")
    done = subprocess.run(
        [str(NODE), str(TESTS / "js" / "ndrange_truth.mjs"), str(dump)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == {"cases": len(cases), "items": sum(len(rows) for _, rows in cases)}


def check(cases: list[tuple[LaunchPlan, np.ndarray[Any, Any]]], tmp_path: Path) -> Counter[str]:
    for plan, rows in cases:
        compare(plan, rows)
    if NODE is not None:
        compare_in_node(cases, tmp_path)
    return Counter(plan.mode for plan, _ in cases)


@pytest.mark.slow
def test_pocl_says_the_same(tmp_path: Path) -> None:
    """R-19, K-16, K-17, K-22, K-29, C-68: 510 ranges, item by item, in Python and in the picture's JavaScript."""
    modes = check(told("Portable", 510, tmp_path / "told.jsonl"), tmp_path)
    assert sum(modes.values()) == 510
    assert min(modes[mode] for mode in ("uniform", "rebuilt", "padded")) > 50


def test_oclgrind_says_the_same(tmp_path: Path) -> None:
    """R-19, K-10, K-22: groups that the device cuts itself."""
    modes = check(told("Oclgrind", 150, tmp_path / "told.jsonl"), tmp_path)
    assert modes["non-uniform"] > 50


@pytest.mark.slow
def test_intel_says_the_same(tmp_path: Path) -> None:
    """R-19, K-22, C-68."""
    library = Path(sys.prefix) / "lib" / "libintelocl.so"
    if not library.exists():
        pytest.skip("Intel's runtime is not installed")
    own = tmp_path / "intel.icd"
    own.write_text(f"{library}\n")
    environment = {"OCL_ICD_VENDORS": str(own), "LD_LIBRARY_PATH": str(library.parent)}
    check(told("Intel", 60, tmp_path / "told.jsonl", **environment), tmp_path)
