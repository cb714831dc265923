"""Plans launched on real devices: every work-item sees what one launch with non-uniform groups would show it.

Plain PyOpenCL, in a process with one driver; the model is NumPy's (tests/support/plan_truth.py).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[1] / "support" / "plan_truth.py"


def outcome(platform: str, cases: int, *flags: str, **environment: str) -> dict[str, Any]:
    """Run the script; skip where the platform is not installed."""
    done = subprocess.run(
        [sys.executable, "-P", str(SCRIPT), platform, str(cases), *flags],
        capture_output=True,
        text=True,
        timeout=280,
        env={**os.environ, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if "absent" in found:
        pytest.skip(f"no platform {platform}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["Portable", "Oclgrind"])
def test_planned_launches_show_the_whole_range(platform: str) -> None:
    """R-18, K-06, K-10, K-11, K-12, K-13."""
    found = outcome(platform, 180)
    assert found["differences"] == []
    assert {"uniform", "split", "rebuilt", "padded"} <= set(found["modes"])
    assert sum(found["modes"].values()) == 180


def test_the_model_is_what_non_uniform_devices_do() -> None:
    """K-10: Oclgrind cuts the last groups itself under OpenCL C 2.0."""
    found = outcome("Oclgrind", 60, "native")
    assert found["differences"] == []
    assert found["modes"]["non-uniform"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("flags", [(), ("native",)])
def test_intel(flags: tuple[str, ...], tmp_path: Path) -> None:
    """K-10, K-12."""
    library = Path(sys.prefix) / "lib" / "libintelocl.so"
    if not library.exists():
        pytest.skip("Intel's runtime is not installed")
    own = tmp_path / "intel.icd"  # the wheel's own names a folder that is not here
    own.write_text(f"{library}\n")
    found = outcome("Intel", 40, *flags, OCL_ICD_VENDORS=str(own), LD_LIBRARY_PATH=str(library.parent))
    assert found["differences"] == []
