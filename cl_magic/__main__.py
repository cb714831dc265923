"""``python -m cl_magic``: the doctor and the devices without a notebook.

Exit status: 0 where a kernel can run, 1 where something prevents every kernel, 2 for a command line that is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from cl_magic._version import __version__
from cl_magic.device import close_engines, reports
from cl_magic.show import text_of


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m cl_magic", description="An OpenCL laboratory inside JupyterLab.")
    parser.add_argument("--version", action="version", version=f"cl_magic {__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    verbs.add_parser("doctor", help="say what this machine has for OpenCL, what ails it, and the remedy")
    verbs.add_parser("devices", help="list devices and drivers")
    return parser


def _doctor() -> int:
    from cl_magic.doctor.examine import examine  # noqa: PLC0415 - `--version` answers at once

    seen = examine()
    sys.stdout.write(f"{text_of(seen)}\n")
    return 0 if seen.ok else 1


def _devices() -> int:
    from cl_magic.display.devices import DevicesView  # noqa: PLC0415 - as above

    view = DevicesView(reports())
    sys.stdout.write(f"{text_of(view)}\n")
    return 0 if view.devices else 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the process.

    Returns
    -------
    int
        The exit status.
    """
    asked = _parser().parse_args(arguments)
    import cl_magic.display  # noqa: F401, PLC0415 - fills the text forms; `--version` answers without it

    try:
        return _doctor() if asked.verb == "doctor" else _devices()
    finally:
        close_engines()


if __name__ == "__main__":
    sys.exit(main())
