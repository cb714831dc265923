"""axe-core in a page: what it finds of serious faults (its package is a development dependency of the labextension)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

AXE = Path(__file__).resolve().parents[2] / "labextension" / "node_modules" / "axe-core" / "axe.min.js"
_SERIOUS = ("serious", "critical")


def serious_faults(page: Any, selector: str) -> list[str]:
    """Faults of serious and critical impact inside `selector`: rule, what it says, the element."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("selector => axe.run(selector, {resultTypes: ['violations']})", selector)
    return [
        f"{fault['id']}: {fault['help']}: {node['html'][:200]}"
        for fault in found["violations"]
        if fault["impact"] in _SERIOUS
        for node in fault["nodes"]
    ]
