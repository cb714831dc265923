"""Builds the quickstart's programs once in this process and prints the milliseconds of each as JSON.

Run as ``python cold_builds.py DEVICE NOTEBOOK``; the environment says where the caches are.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def programs(notebook: Path) -> list[str]:
    """Sources of the notebook's cells that build."""
    cells = ["".join(cell["source"]) for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]]
    sources = [cell.partition("\n")[2] for cell in cells if cell.startswith("%%opencl")]
    return [source for source in sources if " scr[" not in source]


def main(selector: str, notebook: str) -> None:
    """Build with a worker that is ready, as a notebook's is after ``%load_ext``."""
    import cl_magic as clm  # noqa: PLC0415 - not part of what is timed
    from cl_magic.device import close_engines, engine_for  # noqa: PLC0415 - as above
    from cl_magic.engine.commands import InspectImages  # noqa: PLC0415 - as above

    device = clm.device(selector)
    engine_for(device, "worker").submit(InspectImages(device.local_id)).result()  # the driver is loaded
    took = []
    marked = []
    for source in programs(Path(notebook)):
        begin = time.perf_counter_ns()
        program = clm.build(source, device=device)
        took.append((time.perf_counter_ns() - begin) / 1e6)
        marked.append(program.result.from_cache)
    sys.stdout.write(json.dumps({"build_ms": took, "from_cache": marked}) + "\n")
    close_engines()


if __name__ == "__main__":
    main(*sys.argv[1:3])
